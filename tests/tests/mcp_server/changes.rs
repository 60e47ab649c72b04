//! Clients are told when the tools change, and only then.

use serde_json::json;
use tool_runtime::prelude::*;

use super::client::{Client, NEW, OLD};
use super::fixture;

/// One more.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct More {}

impl Execute for More {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("more".to_owned())
    }
}

fn add_more(dispatcher: &Dispatcher) {
    dispatcher.change_registry(|registry| registry.tool::<More>().map(|_| ())).unwrap();
}

#[tokio::test]
async fn a_client_with_a_session_is_told_and_sees_the_new_list() {
    let dispatcher = fixture::dispatcher();
    let mut client = Client::of(dispatcher.clone(), OLD).await;
    assert_eq!(client.tools().await.len(), 8);
    add_more(&dispatcher);
    let told = client.read().await;
    assert_eq!(told, json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
    assert_eq!(client.tools().await.len(), 9);
    assert_eq!(client.call("more", json!({})).await["content"][1]["text"], "more");
}

#[tokio::test]
async fn a_client_that_listens_is_told_under_the_id_of_its_request() {
    let dispatcher = fixture::dispatcher();
    let mut client = Client::of(dispatcher.clone(), NEW).await;
    let id = client.send("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
    let acknowledged = client.read().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
    add_more(&dispatcher);
    let told = client.read().await;
    assert_eq!(told["method"], "notifications/tools/list_changed", "{told}");
    assert_eq!(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id, "{told}");
    assert_eq!(client.tools().await.len(), 9);
}

#[tokio::test]
async fn a_change_that_leaves_the_list_as_it_was_is_not_told() {
    let parent = fixture::dispatcher();
    let scope = parent.scoped();
    let mut client = Client::of(scope.clone(), OLD).await;
    let elsewhere = parent.scoped();
    add_more(&elsewhere);
    let key = scope.restrict(Restriction::deny(["add"])).unwrap();
    let told = client.read().await;
    assert_eq!(told["method"], "notifications/tools/list_changed", "{told}");
    assert_eq!(client.tools().await.len(), 7, "the scope's own view");
    scope.lift(&key);
    assert_eq!(client.read().await["method"], "notifications/tools/list_changed");
}
