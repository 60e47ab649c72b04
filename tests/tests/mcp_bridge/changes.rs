//! Lists that change, and connections that are lost: the tools change in one step, or not at all.

use std::fs;

use serde_json::{Value, json};
use tests::code;
use tool_runtime::Retry;
use tool_runtime::mcp::{BridgeError, BridgeStatus, Reconnect};
use tool_runtime::prelude::*;

use super::scene::{Scene, bridge, script, tool};

/// A server with several lists, each of which has a tool `to_N` for each other; `to_N` switches to list N.
fn switching(lists: &[Value]) -> Value {
    let result = json!({"content": [{"type": "text", "text": "switched"}]});
    let calls: serde_json::Map<_, _> = (0..lists.len())
        .map(|list| (format!("to_{list}"), json!({"list": list, "result": result})))
        .chain([("a".to_owned(), json!({"result": {"content": [{"type": "text", "text": "a"}]}}))])
        .collect();
    json!({"lists": lists, "calls": calls})
}

fn page(names: &[&str]) -> Value {
    json!([{"tools": names.iter().map(|name| tool(name)).collect::<Vec<_>>()}])
}

#[tokio::test]
async fn a_changed_list_is_swapped_in_and_what_is_gone_is_unknown() {
    let mut scene = Scene::of(&switching(&[page(&["a", "to_1"]), page(&["b", "to_0"])])).await;
    let before = scene.dispatcher.registry();
    assert_eq!(scene.told("to_1").await, "switched");
    let report = scene.until(|report| report.generation == 2).await;
    assert_eq!(scene.names(), ["mcp__srv__b", "mcp__srv__to_0"]);
    assert_eq!(report.tools.iter().map(|tool| tool.raw.as_str()).collect::<Vec<_>>(), ["b", "to_0"]);
    assert_eq!(code(&scene.call("a", json!({})).await), "UNKNOWN_TOOL");
    assert_eq!(Dispatcher::new(before).call(ToolCall::new("1", "mcp__srv__a", "")).await.content().to_text(), "a");
    assert_eq!(scene.told("to_0").await, "switched");
    scene.until(|report| report.generation == 3).await;
    assert_eq!(scene.told("a").await, "a");
}

#[tokio::test]
async fn a_list_that_can_t_be_had_or_taken_leaves_the_old_tools() {
    let bad = [
        (json!([{"code": -32603, "message": "broken"}]), "broken"),
        (page(&["b", "b"]), "server listed tool \"b\" more than once"),
        (json!([{"tools": 7}]), "a list without tools"),
        (page(&["taken", "b"]), "DUPLICATE_TOOL"),
    ];
    for (list, says) in bad {
        let mut scene = Scene::of(&switching(&[page(&["a", "to_1"]), list])).await;
        scene
            .dispatcher
            .change_registry(|own| {
                let own_tool = DynamicTool::new("mcp__srv__taken", "Own.", |_, _| async { Ok(json!(1)) });
                own.dynamic(own_tool.output_schema(json!({})))?;
                Ok(())
            })
            .unwrap();
        let names = scene.names();
        assert_eq!(scene.told("to_1").await, "switched");
        let report = scene.until(|report| report.problem.is_some()).await;
        assert!(report.problem.as_ref().unwrap().contains(says), "{:?}", report.problem);
        assert_eq!((scene.names(), report.generation, report.tools.len()), (names, 1, 2), "{says}");
        assert_eq!(scene.told("a").await, "a", "{says}");
        let error = scene.connection.refresh().await.unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[tokio::test]
async fn no_call_sees_a_part_of_a_change() {
    let even: Vec<String> = (0..40).map(|number| format!("even_{number}")).collect();
    let odd: Vec<String> = (0..40).map(|number| format!("odd_{number}")).collect();
    let list = |names: &[String], to: &str| {
        let names: Vec<_> = names.iter().map(String::as_str).chain([to]).collect();
        page(&names)
    };
    let mut scene = Scene::of(&switching(&[list(&even, "to_1"), list(&odd, "to_0")])).await;
    let dispatcher = scene.dispatcher.clone();
    let watcher = tokio::spawn(async move {
        let mut seen_odd = false;
        while !seen_odd {
            let registry = dispatcher.registry();
            let odd = registry.names().filter(|name| name.contains("odd_")).count();
            assert!(matches!((registry.len(), odd), (41, 0 | 40)), "{odd} of {}", registry.len());
            seen_odd = odd == 40;
            tokio::task::yield_now().await;
        }
    });
    scene.told("to_1").await;
    scene.until(|report| report.generation == 2).await;
    watcher.await.unwrap();
}

#[tokio::test]
async fn a_refresh_lists_at_once_and_an_unchanged_list_changes_nothing() {
    let scene = Scene::of(&script(&json!({"a": {}}))).await;
    let key = scene.dispatcher.registry().key("mcp__srv__a").unwrap();
    let report = scene.connection.refresh().await.unwrap();
    assert_eq!((report.generation, report.problem), (1, None));
    let removed = scene.dispatcher.change_registry(|own| Ok(own.remove(&key))).unwrap();
    assert!(removed, "it was the same registration");
}

#[tokio::test]
async fn a_lost_connection_is_made_anew_and_calls_meanwhile_fail_clearly() {
    let directory = tempfile::tempdir().unwrap();
    let starts = directory.path().join("starts");
    let mut script =
        script(&json!({"die": {"exit": 9}, "a": {"result": {"content": [{"type": "text", "text": "a"}]}}}));
    script["starts"] = starts.to_str().unwrap().into();
    script["fails"] = json!([2, 3]);
    let mut scene = Scene::of(&script).await;
    let result = scene.call("die", json!({})).await;
    let told = result.content().to_text();
    assert!(code(&result) == "MCP_CONNECTION_LOST" && told.contains("check before you call it again"), "{told}");
    assert_eq!(result.failure().unwrap().error().known_effects(), Effects::Possible);
    scene.until(|report| report.status == BridgeStatus::Reconnecting).await;
    let result = scene.call("a", json!({})).await;
    if let Some(failure) = result.failure() {
        // It may be there again by now.
        assert!(matches!(failure.error().retry_advice(), Retry::After(_)), "{failure}");
        assert_eq!((code(&result), failure.error().known_effects()), ("MCP_UNAVAILABLE", Effects::None));
    }
    let report = scene.until(|report| report.status == BridgeStatus::Connected && report.problem.is_none()).await;
    assert_eq!(report.generation, 1, "the list is the same");
    assert_eq!(scene.told("a").await, "a");
    assert_eq!(fs::read_to_string(starts).unwrap(), "4");
}

#[tokio::test]
async fn a_server_that_stays_away_is_given_up_and_a_refresh_tries_once_more() {
    let directory = tempfile::tempdir().unwrap();
    let starts = directory.path().join("starts");
    let mut script =
        script(&json!({"die": {"exit": 9}, "a": {"result": {"content": [{"type": "text", "text": "a"}]}}}));
    script["starts"] = starts.to_str().unwrap().into();
    // Each attempt that ends at once is made in the old way as well.
    script["fails"] = (2..=7).collect();
    script["errors"] = "no disk".into();
    let reconnect = Reconnect { attempts: 2, first: std::time::Duration::from_millis(5), ..Reconnect::default() };
    let mut scene = Scene::with(bridge(&script).reconnect(reconnect)).await;
    assert_eq!(code(&scene.call("die", json!({})).await), "MCP_CONNECTION_LOST");
    let report = scene.until(|report| report.status == BridgeStatus::GivenUp).await;
    assert!(report.problem.as_ref().unwrap().contains("its error output ends with: no disk"), "{:?}", report.problem);
    assert_eq!(scene.names().len(), 2, "the tools stay, so that a list for a model does");
    let result = scene.call("a", json!({})).await;
    assert_eq!(
        result.content().to_text(),
        "Error [MCP_UNAVAILABLE]: the MCP server \"srv\" is not connected; it was given up, so do without its tools"
    );
    assert_eq!(result.failure().unwrap().error().retry_advice(), Retry::Never);
    assert!(matches!(scene.connection.refresh().await, Err(BridgeError::Connect(_))));
    let report = scene.connection.refresh().await.unwrap();
    assert_eq!(report.status, BridgeStatus::Connected);
    assert_eq!(scene.told("a").await, "a");
}

#[tokio::test]
async fn two_servers_share_a_dispatcher_and_one_that_fails_does_not_touch_the_other() {
    let script = script(&json!({"a": {"result": {"content": [{"type": "text", "text": "a"}]}}, "die": {"exit": 1}}));
    let mut first = Scene::of(&script).await;
    let error = bridge(&script).connect(&first.dispatcher).await.unwrap_err();
    assert!(matches!(error, BridgeError::NameTaken(_)), "one name is one server: {error}");
    assert_eq!(error.to_string(), "a server is connected as \"srv\" already; give this one another name");
    let reconnect = Reconnect { attempts: 0, ..Reconnect::default() };
    let other = tool_runtime::mcp::Bridge::stdio("other", super::scene::server(&script)).reconnect(reconnect);
    let mut second =
        Scene { connection: other.connect(&first.dispatcher).await.unwrap(), dispatcher: first.dispatcher.clone() };
    let die = ToolCall::new("1", "mcp__other__die", "");
    assert_eq!(code(&first.dispatcher.call(die).await), "MCP_CONNECTION_LOST");
    second.until(|report| report.status == BridgeStatus::GivenUp).await;
    assert_eq!(first.told("a").await, "a");
    second.connection.close().await;
    assert_eq!(first.names(), ["mcp__srv__a", "mcp__srv__die"]);
    first.until(|report| report.status == BridgeStatus::Connected).await;
}

#[tokio::test]
async fn a_bridge_to_a_scope_is_for_the_scope_alone() {
    let dispatcher = super::scene::dispatcher();
    let scope = dispatcher.scoped();
    let connection = bridge(&script(&json!({"a": {}}))).connect(&scope).await.unwrap();
    assert_eq!(scope.registry().len(), 1);
    assert!(dispatcher.registry().is_empty());
    connection.close().await;
    assert!(scope.registry().is_empty());
}
