//! The law of every published schema: it is JSON Schema of the draft that it claims, in words that each reader knows, and
//! the same text each time.

use serde_json::{Map, Value};

use crate::shape::Side;

/// Keywords that hold one schema, several, or several by name; what other keywords hold is no schema.
const ONE: [&str; 7] =
    ["items", "additionalProperties", "unevaluatedProperties", "propertyNames", "contains", "not", "if"];
const SEVERAL: [&str; 4] = ["oneOf", "anyOf", "allOf", "prefixItems"];
const NAMED: [&str; 3] = ["properties", "patternProperties", "$defs"];

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

/// Formats that JSON Schema defines, and those of `OpenAPI` that say something of text.
const FORMATS: [&str; 22] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "byte",
    "binary",
    "password",
];

/// What is wrong with it, if anything is.
pub(crate) fn is_well_formed(schema: &Value, side: Side) -> Result<(), String> {
    jsonschema::meta::validate(schema).map_err(|error| format!("the meta-schema refuses it: {error}"))?;
    let text = schema.to_string();
    if text.contains("x-tool") {
        return Err("a mark of ours is published".to_owned());
    }
    node(schema, schema)?;
    let root = schema.as_object();
    let says = |key: &str| root.is_some_and(|root| root.contains_key(key));
    if says("$schema") || says("title") {
        return Err("the root has a dialect or a generated title".to_owned());
    }
    let is_explicit = ["properties", "oneOf", "anyOf", "allOf"].into_iter().any(says);
    if side == Side::Arguments && (schema["type"] != "object" || !is_explicit) {
        return Err("the root of arguments is no explicit object".to_owned());
    }
    Ok(())
}

fn node(root: &Value, schema: &Value) -> Result<(), String> {
    let Some(keywords) = schema.as_object() else { return Ok(()) };
    words(keywords)?;
    references(root, keywords)?;
    for (keyword, value) in keywords {
        match value {
            value if ONE.contains(&keyword.as_str()) => node(root, value)?,
            Value::Array(schemas) if SEVERAL.contains(&keyword.as_str()) => {
                schemas.iter().try_for_each(|schema| node(root, schema))?;
            }
            Value::Object(schemas) if NAMED.contains(&keyword.as_str()) => {
                schemas.values().try_for_each(|schema| node(root, schema))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// No invented type, no unregistered format, and no word of another language of schemas.
fn words(keywords: &Map<String, Value>) -> Result<(), String> {
    let types: Vec<&Value> = match keywords.get("type") {
        Some(Value::Array(types)) => types.iter().collect(),
        other => other.into_iter().collect(),
    };
    if let Some(other) = types.into_iter().find(|word| !word.as_str().is_some_and(|word| TYPES.contains(&word))) {
        return Err(format!("{other} is no type"));
    }
    let format = keywords.get("format").map(|format| format.as_str().unwrap_or_default());
    if let Some(other) = format.filter(|format| !FORMATS.contains(format)) {
        return Err(format!("{other} is no format"));
    }
    match ["nullable", "definitions", "additionalItems", "dependencies"]
        .into_iter()
        .find(|word| keywords.contains_key(*word))
    {
        Some(other) => Err(format!("`{other}` is no keyword of this draft")),
        None => Ok(()),
    }
}

fn references(root: &Value, keywords: &Map<String, Value>) -> Result<(), String> {
    if let Some(reference) = keywords.get("$ref").and_then(Value::as_str) {
        let name =
            reference.strip_prefix("#/$defs/").ok_or_else(|| format!("{reference} is no reference into $defs"))?;
        if root["$defs"].get(name).is_none() {
            return Err(format!("{reference} leads nowhere"));
        }
    }
    let is_plain = |name: &str| name.chars().all(|char| char.is_ascii_alphanumeric() || "_.-".contains(char));
    let names = keywords.get("$defs").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    match names.into_iter().find(|name| name.is_empty() || !is_plain(name)) {
        Some(other) => Err(format!("{other} is no plain name of a definition")),
        None => Ok(()),
    }
}
