//! `write` and `edit`.

use crate::fixture::Fixture;
use std::fs;
use tool_runtime::serde_json::{Value, json};
use tool_runtime::{CallOptions, Cancellation, ToolCall};

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

#[tokio::test]
async fn a_new_file_has_nothing_to_compare() {
    let fixture = Fixture::new();
    let result = fixture.call("write", json!({"path": "new/f.txt", "content": "a\n"})).await;
    assert_eq!(
        result.success().expect("a success").value().as_str(),
        r#"{"path":"new/f.txt","operation":"create","before":null,"after":"a\n"}"#
    );
    assert_eq!(
        result.content().to_text(),
        "<path>new/f.txt</path>\n<type>file</type>\n<content>\nCreated file\n</content>"
    );
    assert_eq!(result.meta(), Some(&json!({"diffs": []})));
    assert_eq!(fixture.text("new/f.txt"), "a\n");
}

#[tokio::test]
async fn an_update_shows_its_hunks() {
    let lines =
        |tenth: &str| (1..20).map(|n| if n == 10 { tenth.into() } else { format!("{n}\n") }).collect::<String>();
    let fixture = Fixture::with(&[("f", &lines("10\n"))]);
    fixture.value("read", json!({"path": "f"})).await;
    let result = fixture.call("write", json!({"path": "f", "content": lines("ten\n")})).await;
    assert!(result.content().to_text().contains("Updated file"));
    assert_eq!(
        result.meta(),
        Some(&json!({"diffs": [
            {"path": "f", "oldText": "7\n8\n9\n10\n11\n12\n13\n", "newText": "7\n8\n9\nten\n11\n12\n13\n"}
        ]}))
    );
    let same = fixture.call("write", json!({"path": "f", "content": lines("ten\n")})).await;
    assert_eq!(same.meta(), Some(&json!({"diffs": []})));
    let emptied = fixture.value("write", json!({"path": "f", "content": ""})).await;
    assert_eq!(emptied["operation"], "update");
    let filled = fixture.meta("write", json!({"path": "f", "content": "a\n"})).await;
    assert_eq!(filled, json!({"diffs": [{"path": "f", "oldText": null, "newText": "a\n"}]}));
}

#[tokio::test]
async fn nothing_is_overwritten_unseen() {
    let fixture = Fixture::with(&[("f", "a\n")]);
    let write = || json!({"path": "f", "content": "new\n"});
    assert_eq!(
        fixture.shown("write", write()).await,
        "Error [FS_NOT_OBSERVED]: cannot overwrite existing \"f\" without reading it first — read the file, then retry"
    );
    assert_eq!(
        fixture.shown("edit", edit("f", "a", "b")).await,
        "Error [FS_NOT_OBSERVED]: edit requires reading \"f\" first — read the file, then retry"
    );
    fixture.value("grep", json!({"pattern": "a"})).await;
    assert_eq!(fixture.code("write", write()).await, "FS_NOT_OBSERVED", "a search is no look at the file");
    assert_eq!(fixture.code("read", json!({"path": "f", "offset": 9})).await, "FS_NOT_FOUND");
    assert_eq!(fixture.code("write", write()).await, "FS_NOT_OBSERVED", "nor is a window behind its end");
    fixture.value("read", json!({"path": "f"})).await;
    fixture.put("f", "b\n");
    assert_eq!(
        fixture.shown("write", write()).await,
        "Error [FS_STALE_VERSION]: cannot write \"f\": file changed since it was read — re-read the file, then retry"
    );
    assert_eq!(
        fixture.shown("edit", edit("f", "b", "c")).await,
        "Error [FS_STALE_VERSION]: cannot edit \"f\": file changed since it was read — re-read the file, then retry"
    );
    fs::remove_file(fixture.path("f")).unwrap();
    assert_eq!(
        fixture.shown("write", write()).await,
        "Error [FS_STALE_VERSION]: cannot write \"f\": file no longer exists — re-read the file, then retry"
    );
    assert_eq!(fixture.code("read", json!({"path": "f"})).await, "FS_NOT_FOUND");
    fixture.put("f", "somebody else's\n");
    assert_eq!(fixture.code("write", write()).await, "FS_STALE_VERSION", "it was seen to be absent");
    assert_eq!(fixture.text("f"), "somebody else's\n");
    fixture.value("read", json!({"path": "f"})).await;
    assert_eq!(fixture.code("write", write()).await, "ok");
    assert_eq!(fixture.code("edit", edit("f", "new", "newer")).await, "ok", "what was written is known");
    assert_eq!(fixture.text("f"), "newer\n");
}

#[tokio::test]
async fn an_edit_replaces_what_it_names() {
    let fixture = Fixture::with(&[("f", "one\ntwo\nthree\n")]);
    fixture.value("read", json!({"path": "f"})).await;
    let result = fixture.call("edit", edit("f", "two\n", "2\n")).await;
    assert_eq!(
        result.success().expect("a success").value().as_str(),
        r#"{"path":"f","before":"one\ntwo\nthree\n","after":"one\n2\nthree\n"}"#
    );
    assert_eq!(result.content().to_text(), "The file f has been updated successfully.");
    assert_eq!(
        result.meta(),
        Some(&json!({"diffs": [{"path": "f", "oldText": "one\ntwo\nthree\n", "newText": "one\n2\nthree\n"}]}))
    );
    assert_eq!(fixture.text("f"), "one\n2\nthree\n");
}

#[tokio::test]
async fn an_edit_that_is_not_clear_changes_nothing() {
    let fixture = Fixture::with(&[("f", "a b a\n")]);
    fixture.value("read", json!({"path": "f"})).await;
    for (old, new, expected) in [
        (
            "a",
            "x",
            "Error [FS_AMBIGUOUS_EDIT]: old_string matched 2 times in \"f\"; provide a more specific old_string or set \
             replace_all to true",
        ),
        (
            "c",
            "x",
            "Error [FS_EDIT_NOT_FOUND]: old_string was not found in \"f\" — copy the text exactly as the file has it, \
             without the line numbers",
        ),
        ("a", "a", "Error [INVALID_ARGS]: old_string and new_string must differ"),
    ] {
        assert_eq!(fixture.shown("edit", edit("f", old, new)).await, expected);
    }
    assert_eq!(fixture.code("edit", edit("f", "", "x")).await, "INVALID_ARGS");
    assert_eq!(fixture.code("edit", edit("nope", "a", "x")).await, "FS_NOT_FOUND");
    assert_eq!(fixture.text("f"), "a b a\n");
    let all = json!({"path": "f", "old_string": "a", "new_string": "x", "replace_all": true});
    assert_eq!(
        fixture.shown("edit", all).await,
        "The file f has been updated. All occurrences were successfully replaced."
    );
    assert_eq!(fixture.text("f"), "x b x\n");
}

#[tokio::test]
async fn windows_line_breaks_survive_an_edit() {
    let fixture = Fixture::with(&[("f", "one\r\ntwo\r\n")]);
    fixture.value("read", json!({"path": "f"})).await;
    assert_eq!(fixture.code("edit", edit("f", "one\ntwo", "1\n2")).await, "ok");
    assert_eq!(fixture.text("f"), "1\r\n2\r\n");
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_outside() {
    let fixture = Fixture::new();
    std::os::unix::fs::symlink("..", fixture.path("up")).unwrap();
    let outside = fixture.path("../secret").display().to_string();
    for path in ["../secret", "up/secret", "up/new/secret", outside.as_str()] {
        assert_eq!(fixture.code("write", json!({"path": path, "content": "x"})).await, "FS_SANDBOX_DENIED", "{path}");
        assert_eq!(fixture.code("edit", edit(path, "a", "b")).await, "FS_SANDBOX_DENIED", "{path}");
    }
    assert!(!fixture.path("../secret").exists() && !fixture.path("../new").exists());
}

#[tokio::test]
async fn a_cancelled_write_writes_nothing() {
    let fixture = Fixture::new();
    let cancellation = Cancellation::new();
    cancellation.cancel();
    let call = ToolCall::new("call-1", "write", json!({"path": "f", "content": "x"}).to_string());
    let options = CallOptions { cancellation, ..CallOptions::default() };
    let result = fixture.dispatcher.call_with(call, options).await;
    assert!(!result.is_success() && !fixture.path("f").exists());
}
