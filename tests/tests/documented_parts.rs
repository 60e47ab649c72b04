//! What comments say of fields, variants and types reaches the schema, beside references and without hiding a choice.

use serde::Serialize;
use serde_json::{Value, json};
use tests::{echo, faults, input_schema, output_schema, told};
use tool_runtime::prelude::*;

/// How thorough to be; told of the type.
#[tool_output]
#[derive(Clone)]
enum Mode {
    /// Quick.
    Fast,
    /// Slow and exact.
    #[serde(rename = "slow-exact")]
    Exact,
    Undocumented,
}

#[tool_output]
#[derive(Clone)]
enum Bare {
    One,
    Two,
}

/// A window of lines.
#[tool_output]
#[derive(Clone)]
struct Window {
    /// Where it begins.
    from: u32,
    /// How it is measured.
    mode: Mode,
}

#[tool_output]
#[derive(Clone)]
#[serde(tag = "by")]
enum Order {
    /// By name.
    Name {
        /// Whether capitals count.
        exact: bool,
    },
    /// By size.
    Size(Window),
}

/// Run.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Run {
    /// How to run.
    mode: Mode,
    fallback: Option<Mode>,
    /// What to run when that fails.
    documented_fallback: Option<Mode>,
    /// One after the other.
    steps: Vec<Mode>,
    /// Plain choices.
    bare: Bare,
    optional_bare: Option<Bare>,
    /// Where.
    window: Window,
    order: Order,
}

#[tool_output]
struct Ran {
    /// How it was run.
    mode: Mode,
    /// Plain choices.
    bare: Option<Bare>,
    /// Where.
    window: Window,
    order: Order,
}

echo!(Run);

/// The node that a place of the schema means, through references and past the branch of null.
fn meant<'s>(root: &'s Value, node: &'s Value) -> &'s Value {
    if let Some(name) = node["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/$defs/")) {
        return meant(root, &root["$defs"][name]);
    }
    match node["anyOf"].as_array() {
        Some(branches) if branches.iter().any(|branch| branch["type"] == "null") => {
            meant(root, branches.iter().find(|branch| branch["type"] != "null").unwrap())
        }
        _ => node,
    }
}

/// Each text that is allowed, with what is said of it.
fn choices(node: &Value) -> Vec<(String, Option<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let said = |branch: &Value| branch.get("description").map(text);
    if let Some(branches) = node["oneOf"].as_array() {
        let of_branch = |branch: &Value| {
            let allowed = branch["enum"].as_array().cloned().unwrap_or_else(|| vec![branch["const"].clone()]);
            allowed.iter().map(|value| (text(value), said(branch))).collect::<Vec<_>>()
        };
        return branches.iter().flat_map(of_branch).collect();
    }
    let allowed = node["enum"].as_array().unwrap_or_else(|| panic!("no choices: {node}"));
    allowed.iter().filter(|value| !value.is_null()).map(|value| (text(value), said(node))).collect()
}

fn keeps_its_choices(schema: &Value, places: &[&str]) {
    for place in places {
        let node = schema.pointer(place).unwrap_or_else(|| panic!("{place}: {schema}"));
        let mut found = choices(meant(schema, node));
        found.sort();
        let said = |text: &str| Some(text.to_owned());
        let expected = [
            ("Fast".to_owned(), said("Quick.")),
            ("Undocumented".to_owned(), None),
            ("slow-exact".to_owned(), said("Slow and exact.")),
        ];
        assert_eq!(found, expected, "{place}");
    }
}

#[test]
fn every_choice_keeps_its_exact_text_and_what_is_said_of_it() {
    let run = input_schema::<Run>();
    keeps_its_choices(
        &run,
        &["/properties/mode", "/properties/fallback", "/properties/documented_fallback", "/properties/steps/items"],
    );
    keeps_its_choices(&output_schema::<Ran>().unwrap(), &["/properties/mode"]);
    for place in ["/properties/bare", "/properties/optional_bare"] {
        let node = meant(&run, run.pointer(place).unwrap());
        assert_eq!(choices(node), [("One".to_owned(), None), ("Two".to_owned(), None)], "{place}");
    }
}

#[test]
fn what_is_said_of_a_field_stands_at_the_field_and_what_is_said_of_its_type_at_the_type() {
    let run = input_schema::<Run>();
    let ran = output_schema::<Ran>().unwrap();
    for (schema, field, said) in [
        (&run, "mode", "How to run."),
        (&run, "documented_fallback", "What to run when that fails."),
        (&run, "steps", "One after the other."),
        (&run, "bare", "Plain choices."),
        (&run, "window", "Where."),
        (&ran, "mode", "How it was run."),
        (&ran, "bare", "Plain choices."),
        (&ran, "window", "Where."),
    ] {
        assert_eq!(schema["properties"][field]["description"], said, "{schema}");
    }
    assert_eq!(run["properties"]["fallback"].get("description"), None);
    for schema in [&run, &ran] {
        let mode = meant(schema, &schema["properties"]["mode"]);
        assert_eq!(mode["description"], "How thorough to be; told of the type.");
        let window = meant(schema, &schema["properties"]["window"]);
        assert_eq!(window["description"], "A window of lines.");
        assert_eq!(window["properties"]["from"]["description"], "Where it begins.");
        assert_eq!(window["properties"]["mode"]["description"], "How it is measured.");
        let branches = meant(schema, &schema["properties"]["order"])["oneOf"].as_array().unwrap();
        assert_eq!(branches[0]["description"], "By name.");
        assert_eq!(branches[0]["properties"]["exact"]["description"], "Whether capitals count.");
        assert_eq!(branches[1]["description"], "By size.");
        assert_eq!(branches[1]["properties"]["from"]["description"], "Where it begins.");
    }
}

#[tokio::test]
async fn what_is_said_changes_nothing_of_what_is_taken() {
    let whole = json!({"mode": "Fast", "fallback": "slow-exact", "documented_fallback": null, "steps": ["Undocumented"],
        "bare": "One", "optional_bare": "Two", "window": {"from": 1, "mode": "Fast"},
        "order": {"by": "Size", "from": 2, "mode": "Fast"}});
    assert_eq!(told::<Run>(&whole.to_string()).await, whole.to_string());
    for (place, bad) in [("/mode", "fast"), ("/fallback", "Exact"), ("/steps/0", ""), ("/bare", "Three")] {
        let mut arguments = whole.clone();
        *arguments.pointer_mut(place).unwrap() = json!(bad);
        let found = faults::<Run>(&arguments.to_string()).await;
        assert!(found.len() == 1 && found[0].contains(&format!("\"{place}\" must be one of [")), "{found:?}");
    }
}
