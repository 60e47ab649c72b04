//! `read`.

use crate::fixture::Fixture;
use std::fs;
use std::time::Duration;
use tool_runtime::serde_json::{Value, json};
use tool_runtime::{CallOptions, ToolCall};

/// The envelope that a model reads.
fn envelope(path: &str, body: &str) -> String {
    format!("<path>{path}</path>\n<type>file</type>\n<content>\n{body}\n</content>")
}

fn numbers(last: u32) -> String {
    (1..=last).flat_map(|number| ["line ".to_owned(), number.to_string(), "\n".to_owned()]).collect()
}

#[tokio::test]
async fn one_value_three_readers() {
    let fixture = Fixture::with(&[("src/main.rs", "fn main() {\r\n}\r\n")]);
    let result = fixture.call("read", json!({"path": "./src/main.rs"})).await;
    assert_eq!(
        result.success().expect("a success").value().as_str(),
        r#"{"path":"src/main.rs","offset":1,"lines":[{"number":1,"text":"fn main() {"},{"number":2,"text":"}"}],"totalLines":2}"#
    );
    assert_eq!(
        result.content().to_text(),
        envelope("src/main.rs", "1: fn main() {\n2: }\n\n(End of file - total 2 lines)")
    );
    assert_eq!(
        result.meta(),
        Some(&json!({
            "path": "src/main.rs",
            "offset": 1,
            "lines": [{"number": 1, "text": "fn main() {"}, {"number": 2, "text": "}"}],
            "totalLines": 2,
            "lang": "rust"
        }))
    );
}

#[tokio::test]
async fn the_footer_says_how_to_go_on() {
    let fixture = Fixture::with(&[("ten", &numbers(10)), ("empty", ""), ("long", &numbers(2001))]);
    for (offset, limit, footer) in [
        (1, 3, "3: line 3\n\n(Showing lines 1-3 of 10. Use offset=4 to continue.)"),
        (4, 3, "6: line 6\n\n(Showing lines 4-6 of 10. Use offset=7 to continue.)"),
        (8, 3, "10: line 10\n\n(End of file - total 10 lines)"),
        (10, 2000, "10: line 10\n\n(End of file - total 10 lines)"),
    ] {
        let shown = fixture.shown("read", json!({"path": "ten", "offset": offset, "limit": limit})).await;
        assert!(shown.ends_with(&format!("{footer}\n</content>")), "{shown}");
        assert!(shown.contains(&format!("<content>\n{offset}: line {offset}\n")), "{shown}");
    }
    assert_eq!(
        fixture.shown("read", json!({"path": "empty"})).await,
        envelope("empty", "(End of file - total 0 lines)")
    );
    assert!(
        fixture.shown("read", json!({"path": "long"})).await.contains("(Showing lines 1-2000 of 2001. Use offset=2001")
    );
}

#[tokio::test]
async fn the_byte_cap_has_its_own_footer() {
    let fixture = Fixture::with(&[("wide", &("x".repeat(1023) + "\n").repeat(60))]);
    let shown = fixture.shown("read", json!({"path": "wide"})).await;
    assert!(
        shown.ends_with("\n\n(Output capped. Showing lines 1-50. Use offset=51 to continue.)\n</content>"),
        "{shown}"
    );
    let value = fixture.value("read", json!({"path": "wide", "limit": 50})).await;
    assert_eq!(value["totalLines"], 60);
    let shown = fixture.shown("read", json!({"path": "wide", "limit": 50})).await;
    assert!(shown.contains("(Showing lines 1-50 of 60."), "what was asked for came whole");
    let shown = fixture.shown("read", json!({"path": "wide", "offset": 51})).await;
    assert!(shown.contains("(End of file - total 60 lines)"));
}

#[tokio::test]
async fn long_lines_are_cut_and_say_so() {
    let fixture = Fixture::with(&[("long", &("é".repeat(2001) + "\n" + &"é".repeat(2000)))]);
    let value = fixture.value("read", json!({"path": "long"})).await;
    assert_eq!(value["lines"][0]["text"], json!("é".repeat(2000) + "... (line truncated to 2000 chars)"));
    assert_eq!(value["lines"][1]["text"], json!("é".repeat(2000)));
}

#[tokio::test]
async fn the_window_is_checked_by_the_schema() {
    let fixture = Fixture::with(&[("f", "a\n")]);
    for window in [
        json!({"offset": 0}),
        json!({"offset": -1}),
        json!({"offset": 1.5}),
        json!({"offset": "1"}),
        json!({"limit": 0}),
        json!({"limit": 2001}),
        json!({"path": ""}),
        json!({"path": " "}),
        json!({"file_path": "f"}),
    ] {
        let mut arguments = json!({"path": "f"});
        arguments.as_object_mut().unwrap().extend(window.as_object().unwrap().clone());
        assert_eq!(fixture.code("read", arguments).await, "INVALID_ARGS", "{window}");
    }
    assert_eq!(fixture.code("read", json!({"path": "f", "offset": 1.0, "limit": null})).await, "ok");
}

#[tokio::test]
async fn what_cannot_be_read_says_why_and_what_to_do() {
    let fixture = Fixture::with(&[("dir/f", "a\nb\n"), ("empty", "")]);
    fixture.put("latin", b"caf\xe9\n");
    fixture.put("wide", b"h\0i\0");
    for (arguments, expected) in [
        (
            json!({"path": "nope"}),
            "Error [FS_NOT_FOUND]: cannot read \"nope\": not found — check the path, or look for it with glob",
        ),
        (
            json!({"path": "dir"}),
            "Error [FS_NOT_REGULAR_FILE]: cannot read \"dir\": not a regular file — give the path of a file; glob lists \
             those of a directory",
        ),
        (
            json!({"path": "dir/f", "offset": 3}),
            "Error [FS_NOT_FOUND]: offset 3 is out of range for \"dir/f\" (2 lines) — start at a line that the file has",
        ),
        (
            json!({"path": "latin"}),
            "Error [FS_NOT_TEXT]: cannot read \"latin\": not a text file — the file tools work on UTF-8 text only",
        ),
        (
            json!({"path": "../secret"}),
            "Error [FS_SANDBOX_DENIED]: cannot read \"../secret\": outside the workspace — use a path inside the workspace, \
             and no symbolic link that leads out of it",
        ),
    ] {
        assert_eq!(fixture.shown("read", arguments).await, expected);
    }
    for (arguments, code) in [
        (json!({"path": "wide"}), "FS_NOT_TEXT"),
        (json!({"path": "/etc/passwd"}), "FS_SANDBOX_DENIED"),
        (json!({"path": "dir/../../workspace/dir/f"}), "FS_SANDBOX_DENIED"),
        (json!({"path": "dir/f/g"}), "FS_NOT_DIRECTORY"),
        (json!({"path": "empty", "offset": 2}), "FS_NOT_FOUND"),
        (json!({"path": "empty", "offset": 1}), "ok"),
        (json!({"path": "dir/../dir/f"}), "ok"),
        (json!({"path": fixture.path("dir/f")}), "ok"),
    ] {
        assert_eq!(fixture.code("read", arguments.clone()).await, code, "{arguments}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_out_of_the_workspace_leads_nowhere() {
    use std::os::unix::fs::symlink;
    let fixture = Fixture::with(&[("f", "a\n")]);
    fs::write(fixture.path("../secret"), "s").unwrap();
    symlink("../secret", fixture.path("out")).unwrap();
    symlink("..", fixture.path("up")).unwrap();
    symlink("f", fixture.path("in")).unwrap();
    assert_eq!(fixture.code("read", json!({"path": "out"})).await, "FS_SANDBOX_DENIED");
    assert_eq!(fixture.code("read", json!({"path": "up/secret"})).await, "FS_SANDBOX_DENIED");
    assert_eq!(fixture.value("read", json!({"path": "in"})).await["path"], "f");
}

#[tokio::test]
async fn languages_go_by_extension() {
    let fixture = Fixture::new();
    for (path, lang) in [
        ("a.rs", json!("rust")),
        ("a.test.TSX", json!("tsx")),
        (".rs", Value::Null),
        (".config.json", json!("json")),
        ("a.constructor", Value::Null),
        ("Makefile", Value::Null),
    ] {
        fixture.put(path, "x\n");
        let meta = fixture.meta("read", json!({"path": path})).await;
        assert_eq!(meta.get("lang").cloned().unwrap_or_default(), lang, "{path}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_large_file_does_not_stall_the_runtime() {
    let fixture = Fixture::new();
    fixture.put("large", "line\n".repeat(4_000_000));
    let mut ticks = 0;
    let reading = fixture.call("read", json!({"path": "large", "limit": 1}));
    tokio::pin!(reading);
    let result = loop {
        tokio::select! {
            result = &mut reading => break result,
            () = tokio::time::sleep(Duration::from_millis(1)) => ticks += 1,
        }
    };
    assert_eq!(result.success().expect("a success").canonical().to_json()["totalLines"], 4_000_000);
    assert!(ticks > 2, "the clock must go on while a file is read");
}

#[tokio::test]
async fn a_cancelled_read_stops_where_it_is() {
    let fixture = Fixture::new();
    fixture.put("large", "line\n".repeat(20_000_000));
    let options = CallOptions::default();
    let cancellation = options.cancellation.clone();
    let call = ToolCall::new("call-1", "read", r#"{"path": "large"}"#);
    let (result, ()) = tokio::join!(fixture.dispatcher.call_with(call, options), async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        cancellation.cancel();
    });
    assert_eq!(
        result.content().to_text(),
        "Error [FS_ABORTED]: read was aborted before completion (tool timeout or caller cancellation)"
    );
}
