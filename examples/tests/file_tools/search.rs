//! `glob` and `grep`.

use crate::fixture::Fixture;
use std::fs::File;
use std::time::{Duration, SystemTime};
use tool_runtime::serde_json::{Value, json};

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// Files that were modified one after the other.
fn in_order(files: &[(&str, &str)]) -> Fixture {
    let fixture = Fixture::with(files);
    for (age, (path, _)) in files.iter().rev().enumerate() {
        let time = SystemTime::now() - Duration::from_mins(u64::try_from(age).unwrap());
        File::options().write(true).open(fixture.path(path)).unwrap().set_modified(time).unwrap();
    }
    fixture
}

#[tokio::test]
async fn glob_lists_in_the_order_of_modification() {
    let fixture = in_order(&[
        ("z.rs", ""),
        ("src/.hidden/h.rs", ""),
        ("target/t.rs", ""),
        ("a.rs", ""),
        (".gitignore", "target\n"),
        (".git/g.rs", ""),
        ("src/.svn/s.rs", ""),
    ]);
    let result = fixture.call("glob", json!({"pattern": "**/*.rs"})).await;
    assert_eq!(
        result.success().expect("a success").value().as_str(),
        r#"{"root":".","paths":["z.rs","src/.hidden/h.rs","target/t.rs","a.rs"]}"#
    );
    assert_eq!(result.content().to_text(), "z.rs\nsrc/.hidden/h.rs\ntarget/t.rs\na.rs");
    assert_eq!(
        result.meta(),
        Some(&json!({
            "shape": "paths",
            "paths": ["z.rs", "src/.hidden/h.rs", "target/t.rs", "a.rs"],
            "truncated": false,
            "total": 4
        }))
    );
    let value = fixture.value("glob", json!({"pattern": "*.rs", "respect_gitignore": true})).await;
    assert_eq!(strings(&value["paths"]), ["z.rs", "src/.hidden/h.rs", "a.rs"]);
    let value = fixture.value("glob", json!({"pattern": "*.rs", "path": "src"})).await;
    assert_eq!(value, json!({"root": "src", "paths": ["src/.hidden/h.rs"]}));
    assert_eq!(fixture.shown("glob", json!({"pattern": "*.py"})).await, "No files found");
}

#[tokio::test]
async fn glob_shows_a_hundred_and_keeps_the_rest() {
    let fixture = Fixture::new();
    for number in 0..101 {
        fixture.put(&format!("{number:03}.txt"), "");
    }
    let result = fixture.call("glob", json!({"pattern": "*.txt"})).await;
    let value = result.success().expect("a success").canonical().to_json();
    assert_eq!(value["paths"].as_array().unwrap().len(), 101);
    let text = result.content().to_text();
    let (page, notice) = text.split_once("\n\n").unwrap();
    assert_eq!(page.lines().collect::<Vec<_>>(), strings(&value["paths"])[..100]);
    assert_eq!(
        notice,
        "(Showing 100 of 101 paths. The complete result could not be saved; narrow pattern or path to see more.)"
    );
    let meta = result.meta().expect("a presentation");
    assert_eq!(strings(&meta["paths"]), strings(&value["paths"])[..100], "text and card agree");
    assert_eq!((&meta["truncated"], &meta["total"]), (&json!(true), &json!(101)));
}

#[tokio::test]
async fn grep_shows_lines_by_file() {
    let fixture = Fixture::with(&[
        ("b.rs", "fn b() {}\nlet x;\nfn bb() {}\r\n"),
        ("a.md", "fn in prose\n"),
        (".git/config", "fn\n"),
    ]);
    fixture.put("latin", b"fn caf\xe9\n");
    let result = fixture.call("grep", json!({"pattern": "^fn"})).await;
    assert_eq!(
        result.success().expect("a success").canonical().to_json(),
        json!({"matches": [
            {"path": "a.md", "lineNumber": 1, "line": "fn in prose"},
            {"path": "b.rs", "lineNumber": 1, "line": "fn b() {}"},
            {"path": "b.rs", "lineNumber": 3, "line": "fn bb() {}"},
            {"path": "latin", "lineNumber": 1, "line": "(line is not valid UTF-8)"},
        ]})
    );
    assert_eq!(
        result.content().to_text(),
        "Found 4 matches\n\na.md\nLine 1: fn in prose\n\nb.rs\nLine 1: fn b() {}\nLine 3: fn bb() {}\n\nlatin\nLine 1: (line \
         is not valid UTF-8)"
    );
    assert_eq!(
        result.meta(),
        Some(&json!({
            "shape": "matches",
            "files": [
                {"path": "a.md", "matches": [{"lineNumber": 1, "line": "fn in prose"}]},
                {"path": "b.rs", "matches": [
                    {"lineNumber": 1, "line": "fn b() {}"}, {"lineNumber": 3, "line": "fn bb() {}"}
                ]},
                {"path": "latin", "matches": [{"lineNumber": 1, "line": "(line is not valid UTF-8)"}]},
            ],
            "truncated": false,
            "total": 4
        }))
    );
    assert_eq!(
        fixture.shown("grep", json!({"pattern": "fn", "include": "*.md"})).await,
        "Found 1 match\n\na.md\nLine 1: fn in prose"
    );
    assert_eq!(fixture.shown("grep", json!({"pattern": "nothing"})).await, "No matches found");
}

#[tokio::test]
async fn grep_shows_250_and_keeps_the_rest_whole() {
    let fixture = Fixture::with(&[("f", &("needle\n".repeat(299) + "needle " + &"é".repeat(1500)))]);
    let result = fixture.call("grep", json!({"pattern": "needle"})).await;
    let value = result.success().expect("a success").canonical().to_json();
    assert_eq!(value["matches"].as_array().unwrap().len(), 300);
    let text = result.content().to_text();
    assert!(text.starts_with("Found 250 of 300 matches\n\nf\nLine 1: needle\nLine 2"), "{text}");
    assert!(text.ends_with(
        "Line 250: needle\n\n(The complete result could not be saved; narrow pattern, path, or include to see more.)"
    ));
    let meta = result.meta().expect("a presentation");
    assert_eq!(meta["files"][0]["matches"].as_array().unwrap().len(), 250);
    assert_eq!((&meta["truncated"], &meta["total"]), (&json!(true), &json!(300)));

    let long = json!({"pattern": "é"});
    let whole = fixture.value("grep", long.clone()).await;
    assert_eq!(whole["matches"][0]["line"], json!("needle ".to_owned() + &"é".repeat(1500)));
    let shown = "needle ".to_owned() + &"é".repeat(996) + " (line truncated)";
    assert!(fixture.shown("grep", long.clone()).await.ends_with(&format!("Line 300: {shown}")));
    assert_eq!(fixture.meta("grep", long).await["files"][0]["matches"][0]["line"], json!(shown));
}

#[tokio::test]
async fn meta_has_its_own_cap() {
    let fixture = Fixture::with(&[("f", &("\"".repeat(1999) + "\n").repeat(100))]);
    let meta = fixture.meta("grep", json!({"pattern": "\""})).await;
    let kept = meta["files"][0]["matches"].as_array().unwrap().len();
    assert!((1..100).contains(&kept) && meta.to_string().len() <= 65_536, "{kept}");
    assert_eq!((&meta["truncated"], &meta["total"]), (&json!(true), &json!(100)));
}

#[tokio::test]
async fn arguments_stay_arguments() {
    let fixture = Fixture::with(&[("-rf", "--help\n"), ("a.rs", "x\n")]);
    assert_eq!(fixture.value("glob", json!({"pattern": "-rf"})).await["paths"], json!(["-rf"]));
    assert_eq!(fixture.shown("grep", json!({"pattern": "--help"})).await, "Found 1 match\n\n-rf\nLine 1: --help");
    for (arguments, expected) in [
        (json!({"pattern": "x", "include": "!*.rs"}), "INVALID_ARGS"),
        (json!({"pattern": "x", "include": "*.rs,*.md"}), "INVALID_ARGS"),
        (json!({"pattern": "x", "include": "*.{rs,md}"}), "ok"),
        (json!({"pattern": "(", "path": "a.rs"}), "SEARCH_INVALID_PATTERN"),
        (json!({"pattern": "x", "path": "nope"}), "FS_NOT_FOUND"),
        (json!({"pattern": "x", "path": "../"}), "FS_SANDBOX_DENIED"),
        (json!({"pattern": "x", "path": "a.rs"}), "ok"),
    ] {
        assert_eq!(fixture.code("grep", arguments.clone()).await, expected, "{arguments}");
    }
    let shown = fixture.shown("grep", json!({"pattern": "("})).await;
    assert!(shown.starts_with("Error [SEARCH_INVALID_PATTERN]: grep pattern rejected by ripgrep: "), "{shown}");
    assert_eq!(fixture.code("glob", json!({"pattern": "{a"})).await, "SEARCH_INVALID_PATTERN");
    assert_eq!(fixture.code("glob", json!({"pattern": ""})).await, "INVALID_ARGS");
    assert_eq!(fixture.code("glob", json!({"pattern": "*", "path": "a.rs"})).await, "FS_NOT_DIRECTORY");
}

#[tokio::test]
async fn too_much_is_a_failure_that_says_what_to_narrow() {
    let fixture = Fixture::new();
    fixture.put("f", ("x".repeat(99_999) + "\n").repeat(201));
    let shown = fixture.shown("grep", json!({"pattern": "x"})).await;
    assert!(shown.starts_with("Error [SEARCH_RAW_OUTPUT_OVERFLOW]: grep produced 20"), "{shown}");
    assert!(
        shown.ends_with("bytes of raw output, over the 20000000-byte cap; narrow pattern, path, or include and retry")
    );
}

#[cfg(unix)]
#[tokio::test]
async fn what_was_left_out_is_said_beside_the_result() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::with(&[("a", "")]);
    File::create(fixture.path("").join(OsStr::from_bytes(b"caf\xe9"))).unwrap();
    let result = fixture.call("glob", json!({"pattern": "*"})).await;
    assert_eq!(result.content().to_text(), "a");
    let contexts: Vec<_> = result.contexts().iter().map(tool_runtime::Content::to_text).collect();
    assert_eq!(contexts, ["Paths that glob could not look at: 1\n- caf\u{fffd}: the name is not valid UTF-8"]);
}
