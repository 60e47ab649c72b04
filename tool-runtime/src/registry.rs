//! What is registered, under which name, and where it is visible.

mod cards;
mod changes;
mod error;
mod logged;
mod name;
mod registers;
mod restriction;
mod scope;
mod toolset;

pub use cards::Cards;
pub(crate) use cards::Reading;
pub use error::{Problem, RegistrationError};
pub(crate) use name::listed;
pub use name::{repeated_name, repeated_name_length, repeated_name_message, repeated_name_text};
pub use registers::Registers;
pub use restriction::{Restriction, RestrictionError, RestrictionKey};
pub(crate) use scope::Scope;
pub use toolset::{NameOf, Toolset, Unnamed};

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::definition::{Definition, DynamicTool, ErasedTool, ToolSpec, TypedTool};
use crate::error::{Code, FailureSpec};
use crate::schema::{Schema, SchemaError, Side, Validator};
use crate::tool::{Behaviour, Execute, HasBody};
use error::Findings;

const TAKEN: &str =
    "the name is taken; register one of the two under another name with `tool_as`, or remove the other first";

/// The tools that a dispatcher can call, by name.
///
/// A registry is a value: a clone is cheap and its own, so that what one part of a program adds or removes never changes
/// what another is about to call. What a running dispatcher has is changed with
/// [`Dispatcher::change_registry`](crate::Dispatcher::change_registry), and what is for one agent or session is registered in
/// a scope, [`Dispatcher::scoped`](crate::Dispatcher::scoped).
///
/// ```
/// # use tool_runtime::prelude::*;
/// # /// Read.
/// # #[derive(Tool)] #[tool(output = String, render = display)] struct Read {}
/// # struct Workspace;
/// # impl Execute<Workspace> for Read {
/// #     async fn execute(&self, _: &Context<Workspace>) -> Result<String, ToolError> { Ok(String::new()) }
/// # }
/// # /// Add.
/// # #[derive(Tool)] #[tool(output = i64, render = display)] struct Add {}
/// # impl Execute for Add {
/// #     async fn execute(&self, _: &Context) -> Result<i64, ToolError> { Ok(0) }
/// # }
/// let mut registry = Registry::new();
/// registry.with(Workspace).tool::<Read>()?; // the tools of one state
/// registry.tool::<Add>()?; // a tool without one
/// assert_eq!(registry.names().collect::<Vec<_>>(), ["add", "read"]);
/// # Ok::<(), RegistrationError>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    tools: Arc<BTreeMap<Arc<str>, Arc<Definition>>>,
}

/// Exactly one registration: not its name, which another may take later.
#[derive(Clone)]
pub struct ToolKey(Arc<Definition>);

/// A registry with a state, to register the tools that run on it.
#[derive(Debug)]
pub struct WithState<'a, S> {
    registry: &'a mut Registry,
    state: Arc<S>,
}

/// What a registration says in place of what the type says.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    name: Option<String>,
    description: Option<String>,
}

impl Registry {
    /// No tool.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a tool that needs no state.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once; the registry is then as it was.
    #[rustfmt::skip] // On one line, since the compiler shows the lines of the name and of the bound.
    pub fn tool<T>(&mut self) -> Result<&mut Self, RegistrationError> where Self: Registers<T, ()> {
        self.tool_as::<T>(Overrides::new())
    }

    /// Registers a tool that needs no state, under another name or with another description.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once; the registry is then as it was.
    #[rustfmt::skip] // As above.
    pub fn tool_as<T>(&mut self, overrides: Overrides) -> Result<&mut Self, RegistrationError>
    where Self: Registers<T, ()> {
        self.register(Arc::new(()), overrides)?;
        Ok(self)
    }

    /// Registers tools that run on `state`: `registry.with(state).tool::<Read>()?.tool::<Write>()?`.
    pub fn with<S: Send + Sync + 'static>(&mut self, state: S) -> WithState<'_, S> {
        self.with_shared(Arc::new(state))
    }

    /// Registers tools that run on a state which others hold too.
    pub fn with_shared<S: Send + Sync + 'static>(&mut self, state: Arc<S>) -> WithState<'_, S> {
        WithState { registry: self, state }
    }

    /// Registers a tool whose shape is known only at run time.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once; the registry is then as it was.
    pub fn dynamic(&mut self, tool: DynamicTool) -> Result<&mut Self, RegistrationError> {
        self.add(dynamic_definition(tool))
    }

    /// Registers all tools of another registry, or none.
    ///
    /// # Errors
    /// Every name that is taken; the registry is then as it was.
    #[cfg(feature = "mcp-bridge")]
    pub(crate) fn all_of(&mut self, other: &Self) -> Result<&mut Self, RegistrationError> {
        const REMEDY: &str =
            "the name is taken by a tool of the host's; give the server another name, or remove that tool first";
        let taken = other.tools.keys().filter_map(|name| self.taken(name, REMEDY)).reduce(RegistrationError::and);
        if let Some(taken) = taken {
            return Err(taken);
        }
        let tools = other.tools.iter().map(|(name, definition)| (Arc::clone(name), Arc::clone(definition)));
        Arc::make_mut(&mut self.tools).extend(tools);
        Ok(self)
    }

    /// The key of the tool that has this name now.
    pub fn key(&self, name: &str) -> Option<ToolKey> {
        self.tools.get(name).cloned().map(ToolKey)
    }

    /// Removes exactly this registration. A tool that has taken its name since stays; then, or if it was gone already,
    /// the answer is `false`.
    pub fn remove(&mut self, key: &ToolKey) -> bool {
        let registered = self.tools.get(&key.0.name).is_some_and(|definition| Arc::ptr_eq(definition, &key.0));
        if registered {
            Arc::make_mut(&mut self.tools).remove(&key.0.name);
        }
        registered
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(AsRef::as_ref)
    }

    /// The tools as they are published, sorted by name: the same bytes for the same tools.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.values().map(|definition| &definition.spec)
    }

    /// The tools as one JSON array, sorted by name: the bytes of `serde_json::to_string` of all [`specs`](Self::specs).
    ///
    /// A host sends the list with each request to a model. Each tool is written once; from then on a list costs a copy of its
    /// bytes.
    pub fn specs_json(&self) -> String {
        let bytes: usize = self.tools.values().map(|definition| definition.listed().len() + 1).sum();
        let mut list = String::with_capacity(bytes + 2);
        list.push('[');
        for definition in self.tools.values() {
            if list.len() > 1 {
                list.push(',');
            }
            list.push_str(definition.listed());
        }
        list.push(']');
        list
    }

    /// One tool as it is published.
    pub fn spec(&self, name: &str) -> Option<&ToolSpec> {
        self.tools.get(name).map(|definition| &definition.spec)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    fn definition(&self, name: &str) -> Option<&Arc<Definition>> {
        self.tools.get(name)
    }

    /// The tools whose arguments are of this type, sorted by name.
    fn definitions_of(&self, arguments: TypeId) -> impl Iterator<Item = &Arc<Definition>> {
        self.tools.values().filter(move |definition| definition.tool.type_id() == Some(arguments))
    }

    fn add(&mut self, definition: Result<Definition, RegistrationError>) -> Result<&mut Self, RegistrationError> {
        let definition = definition.map_err(|error| match self.taken(error.tool(), TAKEN) {
            Some(taken) => error.and(taken),
            None => error,
        })?;
        if let Some(taken) = self.taken(&definition.name, TAKEN) {
            return Err(taken);
        }
        Arc::make_mut(&mut self.tools).insert(Arc::clone(&definition.name), Arc::new(definition));
        Ok(self)
    }

    fn taken(&self, name: &str, remedy: &str) -> Option<RegistrationError> {
        self.tools.contains_key(name).then(|| {
            let mut findings = Findings::new(name);
            findings.add(Code::DUPLICATE_TOOL, remedy);
            RegistrationError::from(findings)
        })
    }
}

impl<S: Send + Sync + 'static> WithState<'_, S> {
    /// Registers a tool that has a body for this state.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once; the registry is then as it was.
    pub fn tool<T: HasBody<S>>(self) -> Result<Self, RegistrationError> {
        self.tool_as::<T>(Overrides::new())
    }

    /// Registers a tool under another name or with another description.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once; the registry is then as it was.
    pub fn tool_as<T: HasBody<S>>(self, overrides: Overrides) -> Result<Self, RegistrationError> {
        self.registry.add(typed_definition::<T, S>(Arc::clone(&self.state), overrides))?;
        Ok(self)
    }

    /// Registers a tool of a `toolset!`.
    ///
    /// The state is handed over once more. Of a single argument that mentions it, the compiler would say that it is at
    /// fault, and not the tool.
    #[doc(hidden)]
    #[rustfmt::skip] // On one line, as above.
    pub fn of_set<T>(self, _: &Arc<S>) -> Result<(), RegistrationError> where Registry: Registers<T, S> {
        self.registry.register(self.state, Overrides::new())
    }
}

impl Overrides {
    /// Nothing is overridden.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name that a model calls.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// What the tool does, for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
}

fn typed_definition<T: Execute<S>, S: Send + Sync + 'static>(
    state: Arc<S>,
    overrides: Overrides,
) -> Result<Definition, RegistrationError> {
    let facts = Facts {
        name: T::NAME,
        title: T::TITLE,
        description: T::DESCRIPTION,
        behaviour: T::BEHAVIOUR,
        failures: T::FAILURES,
        input: T::INPUT.schema(),
        output: crate::schema::output_schema::<T::Output>,
    };
    facts.define(overrides, Box::new(TypedTool::of::<T>(state)))
}

/// What a type says of itself as a tool.
struct Facts {
    name: &'static str,
    title: Option<&'static str>,
    description: &'static str,
    behaviour: Behaviour,
    failures: &'static [&'static [FailureSpec]],
    input: fn() -> Result<Schema, SchemaError>,
    output: fn() -> Result<Schema, SchemaError>,
}

impl Facts {
    fn define(self, overrides: Overrides, tool: Box<dyn ErasedTool>) -> Result<Definition, RegistrationError> {
        let parts = Parts {
            name: overrides.name.unwrap_or_else(|| self.name.to_owned()),
            title: self.title.map(str::to_owned),
            description: overrides.description.unwrap_or_else(|| self.description.to_owned()),
            behaviour: self.behaviour,
            failures: self.failures.concat(),
            claims: tool.claims(),
        };
        let compiled = |schema: Schema, side| Ok((Validator::derived(&schema, side)?, schema));
        let input = (self.input)().and_then(|schema| compiled(schema, Side::Input));
        let output = (self.output)().and_then(|schema| compiled(schema, Side::Output));
        parts.define(input, output, tool)
    }
}

fn dynamic_definition(mut tool: DynamicTool) -> Result<Definition, RegistrationError> {
    let parts = Parts {
        name: tool.name.clone(),
        title: tool.title.take(),
        description: std::mem::take(&mut tool.description),
        behaviour: tool.behaviour,
        failures: std::mem::take(&mut tool.failures),
        claims: tool.claims(),
    };
    let swap = |(schema, validator)| (validator, schema);
    let input = Validator::foreign(&tool.input_schema, Side::Input).map(swap);
    let Some(output) = tool.output_schema.take() else {
        let mut findings = parts.check();
        findings.add(
            Code::MISSING_OUTPUT,
            "it declares no output schema; `.output_schema(json!({}))` declares a value of any shape",
        );
        findings.schema("input", input.as_ref().err());
        return Err(findings.into());
    };
    let output = Validator::foreign(&output, Side::Output).map(swap);
    parts.define(input, output, Box::new(tool))
}

/// What a definition needs beside its schemas.
struct Parts {
    name: String,
    title: Option<String>,
    description: String,
    behaviour: Behaviour,
    failures: Vec<FailureSpec>,
    /// Whether its calls say what they touch.
    claims: bool,
}

type Compiled = Result<(Validator, Schema), SchemaError>;

impl Parts {
    fn check(&self) -> Findings {
        let mut findings = Findings::new(&self.name);
        if let Err(wrong) = name::check(&self.name) {
            findings.add(Code::INVALID_NAME, wrong);
        }
        if self.description.trim().is_empty() {
            findings.add(Code::MISSING_DESCRIPTION, "it has no description; the model chooses tools by it");
        }
        if self.behaviour.time_limit().is_some_and(|limit| limit.is_zero()) {
            findings.add(Code::INVALID_TIMEOUT, "its timeout is zero; leave it out for no limit");
        }
        if self.behaviour.is_read_only() == Some(true) && self.behaviour.is_destructive() == Some(true) {
            findings.add(Code::CONTRADICTORY_FACTS, "it is both read-only and destructive; keep one of the two");
        }
        if self.behaviour.is_parallel() && self.claims {
            findings.add(
                Code::CONTRADICTORY_FACTS,
                "it is parallel, so its calls conflict with none, and names resources by which they do; drop `parallel`",
            );
        }
        findings
    }

    fn define(
        self,
        input: Compiled,
        output: Compiled,
        tool: Box<dyn ErasedTool>,
    ) -> Result<Definition, RegistrationError> {
        let mut findings = self.check();
        let ((input, input_schema), (output, output_schema)) = match (input, output) {
            (Ok(input), Ok(output)) if findings.is_empty() => (input, output),
            (input, output) => {
                findings.schema("input", input.as_ref().err());
                findings.schema("output", output.as_ref().err());
                return Err(findings.into());
            }
        };
        let name = Arc::from(self.name.as_str());
        let spec = ToolSpec {
            name: self.name,
            title: self.title,
            description: self.description,
            input_schema,
            output_schema,
            behaviour: self.behaviour,
            failures: self.failures,
        };
        Ok(Definition { spec, name, input, output, tool, listed: OnceLock::new() })
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl fmt::Debug for ToolKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolKey").field(&self.0.name).finish()
    }
}
