//! Where each byte of a result goes, byte by byte.

use serde_json::json;
use tool_runtime::mcp::Exposure;

use super::client::{Client, NEW, OLD, options};
use super::fixture;

async fn line(exposure: Exposure, revision: &'static str, name: &str) -> String {
    let mut client = Client::with(fixture::dispatcher(), revision, options().exposure(exposure)).await;
    let arguments = if name == "add" { json!({"a": 1, "b": 2}) } else { json!({"count": 1}) };
    client.send("tools/call", json!({"name": name, "arguments": arguments})).await;
    let line = client.read_line().await;
    line.split_once("\"result\":").unwrap().1.trim_end().strip_suffix('}').unwrap().to_owned()
}

const INFO: &str = r#""io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"1.2.3"}"#;
const SHOWN: &str = r#""tool-runtime/presentation":{"token":"tok-123"}"#;

#[tokio::test]
async fn both_halves_go_each_to_its_place() {
    assert_eq!(
        line(Exposure::Both, OLD, "add").await,
        format!(
            r#"{{"content":[{{"type":"text","text":"1 + 2 = 3"}}],"structuredContent":{{"sum":3}},"isError":false,"_meta":{{{SHOWN}}}}}"#
        )
    );
    assert_eq!(
        line(Exposure::Both, NEW, "add").await,
        format!(
            r#"{{"resultType":"complete","content":[{{"type":"text","text":"1 + 2 = 3"}}],"structuredContent":{{"sum":3}},"isError":false,"_meta":{{{INFO},{SHOWN}}}}}"#
        )
    );
    assert_eq!(
        line(Exposure::Both, OLD, "names").await,
        r#"{"content":[{"type":"text","text":"[\"name 0\"]"},{"type":"text","text":"name 0"}],"isError":false}"#
    );
}

#[tokio::test]
async fn content_alone_has_the_rendering_and_no_value() {
    assert_eq!(
        line(Exposure::ContentOnly, OLD, "add").await,
        format!(r#"{{"content":[{{"type":"text","text":"1 + 2 = 3"}}],"isError":false,"_meta":{{{SHOWN}}}}}"#)
    );
    assert_eq!(
        line(Exposure::ContentOnly, NEW, "names").await,
        format!(
            r#"{{"resultType":"complete","content":[{{"type":"text","text":"name 0"}}],"isError":false,"_meta":{{{INFO}}}}}"#
        )
    );
    assert_eq!(
        line(Exposure::ContentOnly, OLD, "names").await,
        r#"{"content":[{"type":"text","text":"name 0"}],"isError":false}"#
    );
}

#[tokio::test]
async fn structured_alone_has_the_value_in_both_places() {
    assert_eq!(
        line(Exposure::StructuredOnly, NEW, "names").await,
        format!(
            r#"{{"resultType":"complete","content":[{{"type":"text","text":"[\"name 0\"]"}}],"structuredContent":["name 0"],"isError":false,"_meta":{{{INFO}}}}}"#
        )
    );
    for revision in ["2024-11-05", OLD] {
        assert_eq!(
            line(Exposure::StructuredOnly, revision, "names").await,
            r#"{"content":[{"type":"text","text":"[\"name 0\"]"}],"isError":false}"#,
            "{revision}"
        );
    }
}

#[tokio::test]
async fn an_output_schema_is_published_exactly_if_values_are_sent() {
    for exposure in [Exposure::Both, Exposure::ContentOnly, Exposure::StructuredOnly] {
        for revision in [OLD, NEW] {
            let mut client = Client::with(fixture::dispatcher(), revision, options().exposure(exposure)).await;
            for tool in client.tools().await {
                let name = tool["name"].as_str().unwrap();
                let arguments = if name == "add" { json!({"a": 1, "b": 2}) } else { json!({}) };
                if !["add", "names", "nothing", "picture", "echo"].contains(&name) {
                    continue;
                }
                let result = client.call(name, arguments).await;
                let has_schema = tool.get("outputSchema").is_some();
                // One whose schema the old revision can't say may still have an object by chance.
                let has_value = result.get("structuredContent").is_some() && (revision == NEW || name != "echo");
                assert_eq!(has_schema, has_value, "{name} at {revision}, {exposure:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_hint_of_how_much_of_a_result_may_be_shown_stands_with_each_tool() {
    let mut client = Client::with(fixture::dispatcher(), OLD, options().result_size_hint(100_000)).await;
    for tool in client.tools().await {
        assert_eq!(tool["_meta"], json!({"anthropic/maxResultSizeChars": 100_000}));
    }
}
