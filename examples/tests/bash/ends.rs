//! How a command ends, and what the model reads of it.

use std::fs;

use crate::fixture::{Fixture, ran};
use examples::tools::RanExit;
use tool_runtime::serde_json::json;

#[tokio::test]
async fn a_command_that_ends_well_is_what_it_printed() {
    let fixture = Fixture::new();
    let result = fixture.run("echo one; echo two").await;
    assert_eq!(result.content().to_text(), "one\ntwo");
    assert_eq!(
        result.success().unwrap().canonical().to_json(),
        json!({
            "exit": {"code": 0},
            "timedOut": false,
            "stdout": {"text": "one\ntwo\n", "bytes": 8, "omitted": 0},
            "stderr": {"text": "", "bytes": 0, "omitted": 0},
        })
    );
    assert_eq!(fixture.shown("true").await, "(no output)");
}

#[tokio::test]
async fn a_command_that_fails_is_a_success_with_its_exit_code() {
    let fixture = Fixture::new();
    let result = fixture.run("echo out; echo err >&2; exit 3").await;
    assert_eq!(ran(&result).exit, RanExit::Code(3));
    assert_eq!(result.content().to_text(), "out\n[stderr]\nerr\n[exit code: 3]");
    assert_eq!(fixture.shown("exit 1").await, "(no output)\n[exit code: 1]");
}

#[tokio::test]
async fn a_command_that_a_signal_ends_names_it() {
    let result = Fixture::new().run("printf half; kill -KILL $$").await;
    assert_eq!(ran(&result).exit, RanExit::Signal("SIGKILL".into()));
    assert_eq!(result.content().to_text(), "half\n[killed by signal: SIGKILL]");
}

#[tokio::test]
async fn it_runs_in_the_workspace_without_input() {
    let fixture = Fixture::new();
    fs::write(fixture.path("notes.txt"), "a note\n").unwrap();
    assert_eq!(
        fixture.shown("pwd -P; cat notes.txt").await,
        format!("{}\na note", fixture.path("").display()).replace("/\n", "\n")
    );
    assert_eq!(fixture.shown("cat; echo end").await, "end", "there is nothing to read");
}

#[tokio::test]
async fn a_command_is_never_an_option_of_bash() {
    let shown = Fixture::new().shown("-x").await;
    assert!(shown.contains("command not found") && shown.ends_with("[exit code: 127]"), "{shown}");
}

#[tokio::test]
async fn a_command_that_can_t_be_one_is_refused_before_anything_runs() {
    let fixture = Fixture::new();
    for (arguments, sentence) in [
        (json!({"command": " \n"}), "invalid command: expected a non-empty string"),
        (json!({"command": "echo a\u{0}b"}), "it holds a NUL character"),
        (json!({"command": "true", "timeout_ms": 0}), "/timeout_ms"),
        (json!({"command": "true", "timeout_ms": 600_001}), "/timeout_ms"),
    ] {
        let result = fixture.call(arguments).await;
        let failure = result.failure().expect("a failure");
        assert_eq!(failure.code().as_str(), "INVALID_ARGS");
        assert!(failure.error().message().contains(sentence), "{}", failure.error().message());
    }
}

#[tokio::test]
async fn a_workspace_that_is_gone_starts_nothing() {
    let fixture = Fixture::new();
    fs::remove_dir_all(fixture.path("")).unwrap();
    let result = fixture.run("true").await;
    assert_eq!(result.failure().expect("a failure").code().as_str(), "SHELL_NOT_STARTED");
}
