//! One schema, every provider: a tool in the words of a provider's dialect, and the way back.
//!
//! Providers take different parts of JSON Schema. A [`Dialect`] [lowers](Dialect::lower) a tool to what its provider takes:
//! the whole definition, ready to send; a [`Decoder`] that turns the arguments which come back into the tool's own form; and
//! every [`Loss`], which is what the tool's schema says and the provider can't be told. What is lost on the way out is still
//! checked on the way back. What can't be said at all is refused, with every place and what to change in the Rust type.
//!
//! ```
//! use tool_runtime::dialect::{Dialect, Mode};
//! use tool_runtime::prelude::*;
//!
//! /// Search for a word.
//! #[derive(Tool)]
//! #[tool(output = String, render = display)]
//! struct Search {
//!     /// The word.
//!     word: String,
//!     /// How many results.
//!     #[serde(default)]
//!     #[schemars(range(max = 50))]
//!     limit: u8,
//! }
//! # impl Execute for Search {
//! #     async fn execute(&self, _: &Context) -> Result<String, ToolError> { Ok(format!("{} {}", self.word, self.limit)) }
//! # }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), RegistrationError> {
//! let mut registry = Registry::new();
//! registry.tool::<Search>()?;
//!
//! // Once for a request: what to send.
//! let tools = Dialect::OpenAiChat(Mode::Strict).lower_all(&registry);
//! let sent = tools.definitions();
//! assert_eq!(sent[0]["function"]["strict"], true);
//! assert_eq!(sent[0]["function"]["parameters"]["required"], serde_json::json!(["word", "limit"]));
//!
//! // And what reads the answers.
//! let dispatcher = Dispatcher::new(registry).dialect(tools);
//! let result = dispatcher.call(ToolCall::new("call-1", "search", r#"{"word": "a", "limit": null}"#)).await;
//! assert_eq!(result.content().to_text(), "a 0");
//! # Ok(())
//! # }
//! ```
//!
//! # What is rewritten, and undone
//!
//! | what | where | how it is sent |
//! | --- | --- | --- |
//! | a property that may be left out | `OpenAI` and `DeepSeek`, strict | required, and null stands for leaving it out |
//! | null in an `Option` field | Anthropic, strict | the field is left out |
//! | a map | wherever objects are closed | a list of objects with `key` and `value` |
//! | entries of a map beside fields | the same | the same, in the property `other_properties` |
//! | a tuple | wherever there is no `prefixItems` | an object with the properties `_0`, `_1`, … |
//! | any JSON | in the same places | JSON text in a string |
//! | arguments that are an enum | everywhere but MCP | in the property `arguments` of an object |
//! | names that a provider refuses | Anthropic, Gemini | other names, which never collide |
//! | an enum of other values than texts | Gemini | an enum of texts |
//!
//! A property that may be left out and may be null is both: null then stays null. Of a type of ours that is the same, unless
//! its field has a default that is not null; then it is a loss.
//!
//! The capabilities of each dialect are a table in the source, with where each rule comes from.

mod budget;
mod decoder;
mod envelope;
mod loss;
mod lower;
pub(crate) mod messages;
mod name;
mod published;
mod read;
mod rules;
mod set;
mod shape;

pub use decoder::Decoder;
pub use loss::{Kept, Loss, Unsupported};
pub use messages::{UnreadResponse, UnsentResult};
pub use set::{LeftOut, LoweredTools};

use std::sync::Arc;

use crate::definition::ToolSpec;
use crate::json::{JsonValue, Pointer};
use budget::Cost;
use envelope::Parts;
use rules::Rules;

/// A provider's rules for the schemas of tools.
///
/// For an unknown host that speaks `OpenAI`'s protocol, [`Dialect::Ollama`] sends the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// `OpenAI`, Chat Completions.
    OpenAiChat(Mode),
    /// `OpenAI`, Responses.
    OpenAiResponses(Mode),
    /// Anthropic, Messages.
    Anthropic(Mode),
    /// Google's Gemini.
    Gemini(GeminiForm),
    /// `DeepSeek`. All tools of one request are strict, or none.
    DeepSeek(Mode),
    /// xAI.
    Xai,
    /// Mistral.
    Mistral,
    /// Ollama.
    Ollama,
    /// The Model Context Protocol.
    Mcp(McpRevision),
}

/// Whether a provider is held to the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It generates nothing else than what the schema allows, and takes a part of JSON Schema only.
    Strict,
    /// The schema is a hint.
    Lenient,
}

/// The two forms in which Gemini takes the schema of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeminiForm {
    /// `parameters`: a subset of `OpenAPI` 3.0.
    OpenApi,
    /// `parametersJsonSchema`: a part of JSON Schema.
    JsonSchema,
}

/// A revision of the Model Context Protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the day of its name")]
pub enum McpRevision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

/// A tool in the words of a dialect.
///
/// A clone is the same.
#[derive(Clone, Debug)]
pub struct Lowered(Arc<Whole>);

#[derive(Debug)]
struct Whole {
    tool: String,
    name: String,
    definition: JsonValue,
    decoder: Decoder,
    losses: Vec<Loss>,
    cost: Cost,
}

impl Lowered {
    /// The name that the model is told.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The tool's own name.
    pub fn tool(&self) -> &str {
        &self.0.tool
    }

    /// The whole definition, ready to stand in a request's list of tools: the same bytes for the same tool.
    pub fn definition(&self) -> &JsonValue {
        &self.0.definition
    }

    /// The way back.
    pub fn decoder(&self) -> &Decoder {
        &self.0.decoder
    }

    /// What could not be said.
    pub fn losses(&self) -> &[Loss] {
        &self.0.losses
    }
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 18] = [
        Self::OpenAiChat(Mode::Strict),
        Self::OpenAiChat(Mode::Lenient),
        Self::OpenAiResponses(Mode::Strict),
        Self::OpenAiResponses(Mode::Lenient),
        Self::Anthropic(Mode::Strict),
        Self::Anthropic(Mode::Lenient),
        Self::Gemini(GeminiForm::OpenApi),
        Self::Gemini(GeminiForm::JsonSchema),
        Self::DeepSeek(Mode::Strict),
        Self::DeepSeek(Mode::Lenient),
        Self::Xai,
        Self::Mistral,
        Self::Ollama,
        Self::Mcp(McpRevision::V2024_11_05),
        Self::Mcp(McpRevision::V2025_03_26),
        Self::Mcp(McpRevision::V2025_06_18),
        Self::Mcp(McpRevision::V2025_11_25),
        Self::Mcp(McpRevision::V2026_07_28),
    ];

    /// Lowers one tool.
    ///
    /// # Errors
    /// Every place of its schema that the dialect can't say, and what to change.
    pub fn lower(self, spec: &ToolSpec) -> Result<Lowered, Vec<Unsupported>> {
        let rules = self.rules();
        let lower::Input { schema, decoder, mut losses } = self.input(spec)?;
        let cost = Cost::of(schema.as_ref());
        let beyond = cost.beyond(&rules.request);
        if !beyond.is_empty() {
            let remedy = "split the tool, or send it without strict mode";
            let alone = |words: String| Unsupported::new(&Pointer::root(), format!("it alone has {words}"), remedy);
            return Err(beyond.into_iter().map(alone).collect());
        }
        let description = shortened(&spec.description, rules.description, &mut losses);
        let name = rules.tool_names.marked(&spec.name);
        let (definition, more) = self.definition(Parts { spec, name: &name, description, schema });
        losses.extend(more);
        Ok(Lowered(Arc::new(Whole { tool: spec.name.clone(), name, definition, decoder, losses, cost })))
    }

    fn input(self, spec: &ToolSpec) -> Result<lower::Input, Vec<Unsupported>> {
        let rules = self.rules();
        if let Some(schema) = published::as_it_is(&spec.input_schema, rules) {
            return Ok(lower::Input { schema: Some(schema), decoder: Decoder::identity(), losses: Vec::new() });
        }
        lower::lower(&read::read(&spec.input_schema)?, spec.input_schema.is_foreign(), rules)
    }

    fn rules(self) -> &'static Rules {
        match self {
            Self::OpenAiChat(Mode::Strict) => &rules::OPENAI_CHAT_STRICT,
            Self::OpenAiChat(Mode::Lenient) => &rules::OPENAI_CHAT,
            Self::OpenAiResponses(Mode::Strict) => &rules::OPENAI_RESPONSES_STRICT,
            Self::OpenAiResponses(Mode::Lenient) => &rules::OPENAI_RESPONSES,
            Self::Anthropic(Mode::Strict) => &rules::ANTHROPIC_STRICT,
            Self::Anthropic(Mode::Lenient) => &rules::ANTHROPIC,
            Self::Gemini(GeminiForm::OpenApi) => &rules::GEMINI_OPENAPI,
            Self::Gemini(GeminiForm::JsonSchema) => &rules::GEMINI,
            Self::DeepSeek(Mode::Strict) => &rules::DEEPSEEK_STRICT,
            Self::DeepSeek(Mode::Lenient) => &rules::DEEPSEEK,
            Self::Xai => &rules::XAI,
            Self::Mistral => &rules::MISTRAL,
            Self::Ollama => &rules::OLLAMA,
            Self::Mcp(_) => &rules::MCP,
        }
    }
}

/// A description of at most so many characters.
fn shortened<'a>(description: &'a str, most: usize, losses: &mut Vec<Loss>) -> &'a str {
    let Some((end, _)) = description.char_indices().nth(most) else { return description };
    let said = format!("a description of {} characters", description.chars().count());
    losses.push(Loss::new(&Pointer::root(), said, format!("its first {most}"), Kept::Nowhere));
    &description[..end]
}
