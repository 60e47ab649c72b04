//! Calls that say what they touch: they overlap with all that they don't conflict with, and with nothing else.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tests::{code, quiet_panics};
use tokio::time::{Instant, sleep};
use tool_runtime::prelude::*;
use tool_runtime::{Problem, serde_json};

/// What happened, and when it did, in seconds.
#[derive(Clone)]
struct Log(Instant, Arc<Mutex<Vec<String>>>);

impl Log {
    fn new() -> Self {
        Self(Instant::now(), Arc::default())
    }

    fn note(&self, what: &str) {
        self.1.lock().unwrap().push(format!("{} {what}", self.0.elapsed().as_secs()));
    }

    fn lines(&self) -> String {
        self.1.lock().unwrap().join(", ")
    }

    async fn work(&self, id: &str) -> Result<String, ToolError> {
        self.note(&format!("+{id}"));
        sleep(Duration::from_secs(1)).await;
        self.note(&format!("-{id}"));
        Ok(id.to_owned())
    }
}

/// Look at some places, and change others.
#[derive(Tool)]
#[tool(output = String, render = display, resources)]
struct Touch {
    #[serde(default)]
    reads: Vec<String>,
    #[serde(default)]
    writes: Vec<String>,
}

impl Resources for Touch {
    fn resources(&self) -> Vec<Access> {
        assert!(!self.writes.iter().any(|key| key == "panic"), "on purpose");
        self.reads.iter().map(Access::read).chain(self.writes.iter().map(Access::write)).collect()
    }
}

/// Look around.
#[derive(Tool)]
#[tool(output = String, render = display, parallel)]
struct Look {}

/// Change everything.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Alone {}

impl Execute<Log> for Touch {
    async fn execute(&self, cx: &Context<Log>) -> Result<String, ToolError> {
        cx.state().work(cx.call_id()).await
    }
}

impl Execute<Log> for Look {
    async fn execute(&self, cx: &Context<Log>) -> Result<String, ToolError> {
        cx.state().work(cx.call_id()).await
    }
}

impl Execute<Log> for Alone {
    async fn execute(&self, cx: &Context<Log>) -> Result<String, ToolError> {
        cx.state().work(cx.call_id()).await
    }
}

fn dispatcher(log: &Log) -> Dispatcher {
    Dispatcher::new(toolset! { log.clone() => [Touch, Look, Alone] }.unwrap())
}

fn writes(id: &'static str, key: &str) -> ToolCall<'static> {
    ToolCall::new(id, "touch", serde_json::json!({"writes": [key]}).to_string())
}

fn reads(id: &'static str, key: &str) -> ToolCall<'static> {
    ToolCall::new(id, "touch", serde_json::json!({"reads": [key]}).to_string())
}

async fn order(calls: Vec<ToolCall<'_>>) -> String {
    let log = Log::new();
    let results = dispatcher(&log).run(calls).await;
    assert!(results.iter().all(ToolResult::is_success), "{results:?}");
    log.lines()
}

#[tokio::test(start_paused = true)]
async fn two_writes_of_different_places_overlap_and_two_of_one_do_not() {
    let order_of_two = order(vec![writes("1", "files/a"), writes("2", "files/b")]).await;
    assert_eq!(order_of_two, "0 +1, 0 +2, 1 -1, 1 -2");
    let order_of_one = order(vec![writes("1", "files/a"), writes("2", "files/a")]).await;
    assert_eq!(order_of_one, "0 +1, 1 -1, 1 +2, 2 -2");
}

#[tokio::test(start_paused = true)]
async fn readers_overlap_and_a_writer_waits_for_their_results() {
    let calls = vec![reads("1", "files/a"), reads("2", "files"), writes("3", "files/a"), reads("4", "files/b")];
    // The fourth conflicts with none of them; but calls start in their order.
    assert_eq!(order(calls).await, "0 +1, 0 +2, 1 -1, 1 -2, 1 +3, 1 +4, 2 -3, 2 -4");
}

#[tokio::test(start_paused = true)]
async fn calls_that_conflict_with_nothing_run_beside_them_and_others_alone() {
    let look = |id| ToolCall::new(id, "look", "{}");
    let nothing = ToolCall::new("3", "touch", "{}");
    let calls =
        vec![writes("1", "a"), look("2"), nothing, ToolCall::new("4", "alone", "{}"), writes("5", "a"), look("6")];
    let expected = "0 +1, 0 +2, 0 +3, 1 -1, 1 -2, 1 -3, 1 +4, 2 -4, 2 +5, 2 +6, 3 -5, 3 -6";
    assert_eq!(order(calls).await, expected);
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_the_results_of_those_it_conflicts_with_and_not_only_for_their_bodies() {
    struct Slow;
    impl PostPolicy for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }
        async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
            sleep(Duration::from_secs(5)).await;
            Ok(PostDecision::accept())
        }
    }
    let log = Log::new();
    dispatcher(&log).policy(Slow).run(vec![writes("1", "a"), writes("2", "a")]).await;
    assert_eq!(log.lines(), "0 +1, 1 -1, 6 +2, 7 -2");
}

#[tokio::test(start_paused = true)]
async fn resources_are_asked_of_the_arguments_that_are_about_to_run() {
    /// Sends every write elsewhere.
    struct Elsewhere;
    impl PrePolicy for Elsewhere {
        fn name(&self) -> &'static str {
            "elsewhere"
        }
        async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
            Ok(PreDecision::rewrite(serde_json::json!({"writes": [call.call_id()]})))
        }
    }
    let log = Log::new();
    dispatcher(&log).pre_policy(Elsewhere).run(vec![writes("1", "a"), writes("2", "a")]).await;
    assert_eq!(log.lines(), "0 +1, 0 +2, 1 -1, 1 -2");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_cannot_say_what_it_touches_runs_alone_and_says_so() {
    quiet_panics();
    let log = Log::new();
    let results = dispatcher(&log).run(vec![writes("1", "a"), writes("2", "panic"), writes("3", "b")]).await;
    assert_eq!(log.lines(), "0 +1, 1 -1, 1 +2, 2 -2, 2 +3, 3 -3");
    let warnings = results[1].trace().warnings();
    assert_eq!(warnings, ["the call ran alone, since naming its resources panicked: on purpose"]);
    assert!(results[0].trace().warnings().is_empty() && results[2].is_success());
    assert!(dispatcher(&log).call(writes("4", "panic")).await.trace().warnings().is_empty(), "asked in a batch only");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_another_is_not_entered_once_it_is_cancelled() {
    let log = Log::new();
    let dispatcher = dispatcher(&log);
    let options = CallOptions::default();
    let batch = dispatcher.batch(vec![writes("1", "a"), writes("2", "a"), writes("3", "b")], options.clone());
    let cancel = async {
        sleep(Duration::from_millis(500)).await;
        options.cancellation.cancel();
    };
    let (results, ()) = tokio::join!(batch.all(), cancel);
    let codes: Vec<&str> = results.iter().map(code).collect();
    assert_eq!(codes, ["ABORTED", "ABORTED_BEFORE_DISPATCH", "ABORTED_BEFORE_DISPATCH"]);
    assert_eq!(log.lines(), "0 +1, 1 -1");
}

fn keyed(name: &str, log: &Log) -> DynamicTool {
    let log = log.clone();
    DynamicTool::new(name, "Write a row.", move |_, cx| {
        let log = log.clone();
        async move { Ok(log.work(cx.call_id()).await?.into()) }
    })
    .input_schema(serde_json::json!({"type": "object", "properties": {"row": {"type": "string"}}, "required": ["row"]}))
    .output_schema(serde_json::json!({"type": "string"}))
    .resources(|arguments| vec![Access::write(format!("rows/{}", arguments["row"].as_str().unwrap_or_default()))])
}

#[tokio::test(start_paused = true)]
async fn a_dynamic_tool_names_its_resources_too_and_keys_are_shared_by_all_tools() {
    let log = Log::new();
    let mut registry = dispatcher(&log).registry();
    registry.dynamic(keyed("row", &log)).unwrap();
    let row = |id, row| ToolCall::new(id, "row", format!(r#"{{"row":"{row}"}}"#));
    Dispatcher::new(registry).run(vec![row("1", "x"), row("2", "y"), row("3", "x"), writes("4", "rows/x")]).await;
    assert_eq!(log.lines(), "0 +1, 0 +2, 1 -1, 1 -2, 1 +3, 2 -3, 2 +4, 3 -4");
}

#[test]
fn a_tool_that_is_parallel_and_names_resources_is_refused() {
    let log = Log::new();
    let parallel = keyed("row", &log).behaviour(Behaviour::new().parallel(true));
    let error = Registry::new().dynamic(parallel).unwrap_err();
    let problems: Vec<String> = error.problems().iter().map(Problem::to_string).collect();
    let said = "it is parallel, so its calls conflict with none, and names resources by which they do; drop `parallel`";
    assert_eq!(problems, [format!("tool \"row\" [CONTRADICTORY_FACTS]: {said}")]);
}
