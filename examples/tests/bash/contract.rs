//! What the tool publishes.

use std::time::Duration;

use crate::fixture::Fixture;
use examples::tools::{Bash, Ran, RanExit, RanStream};
use tool_runtime::Behaviour;
use tool_runtime::serde_json::json;
use tool_runtime::testing::{assert_output_contract, assert_pure_projections};

#[test]
fn limits_and_facts_stand_in_what_is_published() {
    let registry = Fixture::new().dispatcher.registry();
    let spec = registry.spec("bash").expect("a tool");
    let input = spec.input_schema.to_value();
    assert_eq!(input["required"], json!(["command"]));
    let limit = &input["properties"]["timeout_ms"];
    assert_eq!((&limit["minimum"], &limit["maximum"]), (&json!(1), &json!(600_000)));
    let facts = Behaviour::new().destructive(true).open_world(true).timeout(Duration::from_secs(620));
    assert_eq!(spec.behaviour, facts);
    assert!(!spec.behaviour.is_parallel(), "it may touch anything, so it runs alone");
}

#[test]
fn values_come_back_as_they_went() {
    let stream = RanStream { text: "a\u{0}é\n".into(), bytes: u64::MAX, omitted: 7, path: Some("/p".into()) };
    for exit in [RanExit::Code(i32::MIN), RanExit::Signal("SIGKILL".into())] {
        let (stdout, stderr) = (stream.clone(), RanStream::default());
        let ran = Ran { exit, timed_out: true, stdout, stderr };
        assert_output_contract([ran.clone()]);
        assert_pure_projections(&Bash { command: "true".into(), description: None, timeout_ms: Some(7) }, [ran]);
    }
}

#[tokio::test]
async fn a_program_gets_the_typed_value() {
    let bash = Bash { command: "echo 4; exit 9".into(), description: None, timeout_ms: None };
    let ran = Fixture::new().dispatcher.invoke(bash).await.expect("a command that ran");
    assert_eq!((ran.exit, ran.stdout.text.as_str()), (RanExit::Code(9), "4\n"));
}
