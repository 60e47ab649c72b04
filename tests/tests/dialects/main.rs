//! Tools in the words of providers: what is sent, what comes back, and what is refused.
//!
//! The laws that hold for every shape of types are in the corpus (`tests/corpus/lowered.rs`).

mod agreement;
mod calls;
mod foreign;
mod options;
mod sets;
mod shapes;
mod strict;

use serde_json::Value;
use tool_runtime::dialect::{Dialect, GeminiForm, Lowered, Mode};
use tool_runtime::prelude::*;

const OPENAI: Dialect = Dialect::OpenAiChat(Mode::Strict);
const ANTHROPIC: Dialect = Dialect::Anthropic(Mode::Strict);
const GEMINI: Dialect = Dialect::Gemini(GeminiForm::OpenApi);

/// A tool in a dialect.
#[track_caller]
fn lowered<T: Execute>(dialect: Dialect) -> Lowered {
    let registry = tests::dispatcher_of::<T>().registry();
    dialect.lower(registry.spec(T::NAME).expect("it is registered")).unwrap_or_else(|why| panic!("{why:?}"))
}

/// The schema that is sent for a tool.
#[track_caller]
fn sent<T: Execute>(dialect: Dialect) -> Value {
    schema(lowered::<T>(dialect).definition())
}

/// The schema in a definition, if there is one.
fn schema(definition: &Value) -> Value {
    let function = definition.get("function").unwrap_or(definition);
    let keys = ["parameters", "parametersJsonSchema", "input_schema", "inputSchema"];
    keys.into_iter().find_map(|key| function.get(key).cloned()).unwrap_or_default()
}

/// A dispatcher over one tool for the calls of a provider's model.
fn speaking<T: Execute>(dialect: Dialect) -> Dispatcher {
    let dispatcher = tests::dispatcher_of::<T>();
    let tools = dialect.lower_all(&dispatcher.registry());
    assert_eq!(tools.left_out(), [], "{dialect:?}");
    dispatcher.dialect(tools)
}

/// What the model reads of a call that it makes in a dialect.
async fn told<T: Execute>(dialect: Dialect, arguments: &str) -> String {
    speaking::<T>(dialect).call(ToolCall::new("call-1", T::NAME, arguments)).await.content().to_text()
}
