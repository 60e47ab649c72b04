//! Failures as types: what the derive writes, and what is published of it.

use std::error::Error as StdError;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;
use tests::{call, dispatcher_of};
use tool_runtime::prelude::*;
use tool_runtime::{FailureSpec, Severity};

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(
        code = "FS_NOT_FOUND",
        "there is no {path:?} among {count:>width$} files; {{list}} the directory first",
        retry = corrected,
        effects = none
    )]
    NotFound {
        #[failure(details)]
        path: String,
        #[failure(details)]
        count: usize,
        width: usize,
    },
    #[failure(code = "FS_IO_ERROR", "the disk did not answer; try once more", retry = after("10s"), effects = possible)]
    Io(#[failure(from)] std::io::Error),
    #[failure(code = "FS_LOCKED", "{0} holds {1:?}; ask it", retry = never)]
    Locked(String, &'static str),
    #[failure(code = "FS_NO_DISK", "the disk is gone", fatal)]
    NoDisk,
}

/// One failure, from a struct.
#[derive(ToolFailure)]
#[failure(code = "NET_DOWN", "{host} does not answer", details, retry = safe)]
struct NetDown {
    host: String,
    tries: u8,
    source: Box<dyn StdError + Send + Sync>,
}

/// Read.
#[derive(Tool)]
#[tool(output = String, render = display, failure = (ReadFailure, NetDown))]
struct Read {
    how: String,
}

fn opened(how: &str) -> Result<String, ReadFailure> {
    match how {
        "gone" => Err(ReadFailure::NotFound { path: "a \"b\"".into(), count: 7, width: 3 }),
        "locked" => Err(ReadFailure::Locked("emacs".into(), "a")),
        "disk" => Err(ReadFailure::NoDisk),
        // The conversion that `from` writes.
        "io" => Err(std::io::Error::other("src-1 on sda"))?,
        _ => Ok(String::new()),
    }
}

impl Execute for Read {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        if self.how == "net" {
            let source = std::io::Error::other("src-2 reset").into();
            return Err(NetDown { host: "example.org".into(), tries: 3, source }.into());
        }
        Ok(opened(&self.how)?)
    }
}

async fn failed(how: &str) -> ToolResult {
    let result = call::<Read>(&json!({ "how": how }).to_string()).await;
    assert!(!result.is_success(), "{how}");
    result
}

#[tokio::test]
async fn the_question_mark_makes_of_a_failure_what_its_variant_says() {
    let result = failed("gone").await;
    let error = result.failure().unwrap().error();
    assert_eq!(error.code().as_str(), "FS_NOT_FOUND");
    assert_eq!(error.message(), r#"there is no "a \"b\"" among   7 files; {list} the directory first"#);
    assert_eq!((error.retry_advice(), error.known_effects()), (Retry::Corrected, Effects::None));
    assert_eq!(error.structured_details(), Some(&json!({"count": 7, "path": "a \"b\""})));
    assert!(error.source().is_none());
    let result = failed("locked").await;
    assert_eq!(result.content().to_text(), r#"Error [FS_LOCKED]: emacs holds "a"; ask it"#);
    assert_eq!(result.failure().unwrap().error().structured_details(), None);
}

#[tokio::test]
async fn a_source_is_kept_for_the_host_and_nobody_else_reads_it() {
    for (how, told, secret) in [
        ("io", "Error [FS_IO_ERROR]: the disk did not answer; try once more", "src-1 on sda"),
        ("net", "Error [NET_DOWN]: example.org does not answer", "src-2 reset"),
    ] {
        let result = failed(how).await;
        assert_eq!(result.content().to_text(), told);
        let error = result.failure().unwrap().error();
        assert_eq!(error.source().unwrap().to_string(), secret);
        let sent = format!("{:?} {:?} {:?}", result.content(), error.message(), error.structured_details());
        assert!(!sent.contains("src-"), "{sent}");
    }
    let details = failed("net").await;
    let details = details.failure().unwrap().error().structured_details().cloned();
    assert_eq!(details, Some(json!({"host": "example.org", "tries": 3})), "all fields but the source");
}

#[tokio::test]
async fn a_host_sees_before_any_call_how_a_tool_may_fail() {
    let registry = dispatcher_of::<Read>().registry();
    let spec = registry.spec("read").unwrap();
    let told = |failure: &FailureSpec| {
        let (severity, retry) = (failure.severity(), failure.retry_advice());
        (failure.code().to_string(), severity, retry, failure.known_effects(), failure.sentence())
    };
    let recoverable = Severity::Recoverable;
    assert_eq!(
        spec.failures.iter().map(told).collect::<Vec<_>>(),
        [
            (
                "FS_NOT_FOUND".to_owned(),
                recoverable,
                Retry::Corrected,
                Effects::None,
                "there is no {path:?} among {count:>width$} files; {{list}} the directory first"
            ),
            (
                "FS_IO_ERROR".to_owned(),
                recoverable,
                Retry::After(Duration::from_secs(10)),
                Effects::Possible,
                "the disk did not answer; try once more"
            ),
            ("FS_LOCKED".to_owned(), recoverable, Retry::Never, Effects::Unknown, "{0} holds {1:?}; ask it"),
            ("FS_NO_DISK".to_owned(), Severity::Fatal, Retry::Unspecified, Effects::Unknown, "the disk is gone"),
            ("NET_DOWN".to_owned(), recoverable, Retry::Safe, Effects::Unknown, "{host} does not answer"),
        ]
    );
}

#[test]
fn a_dynamic_tool_publishes_those_that_it_is_given() {
    let tool = DynamicTool::new("raw", "Do it.", |_, _| async { Err(ReadFailure::NoDisk)? });
    let mut registry = Registry::new();
    registry.dynamic(tool.output_schema(json!({})).failures(NetDown::FAILURES)).unwrap();
    let failures = &registry.spec("raw").unwrap().failures;
    assert_eq!(failures.as_slice(), NetDown::FAILURES);
}

#[tokio::test]
async fn failures_are_no_part_of_what_a_provider_gets() {
    let registry = dispatcher_of::<Read>().registry();
    let listed = registry.specs_json();
    assert!(!listed.contains("FS_") && !listed.contains("failure"), "{listed}");
    let written = serde_json::to_string(&registry.specs().collect::<Vec<_>>()).unwrap();
    assert_eq!(listed, written);
}

#[test]
fn a_failure_tells_its_code_and_its_sentence_before_it_is_an_error() {
    assert_eq!(ReadFailure::NoDisk.code().as_str(), "FS_NO_DISK");
    assert_eq!(ReadFailure::NoDisk.to_string(), "the disk is gone");
    assert_eq!(ReadFailure::NoDisk.spec(), &ReadFailure::FAILURES[3]);
    assert_eq!(ReadFailure::from(std::io::Error::other("x")).code().as_str(), "FS_IO_ERROR");
}

/// What every failure of a type says for itself is what is published of it.
fn assert_as_published<F: ToolFailure>(failure: F) {
    let spec = failure.spec();
    let error = failure.into_error();
    assert_eq!((error.code(), error.severity()), (spec.code(), spec.severity()));
    assert_eq!((error.retry_advice(), error.known_effects()), (spec.retry_advice(), spec.known_effects()));
}

#[test]
fn what_is_published_is_what_happens() {
    assert_as_published(ReadFailure::NotFound { path: "a".into(), count: 1, width: 1 });
    assert_as_published(ReadFailure::Io(std::io::Error::other("x")));
    assert_as_published(ReadFailure::Locked("a".into(), "b"));
    assert_as_published(ReadFailure::NoDisk);
    assert_as_published(NetDown { host: "a".into(), tries: 1, source: "x".into() });
}

/// Fields of every kind that may stand in details.
#[derive(ToolFailure)]
#[failure(details)]
enum Rich<'a, T: Serialize> {
    #[failure(code = "RICH", "too much of {name}")]
    Much { name: &'a str, ratio: f64, rest: T, at: Option<Vec<(u8, char)>> },
    #[failure(code = "POOR", "nothing")]
    Nothing,
}

#[test]
fn details_are_whatever_serialises_and_what_is_no_json_is_left_out() {
    let name = String::from("it");
    let much = |ratio| Rich::Much { name: &name, ratio, rest: [1_u8], at: Some(vec![(1, 'x')]) };
    let error = ToolError::from(much(0.5));
    let all = json!({"at": [[1, "x"]], "name": "it", "ratio": 0.5, "rest": [1]});
    assert_eq!(error.structured_details(), Some(&all));
    let error = ToolError::from(much(f64::NAN));
    assert_eq!(error.message(), "too much of it");
    assert_eq!(error.structured_details(), Some(&json!({"at": [[1, "x"]], "name": "it", "rest": [1]})));
    assert_eq!(ToolError::from(Rich::<u8>::Nothing).structured_details(), None);
}

/// The codes of the framework that say of a body what they say of the framework.
#[derive(ToolFailure)]
enum Shared {
    #[failure(code = "INVALID_ARGS", "{why}", retry = corrected)]
    Arguments { why: &'static str },
    #[failure(code = "ABORTED", "tool call aborted")]
    Aborted,
}

#[test]
fn a_body_may_say_that_its_arguments_are_invalid_and_that_it_stopped() {
    assert_eq!(ToolError::from(Shared::Arguments { why: "a and b must differ" }).code(), &Code::INVALID_ARGS);
    assert_eq!(ToolError::from(Shared::Aborted).code(), &Code::ABORTED);
}
