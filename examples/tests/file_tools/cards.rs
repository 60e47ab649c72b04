//! The cards of the file tools, live.

use crate::fixture::Fixture;
use tool_runtime::present::{CallView, ResultView, SearchResult};
use tool_runtime::serde_json::{self, Value, json};
use tool_runtime::{PolicyCall, PostDecision, PostPolicy, Success, ToolCall, ToolError};

/// The wire form of both cards.
async fn cards(fixture: &Fixture, tool: &str, arguments: Value) -> (Value, Value) {
    let cards = fixture.dispatcher.cards();
    let arguments = arguments.to_string();
    let call = cards.call(tool, &arguments);
    let result = fixture.dispatcher.call(ToolCall::new("call-1", tool, arguments.as_str())).await;
    let wire = |view: serde_json::Result<Value>| view.expect("a card is JSON");
    (wire(serde_json::to_value(call)), wire(serde_json::to_value(cards.live(&arguments, &result))))
}

#[tokio::test]
async fn a_read_has_a_full_card() {
    let fixture = Fixture::with(&[("a.rs", "one\ntwo\nthree\n")]);
    let (call, result) = cards(&fixture, "read", json!({"path": "a.rs", "offset": 2, "limit": 1})).await;
    assert_eq!(
        call,
        json!({"card": "generic", "title": "Read a.rs (2 - 2)", "kind": "read", "locations": [{"path": "a.rs", "line": 2}]})
    );
    assert_eq!(
        result,
        json!({
            "card": "read",
            "path": "a.rs",
            "offset": 2,
            "lines": [{"number": 2, "text": "two"}],
            "totalLines": 3,
            "lang": "rust"
        })
    );
    let (call, result) = cards(&fixture, "read", json!({"path": "b.rs", "offset": 2})).await;
    assert_eq!((&call["title"], &result), (&json!("Read b.rs (from line 2)"), &json!({"card": "generic"})));
}

#[tokio::test]
async fn a_search_states_what_it_leaves_out() {
    let fixture = Fixture::new();
    for number in 0..101 {
        fixture.put(&format!("{number:03}.txt"), "needle");
    }
    let (call, result) = cards(&fixture, "glob", json!({"pattern": "*.txt"})).await;
    assert_eq!(call, json!({"card": "generic", "title": "Glob *.txt", "kind": "search"}));
    assert_eq!(
        (&result["shape"], &result["truncated"], &result["total"]),
        (&json!("paths"), &json!(true), &json!(101))
    );
    assert_eq!(result["paths"].as_array().map(Vec::len), Some(100));
    let (call, result) = cards(&fixture, "grep", json!({"pattern": "needle", "include": "00*.txt"})).await;
    assert_eq!(call["title"], "Grep needle (00*.txt)");
    assert_eq!(
        (&result["shape"], &result["truncated"], &result["total"]),
        (&json!("matches"), &json!(false), &json!(10))
    );
    let (_, nothing) = cards(&fixture, "grep", json!({"pattern": "absent", "path": "000.txt"})).await;
    assert_eq!(nothing, json!({"card": "search", "shape": "matches", "files": [], "truncated": false, "total": 0}));
}

#[tokio::test]
async fn changes_have_cards_of_changes() {
    let fixture = Fixture::with(&[("f", "one\ntwo\n")]);
    let (call, result) = cards(&fixture, "write", json!({"path": "new", "content": "text\n"})).await;
    let whole = json!([{"path": "new", "oldText": null, "newText": "text\n"}]);
    assert_eq!((&call["card"], &call["title"], &call["diffs"]), (&json!("diff"), &json!("Write new"), &whole));
    assert_eq!(result, json!({"card": "diff", "diffs": whole}), "of a new file, all of it");
    let _ = fixture.call("read", json!({"path": "f"})).await;
    let (call, result) = cards(&fixture, "edit", json!({"path": "f", "old_string": "two", "new_string": "2"})).await;
    assert_eq!(call["diffs"], json!([{"path": "f", "oldText": "two", "newText": "2"}]));
    assert_eq!(
        result,
        json!({"card": "diff", "diffs": [{"path": "f", "oldText": "one\ntwo\n", "newText": "one\n2\n"}]})
    );
    let (_, failed) = cards(&fixture, "edit", json!({"path": "f", "old_string": "nine", "new_string": "9"})).await;
    assert_eq!(failed, json!({"card": "generic"}));
}

#[tokio::test]
async fn a_change_is_seen_while_it_streams_in() {
    let cards = Fixture::new().dispatcher.cards();
    let CallView::Diff(card) = cards.pending("write", r#"{"path": "a.txt", "content": "Dear S"#) else {
        panic!("a card of changes")
    };
    assert_eq!((card.title(), card.diffs()[0].new_text()), ("Write a.txt", "Dear S"));
    assert_eq!(cards.pending("write", r#"{"path": "a.t"#).title(), "write", "half a path is none");
    assert_eq!(cards.pending("read", r#"{"path": "a.txt", "limit": 1"#).title(), "Read a.txt");
    assert_eq!(cards.pending("read", r#"{"path": "a.txt", "limit": 10}"#).title(), "Read a.txt (1 - 10)");
}

/// The model reads something else.
struct Hide;

impl PostPolicy for Hide {
    fn name(&self) -> &'static str {
        "hide"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::replace_content("(hidden)"))
    }
}

#[tokio::test]
async fn lines_that_the_model_does_not_read_are_in_no_card() {
    let mut fixture = Fixture::with(&[("f", "secret\n")]);
    fixture.dispatcher = fixture.dispatcher.clone().policy(Hide);
    let (_, result) = cards(&fixture, "read", json!({"path": "f"})).await;
    assert_eq!(result, json!({"card": "generic"}));
}

#[tokio::test]
async fn nobody_who_draws_cards_names_a_tool() {
    let fixture = Fixture::with(&[("f", "text\n")]);
    for (tool, arguments) in [
        ("read", json!({"path": "f"})),
        ("glob", json!({"pattern": "*"})),
        ("grep", json!({"pattern": "text"})),
        ("write", json!({"path": "g", "content": ""})),
        ("edit", json!({"path": "f", "old_string": "text", "new_string": "TEXT"})),
    ] {
        let arguments = arguments.to_string();
        let result = fixture.dispatcher.call(ToolCall::new("call-1", tool, arguments.as_str())).await;
        let drawn = match fixture.dispatcher.cards().live(&arguments, &result) {
            ResultView::Read(card) => card.lines().len(),
            ResultView::Search(SearchResult::Paths(card)) => card.paths().len(),
            ResultView::Search(SearchResult::Matches(card)) => card.files().len(),
            ResultView::Diff(card) => card.diffs().len(),
            view => panic!("{view:?}"),
        };
        assert_eq!(drawn, 1, "{tool}");
    }
}
