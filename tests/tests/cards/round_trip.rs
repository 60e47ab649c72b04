//! Value, meta, JSON, card: each card comes back as it was.

use serde_json::json;
use tool_runtime::prelude::*;
use tool_runtime::present::{
    CallView, DiffCall, DiffHunk, DiffResult, DurableResult, Exit, GenericCall, GenericResult, Location, ReadResult,
    ResultView, SearchMatches, SearchPaths, TerminalCall, TerminalResult, ToolKind, WebFetch, WebSearch, WebSource,
};

pub(crate) fn calls() -> Vec<CallView> {
    let line = std::num::NonZeroU32::new(7);
    vec![
        GenericCall::new("Read a.rs")
            .with_kind(ToolKind::Read)
            .with_raw_input(json!({"path": "a.rs"}))
            .with_content(&Content::text("text").with_notice("cut"))
            .with_location(Location::new("a.rs").at_line(line))
            .into(),
        TerminalCall::new("cargo test").with_description("Run the tests").with_cwd("tests").into(),
        DiffCall::new("Write a.rs", DiffHunk::whole("a.rs", "new\n")).with_location(Location::new("a.rs")).into(),
    ]
}

pub(crate) fn results() -> Vec<ResultView> {
    let lines = [(3, "fn main() {"), (4, "}")];
    let source = WebSource::new("https://a.example")
        .with_title("A title")
        .with_snippet("some words of it")
        .with_published_at("2026-01-02");
    vec![
        GenericResult::new().with_title("Done").with_content(&Content::text("all of it")).into(),
        TerminalResult::new().with_output("ok\n").with_exit(Exit::Code(101)).into(),
        TerminalResult::new().with_output("").with_exit(Exit::Signal("SIGKILL".into())).into(),
        DiffResult::of([DiffHunk::change("a.rs", "one\ntwo\n", "one\n2\n"), DiffHunk::whole("b.rs", "new\n")])
            .unwrap()
            .into(),
        ReadResult::new("src/main.rs", 3, 120, lines).unwrap().with_lang("rust").into(),
        ReadResult::new("empty", 1, 0, [(0, ""); 0]).unwrap().into(),
        SearchMatches::new([("a.rs", 1, "one"), ("b.rs", 9, "nine"), ("a.rs", 2, "two")], 1200).unwrap().into(),
        SearchPaths::new(["a.rs", "b.rs"], 2).unwrap().into(),
        SearchPaths::new::<&str>([], 0).unwrap().into(),
        WebSearch::new([source, WebSource::new("https://b.example")], true).with_answer("42").into(),
        WebFetch::new("https://a.example/b", 200, true).with_title("Fetched").into(),
    ]
}

#[tokio::test]
async fn each_card_of_a_result_comes_back_from_the_log_as_it_was() {
    let dispatcher = super::drawing();
    let cards = dispatcher.cards();
    for view in results() {
        let arguments = json!({"card": view}).to_string();
        let result = dispatcher.call(ToolCall::new("call-1", "draw", arguments.as_str())).await;
        assert!(result.is_success(), "{}", result.content().to_text());
        assert_eq!(cards.live(&arguments, &result), view);
        // The log keeps texts.
        let meta = result.meta().unwrap().to_string();
        let content = serde_json::to_string(result.content()).unwrap();
        let (meta, content) = (serde_json::from_str(&meta).unwrap(), serde_json::from_str(&content).unwrap());
        let kept = DurableResult::success(&content).with_meta(&meta, result.meta_version());
        assert_eq!(cards.result("draw", &arguments, &kept), view);
    }
}

#[test]
fn each_card_of_a_call_comes_back_from_its_wire_form() {
    for view in calls() {
        let wire = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<CallView>(&wire).unwrap(), view, "{wire}");
    }
    let titles: Vec<_> = calls().iter().map(|view| view.title().to_owned()).collect();
    assert_eq!(titles, ["Read a.rs", "cargo test", "Write a.rs"]);
}

#[test]
fn there_is_no_card_of_changes_without_a_change() {
    assert!(DiffResult::of([]).is_err());
    assert!(DiffCall::of("Edit", []).is_err());
}
