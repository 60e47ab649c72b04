//! What each revision gets of the list and of every kind of value.

use serde_json::{Value, json};

use super::client::{ALL, Client, NEW, OLD};
use super::fixture;

fn tool<'a>(tools: &'a [Value], name: &str) -> &'a Value {
    tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name} is listed: {tools:?}"))
}

#[tokio::test]
async fn every_tool_is_listed_sorted_in_every_revision() {
    for revision in ALL {
        let tools = Client::of(fixture::dispatcher(), revision).await.tools().await;
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["add", "echo", "end", "lie", "names", "nothing", "picture", "wait"], "{revision}");
        assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object"), "{revision}");
        assert!(tools.iter().all(|tool| tool["inputSchema"]["properties"].is_object()), "{revision}");
    }
}

#[tokio::test]
async fn facts_titles_and_output_schemas_are_listed_from_the_revision_that_knows_them() {
    for (revision, title, hints, object, list) in [
        ("2024-11-05", false, false, false, false),
        ("2025-03-26", false, true, false, false),
        ("2025-06-18", true, true, true, false),
        (OLD, true, true, true, false),
        (NEW, true, true, true, true),
    ] {
        let tools = Client::of(fixture::dispatcher(), revision).await.tools().await;
        let add = tool(&tools, "add");
        assert_eq!(add.get("title").is_some(), title, "{revision}");
        assert_eq!(add["annotations"]["readOnlyHint"] == true, hints, "{revision}");
        assert_eq!(add.get("outputSchema").is_some(), object, "{revision}");
        assert_eq!(tool(&tools, "names").get("outputSchema").is_some(), list, "{revision}");
        if list {
            assert_eq!(tool(&tools, "echo")["outputSchema"], json!({}), "a schema is an object");
        }
    }
}

#[tokio::test]
async fn the_newest_revision_is_told_how_long_a_list_lives_and_who_serves() {
    let mut client = Client::of(fixture::dispatcher(), NEW).await;
    let list = client.request("tools/list", json!({})).await["result"].take();
    assert_eq!((&list["resultType"], &list["ttlMs"]), (&json!("complete"), &json!(0)));
    assert_eq!(list["cacheScope"], "private");
    let info = json!({"name": "fixture", "version": "1.2.3"});
    assert_eq!(list["_meta"]["io.modelcontextprotocol/serverInfo"], info);
    let result = client.call("nothing", json!({})).await;
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"], info);
    let found = client.request("server/discover", json!({})).await["result"].take();
    assert_eq!(found["supportedVersions"], json!(ALL));
    assert_eq!(found["_meta"]["io.modelcontextprotocol/serverInfo"], info);

    let list = Client::of(fixture::dispatcher(), OLD).await.request("tools/list", json!({})).await["result"].take();
    assert_eq!(list.as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"]);
}

#[tokio::test]
async fn a_list_is_the_same_bytes_whenever_and_however_it_is_registered() {
    let mut shuffled = tool_runtime::Registry::new();
    shuffled.tool::<fixture::Wait>().unwrap().tool::<fixture::Names>().unwrap().tool::<fixture::Add>().unwrap();
    let mut sorted = tool_runtime::Registry::new();
    sorted.tool::<fixture::Add>().unwrap().tool::<fixture::Names>().unwrap().tool::<fixture::Wait>().unwrap();
    for revision in ALL {
        let mut lists = Vec::new();
        for registry in [&shuffled, &sorted] {
            let mut client = Client::of(tool_runtime::Dispatcher::new(registry.clone()), revision).await;
            client.send("tools/list", json!({})).await;
            lists.push(client.read_line().await);
        }
        assert_eq!(lists[0], lists[1], "{revision}");
    }
}

#[tokio::test]
async fn a_value_is_structured_wherever_its_revision_has_a_place_for_it() {
    let cases = [
        ("add", json!({"a": 2, "b": 3}), json!({"sum": 5}), "2 + 3 = 5"),
        ("names", json!({"count": 2}), json!(["name 0", "name 1"]), "name 0, name 1"),
        ("nothing", json!({}), json!(null), "null"),
        ("echo", json!({"x": [1]}), json!({"x": [1]}), r#"{"x":[1]}"#),
    ];
    for revision in ALL {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        for (name, arguments, value, text) in &cases {
            let result = client.call(name, arguments.clone()).await;
            let block = |text: &str| json!({"type": "text", "text": text});
            let has_structured = revision >= "2025-06-18";
            let is_structured = revision == NEW || (has_structured && value.is_object());
            let (mut content, json) = (vec![block(text)], value.to_string());
            if has_structured && !is_structured && *text != json {
                content.insert(0, block(&json));
            }
            assert_eq!(result["content"], json!(content), "{name} at {revision}");
            let structured = is_structured.then_some(value);
            assert_eq!(result.get("structuredContent"), structured, "{name} at {revision}");
            assert_eq!(result["isError"], false, "{name} at {revision}");
            assert_eq!(result.get("resultType").is_some(), revision == NEW, "{name} at {revision}");
        }
    }
}

#[tokio::test]
async fn content_is_never_empty_while_there_is_a_value() {
    for revision in ALL {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        let result = client.call("names", json!({"count": 0})).await;
        let told = match revision {
            "2025-06-18" | OLD => "[]",
            _ => "(no output)",
        };
        assert_eq!(result["content"], json!([{"type": "text", "text": told}]), "{revision}");
    }
}

#[tokio::test]
async fn pictures_stay_blocks_and_notices_stand_last() {
    for revision in ALL {
        let result = Client::of(fixture::dispatcher(), revision).await.call("picture", json!({})).await;
        let content = result["content"].as_array().unwrap();
        let image = json!({"type": "image", "data": "cG5n", "mimeType": "image/png"});
        assert!(content.contains(&image), "{revision}: {content:?}");
        assert_eq!(content.last().unwrap()["text"], "[one of two]", "{revision}");
    }
}

#[tokio::test]
async fn what_a_user_interface_draws_from_is_in_the_meta_and_nowhere_else() {
    for revision in ALL {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        let mut result = client.call("add", json!({"a": 1, "b": 1})).await;
        let shown = result["_meta"].as_object_mut().unwrap().remove("tool-runtime/presentation");
        assert_eq!(shown, Some(json!({"token": "tok-123"})), "{revision}");
        assert!(!result.to_string().contains("tok-123"), "{revision}");
    }
}
