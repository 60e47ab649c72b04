//! The messages around a call: from a provider's response to calls, and from their results to the messages that answer it.
//!
//! What was asked is read by [`Dialect::calls`], what came of it is written by [`Dialect::results`]. Names stay as the model
//! knows them in both: [`Dispatcher::dialect`](crate::Dispatcher::dialect) is the one place where they become the tools' own.

mod anthropic;
mod chat;
mod gemini;
mod ids;
pub(crate) mod mcp;
mod ollama;
mod place;
mod responses;
mod said;
mod unread;
mod unsent;

pub use unread::UnreadResponse;
pub use unsent::UnsentResult;

use super::Dialect;
use crate::dispatch::ToolCall;
use crate::json::JsonValue;
use crate::result::ToolResult;
use place::Place;

/// A call with its result.
struct Answer<'c, 'r> {
    call: &'c ToolCall<'c>,
    result: &'r ToolResult,
}

impl Dialect {
    /// The calls that a provider's whole response asks for, in its order; none, if the model asks for none.
    ///
    /// Arguments that are text stay as they are, and an object becomes its JSON. A call that Gemini or Ollama gave no id has
    /// one made up, unique within the response, which [`results`](Self::results) does not send back. Names are as the model
    /// was told them.
    ///
    /// It reads calls and nothing else. Texts, thoughts and calls of other kinds, such as those that the provider runs
    /// itself, stay in the response; the host shows or answers them, and appends the whole message to the conversation.
    /// Streams are put together by the host first.
    ///
    /// The dialect is that of the protocol, whatever the tools were lowered to: a host that speaks `OpenAI`'s Chat is read and
    /// answered by [`Dialect::OpenAiChat`], Ollama's `/v1` too. [`Dialect::Ollama`] is its own `/api/chat`.
    ///
    /// | dialect | the response | whole if |
    /// | --- | --- | --- |
    /// | `OpenAI` Chat, `DeepSeek`, xAI, Mistral | `choices[0].message.tool_calls[].function` | `finish_reason` is `stop` or `tool_calls` |
    /// | `OpenAI` Responses | `output[]` of type `function_call` | `status` is `completed`, that of each item too |
    /// | Anthropic | `content[]` of type `tool_use` | `stop_reason` is `tool_use`, `end_turn` or `stop_sequence` |
    /// | Gemini | `candidates[0].content.parts[].functionCall` | `finishReason` is `STOP` |
    /// | Ollama | `message.tool_calls[].function` | `done`, and `done_reason` is `stop`, `tool_calls` or left out |
    /// | MCP | a request `tools/call` (2025-03-26: a list of them too) | always |
    ///
    /// ```
    /// use tool_runtime::dialect::{Dialect, Mode, UnreadResponse};
    ///
    /// let anthropic = Dialect::Anthropic(Mode::Lenient);
    /// let mut response = serde_json::json!({
    ///     "content": [
    ///         {"type": "text", "text": "I'll look."},
    ///         {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.txt"}}
    ///     ],
    ///     "stop_reason": "tool_use"
    /// });
    /// let calls = anthropic.calls(&response)?;
    /// assert_eq!(calls[0].id(), "toolu_1");
    /// assert_eq!(calls[0].arguments(), Some(r#"{"path":"a.txt"}"#));
    ///
    /// // A call that was cut off never runs as if it were whole.
    /// response["stop_reason"] = "max_tokens".into();
    /// assert!(matches!(anthropic.calls(&response), Err(UnreadResponse::Unfinished { .. })));
    /// # Ok::<(), UnreadResponse>(())
    /// ```
    ///
    /// # Errors
    /// Where the response has not the provider's shape, that it is unfinished, or that its calls can't be told apart. No call
    /// of such a response is given.
    pub fn calls(self, response: &JsonValue) -> Result<Vec<ToolCall<'static>>, UnreadResponse> {
        let response = Place::root(response);
        match self {
            Self::OpenAiChat(_) | Self::DeepSeek(_) | Self::Xai | Self::Mistral => chat::calls(&response),
            Self::OpenAiResponses(_) => responses::calls(&response),
            Self::Anthropic(_) => anthropic::calls(&response),
            Self::Gemini(_) => gemini::calls(&response),
            Self::Ollama => ollama::calls(&response),
            Self::Mcp(revision) => mcp::calls(revision, &response),
        }
    }

    /// The messages that answer one call: most often one. Of a turn with several calls, see [`results`](Self::results).
    ///
    /// # Errors
    /// The failure is fatal, or the result is that of another call.
    pub fn result<'a>(self, call: &ToolCall<'_>, result: &'a ToolResult) -> Result<Vec<JsonValue>, UnsentResult<'a>> {
        self.results(std::slice::from_ref(call), std::slice::from_ref(result))
    }

    /// The messages that answer the calls of one response, to append after it: the same bytes for the same results.
    ///
    /// Where a provider wants all results in one message, it is one. They are in the order of the calls, as
    /// [`Dispatcher::run`](crate::Dispatcher::run) gives them.
    ///
    /// | dialect | a result | all of a turn | images | PDF | failure |
    /// | --- | --- | --- | --- | --- | --- |
    /// | `OpenAI` Chat, xAI | message, role `tool` | one each | in a user message after all results | named | in the text |
    /// | `DeepSeek` | message, role `tool` | one each | named | named | in the text |
    /// | Mistral | message, role `tool` | one each | beside the text | named | in the text |
    /// | Ollama | message, role `tool`, with `tool_name` | one each | in a user message after all results | named | in the text |
    /// | `OpenAI` Responses | item `function_call_output` | one each | beside the text | beside the text | in the text |
    /// | Anthropic | block `tool_result` | one user message | beside the text | beside the text | `is_error` |
    /// | Gemini | part `functionResponse` | one content, role `user` | in its `parts` (Gemini 3) | in its `parts` | key `error` for `output` |
    /// | MCP | `CallToolResult` | one each | block | block | `isError` |
    ///
    /// - *Named* means that a line in the text says what there was, with its type and size. So are images of a type that the
    ///   provider doesn't take, sounds (MCP alone has them, from 2025-03-26 on) and other files. Nothing is left out silently.
    /// - Gemini before 3 refuses a response with `parts`, and a part beside it: a tool for such a model shows it no images.
    /// - The text of a resource stands in the text, after a line with its address; so does a link, with its name.
    /// - *In the text* means that a failure's text begins with `Error`, even if a policy put another in its place.
    /// - Content without anything to read is `(no output)`: providers refuse empty texts, now or in the next request.
    /// - MCP gets the value as `structuredContent` from 2025-06-18 on, exactly. A value that is no object is one from 2026-07-28
    ///   on; in the two revisions before, it stands as JSON in the first text block.
    ///
    /// A fatal failure has no message. Contexts are messages of their own, which the host appends after these.
    ///
    /// ```
    /// # use tool_runtime::dialect::{Dialect, Mode};
    /// # use tool_runtime::{Dispatcher, JsonValue};
    /// # async fn turn(dispatcher: Dispatcher, response: JsonValue, messages: &mut Vec<JsonValue>)
    /// #     -> Result<(), Box<dyn std::error::Error>> {
    /// let dialect = Dialect::OpenAiChat(Mode::Strict);
    /// let calls = dialect.calls(&response)?;
    /// let results = dispatcher.run(calls.clone()).await;
    /// messages.push(response["choices"][0]["message"].clone());
    /// messages.extend(dialect.results(&calls, &results).map_err(|unsent| unsent.to_string())?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// One of the failures is fatal, or calls and results don't belong together one by one.
    pub fn results<'a>(
        self,
        calls: &[ToolCall<'_>],
        results: &'a [ToolResult],
    ) -> Result<Vec<JsonValue>, UnsentResult<'a>> {
        let answers = unsent::paired(calls, results)?;
        match self {
            Self::OpenAiChat(_) => chat::results(&chat::OPENAI, &answers),
            Self::Xai => chat::results(&chat::XAI, &answers),
            Self::DeepSeek(_) => chat::results(&chat::DEEPSEEK, &answers),
            Self::Mistral => chat::results(&chat::MISTRAL, &answers),
            Self::OpenAiResponses(_) => responses::results(&answers),
            Self::Anthropic(_) => anthropic::results(&answers),
            Self::Gemini(_) => gemini::results(&answers),
            Self::Ollama => ollama::results(&answers),
            Self::Mcp(revision) => answers.iter().map(|answer| mcp::result(revision, answer.result)).collect(),
        }
        .map_err(UnsentResult::Fatal)
    }
}
