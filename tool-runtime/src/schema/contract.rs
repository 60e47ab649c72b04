//! What a type writes must be what it reads.
//!
//! A value that comes back from a program, a cache or a policy becomes the typed value again, so what the serialise
//! contract describes must be included in the deserialise contract. The comparison tells what it can refute; what it can't
//! decide is left to the round trip at run time.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::keywords::Keywords as _;

use super::references::Names;
use super::violation::{Violation, in_schema, quoted, shown};
use crate::json::{Pointer, equal};

/// Everything that shows that a value which the type writes would not be read.
pub(super) fn refutations(writes: (&Value, &Names), reads: (&Value, &Names)) -> Vec<Violation> {
    let mut comparison = Comparison { writes, reads, known: HashMap::new() };
    comparison.compare(writes.0, reads.0, &Pointer::root())
}

struct Comparison<'a> {
    writes: (&'a Value, &'a Names),
    reads: (&'a Value, &'a Names),
    /// Pairs by address. A pair that is being compared counts as included: recursion adds no difference of its own.
    known: HashMap<(*const Value, *const Value), Vec<Violation>>,
}

type Node = Map<String, Value>;

impl Comparison<'_> {
    fn compare(&mut self, writes: &Value, reads: &Value, at: &Pointer) -> Vec<Violation> {
        let pair = (std::ptr::from_ref(writes), std::ptr::from_ref(reads));
        if let Some(known) = self.known.get(&pair) {
            return known.clone();
        }
        self.known.insert(pair, Vec::new());
        let mut found: Vec<Violation> = Vec::new();
        for violation in self.compare_new(writes, reads, at) {
            // A type that several fields hold is told once.
            if !found.contains(&violation) {
                found.push(violation);
            }
        }
        self.known.insert(pair, found.clone());
        found
    }

    fn compare_new(&mut self, writes: &Value, reads: &Value, at: &Pointer) -> Vec<Violation> {
        let (Value::Object(w), Value::Object(r)) = (writes, reads) else {
            let refuted = reads == &Value::Bool(false) && writes != &Value::Bool(false);
            return if refuted { vec![violation(at, "is written, but nothing is read there")] } else { Vec::new() };
        };
        let mut found = Vec::new();
        match (target(w, self.writes), target(r, self.reads)) {
            (Some((written, place)), Some((read, _))) => found.extend(self.compare(written, read, &place)),
            (Some((written, place)), None) if is_reference(w) => return self.compare(written, reads, &place),
            (None, Some((read, _))) if is_reference(r) => return self.compare(writes, read, at),
            (None, None) => {}
            _ => return found,
        }
        if let (None, Some((_, alternatives))) = (union(w), union(r))
            && !w.says("allOf")
            && !r.says("properties")
        {
            found.extend(self.compare_with_any(writes, alternatives, at));
            return found;
        }
        compare_types(w, r, at, &mut found);
        if found.is_empty() {
            compare_values(w, r, at, &mut found);
        }
        if found.is_empty() {
            self.compare_properties(w, r, at, &mut found);
            self.compare_parts(w, r, at, &mut found);
            self.compare_unions(w, r, at, &mut found);
        }
        found
    }

    /// What is written in one way and may be read in several, such as a field that is left out instead of null.
    fn compare_with_any(&mut self, writes: &Value, alternatives: &[Value], at: &Pointer) -> Vec<Violation> {
        let several = writes.get("type").is_some_and(Value::is_array);
        let mut first = None;
        for alternative in alternatives {
            let refuted = self.compare(writes, alternative, at);
            if refuted.is_empty() || several {
                return Vec::new();
            }
            first = first.or(Some(refuted));
        }
        first.unwrap_or_default()
    }

    fn compare_properties(&mut self, w: &Node, r: &Node, at: &Pointer, found: &mut Vec<Violation>) {
        let (written, read) = (entries(w, "properties"), entries(r, "properties"));
        if written.is_none() && read.is_none() {
            return;
        }
        let empty = Map::new();
        let (written, read) = (written.unwrap_or(&empty), read.unwrap_or(&empty));
        let map = |node: &Node| node.says("additionalProperties") || node.says("patternProperties");
        let place = at.child("properties");
        for (name, schema) in written {
            let here = place.child(name);
            match read.get(name) {
                Some(other) => {
                    found.extend(self.compare(schema, other, &here));
                    if requires(r, name) && !requires(w, name) {
                        found.push(violation(
                            &here,
                            "may be left out when it is written, but must be there to be read; add #[serde(default)], or \
                             drop `skip_serializing_if`",
                        ));
                    }
                }
                None if map(r) => {}
                None => found.push(violation(
                    &here,
                    &format!(
                        "is written as {}, which is not read; drop `rename(serialize = …)` or `skip_deserializing`, so \
                         that both directions use one name",
                        quoted(name)
                    ),
                )),
            }
        }
        for name in read.keys().filter(|name| !written.contains_key(*name) && !map(w)) {
            found.push(violation(
                at,
                &format!(
                    "reads {}, which is never written; drop `rename(deserialize = …)` or `skip_serializing`, so that both \
                     directions use one name",
                    quoted(name)
                ),
            ));
        }
    }

    fn compare_parts(&mut self, w: &Node, r: &Node, at: &Pointer, found: &mut Vec<Violation>) {
        for keyword in ["items", "additionalProperties"] {
            if let (Some(written @ Value::Object(_)), Some(read @ Value::Object(_))) =
                (w.look(keyword), r.look(keyword))
            {
                found.extend(self.compare(written, read, &at.child(keyword)));
            }
        }
        for keyword in ["prefixItems", "allOf"] {
            let (Some(written), Some(read)) = (list(w, keyword), list(r, keyword)) else { continue };
            if written.len() != read.len() {
                if keyword == "prefixItems" {
                    let message = format!("is written with {} items, but read with {}", written.len(), read.len());
                    found.push(violation(at, &message));
                }
                continue;
            }
            for (index, (written, read)) in written.iter().zip(read).enumerate() {
                found.extend(self.compare(written, read, &at.child(keyword).index(index)));
            }
        }
    }

    fn compare_unions(&mut self, w: &Node, r: &Node, at: &Pointer, found: &mut Vec<Violation>) {
        let Some((keyword, written)) = union(w) else { return };
        let at = at.child(keyword);
        let Some((_, read)) = union(r) else { return };
        for (index, branch) in written.iter().enumerate() {
            let here = at.index(index);
            // The branch in the same place first: it is the counterpart unless variants are skipped.
            let counterpart = read.get(index).map(|other| self.compare(branch, other, &here));
            if counterpart.as_ref().is_some_and(Vec::is_empty)
                || read.iter().any(|other| self.compare(branch, other, &here).is_empty())
            {
                continue;
            }
            match counterpart {
                Some(refuted) if written.len() == read.len() => found.extend(refuted),
                _ => found.push(violation(
                    &here,
                    "is a variant that is written, but not read; drop `skip_deserializing` on it",
                )),
            }
        }
    }
}

fn target<'a>(node: &Node, (root, names): (&'a Value, &Names)) -> Option<(&'a Value, Pointer)> {
    names.resolve(root, node.look("$ref")?.as_str()?).ok()
}

/// Whether the node is nothing but a reference.
fn is_reference(node: &Node) -> bool {
    let says_nothing = |key: &str| key == super::markers::SECRET || super::keywords::ANNOTATIONS.contains(&key);
    node.keys().all(|key| key == "$ref" || says_nothing(key))
}

fn union(node: &Node) -> Option<(&'static str, &Vec<Value>)> {
    ["oneOf", "anyOf"].into_iter().find_map(|keyword| Some((keyword, list(node, keyword)?)))
}

fn list<'a>(node: &'a Node, keyword: &str) -> Option<&'a Vec<Value>> {
    node.look(keyword)?.as_array()
}

fn entries<'a>(node: &'a Node, keyword: &str) -> Option<&'a Node> {
    node.look(keyword)?.as_object()
}

fn requires(node: &Node, name: &str) -> bool {
    list(node, "required").is_some_and(|required| required.iter().any(|known| known == name))
}

fn violation(at: &Pointer, what: &str) -> Violation {
    Violation::new(at.clone(), format!("{} {what}", in_schema(at)))
}

fn compare_types(w: &Node, r: &Node, at: &Pointer, found: &mut Vec<Violation>) {
    let (Some(written), Some(read)) = (types(w), types(r)) else { return };
    let takes = |kind: &&str| read.contains(kind) || (*kind == "integer" && read.contains(&"number"));
    if let Some(kind) = written.iter().find(|kind| !takes(kind)) {
        found.push(violation(at, &format!("may be written as {kind}, but is read as {}", read.join(" or "))));
    }
}

fn types(node: &Node) -> Option<Vec<&str>> {
    match node.look("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => names.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

fn compare_values(w: &Node, r: &Node, at: &Pointer, found: &mut Vec<Violation>) {
    let (Some(written), Some(read)) = (values(w), values(r)) else { return };
    for value in written.iter().filter(|value| !read.iter().any(|other| equal(value, other))) {
        found.push(violation(
            at,
            &format!(
                "is written as {}, which is not read; drop `rename(serialize = …)` or `skip_deserializing`, so that both \
                 directions use one name",
                shown(value)
            ),
        ));
    }
}

fn values(node: &Node) -> Option<Vec<&Value>> {
    if let Some(value) = node.look("const") {
        return Some(vec![value]);
    }
    Some(list(node, "enum")?.iter().collect())
}
