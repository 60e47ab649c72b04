//! What the tools publish.

use crate::fixture::Fixture;
use examples::tools::{Edited, FileLine, FileView, FoundFiles, FoundLines, LineFound, Operation, Read, Written};
use std::time::Duration;
use tool_runtime::Behaviour;
use tool_runtime::serde_json::json;
use tool_runtime::testing::assert_output_contract;

#[test]
fn facts_say_what_a_tool_does_to_the_workspace() {
    let registry = Fixture::new().dispatcher.registry();
    let search = Behaviour::new().read_only(true).idempotent(true);
    let change = Behaviour::new().destructive(true);
    for (name, behaviour) in [
        ("edit", change),
        ("glob", search.timeout(Duration::from_secs(30))),
        ("grep", search.timeout(Duration::from_secs(30))),
        ("read", search),
        ("write", change),
    ] {
        assert_eq!(registry.spec(name).expect("a tool").behaviour, behaviour, "{name}");
    }
    assert_eq!(registry.len(), 5);
}

#[test]
fn limits_stand_in_the_schemas() {
    let registry = Fixture::new().dispatcher.registry();
    let read = registry.spec("read").expect("a tool");
    let input = read.input_schema.to_value();
    assert_eq!(input["properties"]["offset"]["minimum"], 1);
    assert_eq!(
        (&input["properties"]["limit"]["minimum"], &input["properties"]["limit"]["maximum"]),
        (&json!(1), &json!(2000))
    );
    assert_eq!((&input["required"], &input["additionalProperties"]), (&json!(["path"]), &json!(false)));
    for limit in ["2000 lines", "51200 bytes", "2000\ncharacters"] {
        assert!(read.description.contains(limit), "{limit}");
    }
}

/// Whatever the tool, a path is a path, and no file's text stands beside it.
#[test]
fn tools_say_what_a_call_is_about_under_the_same_keys() {
    let registry = Fixture::new().dispatcher.registry();
    for (name, sent, about) in [
        ("read", json!({"path": "f", "offset": 3, "limit": 5}), json!({"limit": 5, "offset": 3, "path": "f"})),
        ("read", json!({"path": "f", "offset": null}), json!({"path": "f"})),
        ("write", json!({"path": "f", "content": "text"}), json!({"path": "f"})),
        ("edit", json!({"path": "f", "old_string": "a", "new_string": "b", "replace_all": true}), json!({"path": "f"})),
        ("glob", json!({"pattern": "*.rs", "path": "src"}), json!({"path": "src", "pattern": "*.rs"})),
        ("grep", json!({"pattern": "fn", "include": "*.rs"}), json!({"pattern": "fn"})),
    ] {
        let input = registry.canonical_input(name, &sent.to_string()).expect("it has opted in");
        assert_eq!(input.to_json().to_string(), about.to_string(), "{name}");
    }
}

#[test]
fn values_come_back_as_they_went() {
    let (path, text) = ("f".to_owned(), "a\u{0}\"é\u{1f980}\r\n".to_owned());
    let lines = vec![FileLine { number: 1, text: text.clone() }];
    assert_output_contract([FileView { path: path.clone(), offset: 1, lines, total_lines: u32::MAX }]);
    let written = |operation, before| Written { path: path.clone(), operation, before, after: text.clone() };
    assert_output_contract([written(Operation::Create, None), written(Operation::Update, Some(text.clone()))]);
    assert_output_contract([Edited { path: path.clone(), before: text.clone(), after: String::new() }]);
    assert_output_contract([FoundFiles { root: ".".into(), paths: vec![text.clone()] }]);
    assert_output_contract([FoundLines { matches: vec![LineFound { path, line_number: u64::MAX, line: text }] }]);
}

#[tokio::test]
async fn a_program_gets_the_typed_value() {
    let fixture = Fixture::with(&[("f", "a\n")]);
    let view = fixture.dispatcher.invoke(Read { path: "f".into(), offset: None, limit: None }).await.expect("a view");
    assert_eq!(view.lines, [FileLine { number: 1, text: "a".into() }]);
    let failure = fixture.dispatcher.invoke(Read { path: "g".into(), offset: None, limit: None }).await.unwrap_err();
    assert_eq!(failure.code().as_str(), "FS_NOT_FOUND");
}
