//! Policies that know a tool's types, policies beside each other, and what of a replaced or withheld value is left.

use std::sync::{Arc, Mutex};

use serde::Serialize;
use tests::{Decided, Seen, code, dispatcher_of, quiet_panics, verdicts};
use tool_runtime::prelude::*;
use tool_runtime::{Overrides, Verdict, serde_json};

/// Read a setting.
#[derive(Tool, Serialize)]
#[tool(output = Setting, present)]
struct ReadSetting {
    name: String,
}

#[tool_output]
#[derive(Debug, PartialEq)]
struct Setting {
    text: String,
    #[schemars(range(max = 9))]
    uses: u8,
}

impl Execute for ReadSetting {
    async fn execute(&self, cx: &Context) -> Result<Setting, ToolError> {
        if self.name == "missing" {
            return Err(ToolError::new(Code::new("NO_SETTING"), "no such setting"));
        }
        cx.add_context("left by the body");
        cx.conclude_turn();
        Ok(Setting { text: format!("{}=sk-1", self.name), uses: 3 })
    }
}

impl Render for ReadSetting {
    fn render(&self, setting: &Setting) -> Content {
        Content::text(format!("{} ({} uses)", setting.text, setting.uses))
    }
}

impl Present for ReadSetting {
    type Meta = String;

    fn meta(&self, setting: &Setting) -> String {
        setting.text.to_uppercase()
    }
}

/// Another tool.
#[derive(Tool)]
#[tool(output = Setting, render = json)]
struct Other {}

impl Execute for Other {
    async fn execute(&self, _: &Context) -> Result<Setting, ToolError> {
        Ok(Setting { text: "other=sk-1".into(), uses: 1 })
    }
}

/// Takes secrets out, by the tool's types.
#[derive(Default)]
struct Redact {
    lines: Arc<Mutex<Vec<String>>>,
    uses: Option<u8>,
}

impl TypedPolicy<ReadSetting> for Redact {
    fn name(&self) -> &'static str {
        "redact"
    }

    async fn on_success(
        &self,
        arguments: &ReadSetting,
        value: &Setting,
        success: &Success,
    ) -> Result<PostDecision<Setting>, ToolError> {
        self.lines.lock().unwrap().push(format!("{} {} {}", success.tool_name(), arguments.name, value.text));
        let text = value.text.replace("sk-1", "***");
        Ok(PostDecision::replace_value(Setting { text, uses: self.uses.unwrap_or(value.uses) })
            .with_context("redacted"))
    }

    async fn on_failure(
        &self,
        arguments: Option<&ReadSetting>,
        failure: &Failure,
    ) -> Result<FailureDecision, ToolError> {
        let name = arguments.map(|arguments| arguments.name.as_str());
        self.lines.lock().unwrap().push(format!("{} {name:?} {}", failure.tool_name(), failure.code()));
        Ok(FailureDecision::accept())
    }
}

fn read(name: &str) -> ToolCall<'static> {
    ToolCall::new("call-1", "read_setting", format!("{{\"name\":\"{name}\"}}"))
}

/// Writes down all that it sees.
struct Log(Arc<Mutex<String>>);

impl tool_runtime::seam::Observer for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn on_result(&self, result: &ToolResult) {
        *self.0.lock().unwrap() = format!("{result:?} {result:#?} {:?}", result.contexts());
    }
}

#[tokio::test]
async fn a_value_that_a_policy_replaced_is_replaced_everywhere() {
    let (seen_after, seen) = (Arc::<Mutex<String>>::default(), Seen::default());
    let dispatcher = dispatcher_of::<ReadSetting>()
        .policy_for::<ReadSetting>(Redact::default())
        .observer(Log(Arc::clone(&seen_after)))
        .observer(seen.clone());
    let result = dispatcher.call(read("key")).await;
    let success = result.success().unwrap();
    assert_eq!(success.value().as_str(), r#"{"text":"key=***","uses":3}"#);
    assert_eq!(success.value_as::<Setting>().unwrap().text, "key=***");
    assert_eq!(success.content().to_text(), "key=*** (3 uses)");
    assert_eq!(success.meta(), Some(&serde_json::json!("KEY=***")));
    assert!(success.concludes_turn());
    assert_eq!(success.contexts(), [Content::text("left by the body"), Content::text("redacted")]);
    assert_eq!(verdicts(&result), [("redact", Verdict::ReplacedValue)]);
    for text in [format!("{result:?}"), seen_after.lock().unwrap().clone()] {
        assert!(!text.contains("sk-1") && !text.contains("SK-1"), "{text}");
    }
    assert_eq!(dispatcher.invoke(ReadSetting { name: "key".into() }).await.unwrap().text, "key=***");
}

#[tokio::test]
async fn a_withheld_value_is_nowhere() {
    let dispatcher = dispatcher_of::<ReadSetting>().policy(Decided(PostDecision::block("withheld")));
    let result = dispatcher.call(read("key")).await;
    assert_eq!(code(&result), "BLOCKED");
    assert!(!format!("{result:?}").contains("sk-1"), "{result:?}");
    assert!(result.contexts().is_empty(), "not even what the body left");
}

#[tokio::test]
async fn a_typed_policy_s_value_is_checked_too() {
    let policy = Redact { uses: Some(10), ..Redact::default() };
    let result = dispatcher_of::<ReadSetting>().policy_for::<ReadSetting>(policy).call(read("key")).await;
    assert_eq!(code(&result), "INVALID_TOOL_OUTPUT");
    assert!(result.content().to_text().contains("\"/uses\" must be at most 9, got 10"));
    assert_eq!(verdicts(&result), [("redact", Verdict::RefusedReplacement)]);
    assert!(!format!("{result:?}").contains("sk-1"), "the refused value is not shown, nor the one before it");
}

#[tokio::test]
async fn a_typed_policy_gets_the_arguments_of_a_failure_only_if_there_are_any() {
    let policy = Redact::default();
    let lines = Arc::clone(&policy.lines);
    let dispatcher = dispatcher_of::<ReadSetting>().policy_for::<ReadSetting>(policy);
    for call in [read("missing"), ToolCall::new("call-1", "read_setting", "{}"), ToolCall::new("call-1", "none", "{}")]
    {
        assert!(!dispatcher.call(call).await.is_success());
    }
    assert_eq!(
        *lines.lock().unwrap(),
        [r#"read_setting Some("missing") NO_SETTING"#, "read_setting None INVALID_ARGS"],
        "a call of an unknown tool is no call of this one"
    );
}

#[tokio::test]
async fn a_typed_policy_follows_its_tool_under_every_name_and_abstains_for_others() {
    let policy = Redact::default();
    let lines = Arc::clone(&policy.lines);
    let mut registry = Registry::new();
    registry.tool::<ReadSetting>().unwrap();
    registry.tool_as::<ReadSetting>(Overrides::new().name("alias")).unwrap();
    registry.tool::<Other>().unwrap();
    let dispatcher = Dispatcher::new(registry).policy_for::<ReadSetting>(policy);
    for name in ["read_setting", "alias"] {
        let result = dispatcher.call(ToolCall::new("call-1", name, r#"{"name":"k"}"#)).await;
        assert_eq!(result.success().unwrap().value_as::<Setting>().unwrap().text, "k=***");
    }
    let other = dispatcher.call(ToolCall::new("call-1", "other", "{}")).await;
    assert_eq!(other.success().unwrap().value().as_str(), r#"{"text":"other=sk-1","uses":1}"#);
    assert!(other.trace().decisions().is_empty());
    assert_eq!(*lines.lock().unwrap(), ["read_setting k k=sk-1", "alias k k=sk-1"]);
}

#[tokio::test]
async fn policies_of_both_kinds_fold_in_the_order_in_which_they_were_added() {
    let untyped = || Decided(PostDecision::replace_content("only this text"));
    let first = dispatcher_of::<ReadSetting>().policy(untyped()).policy_for::<ReadSetting>(Redact::default());
    let result = first.call(read("k")).await;
    assert_eq!(result.content().to_text(), "k=*** (3 uses)", "a new value is projected anew");
    assert_eq!(verdicts(&result), [("decided", Verdict::ReplacedContent), ("redact", Verdict::ReplacedValue)]);
    let last = dispatcher_of::<ReadSetting>().policy_for::<ReadSetting>(Redact::default()).policy(untyped());
    let result = last.call(read("k")).await;
    assert_eq!(result.content().to_text(), "only this text");
    assert_eq!(result.meta(), Some(&serde_json::json!("K=***")));
}

#[tokio::test]
async fn a_value_that_comes_back_is_written_in_the_order_of_its_type() {
    let value = serde_json::json!({"uses": 1.0, "text": "t"});
    let dispatcher = dispatcher_of::<ReadSetting>().policy(Decided(PostDecision::replace_value(value)));
    let result = dispatcher.call(read("k")).await;
    assert_eq!(result.success().unwrap().value().as_str(), r#"{"text":"t","uses":1}"#);
}

/// A policy that fails.
struct Fails;

impl PostPolicy for Fails {
    fn name(&self) -> &'static str {
        "fails"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Err(ToolError::msg("the secret is sk-1"))
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        quiet_panics();
        panic!("the secret is sk-1, on purpose")
    }
}

#[tokio::test]
async fn a_policy_that_fails_withholds_the_result_and_does_not_say_that_a_tool_ran_that_did_not() {
    let dispatcher = dispatcher_of::<ReadSetting>().policy(Fails);
    for (call, has_run) in [
        (read("k"), true),
        (read("missing"), true),
        (ToolCall::new("call-1", "read_setting", "{}"), false),
        (ToolCall::new("call-1", "none", "{}"), false),
    ] {
        let result = dispatcher.call(call.clone()).await;
        assert_eq!(code(&result), "POLICY_FAILED");
        let text = result.content().to_text();
        assert!(text.contains("\"fails\"") && !format!("{result:?}").contains("sk-1"), "{text}");
        assert_eq!(text.contains("the tool has run"), has_run, "{call:?}: {text}");
        assert_eq!(verdicts(&result), [("fails", Verdict::Failed)]);
    }
}

#[tokio::test]
async fn empty_feedback_still_has_a_message() {
    for feedback in [Content::empty(), Content::text("")] {
        let dispatcher = dispatcher_of::<ReadSetting>().policy(Decided(PostDecision::block(feedback.clone())));
        let result = dispatcher.call(read("k")).await;
        assert_eq!(result.content(), &feedback, "verbatim");
        assert_eq!(result.failure().unwrap().error().message(), "tool result blocked by post-execute policy");
    }
}

#[tokio::test]
async fn each_decision_may_leave_contexts() {
    let with = |decision: PostDecision| async {
        let dispatcher =
            dispatcher_of::<ReadSetting>().policy(Decided(decision.with_context("one").with_context("two")));
        let result = dispatcher.call(read("k")).await;
        result.contexts().iter().map(Content::to_text).collect::<Vec<_>>()
    };
    assert_eq!(with(PostDecision::accept()).await, ["left by the body", "one", "two"]);
    assert_eq!(with(PostDecision::replace_content("c")).await, ["left by the body", "one", "two"]);
    let value = serde_json::json!({"text": "t", "uses": 0});
    assert_eq!(with(PostDecision::replace_value(value)).await, ["left by the body", "one", "two"]);
    assert_eq!(with(PostDecision::block("b")).await, ["one", "two"]);
}
