//! The pipeline against a simple reference: random batches under random policies, people, layers, bodies and aborts.
//!
//! Each run prints nothing unless it fails; then it tells its seed. `SEED=… cargo test -p tests --test
//! properties_of_dispatch` runs with that seed again, and `RUNS=…` says how many cases.

mod plan;
mod reference;
mod stage;

use std::sync::Arc;

use plan::{Plan, plans};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use stage::Stage;
use tests::{code, quiet_panics};
use tool_runtime::prelude::*;

/// What is left of a run once its results have been looked at.
struct Outcome {
    codes: Vec<String>,
    stage: Arc<Stage>,
}

/// Runs a plan, and checks what must hold of every result whatever the plan is.
async fn run(plan: &Plan) -> Outcome {
    let stage = Arc::new(Stage::new(plan.clone()));
    let dispatcher = stage::dispatcher(&stage);
    let texts: Vec<(String, String, String)> =
        plan.calls.iter().enumerate().map(|(index, call)| call.as_sent(index)).collect();
    let calls = texts.iter().map(|(id, name, arguments)| ToolCall::new(id, name, arguments)).collect();
    let options = CallOptions { cancellation: stage.cancellation.clone(), ..CallOptions::default() };
    let abort = async {
        if let Some(after) = plan.abort_after {
            tokio::time::sleep(after).await;
            stage.cancellation.cancel();
        }
        std::future::pending::<()>().await;
    };
    let results = tokio::select! {
        results = dispatcher.batch(calls, options).all() => results,
        () = abort => unreachable!("it never ends"),
    };

    let ids: Vec<&str> = results.iter().map(ToolResult::call_id).collect();
    let sent: Vec<&str> = texts.iter().map(|(id, ..)| id.as_str()).collect();
    assert_eq!(ids, sent, "one result a call, in the order of the calls");
    for result in &results {
        match result {
            ToolResult::Success(success) => assert!(success.value_as::<i64>().is_some(), "a success has its value"),
            ToolResult::Failure(failure) => assert_eq!(failure.meta(), None, "a failure has none of the value's"),
        }
    }
    let codes = results.iter().map(|result| code(result).to_owned()).collect();
    drop((results, dispatcher));
    Outcome { codes, stage }
}

fn check(plan: &Plan) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let Outcome { codes, stage } = runtime.block_on(run(plan));
    assert_eq!(Arc::strong_count(&stage), 1, "nothing keeps the state of the tools");
    let log = stage.log();
    let all: Vec<usize> = (0..plan.calls.len()).collect();
    assert_eq!(log.judged_after, all, "each result is judged once, in the order of the calls");
    assert_eq!(log.observed, all, "and observed once, in that order");
    assert!(log.judged_before.is_sorted(), "calls are judged in their order: {:?}", log.judged_before);
    assert!(!log.overlapped, "a call that must run alone ran beside another");
    assert!(!log.success_after_abort, "a success was given after the caller had cancelled");
    assert_eq!(log.running, 0, "no body is left");
    for (index, (call, code)) in plan.calls.iter().zip(&codes).enumerate() {
        let entered = log.entered.contains(&index);
        let expected = reference::of(call);
        if plan.abort_after.is_none() {
            assert_eq!(*code, expected.code, "call {index}: {call:?}");
            assert_eq!(entered, expected.entered, "call {index}: {call:?}");
            continue;
        }
        assert!(!entered || expected.may_enter, "call {index} was entered without leave: {call:?}");
        assert!(expected.allows_aborted(code, entered), "call {index} ended as {code} (entered: {entered}): {call:?}");
    }
}

#[test]
fn random_batches_end_as_the_reference_says() {
    quiet_panics();
    let runs = std::env::var("RUNS").ok().map_or(10_000, |runs| runs.parse().expect("RUNS is a number"));
    let seed: u64 = match std::env::var("SEED") {
        Ok(seed) => seed.parse().expect("SEED is a number"),
        Err(_) => std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), runs),
    };
    println!("SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases: runs, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let outcome = runner.run(&plans(), |plan| {
        check(&plan);
        Ok(())
    });
    if let Err(failed) = outcome {
        panic!("SEED={seed}: {failed}");
    }
}
