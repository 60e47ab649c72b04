//! The messages around a call: reading what a provider's response asks for, and answering it.

use std::fmt::Write as _;

use tool_runtime::dialect::{Dialect, GeminiForm, LoweredTools, McpRevision, Mode, UnsentResult};
use tool_runtime::prelude::*;
use tool_runtime::{Block, JsonValue, serde_json};

use crate::{assert_shown, pretty};

// ANCHOR: tool
/// Draw a chart of numbers.
#[derive(Tool)]
#[tool(output = Chart, read_only, parallel)]
struct Draw {
    /// The numbers, at least one.
    numbers: Vec<u32>,
}

#[tool_output]
struct Chart {
    bars: usize,
    highest: u32,
}

impl Execute for Draw {
    async fn execute(&self, _: &Context) -> Result<Chart, ToolError> {
        let highest = self.numbers.iter().max().ok_or_else(|| ToolError::msg("there are no numbers to draw"))?;
        Ok(Chart { bars: self.numbers.len(), highest: *highest })
    }
}

impl Render for Draw {
    fn render(&self, chart: &Chart) -> Content {
        let drawn = format!("{} bars, the highest {}", chart.bars, chart.highest);
        Content::text(drawn).with(Block::image(b"a picture", "image/png"))
    }
}
// ANCHOR_END: tool

// ANCHOR: step
/// Runs what a response asks for, and appends the response and its answers to the conversation. False, if nothing is asked.
async fn step(
    dispatcher: &Dispatcher,
    tools: &LoweredTools,
    response: &JsonValue,
    messages: &mut Vec<JsonValue>,
) -> Result<bool, String> {
    let dialect = tools.dialect();
    let calls = dialect.calls(response).map_err(|unread| unread.to_string())?;
    // The whole message: texts, thoughts and signatures that the provider wants back stand in it.
    messages.push(response["choices"][0]["message"].clone());
    let results = dispatcher.run(calls.clone()).await;
    match dialect.results(&calls, &results) {
        Ok(answers) => messages.extend(answers),
        Err(UnsentResult::Fatal(failure)) => return Err(format!("the run has ended: {failure}")),
        Err(other) => return Err(other.to_string()),
    }
    Ok(!calls.is_empty())
}
// ANCHOR_END: step

fn response(finish_reason: &str) -> JsonValue {
    let call = |id: &str, arguments: &str| serde_json::json!({"id": id, "type": "function", "function": {"name": "draw", "arguments": arguments}});
    let calls = [call("call_1", r#"{"numbers": [3, 5]}"#), call("call_2", r#"{"numbers": []}"#)];
    let message = serde_json::json!({"role": "assistant", "content": "I'll draw both.", "tool_calls": calls});
    serde_json::json!({"choices": [{"message": message, "finish_reason": finish_reason}]})
}

fn drawing(dialect: Dialect) -> (Dispatcher, LoweredTools) {
    let mut registry = Registry::new();
    registry.tool::<Draw>().unwrap();
    let tools = dialect.lower_all(&registry);
    (Dispatcher::new(registry).dialect(tools.clone()), tools)
}

#[tokio::test]
async fn a_response_is_answered() {
    let (dispatcher, tools) = drawing(Dialect::OpenAiChat(Mode::Strict));
    let mut messages = Vec::new();
    assert!(step(&dispatcher, &tools, &response("tool_calls"), &mut messages).await.unwrap());
    assert_shown("answered.json", &pretty(&messages.split_off(1)));

    let cut_off = step(&dispatcher, &tools, &response("length"), &mut messages).await.unwrap_err();
    assert_shown("cut_off.txt", &cut_off);
}

#[tokio::test]
async fn each_provider_gets_its_own_message() {
    let call = ToolCall::new("call_1", "draw", r#"{"numbers": [3, 5]}"#);
    let mut text = String::new();
    for dialect in [
        Dialect::OpenAiResponses(Mode::Strict),
        Dialect::Anthropic(Mode::Strict),
        Dialect::Gemini(GeminiForm::JsonSchema),
        Dialect::DeepSeek(Mode::Lenient),
        Dialect::Mcp(McpRevision::V2025_11_25),
    ] {
        let (dispatcher, _) = drawing(dialect);
        let result = dispatcher.call(call.clone()).await;
        for message in dialect.result(&call, &result).unwrap() {
            writeln!(text, "{dialect:?}\n{message}\n").unwrap();
        }
    }
    assert_shown("result_messages.txt", &text);
}

#[test]
fn the_guide_and_the_reference_have_the_same_tables() {
    let read = |path: &str| std::fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let reference =
        read("tool-runtime/src/dialect/messages.rs").replace("`OpenAI`", "OpenAI").replace("`DeepSeek`", "DeepSeek");
    let reference: Vec<&str> = reference.lines().filter_map(|line| line.trim_start().strip_prefix("/// |")).collect();
    let guide = read("book/src/provider-messages.md");
    let guide: Vec<&str> = guide.lines().filter_map(|line| line.strip_prefix('|')).collect();
    assert_eq!(guide.len(), 18, "{guide:?}");
    assert_eq!(guide, reference);
}
