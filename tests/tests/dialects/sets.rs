//! Whole requests: what fits, and what is left out with its reasons.

use serde_json::{Value, json};
use tool_runtime::dialect::{Dialect, LoweredTools, Mode};
use tool_runtime::prelude::*;

use crate::{ANTHROPIC, OPENAI, schema};

/// A registry of tools with these schemas, named `t00`, `t01`, …
fn registry(schemas: impl IntoIterator<Item = Value>) -> Registry {
    let mut registry = Registry::new();
    for (index, schema) in schemas.into_iter().enumerate() {
        let tool = DynamicTool::new(format!("t{index:02}"), "Do something.", |_, _| async { Ok(json!(1)) });
        registry.dynamic(tool.input_schema(schema).output_schema(json!({}))).unwrap();
    }
    registry
}

fn optionals(count: usize) -> Value {
    let properties: serde_json::Map<String, Value> =
        (0..count).map(|index| (format!("p{index}"), json!({"type": "string"}))).collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn left_out(tools: &LoweredTools) -> Vec<(&str, String)> {
    tools.left_out().iter().map(|tool| (tool.tool(), tool.why()[0].to_string())).collect()
}

#[test]
fn a_request_has_room_for_so_many_tools() {
    let tools = ANTHROPIC.lower_all(&registry(vec![optionals(0); 22]));
    assert_eq!(tools.tools().len(), 20);
    let names: Vec<&str> = left_out(&tools).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["t20", "t21"]);
    assert!(
        left_out(&tools)[0].1.contains("with it there are 21 tools, and a request takes 20"),
        "{:?}",
        left_out(&tools)
    );
    assert_eq!(Dialect::Anthropic(Mode::Lenient).lower_all(&registry(vec![optionals(0); 22])).left_out(), []);
}

#[test]
fn optionals_count_over_all_tools_and_a_smaller_tool_still_fits() {
    let tools = ANTHROPIC.lower_all(&registry([optionals(20), optionals(5), optionals(4), optionals(25)]));
    let told = left_out(&tools);
    assert_eq!(told[0].0, "t01");
    assert!(
        told[0].1.contains("with it there are 25 properties that may be left out, and a request takes 24"),
        "{told:?}"
    );
    assert_eq!(told[1].0, "t03");
    assert!(told[1].1.contains("it alone has 25 properties that may be left out"), "{told:?}");
    assert!(tools.tool("t02").is_some());
    assert_eq!(OPENAI.lower_all(&registry([optionals(25)])).left_out(), [], "where all are required, none counts");
}

/// Where a tool's definition lies, so that one that is made anew is told from one that is kept.
fn place(tools: &LoweredTools, name: &str) -> *const Value {
    tools.tool(name).unwrap().definition()
}

#[test]
fn what_has_not_changed_is_not_lowered_again() {
    let before = registry([optionals(1), optionals(2), optionals(3)]);
    let tools = OPENAI.lower_all(&before);
    let same = tools.lower_again(&before.clone());
    assert!(std::ptr::eq(same.tools(), tools.tools()));

    let after = registry([optionals(1), optionals(4), optionals(3), optionals(5)]);
    let again = tools.lower_again(&after);
    assert_eq!(again.definitions().to_string(), OPENAI.lower_all(&after).definitions().to_string());
    for (name, is_kept) in [("t00", true), ("t01", false), ("t02", true)] {
        assert_eq!(place(&again, name) == place(&tools, name), is_kept, "{name}");
    }
    let fewer = again.lower_again(&registry([optionals(1)]));
    assert_eq!(fewer.tools().len(), 1);
    assert_eq!(place(&fewer, "t00"), place(&tools, "t00"));
    assert_eq!(fewer.lower_again(&Registry::new()).definitions(), json!([]));
}

#[test]
fn what_had_no_room_is_sent_once_there_is_some() {
    let tools = ANTHROPIC.lower_all(&registry([optionals(20), optionals(5), optionals(25)]));
    assert_eq!(tools.tools().len(), 1);
    let again = tools.lower_again(&registry([optionals(10), optionals(5), optionals(25)]));
    assert_eq!(again.tools().len(), 2);
    let left = left_out(&again);
    assert!(left[0].0 == "t02" && left[0].1.contains("it alone has 25"), "{left:?}");
}

#[test]
fn depth_is_limited() {
    let deep = |levels: usize| {
        (0..levels).fold(json!({"type": "string"}), |inner, _| {
            json!({"type": "object", "properties": {"a": inner}, "required": ["a"], "additionalProperties": false})
        })
    };
    assert_eq!(OPENAI.lower_all(&registry([deep(10)])).left_out(), []);
    let tools = OPENAI.lower_all(&registry([deep(11)]));
    assert!(left_out(&tools)[0].1.contains("it alone has 11 levels of nesting, and a request takes 10"));
}

#[test]
fn the_list_is_the_same_bytes_in_whatever_order_tools_are_registered() {
    let schemas: Vec<Value> = (0..6).map(optionals).collect();
    let tool = |index: usize| {
        let tool = DynamicTool::new(format!("t{index}"), "Do something.", |_, _| async { Ok(json!(1)) });
        tool.input_schema(schemas[index].clone()).output_schema(json!({}))
    };
    let list = |order: [usize; 6]| {
        let mut registry = Registry::new();
        for index in order {
            registry.dynamic(tool(index)).unwrap();
        }
        Dialect::ALL.map(|dialect| dialect.lower_all(&registry).definitions().to_string())
    };
    assert_eq!(list([0, 1, 2, 3, 4, 5]), list([5, 3, 1, 0, 2, 4]));
}

#[test]
fn each_provider_has_its_envelope() {
    let registry = registry([optionals(1)]);
    let keys = |dialect: Dialect| {
        let tools = dialect.lower_all(&registry);
        let definition = tools.definitions()[0].clone();
        assert!(schema(&definition).is_object(), "{dialect:?}: {definition}");
        let definition = definition.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        definition.join(" ")
    };
    assert_eq!(keys(OPENAI), "type function");
    assert_eq!(keys(Dialect::OpenAiResponses(Mode::Lenient)), "type name description parameters strict");
    assert_eq!(keys(ANTHROPIC), "name description input_schema strict");
    assert_eq!(keys(Dialect::Anthropic(Mode::Lenient)), "name description input_schema");
    assert_eq!(keys(crate::GEMINI), "name description parameters");
}

#[test]
fn a_long_description_is_cut_where_the_provider_cuts_it_and_that_is_a_loss() {
    let mut registry = Registry::new();
    let long = "é".repeat(2000);
    let tool = DynamicTool::new("t", long.as_str(), |_, _| async { Ok(json!(1)) });
    registry.dynamic(tool.input_schema(optionals(0)).output_schema(json!({}))).unwrap();
    let chat = OPENAI.lower_all(&registry);
    assert_eq!(chat.tools()[0].definition()["function"]["description"].as_str().unwrap().chars().count(), 1024);
    assert!(
        chat.losses().next().unwrap().1[0]
            .to_string()
            .contains("a description of 2000 characters becomes its first 1024")
    );
    let responses = Dialect::OpenAiResponses(Mode::Strict).lower_all(&registry);
    assert_eq!(responses.definitions()[0]["description"], long);
}
