//! Prints what becomes of numbers in every spelling and of maps in every order, through derived and dynamic tools.

use std::collections::BTreeMap;

use tool_runtime::prelude::*;
use tool_runtime::{Repairs, serde_json};

/// Give back numbers.
#[derive(Tool)]
#[tool(output = Numbers, render = json)]
struct Give {
    n: Option<JsonValue>,
    integer: Option<i64>,
    natural: Option<u64>,
    small: Option<u8>,
    double: Option<f64>,
    single: Option<f32>,
    #[schemars(extend("enum" = [1, 2.5, 100]))]
    of_three: Option<f64>,
    #[serde(default)]
    by_key: BTreeMap<i32, Vec<Either>>,
}

#[tool_output]
struct Numbers {
    n: Option<JsonValue>,
    integer: Option<i64>,
    natural: Option<u64>,
    small: Option<u8>,
    double: Option<f64>,
    single: Option<f32>,
    of_three: Option<f64>,
    by_key: BTreeMap<i32, Vec<Either>>,
}

#[tool_output]
#[derive(Clone)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(String),
    Pair { a: u8, b: Option<f64> },
}

impl Execute for Give {
    async fn execute(&self, _: &Context) -> Result<Numbers, ToolError> {
        Ok(Numbers {
            n: self.n.clone(),
            integer: self.integer,
            natural: self.natural,
            small: self.small,
            double: self.double,
            single: self.single,
            of_three: self.of_three,
            by_key: self.by_key.clone(),
        })
    }
}

const SPELLINGS: [&str; 26] = [
    "0",
    "-0",
    "0.0",
    "-0.0",
    "1",
    "1.0",
    "1e0",
    "10e-1",
    "100",
    "1e2",
    "2.5",
    "0.25e1",
    "0.1",
    "1e21",
    "5e-324",
    "123456789.123456789",
    "255",
    "255.0",
    "256",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1e400",
    "1.10",
];

/// Puts back what it finds, as a cache would that keeps values as text.
struct PutsBack;

impl PostPolicy for PutsBack {
    fn name(&self) -> &'static str {
        "puts back"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::replace_value(serde_json::from_str(success.value().as_str())?))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::new();
    registry.tool::<Give>()?;
    let schema = r#"{"type": "object", "properties": {
        "z": {"enum": [1, 2.5, {"k": [1e2]}]}, "a": {"const": 100}, "m": {"multipleOf": 0.5, "maximum": 1e3},
        "u": {"uniqueItems": true}, "l": {"type": "array", "items": {"type": "integer"}, "maxItems": 2.0}}}"#;
    let echo = DynamicTool::new("echo", "Give back.", |arguments, _| async move { Ok(JsonValue::clone(&arguments)) })
        .input_schema(serde_json::from_str(schema)?)
        .output_schema(serde_json::from_str(r#"{"type": "object"}"#)?);
    registry.dynamic(echo)?;
    for spec in registry.specs() {
        println!("{}", serde_json::to_string(spec)?);
    }
    let plain = Dispatcher::new(registry.clone());
    let other = Dispatcher::new(registry).repairs(Repairs::all()).policy(PutsBack);
    let mut calls = vec![
        (
            "give",
            r#"{"by_key":{"10":[1.0,"x",{"b":1,"a":2.0}],"9":[{"a":1}]},"n":{"b":1.0,"a":[1,{"d":1e2,"c":-0.0}]}}"#
                .to_owned(),
        ),
        ("give", r#"{"small":"12","double":"1.50","n":"7"}"#.to_owned()),
        ("give", r#"{"n":1,"n":2}"#.to_owned()),
    ];
    for spelling in SPELLINGS {
        for key in ["n", "integer", "natural", "small", "double", "single", "of_three"] {
            calls.push(("give", format!("{{\"{key}\":{spelling}}}")));
        }
        for template in ["{\"z\":$}", "{\"a\":$}", "{\"m\":$}", "{\"u\":[1,$]}", "{\"l\":[$]}", "{\"z\":{\"k\":[$]}}"] {
            calls.push(("echo", template.replace('$', spelling)));
        }
    }
    for (name, arguments) in calls {
        for dispatcher in [&plain, &other] {
            let result = dispatcher.call(ToolCall::new("call", name, arguments.as_str())).await;
            let value = result.success().map(|success| success.value().to_string());
            println!("{name} {arguments}: {value:?} {:?} {:?}", result.content().to_text(), result.trace().repairs());
        }
    }
    Ok(())
}
