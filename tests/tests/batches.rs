//! The calls of one turn: which overlap, which run alone, and in which order everything else happens.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tests::{Seen, code, quiet_panics};
use tokio::time::{Instant, sleep};
use tool_runtime::prelude::*;
use tool_runtime::{Overrides, serde_json};

/// What happened, and when it did, in seconds.
#[derive(Clone)]
struct Log {
    start: Instant,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Log {
    fn new() -> Self {
        Self { start: Instant::now(), lines: Arc::default() }
    }

    fn note(&self, what: impl Into<String>) {
        self.lines.lock().unwrap().push(format!("{} {}", self.start.elapsed().as_secs(), what.into()));
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap())
    }
}

/// Work for some seconds, beside others.
#[derive(Tool)]
#[tool(output = String, render = display, parallel)]
struct Read {
    id: String,
    seconds: u64,
}

/// Work for some seconds, alone.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Write {
    id: String,
    seconds: u64,
}

async fn work(cx: &Context<Log>, id: &str, seconds: u64) -> Result<String, ToolError> {
    cx.state().note(format!("+{id}"));
    assert_ne!(id, "panics", "on purpose");
    tokio::select! {
        () = sleep(Duration::from_secs(seconds)) => {}
        () = cx.cancelled() => {
            cx.state().note(format!("!{id}"));
            return Err(ToolError::msg("stopped"));
        }
    }
    cx.state().note(format!("-{id}"));
    Ok(id.to_owned())
}

impl Execute<Log> for Read {
    async fn execute(&self, cx: &Context<Log>) -> Result<String, ToolError> {
        work(cx, &self.id, self.seconds).await
    }
}

impl Execute<Log> for Write {
    async fn execute(&self, cx: &Context<Log>) -> Result<String, ToolError> {
        work(cx, &self.id, self.seconds).await
    }
}

/// Notes which call it judges, before and after.
struct Notes(Log);

impl PrePolicy for Notes {
    fn name(&self) -> &'static str {
        "notes"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        self.0.note(format!("?{}", call.call_id()));
        let denied = call.call_id() == "denied";
        Ok(if denied { PreDecision::deny("no") } else { PreDecision::allow() })
    }
}

impl PostPolicy for Notes {
    fn name(&self) -> &'static str {
        "notes"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        self.0.note(format!("={}", call.call_id()));
        Ok(PostDecision::accept())
    }

    async fn on_failure(&self, call: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        self.0.note(format!("={}", call.call_id()));
        Ok(FailureDecision::accept())
    }
}

fn registry(log: &Log) -> Registry {
    let mut registry = Registry::new();
    registry.with(log.clone()).tool::<Read>().unwrap().tool::<Write>().unwrap();
    registry
}

fn dispatcher(log: &Log) -> Dispatcher {
    Dispatcher::new(registry(log))
}

/// `r` reads, `w` writes: `r1 3` is a read with the id `r1` for three seconds.
fn calls(of: &[(&str, u64)]) -> Vec<ToolCall<'static>> {
    let call = |&(id, seconds): &(&str, u64)| {
        let tool = if id.starts_with('w') { "write" } else { "read" };
        ToolCall::new(id.to_owned(), tool, serde_json::json!({"id": id, "seconds": seconds}).to_string())
    };
    of.iter().map(call).collect()
}

fn texts(results: &[ToolResult]) -> Vec<String> {
    results.iter().map(|result| format!("{} {}", result.call_id(), result.content().to_text())).collect()
}

#[tokio::test(start_paused = true)]
async fn parallel_calls_overlap_and_results_come_in_the_order_of_the_calls() {
    let log = Log::new();
    let results = dispatcher(&log).run(calls(&[("r1", 3), ("r2", 1), ("r3", 2)])).await;
    assert_eq!(texts(&results), ["r1 r1", "r2 r2", "r3 r3"]);
    assert_eq!(log.lines(), ["0 +r1", "0 +r2", "0 +r3", "1 -r2", "2 -r3", "3 -r1"]);
}

#[tokio::test(start_paused = true)]
async fn any_other_call_runs_alone_between_those_before_and_those_after_it() {
    let log = Log::new();
    let results =
        dispatcher(&log).run(calls(&[("r1", 2), ("r2", 1), ("w1", 1), ("w2", 1), ("r3", 1), ("r4", 1)])).await;
    assert!(results.iter().all(ToolResult::is_success));
    let order = "0 +r1, 0 +r2, 1 -r2, 2 -r1, 2 +w1, 3 -w1, 3 +w2, 4 -w2, 4 +r3, 4 +r4, 5 -r3, 5 -r4";
    assert_eq!(log.lines().join(", "), order);
}

#[tokio::test(start_paused = true)]
async fn no_more_bodies_run_at_a_time_than_the_limit_says() {
    for most in [0, 1, 2, 3] {
        let log = Log::new();
        let limits = Limits { parallel_calls: most, ..Limits::default() };
        dispatcher(&log).limits(limits).run(calls(&[("r1", 1), ("r2", 1), ("r3", 1), ("r4", 1), ("r5", 1)])).await;
        assert_eq!(log.start.elapsed().as_secs(), 5_u64.div_ceil(most.max(1) as u64));
        let mut running = 0_usize;
        for line in log.lines() {
            running = if line.contains('+') { running + 1 } else { running - 1 };
            assert!(running <= most.max(1));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn calls_and_results_are_judged_one_at_a_time_in_the_order_of_the_calls() {
    let log = Log::new();
    let dispatcher = dispatcher(&log).pre_policy(Notes(log.clone())).policy(Notes(log.clone()));
    dispatcher.run(calls(&[("r1", 2), ("r2", 1), ("denied", 1), ("w1", 1)])).await;
    let order =
        "0 ?r1, 0 +r1, 0 ?r2, 0 +r2, 0 ?denied, 1 -r2, 2 -r1, 2 =r1, 2 =r2, 2 =denied, 2 ?w1, 2 +w1, 3 -w1, 3 =w1";
    assert_eq!(log.lines().join(", "), order);
}

#[tokio::test(start_paused = true)]
async fn bodies_go_on_while_a_call_is_judged_and_while_a_result_is() {
    struct Slow;
    impl PrePolicy for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }
        async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
            sleep(Duration::from_secs(3)).await;
            Ok(PreDecision::allow())
        }
    }
    impl PostPolicy for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }
        async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
            sleep(Duration::from_secs(3)).await;
            Ok(PostDecision::accept())
        }
    }
    let log = Log::new();
    dispatcher(&log).pre_policy(Slow).policy(Slow).run(calls(&[("r1", 1), ("r2", 2)])).await;
    assert_eq!(log.lines(), ["3 +r1", "4 -r1", "6 +r2", "8 -r2"]);
    assert_eq!(log.start.elapsed().as_secs(), 11, "r1 is judged from 4 to 7, r2 from 8 to 11");
}

#[tokio::test(start_paused = true)]
async fn a_result_is_there_as_soon_as_it_and_all_before_it_are() {
    let log = Log::new();
    let dispatcher = dispatcher(&log);
    let mut batch = dispatcher.batch(calls(&[("r1", 2), ("r2", 1), ("r3", 5)]), CallOptions::default());
    let mut seen = Vec::new();
    while let Some(result) = batch.next().await {
        seen.push(format!("{} {}", log.start.elapsed().as_secs(), result.call_id()));
    }
    assert_eq!(seen, ["2 r1", "2 r2", "5 r3"]);
    assert!(batch.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn cancelling_ends_what_runs_and_every_other_call_gets_its_result_without_running() {
    let log = Log::new();
    let seen = Seen::default();
    let dispatcher = dispatcher(&log).observer(seen.clone());
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let batch = dispatcher.batch(calls(&[("r1", 1), ("r2", 9), ("w1", 1), ("r3", 1)]), options);
    let cancel = async {
        sleep(Duration::from_secs(3)).await;
        cancellation.cancel();
    };
    let (results, ()) = tokio::join!(batch.all(), cancel);
    let codes: Vec<&str> = results.iter().map(code).collect();
    assert_eq!(codes, ["OK", "EXECUTION_ERROR", "ABORTED_BEFORE_DISPATCH", "ABORTED_BEFORE_DISPATCH"]);
    assert_eq!(results.iter().map(ToolResult::call_id).collect::<Vec<_>>(), ["r1", "r2", "w1", "r3"]);
    assert_eq!(log.lines(), ["0 +r1", "0 +r2", "1 -r1", "3 !r2"]);
    assert_eq!(seen.codes(), codes, "each is published once, in order");
}

#[tokio::test(start_paused = true)]
async fn calls_that_cannot_run_hold_nobody_up() {
    let log = Log::new();
    let mut wrong = calls(&[("r1", 2), ("r2", 1)]);
    wrong.insert(1, ToolCall::new("unknown", "erase", "{}"));
    wrong.insert(2, ToolCall::new("wrong", "read", "{}"));
    let results = dispatcher(&log).run(wrong).await;
    assert_eq!(results.iter().map(code).collect::<Vec<_>>(), ["OK", "UNKNOWN_TOOL", "INVALID_ARGS", "OK"]);
    assert_eq!(log.lines(), ["0 +r1", "0 +r2", "1 -r2", "2 -r1"]);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_panics_takes_no_other_with_it() {
    quiet_panics();
    let log = Log::new();
    let mut batch = calls(&[("r1", 1), ("panics", 1), ("w1", 1)]);
    batch.push(ToolCall::new("panics", "write", r#"{"id":"panics","seconds":1}"#));
    batch.extend(calls(&[("r2", 1)]));
    let results = dispatcher(&log).run(batch).await;
    assert_eq!(results.iter().map(code).collect::<Vec<_>>(), ["OK", "PANICKED", "OK", "PANICKED", "OK"]);
}

/// A tool that takes the parallel one's place while the batch runs.
struct Replace(Dispatcher, Registry);

#[tokio::test(start_paused = true)]
async fn what_a_tool_allows_beside_it_is_asked_again_before_each_call_starts() {
    /// Put another registry in the place of this one.
    #[derive(Tool)]
    #[tool(output = String, render = display, parallel)]
    struct Swap {}
    impl Execute<Arc<Mutex<Option<Replace>>>> for Swap {
        async fn execute(&self, cx: &Context<Arc<Mutex<Option<Replace>>>>) -> Result<String, ToolError> {
            if let Some(Replace(dispatcher, registry)) = cx.state().lock().unwrap().take() {
                dispatcher.replace_registry(registry);
            }
            Ok("swapped".into())
        }
    }
    let log = Log::new();
    let swap = Arc::new(Mutex::new(None));
    let mut first = registry(&log);
    first.with(Arc::clone(&swap)).tool::<Swap>().unwrap();
    let mut second = Registry::new();
    second.with(log.clone()).tool_as::<Write>(Overrides::new().name("read")).unwrap();
    let dispatcher = Dispatcher::new(first);
    *swap.lock().unwrap() = Some(Replace(dispatcher.clone(), second));

    let mut batch = calls(&[("r1", 2), ("r2", 1), ("r3", 1)]);
    batch.insert(1, ToolCall::new("swap", "swap", "{}"));
    let results = dispatcher.run(batch).await;
    assert!(results.iter().all(ToolResult::is_success), "{:?}", texts(&results));
    assert_eq!(log.lines(), ["0 +r1", "2 -r1", "2 +r2", "3 -r2", "3 +r3", "4 -r3"]);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_is_dropped_drops_the_bodies_that_run() {
    let log = Log::new();
    let dispatcher = dispatcher(&log);
    let batch = dispatcher.batch(calls(&[("r1", 9), ("w1", 1)]), CallOptions::default()).all();
    assert!(tokio::time::timeout(Duration::from_secs(2), batch).await.is_err());
    sleep(Duration::from_secs(20)).await;
    assert_eq!(log.take(), ["0 +r1"]);
    assert!(dispatcher.run(calls(&[("w2", 0)])).await[0].is_success(), "nothing of it is left behind");
}

#[tokio::test(start_paused = true)]
async fn an_empty_batch_is_over_and_a_large_one_ends() {
    let log = Log::new();
    assert!(dispatcher(&log).run(Vec::new()).await.is_empty());
    let many: Vec<(String, u64)> = (0..500).map(|index| (format!("r{index}"), index % 7)).collect();
    let many: Vec<(&str, u64)> = many.iter().map(|(id, seconds)| (id.as_str(), *seconds)).collect();
    let results = dispatcher(&log).run(calls(&many)).await;
    assert_eq!(results.len(), 500);
    assert!(results.iter().zip(&many).all(|(result, (id, _))| result.is_success() && result.call_id() == *id));
}
