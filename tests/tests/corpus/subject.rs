//! A shape as it is tried: what it publishes, and a way to call it, with its type erased.
//!
//! A shape for arguments is the field `it` of a derived tool, or a derived tool itself. A shape for outputs is the declared
//! output of a tool, and a value is sent to it as the replacement of another one, as a cache or a program would.

use std::any::Any;
use std::fmt::{self, Debug};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tests::{code, dispatcher_of, giver};
use tool_runtime::dialect::{Dialect, Lowered, Unsupported};
use tool_runtime::json;
use tool_runtime::prelude::*;

/// What came of a call.
#[derive(Debug)]
pub(crate) enum Outcome {
    Taken {
        /// The typed value, as `Debug` writes it.
        debug: String,
        /// The same as JSON.
        json: Value,
    },
    Refused {
        code: String,
        /// One sentence for each thing that is wrong.
        violations: Vec<String>,
    },
}

/// A value of the shape's type.
#[derive(Clone)]
pub(crate) struct Sample {
    value: Rc<dyn Any>,
    pub(crate) debug: String,
    /// What is sent for it, or why it cannot be written.
    pub(crate) json: Result<Value, String>,
}

impl Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.debug, self.json.as_ref().map_or_else(Clone::clone, Value::to_string))
    }
}

pub(crate) type Call = Box<dyn Fn(&Value) -> Outcome>;
type Say = Box<dyn Fn(&str) -> Outcome>;
type ComesBack = Box<dyn Fn(&Sample) -> Result<(), String>>;

pub(crate) struct Subject {
    pub(crate) schema: Value,
    pub(crate) call: Call,
    pub(crate) samples: BoxedStrategy<Sample>,
    /// The law of outputs: what the type writes is accepted, and comes back equal. Arguments are not written.
    pub(crate) comes_back: Option<ComesBack>,
    /// The same tool for the model of a provider. Outputs are sent to none.
    pub(crate) lowered: Option<Lower>,
}

pub(crate) type Lower = Box<dyn Fn(Dialect) -> Result<Spoken, Vec<Unsupported>>>;

/// A tool in the words of a dialect, and a way to call it in them.
pub(crate) struct Spoken {
    pub(crate) lowered: Lowered,
    /// Calls it with a text, as a model writes it.
    pub(crate) say: Say,
}

impl Spoken {
    pub(crate) fn call(&self, arguments: &Value) -> Outcome {
        (self.say)(&arguments.to_string())
    }
}

impl Subject {
    /// The published schema, as an implementation judges it that is not ours.
    pub(crate) fn oracle(&self) -> jsonschema::Validator {
        let is_draft_07 = self.schema["$schema"].as_str().is_some_and(|uri| uri.contains("draft-07"));
        jsonschema::options()
            .with_draft(if is_draft_07 { jsonschema::Draft::Draft7 } else { jsonschema::Draft::Draft202012 })
            .should_validate_formats(true)
            .build(&self.schema)
            .unwrap_or_else(|error| panic!("{error}: {}", self.schema))
    }
}

/// What a type must be to stand in arguments, and for the corpus to see it.
pub(crate) trait Argument: DeserializeOwned + JsonSchema + Serialize + Debug + Send + Sync + 'static {}

impl<T: DeserializeOwned + JsonSchema + Serialize + Debug + Send + Sync + 'static> Argument for T {}

/// Take one argument.
#[derive(Tool, Debug, Serialize)]
#[tool(output = Echo, name = "input", render = json)]
struct Take<T> {
    it: T,
}

/// What arguments were read as.
#[tool_output]
pub(crate) struct Echo {
    debug: String,
    json: String,
}

impl Echo {
    pub(crate) fn of(arguments: &(impl Debug + Serialize)) -> Result<Self, ToolError> {
        Ok(Self { debug: format!("{arguments:?}"), json: json::write(arguments)?.to_string() })
    }
}

impl<T: Argument> Execute for Take<T> {
    async fn execute(&self, _: &Context) -> Result<Echo, ToolError> {
        Echo::of(self)
    }
}

/// A shape that is a field of arguments.
pub(crate) fn field<T: Argument>(values: BoxedStrategy<T>) -> Result<Subject, String> {
    root(values.prop_map(|it| Take { it }).boxed())
}

/// A shape that is the arguments.
pub(crate) fn root<T: Execute + Debug + Serialize>(values: BoxedStrategy<T>) -> Result<Subject, String> {
    let mut registry = Registry::new();
    registry.tool::<T>().map_err(|error| error.to_string())?;
    let dispatcher = dispatcher_of::<T>();
    let schema = dispatcher.registry().spec(T::NAME).expect("it is registered").input_schema.to_value();
    let read = |success: &Success| {
        let echo: &Echo = success.value_as().expect("the echo is what the body returns");
        (echo.debug.clone(), serde_json::from_str(&echo.json).expect("it was written as JSON"))
    };
    Ok(Subject {
        schema,
        call: caller(dispatcher.clone(), T::NAME, read),
        samples: samples(values),
        comes_back: None,
        lowered: Some(lower(dispatcher, T::NAME, read)),
    })
}

/// A schema of somebody else, with a value that it takes.
pub(crate) fn foreign(schema: &Value, value: Value) -> Result<Subject, String> {
    const NAME: &str = "foreign";
    let body = |arguments: Arc<Value>, _| async move { Ok(Value::clone(&arguments)) };
    let tool = DynamicTool::new(NAME, "Do something.", body);
    let tool = tool.input_schema(schema.clone()).output_schema(serde_json::json!({}));
    let mut registry = Registry::new();
    registry.dynamic(tool).map_err(|error| error.to_string())?;
    let dispatcher = Dispatcher::new(registry);
    let read = |success: &Success| (success.value().to_string(), success.value().to_value());
    Ok(Subject {
        schema: schema.clone(),
        call: caller(dispatcher.clone(), NAME, read),
        samples: samples(Just(value).boxed()),
        comes_back: None,
        lowered: Some(lower(dispatcher, NAME, read)),
    })
}

/// The typed value, as `Debug` writes it, and as JSON.
type Read = fn(&Success) -> (String, Value);

fn lower(dispatcher: Dispatcher, tool: &'static str, read: Read) -> Lower {
    Box::new(move |dialect: Dialect| {
        let registry = dispatcher.registry();
        let lowered = dialect.lower(registry.spec(tool).expect("it is registered"))?;
        let say = speaker(dispatcher.clone().dialect(dialect.lower_all(&registry)), lowered.name().to_owned(), read);
        Ok(Spoken { lowered, say })
    })
}

fn caller(dispatcher: Dispatcher, tool: &str, read: Read) -> Call {
    let say = speaker(dispatcher, tool.to_owned(), read);
    Box::new(move |arguments: &Value| say(&arguments.to_string()))
}

fn speaker(dispatcher: Dispatcher, name: String, read: Read) -> Say {
    let runtime = runtime();
    Box::new(move |arguments: &str| {
        let result = runtime.block_on(dispatcher.call(ToolCall::new("call-1", name.as_str(), arguments)));
        outcome(&result, read)
    })
}

/// A shape that is an output.
pub(crate) fn output<T: ToolOutput + Debug + PartialEq>(values: BoxedStrategy<T>) -> Result<Subject, String> {
    let source = Arc::new(Mutex::new(None::<T>));
    let given = Arc::clone(&source);
    let registry = giver(move || given.lock().unwrap().take().expect("a value is set"));
    let registry = registry.map_err(|error| error.to_string())?;
    let schema = registry.spec("give").expect("it is registered").output_schema.to_value();
    let replacement = Arc::new(Mutex::new(None));
    let dispatcher = Dispatcher::new(registry).policy(Replace(Arc::clone(&replacement)));
    let runtime = runtime();
    let send = move |first: T, back: Option<Value>| {
        *source.lock().unwrap() = Some(first);
        *replacement.lock().unwrap() = back;
        runtime.block_on(dispatcher.call(ToolCall::without_arguments("call-1", "give")))
    };
    let send = Rc::new(send);
    let replace = Rc::clone(&send);
    // What is replaced is of no account, but it has to be accepted itself.
    let first = values.new_tree(&mut TestRunner::deterministic()).expect("there is a value").current();
    let first = json::write(&first).map(|text| text.to_value());
    let call = move |value: &Value| {
        let first = first.as_ref().unwrap_or_else(|lossy| panic!("{lossy}"));
        let first = json::decode(first).unwrap_or_else(|error| panic!("{first}: {error}"));
        outcome(&replace(first, Some(value.clone())), written::<T>)
    };
    let comes_back = move |sample: &Sample| comes_back::<T>(sample, &*send);
    Ok(Subject {
        schema,
        call: Box::new(call),
        samples: samples(values),
        comes_back: Some(Box::new(comes_back)),
        lowered: None,
    })
}

fn comes_back<T: ToolOutput + Debug + PartialEq>(
    sample: &Sample,
    send: &dyn Fn(T, Option<Value>) -> ToolResult,
) -> Result<(), String> {
    let value: &T = sample.value.downcast_ref().expect("a sample is of the shape's own type");
    let text = json::write(value).map_err(|lossy| lossy.to_string())?;
    let again = || json::decode::<T>(&text.to_value()).map_err(|error| format!("{text} is not read: {error}"));
    let first = send(again()?, None);
    let Some(success) = first.success() else { return Err(format!("{text} is not accepted: {first:?}")) };
    if success.value() != &text {
        return Err(format!("{text} is accepted as {}", success.value()));
    }
    let second = send(again()?, Some(text.to_value()));
    let Some(success) = second.success() else { return Err(format!("{text} does not come back: {second:?}")) };
    if success.value() != &text || success.value_as() != Some(value) {
        return Err(format!("{text} comes back as {:?}, {}", success.value_as::<T>(), success.value()));
    }
    Ok(())
}

fn written<T: ToolOutput + Debug>(success: &Success) -> (String, Value) {
    let value: &T = success.value_as().expect("the value is of the output's type");
    (format!("{value:?}"), success.value().to_value())
}

fn outcome(result: &ToolResult, read: impl Fn(&Success) -> (String, Value)) -> Outcome {
    if let Some(success) = result.success() {
        let (debug, json) = read(success);
        return Outcome::Taken { debug, json };
    }
    let error = result.failure().expect("what is no success is a failure").error();
    let listed = error.structured_details().and_then(|details| details["violations"].as_array());
    let violations = match listed {
        Some(violations) => violations.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => vec![error.message().to_owned()],
    };
    Outcome::Refused { code: code(result).to_owned(), violations }
}

fn samples<T: Serialize + Debug + 'static>(values: BoxedStrategy<T>) -> BoxedStrategy<Sample> {
    let sample = |value: T| Sample {
        debug: format!("{value:?}"),
        json: json::write(&value).map(|text| text.to_value()).map_err(|lossy| lossy.to_string()),
        value: Rc::new(value),
    };
    values.prop_map(sample).boxed()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime of one thread")
}

/// Puts what it holds in the place of the value.
struct Replace(Arc<Mutex<Option<Value>>>);

impl PostPolicy for Replace {
    fn name(&self) -> &'static str {
        "replace"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        let back = self.0.lock().unwrap().clone();
        Ok(back.map_or_else(PostDecision::accept, PostDecision::replace_value))
    }
}
