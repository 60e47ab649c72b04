//! Whatever a client writes, the next call is answered.

use proptest::prelude::*;
use serde_json::json;

use super::client::{Client, OLD};
use super::fixture;

/// Lines of any bytes, of nearly JSON, and of messages that were bitten.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let message = prop::sample::select(vec![
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
    ]);
    let bitten = (message, any::<prop::sample::Index>(), any::<u8>()).prop_map(|(message, at, byte)| {
        let mut bytes = message.as_bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bytes
    });
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..80),
        "[\\[\\]{}\",:a-z0-9 ]{0,40}".prop_map(String::into_bytes),
        bitten,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_next_call_is_answered(lines in prop::collection::vec(line(), 1..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut client = Client::of(fixture::dispatcher(), OLD).await;
            for line in &lines {
                client.bytes(line).await;
                client.bytes(b"\n").await;
            }
            let last = client.message(-77, "tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}}));
            client.line(&last.to_string()).await;
            let answer = loop {
                let answer = client.read().await;
                if answer["id"] == -77 {
                    break answer;
                }
            };
            assert_eq!(answer["result"]["structuredContent"]["sum"], 3);
            let (_, outcome) = client.close().await;
            assert!(outcome.is_ok(), "{outcome:?}");
        });
    }
}
