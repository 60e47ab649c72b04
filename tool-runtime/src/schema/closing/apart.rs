//! Alternatives that are read one at a time, in an object that they share with other schemas.
//!
//! There they are open, so that several may hold at once, and what each declares would be allowed beside the others: a
//! flattened untagged enum would take the keys of two variants, which no variant reads.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::super::keywords::{Place, children};
use crate::json::Pointer;

/// Refuses in each branch the keys of others, but for those that the object declares itself.
///
/// Where all keys of a branch are keys of another one too, the two don't have to be told apart: what both take is what the
/// other takes.
pub(super) fn keep_apart(node: &mut Map<String, Value>) {
    let own: BTreeSet<String> = declared(node).cloned().collect();
    let Some(Value::Array(branches)) = node.get_mut("anyOf") else { return };
    let names: Vec<Option<BTreeSet<String>>> = branches.iter().map(names).collect();
    for (index, branch) in branches.iter_mut().enumerate() {
        let (Some(mine), Value::Object(branch)) = (&names[index], branch) else { continue };
        let theirs = names.iter().flatten().filter(|theirs| !mine.is_subset(theirs)).flatten();
        let foreign: BTreeSet<&String> = theirs.filter(|name| !mine.contains(*name) && !own.contains(*name)).collect();
        if foreign.is_empty() {
            continue;
        }
        let properties = branch.entry("properties").or_insert_with(|| json!({}));
        if let Value::Object(properties) = properties {
            properties.extend(foreign.into_iter().map(|name| (name.clone(), false.into())));
        }
    }
}

fn declared(node: &Map<String, Value>) -> impl Iterator<Item = &String> {
    node.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys)
}

/// Every key that a branch declares; `None` if it takes keys that it does not declare.
fn names(branch: &Value) -> Option<BTreeSet<String>> {
    let node = branch.as_object()?;
    let maps = ["additionalProperties", "unevaluatedProperties", "patternProperties", "$ref"];
    if maps.iter().any(|keyword| node.contains_key(*keyword)) {
        return None;
    }
    let mut found: BTreeSet<String> = declared(node).cloned().collect();
    for child in children(node, &Pointer::root()) {
        if child.place == Place::Same {
            found.extend(names(child.schema)?);
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept_apart(mut node: Value) -> Value {
        keep_apart(node.as_object_mut().expect("an object"));
        node
    }

    #[test]
    fn only_branches_that_both_have_keys_of_their_own_are_kept_apart() {
        let node = json!({"properties": {"a": true}, "anyOf": [
            {"properties": {"a": true, "l": true}}, {"properties": {"r": true}}, {"properties": {"r": true, "s": true}}, {}
        ]});
        let expected = json!({"properties": {"a": true}, "anyOf": [
            {"properties": {"a": true, "l": true, "r": false, "s": false}},
            {"properties": {"r": true, "l": false}},
            {"properties": {"r": true, "s": true, "l": false}},
            {}
        ]});
        assert_eq!(kept_apart(node), expected);
    }

    #[test]
    fn maps_take_every_key() {
        let node = json!({"anyOf": [{"properties": {"l": true}}, {"additionalProperties": {"type": "string"}}]});
        assert_eq!(kept_apart(node.clone()), node);
    }
}
