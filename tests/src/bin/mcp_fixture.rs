//! A server with the tools that the protocol's conformance suite calls, and some that misbehave.
//!
//! `mcp_fixture` serves standard input and output, `mcp_fixture --http ADDRESS:PORT` serves HTTP.

use std::process::Command;
use std::time::Duration;

use serde_json::json;
use tool_runtime::mcp::{HttpOptions, ServerOptions, serve_http, serve_stdio_with};
use tool_runtime::prelude::*;
use tool_runtime::{Block, Progress, Resource, ResourceBody, serde_json};

/// A picture of one red pixel.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
    2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, 0x49, 0x44, 0x41, 0x54, 8, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0,
    3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// A sound of no length.
const WAV: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0";

fn resource(uri: &str, mime_type: &str, text: &str) -> Block {
    let (uri, mime_type, text) = (uri.to_owned(), Some(mime_type.to_owned()), text.to_owned());
    Block::Resource(Box::new(Resource { resource: ResourceBody::Text { uri, mime_type, text }, annotations: None }))
}

/// A tool that shows these blocks.
fn shows(name: &str, blocks: Vec<Block>) -> DynamicTool {
    DynamicTool::new(name, "Show what the suite looks for.", |_, _| async { Ok(json!({"shown": true})) })
        .output_schema(json!({"type": "object", "properties": {"shown": {"type": "boolean"}}, "required": ["shown"]}))
        .render(move |_, _| blocks.iter().cloned().collect())
}

fn with_progress() -> DynamicTool {
    DynamicTool::new("test_tool_with_progress", "Report three times.", |_, cx| async move {
        for done in [0, 50, 100] {
            cx.progress(Progress::of(done, 100));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(json!("reported"))
    })
    .output_schema(json!({"type": "string"}))
}

fn with_all_of_json_schema() -> DynamicTool {
    DynamicTool::new("json_schema_2020_12_tool", "Take a contact.", |_, _| async { Ok(json!("taken")) })
        .input_schema(json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
            }},
            "properties": {
                "name": {"type": "string"},
                "address": {"$ref": "#/$defs/address"},
                "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": {"type": "string"},
                "email": {"type": "string"}
            },
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": false
        }))
        .output_schema(json!({"type": "string"}))
}

/// Prints where only messages may stand, as careless code does.
fn prints() -> DynamicTool {
    DynamicTool::new("prints", "Print.", |_, _| async {
        println!("printed by a tool");
        let by_child = Command::new("sh").args(["-c", "echo printed by a child; cat"]).status();
        Ok(json!(by_child.is_ok_and(|status| status.success())))
    })
    .output_schema(json!({"type": "boolean"}))
}

fn registry() -> Result<Registry, RegistrationError> {
    let mut registry = Registry::new();
    let mixed = vec![
        Block::text("Multiple content types test:"),
        Block::image(PNG, "image/png"),
        resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
    ];
    let embedded = resource("test://embedded-resource", "text/plain", "This is an embedded resource content.");
    registry
        .dynamic(shows("test_simple_text", vec![Block::text("This is a simple text response for testing.")]))?
        .dynamic(shows("test_image_content", vec![Block::image(PNG, "image/png")]))?
        .dynamic(shows("test_audio_content", vec![Block::audio(WAV, "audio/wav")]))?
        .dynamic(shows("test_embedded_resource", vec![embedded]))?
        .dynamic(shows("test_multiple_content_types", mixed))?
        .dynamic(with_progress())?
        .dynamic(with_all_of_json_schema())?
        .dynamic(prints())?;
    let fails = DynamicTool::new("test_error_handling", "Fail.", |_, _| async {
        Err(ToolError::msg("This tool intentionally returns an error for testing"))
    });
    registry.dynamic(fails.output_schema(json!({"type": "null"})))?;
    Ok(registry)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::new(registry()?);
    let options = ServerOptions::new("mcp-fixture", "1.0.0");
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("--http"), Some(address)) => {
            let server = serve_http(dispatcher, address.parse()?, HttpOptions::new(options)).await?;
            eprintln!("http://{}/mcp", server.local_addr());
            server.ended().await?;
        }
        _ => serve_stdio_with(dispatcher, options).await?,
    }
    Ok(())
}
