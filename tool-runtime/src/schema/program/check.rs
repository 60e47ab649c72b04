//! The verdict on a tree.

use std::cell::Cell;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::openings::{Opening, Sent};
use super::rules::{Items, Kinds, Needs, Parts, Properties};
use super::scalar::Scalar;
use super::{Node, NodeId, Program};
use crate::schema::canonical;

/// Most pairs of a node and a value that are looked at, about as many as the largest arguments have.
const MAX_STEPS: u32 = 1 << 19;

impl Program {
    /// Whether a value satisfies the schema; `None` if that takes too long, because unions lead to the same place on many
    /// ways. The value's depth is bounded.
    pub(in crate::schema) fn holds(&self, value: &Value) -> Option<bool> {
        self.part_holds(self.node(self.root), value)
    }

    /// The same for a part of a value and its node.
    pub(super) fn part_holds(&self, node: &Node, value: &Value) -> Option<bool> {
        let check = Check { program: self, steps: Cell::new(0) };
        let holds = check.node(node, value);
        (check.steps.get() < MAX_STEPS).then_some(holds)
    }
}

/// One check of a tree.
struct Check<'p> {
    program: &'p Program,
    steps: Cell<u32>,
}

impl Check<'_> {
    fn value(&self, id: NodeId, value: &Value) -> bool {
        if id == NodeId::ANY {
            return true;
        }
        let steps = self.steps.get();
        if steps >= MAX_STEPS {
            return false;
        }
        self.steps.set(steps + 1);
        self.node(self.program.node(id), value)
    }

    fn node(&self, node: &Node, value: &Value) -> bool {
        match value {
            Value::Object(entries) => self.object(node, value, entries),
            Value::Array(items) => self.array(node, value, items),
            _ => Scalar::of(value).is_some_and(|scalar| self.program.node_takes(node, scalar)),
        }
    }

    fn array(&self, node: &Node, value: &Value, items: &[Value]) -> bool {
        node.kinds.has(Kinds::ARRAY)
            && node.fixed.as_ref().is_none_or(|fixed| fixed.allows_value(value))
            && node.items.as_ref().is_none_or(|rules| self.items(rules, items))
            && node.parts.as_ref().is_none_or(|parts| self.parts(parts, value))
    }

    fn items(&self, rules: &Items, items: &[Value]) -> bool {
        if items.len() < rules.least || items.len() > rules.most {
            return false;
        }
        if let Some(contains) = &rules.contains {
            let found = items.iter().filter(|item| self.value(contains.node, item)).count();
            if found < contains.least || found > contains.most {
                return false;
            }
        }
        items.iter().enumerate().all(|(index, item)| self.value(rules.at(index), item))
            && (!rules.unique || are_unique(items))
    }

    fn object(&self, node: &Node, value: &Value, entries: &Map<String, Value>) -> bool {
        if let Opening::Tagged(tags) = node.object {
            match self.program.tags[tags].sent(entries) {
                Sent::Branch(branch) => return self.value(branch, value),
                Sent::NoBranch => return false,
                Sent::Untold => {}
            }
        }
        node.kinds.has(Kinds::OBJECT)
            && node.fixed.as_ref().is_none_or(|fixed| fixed.allows_value(value))
            && node.properties.as_ref().is_none_or(|rules| self.properties(rules, entries))
            && node.parts.as_ref().is_none_or(|parts| {
                self.parts(parts, value)
                    && parts.dependent.iter().all(|(key, id)| !entries.contains_key(&**key) || self.value(*id, value))
                    && parts.unevaluated.is_none_or(|rest| self.unevaluated(node, rest, value, entries))
            })
    }

    fn properties(&self, rules: &Properties, entries: &Map<String, Value>) -> bool {
        let (mut expected, mut found) = (0, 0);
        for (name, item) in entries {
            let node = match rules.place(name, expected) {
                Some(place) => {
                    expected = place + 1;
                    let property = &rules.known[place];
                    found += usize::from(property.required);
                    if !self.matched(rules, name, item).0 {
                        return false;
                    }
                    property.node
                }
                None => match self.matched(rules, name, item) {
                    (false, _) => return false,
                    (true, true) => continue,
                    (true, false) => rules.rest,
                },
            };
            if !self.value(node, item) {
                return false;
            }
        }
        let names_hold = |names: &NodeId| entries.keys().all(|name| self.program.scalar(*names, Scalar::String(name)));
        let there = |name: &str| entries.contains_key(name);
        let needs_hold = |needs: &Needs| !there(&needs.key) || needs.others.iter().all(|name| there(name));
        found == rules.required
            && rules.also_required.iter().all(|name| there(name))
            && (rules.least..=rules.most).contains(&entries.len())
            && rules.names.as_ref().is_none_or(names_hold)
            && rules.needs.iter().all(needs_hold)
    }

    /// Whether an entry satisfies the patterns of its key, and whether there are any.
    fn matched(&self, rules: &Properties, name: &str, item: &Value) -> (bool, bool) {
        let mut matching = rules.patterns.iter().filter(|(pattern, _)| pattern.is_match(name)).peekable();
        let any = matching.peek().is_some();
        (matching.all(|(_, node)| self.value(*node, item)), any)
    }

    /// What applies to arrays and objects alike.
    fn parts(&self, parts: &Parts, value: &Value) -> bool {
        let holds = |id: &NodeId| self.value(*id, value);
        parts.all.iter().all(holds)
            && parts.any.as_ref().is_none_or(|branches| branches.iter().any(holds))
            && parts.one.as_ref().is_none_or(|branches| branches.iter().filter(|id| holds(id)).take(2).count() == 1)
            && parts.not.as_ref().is_none_or(|id| !holds(id))
            && parts
                .condition
                .is_none_or(|(test, then, otherwise)| holds(if holds(&test) { &then } else { &otherwise }))
    }

    fn unevaluated(&self, node: &Node, rest: NodeId, value: &Value, entries: &Map<String, Value>) -> bool {
        let mut declared = HashSet::new();
        self.evaluated(node, value, entries, true, &mut declared);
        entries.iter().all(|(name, item)| declared.contains(name.as_str()) || self.value(rest, item))
    }

    /// The keys that a node and the schemas that hold beside it declare. The node holds, but for `unevaluatedProperties`
    /// where it is the `outermost`.
    fn evaluated<'v>(
        &self,
        node: &Node,
        value: &Value,
        entries: &'v Map<String, Value>,
        outermost: bool,
        declared: &mut HashSet<&'v str>,
    ) {
        if let Some(rules) = &node.properties {
            let knows = |name: &str| {
                rules.says_rest
                    || rules.place(name, 0).is_some()
                    || rules.patterns.iter().any(|(pattern, _)| pattern.is_match(name))
            };
            declared.extend(entries.keys().map(String::as_str).filter(|name| knows(name)));
        }
        let Some(parts) = &node.parts else { return };
        if parts.unevaluated.is_some() && !outermost {
            declared.extend(entries.keys().map(String::as_str));
            return;
        }
        let mut inner: Vec<NodeId> = parts.all.clone();
        inner.extend(parts.any.iter().chain(&parts.one).flatten());
        if let Some((test, then, otherwise)) = parts.condition {
            inner.extend(if self.value(test, value) { [test, then] } else { [NodeId::ANY, otherwise] });
        }
        inner.extend(parts.dependent.iter().filter(|(key, _)| entries.contains_key(&**key)).map(|(_, id)| *id));
        for part in inner.into_iter().filter(|part| self.value(*part, value)) {
            self.evaluated(self.program.node(part), value, entries, false, declared);
        }
    }
}

fn are_unique(items: &[Value]) -> bool {
    let mut seen = HashSet::with_capacity(items.len());
    items.iter().all(|item| seen.insert(canonical::key(item)))
}
