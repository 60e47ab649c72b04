//! rmcp's own client, and what it is known to stumble over.

use std::sync::Arc;

use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService, ServiceError, serve_client};
use serde_json::{Value, json};
use tests::quiet_panics;
use tokio::io::duplex;
use tool_runtime::mcp::serve;
use tool_runtime::{Dispatcher, DynamicTool, Registry};

use super::client::options;
use super::fixture;

async fn connected(dispatcher: Dispatcher) -> RunningService<RoleClient, ()> {
    let (here, there) = duplex(1 << 16);
    let (input, output) = tokio::io::split(there);
    tokio::spawn(serve(dispatcher, input, output, options()));
    serve_client((), here).await.expect("they agree")
}

fn call(name: &'static str, arguments: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(name).with_arguments(arguments.as_object().unwrap().clone())
}

#[tokio::test]
async fn it_lists_and_calls_every_kind_of_tool() {
    quiet_panics();
    let client = connected(fixture::dispatcher()).await;
    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(tools.len(), 8);
    let result = client.call_tool(call("add", &json!({"a": 2, "b": 3}))).await.unwrap();
    assert_eq!(result.structured_content, Some(json!({"sum": 5})));
    let result = client.call_tool(call("end", &json!({"how": "panic"}))).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    let error = client.call_tool(call("none", &json!({}))).await.unwrap_err();
    assert!(matches!(&error, ServiceError::McpError(error) if error.code.0 == -32602), "{error}");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_schema_whose_root_is_no_object_is_refused_before_it_can_reach_a_list() {
    let odd = DynamicTool::new("odd", "Odd.", |_, _| async { Ok(json!(1)) })
        .input_schema(json!({"type": "string"}))
        .output_schema(json!({}));
    let mut registry = fixture::registry();
    registry.dynamic(odd).map(|_| ()).unwrap_err();
    let client = connected(Dispatcher::new(registry)).await;
    assert_eq!(client.list_all_tools().await.unwrap().len(), 8);
}

#[tokio::test]
async fn tools_without_a_type_at_their_root_are_listed_as_objects() {
    let mut registry = Registry::new();
    let union = json!({"oneOf": [
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]},
    ]});
    let tool = DynamicTool::new("either", "One of two.", |arguments, _| async move { Ok((*arguments).clone()) })
        .input_schema(union)
        .output_schema(json!({}));
    // Whether it is taken or refused, no client of the list is harmed.
    let _ = registry.dynamic(tool);
    let client = connected(Dispatcher::new(registry)).await;
    for tool in client.list_all_tools().await.unwrap() {
        assert_eq!(tool.input_schema["type"], "object");
    }
}

#[tokio::test]
async fn a_list_is_made_once_for_each_state_of_the_registry_and_shared_by_all_threads() {
    let dispatcher = fixture::dispatcher();
    let client = Arc::new(connected(dispatcher).await);
    let mut lists = Vec::new();
    for _ in 0..4 {
        let client = Arc::clone(&client);
        lists.push(tokio::spawn(async move { client.list_all_tools().await.unwrap() }));
    }
    let mut all = Vec::new();
    for list in lists {
        all.push(list.await.unwrap());
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
}
