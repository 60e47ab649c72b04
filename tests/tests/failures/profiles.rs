//! How each failure reads, in both profiles.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::time::Duration;

use serde_json::{Value, json};
use tests::quiet_panics;
use tokio::time::Instant;
use tool_runtime::Repeats;
use tool_runtime::prelude::*;
use tool_runtime::seam::{Journal, JournalCall, JournalEnd, JournalHandle, Recording};
use tower::timeout::TimeoutLayer;

#[derive(ToolFailure)]
enum Own {
    #[failure(code = "NO_ROOM", "the disk is full; delete something", details)]
    NoRoom { left: String, source: std::io::Error },
}

/// Fail in some way.
#[derive(Tool)]
#[tool(output = f64, render = display, failure = Own, timeout = "1s")]
struct Fail {
    how: String,
}

impl Execute for Fail {
    async fn execute(&self, cx: &Context) -> Result<f64, ToolError> {
        match self.how.as_str() {
            "own" => Err(Own::NoRoom { left: "det-1".into(), source: std::io::Error::other("src-1") })?,
            "error" => Ok(self.how.parse::<f64>()?),
            "boxed" => {
                let boxed: Box<dyn StdError + Send + Sync> = "plain words".into();
                Err(ToolError::from_boxed(boxed))
            }
            "message" => Err(ToolError::msg("a sentence of its own")),
            "panic" => panic!("boom on purpose"),
            "panic without text" => std::panic::panic_any(7_u8),
            "wait" => {
                cx.cancelled().await;
                Err(ToolError::aborted())
            }
            "nested" => Err(cx.call("fail", "{}").await.into_result().unwrap_err().into_error()),
            "no number" => Ok(f64::NAN),
            _ => Ok(1.0),
        }
    }
}

/// Judges by the name of the call.
struct Judge;

impl PrePolicy for Judge {
    fn name(&self) -> &'static str {
        "judge"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        Ok(match call.call_id() {
            "DENIED" => PreDecision::deny("not on a Sunday"),
            "APPROVAL_REJECTED" | "APPROVAL_UNAVAILABLE" => PreDecision::ask("is it needed?"),
            "POLICY_FAILED" => Err(ToolError::msg("the secret is 42"))?,
            _ => PreDecision::allow(),
        })
    }
}

impl Approver for Judge {
    fn name(&self) -> &'static str {
        "person"
    }

    async fn approve(&self, request: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        let rejects = request.call_id() == "APPROVAL_REJECTED";
        Ok(if rejects { Approval::Rejected { reason: Some("too dear".into()) } } else { Approval::Unavailable })
    }
}

impl PostPolicy for Judge {
    fn name(&self) -> &'static str {
        "judge"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        let blocks = call.call_id() == "BLOCKED";
        Ok(if blocks { PostDecision::block("Ask for the summary.") } else { PostDecision::accept() })
    }
}

/// A journal that takes nothing.
struct Broken;

impl Journal for Broken {
    fn called<'a>(&'a self, _: &'a JournalCall<'a>) -> Recording<'a> {
        Box::pin(async { Err(ToolError::msg("no room on src-1")) })
    }

    fn ended<'a>(&'a self, _: &'a JournalCall<'a>, _: &'a JournalEnd<'a>) -> Recording<'a> {
        Box::pin(async { Ok(()) })
    }

    fn dropped(&self, _: &JournalCall<'_>) {}
}

async fn failed(profile: TextProfile, code: &str, how: &str) -> ToolResult {
    quiet_panics();
    let mut registry = Registry::new();
    registry.tool::<Fail>().unwrap();
    let limits = Limits { nested_calls: 0, ..Limits::default() };
    let dispatcher =
        Dispatcher::new(registry).limits(limits).text_profile(profile).pre_policy(Judge).approver(Judge).policy(Judge);
    let dispatcher = match code {
        "LAYER_FAILED" => dispatcher.layer(TimeoutLayer::new(Duration::from_millis(1))),
        "REPEATED_CALL" => {
            let dispatcher = dispatcher.repeats(Repeats::new().stop_at(2).unwrap());
            let _ = dispatcher.call(ToolCall::new(code, "fail", json!({ "how": how }).to_string())).await;
            dispatcher
        }
        _ => dispatcher,
    };
    let name = if code == "UNKNOWN_TOOL" { "fial" } else { "fail" };
    let arguments = if code == "INVALID_ARGS" { Value::Null } else { json!({ "how": how }) };
    let options = CallOptions::default();
    let options = match code {
        "LOG_FAILED" => CallOptions { journal: Some(JournalHandle::new(Broken)), ..options },
        _ => options,
    };
    match code {
        "ABORTED_BEFORE_DISPATCH" => options.cancellation.cancel(),
        "ABORTED" => {
            let cancellation = options.cancellation.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(1)).await;
                cancellation.cancel();
            });
        }
        _ => {}
    }
    dispatcher.call_with(ToolCall::new(code, name, arguments.to_string()), options).await
}

/// A way to each code that stands in a result, and the sentence.
const WAYS: [(&str, &str, &str); 21] = [
    ("UNKNOWN_TOOL", "", r#"unknown tool "fial"; did you mean "fail"?"#),
    ("ABORTED_BEFORE_DISPATCH", "", "tool call aborted before dispatch"),
    ("INVALID_ARGS", "", r#"invalid arguments: missing required property "/how""#),
    ("DENIED", "", "not on a Sunday"),
    ("APPROVAL_REJECTED", "", r#"the user rejected tool "fail": too dear"#),
    ("APPROVAL_UNAVAILABLE", "", r#"tool "fail" requires approval, but no approval channel is available"#),
    ("POLICY_FAILED", "", r#"the policy "judge" failed, so the call was denied; the tool has not run"#),
    (
        "REPEATED_CALL",
        "",
        "tool \"fail\" was called 2 times in a row with identical arguments, so this call was not run; use other arguments or \
         another tool, or finish with what you have",
    ),
    (
        "LOG_FAILED",
        "",
        "the call could not be recorded in the session's log, so the tool has not run; do not go on without telling the user",
    ),
    ("EXECUTION_ERROR", "error", "invalid float literal"),
    ("EXECUTION_ERROR", "boxed", "plain words"),
    ("EXECUTION_ERROR", "message", "a sentence of its own"),
    ("PANICKED", "panic", r#"tool "fail" panicked: boom on purpose"#),
    ("PANICKED", "panic without text", r#"tool "fail" panicked: no text"#),
    ("LAYER_FAILED", "wait", "a layer around the tool failed: request timed out"),
    ("NESTED_TOO_DEEP", "nested", "tools may call one another 0 deep, and this call would be deeper"),
    ("TIMEOUT", "wait", "tool call timed out after 1000ms"),
    ("ABORTED", "wait", "tool call aborted"),
    (
        "INVALID_TOOL_OUTPUT",
        "no number",
        r#"tool "fail" returned invalid output: the value is NaN, which JSON cannot say"#,
    ),
    ("BLOCKED", "", "Ask for the summary."),
    ("NO_ROOM", "own", "the disk is full; delete something"),
];

/// What follows the sentence where a body was entered, and did not itself say how it ended.
const RAN: &str = "; the tool has run and may have changed something: check before you call it again";
const AFTER_RUNNING: [&str; 4] = ["PANICKED", "LAYER_FAILED", "TIMEOUT", "INVALID_TOOL_OUTPUT"];

#[tokio::test(start_paused = true)]
async fn each_failure_reads_the_same_each_time_with_its_code_or_without() {
    for (code, how, sentence) in WAYS {
        let sentence = if AFTER_RUNNING.contains(&code) { format!("{sentence}{RAN}") } else { sentence.to_owned() };
        let coded = failed(TextProfile::Coded, code, how).await;
        let plain = failed(TextProfile::Plain, code, how).await;
        for result in [&coded, &plain] {
            assert_eq!(
                (tests::code(result), result.failure().unwrap().error().message()),
                (code, sentence.as_str()),
                "{how}"
            );
            assert!(result.content().notice().is_none());
            let sent = format!("{:?} {:?}", result.content(), result.contexts());
            assert!(!sent.contains("det-1") && !sent.contains("src-1"), "{sent}");
        }
        // The feedback of a policy is its own words, for the model as they stand.
        let (told_coded, told_plain) = if code == "BLOCKED" {
            (sentence.clone(), sentence.clone())
        } else {
            (format!("Error [{code}]: {sentence}"), format!("Error: {sentence}"))
        };
        assert_eq!((coded.content().to_text(), plain.content().to_text()), (told_coded, told_plain), "{how}");
    }
}

#[test]
fn there_is_a_way_to_every_code_that_stands_in_a_result() {
    let ways: BTreeSet<&str> = WAYS.iter().map(|(code, ..)| *code).filter(|code| *code != "NO_ROOM").collect();
    // The bridge's have their ways in the tests of the bridge, against servers that lead there, and those of a repair in its own.
    let by_a_host = |meaning: &str| {
        ["Registration", "Restriction", "Repair", "Bridge"].iter().any(|at| meaning.trim().starts_with(at))
    };
    let in_results = Code::TABLE.iter().filter(|(_, meaning)| !by_a_host(meaning));
    assert_eq!(ways, in_results.map(|(code, _)| *code).collect());
}

/// The deadline of a caller that had passed before the body was entered has a sentence of its own.
#[tokio::test(start_paused = true)]
async fn a_deadline_that_has_passed_reads_otherwise() {
    let dispatcher = tests::dispatcher_of::<Fail>();
    let options = CallOptions { deadline: Some(Instant::now().into_std()), ..CallOptions::default() };
    let result = dispatcher.call_with(ToolCall::new("late", "fail", r#"{"how": ""}"#), options).await;
    assert_eq!(result.content().to_text(), "Error [TIMEOUT]: the time for this call was over before the tool ran");
}
