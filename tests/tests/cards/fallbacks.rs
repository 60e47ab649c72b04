//! What can't be drawn as the tool would has the generic card.

use serde_json::json;
use tool_runtime::dialect::{Dialect, Mode};
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, DurableResult, GenericCall, GenericResult, Partial, ResultView};
use tool_runtime::{Repair, Repairs};

/// Do as it is told.
#[derive(Tool)]
#[tool(output = String, render = display, present)]
struct Act {
    how: String,
    #[schemars(range(min = 1))]
    times: Option<u32>,
}

impl Execute for Act {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        if self.how == "fail" { Err(ToolError::msg("it failed")) } else { Ok(self.how.clone()) }
    }
}

impl Present for Act {
    type Meta = ();

    fn meta(&self, _: &String) {}

    fn call_view(&self) -> Option<CallView> {
        assert_ne!(self.how, "panic", "on purpose");
        (self.how != "nothing").then(|| GenericCall::new(format!("Act: {} {:?}", self.how, self.times)).into())
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        assert_ne!(partial.text("how"), Some("panic"), "on purpose");
        Some(GenericCall::new(format!("Act: {}", partial.text("how")?)).into())
    }

    fn result_view(&self, result: &Durable<'_, ()>) -> Option<ResultView> {
        assert_ne!(self.how, "panic", "on purpose");
        let told = result.meta().map_or("no meta", |()| "meta");
        let title = format!("{} {told} {}", result.is_error(), result.content().to_text());
        (self.how != "nothing").then(|| GenericResult::new().with_title(title).into())
    }
}

/// A tool that presents nothing.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Plain {}

impl Execute for Plain {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("plain".into())
    }
}

fn registry() -> Registry {
    let mut registry = toolset! { () => [Act, Plain] }.unwrap();
    let weather = DynamicTool::new("weather", "Tell the weather.", |_, _| async { Ok(json!("rain")) })
        .title("The weather")
        .output_schema(json!({}));
    registry.dynamic(weather).unwrap();
    registry
}

fn own(title: &str) -> CallView {
    GenericCall::new(title).into()
}

#[test]
fn a_call_has_the_card_of_its_tool_or_name_and_arguments() {
    tests::quiet_panics();
    let cards = registry().cards();
    assert_eq!(cards.call("act", r#"{"how": "well"}"#), own("Act: well None"));
    let generic = |title: &str, input: serde_json::Value| CallView::fallback(title, input);
    for how in ["nothing", "panic"] {
        let arguments = json!({ "how": how });
        assert_eq!(cards.call("act", &arguments.to_string()), generic("act", arguments));
    }
    assert_eq!(cards.call("act", r#"{"how": 7}"#), generic("act", json!({"how": 7})), "none of its arguments");
    assert_eq!(cards.call("act", r#"{"how": "#), generic("act", json!(r#"{"how": "#)), "no JSON");
    assert_eq!(cards.call("plain", "{}"), generic("plain", json!({})));
    assert_eq!(cards.call("plain", ""), own("plain"), "there is no input");
    assert_eq!(cards.call("weather", "{}"), generic("The weather", json!({})));
    assert_eq!(cards.call("gone", r#"{"a": 1}"#), generic("gone", json!({"a": 1})));
}

#[test]
fn a_result_has_the_card_of_its_tool_or_its_content() {
    tests::quiet_panics();
    let cards = registry().cards();
    let content = Content::text("text");
    let meta = json!(null);
    let titled = |title: &str| ResultView::from(GenericResult::new().with_title(title));
    let success = DurableResult::success(&content);
    let with_meta = success.with_meta(&meta, 1);
    let well = r#"{"how": "well"}"#;
    assert_eq!(cards.result("act", well, &with_meta), titled("false meta text"));
    assert_eq!(cards.result("act", well, &success), titled("false no meta text"));
    let failure = DurableResult::failure(&content);
    assert_eq!(cards.result("act", well, &failure.with_meta(&meta, 1)), titled("true no meta text"));
    for (name, arguments) in [
        ("act", r#"{"how": "nothing"}"#),
        ("act", r#"{"how": "panic"}"#),
        ("act", r#"{"how": 7}"#),
        ("act", "no JSON"),
        ("plain", "{}"),
        ("weather", "{}"),
        ("gone", "{}"),
    ] {
        assert_eq!(cards.result(name, arguments, &with_meta), ResultView::fallback(), "{name} {arguments}");
    }
}

#[test]
fn a_call_that_streams_in_has_a_card_as_soon_as_it_may() {
    tests::quiet_panics();
    let cards = registry().cards();
    let raw = |title: &str, text: &str| CallView::from(GenericCall::new(title).with_raw_input(text));
    assert_eq!(cards.pending("act", ""), own("act"));
    assert_eq!(cards.pending("act", r#"{"how": "we"#), raw("act", r#"{"how": "we"#));
    assert_eq!(cards.pending("act", r#"{"how": "well""#), own("Act: well"));
    assert_eq!(cards.pending("act", r#"{"how": "well"}"#), own("Act: well None"));
    assert_eq!(cards.pending("act", r#"{"how": "panic""#), raw("act", r#"{"how": "panic""#));
    assert_eq!(cards.pending("weather", r#"{"a": 1"#), raw("The weather", r#"{"a": 1"#));
    assert_eq!(cards.pending("gone", r#"{"a"#), raw("gone", r#"{"a"#));
}

#[tokio::test]
async fn a_failed_call_has_no_meta_for_its_card() {
    let dispatcher = Dispatcher::new(registry());
    let arguments = r#"{"how": "fail"}"#;
    let result = dispatcher.call(ToolCall::new("call-1", "act", arguments)).await;
    let view = dispatcher.cards().live(arguments, &result);
    assert_eq!(view.title(), Some("true no meta Error [EXECUTION_ERROR]: it failed"));
}

#[test]
fn arguments_are_read_as_the_dispatcher_reads_them() {
    let registry = registry();
    let strict = Dialect::OpenAiChat(Mode::Strict).lower_all(&registry);
    let dispatcher = Dispatcher::new(registry.clone()).dialect(strict);
    // Null for what is left out, as the dialect has it; in the tool's own form it means the same.
    for arguments in [r#"{"how": "well", "times": null}"#, r#"{"how": "well"}"#] {
        assert_eq!(dispatcher.cards().call("act", arguments), own("Act: well None"), "{arguments}");
    }
    let twice = r#"{"how": "well", "times": "2"}"#;
    assert_eq!(registry.cards().call("act", twice).title(), "act");
    let repairing = Dispatcher::new(registry).repairs(Repairs::none().with(Repair::ScalarInString));
    assert_eq!(repairing.cards().call("act", twice), own("Act: well Some(2)"));
}

#[test]
fn a_scope_draws_its_own_tools_and_those_that_it_inherits() {
    let dispatcher = Dispatcher::new(registry());
    let scope = dispatcher.scoped();
    let overrides = Overrides::new().name("act_again");
    scope.change_registry(|own| own.tool_as::<Act>(overrides).map(|_| ())).unwrap();
    let well = r#"{"how": "well"}"#;
    for name in ["act", "act_again"] {
        assert_eq!(scope.cards().call(name, well), own("Act: well None"));
    }
    assert_eq!(dispatcher.cards().call("act_again", well).title(), "act_again");
}
