//! What a lowered schema costs, against the limits of a whole request.

use serde_json::{Map, Value};

use super::rules::Request;

/// What schemas cost together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    tools: usize,
    properties: usize,
    optionals: usize,
    unions: usize,
    depth: usize,
    characters: usize,
    enum_values: usize,
}

impl Cost {
    /// What one tool costs.
    pub(super) fn of(schema: Option<&Value>) -> Self {
        let mut cost = Self { tools: 1, ..Self::default() };
        if let Some(Value::Object(schema)) = schema {
            cost.schema(schema, 0);
        }
        cost
    }

    /// Both together; the deeper one counts.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            tools: self.tools + other.tools,
            properties: self.properties + other.properties,
            optionals: self.optionals + other.optionals,
            unions: self.unions + other.unions,
            depth: self.depth.max(other.depth),
            characters: self.characters + other.characters,
            enum_values: self.enum_values + other.enum_values,
        }
    }

    /// Everything that is too much, in words.
    pub(super) fn beyond(self, limits: &Request) -> Vec<String> {
        let all = [
            (self.tools, limits.tools, "tools"),
            (self.properties, limits.properties, "properties"),
            (self.optionals, limits.optionals, "properties that may be left out"),
            (self.unions, limits.unions, "properties of several types"),
            (self.depth, limits.depth, "levels of nesting"),
            (self.characters, limits.characters, "characters of names and enum values"),
            (self.enum_values, limits.enum_values, "enum values"),
        ];
        let beyond = all.into_iter().filter(|(count, most, _)| count > most);
        beyond.map(|(count, most, what)| format!("{count} {what}, and a request takes {most}")).collect()
    }

    fn schema(&mut self, schema: &Map<String, Value>, depth: usize) {
        let depth = depth + usize::from(schema.contains_key("properties") || schema.contains_key("items"));
        self.depth = self.depth.max(depth);
        let required = schema.get("required").and_then(Value::as_array);
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            self.properties += 1;
            self.characters += name.len();
            self.optionals += usize::from(!required.is_some_and(|names| names.iter().any(|other| other == name)));
            let is_union = property.get("anyOf").is_some() || property.get("type").is_some_and(Value::is_array);
            self.unions += usize::from(is_union);
            self.inner(property, depth);
        }
        for value in schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
            self.enum_values += 1;
            self.characters += value.as_str().map_or(0, str::len);
        }
        for (name, definition) in schema.get("$defs").and_then(Value::as_object).into_iter().flatten() {
            self.characters += name.len();
            self.inner(definition, depth);
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(inner) = schema.get(keyword) {
                self.inner(inner, depth);
            }
        }
        for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            for branch in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.inner(branch, depth);
            }
        }
    }

    fn inner(&mut self, schema: &Value, depth: usize) {
        if let Value::Object(schema) = schema {
            self.schema(schema, depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_costs_what_stands_in_it() {
        let schema = json!({
            "type": "object",
            "properties": {
                "ab": {"type": ["string", "null"]},
                "c": {"type": "array", "items": {"type": "object", "properties": {"d": {"enum": ["x", "yz"]}}}},
            },
            "required": ["ab"],
        });
        let cost = Cost::of(Some(&schema));
        let expected =
            Cost { tools: 1, properties: 3, optionals: 2, unions: 1, depth: 3, characters: 7, enum_values: 2 };
        assert_eq!(cost, expected);
        assert_eq!(cost.and(cost).properties, 6);
        assert_eq!(cost.and(cost).depth, 3);
    }

    #[test]
    fn what_is_too_much_is_told_with_its_limit() {
        let cost = Cost { tools: 3, optionals: 25, ..Cost::default() };
        let limits =
            Request { tools: 2, properties: 9, optionals: 24, unions: 9, depth: 9, characters: 9, enum_values: 9 };
        let told = ["3 tools, and a request takes 2", "25 properties that may be left out, and a request takes 24"];
        assert_eq!(cost.beyond(&limits), told);
    }
}
