//! Lists of tools: pages, names, and what can't be taken.

use std::time::Duration;

use serde_json::{Value, json};
use tests::code;
use tool_runtime::mcp::{BridgeError, BridgeLimits, BridgeStatus};
use tool_runtime::prelude::*;

use super::scene::{Scene, bridge, dispatcher, script, tool};

async fn refused(script: &Value) -> BridgeError {
    let dispatcher = dispatcher();
    let error = bridge(script).connect(&dispatcher).await.map(|_| ()).unwrap_err();
    assert!(dispatcher.registry().is_empty(), "nothing is registered: {error}");
    error
}

#[tokio::test]
async fn all_pages_are_listed_and_the_raw_name_is_what_the_server_gets() {
    let script = json!({
        "lists": [[
            {"tools": [tool("b.c")], "nextCursor": "1"}, {"tools": [], "nextCursor": "2"}, {"tools": [tool("a")], "nextCursor": ""}
        ]],
        "calls": {"b.c": {"echo": 1}, "a": {"echo": 1}}
    });
    let scene = Scene::of(&script).await;
    let report = scene.connection.report();
    assert_eq!(
        (report.generation, report.status, report.revision.as_str()),
        (1, BridgeStatus::Connected, "2025-11-25")
    );
    let raw: Vec<_> = report.tools.iter().map(|tool| tool.raw.as_str()).collect();
    assert_eq!(raw, ["b.c", "a"]);
    let hashed = &report.tools[0].name;
    assert!(hashed.starts_with("mcp__srv__b_c_"), "{hashed}");
    assert_eq!(scene.names(), ["mcp__srv__a", hashed]);
    let result = scene.dispatcher.call(ToolCall::new("1", hashed, r#"{"x": 1.5}"#)).await;
    assert_eq!(result.content().to_text(), r#"{"_meta":null,"name":"b.c","arguments":{"x":1.5}}"#);
}

#[tokio::test]
async fn one_bad_tool_is_left_out_and_told_and_the_others_are_there() {
    let listed = |name: &str, key: &str, value: Value| {
        let mut tool = tool(name);
        tool[key] = value;
        tool
    };
    let script = json!({"lists": [[{"tools": [
        tool("good"),
        listed("any", "inputSchema", json!({"type": "any"})),
        listed("odd", "outputSchema", json!({"description": "x"})),
        listed("null", "inputSchema", json!(null)),
        listed("outside", "inputSchema", json!({"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:1/s.json"}}})),
        listed("look", "inputSchema", json!({"type": "object", "properties": {"a": {"pattern": "(?=a)"}}})),
        {"description": "no name", "inputSchema": {"type": "object"}},
        {"name": 7}, 7, null,
        tool(""),
        tool("plain"),
        listed("silent", "description", json!(null)),
    ]}]], "calls": {"odd": {"result": {"content": [], "structuredContent": {"a": 1}}}}});
    let scene = Scene::of(&script).await;
    assert_eq!(scene.names(), ["mcp__srv__good", "mcp__srv__odd", "mcp__srv__plain", "mcp__srv__silent"]);
    let report = scene.connection.report();
    let left_out: Vec<_> = report.left_out.iter().map(|out| (out.raw.as_str(), out.reason.as_str())).collect();
    let says = [
        "[UNSUPPORTED_SCHEMA]",
        "no inputSchema",
        "[UNSUPPORTED_SCHEMA]",
        "linear time",
        "no name",
        "no name",
        "no name",
    ];
    assert_eq!(left_out.len(), 9);
    for ((_, reason), says) in left_out.iter().zip(says) {
        assert!(reason.contains(says), "{reason}");
    }
    assert_eq!(left_out.iter().map(|(raw, _)| *raw).collect::<String>(), "anynulloutsidelook");
    let odd = report.tools.iter().find(|tool| tool.raw == "odd").unwrap();
    assert_eq!(odd.unchecked.as_deref(), Some("its root is no object, as the revision of the protocol demands"));
    assert_eq!(scene.told("odd").await, r#"{"a":1}"#);
    let registry = scene.dispatcher.registry();
    let silent = &registry.spec("mcp__srv__silent").unwrap().description;
    assert_eq!(silent, r#"The tool "silent" of the server "srv", which does not describe it."#);
}

#[tokio::test]
async fn a_name_that_stands_twice_spoils_the_list() {
    let script = json!({"lists": [[{"tools": [tool("a")], "nextCursor": "1"}, {"tools": [tool("b"), tool("a")]}]]});
    assert_eq!(
        refused(&script).await,
        BridgeError::List("mcp-client(srv): server listed tool \"a\" more than once — invalid tool list".into())
    );
}

#[tokio::test]
async fn a_list_without_an_end_is_refused() {
    let round =
        json!({"lists": [[{"tools": [tool("a")], "nextCursor": "1"}, {"tools": [tool("b")], "nextCursor": "1"}]]});
    assert!(refused(&round).await.to_string().contains("lists one page twice"));
    let pages: Vec<_> = (1..200).map(|next| json!({"tools": [], "nextCursor": next.to_string()})).collect();
    assert!(refused(&json!({"lists": [pages]})).await.to_string().contains("more than 64 pages"));
    let many: Vec<_> = (0..600).map(|number| tool(&format!("t{number}"))).collect();
    let many = json!({"lists": [[{"tools": many}]]});
    assert!(refused(&many).await.to_string().contains("more than 512 tools"));
    let limits = BridgeLimits { tools: 600, ..BridgeLimits::default() };
    let scene = Scene::with(bridge(&many).limits(limits)).await;
    assert_eq!(scene.dispatcher.registry().len(), 600);
}

#[tokio::test]
async fn a_list_that_is_none_is_refused_with_what_came_instead() {
    for (page, says) in [
        (json!({"code": -32603, "message": "out of\nmemory"}), "out of\u{fffd}memory"),
        (json!({}), "a list without tools"),
        (json!({"tools": {"a": 1}}), "a list without tools"),
        (json!(null), "a list without tools"),
        (json!("tools"), "a list without tools"),
    ] {
        let error = refused(&json!({"lists": [[page]]})).await;
        assert!(matches!(&error, BridgeError::List(told) if told.contains(says)), "{error}");
    }
    let dispatcher = dispatcher();
    let silent = bridge(&json!({"lists": [["silence"]]})).timeout(Duration::from_millis(300));
    let error = silent.connect(&dispatcher).await.unwrap_err().to_string();
    assert!(error.contains("no answer within 300ms"), "{error}");
}

#[tokio::test]
async fn arguments_and_structured_content_are_held_to_their_schemas() {
    let schema = json!({
        "type": "object", "properties": {"next": {"$ref": "#"}, "n": {"$ref": "#/$defs/n"}}, "required": ["n"],
        "additionalProperties": false, "$defs": {"n": {"type": "integer", "minimum": 0}}
    });
    let listed = |name: &str| json!({"name": name, "inputSchema": schema, "outputSchema": schema});
    let result =
        |value: Value| json!({"result": {"content": [{"type": "text", "text": "t"}], "structuredContent": value}});
    let tools = ["good", "bad", "none", "failed"].map(listed);
    let script = json!({
        "lists": [[{"tools": tools}]],
        "calls": {
            "good": result(json!({"n": 1, "next": {"n": 2}})), "bad": result(json!({"n": 1, "next": {"n": -2}})),
            "none": {"result": {"content": [{"type": "text", "text": "t"}]}},
            "failed": {"result": {"content": [{"type": "text", "text": "no"}], "structuredContent": {"n": -1}, "isError": true}}
        }
    });
    let scene = Scene::of(&script).await;
    let good = scene.call("good", json!({"n": 0})).await;
    assert_eq!(
        good.success().unwrap().value().as_str(),
        r#"{"content":[{"text":"t","type":"text"}],"structuredContent":{"n":1,"next":{"n":2}}}"#
    );
    let result = scene.call("good", json!({"n": -1, "m": 2})).await;
    let told = result.content().to_text();
    assert!(code(&result) == "INVALID_ARGS" && told.contains("/n") && told.contains("/m"), "{told}");
    let result = scene.call("bad", json!({"n": 0})).await;
    let told = result.content().to_text();
    assert!(code(&result) == "INVALID_TOOL_OUTPUT" && told.contains("/structuredContent/next/n"), "{told}");
    let result = scene.call("none", json!({"n": 0})).await;
    let told = result.content().to_text();
    assert!(code(&result) == "INVALID_TOOL_OUTPUT" && told.contains("/structuredContent"), "{told}");
    let result = scene.call("failed", json!({"n": 0})).await;
    assert_eq!((code(&result), result.failure().unwrap().error().message()), ("EXECUTION_ERROR", "no"));
}

#[tokio::test]
async fn what_a_server_says_of_behaviour_is_a_hint_until_the_host_vouches_for_it() {
    let mut listed = tool("a");
    listed["title"] = "A\nB".into();
    listed["annotations"] =
        json!({"readOnlyHint": true, "destructiveHint": true, "openWorldHint": false, "idempotentHint": "x"});
    let script = json!({"lists": [[{"tools": [listed]}]]});
    let scene = Scene::of(&script).await;
    let hints = scene.connection.report().tools[0].hints;
    assert_eq!((hints.read_only_hint, hints.destructive_hint), (Some(true), Some(true)));
    assert_eq!((hints.open_world_hint, hints.idempotent_hint), (Some(false), None));
    let minute = Behaviour::new().timeout(Duration::from_mins(1));
    let registry = scene.dispatcher.registry();
    let spec = registry.spec("mcp__srv__a").unwrap();
    assert_eq!((spec.behaviour, spec.title.as_deref()), (minute, Some("A\u{fffd}B")));
    let vouched = Scene::with(bridge(&script).trust_hints()).await;
    let registry = vouched.dispatcher.registry();
    let behaviour = registry.spec("mcp__srv__a").unwrap().behaviour;
    assert_eq!(behaviour, minute.read_only(true).parallel(true).open_world(false));
}

#[tokio::test]
async fn a_description_that_is_too_long_is_cut_and_says_so() {
    let mut listed = tool("a");
    listed["description"] = "é".repeat(5000).into();
    let scene = Scene::of(&json!({"lists": [[{"tools": [listed]}]]})).await;
    assert!(scene.connection.report().tools[0].cut);
    let registry = scene.dispatcher.registry();
    let description = &registry.spec("mcp__srv__a").unwrap().description;
    assert!(description.len() < 8300 && description.ends_with("[cut to 8192 bytes]"), "{}", description.len());
}

#[tokio::test]
async fn the_same_list_is_the_same_tools_to_the_last_byte() {
    let script = script(&json!({"b": {}, "a.b": {}, "c": {}}));
    let (one, other) = (Scene::of(&script).await, Scene::of(&script).await);
    assert_eq!(one.dispatcher.registry().specs_json(), other.dispatcher.registry().specs_json());
}

#[tokio::test]
async fn a_name_that_is_taken_lets_nothing_in() {
    let dispatcher = dispatcher();
    dispatcher
        .change_registry(|own| {
            own.dynamic(
                DynamicTool::new("mcp__srv__b", "Own.", |_, _| async { Ok(json!(1)) }).output_schema(json!({})),
            )?;
            Ok(())
        })
        .unwrap();
    let error = bridge(&script(&json!({"a": {}, "b": {}}))).connect(&dispatcher).await.unwrap_err();
    let BridgeError::Register(error) = error else { panic!("{error}") };
    assert_eq!((error.problems().len(), error.problems()[0].code()), (1, &Code::DUPLICATE_TOOL));
    let told = "the name is taken by a tool of the host's; give the server another name, or remove that tool first";
    assert_eq!(error.problems()[0].message(), told);
    assert_eq!(dispatcher.registry().names().collect::<Vec<_>>(), ["mcp__srv__b"]);
    let result = dispatcher.call(ToolCall::new("1", "mcp__srv__b", "")).await;
    assert_eq!(result.content().to_text(), "1", "it is still the host's own");
}
