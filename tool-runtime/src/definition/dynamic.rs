//! Tools whose shape is known only at run time.

use std::any::TypeId;
use std::future::Future;
use std::mem;
use std::sync::Arc;

use super::{BoxFuture, CheckedArguments, Definition, ErasedTool, Executed, Refused, TypedValue};
use crate::content::Content;
use crate::error::{FailureSpec, ToolError};
use crate::json::{self, JsonText, JsonValue};
use crate::panics::{Guarded, contain};
use crate::schema::{Validator, Violation};
use crate::tool::{Access, Behaviour, Call, CallHead, CanonicalValue, Context};

type Body = dyn Fn(Arc<JsonValue>, Context) -> BoxFuture<'static, Result<JsonValue, ToolError>> + Send + Sync;
type NameResources = dyn Fn(&JsonValue) -> Vec<Access> + Send + Sync;
type Project<R> = dyn Fn(&JsonValue, &JsonValue) -> R + Send + Sync;

/// A tool whose shape is known only at run time: a foreign server's, or one read from a file.
///
/// Its schemas are raw JSON Schema, draft-07 or 2020-12 as their `$schema` says (2020-12 if it says nothing). It goes
/// through the same pipeline and the same checks as a derived tool. A few keywords need the cargo feature
/// `foreign-schemas`; [`schema`](crate::schema) says which.
///
/// ```
/// use serde_json::json;
/// use tool_runtime::{Content, DynamicTool, Registry};
///
/// let shout = DynamicTool::new("shout", "Say it louder.", |arguments, _| async move {
///     Ok(json!(arguments["text"].as_str().unwrap_or_default().to_uppercase()))
/// })
/// .input_schema(json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}))
/// .output_schema(json!({"type": "string"}))
/// .render(|_, value| Content::text(value.as_str().unwrap_or_default()));
///
/// let mut registry = Registry::new();
/// registry.dynamic(shout)?;
/// # Ok::<(), tool_runtime::RegistrationError>(())
/// ```
pub struct DynamicTool {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) input_schema: JsonValue,
    pub(crate) output_schema: Option<JsonValue>,
    pub(crate) behaviour: Behaviour,
    pub(crate) failures: Vec<FailureSpec>,
    body: Box<Body>,
    render: Option<Box<Project<Content>>>,
    meta: Option<Box<Project<JsonValue>>>,
    resources: Option<Box<NameResources>>,
}

impl DynamicTool {
    /// A tool with its name, its description for the model, and its body, which gets the checked arguments.
    ///
    /// Without more it takes no arguments, declares no output (and is refused at registration until it does), and the
    /// model reads its value as JSON.
    pub fn new<F, R>(name: impl Into<String>, description: impl Into<String>, body: F) -> Self
    where
        F: Fn(Arc<JsonValue>, Context) -> R + Send + Sync + 'static,
        R: Future<Output = Result<JsonValue, ToolError>> + Send + 'static,
    {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema: serde_json::json!({"type": "object", "properties": {}, "additionalProperties": false}),
            output_schema: None,
            behaviour: Behaviour::new(),
            failures: Vec::new(),
            body: Box::new(move |arguments, context| Box::pin(body(arguments, context))),
            render: None,
            meta: None,
            resources: None,
        }
    }

    /// The name that a person reads.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The schema of the arguments: an object at the root.
    #[must_use]
    pub fn input_schema(mut self, schema: JsonValue) -> Self {
        self.input_schema = schema;
        self
    }

    /// The schema of the value; any root.
    #[must_use]
    pub fn output_schema(mut self, schema: JsonValue) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// What is known of its behaviour.
    #[must_use]
    pub fn behaviour(mut self, behaviour: Behaviour) -> Self {
        self.behaviour = behaviour;
        self
    }

    /// What a call with these arguments touches, as [`Resources`](crate::Resources) says it of a typed tool.
    #[must_use]
    pub fn resources(mut self, resources: impl Fn(&JsonValue) -> Vec<Access> + Send + Sync + 'static) -> Self {
        self.resources = Some(Box::new(resources));
        self
    }

    /// The failures that it names, such as those of a type: `.failures(ReadFailure::FAILURES)`.
    #[must_use]
    pub fn failures(mut self, failures: &[FailureSpec]) -> Self {
        self.failures.extend_from_slice(failures);
        self
    }

    /// What the model reads, a pure function of arguments and value.
    #[must_use]
    pub fn render(mut self, render: impl Fn(&JsonValue, &JsonValue) -> Content + Send + Sync + 'static) -> Self {
        self.render = Some(Box::new(render));
        self
    }

    /// What a user interface draws from, a pure function of arguments and value.
    #[must_use]
    pub fn meta(mut self, meta: impl Fn(&JsonValue, &JsonValue) -> JsonValue + Send + Sync + 'static) -> Self {
        self.meta = Some(Box::new(meta));
        self
    }
}

impl std::fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DynamicTool").field("name", &self.name).finish_non_exhaustive()
    }
}

impl ErasedTool for DynamicTool {
    fn type_id(&self) -> Option<TypeId> {
        None
    }

    fn decode(&self, arguments: &CheckedArguments<'_>, head: &mut CallHead) -> Result<Call, Violation> {
        Ok(Call::new(mem::take(head), Arc::clone(arguments.tree())))
    }

    fn claims(&self) -> bool {
        self.resources.is_some()
    }

    fn resources(&self, call: &Call) -> Vec<Access> {
        self.resources.as_ref().map(|resources| resources(arguments(call))).unwrap_or_default()
    }

    fn execute(&self, definition: Arc<Definition>, call: Call) -> BoxFuture<'static, Executed> {
        let body = (self.body)(Arc::clone(arguments(&call)), Context::new(Arc::new(()), call));
        Box::pin(async move {
            match body.await {
                Ok(value) => match accept(value, &definition.output) {
                    Ok(value) => Executed::Accepted(value),
                    Err(refused) => Executed::Refused(refused),
                },
                Err(error) => Executed::Failed(error),
            }
        })
    }

    fn accept_json(&self, value: &JsonValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        accept(value.clone(), output)
    }

    fn accept_typed(&self, value: TypedValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        match value.into_inner().downcast::<JsonValue>() {
            Ok(value) => accept(*value, output),
            Err(_) => Err(vec!["the value of a dynamic tool is JSON".to_owned()]),
        }
    }

    fn render(&self, call: &Call, value: &CanonicalValue) -> Content {
        match &self.render {
            Some(render) => render(arguments(call), tree(value)),
            None => Content::text(value.text().as_str()),
        }
    }

    fn presents(&self) -> bool {
        self.meta.is_some()
    }

    fn meta(&self, call: &Call, value: &CanonicalValue) -> Option<Result<JsonValue, String>> {
        let meta = self.meta.as_ref()?(arguments(call), tree(value));
        // Written and read once, so that a number which only a feature of serde_json can hold is refused here too.
        Some(json::write(&meta).map(|text: JsonText| text.to_value()).map_err(|lossy| lossy.to_string()))
    }
}

fn accept(value: JsonValue, output: &Validator) -> Result<CanonicalValue, Refused> {
    match contain(|| output.accept(&value)) {
        Ok(Ok(text)) => Ok(CanonicalValue::new(text, Guarded::new(value), output.secrets())),
        Ok(Err(violations)) => Err(violations.iter().map(ToString::to_string).collect()),
        Err(panic) => Err(vec![format!("writing the value panicked: {panic}")]),
    }
}

fn arguments(call: &Call) -> &Arc<JsonValue> {
    call.arguments().expect("arguments are decoded by the tool that gets them")
}

fn tree(value: &CanonicalValue) -> &JsonValue {
    value.downcast_ref().expect("the value of a dynamic tool is JSON")
}
