//! Time, cancelling, and what of a command is left: nothing.

use std::time::{Duration, Instant};

use crate::fixture::{Fixture, assert_gone, ran};
use examples::tools::RanExit;
use tool_runtime::serde_json::json;
use tool_runtime::{CallOptions, Cancellation, Effects, Limits, ToolResult};

/// Writes the numbers of its leader and of a process that sleeps, and waits for that.
const FAMILY: &str = "sleep 300 & echo $! >> pids; echo $$ >> pids; echo ready; wait";

fn with_grace(grace: Duration) -> Fixture {
    let mut fixture = Fixture::new();
    fixture.dispatcher = fixture.dispatcher.clone().limits(Limits { grace, ..Limits::default() });
    fixture
}

/// A call that is cancelled once its processes are there, and these processes.
async fn cancelled(fixture: &Fixture, command: &str) -> (ToolResult, Vec<u32>) {
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let cancel = async {
        let pids = fixture.pids(2).await;
        cancellation.cancel();
        pids
    };
    tokio::join!(fixture.call_with(json!({"command": command}), options), cancel)
}

#[tokio::test]
async fn a_command_whose_time_is_up_is_told_to_end_with_all_that_it_started() {
    let fixture = Fixture::new();
    let result = fixture.call(json!({"command": FAMILY, "timeout_ms": 1500})).await;
    assert_eq!(result.content().to_text(), "ready\n[timed out after 1500ms]\n[killed by signal: SIGTERM]");
    assert!(ran(&result).timed_out);
    assert_gone(&fixture.pids(2).await).await;
}

#[tokio::test]
async fn a_command_that_catches_the_signal_and_ends_well_has_timed_out_all_the_same() {
    let command = "trap 'echo tidy; exit 0' TERM; echo ready; sleep 300 & wait";
    let result = Fixture::new().call(json!({"command": command, "timeout_ms": 1500})).await;
    assert_eq!((ran(&result).timed_out, &ran(&result).exit), (true, &RanExit::Code(0)));
    assert_eq!(result.content().to_text(), "ready\ntidy\n[timed out after 1500ms]");
}

#[tokio::test]
async fn a_command_that_does_not_obey_is_killed_after_its_grace() {
    let fixture = Fixture::new();
    let command = format!("trap '' TERM; {FAMILY}");
    let result = fixture.call(json!({"command": command, "timeout_ms": 1500})).await;
    assert_eq!(ran(&result).exit, RanExit::Signal("SIGKILL".into()));
    assert_eq!(result.content().to_text(), "ready\n[timed out after 1500ms]\n[killed by signal: SIGKILL]");
    assert_gone(&fixture.pids(2).await).await;
}

#[tokio::test]
async fn what_a_command_leaves_behind_does_not_outlive_it_nor_hold_it_up() {
    let fixture = Fixture::new();
    let start = Instant::now();
    let result = fixture.run("sleep 300 & echo $! >> pids; echo done").await;
    assert!(start.elapsed() < Duration::from_secs(100), "it did not wait for what holds its streams");
    assert_eq!(result.content().to_text(), "done");
    assert_gone(&fixture.pids(1).await).await;
}

#[tokio::test]
async fn who_has_left_the_group_holds_up_nobody() {
    // It ends by itself, since no signal to the group reaches it.
    let start = Instant::now();
    let result = Fixture::new().run("setsid sleep 30 & echo done").await;
    assert_eq!(result.content().to_text(), "done");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_cancelled_call_is_aborted_and_nothing_of_it_runs_on() {
    // Longer than a loaded machine takes to tell of a process's end.
    let fixture = with_grace(Duration::from_secs(10));
    let (result, pids) = cancelled(&fixture, FAMILY).await;
    let failure = result.failure().expect("a failure");
    assert_eq!(failure.code().as_str(), "ABORTED");
    assert_eq!(failure.error().known_effects(), Effects::Possible);
    assert!(failure.error().message().contains("check before you run it again"), "{}", failure.error().message());
    assert_gone(&pids).await;
}

#[tokio::test]
async fn one_that_does_not_obey_is_killed_when_the_caller_s_patience_ends() {
    let fixture = with_grace(Duration::from_millis(50));
    let (result, pids) = cancelled(&fixture, &format!("trap '' TERM; {FAMILY}")).await;
    assert_eq!(result.failure().expect("a failure").code().as_str(), "ABORTED");
    assert_gone(&pids).await;
}

#[tokio::test]
async fn a_deadline_of_the_caller_ends_it_as_a_timeout() {
    let fixture = Fixture::new();
    let deadline = Some(Instant::now() + Duration::from_secs(2));
    let result =
        fixture.call_with(json!({"command": FAMILY}), CallOptions { deadline, ..CallOptions::default() }).await;
    assert_eq!(result.failure().expect("a failure").code().as_str(), "TIMEOUT");
    assert_gone(&fixture.pids(2).await).await;
}

#[tokio::test]
async fn who_drops_the_call_kills_all_of_it() {
    let fixture = Fixture::new();
    let pids = tokio::select! {
        result = fixture.run(FAMILY) => panic!("{}", result.content().to_text()),
        pids = fixture.pids(2) => pids,
    };
    assert_gone(&pids).await;
}
