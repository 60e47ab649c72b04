//! The whole definition of a tool, as a provider takes it in its list of tools.

use serde_json::{Map, Value, json};

use super::loss::{Kept, Loss};
use super::{Dialect, GeminiForm, McpRevision, Mode};
use crate::definition::ToolSpec;
use crate::json::Pointer;

/// The parts of a definition.
pub(super) struct Parts<'a> {
    pub(super) spec: &'a ToolSpec,
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    /// `None` if the dialect leaves out the schema of a tool without arguments.
    pub(super) schema: Option<Value>,
}

impl Dialect {
    /// The definition, and what it can't say beside the arguments.
    pub(super) fn definition(self, mut parts: Parts<'_>) -> (Value, Vec<Loss>) {
        if let Self::Mcp(revision) = self {
            return mcp(revision, parts);
        }
        let taken = parts.schema.take();
        let schema = |key: &str, to: &mut Map<String, Value>| {
            if let Some(schema) = taken {
                to.insert(key.to_owned(), schema);
            }
        };
        let mut function = Map::new();
        function.insert("name".into(), parts.name.into());
        function.insert("description".into(), parts.description.into());
        let definition = match self {
            Self::OpenAiChat(mode) | Self::DeepSeek(mode) => {
                schema("parameters", &mut function);
                function.insert("strict".into(), (mode == Mode::Strict).into());
                json!({"type": "function", "function": function})
            }
            Self::OpenAiResponses(mode) => {
                // Left out, `strict` would have the provider rewrite the schema.
                let mut flat = Map::from_iter([("type".to_owned(), Value::from("function"))]);
                flat.extend(function);
                schema("parameters", &mut flat);
                flat.insert("strict".into(), (mode == Mode::Strict).into());
                Value::Object(flat)
            }
            Self::Xai | Self::Mistral | Self::Ollama | Self::Mcp(_) => {
                schema("parameters", &mut function);
                json!({"type": "function", "function": function})
            }
            Self::Anthropic(mode) => {
                schema("input_schema", &mut function);
                if mode == Mode::Strict {
                    function.insert("strict".into(), true.into());
                }
                Value::Object(function)
            }
            Self::Gemini(form) => {
                let key = match form {
                    GeminiForm::OpenApi => "parameters",
                    GeminiForm::JsonSchema => "parametersJsonSchema",
                };
                schema(key, &mut function);
                Value::Object(function)
            }
        };
        (definition, Vec::new())
    }
}

/// A tool of the Model Context Protocol. Titles and output schemas came with 2025-06-18, annotations with 2025-03-26, and
/// output schemas that are no object with 2026-07-28.
fn mcp(revision: McpRevision, parts: Parts<'_>) -> (Value, Vec<Loss>) {
    let spec = parts.spec;
    let mut losses = Vec::new();
    let mut tool = Map::new();
    tool.insert("name".into(), parts.name.into());
    if let Some(title) = spec.title.as_deref().filter(|_| revision >= McpRevision::V2025_06_18) {
        tool.insert("title".into(), title.into());
    }
    tool.insert("description".into(), parts.description.into());
    tool.insert("inputSchema".into(), parts.schema.map_or_else(|| json!({"type": "object"}), with_type));
    if revision >= McpRevision::V2025_06_18 {
        let output = spec.output_schema.tree();
        if revision >= McpRevision::V2026_07_28 || output["type"] == "object" {
            // A schema is an object in the protocol.
            let output = match output {
                Value::Bool(true) => json!({}),
                Value::Bool(false) => json!({"not": {}}),
                output => output.clone(),
            };
            tool.insert("outputSchema".into(), output);
        } else {
            let said = "an output schema whose root is no object";
            losses.push(Loss::new(&Pointer::root(), said, "no output schema", Kept::OnlyChecked));
        }
    }
    if revision >= McpRevision::V2025_03_26 {
        let hints = annotations(spec, revision);
        if !hints.is_empty() {
            tool.insert("annotations".into(), hints.into());
        }
    }
    (Value::Object(tool), losses)
}

/// Says at the root that arguments are an object, which is so of every tool: some clients drop all tools of a server that
/// has one without it.
fn with_type(mut schema: Value) -> Value {
    if let Some(root) = schema.as_object_mut().filter(|root| !root.contains_key("type")) {
        let rest = std::mem::take(root);
        root.insert("type".into(), "object".into());
        root.extend(rest);
    }
    schema
}

fn annotations(spec: &ToolSpec, revision: McpRevision) -> Map<String, Value> {
    let behaviour = spec.behaviour;
    // Before tools had titles, their annotations had.
    let title = spec.title.as_deref().filter(|_| revision < McpRevision::V2025_06_18).map(Value::from);
    let hints = [
        ("title", title),
        ("readOnlyHint", behaviour.is_read_only().map(Value::from)),
        ("destructiveHint", behaviour.is_destructive().map(Value::from)),
        ("idempotentHint", behaviour.is_idempotent().map(Value::from)),
        ("openWorldHint", behaviour.is_open_world().map(Value::from)),
    ];
    hints.into_iter().filter_map(|(key, hint)| Some((key.to_owned(), hint?))).collect()
}
