//! What a schema says by its own keywords.

use serde_json::Value;

use super::{Node, Reader, SILENT, limit, look};
use crate::dialect::shape::{Entry, Form, Known, Object, Property, Rest, Shape, Tuple, Union};
use crate::json::Pointer;

const OF_OBJECTS: &[&str] = &["properties", "required", "additionalProperties", "patternProperties"];
const OF_LISTS: &[&str] = &["items", "prefixItems", "additionalItems"];

/// Keywords whose schemas the reader joins.
const OF_PARTS: &[&str] = &["$ref", "allOf", "anyOf", "oneOf", "unevaluatedProperties", "type", "enum", "const"];

impl<'a> Reader<'a> {
    /// The form that the keywords of one schema give, without those that refer to others.
    pub(super) fn own(&mut self, node: &'a Node, at: &Pointer) -> Shape {
        let mut shape = if let Some(values) = values(node) { of_values(&values, at) } else { self.typed(node, at) };
        for (keyword, value) in node {
            let is_read = SILENT.contains(&keyword.as_str())
                || OF_PARTS.contains(&keyword.as_str())
                || OF_OBJECTS.contains(&keyword.as_str())
                || OF_LISTS.contains(&keyword.as_str());
            if !is_read {
                shape.limits.push(limit(keyword, value, at));
            }
        }
        spread(&mut shape);
        shape
    }

    fn typed(&mut self, node: &'a Node, at: &Pointer) -> Shape {
        match look(node, "type") {
            Some(Value::String(name)) => Shape::new(at, self.form(name, node, at)),
            Some(Value::Array(names)) => {
                let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                match names.as_slice() {
                    [] => Shape::new(at, Form::Never),
                    [name] => Shape::new(at, self.form(name, node, at)),
                    names => {
                        let branches = names.iter().map(|name| Shape::new(at, self.form(name, node, at))).collect();
                        Shape::new(at, Form::Union(Union { branches, is_exclusive: false }))
                    }
                }
            }
            _ => match concluded(node) {
                Some(name) => {
                    let form = self.form(name, node, at);
                    Shape { is_concluded: true, ..Shape::new(at, form) }
                }
                None => Shape::new(at, Form::Any),
            },
        }
    }

    fn form(&mut self, name: &str, node: &'a Node, at: &Pointer) -> Form {
        match name {
            "null" => Form::Null,
            "boolean" => Form::Boolean,
            "integer" => Form::Integer,
            "number" => Form::Number,
            "string" => Form::Text,
            "array" => self.list(node, at),
            _ => Form::Object(self.object(node, at)),
        }
    }

    fn list(&mut self, node: &'a Node, at: &Pointer) -> Form {
        // Draft-07 says a tuple with a list of `items`.
        let (fixed, place, after) = match (look(node, "prefixItems"), look(node, "items")) {
            (Some(Value::Array(fixed)), after) => (fixed, at.child("prefixItems"), after.map(|_| "items")),
            (_, Some(Value::Array(fixed))) => {
                (fixed, at.child("items"), look(node, "additionalItems").map(|_| "additionalItems"))
            }
            (_, items) => {
                let items = items.map_or_else(
                    || Shape::new(&at.child("items"), Form::Any),
                    |items| self.schema(items, &at.child("items")),
                );
                return Form::List(Box::new(items));
            }
        };
        let items: Vec<Shape> =
            fixed.iter().enumerate().map(|(index, item)| self.schema(item, &place.index(index))).collect();
        let count = |keyword: &str| look(node, keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let rest =
            after.map_or_else(|| Shape::new(at, Form::Any), |keyword| self.schema(&node[keyword], &at.child(keyword)));
        let ends = count("maxItems").is_some_and(|most| most <= items.len()) || matches!(rest.form, Form::Never);
        let least = count("minItems").unwrap_or(0).min(items.len());
        Form::Tuple(Tuple { items, least, rest: (!ends).then(|| Box::new(rest)) })
    }

    fn object(&mut self, node: &'a Node, at: &Pointer) -> Object {
        let required: Vec<&str> =
            look(node, "required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut properties = Vec::new();
        let place = at.child("properties");
        for (name, schema) in look(node, "properties").and_then(Value::as_object).into_iter().flatten() {
            let shape = self.schema(schema, &place.child(name));
            properties.push(Property { name: name.clone(), shape, is_required: required.contains(&name.as_str()) });
        }
        let rest = self.rest(node, at);
        for name in required {
            if !properties.iter().any(|property| property.name == name) {
                let shape = match &rest {
                    Rest::Closed => Shape::new(at, Form::Never),
                    Rest::Unsaid => Shape::new(at, Form::Any),
                    Rest::Map(entry) => entry.value.clone(),
                };
                properties.push(Property { name: name.to_owned(), shape, is_required: true });
            }
        }
        Object { properties, rest }
    }

    fn rest(&mut self, node: &'a Node, at: &Pointer) -> Rest {
        let text = || Shape::new(at, Form::Text);
        let others = look(node, "additionalProperties");
        let patterns =
            look(node, "patternProperties").and_then(Value::as_object).filter(|patterns| !patterns.is_empty());
        let Some(patterns) = patterns else {
            return match others {
                None => Rest::Unsaid,
                Some(Value::Bool(false)) => Rest::Closed,
                Some(schema) => {
                    let value = self.schema(schema, &at.child("additionalProperties"));
                    Rest::Map(Box::new(Entry { key: text(), value }))
                }
            };
        };
        let place = at.child("patternProperties");
        let mut values: Vec<Shape> =
            patterns.iter().map(|(pattern, schema)| self.schema(schema, &place.child(pattern))).collect();
        let mut key = text();
        match (others, patterns.iter().next()) {
            (Some(Value::Bool(false)), Some((pattern, _))) if values.len() == 1 => {
                key.limits.push(limit("pattern", &Value::from(pattern.as_str()), at));
            }
            _ => key.limits.push(limit("patternProperties", &Value::Object(patterns.clone()), at)),
        }
        match others {
            Some(Value::Bool(false)) => {}
            Some(schema) => values.push(self.schema(schema, &at.child("additionalProperties"))),
            None => values.push(Shape::new(at, Form::Any)),
        }
        let value = match values.len() {
            1 => values.swap_remove(0),
            _ => Shape::new(at, Form::Union(Union { branches: values, is_exclusive: false })),
        };
        Rest::Map(Box::new(Entry { key, value }))
    }
}

/// A type that the keywords are about.
fn concluded(node: &Node) -> Option<&'static str> {
    let says = |keywords: &[&str]| keywords.iter().any(|keyword| node.contains_key(*keyword));
    if says(OF_OBJECTS) {
        return Some("object");
    }
    if says(OF_LISTS) || says(&["minItems", "maxItems", "uniqueItems"]) {
        return Some("array");
    }
    if says(&["pattern", "minLength", "maxLength", "format"]) {
        return Some("string");
    }
    says(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]).then_some("number")
}

fn values(node: &Node) -> Option<Vec<&Value>> {
    let values: Vec<&Value> = match (look(node, "const"), look(node, "enum")) {
        (Some(only), _) => vec![only],
        (None, Some(Value::Array(values))) => values.iter().collect(),
        _ => return None,
    };
    let is_of_type = |value: &&Value| match look(node, "type") {
        Some(Value::String(name)) => is_of(value, name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(|name| is_of(value, name)),
        _ => true,
    };
    Some(values.into_iter().filter(is_of_type).collect())
}

pub(super) fn is_of(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => {
            name == "number" || (name == "integer" && number.as_f64().is_some_and(|float| float.fract() == 0.0))
        }
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

fn of_values(values: &[&Value], at: &Pointer) -> Shape {
    let known: Vec<Known> = values
        .iter()
        .filter(|value| !value.is_null())
        .map(|value| Known { value: (*value).clone(), note: None })
        .collect();
    let has_null = known.len() < values.len();
    let null = Shape::new(at, Form::Null);
    match (known.is_empty(), has_null) {
        (true, true) => null,
        (true, false) => Shape::new(at, Form::Never),
        (false, false) => Shape::new(at, Form::Values(known)),
        (false, true) => {
            let branches = vec![Shape::new(at, Form::Values(known)), null];
            Shape::new(at, Form::Union(Union { branches, is_exclusive: false }))
        }
    }
}

/// Moves what narrows a union to its branches.
fn spread(shape: &mut Shape) {
    let Form::Union(union) = &mut shape.form else { return };
    let limits = std::mem::take(&mut shape.limits);
    for branch in &mut union.branches {
        branch.limits.extend(limits.iter().cloned());
    }
}
