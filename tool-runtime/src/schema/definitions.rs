//! Definitions and the references to them: names that every reader accepts, references that survive embedding.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::keywords::Keywords as _;

use super::keywords::{self, change_all};
use super::references::percent_decoded;
use super::violation::clipped;

const PREFIX: &str = "#/$defs/";

/// Renames definitions to `[A-Za-z0-9_.-]+`, and makes a root that refers to itself stand in `$defs` under `root_name`.
///
/// References that do not point at a definition are left for the survey to judge.
pub(super) fn settle(root: &mut Map<String, Value>, root_name: &str) {
    let definitions = match root.shift_remove("$defs") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    let mut taken = HashSet::new();
    let names: HashMap<String, String> =
        definitions.keys().map(|name| (name.clone(), free_name(name, &mut taken))).collect();
    let own_name = free_name(root_name, &mut taken);
    let mut root_used = false;
    let mut settled = Map::new();
    let mut rename = |schema: &mut Value| {
        change_all(schema, &mut |node| {
            let Some(Value::String(reference)) = node.get_mut("$ref") else { return };
            if reference == "#" {
                root_used = true;
                *reference = format!("{PREFIX}{own_name}");
            } else if let Some(renamed) = renamed(reference, &names) {
                *reference = renamed;
            }
        });
    };
    let mut inline = Value::Object(std::mem::take(root));
    rename(&mut inline);
    for (name, mut schema) in definitions {
        rename(&mut schema);
        settled.insert(names[&name].clone(), schema);
    }
    if root_used {
        // First, so that the definitions stay in the order in which the root reaches them.
        let mut with_root = Map::new();
        with_root.insert(own_name, inline.clone());
        with_root.append(&mut settled);
        settled = with_root;
    }
    if let Value::Object(node) = inline {
        *root = node;
    }
    if !settled.is_empty() {
        root.insert("$defs".into(), Value::Object(settled));
    }
}

fn renamed(reference: &str, names: &HashMap<String, String>) -> Option<String> {
    let path = reference.strip_prefix(PREFIX)?;
    let (encoded, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
    let name = percent_decoded(encoded)?.replace("~1", "/").replace("~0", "~");
    Some(format!("{PREFIX}{}{rest}", names.get(&name)?))
}

/// `name` with other characters than `[A-Za-z0-9_.-]` replaced, and with a number if that is taken.
fn free_name(name: &str, taken: &mut HashSet<String>) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') { c } else { '_' };
    let mut base: String = clipped(name, 100).chars().map(allowed).collect();
    if base.is_empty() {
        base.push_str("Unnamed");
    }
    let mut free = base.clone();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{base}_{number}");
        number += 1;
    }
    free
}

/// Removes definitions that nothing reaches from the root, and puts the rest last.
pub(super) fn prune(root: &mut Map<String, Value>) {
    let Some(Value::Object(definitions)) = root.shift_remove("$defs") else { return };
    let mut used = HashSet::new();
    let mut stack: Vec<&Map<String, Value>> = vec![root];
    while let Some(node) = stack.pop() {
        if let Some(name) = node.look("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix(PREFIX)) {
            let name = name.split('/').next().unwrap_or(name);
            if used.insert(name.to_owned()) {
                stack.extend(definitions.get(name).and_then(Value::as_object));
            }
        }
        keywords::each(node, &mut |_, _, schema, _| stack.extend(schema.as_object()));
    }
    let kept: Map<String, Value> = definitions.into_iter().filter(|(name, _)| used.contains(name)).collect();
    if !kept.is_empty() {
        root.insert("$defs".into(), Value::Object(kept));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn settled(schema: Value) -> Value {
        let Value::Object(mut root) = schema else { unreachable!() };
        settle(&mut root, "Tree");
        prune(&mut root);
        Value::Object(root)
    }

    #[test]
    fn a_recursive_root_gets_a_name() {
        let schema = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
        assert_eq!(
            settled(schema),
            json!({
                "type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}},
                "$defs": {"Tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}}}}
            })
        );
    }

    #[test]
    fn names_are_restricted_and_stay_apart() {
        let schema = json!({
            "properties": {"a": {"$ref": "#/$defs/Page%3CT%3E"}, "b": {"$ref": "#/$defs/Page~1T~1"}},
            "$defs": {"Page<T>": {"type": "string"}, "Page/T/": {"type": "integer"}, "Unused": true}
        });
        assert_eq!(
            settled(schema),
            json!({
                "properties": {"a": {"$ref": "#/$defs/Page_T_"}, "b": {"$ref": "#/$defs/Page_T__2"}},
                "$defs": {"Page_T_": {"type": "string"}, "Page_T__2": {"type": "integer"}}
            })
        );
    }
}
