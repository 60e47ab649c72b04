//! Which words a provider's schemas may have: its own documentation, apart from the tables of the implementation.

use serde_json::{Map, Value};
use tool_runtime::dialect::{Dialect, GeminiForm, Mode};

const ALWAYS: [&str; 7] = ["type", "description", "enum", "items", "properties", "required", "anyOf"];

/// What is wrong with a lowered schema, if anything is.
pub(super) fn are_known(schema: &Value, dialect: Dialect) -> Result<(), String> {
    let Some(root) = schema.as_object() else { return Err("the schema is no object".to_owned()) };
    if root.get("type").is_none_or(|name| name != "object") {
        return Err("the root is no object".to_owned());
    }
    let Some(rules) = rules(dialect) else { return lenient(root, dialect) };
    if let Some(word) = ["anyOf", "$ref"].into_iter().find(|word| root.contains_key(*word)) {
        return Err(format!("the root has {word}"));
    }
    node(root, &rules)
}

/// Without strict mode, the root is what matters.
fn lenient(root: &Map<String, Value>, dialect: Dialect) -> Result<(), String> {
    let is_mcp = matches!(dialect, Dialect::Mcp(_));
    let refused = ["anyOf", "oneOf", "allOf"].into_iter().find(|word| !is_mcp && root.contains_key(*word));
    let text = Value::Object(root.clone()).to_string();
    if dialect == Dialect::OpenAiResponses(Mode::Lenient) && text.contains("\"oneOf\"") {
        return Err("`oneOf` is refused everywhere".to_owned());
    }
    refused.map_or(Ok(()), |word| Err(format!("the root has {word}")))
}

#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
struct Rules {
    keywords: &'static [&'static str],
    formats: &'static [&'static str],
    /// Whether every object lists all its properties.
    all_required: bool,
    is_closed: bool,
    only_texts: bool,
    type_lists: bool,
    empty_objects: bool,
    names: bool,
}

fn rules(dialect: Dialect) -> Option<Rules> {
    let strict = Rules {
        keywords: &[],
        formats: &[],
        all_required: false,
        is_closed: true,
        only_texts: false,
        type_lists: true,
        empty_objects: true,
        names: false,
    };
    Some(match dialect {
        Dialect::OpenAiChat(Mode::Strict) => Rules {
            keywords: &[
                "$ref",
                "$defs",
                "pattern",
                "format",
                "multipleOf",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minItems",
                "maxItems",
            ],
            formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
            all_required: true,
            ..strict
        },
        Dialect::Anthropic(Mode::Strict) => Rules {
            keywords: &["pattern", "format", "default", "minItems"],
            formats: &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
            ..strict
        },
        Dialect::Gemini(GeminiForm::OpenApi) => Rules {
            keywords: &[
                "format",
                "nullable",
                "default",
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties",
                "minLength",
                "maxLength",
                "pattern",
                "minimum",
                "maximum",
            ],
            formats: &["date-time"],
            is_closed: false,
            only_texts: true,
            type_lists: false,
            empty_objects: false,
            names: true,
            ..strict
        },
        Dialect::Gemini(GeminiForm::JsonSchema) => Rules {
            keywords: &["$ref", "$defs", "format", "prefixItems", "minItems", "maxItems", "minimum", "maximum"],
            formats: &["date-time"],
            is_closed: false,
            empty_objects: false,
            names: true,
            ..strict
        },
        Dialect::DeepSeek(Mode::Strict) => Rules {
            keywords: &[
                "$ref",
                "$defs",
                "pattern",
                "format",
                "multipleOf",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
            ],
            formats: &["email", "hostname", "ipv4", "ipv6", "uuid"],
            all_required: true,
            empty_objects: false,
            ..strict
        },
        Dialect::Xai => {
            Rules { keywords: &["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], ..strict }
        }
        Dialect::Mistral => strict,
        Dialect::Ollama => Rules { is_closed: false, ..strict },
        _ => return None,
    })
}

fn node(schema: &Map<String, Value>, rules: &Rules) -> Result<(), String> {
    for (keyword, value) in schema {
        let is_known = ALWAYS.contains(&keyword.as_str())
            || rules.keywords.contains(&keyword.as_str())
            || keyword == "additionalProperties";
        if !is_known {
            return Err(format!("{keyword} is refused"));
        }
        match (keyword.as_str(), value) {
            ("format", format) if !rules.formats.iter().any(|known| format == known) => {
                return Err(format!("the format {format} is refused"));
            }
            ("properties" | "$defs", Value::Object(named)) => {
                if let Some(name) = named.keys().find(|name| rules.names && keyword == "properties" && !is_name(name)) {
                    return Err(format!("the name {name} is refused"));
                }
                named.values().try_for_each(|schema| inner(schema, rules))?;
            }
            ("items", schema) => inner(schema, rules)?,
            ("additionalProperties", schema @ Value::Object(_)) if !rules.is_closed => inner(schema, rules)?,
            ("anyOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter().try_for_each(|schema| inner(schema, rules))?;
            }
            ("type", Value::Array(_)) if !rules.type_lists => return Err("a list of types is refused".to_owned()),
            ("enum", Value::Array(values)) if rules.only_texts && !values.iter().all(Value::is_string) => {
                return Err("an enum of other values than texts is refused".to_owned());
            }
            _ => {}
        }
    }
    if schema.contains_key("$ref") && schema.len() > 1 {
        return Err("a reference has siblings".to_owned());
    }
    if schema.get("type").is_some_and(|name| name == "array")
        && !["items", "prefixItems"].iter().any(|key| schema.contains_key(*key))
    {
        return Err("a list has no items".to_owned());
    }
    if schema.get("type").is_some_and(|name| name == "object") { object(schema, rules) } else { Ok(()) }
}

fn inner(schema: &Value, rules: &Rules) -> Result<(), String> {
    let Some(schema) = schema.as_object() else { return Err(format!("{schema} is a boolean schema")) };
    if let Some(properties) = schema.get("properties").and_then(Value::as_object)
        && properties.is_empty()
        && !rules.empty_objects
    {
        return Err("an object without properties is refused".to_owned());
    }
    node(schema, rules)
}

fn object(schema: &Map<String, Value>, rules: &Rules) -> Result<(), String> {
    if rules.is_closed && schema.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Err("an object is open".to_owned());
    }
    let names: Vec<&String> =
        schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys).collect();
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    if rules.all_required && names != required {
        return Err(format!("{required:?} is required of {names:?}"));
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts && name.len() <= 64 && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
}
