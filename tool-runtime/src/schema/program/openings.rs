//! How the arrays and objects of a node are checked while they are written.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::rules::{Kinds, Parts};
use super::{Node, NodeId, Program};

/// What is known of an array or object when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Whatever is in it holds.
    Any,
    /// No array (or object) is allowed.
    Refused,
    /// The rules of this node decide, item by item.
    Own(NodeId),
    /// The tag or the first key tells which node's rules decide: a place in [`Program::tags`].
    Tagged(usize),
    /// Only the whole of it decides.
    Whole,
}

/// How the objects of a union are told apart. Whatever a key or tag does not choose is refuted by it.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// The property that is constant in every branch, with the branch of each value.
    tag: Option<(Box<str>, Branches)>,
    /// Keys that only one branch takes.
    keys: Branches,
}

type Branches = HashMap<Box<str>, NodeId>;

/// The branch of a union that an object chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    Branch(NodeId),
    /// Its tag is none of those that there are.
    NoBranch,
    /// It has neither a tag nor a key that tells.
    Untold,
}

impl Tags {
    pub(super) fn tag(&self) -> Option<&str> {
        self.tag.as_ref().map(|(name, _)| &**name)
    }

    pub(super) fn by_tag(&self, value: &str) -> Option<NodeId> {
        self.tag.as_ref()?.1.get(value).copied()
    }

    pub(super) fn by_key(&self, key: &str) -> Option<NodeId> {
        self.keys.get(key).copied()
    }

    /// The branch that an object's tag or first key chooses.
    pub(super) fn sent(&self, entries: &Map<String, Value>) -> Sent {
        if let Some((name, branches)) = &self.tag
            && let Some(value) = entries.get(&**name)
        {
            return value.as_str().and_then(|value| branches.get(value)).map_or(Sent::NoBranch, |id| Sent::Branch(*id));
        }
        entries.keys().next().and_then(|key| self.by_key(key)).map_or(Sent::Untold, Sent::Branch)
    }
}

/// Settles the openings of every node. Chains of schemas in place are bounded.
pub(super) fn settle(program: &mut Program) {
    let mut walk = Walk { nodes: &program.nodes, tags: Vec::new(), kinds: HashMap::new(), known: HashMap::new() };
    let ids = (0..program.nodes.len()).map(|index| NodeId(u32::try_from(index).unwrap_or(u32::MAX)));
    let settled: Vec<_> = ids.map(|id| (walk.opening(id, Kinds::ARRAY), walk.opening(id, Kinds::OBJECT))).collect();
    program.tags = walk.tags;
    for (node, (array, object)) in program.nodes.iter_mut().zip(settled) {
        (node.array, node.object) = (array, object);
    }
}

struct Walk<'a> {
    nodes: &'a [Node],
    tags: Vec<Tags>,
    kinds: HashMap<NodeId, Kinds>,
    known: HashMap<(NodeId, u8), Opening>,
}

impl<'a> Walk<'a> {
    fn node(&self, id: NodeId) -> &'a Node {
        &self.nodes[id.0 as usize]
    }

    /// The kinds that may satisfy a node: all that do, and perhaps more.
    fn kinds(&mut self, id: NodeId) -> Kinds {
        if let Some(known) = self.kinds.get(&id) {
            return *known;
        }
        let node = self.node(id);
        let mut kinds = node.kinds;
        if let Some(fixed) = &node.fixed {
            let strings = if fixed.strings.is_empty() { Kinds::NONE } else { Kinds::STRING };
            kinds = kinds.and(fixed.others.iter().map(Kinds::of).fold(strings, Kinds::or));
        }
        if let Some(parts) = &node.parts {
            for part in &parts.all {
                kinds = kinds.and(self.kinds(*part));
            }
            for branches in parts.any.iter().chain(&parts.one) {
                let any = branches.iter().map(|branch| self.kinds(*branch)).fold(Kinds::NONE, Kinds::or);
                kinds = kinds.and(any);
            }
        }
        self.kinds.insert(id, kinds);
        kinds
    }

    fn opening(&mut self, id: NodeId, kind: Kinds) -> Opening {
        if let Some(known) = self.known.get(&(id, kind.0)) {
            return *known;
        }
        let opening = self.new_opening(id, kind);
        self.known.insert((id, kind.0), opening);
        opening
    }

    fn new_opening(&mut self, id: NodeId, kind: Kinds) -> Opening {
        if !self.kinds(id).has(kind) {
            return Opening::Refused;
        }
        let node = self.node(id);
        if node.fixed.is_some() {
            return Opening::Whole;
        }
        let (ruled, streams) = match kind {
            Kinds::ARRAY => (
                node.items.is_some(),
                node.items.as_ref().is_some_and(|rules| !rules.unique && rules.contains.is_none()),
            ),
            _ => (node.properties.is_some(), node.properties.as_ref().is_some_and(|rules| rules.stream())),
        };
        match (ruled, &node.parts) {
            (false, None) => Opening::Any,
            (true, None) if streams => Opening::Own(id),
            (false, Some(parts)) => self.of_parts(parts, kind),
            _ => Opening::Whole,
        }
    }

    /// The opening of a node that asks nothing itself.
    fn of_parts(&mut self, parts: &Parts, kind: Kinds) -> Opening {
        let simple = parts.not.is_none()
            && parts.condition.is_none()
            && parts.dependent.is_empty()
            && parts.unevaluated.is_none();
        let branches = match (parts.all.as_slice(), &parts.any, &parts.one) {
            (all @ [_], None, None) => all,
            ([], Some(branches), None) | ([], None, Some(branches)) => branches,
            _ => return Opening::Whole,
        };
        if !simple {
            return Opening::Whole;
        }
        let openings: Vec<Opening> = branches.iter().map(|branch| self.opening(*branch, kind)).collect();
        let mut possible = openings.into_iter().filter(|opening| *opening != Opening::Refused);
        match (possible.next(), possible.next()) {
            (None, _) => Opening::Refused,
            // Every other branch refuses the value for its kind, so even of `oneOf` exactly this one may hold.
            (Some(only), None) => only,
            (Some(first), Some(second)) if kind == Kinds::OBJECT => {
                self.told_apart([first, second].into_iter().chain(possible))
            }
            _ => Opening::Whole,
        }
    }

    fn told_apart(&mut self, openings: impl Iterator<Item = Opening>) -> Opening {
        let own = |opening| match opening {
            Opening::Own(id) => Some(id),
            _ => None,
        };
        let Some(branches) = openings.map(own).collect::<Option<Vec<NodeId>>>() else { return Opening::Whole };
        let tags = Tags { tag: self.common_tag(&branches), keys: self.own_keys(&branches) };
        if tags.tag.is_none() && tags.keys.is_empty() {
            return Opening::Whole;
        }
        self.tags.push(tags);
        Opening::Tagged(self.tags.len() - 1)
    }

    /// A property that every branch declares with other strings than the rest.
    fn common_tag(&self, branches: &[NodeId]) -> Option<(Box<str>, Branches)> {
        let properties = |id: &NodeId| self.node(*id).properties.as_ref();
        let candidates = &properties(branches.first()?)?.known;
        candidates.iter().find_map(|candidate| {
            let mut chosen = HashMap::new();
            for branch in branches {
                let rules = properties(branch)?;
                let property = &rules.known[rules.place(&candidate.name, 0)?];
                let fixed = self.node(property.node).fixed.as_ref().filter(|fixed| fixed.others.is_empty())?;
                for value in &fixed.strings {
                    if chosen.insert(value.clone(), *branch).is_some() {
                        return None;
                    }
                }
            }
            Some((candidate.name.clone(), chosen))
        })
    }

    /// Keys of exactly one branch, if every other is closed to them.
    fn own_keys(&self, branches: &[NodeId]) -> Branches {
        let mut keys: HashMap<Box<str>, Option<NodeId>> = HashMap::new();
        for branch in branches {
            let Some(rules) = self.node(*branch).properties.as_ref().filter(|rules| rules.rest == NodeId::NEVER) else {
                return HashMap::new();
            };
            for property in &rules.known {
                keys.entry(property.name.clone()).and_modify(|owner| *owner = None).or_insert(Some(*branch));
            }
        }
        keys.into_iter().filter_map(|(key, owner)| Some((key, owner?))).collect()
    }
}
