//! The shape of a schema document, surveyed before anything recursive touches it.
//!
//! Nothing here recurses, so that a document of any depth and any chain of references is refused instead of overflowing
//! the stack of what compiles it later.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::keywords::Keywords as _;

use super::document::Schema;
use super::keywords::{self, Place, Step};
use super::references::{Names, Unresolved};
use super::violation::{Violation, in_schema, quoted};
use crate::json::Pointer;

/// Limit of a compiled regular expression, in bytes; what an alternation of some thousand words takes.
pub(super) const MAX_REGEX: usize = 1 << 21;

/// Deepest nesting of arrays and objects in a schema document.
pub(super) const MAX_DEPTH: usize = crate::json::MAX_DEPTH;

/// Longest chain of schemas that apply to one value: references and the branches of unions, one in another.
pub(super) const MAX_CHAIN: usize = 32;

/// Most schemas that apply to one value, each counted as often as it is reached.
pub(super) const MAX_EXPANSION: u64 = 10_000;

/// Logarithm of the number of paths to a definition that are followed one by one.
const MAX_PATHS_LOG2: u32 = 16;

/// Most schemas in a document.
pub(super) const MAX_SCHEMAS: usize = 50_000;

/// What a survey found.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) names: Names,
    /// Longest chain of schemas that apply to one value.
    pub(super) longest_chain: usize,
    /// Whether definitions are shared so much that what follows every path to them may take forever: a definition that two
    /// others share, of which two others share each, and so on.
    pub(super) multiplies: bool,
}

/// A document's survey, or everything that is wrong with its shape.
pub(super) fn survey(root: &Value) -> Result<Survey, Vec<Violation>> {
    if let Some(pointer) = deeper_than(root, MAX_DEPTH) {
        let at = super::violation::clipped(pointer.as_str(), 120);
        return Err(vec![Violation::new(
            pointer,
            format!("the schema is nested deeper than {MAX_DEPTH} levels, at {at}"),
        )]);
    }
    let mut graph = Graph::default();
    graph.collect(root, Pointer::root());
    graph.link(root);
    if graph.nodes.len() > MAX_SCHEMAS {
        let message = format!("the schema holds more than {MAX_SCHEMAS} schemas");
        return Err(vec![Violation::new(Pointer::root(), message)]);
    }
    if graph.violations.is_empty() {
        let longest_chain = graph.check_chains();
        if graph.violations.is_empty() {
            let multiplies = graph.paths_log2() > MAX_PATHS_LOG2;
            return Ok(Survey { names: graph.names, longest_chain, multiplies });
        }
    }
    Err(graph.violations)
}

/// Where more than `limit` arrays and objects are nested, if they are.
pub(super) fn deeper_than(root: &Value, limit: usize) -> Option<Pointer> {
    // Most values hold few containers or none, so nothing is allocated for the outermost.
    let mut stack = Vec::new();
    let mut next = Some((root, 0_usize));
    // The keys on the way are only looked up for the one place that is too deep.
    while let Some((value, depth)) = next.take().or_else(|| stack.pop()) {
        if depth >= limit && is_container(value) {
            return Some(path_of_depth(root, limit));
        }
        match value {
            Value::Array(items) => stack.extend(items.iter().filter(|v| is_container(v)).map(|item| (item, depth + 1))),
            Value::Object(entries) => {
                stack.extend(entries.values().filter(|v| is_container(v)).map(|item| (item, depth + 1)));
            }
            _ => {}
        }
    }
    None
}

fn is_container(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn path_of_depth(root: &Value, limit: usize) -> Pointer {
    let mut stack = vec![(root, 0_usize, Pointer::root())];
    while let Some((value, depth, pointer)) = stack.pop() {
        if depth >= limit && is_container(value) {
            return pointer;
        }
        match value {
            Value::Array(items) => {
                let deeper = items.iter().enumerate().filter(|(_, item)| is_container(item));
                stack.extend(deeper.map(|(index, item)| (item, depth + 1, pointer.index(index))));
            }
            Value::Object(entries) => {
                let deeper = entries.iter().filter(|(_, item)| is_container(item));
                stack.extend(deeper.map(|(name, item)| (item, depth + 1, pointer.child(name))));
            }
            _ => {}
        }
    }
    Pointer::root()
}

#[derive(Default)]
struct Graph<'a> {
    nodes: Vec<Node<'a>>,
    /// Nodes by the address of their schema, which stays where it is while the document is borrowed.
    by_address: HashMap<*const Value, usize>,
    names: Names,
    violations: Vec<Violation>,
}

struct Node<'a> {
    schema: &'a Value,
    spot: Spot<'a>,
    /// Nodes that apply to the same value.
    in_place: Vec<usize>,
    /// References that point here.
    references: u32,
}

/// Where a schema stands; the pointer is only spelt out for who asks.
enum Spot<'a> {
    At(Pointer),
    /// Inside of another node.
    Inside(usize, &'a str, Step<'a>),
}

impl<'a> Graph<'a> {
    fn pointer(&self, node: usize) -> Pointer {
        let mut steps = Vec::new();
        let mut spot = &self.nodes[node].spot;
        let mut pointer = loop {
            match spot {
                Spot::At(pointer) => break pointer.clone(),
                Spot::Inside(around, keyword, step) => {
                    steps.push((*keyword, *step));
                    spot = &self.nodes[*around].spot;
                }
            }
        };
        while let Some((keyword, step)) = steps.pop() {
            pointer = keywords::pointer_to(&pointer, keyword, step);
        }
        pointer
    }

    /// Adds `schema` and all schemas inside it.
    fn collect(&mut self, schema: &'a Value, pointer: Pointer) {
        let mut stack = vec![(schema, Spot::At(pointer), None)];
        while let Some((schema, spot, parent)) = stack.pop() {
            if self.nodes.len() > MAX_SCHEMAS {
                return;
            }
            let index = *self.by_address.entry(std::ptr::from_ref(schema)).or_insert(self.nodes.len());
            if let Some(parent) = parent {
                let parent: &mut Node<'_> = &mut self.nodes[parent];
                parent.in_place.push(index);
            }
            if index < self.nodes.len() {
                continue;
            }
            self.nodes.push(Node { schema, spot, in_place: Vec::new(), references: 0 });
            let Value::Object(node) = schema else { continue };
            if Names::are_declared(node) {
                let pointer = self.pointer(index);
                self.names.declare(node, &pointer);
            }
            let first = stack.len();
            keywords::each(node, &mut |keyword, step, child, place| {
                stack.push((child, Spot::Inside(index, keyword, step), (place == Place::Same).then_some(index)));
            });
            stack[first..].reverse(); // so that the stack gives them in order
        }
    }

    /// Resolves every reference; what a reference points at is a schema too, wherever it stands.
    fn link(&mut self, root: &'a Value) {
        let mut next = 0;
        while next < self.nodes.len() && self.nodes.len() <= MAX_SCHEMAS {
            if let Value::Object(node) = self.nodes[next].schema {
                for keyword in ["$ref", "$dynamicRef"] {
                    if let Some(Value::String(reference)) = node.look(keyword) {
                        self.link_one(root, next, keyword, reference);
                    }
                }
            }
            next += 1;
        }
    }

    fn link_one(&mut self, root: &'a Value, from: usize, keyword: &str, reference: &str) {
        let at = |graph: &Self| graph.pointer(from).child(keyword);
        match self.names.resolve(root, reference) {
            Ok((target, pointer)) if target.is_object() || target.is_boolean() => {
                self.collect(target, pointer);
                if let Some(&index) = self.by_address.get(&std::ptr::from_ref(target)) {
                    self.nodes[from].in_place.push(index);
                    self.nodes[index].references += 1;
                }
            }
            Ok((_, pointer)) => {
                let at = at(self);
                let message = format!("{} refers to {}, which is no schema", in_schema(&at), in_schema(&pointer));
                self.violations.push(Violation::new(at, message));
            }
            Err(problem) => {
                let at = at(self);
                let why = match problem {
                    Unresolved::Outside => {
                        "which is outside of the schema; files and networks are never read, put the definition in \"$defs\""
                    }
                    Unresolved::Missing => "which the schema does not have",
                };
                let message = format!("{} refers to {}, {why}", in_schema(&at), quoted(reference));
                self.violations.push(Violation::new(at, message));
            }
        }
    }

    /// An upper bound for the logarithm of the number of paths to any definition.
    fn paths_log2(&self) -> u32 {
        self.nodes.iter().map(|node| node.references.max(1).next_power_of_two().ilog2()).sum()
    }

    /// Refuses chains of schemas in place that are endless or too long, and gives the length of the longest.
    fn check_chains(&mut self) -> usize {
        let order = self.topological();
        if order.len() < self.nodes.len() {
            self.refuse_cycles(&order);
            return 0;
        }
        let mut length = vec![1_usize; self.nodes.len()];
        let mut expansion = vec![1_u64; self.nodes.len()];
        for &node in &order {
            for &inner in &self.nodes[node].in_place {
                length[node] = length[node].max(length[inner] + 1);
                expansion[node] = expansion[node].saturating_add(expansion[inner]);
            }
        }
        if let Some(node) = expansion.iter().position(|&count| count > MAX_EXPANSION) {
            let pointer = self.pointer(node);
            let message = format!(
                "{} applies more than {MAX_EXPANSION} schemas to one value, through references and unions in one another",
                in_schema(&pointer)
            );
            self.violations.push(Violation::new(pointer, message));
        }
        let longest = length.iter().copied().max().unwrap_or(1);
        if let Some(start) = length.iter().position(|&l| l == longest && longest > MAX_CHAIN) {
            let pointer = self.pointer(start);
            let message = format!(
                "{} starts a chain of {longest} references and unions on one value; at most {MAX_CHAIN} are followed",
                in_schema(&pointer)
            );
            self.violations.push(Violation::new(pointer, message));
        }
        longest
    }

    /// The nodes, each after all that it applies in place; nodes that reach a cycle are left out.
    fn topological(&self) -> Vec<usize> {
        let mut waiting: Vec<usize> = self.nodes.iter().map(|node| node.in_place.len()).collect();
        let mut users = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for &inner in &node.in_place {
                users[inner].push(index);
            }
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).filter(|&index| waiting[index] == 0).collect();
        let mut next = 0;
        while next < order.len() {
            for &user in &users[order[next]] {
                waiting[user] -= 1;
                if waiting[user] == 0 {
                    order.push(user);
                }
            }
            next += 1;
        }
        order
    }

    fn refuse_cycles(&mut self, order: &[usize]) {
        let mut ends = vec![false; self.nodes.len()];
        for &index in order {
            ends[index] = true;
        }
        // A node that only leads to a cycle has users outside of it; walking on until a node repeats ends in the cycle.
        let Some(start) = ends.iter().position(|&ends| !ends) else { return };
        let mut seen = vec![false; self.nodes.len()];
        let mut current = start;
        while !seen[current] {
            seen[current] = true;
            current = self.nodes[current].in_place.iter().copied().find(|&inner| !ends[inner]).unwrap_or(current);
        }
        let entry = current;
        loop {
            if has_reference(self.nodes[current].schema) {
                break;
            }
            current = self.nodes[current].in_place.iter().copied().find(|&inner| !ends[inner]).unwrap_or(entry);
            if current == entry {
                break;
            }
        }
        let pointer = self.pointer(current);
        let message = format!(
            "{} refers back to itself without going into a property or an item, so that checking a value would never end",
            in_schema(&pointer)
        );
        self.violations.push(Violation::new(pointer, message));
    }
}

fn has_reference(schema: &Value) -> bool {
    let holds = |node: &Map<String, Value>| node.says("$ref") || node.says("$dynamicRef");
    schema.as_object().is_some_and(holds)
}

/// The names that a published schema gives to places in itself.
pub(crate) fn names(schema: &Schema) -> Names {
    // Most schemas refer by pointers alone, and derived ones always.
    let declares = |keyword: &str| schema.as_str().contains(keyword);
    if !schema.is_foreign() || !["\"$anchor\"", "\"$dynamicAnchor\"", "\"$id\""].into_iter().any(declares) {
        return Names::default();
    }
    survey(schema.tree()).map_or_else(|_| Names::default(), |survey| survey.names)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(schema: &Value) -> String {
        survey(schema).unwrap_err().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn recursion_through_properties_is_fine() {
        let schema = json!({"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"next": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}}}}});
        assert_eq!(survey(&schema).unwrap().longest_chain, 3);
    }

    #[test]
    fn recursion_in_place_is_refused() {
        let direct = json!({"$ref": "#"});
        assert!(refusal(&direct).starts_with("the schema refers back to itself"), "{}", refusal(&direct));
        let long =
            json!({"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/A"}]}}});
        assert!(refusal(&long).contains("refers back to itself"), "{}", refusal(&long));
        let hidden = json!({"properties": {"x": {"default": {"$ref": "#/properties/x/default"}, "$ref": "#/properties/x/default"}}});
        assert!(refusal(&hidden).contains("refers back to itself"), "{}", refusal(&hidden));
    }

    #[test]
    fn chains_of_thousands_are_refused() {
        let mut defs = Map::new();
        for i in 0..5000 {
            defs.insert(format!("d{i}"), json!({"$ref": format!("#/$defs/d{}", i + 1)}));
        }
        defs.insert("d5000".into(), json!({"type": "string"}));
        assert!(refusal(&json!({"$defs": defs})).contains("a chain of 5001 references"));
    }

    #[test]
    fn schemas_that_multiply_are_refused() {
        let mut defs = Map::new();
        for i in 0..30 {
            let next = json!({"$ref": format!("#/$defs/d{}", i + 1)});
            defs.insert(
                format!("d{i}"),
                if i < 15 { json!({"allOf": [next, next]}) } else { json!({"type": "string"}) },
            );
        }
        defs.insert("d15".into(), json!({"type": "string"}));
        assert!(refusal(&json!({"$defs": defs})).contains("more than 10000 schemas to one value"));
    }

    #[test]
    fn deep_documents_are_refused() {
        let mut schema = json!({"type": "string"});
        for _ in 0..10_000 {
            schema = Value::Object(Map::from_iter([("items".to_owned(), schema)]));
        }
        assert!(refusal(&schema).contains("nested deeper than 128 levels, at /items/items"));
        std::mem::forget(schema); // a tree of this depth is dropped recursively
    }

    #[test]
    fn references_that_lead_nowhere_are_all_told() {
        let schema = json!({"properties": {
            "a": {"$ref": "#/$defs/missing"}, "b": {"$ref": "https://example.com/x"}, "c": {"$ref": "#/properties/a/$ref"}
        }});
        assert_eq!(
            refusal(&schema),
            "\"/properties/a/$ref\" refers to \"#/$defs/missing\", which the schema does not have\n\
             \"/properties/b/$ref\" refers to \"https://example.com/x\", which is outside of the schema; files and networks are never read, put the definition in \"$defs\"\n\
             \"/properties/c/$ref\" refers to \"/properties/a/$ref\", which is no schema"
        );
    }
}
