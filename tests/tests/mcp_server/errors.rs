//! Which failures the model reads, and which the host.

use serde_json::{Value, json};
use tests::quiet_panics;
use tool_runtime::mcp::ServerOptions;

use super::client::{ALL, Client, NEW, OLD, options};
use super::fixture;

fn told(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    result["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol_that_names_it() {
    for revision in ALL {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        let answer = client.request("tools/call", json!({"name": "ad", "arguments": {}})).await;
        assert_eq!(answer["error"]["code"], -32602, "{revision}");
        assert_eq!(answer["error"]["message"], "unknown tool \"ad\"; did you mean \"add\"?");
    }
}

#[tokio::test]
async fn wrong_arguments_are_told_to_the_model_each_with_its_place() {
    for revision in [OLD, NEW] {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        let result = client.call("add", json!({"a": "x", "c": 1})).await;
        let text = told(&result);
        assert!(text.starts_with("Error [INVALID_ARGS]: "), "{text}");
        for place in ["/a", "/b", "/c"] {
            assert!(text.contains(place), "{place} in {text}");
        }
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_are_told_to_the_model_too() {
    for revision in [OLD, NEW] {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        for arguments in [json!([1]), json!("x"), json!(5)] {
            let result = client.call("add", arguments).await;
            assert!(told(&result).starts_with("Error [INVALID_ARGS]: "), "{result}");
            assert_eq!(result.get("resultType").is_some(), revision == NEW);
        }
        let answer = client.request("tools/call", json!({"name": 5})).await;
        assert_eq!(answer["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn a_key_that_stands_twice_and_a_number_that_is_too_long_are_refused_and_not_guessed_at() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    for arguments in [r#"{"a":1,"a":2,"b":3}"#, r#"{"a":18446744073709551616,"b":3}"#] {
        client
            .line(&format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"add","arguments":{arguments}}}}}"#
            ))
            .await;
        let answer = client.read().await;
        assert!(told(&answer["result"]).starts_with("Error [INVALID_ARGS]: "), "{answer}");
    }
}

#[tokio::test]
async fn what_a_tool_without_arguments_is_sent_is_left_out() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    let result = client.call("nothing", json!({"random_string": "dummy"})).await;
    assert_eq!(result["isError"], false, "{result}");
    let result = client.call("add", json!({"a": 1, "b": 1, "random_string": "dummy"})).await;
    assert!(told(&result).contains("/random_string"));
}

#[tokio::test]
async fn failures_panics_and_lies_are_told_and_the_next_call_works() {
    quiet_panics();
    for revision in [OLD, NEW] {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        let failed = client.call("end", json!({"how": "fail"})).await;
        assert!(told(&failed).contains("the disk is full"));
        let panicked = client.call("end", json!({"how": "panic"})).await;
        assert!(told(&panicked).starts_with("Error [PANICKED]: "), "{panicked}");
        assert!(!panicked.to_string().contains("secret"), "{panicked}");
        let lied = client.call("lie", json!({})).await;
        assert!(told(&lied).starts_with("Error [INVALID_TOOL_OUTPUT]: "), "{lied}");
        assert_eq!(client.call("add", json!({"a": 1, "b": 2})).await["structuredContent"]["sum"], 3);
    }
}

#[tokio::test]
async fn a_fatal_failure_is_the_host_s_and_not_the_model_s() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    let answer = client.request("tools/call", json!({"name": "end", "arguments": {"how": "fatal"}})).await;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("the licence is gone"), "{answer}");
}

#[tokio::test]
async fn a_value_that_is_too_long_to_be_sent_is_told_with_what_was_rendered() {
    let small: ServerOptions = options().value_bytes(20);
    let mut client = Client::with(fixture::dispatcher(), NEW, small).await;
    assert_eq!(client.call("names", json!({"count": 2})).await["isError"], false);
    let result = client.call("names", json!({"count": 3})).await;
    assert!(told(&result).contains("28 bytes of JSON and this server sends 20 at most"), "{result}");
    assert_eq!(result["content"][1]["text"], "name 0, name 1, name 2");
}

#[tokio::test]
async fn a_cursor_into_a_list_of_one_page_and_an_unknown_method_are_refused() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    let answer = client.request("tools/list", json!({"cursor": "x"})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let answer = client.request("tools/vanish", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
}
