//! A schema as a part of another document.

use serde_json::Value;

use super::keywords::change_all;
use crate::json::Pointer;

/// A foreign schema as it may stand at `place` in another document of its dialect, with that dialect's name, which only a
/// root may bear. What it refers to in itself it refers to there.
pub(crate) fn embedded(mut schema: Value, place: &Pointer) -> (Value, Option<Value>) {
    let mut dialect = None;
    let mut id = None;
    if let Value::Object(root) = &mut schema {
        dialect = root.shift_remove("$schema");
        id = root.shift_remove("$id").and_then(|id| Some(id.as_str()?.split('#').next()?.to_owned()));
    }
    change_all(&mut schema, &mut |node| {
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(Value::String(reference)) = node.get_mut(keyword)
                && let Some(moved) = moved(reference, id.as_deref(), place)
            {
                *reference = moved;
            }
        }
    });
    (schema, dialect)
}

/// A reference into the document as one into its new place; `None` if it stays as it is. Anchors are names of any place.
fn moved(reference: &str, id: Option<&str>, place: &Pointer) -> Option<String> {
    let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    if !base.is_empty() && Some(base) != id {
        return None;
    }
    if fragment.is_empty() || fragment.starts_with('/') {
        return Some(format!("#{place}{fragment}"));
    }
    Some(format!("#{fragment}"))
}

#[cfg(test)]
mod tests {
    use super::super::{Side, Validator};
    use super::*;
    use serde_json::json;

    fn place() -> Pointer {
        Pointer::parse("/properties/value").unwrap()
    }

    #[test]
    fn references_lead_to_where_their_places_have_gone() {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.com/tree", "type": "object",
            "properties": {
                "self": {"$ref": "#"}, "root": {"$ref": "https://example.com/tree"}, "name": {"$ref": "#/definitions/a~1b"},
                "anchor": {"$ref": "#there"}, "other": {"$ref": "https://example.com/other#/a"},
                "said": {"const": {"$ref": "#"}}
            },
            "definitions": {"a/b": {"type": "string"}}
        });
        let (moved, dialect) = embedded(schema, &place());
        assert_eq!(dialect, Some(json!("http://json-schema.org/draft-07/schema#")));
        assert_eq!(
            moved["properties"],
            json!({
                "self": {"$ref": "#/properties/value"}, "root": {"$ref": "#/properties/value"},
                "name": {"$ref": "#/properties/value/definitions/a~1b"}, "anchor": {"$ref": "#there"},
                "other": {"$ref": "https://example.com/other#/a"}, "said": {"const": {"$ref": "#"}}
            })
        );
        assert!(moved.get("$id").is_none() && moved.get("$schema").is_none());
    }

    #[test]
    fn a_recursive_schema_judges_the_same_where_it_stands() {
        let tree = json!({
            "type": "object", "required": ["n"], "additionalProperties": false,
            "properties": {"n": {"$ref": "#/$defs/n"}, "next": {"$ref": "#"}}, "$defs": {"n": {"type": "integer"}}
        });
        let (moved, _) = embedded(tree.clone(), &place());
        let whole = json!({"type": "object", "properties": {"value": moved}});
        let (_, alone) = Validator::foreign(&tree, Side::Output).unwrap();
        let (_, inside) = Validator::foreign(&whole, Side::Output).unwrap();
        for value in [
            json!({"n": 1}),
            json!({"n": 1, "next": {"n": 2, "next": {"n": 3}}}),
            json!({"n": 1, "next": {"n": "2"}}),
            json!({"n": 1, "next": {}}),
            json!({"n": 1, "value": 1}),
        ] {
            let verdict = alone.check(&value).is_ok();
            assert_eq!(inside.check(&json!({"value": value})).is_ok(), verdict, "{value}");
        }
    }
}
