//! The same call again and again: what the model is told, when it is stopped, and what counts as the same.

use tests::{Decided, Seen, code, verdicts};
use tool_runtime::prelude::*;
use tool_runtime::{InvalidRepeats, JsonValue, Repair, Repairs, Repeats, Verdict, serde_json};

/// Look something up.
#[derive(Tool, serde::Serialize)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = String, render = display, read_only, parallel)]
struct Search {
    text: String,
    page: Option<u32>,
}

use tool_runtime::serde;

impl Execute for Search {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        cx.add_context("left by the body");
        Ok(format!("nothing about {}", self.text))
    }
}

/// Wait for something.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct WaitForIt {}

impl Execute for WaitForIt {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("still waiting".to_owned())
    }
}

const GENTLE: &str = "You are repeating the exact same tool call with identical arguments. Carefully analyze the previous \
                      result before calling again: if the task is not complete, try a different approach or different \
                      arguments instead of repeating the call.";

fn detailed(count: u32, arguments: &str) -> String {
    format!(
        "Repeated tool call detected:\n- tool: search\n- consecutive_calls: {count}\n- arguments: {arguments}\nThe repeated \
         calls are not making progress. Do not call this tool with these exact arguments again. Inspect the latest result \
         and choose a different action, different arguments, or finish the task if enough evidence has been gathered."
    )
}

fn plain() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<Search>().unwrap().tool::<WaitForIt>().unwrap();
    Dispatcher::new(registry)
}

fn dispatcher(repeats: Repeats) -> Dispatcher {
    plain().repeats(repeats)
}

async fn call(dispatcher: &Dispatcher, tool: &str, arguments: &str) -> ToolResult {
    dispatcher.call(ToolCall::new("call-1", tool, arguments)).await
}

async fn search(dispatcher: &Dispatcher) -> ToolResult {
    call(dispatcher, "search", r#"{"text": "rust"}"#).await
}

fn contexts(result: &ToolResult) -> Vec<String> {
    result.contexts().iter().map(Content::to_text).collect()
}

/// What the framework told the model.
fn noted(result: &ToolResult) -> Vec<String> {
    let ours = |text: &String| text.starts_with("You are repeating") || text.starts_with("Repeated tool call");
    contexts(result).into_iter().filter(ours).collect()
}

async fn is_noted(dispatcher: &Dispatcher, tool: &str, arguments: &str) -> bool {
    !noted(&call(dispatcher, tool, arguments).await).is_empty()
}

#[tokio::test]
async fn at_the_thresholds_the_model_is_told_gently_and_then_in_detail() {
    let dispatcher = dispatcher(Repeats::new());
    for count in 1..=20 {
        let result = search(&dispatcher).await;
        assert_eq!(code(&result), "OK", "nothing is vetoed");
        let told = match count {
            3 => vec![GENTLE.to_owned()],
            5 | 8 => vec![detailed(count, r#"{"text":"rust"}"#)],
            _ => Vec::new(),
        };
        assert_eq!(noted(&result), told, "{count}");
        assert!(result.trace().decisions().is_empty(), "it decides nothing");
    }
}

#[tokio::test]
async fn without_the_setting_nothing_is_said() {
    let dispatcher = plain();
    for _ in 0..10 {
        assert_eq!(contexts(&search(&dispatcher).await), ["left by the body"]);
    }
}

#[tokio::test]
async fn the_same_is_what_means_the_same() {
    let twice = || dispatcher(Repeats::new().thresholds([2]).unwrap());
    for (first, second, same) in [
        (r#"{"text":"a","page":1}"#, r#"{ "page": 1.0, "text": "a" }"#, true),
        (r#"{"text":"a","page":1}"#, r#"{"text":"a","page":2}"#, false),
        (r#"{"text":"a"}"#, r#"{"text":"a","page":null}"#, false),
        (r#"{"x":{"b":1,"a":2}}"#, r#"{"x":{"a":2,"b":1}}"#, true),
        ("", "{}", true),
        ("{}", "null", true),
        ("no JSON", "no JSON", true),
        ("no JSON", "no  JSON", false),
    ] {
        let dispatcher = twice();
        assert!(!is_noted(&dispatcher, "search", first).await);
        assert_eq!(is_noted(&dispatcher, "search", second).await, same, "{first} {second}");
    }
    let dispatcher = twice();
    assert!(!is_noted(&dispatcher, "search", "{}").await);
    assert!(!is_noted(&dispatcher, "wait_for_it", "{}").await, "another tool is another call");
    assert!(!is_noted(&dispatcher, "search", "{}").await, "only calls in a row count");
    assert!(is_noted(&dispatcher, "search", "{}").await);
}

/// Puts another text in the place of each.
struct Rewrites(std::sync::atomic::AtomicU32);

impl PrePolicy for Rewrites {
    fn name(&self) -> &'static str {
        "rewrites"
    }

    async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let page = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(PreDecision::rewrite(serde_json::json!({"text": "a", "page": page})))
    }
}

#[tokio::test]
async fn what_counts_is_what_the_model_sent_before_repairs_and_rewriting() {
    let repeats = Repeats::new().thresholds([2, 3]).unwrap();
    let repairing = dispatcher(repeats.clone()).repairs(Repairs::none().with(Repair::TrailingComma));
    assert!(!is_noted(&repairing, "search", r#"{"text": "a"}"#).await);
    assert!(!is_noted(&repairing, "search", r#"{"text": "a",}"#).await, "it was sent otherwise");
    assert!(is_noted(&repairing, "search", r#"{"text": "a",}"#).await);

    let rewriting = dispatcher(repeats).pre_policy(Rewrites(0.into()));
    assert!(!is_noted(&rewriting, "search", r#"{"text": "a"}"#).await);
    assert!(is_noted(&rewriting, "search", r#"{"text": "a"}"#).await);
    let third = noted(&call(&rewriting, "search", r#"{"text": "a"}"#).await);
    assert_eq!(third, [detailed(3, r#"{"text":"a"}"#)]);
}

struct Denies;

impl Guard for Denies {
    fn name(&self) -> &'static str {
        "denies"
    }

    fn denies(&self, _: &PolicyCall<'_>) -> Option<String> {
        Some("no".to_owned())
    }
}

#[tokio::test]
async fn refused_denied_and_unknown_calls_count_too() {
    let repeats = || dispatcher(Repeats::new().thresholds([2]).unwrap());
    for (dispatcher, tool, arguments, expected) in [
        (repeats(), "nothing", "{}", "UNKNOWN_TOOL"),
        (repeats(), "search", r#"{"txt": 1}"#, "INVALID_ARGS"),
        (repeats().guard(Denies), "search", r#"{"text": "a"}"#, "DENIED"),
    ] {
        assert_eq!(contexts(&call(&dispatcher, tool, arguments).await), Vec::<String>::new());
        let second = call(&dispatcher, tool, arguments).await;
        assert_eq!((code(&second), contexts(&second)), (expected, vec![GENTLE.to_owned()]));
    }
}

#[tokio::test]
async fn the_note_stands_before_the_contexts_of_policies_on_accept_and_on_block() {
    let with = |decision: PostDecision| {
        let decided = Decided(decision.with_context("left by the policy"));
        dispatcher(Repeats::new().thresholds([2]).unwrap()).policy(decided)
    };
    let replaced = PostDecision::replace_value(JsonValue::from("else"));
    for (decision, expected) in [
        (PostDecision::accept(), vec!["left by the body", GENTLE, "left by the policy"]),
        (PostDecision::replace_content("other"), vec!["left by the body", GENTLE, "left by the policy"]),
        (replaced, vec!["left by the body", GENTLE, "left by the policy"]),
        (PostDecision::block("withheld"), vec![GENTLE, "left by the policy"]),
    ] {
        let dispatcher = with(decision.clone());
        let first = search(&dispatcher).await;
        let second = search(&dispatcher).await;
        assert_eq!(contexts(&second), expected, "{decision:?}");
        assert_eq!(second.content(), first.content(), "the note is beside the result");
    }
}

#[tokio::test]
async fn what_the_user_says_ends_the_row() {
    let dispatcher = dispatcher(Repeats::new().thresholds([3]).unwrap());
    for _ in 0..3 {
        for _ in 0..2 {
            assert_eq!(noted(&search(&dispatcher).await), Vec::<String>::new());
        }
        dispatcher.reset_repeats();
    }
    plain().reset_repeats();
}

#[tokio::test]
async fn an_excluded_call_neither_counts_nor_ends_a_row() {
    let dispatcher = dispatcher(Repeats::new().thresholds([2, 3]).unwrap().exclude("wait_*").unwrap());
    let _ = search(&dispatcher).await;
    for _ in 0..5 {
        assert!(!is_noted(&dispatcher, "wait_for_it", "{}").await);
    }
    assert_eq!(noted(&search(&dispatcher).await), [GENTLE]);
    assert!(!is_noted(&dispatcher, "wait_for_it", "{}").await);
    assert_eq!(noted(&search(&dispatcher).await).len(), 1);

    let only = self::dispatcher(Repeats::new().thresholds([2]).unwrap().include("wait*").unwrap());
    let _ = search(&only).await;
    assert!(!is_noted(&only, "wait_for_it", "{}").await);
    assert_eq!(noted(&search(&only).await), Vec::<String>::new());
    assert!(is_noted(&only, "wait_for_it", "{}").await);
}

#[tokio::test]
async fn calls_of_programs_neither_count_nor_end_a_row() {
    let dispatcher = dispatcher(Repeats::new().thresholds([2]).unwrap().stop_at(3).unwrap());
    let _ = search(&dispatcher).await;
    for _ in 0..5 {
        let page = dispatcher.invoke(Search { text: "rust".to_owned(), page: None }).await.unwrap();
        assert_eq!(page, "nothing about rust");
    }
    assert_eq!(noted(&search(&dispatcher).await), [GENTLE]);
}

/// Search by way of the other tool.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct SearchTwice {}

impl Execute for SearchTwice {
    async fn execute(&self, cx: &Context) -> Result<usize, ToolError> {
        let text = r#"{"text": "rust"}"#;
        let one = cx.call("search", text).await;
        let two = cx.run([("search", text), ("search", text)]).await;
        Ok(two.iter().chain([&one]).map(|result| noted(result).len()).sum())
    }
}

#[tokio::test]
async fn calls_of_a_body_neither_count_nor_end_a_row() {
    let mut registry = Registry::new();
    registry.tool::<Search>().unwrap().tool::<SearchTwice>().unwrap();
    let dispatcher = Dispatcher::new(registry).repeats(Repeats::new().thresholds([2]).unwrap().stop_at(3).unwrap());
    let first = call(&dispatcher, "search_twice", "{}").await;
    assert_eq!((first.content().to_text().as_str(), noted(&first).len()), ("0", 0));
    assert_eq!(noted(&call(&dispatcher, "search_twice", "{}").await), [GENTLE]);
}

#[tokio::test]
async fn a_clone_counts_with_its_dispatcher_and_one_that_is_set_anew_for_itself() {
    let one = dispatcher(Repeats::new().thresholds([2]).unwrap());
    let clone = one.clone().policy(Decided(PostDecision::accept()));
    let own = one.clone().repeats(Repeats::new().thresholds([2]).unwrap());
    let _ = search(&one).await;
    assert_eq!(noted(&search(&own).await), Vec::<String>::new());
    assert_eq!(noted(&search(&clone).await), [GENTLE]);
}

fn turn(texts: &[&'static str]) -> Vec<ToolCall<'static>> {
    let arguments = |text: &str| serde_json::json!({"text": text}).to_string();
    (0..).zip(texts).map(|(at, text)| ToolCall::new(format!("call-{at}"), "search", arguments(text))).collect()
}

#[tokio::test]
async fn calls_of_a_batch_count_in_their_order() {
    for _ in 0..20 {
        let dispatcher = dispatcher(Repeats::new().thresholds([2, 3]).unwrap());
        let results = dispatcher.run(turn(&["a", "a", "b", "a", "a", "a"])).await;
        let told: Vec<usize> = results.iter().map(|result| noted(result).len()).collect();
        assert_eq!(told, [0, 1, 0, 0, 1, 1]);
        assert_eq!(noted(&results[5]), [detailed(3, r#"{"text":"a"}"#)]);
    }
}

#[tokio::test]
async fn the_stop_holds_in_a_batch_whose_calls_overlap() {
    let dispatcher = dispatcher(Repeats::new().stop_at(3).unwrap());
    let results = dispatcher.run(turn(&["a", "a", "a", "a", "b", "a"])).await;
    let codes: Vec<&str> = results.iter().map(code).collect();
    assert_eq!(codes, ["OK", "OK", "REPEATED_CALL", "REPEATED_CALL", "OK", "OK"]);
}

#[tokio::test]
async fn what_is_stopped_is_not_run_and_says_what_to_do() {
    let seen = Seen::default();
    let dispatcher = dispatcher(Repeats::new().thresholds([2]).unwrap().stop_at(3).unwrap()).observer(seen.clone());
    for _ in 0..3 {
        let _ = search(&dispatcher).await;
    }
    let stopped = search(&dispatcher).await;
    assert_eq!(
        stopped.content().to_text(),
        "Error [REPEATED_CALL]: tool \"search\" was called 4 times in a row with identical arguments, so this call was not \
         run; use other arguments or another tool, or finish with what you have"
    );
    assert_eq!(verdicts(&stopped), [("repeats", Verdict::Denied)]);
    assert_eq!(contexts(&stopped), Vec::<String>::new(), "the body was not entered, and the error is the note");
    assert_eq!(code(&call(&dispatcher, "search", r#"{"text": "else"}"#).await), "OK");
    assert_eq!(code(&search(&dispatcher).await), "OK");
    assert_eq!(seen.codes(), ["OK", "OK", "REPEATED_CALL", "REPEATED_CALL", "OK", "OK"]);
    for _ in 0..2 {
        let _ = search(&dispatcher).await;
    }
    dispatcher.reset_repeats();
    assert_eq!(code(&search(&dispatcher).await), "OK");
}

#[tokio::test]
async fn calls_that_can_t_run_are_stopped_too_but_not_those_that_were_cancelled() {
    let dispatcher = dispatcher(Repeats::new().stop_at(2).unwrap());
    for (tool, arguments, first) in [("nothing", "{}", "UNKNOWN_TOOL"), ("search", "no JSON", "INVALID_ARGS")] {
        assert_eq!(code(&call(&dispatcher, tool, arguments).await), first);
        assert_eq!(code(&call(&dispatcher, tool, arguments).await), "REPEATED_CALL");
    }
    let options = CallOptions::default();
    options.cancellation.cancel();
    let cancelled = dispatcher.call_with(ToolCall::new("call-1", "search", "no JSON"), options).await;
    assert_eq!(code(&cancelled), "ABORTED_BEFORE_DISPATCH");
}

#[tokio::test]
async fn policies_see_what_was_stopped() {
    struct Explains;

    impl PostPolicy for Explains {
        fn name(&self) -> &'static str {
            "explains"
        }

        async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
            Ok(PostDecision::accept())
        }

        async fn on_failure(&self, call: &PolicyCall<'_>, failure: &Failure) -> Result<FailureDecision, ToolError> {
            assert!(call.arguments().is_none(), "they were not looked at");
            Ok(FailureDecision::accept().with_context(format!("{} is stopped", failure.tool_name())))
        }
    }

    let dispatcher = dispatcher(Repeats::new().stop_at(2).unwrap()).policy(Explains);
    let _ = search(&dispatcher).await;
    assert_eq!(contexts(&search(&dispatcher).await), ["search is stopped"]);
}

#[test]
fn settings_that_make_no_sense_are_refused_with_a_remedy() {
    for (refused, sentence) in [
        (Repeats::new().thresholds([]), "there is no threshold; name at least one, or leave repeats out"),
        (Repeats::new().thresholds([1, 3]), "a call is repeated from the second on, so 1 is too low; take 2 or more"),
        (Repeats::new().thresholds([3, 3]), "the threshold 3 stands there twice; name each once"),
        (Repeats::new().stop_at(0), "a call is repeated from the second on, so 0 is too low; take 2 or more"),
        (
            Repeats::new().exclude("fs.*"),
            "no tool is named like \"fs.*\"; a pattern has letters, digits, `_` and `-`, and `*` for any of them",
        ),
    ] {
        let error: InvalidRepeats = refused.unwrap_err();
        assert_eq!(error.to_string(), sentence);
    }
}
