//! Calls while they run: progress, cancellation, and many at once.

use std::time::{Duration, Instant};

use serde_json::json;
use tests::Seen;
use tool_runtime::Dispatcher;

use super::client::{Client, NEW, OLD, options};
use super::fixture;

#[tokio::test]
async fn a_slow_call_holds_up_nothing_else() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    for _ in 0..2 {
        client.send("tools/call", json!({"name": "wait", "arguments": {}})).await;
    }
    let begun = Instant::now();
    client.request("ping", json!({})).await;
    client.tools().await;
    client.call("add", json!({"a": 1, "b": 2})).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn progress_is_told_before_the_answer_and_grows() {
    for revision in [OLD, NEW] {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        let params = json!({
            "name": "wait", "arguments": {"reports": 3, "millis": 0}, "_meta": {"progressToken": "token"}
        });
        client.send("tools/call", params).await;
        for number in [1.0, 2.0, 3.0] {
            let report = client.read().await;
            assert_eq!(report["method"], "notifications/progress", "{report}");
            let params = &report["params"];
            assert_eq!((&params["progressToken"], params["progress"].as_f64()), (&json!("token"), Some(number)));
            assert_eq!((params["total"].as_f64(), &params["message"]), (Some(3.0), &json!("going on")));
        }
        assert_eq!(client.read().await["result"]["isError"], false);
        let quiet = client.call("wait", json!({"reports": 3, "millis": 0})).await;
        assert_eq!(quiet["isError"], false, "who gave no token hears nothing");
    }
}

#[tokio::test]
async fn a_cancelled_call_stops_and_is_not_answered() {
    for revision in [OLD, NEW] {
        let seen = Seen::default();
        let dispatcher = Dispatcher::new(fixture::registry()).observer(seen.clone());
        let mut client = Client::of(dispatcher, revision).await;
        let id = client.send("tools/call", json!({"name": "wait", "arguments": {}})).await;
        // A token's report tells that the body runs; here, that a later request was answered.
        client.call("nothing", json!({})).await;
        client
            .line(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
                    .to_string(),
            )
            .await;
        let answer = client.call("add", json!({"a": 1, "b": 2})).await;
        assert_eq!(answer["isError"], false);
        let (lines, outcome) = client.close().await;
        assert!(outcome.is_ok() && lines.is_empty(), "{revision}: {lines:?} {outcome:?}");
        let told = seen.codes();
        assert!(told.contains(&"ABORTED".to_owned()), "{revision}: {told:?}");
    }
}

#[tokio::test]
async fn calls_beyond_the_limit_wait_their_turn_and_those_beyond_that_are_refused() {
    let few = options().concurrent_calls(2).waiting_calls(3);
    let mut client = Client::with(fixture::dispatcher(), OLD, few).await;
    let mut ids = Vec::new();
    for _ in 0..7 {
        ids.push(client.send("tools/call", json!({"name": "wait", "arguments": {"millis": 150}})).await);
    }
    let (mut done, mut busy) = (0, 0);
    for _ in 0..7 {
        let answer = client.read().await;
        match answer.get("error") {
            Some(error) => {
                assert_eq!(error["code"], -32000, "{answer}");
                assert!(error["message"].as_str().unwrap().starts_with("2 calls run and 3 wait"), "{answer}");
                busy += 1;
            }
            None => done += 1,
        }
    }
    assert_eq!((done, busy), (5, 2));
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_can_be_cancelled() {
    let one = options().concurrent_calls(1);
    let mut client = Client::with(fixture::dispatcher(), OLD, one).await;
    client.send("tools/call", json!({"name": "wait", "arguments": {"millis": 300}})).await;
    let waiting = client.send("tools/call", json!({"name": "wait", "arguments": {}})).await;
    let last = client.send("tools/call", json!({"name": "nothing", "arguments": {}})).await;
    client
        .line(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}})
                .to_string(),
        )
        .await;
    assert_eq!(client.read().await["result"]["content"][1]["text"], "waited");
    assert_eq!(client.read().await["id"], last);
}
