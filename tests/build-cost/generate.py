#!/usr/bin/env python3
"""Writes the sources of two crates with the same tools: `ours` and `floor`. See measure.sh.

    generate.py NUMBER DIRECTORY

A module holds one tool: arguments with four fields, an output with four, a type nested in the output, and in every second
tool an enum nested in the arguments.
"""

import pathlib
import sys

TYPES = """
/// Look through the records of department {n}.
{arguments}
pub struct Find{n} {{
    /// What to look for.
    query: String,
    /// The most results.
    limit: Option<u32>,
    /// Only records that have all of these labels.
    labels: Vec<String>,
    /// {last_doc}
    {last},
}}
{nested}
{output}
#[serde(rename_all = "camelCase")]
pub struct Found{n} {{
    query: String,
    records: Vec<Record{n}>,
    total_records: u64,
    truncated: bool,
}}

{output}
pub struct Record{n} {{
    id: u64,
    title: String,
    score: f64,
    note: Option<String>,
}}
"""

ORDER = """
{input}
#[serde(rename_all = "snake_case")]
pub enum Order{n} {{
    Best,
    Newest,
    ByTitle,
}}
"""

BODY = """        let step = {n};
        let limit = u64::from({this}.limit.unwrap_or(10));
        let record = |place: u64| Record{n} {{
            id: place * step,
            title: format!("{{}} of department {n}", {this}.query),
            score: 1.0 / (place + 1) as f64,
            note: {this}.labels.first().cloned(),
        }};
        Ok(Found{n} {{
            query: {this}.query.clone(),
            records: (0..limit.min(50)).map(record).collect(),
            total_records: limit,
            truncated: limit > 50 || {by_last},
        }})
"""

RENDER = """        let mut text = format!("{{}} records for {{}}", {value}.total_records, {value}.query);
        for record in &{value}.records {{
            text.push_str("\\n");
            text.push_str(&record.title);
        }}
        {result}
"""

OURS = """use tool_runtime::prelude::*;
{types}
impl Execute for Find{n} {{
    async fn execute(&self, _: &Context) -> Result<Found{n}, ToolError> {{
{body}    }}
}}

impl Render for Find{n} {{
    fn render(&self, found: &Found{n}) -> Content {{
{render}    }}
}}
"""

FLOOR = """use schemars::JsonSchema;
use serde::{{Deserialize, Serialize}};
{types}
pub fn execute(arguments: &Find{n}) -> Result<Found{n}, Box<dyn std::error::Error>> {{
{body}}}

pub fn render(found: &Found{n}) -> String {{
{render}}}

pub fn schemas() -> [schemars::Schema; 2] {{
    [schemars::schema_for!(Find{n}), schemars::schema_for!(Found{n})]
}}

pub fn call(arguments: &str) -> Result<(String, String), Box<dyn std::error::Error>> {{
    let arguments: Find{n} = serde_json::from_str(arguments)?;
    let found = execute(&arguments)?;
    Ok((render(&found), serde_json::to_string(&found)?))
}}

pub fn read(value: &str) -> Result<Found{n}, serde_json::Error> {{
    serde_json::from_str(value)
}}
"""

OURS_MAIN = """{modules}
use std::task::{{Context, Poll, Waker}};
use tool_runtime::prelude::*;

fn registry() -> Result<Registry, RegistrationError> {{
    let mut registry = Registry::new();
{tools}
    Ok(registry)
}}

fn main() {{
    let [name, arguments] = [1, 2].map(|place| std::env::args().nth(place).unwrap_or_default());
    let registry = registry().unwrap();
    for spec in registry.specs() {{
        println!("{{}} {{}}", spec.input_schema, spec.output_schema);
    }}
    let dispatcher = Dispatcher::new(registry);
    let call = std::pin::pin!(dispatcher.call(ToolCall::new("call", name, arguments)));
    let Poll::Ready(result) = call.poll(&mut Context::from_waker(Waker::noop())) else {{ return }};
    println!("{{}} {{:?}}", result.content().to_text(), result.success().map(|success| success.value()));
}}
"""

FLOOR_MAIN = """{modules}
type Tool = (
    &'static str,
    fn() -> [schemars::Schema; 2],
    fn(&str) -> Result<(String, String), Box<dyn std::error::Error>>,
    fn(&str) -> bool,
);

const TOOLS: &[Tool] = &[
{tools}
];

fn main() {{
    let [name, arguments] = [1, 2].map(|place| std::env::args().nth(place).unwrap_or_default());
    for (_, schemas, ..) in TOOLS {{
        let [input, output] = schemas();
        println!("{{}} {{}}", serde_json::to_string(&input).unwrap(), serde_json::to_string(&output).unwrap());
    }}
    for (known, _, call, read) in TOOLS {{
        if *known == name {{
            let result = call(&arguments).unwrap();
            println!("{{result:?}} {{}}", read(&result.1));
        }}
    }}
}}
"""


def tool(number, ours):
    ordered = number % 2 == 0
    serde = lambda kinds: f"#[derive({kinds})]"
    marks = {
        "arguments": f"#[derive(Tool)]\n#[tool(output = Found{number}, read_only)]",
        "input": "#[tool_input]",
        "output": "#[tool_output]",
    } if ours else {
        "arguments": serde("Deserialize, JsonSchema"),
        "input": serde("Deserialize, JsonSchema"),
        "output": serde("Serialize, Deserialize, JsonSchema"),
    }
    this = "self" if ours else "arguments"
    last = f"order: Option<Order{number}>" if ordered else "archived: bool"
    types = TYPES.format(
        n=number,
        last=last,
        last_doc="Which come first." if ordered else "Whether to look at archived ones too.",
        nested=ORDER.format(n=number, **marks) if ordered else "",
        **marks,
    )
    by_last = f"matches!({this}.order, Some(Order{number}::Newest))" if ordered else f"{this}.archived"
    body = BODY.format(n=number, this=this, by_last=by_last)
    render = RENDER.format(value="found", result="Content::text(text)" if ours else "text")
    return (OURS if ours else FLOOR).format(n=number, types=types, body=body, render=render)


def crate(directory, count, ours):
    source = directory / "src"
    source.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (source / f"tool_{number}.rs").write_text(tool(number, ours))
    modules = "".join(f"mod tool_{number};\n" for number in range(count))
    if ours:
        tools = "\n".join(f"    registry.tool::<tool_{n}::Find{n}>()?;" for n in range(count))
    else:
        entry = '    ("find{n}", tool_{n}::schemas, tool_{n}::call, |value| tool_{n}::read(value).is_ok()),'
        tools = "\n".join(entry.format(n=n) for n in range(count))
    (source / "main.rs").write_text((OURS_MAIN if ours else FLOOR_MAIN).format(modules=modules, tools=tools))


def main():
    count, directory = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    crate(directory / "ours", count, True)
    crate(directory / "floor", count, False)


main()
