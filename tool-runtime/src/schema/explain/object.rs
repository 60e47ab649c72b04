//! Objects: what is missing, what is there, what should not be.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::super::keywords;
use super::super::suggest::nearest;
use super::super::violation::MAX_FAULTS;
use super::{Fault, Kind, Node, Walk, entries, entries_of, limit, list, plural};
use crate::json::Pointer;

/// Most names that one key is compared with.
const MAX_COMPARED: usize = 256;

impl Walk<'_> {
    pub(super) fn visit_object(
        &mut self,
        node: &Node,
        value: &Map<String, Value>,
        at: &Pointer,
        faults: &mut Vec<Fault>,
    ) {
        for name in list(node, "required").iter().filter_map(Value::as_str).filter(|name| !value.contains_key(*name)) {
            faults.push(Fault::missing(at.child(name), Vec::new()));
        }
        for (name, schema) in entries(node, "properties") {
            if let Some(item) = value.get(name) {
                self.visit(schema, item, &at.child(name), faults);
            }
        }
        for (pattern, schema) in entries(node, "patternProperties") {
            for (name, item) in value {
                if self.pattern_holds(pattern, name) {
                    self.visit(schema, item, &at.child(name), faults);
                }
            }
        }
        self.visit_counts(node, value, at, faults);
        self.visit_dependent(node, value, at, faults);
    }

    fn visit_counts(&mut self, node: &Node, value: &Map<String, Value>, at: &Pointer, faults: &mut Vec<Fault>) {
        let count = value.len();
        if let Some(least) = limit(node, "minProperties").filter(|&least| count < least) {
            let what = plural(least, "property", "properties");
            faults.push(Fault::must(at, format!("must have at least {what}, has {count}")));
        }
        if let Some(most) = limit(node, "maxProperties").filter(|&most| count > most) {
            let what = plural(most, "property", "properties");
            faults.push(Fault::must(at, format!("must have at most {what}, has {count}")));
        }
        if let Some(schema) = node.get("propertyNames") {
            for name in value.keys() {
                let key = Value::from(name.as_str());
                // The key lives only here, and its address must not be taken for that of a part of the value.
                let known = std::mem::take(&mut self.known);
                if !self.holds(schema, &key, at) {
                    faults.push(Fault::must(&at.child(name), "must have a name that matches \"propertyNames\""));
                }
                self.known = known;
            }
        }
    }

    fn visit_dependent(&self, node: &Node, value: &Map<String, Value>, at: &Pointer, faults: &mut Vec<Fault>) {
        for (name, needed) in entries_of(self.get(node, "dependentRequired")).chain(entries(node, "dependencies")) {
            let needed = needed.as_array().into_iter().flatten().filter_map(Value::as_str);
            for needed in needed.filter(|needed| value.contains_key(name) && !value.contains_key(*needed)) {
                faults.push(Fault::missing(at.child(needed), Vec::new()));
            }
        }
    }

    /// What only the whole value shows: schemas that depend on a key, and keys that nothing declares.
    pub(super) fn visit_undeclared(
        &mut self,
        node: &Node,
        whole: &Value,
        value: &Map<String, Value>,
        at: &Pointer,
        faults: &mut Vec<Fault>,
    ) {
        for (name, schema) in entries_of(self.get(node, "dependentSchemas")).chain(entries(node, "dependencies")) {
            if value.contains_key(name) && !schema.is_array() {
                self.visit(schema, whole, at, faults);
            }
        }
        if let Some(rest) = node.get("additionalProperties") {
            let declared = self.declared_by(node, value);
            self.visit_rest("additionalProperties", rest, node, value, &declared, at, faults);
        }
        if let Some(rest) = self.get(node, "unevaluatedProperties") {
            let mut declared = HashSet::new();
            self.evaluated(node, whole, value, at, &mut declared);
            self.visit_rest("unevaluatedProperties", rest, node, value, &declared, at, faults);
        }
    }

    #[allow(clippy::too_many_arguments)] // one object, looked at from two keywords
    fn visit_rest(
        &mut self,
        keyword: &'static str,
        rest: &Value,
        node: &Node,
        value: &Map<String, Value>,
        declared: &HashSet<String>,
        at: &Pointer,
        faults: &mut Vec<Fault>,
    ) {
        for (name, item) in value.iter().filter(|(name, _)| !declared.contains(*name)) {
            if faults.len() > MAX_FAULTS {
                return;
            }
            if rest == &Value::Bool(false) {
                let near = self.suggestion(node, value, name);
                faults.push(Fault { at: at.child(name), kind: Kind::Undeclared { keyword, near } });
            } else {
                self.visit(rest, item, &at.child(name), faults);
            }
        }
    }

    /// The declared property that an undeclared key most likely stands for. Only so many are looked for in one walk, as each
    /// is compared with every name.
    fn suggestion(&mut self, node: &Node, value: &Map<String, Value>, name: &str) -> Option<String> {
        self.suggestions_left = self.suggestions_left.checked_sub(1)?;
        let known = self.known_names(node);
        let absent = known.into_iter().filter(|known| !value.contains_key(*known)).take(MAX_COMPARED);
        nearest(name, absent).map(str::to_owned)
    }

    /// Every property that the node, or a schema beside it, knows: what a misspelt key may have meant.
    fn known_names<'s>(&'s self, node: &'s Node) -> Vec<&'s str> {
        let mut names = Vec::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            names.extend(entries(node, "properties").map(|(name, _)| name.as_str()));
            let target = node.get("$ref").and_then(Value::as_str);
            let target = target.and_then(|name| self.subject.names.resolve(self.subject.root, name).ok());
            stack.extend(target.and_then(|(target, _)| target.as_object()));
            let inside = keywords::children(node, &Pointer::root());
            stack.extend(
                inside
                    .iter()
                    .filter(|child| child.place == keywords::Place::Same && child.keyword != "not")
                    .filter_map(|child| child.schema.as_object()),
            );
        }
        names
    }

    /// Keys that the node itself declares.
    fn declared_by(&mut self, node: &Node, value: &Map<String, Value>) -> HashSet<String> {
        let mut declared: HashSet<String> = HashSet::new();
        declared.extend(entries(node, "properties").map(|(name, _)| name.clone()));
        for (pattern, _) in entries(node, "patternProperties") {
            for name in value.keys() {
                if self.pattern_holds(pattern, name) {
                    declared.insert(name.clone());
                }
            }
        }
        declared
    }

    /// Keys that the node and the schemas that hold beside it declare, as `unevaluatedProperties` counts them.
    fn evaluated(
        &mut self,
        node: &Node,
        whole: &Value,
        value: &Map<String, Value>,
        at: &Pointer,
        declared: &mut HashSet<String>,
    ) {
        declared.extend(self.declared_by(node, value));
        if node.contains_key("additionalProperties") {
            declared.extend(value.keys().cloned());
        }
        let target = node.get("$ref").and_then(Value::as_str);
        let target = target.and_then(|name| self.subject.names.resolve(self.subject.root, name).ok());
        let test = node.get("if").is_some_and(|test| self.holds(test, whole, at));
        let mut parts: Vec<&Value> = target.map(|(target, _)| target).into_iter().collect();
        parts.extend(list(node, "allOf").iter().chain(list(node, "anyOf")).chain(list(node, "oneOf")));
        parts.extend(node.get("if").filter(|_| test));
        parts.extend(node.get(if test { "then" } else { "else" }).filter(|_| node.contains_key("if")));
        parts.extend(
            entries(node, "dependentSchemas").filter(|(name, _)| value.contains_key(*name)).map(|(_, schema)| schema),
        );
        for part in parts {
            if let Value::Object(inner) = part
                && self.holds(part, whole, at)
            {
                if inner.contains_key("unevaluatedProperties") {
                    declared.extend(value.keys().cloned());
                }
                self.evaluated(inner, whole, value, at, declared);
            }
        }
    }
}
