//! One type in arguments and in an output: each side publishes what it reads or writes, under names that follow serde.

use serde_json::{Value, json};
use tests::{input_schema, output_schema, told};
use tool_runtime::prelude::*;

macro_rules! records {
    ($($(#[$attribute:meta])* $kind:ident $name:ident { $($body:tt)* })*) => {$(
        #[tool_output]
        #[derive(Clone, Debug, PartialEq)]
        $(#[$attribute])*
        $kind $name { $($body)* }
    )*};
}

records! {
    #[serde(rename_all = "camelCase")]
    struct Record {
        #[serde(rename = "theNumber")]
        n: u8,
        r#type: String,
        url_path: String,
        nested: Vec<Nested>,
        #[serde(default)]
        left_out: u8,
        maybe: Option<u8>,
    }
    #[serde(rename_all = "kebab-case")]
    enum Nested {
        FirstOne,
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        SecondOne { r#fn: u8, long_name: bool },
        #[serde(rename = "3rd")]
        Third(u8),
    }
}

/// Keep a record.
#[derive(Tool)]
#[tool(output = Record, render = json)]
struct Keep {
    record: Record,
}

impl Execute for Keep {
    async fn execute(&self, _: &Context) -> Result<Record, ToolError> {
        Ok(self.record.clone())
    }
}

/// The names of a type's properties and choices, wherever they stand.
fn names(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(keywords) => {
            for keyword in ["const", "enum"] {
                match keywords.get(keyword) {
                    Some(Value::Array(values)) => found.extend(values.iter().map(Value::to_string)),
                    Some(value) => found.push(value.to_string()),
                    None => {}
                }
            }
            if let Some(Value::Object(properties)) = keywords.get("properties") {
                found.extend(properties.keys().map(|key| Value::from(key.as_str()).to_string()));
            }
            keywords.values().for_each(|value| names(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        _ => {}
    }
}

fn sorted_names(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    names(schema, &mut found);
    found.sort();
    found.dedup();
    found
}

#[test]
fn both_sides_use_the_names_that_serde_uses() {
    let input = input_schema::<Keep>();
    let output = output_schema::<Record>().unwrap();
    let record = &input["$defs"]["Record"];
    let expected = [
        "3rd",
        "FN",
        "LONG_NAME",
        "first-one",
        "leftOut",
        "maybe",
        "nested",
        "second-one",
        "theNumber",
        "type",
        "urlPath",
    ];
    let expected: Vec<String> = expected.iter().map(|name| format!("\"{name}\"")).collect();
    assert_eq!(sorted_names(&output), expected, "{output}");
    let nested = sorted_names(&input["$defs"]["Nested"]);
    let mut read = [sorted_names(&record["properties"]), nested, sorted_names(record)].concat();
    read.sort();
    read.dedup();
    assert_eq!(read, expected, "{input}");

    // What may be left out is told apart: a default on the way in, nothing on the way out.
    assert_eq!(record["required"], json!(["theNumber", "type", "urlPath", "nested"]));
    assert_eq!(output["required"], json!(["theNumber", "type", "urlPath", "nested", "leftOut", "maybe"]));
}

#[tokio::test]
async fn what_one_side_writes_the_other_reads() {
    let record = r#"{"theNumber":1,"type":"t","urlPath":"/","nested":["first-one",{"second-one":{"FN":2,"LONG_NAME":true}},{"3rd":3}],"leftOut":4,"maybe":null}"#;
    assert_eq!(told::<Keep>(&format!("{{\"record\":{record}}}")).await, record);
    let less = record.replace(r#","leftOut":4,"maybe":null"#, "");
    assert_eq!(told::<Keep>(&format!("{{\"record\":{less}}}")).await, record.replace('4', "0"));
}
