//! Instances of a published schema: a generator that is driven by nothing else.
//!
//! It knows the keywords that generated schemas have. What it draws is meant to be valid; the oracle says whether it is,
//! and the laws count how often, and that every branch of every union was among what was valid.

mod leaves;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::choices::Choices;

type Node = Map<String, Value>;

/// How deep values are before the generator looks for the shortest way out.
const DEEP: usize = 5;

/// A branch of a union: the pointer of the union, and its place in it.
pub(crate) type Branch = (String, usize);

pub(crate) struct Instances<'s> {
    root: &'s Value,
    choices: Choices,
    taken: BTreeSet<Branch>,
}

/// What a value has to satisfy, all of it.
#[derive(Clone, Default)]
struct Demands<'s> {
    nodes: Vec<&'s Node>,
    /// `false` somewhere.
    impossible: bool,
}

/// An instance, and the branches that were taken on the way to it.
pub(crate) fn instance(schema: &Value, choices: &[u32]) -> (Value, BTreeSet<Branch>) {
    let mut instances = Instances { root: schema, choices: Choices::new(choices), taken: BTreeSet::new() };
    let value = instances.value(&[schema], 0);
    (value, instances.taken)
}

/// Every branch of every union that a value can reach.
pub(crate) fn branches(schema: &Value) -> BTreeSet<Branch> {
    let mut found = BTreeSet::new();
    let mut stack = vec![schema];
    while let Some(value) = stack.pop() {
        if let Value::Object(node) = value {
            for union in ["anyOf", "oneOf"] {
                let count = node.get(union).and_then(Value::as_array).map_or(0, Vec::len);
                found.extend((0..count).map(|index| (id(node, union), index)));
            }
            stack.extend(
                node.iter()
                    .filter(|(key, _)| !["default", "const", "enum", "not"].contains(&key.as_str()))
                    .map(|(_, v)| v),
            );
        } else if let Value::Array(items) = value {
            stack.extend(items);
        }
    }
    found
}

/// Which union of a document it is: two that read the same are the same.
fn id(node: &Node, union: &str) -> String {
    node[union].to_string()
}

impl<'s> Instances<'s> {
    fn value(&mut self, schemas: &[&'s Value], depth: usize) -> Value {
        let mut demands = Demands::default();
        for schema in schemas {
            self.gather(schema, depth, &mut demands);
        }
        if demands.impossible {
            return Value::Null;
        }
        if let Some(only) = demands.nodes.iter().find_map(|node| node.get("const")) {
            return only.clone();
        }
        if let Some(values) = demands.nodes.iter().find_map(|node| node.get("enum")?.as_array()) {
            return self.choices.one_of(values).clone();
        }
        let kinds = demands.kinds();
        let kind = if depth > DEEP && kinds.contains(&"null") { "null" } else { *self.choices.one_of(&kinds) };
        match kind {
            "null" => Value::Null,
            "boolean" => Value::Bool(self.choices.once_in(2)),
            "integer" => leaves::integer(&demands.nodes, &mut self.choices),
            "number" => leaves::number(&demands.nodes, &mut self.choices),
            "string" => Value::String(leaves::text(&demands.nodes, &mut self.choices)),
            "array" => self.array(&demands, depth),
            _ => self.object(&demands, depth),
        }
    }

    /// Adds what a schema demands: itself, what it refers to, and one branch of each of its unions.
    fn gather(&mut self, schema: &'s Value, depth: usize, demands: &mut Demands<'s>) {
        let Value::Object(node) = schema else {
            demands.impossible |= schema == &Value::Bool(false);
            return;
        };
        demands.nodes.push(node);
        if let Some(target) = self.target(node) {
            self.gather(target, depth, demands);
        }
        for part in node.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.gather(part, depth, demands);
        }
        for union in ["anyOf", "oneOf"] {
            let Some(branches) = node.get(union).and_then(Value::as_array) else { continue };
            let index = if depth > DEEP || self.choices.is_spent() {
                self.shortest(branches)
            } else {
                self.choices.below(branches.len())
            };
            self.taken.insert((id(node, union), index));
            self.gather(&branches[index], depth, demands);
            let next = &branches[(index + 1) % branches.len()];
            let both_objects = [&branches[index], next].iter().all(|branch| self.has_properties(branch));
            // Of two variants at once, one would be lost.
            if union == "anyOf" && depth <= DEEP && both_objects && self.choices.once_in(8) {
                self.gather(next, depth, demands);
            }
        }
    }

    fn target(&self, node: &Node) -> Option<&'s Value> {
        let pointer = node.get("$ref")?.as_str()?.strip_prefix('#')?;
        self.root.pointer(pointer)
    }

    fn has_properties(&self, schema: &Value) -> bool {
        let Value::Object(node) = schema else { return false };
        node.contains_key("properties") || self.target(node).is_some_and(|target| self.has_properties(target))
    }

    fn shortest(&self, branches: &[Value]) -> usize {
        (0..branches.len()).min_by_key(|index| self.height(&branches[*index], 6)).unwrap_or(0)
    }

    /// How deep the smallest instance is, at most `fuel`.
    fn height(&self, schema: &Value, fuel: usize) -> usize {
        let Value::Object(node) = schema else { return 0 };
        if fuel == 0 || node.contains_key("const") || node.contains_key("enum") {
            return 0;
        }
        let below = |schema| 1 + self.height(schema, fuel - 1);
        let properties = node.get("properties").and_then(Value::as_object);
        let required = node.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let required = required.filter_map(|name| properties?.get(name)).map(below).max();
        let items = node.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let prefix = node.get("prefixItems").and_then(Value::as_array).into_iter().flatten();
        let items = prefix.chain(node.get("items")).filter(|_| items > 0).map(below).max();
        let target = self.target(node).map(below);
        let parts = node.get("allOf").and_then(Value::as_array).into_iter().flatten().map(below).max();
        let unions =
            ["anyOf", "oneOf"].into_iter().filter_map(|union| node.get(union)?.as_array()?.iter().map(below).min());
        unions.chain(required).chain(items).chain(target).chain(parts).max().unwrap_or(0)
    }

    fn array(&mut self, demands: &Demands<'s>, depth: usize) -> Value {
        let least = demands.count("minItems").max().unwrap_or(0);
        let most = demands.count("maxItems").min().unwrap_or(least + 3);
        let room = if depth > DEEP { 0 } else { most.saturating_sub(least).min(3) };
        let count = least + self.choices.below(room + 1);
        let mut items: Vec<Value> = Vec::new();
        for index in 0..count {
            let schemas: Vec<&Value> = demands
                .nodes
                .iter()
                .filter_map(|node| {
                    let fixed = node.get("prefixItems").and_then(|items| items.get(index));
                    fixed.or_else(|| node.get("items"))
                })
                .collect();
            items.push(self.value(&schemas, depth + 1));
        }
        if demands.nodes.iter().any(|node| node.get("uniqueItems") == Some(&Value::Bool(true))) {
            let mut seen: Vec<Value> = Vec::new();
            items.retain(|item| {
                !seen.contains(item) && {
                    seen.push(item.clone());
                    true
                }
            });
        }
        Value::Array(items)
    }

    fn object(&mut self, demands: &Demands<'s>, depth: usize) -> Value {
        let mut entries = Node::new();
        let required: Vec<&str> = demands.lists("required").filter_map(Value::as_str).collect();
        let forbidden: Vec<&'s String> =
            demands.maps("properties").filter(|(_, schema)| **schema == false).map(|(name, _)| name).collect();
        let declared = demands.maps("properties").map(|(name, _)| name).filter(|name| !forbidden.contains(name));
        let declared: Vec<&'s String> = declared.collect();
        for name in declared {
            let must = required.contains(&name.as_str());
            if !entries.contains_key(name) && (must || (depth <= DEEP && self.choices.once_in(2))) {
                let value = self.property(demands, name, depth);
                entries.insert(name.clone(), value);
            }
        }
        let closed = |node: &&Node| {
            node.get("additionalProperties").or_else(|| node.get("unevaluatedProperties")) == Some(&Value::Bool(false))
        };
        let patterns: Vec<&'s String> = demands.maps("patternProperties").map(|(pattern, _)| pattern).collect();
        let open = !demands.nodes.iter().any(closed);
        if depth <= DEEP && (open || !patterns.is_empty()) {
            let least = demands.count("minProperties").max().unwrap_or(0);
            let most = demands.count("maxProperties").min().unwrap_or(least + 2);
            let more = least + self.choices.below(most - least + 1);
            for _ in entries.len()..more {
                let name = self.name(demands, &patterns, open);
                let value = self.property(demands, &name, depth);
                entries.entry(name).or_insert(value);
            }
        }
        Value::Object(entries)
    }

    fn name(&mut self, demands: &Demands<'s>, patterns: &[&'s String], open: bool) -> String {
        let elsewhere = patterns.is_empty() || (open && self.choices.once_in(2));
        if !elsewhere {
            let pattern = *self.choices.one_of(patterns);
            return self.choices.matching(pattern);
        }
        let names: Vec<&'s Value> = demands.nodes.iter().filter_map(|node| node.get("propertyNames")).collect();
        match self.value(&names, 0) {
            Value::String(name) if !names.is_empty() => name,
            _ => (*self.choices.one_of(&["k", "l", "", "a/b", "~", "é"])).to_owned(),
        }
    }

    fn property(&mut self, demands: &Demands<'s>, name: &str, depth: usize) -> Value {
        let mut schemas = Vec::new();
        for node in &demands.nodes {
            let own = node.get("properties").and_then(|properties| properties.get(name));
            let patterns = node.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
            let mut applied: Vec<&Value> = own.into_iter().collect();
            applied.extend(patterns.filter(|(pattern, _)| leaves::matches(pattern, name)).map(|(_, schema)| schema));
            if applied.is_empty() {
                let rest = node.get("additionalProperties");
                applied.extend(rest.filter(|schema| *schema != &Value::Bool(false)));
            }
            schemas.extend(applied);
        }
        self.value(&schemas, depth + 1)
    }
}

impl<'s> Demands<'s> {
    fn kinds(&self) -> Vec<&'static str> {
        const ALL: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];
        let mut kinds: Option<Vec<&'static str>> = None;
        for node in &self.nodes {
            let Some(named) = node.get("type") else { continue };
            let named: Vec<&str> = match named {
                Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
                name => name.as_str().into_iter().collect(),
            };
            let named = ALL.into_iter().chain(["integer"]).filter(|kind| named.contains(kind));
            kinds = Some(match kinds {
                None => named.collect(),
                Some(before) => named.filter(|kind| before.contains(kind)).collect(),
            });
        }
        kinds.filter(|kinds| !kinds.is_empty()).unwrap_or_else(|| ALL.to_vec())
    }

    fn count(&self, keyword: &str) -> impl Iterator<Item = usize> {
        self.nodes.iter().filter_map(move |node| usize::try_from(node.get(keyword)?.as_u64()?).ok())
    }

    fn lists(&self, keyword: &str) -> impl Iterator<Item = &'s Value> {
        self.nodes.iter().filter_map(move |node| node.get(keyword)?.as_array()).flatten()
    }

    fn maps(&self, keyword: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
        self.nodes.iter().filter_map(move |node| node.get(keyword)?.as_object()).flatten()
    }
}
