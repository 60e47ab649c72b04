//! What is registered: names, states, exact removal, every violation at once, a stable list, and changes under way.

use std::sync::Arc;
use std::time::Duration;

use tests::code;
use tokio::sync::Notify;
use tool_runtime::prelude::*;
use tool_runtime::{Behaviour, Overrides, serde_json};

macro_rules! tool {
    ($type:ident, $state:ty, $text:literal) => {
        /// A tool.
        #[derive(Tool)]
        #[tool(output = String, render = display)]
        struct $type;

        impl Execute<$state> for $type {
            async fn execute(&self, cx: &Context<$state>) -> Result<String, ToolError> {
                Ok(format!("{} {:?}", $text, cx.state()))
            }
        }
    };
}

tool!(Alpha, (), "alpha");
tool!(Beta, u8, "beta");
tool!(Gamma, u8, "gamma");
tool!(Delta, String, "delta");

/// Under the name of another.
#[derive(Tool)]
#[tool(output = String, render = display, name = "alpha")]
struct AlsoAlpha;

impl Execute for AlsoAlpha {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("the other alpha".into())
    }
}

async fn text(dispatcher: &Dispatcher, name: &str) -> String {
    dispatcher.call(ToolCall::without_arguments("call-1", name)).await.content().to_text()
}

fn names(registry: &Registry) -> Vec<&str> {
    registry.names().collect()
}

#[tokio::test]
async fn tools_run_on_the_state_that_they_were_registered_with() {
    let shared = Arc::new("shared".to_owned());
    let mut registry = Registry::new();
    registry.with(1_u8).tool::<Beta>().unwrap().tool::<Gamma>().unwrap();
    registry.with(2_u8).tool_as::<Beta>(Overrides::new().name("beta-2")).unwrap();
    registry.with_shared(Arc::clone(&shared)).tool::<Delta>().unwrap();
    registry.tool::<Alpha>().unwrap();
    assert_eq!(names(&registry), ["alpha", "beta", "beta-2", "delta", "gamma"]);
    assert_eq!((registry.len(), registry.is_empty()), (5, false));
    let dispatcher = Dispatcher::new(registry);
    assert_eq!(text(&dispatcher, "beta").await, "beta 1");
    assert_eq!(text(&dispatcher, "gamma").await, "gamma 1");
    assert_eq!(text(&dispatcher, "beta-2").await, "beta 2");
    assert_eq!(text(&dispatcher, "delta").await, "delta \"shared\"");
    assert_eq!(text(&dispatcher, "alpha").await, "alpha ()");
    assert_eq!(Arc::strong_count(&shared), 2, "the state is shared, not copied");
}

#[tokio::test]
async fn a_toolset_registers_tools_with_their_states() {
    let registry = toolset! { 7_u8 => [Beta, Gamma], "s".to_owned() => [Delta], () => [Alpha] }.unwrap();
    assert_eq!(names(&registry), ["alpha", "beta", "delta", "gamma"]);
    let dispatcher = Dispatcher::new(registry);
    assert_eq!(text(&dispatcher, "gamma").await, "gamma 7");
    assert_eq!(text(&dispatcher, "delta").await, "delta \"s\"");
    assert!(toolset! {}.unwrap().is_empty());
    assert!(toolset! { () => [] }.unwrap().is_empty());
}

#[test]
fn a_taken_name_is_refused_and_the_first_tool_stays() {
    let mut registry = Registry::new();
    registry.tool::<Alpha>().unwrap();
    let error = registry.tool::<AlsoAlpha>().map(|_| ()).unwrap_err();
    let [problem] = error.problems() else { panic!("{error}") };
    assert_eq!((problem.code(), problem.tool()), (&Code::DUPLICATE_TOOL, "alpha"));
    assert!(error.to_string().contains("tool_as"), "{error}");
    assert_eq!(registry.len(), 1);
    registry.tool_as::<AlsoAlpha>(Overrides::new().name("also")).unwrap();
    assert_eq!(names(&registry), ["alpha", "also"]);
}

#[tokio::test]
async fn removal_is_exact() {
    let mut registry = Registry::new();
    registry.tool::<Alpha>().unwrap();
    let key = registry.key("alpha").unwrap();
    assert!(registry.key("none").is_none());
    assert!(registry.remove(&key));
    assert!(!registry.remove(&key), "it is gone already");
    registry.tool::<AlsoAlpha>().unwrap();
    assert!(!registry.remove(&key), "the name belongs to another tool now");
    assert_eq!(text(&Dispatcher::new(registry.clone()), "alpha").await, "the other alpha");
    let key = registry.key("alpha").unwrap();
    assert!(registry.remove(&key) && registry.is_empty());
}

#[test]
fn a_clone_is_its_own() {
    let mut registry = Registry::new();
    registry.tool::<Alpha>().unwrap();
    let mut copy = registry.clone();
    copy.tool_as::<AlsoAlpha>(Overrides::new().name("also")).unwrap();
    assert_eq!((names(&registry), names(&copy)), (vec!["alpha"], vec!["alpha", "also"]));
    let key = copy.key("alpha").unwrap();
    assert!(copy.remove(&key));
    assert_eq!(names(&registry), ["alpha"]);
    assert!(registry.remove(&key), "it is the same registration in both");
}

/// Refused for more than one reason.
#[tool_output]
struct Bad {
    wide: Vec<Wide>,
    again: Wide,
}

type Wide = i128;

/// Refused.
#[derive(Tool)]
#[tool(output = Bad, render = json, manual)]
struct AllBad;

impl<'de> serde::Deserialize<'de> for AllBad {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Ok(Self)
    }
}

impl schemars::JsonSchema for AllBad {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AllBad".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "array"})
    }
}

impl Execute for AllBad {
    async fn execute(&self, _: &Context) -> Result<Bad, ToolError> {
        Err(ToolError::msg("never"))
    }
}

#[test]
fn every_violation_of_a_tool_is_told_at_once_with_its_place() {
    let mut registry = Registry::new();
    registry.tool::<Alpha>().unwrap();
    let error = registry.tool_as::<AllBad>(Overrides::new().name("no name").description("")).map(|_| ()).unwrap_err();
    let told: Vec<_> = error
        .problems()
        .iter()
        .map(|problem| (problem.code().as_str(), problem.place().map(|(side, at)| format!("{side} {}", at.as_str()))))
        .collect();
    assert_eq!(
        told,
        [
            ("INVALID_NAME", None),
            ("MISSING_DESCRIPTION", None),
            ("UNSUPPORTED_SCHEMA", Some("input ".into())),
            ("UNSUPPORTED_SCHEMA", Some("output /properties/wide/items".into())),
            ("UNSUPPORTED_SCHEMA", Some("output /properties/again".into())),
        ]
    );
    assert_eq!(error.to_string().lines().count(), 5);
    assert!(error.problems().iter().all(|problem| problem.tool() == "no name"));
    let error = registry.tool_as::<AllBad>(Overrides::new().name("alpha")).map(|_| ()).unwrap_err();
    assert_eq!(error.problems().last().unwrap().code(), &Code::DUPLICATE_TOOL, "{error}");
    assert_eq!(names(&registry), ["alpha"], "the registry is as it was");
}

#[test]
fn a_toolset_tells_the_problems_of_every_tool() {
    let error = toolset! { () => [AllBad, Alpha] }.unwrap_err();
    assert_eq!(error.problems().len(), 3);
    assert!(error.problems().iter().all(|problem| problem.tool() == "all_bad"));
}

#[test]
fn facts_that_contradict_each_other_and_times_that_are_none_are_refused() {
    let behaviour = Behaviour::new().read_only(true).destructive(true).timeout(Duration::ZERO);
    let tool = DynamicTool::new("run_code", " ", |_, _| async { Ok(serde_json::json!(null)) }).behaviour(behaviour);
    let error = Registry::new().dynamic(tool).map(|_| ()).unwrap_err();
    let codes: Vec<_> = error.problems().iter().map(|problem| problem.code().as_str()).collect();
    assert_eq!(
        codes,
        ["INVALID_NAME", "MISSING_DESCRIPTION", "INVALID_TIMEOUT", "CONTRADICTORY_FACTS", "MISSING_OUTPUT"]
    );
}

fn many(order: impl Iterator<Item = usize>) -> Registry {
    let mut registry = Registry::new();
    for index in order {
        let tool = DynamicTool::new(format!("tool_{index}"), "One of many.", |_, _| async { Ok(serde_json::json!(1)) })
            .input_schema(serde_json::json!({"type": "object", "properties": {"z": true, "a": {"type": "string"}}}))
            .output_schema(serde_json::json!({"type": "integer"}))
            .title(format!("The \"{index}\"th"));
        registry.dynamic(tool).unwrap();
    }
    registry.tool::<Alpha>().unwrap();
    registry
}

#[test]
fn the_list_is_the_same_bytes_in_whatever_order_and_threads_tools_were_registered() {
    let list = |registry: &Registry| serde_json::to_string(&registry.specs().collect::<Vec<_>>()).unwrap();
    let expected = list(&many(0..50));
    let lists = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|seed| scope.spawn(move || list(&many((0..50).map(|index| (index * 7 + seed * 13) % 50)))))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(lists.iter().all(|list| *list == expected));
    let listed = many(0..50);
    assert!(listed.specs_json() == expected && listed.specs_json() == expected, "written once, copied from then on");
    assert_eq!(Registry::new().specs_json(), "[]");
    assert!(
        expected.contains(r#"{"type":"object","properties":{"z":true,"a":{"type":"string"}}}"#),
        "keys keep their order"
    );

    let mut more = many(0..50);
    more.tool_as::<AlsoAlpha>(Overrides::new().name("new")).unwrap();
    let without: Vec<_> = more.names().filter(|name| *name != "new").map(str::to_owned).collect();
    assert_eq!(without, many(0..50).names().collect::<Vec<_>>(), "one tool more moves no other");
}

/// Wait to be told, then say which one it is.
#[derive(Tool)]
#[tool(output = String, render = display, name = "alpha")]
struct Waits;

#[derive(Default)]
struct Gate {
    started: Notify,
    go_on: Notify,
}

impl Execute<Gate> for Waits {
    async fn execute(&self, cx: &Context<Gate>) -> Result<String, ToolError> {
        cx.state().started.notify_one();
        cx.state().go_on.notified().await;
        Ok("the first alpha".into())
    }
}

#[tokio::test]
async fn a_call_under_way_keeps_its_tool_when_the_registry_is_replaced() {
    let gate = Arc::new(Gate::default());
    let mut registry = Registry::new();
    registry.with_shared(Arc::clone(&gate)).tool::<Waits>().unwrap();
    let dispatcher = Dispatcher::new(registry);
    let clone = dispatcher.clone();
    let replace = async {
        gate.started.notified().await;
        let mut other = Registry::new();
        other.tool::<AlsoAlpha>().unwrap();
        clone.replace_registry(other);
        assert_eq!(text(&clone, "alpha").await, "the other alpha", "the next call gets the next tool");
        clone.replace_registry(Registry::new());
        assert_eq!(code(&clone.call(ToolCall::without_arguments("c", "alpha")).await), "UNKNOWN_TOOL");
        gate.go_on.notify_one();
    };
    let (first, ()) = tokio::join!(text(&dispatcher, "alpha"), replace);
    assert_eq!(first, "the first alpha");
    assert!(dispatcher.registry().is_empty(), "a clone of a dispatcher is the same one");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_and_replacements_go_on_beside_each_other() {
    let registry = |other: bool| {
        let mut registry = Registry::new();
        if other { registry.tool::<AlsoAlpha>() } else { registry.tool::<Alpha>() }.unwrap();
        registry
    };
    let dispatcher = Dispatcher::new(registry(false));
    let calls: Vec<_> = (0..100)
        .map(|index| {
            let dispatcher = dispatcher.clone();
            let next = registry(index % 2 == 0);
            tokio::spawn(async move {
                dispatcher.replace_registry(next);
                text(&dispatcher, "alpha").await
            })
        })
        .collect();
    for call in calls {
        let text = call.await.unwrap();
        assert!(["alpha ()", "the other alpha"].contains(&text.as_str()), "{text}");
    }
}
