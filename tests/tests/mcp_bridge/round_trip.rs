//! The bridge to a server of ours: what a tool returns there is what a program gets here.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_runtime::mcp::{Bridge, HttpOptions, HttpServer, ServerCommand, ServerOptions, serve_http};
use tool_runtime::prelude::*;

use super::scene::{Scene, dispatcher};

/// Gives back what it is given.
fn echo() -> DynamicTool {
    DynamicTool::new("echo", "Give it back.", |arguments, _| async move { Ok(arguments["given"].clone()) })
        .input_schema(json!({"type": "object", "properties": {"given": {}}, "required": ["given"]}))
        .output_schema(json!({}))
}

/// A word of a sentence.
#[tool_output]
struct Word {
    /// Declared out of the order of the alphabet.
    text: String,
    length: u64,
    share: f64,
    before: Option<String>,
}

/// Split a sentence into its words.
#[derive(Tool)]
#[tool(output = Vec<Word>, render = json)]
struct Split {
    /// The sentence.
    sentence: String,
}

impl Execute for Split {
    async fn execute(&self, _: &Context) -> Result<Vec<Word>, ToolError> {
        let words: Vec<&str> = self.sentence.split_whitespace().collect();
        let before = |place: usize| place.checked_sub(1).map(|before| words[before].to_owned());
        let word = |(place, text): (usize, &&str)| Word {
            text: (*text).to_owned(),
            length: text.len() as u64,
            share: 1.0 / 3.0,
            before: before(place),
        };
        Ok(words.iter().enumerate().map(word).collect())
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    registry.dynamic(echo()).unwrap().tool::<Split>().unwrap();
    registry
}

async fn served() -> (HttpServer, Scene) {
    let options = HttpOptions::new(ServerOptions::new("own", "1.0.0"));
    let server = serve_http(Dispatcher::new(registry()), "127.0.0.1:0".parse().unwrap(), options).await.unwrap();
    let dispatcher = dispatcher();
    let url = format!("http://{}/mcp", server.local_addr());
    let connection = Bridge::http("srv", url).connect(&dispatcher).await.unwrap_or_else(|error| panic!("{error}"));
    (server, Scene { dispatcher, connection })
}

/// What the tool's own value is, and what came of it over the wire; both as JSON whose keys are sorted, as a value of a tool
/// that is known by its schema alone has them.
async fn both_ways(scene: &Scene, tool: &str, arguments: Value) -> (String, String) {
    let own = Dispatcher::new(registry()).call(ToolCall::new("c", tool, arguments.to_string())).await;
    let own = own.into_result().unwrap();
    let bridged = scene.call(tool, arguments).await;
    let bridged: Value = serde_json::from_str(bridged.success().unwrap().value().as_str()).unwrap();
    let sorted = |value: &Value| {
        let mut value = value.clone();
        value.sort_all_objects();
        value.to_string()
    };
    let own: Value = serde_json::from_str(own.value().as_str()).unwrap();
    (sorted(&own), sorted(&bridged["structuredContent"]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_comes_back_from_a_server_of_ours_to_the_byte() {
    let (server, scene) = served().await;
    let report = scene.connection.report();
    assert_eq!((report.left_out.len(), report.tools.len()), (0, 2), "{report:?}");
    for given in [
        json!({"z": 1, "a": [null, true, -0.0, 1.0, 1e-300, 0.1]}),
        json!({"least": i64::MIN, "most": u64::MAX, "text": "é\u{2028}\u{0}\"\\/👩‍👩‍👧"}),
        json!({}),
        json!([]),
        json!(null),
        json!("text"),
        json!(1.5),
    ] {
        let (own, bridged) = both_ways(&scene, "echo", json!({ "given": given })).await;
        assert_eq!(own, bridged);
    }
    let (own, bridged) = both_ways(&scene, "split", json!({"sentence": "to be or not"})).await;
    assert_eq!(own, bridged);
    scene.connection.close().await;
    server.shutdown().await.unwrap();
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("JSON has no others", |float| float.is_finite()).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

#[test]
fn any_value_comes_back_from_a_server_of_ours() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (server, scene) = runtime.block_on(served());
    let config = ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(given in any_json())| {
        let (own, bridged) = runtime.block_on(both_ways(&scene, "echo", json!({ "given": given })));
        prop_assert_eq!(own, bridged);
    });
    runtime.block_on(async {
        scene.connection.close().await;
        server.shutdown().await.unwrap();
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_ours_over_standard_streams_lists_each_of_its_tools() {
    let command = ServerCommand::new(env!("CARGO_BIN_EXE_mcp_fixture"));
    let dispatcher = dispatcher();
    let connection = Bridge::stdio("srv", command).connect(&dispatcher).await.unwrap_or_else(|error| panic!("{error}"));
    let scene = Scene { dispatcher, connection };
    let report = scene.connection.report();
    assert_eq!((report.left_out.len(), report.tools.len()), (0, 9), "{report:?}");
    let simple = scene.call("test_simple_text", json!({})).await;
    assert_eq!(
        simple.success().unwrap().value().as_str(),
        r#"{"content":[{"text":"This is a simple text response for testing.","type":"text"}],"structuredContent":{"shown":true}}"#
    );
    // What a tool prints is no message.
    assert!(scene.call("prints", json!({})).await.is_success());
    assert!(scene.call("test_simple_text", json!({})).await.is_success());
}
