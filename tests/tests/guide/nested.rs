//! Calls that a body makes.

use tool_runtime::prelude::*;

// ANCHOR: tools
/// Count the words of a text.
#[derive(Tool, tool_runtime::serde::Serialize)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = usize, render = display, read_only, parallel)]
struct CountWords {
    /// The text.
    text: String,
}

/// Compare the lengths of two texts.
#[derive(Tool)]
#[tool(output = String, render = display, read_only)]
struct CompareLengths {
    /// One text.
    left: String,
    /// The other text.
    right: String,
}

impl Execute for CompareLengths {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        // A typed call: its value, or a failure with its code.
        let left = cx.invoke(CountWords { text: self.left.clone() }).await?;
        // A call by name, as a program that the model wrote would make it.
        let arguments = tool_runtime::serde_json::json!({ "text": self.right });
        let right = cx.call("count_words", arguments).await.into_result()?;
        Ok(format!("{left} words against {}", right.content().to_text()))
    }
}
// ANCHOR_END: tools

impl Execute for CountWords {
    async fn execute(&self, _: &Context) -> Result<usize, ToolError> {
        Ok(self.text.split_whitespace().count())
    }
}

// ANCHOR: policy
/// Tells who calls whom.
struct Report;

impl PostPolicy for Report {
    fn name(&self) -> &'static str {
        "report"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        let by = call.parent_call_id().unwrap_or("the model");
        Ok(PostDecision::accept().with_context(format!("{} {} was called by {by}", call.tool_name(), call.call_id())))
    }
}
// ANCHOR_END: policy

#[tokio::test]
async fn a_body_calls_other_tools() {
    let dispatcher = Dispatcher::new(toolset! { () => [CountWords, CompareLengths] }.unwrap()).policy(Report);
    let call = ToolCall::new("call-1", "compare_lengths", r#"{"left": "to be or not", "right": "to be"}"#);
    super::assert_shown("nested.txt", &super::sides(&dispatcher.call(call).await));
}
