//! The order of keywords, so that the bytes of a schema do not hang on how it was put together.

use serde_json::Value;

use super::keywords::change_all;

/// What it is, what it may be, what is in it, what else holds. Keywords that are not here follow in their own order.
const ORDER: &[&str] = &[
    "$ref",
    "title",
    "description",
    "type",
    "const",
    "enum",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "properties",
    "patternProperties",
    "required",
    "prefixItems",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "additionalProperties",
    "unevaluatedProperties",
];

/// Puts the keywords of each schema in order; properties and all other data keep theirs.
pub(super) fn arrange(schema: &mut Value) {
    change_all(schema, &mut |node| {
        if node.keys().is_sorted_by_key(|keyword| rank(keyword)) {
            return;
        }
        let ranked = std::mem::take(node).into_iter().map(|(keyword, value)| (rank(&keyword), keyword, value));
        let mut ranked: Vec<(usize, String, Value)> = ranked.collect();
        ranked.sort_by_key(|(rank, ..)| *rank);
        *node = ranked.into_iter().map(|(_, keyword, value)| (keyword, value)).collect();
    });
}

fn rank(keyword: &str) -> usize {
    let last = usize::from(keyword == "$defs");
    ORDER.iter().position(|known| *known == keyword).unwrap_or(ORDER.len() + last)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keywords_move_and_properties_stay() {
        let mut schema = json!({
            "$defs": {"A": {"maximum": 1, "minimum": 0, "type": "integer"}}, "x-note": 1,
            "required": ["b"], "properties": {"b": {"$ref": "#/$defs/A"}, "a": true}, "type": "object"
        });
        arrange(&mut schema);
        let expected = r##"{"type":"object","properties":{"b":{"$ref":"#/$defs/A"},"a":true},"required":["b"],"x-note":1,"$defs":{"A":{"type":"integer","minimum":0,"maximum":1}}}"##;
        assert_eq!(schema.to_string(), expected);
    }
}
