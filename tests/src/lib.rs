//! What the tests share: the shortest way from a type to a call, and from a value to a result.

pub mod foreign;
pub mod scripted_mcp;

use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::{Arc, Mutex, Once};

use tool_runtime::prelude::*;
use tool_runtime::seam::Observer;
use tool_runtime::{JsonValue, Verdict};

/// Gives tools a body that returns their arguments as JSON, so that a test sees how they were read.
#[macro_export]
macro_rules! echo {
    ($($tool:ty),* $(,)?) => {$(
        impl ::tool_runtime::Execute for $tool {
            async fn execute(&self, _: &::tool_runtime::Context) -> Result<String, ::tool_runtime::ToolError> {
                Ok(::tool_runtime::json::write(self)?.to_string())
            }
        }
    )*};
}

/// A dispatcher over one tool without a state.
///
/// # Panics
/// If the tool is refused.
pub fn dispatcher_of<T: Execute>() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<T>().unwrap_or_else(|error| panic!("{error}"));
    Dispatcher::new(registry)
}

/// What a tool publishes for its arguments.
///
/// # Panics
/// If the tool is refused.
pub fn input_schema<T: Execute>() -> JsonValue {
    dispatcher_of::<T>().registry().spec(T::NAME).expect("it is registered").input_schema.to_value()
}

/// Calls a tool without a state.
pub async fn call<T: Execute>(arguments: &str) -> ToolResult {
    dispatcher_of::<T>().call(ToolCall::new("call-1", T::NAME, arguments)).await
}

/// What the model reads of such a call.
pub async fn told<T: Execute>(arguments: &str) -> String {
    call::<T>(arguments).await.content().to_text()
}

/// What is wrong with arguments, one sentence each.
///
/// # Panics
/// If nothing is wrong with them.
pub async fn faults<T: Execute>(arguments: &str) -> Vec<String> {
    let result = call::<T>(arguments).await;
    let Some(failure) = result.failure() else { panic!("{arguments} was taken: {}", result.content().to_text()) };
    assert_eq!(failure.code(), &Code::INVALID_ARGS, "{failure}");
    let details = failure.error().structured_details().expect("an argument failure lists what is wrong");
    let violations = details["violations"].as_array().expect("the list is an array");
    violations.iter().map(|violation| violation.as_str().expect("each is a sentence").to_owned()).collect()
}

/// Give the value that the test made.
#[derive(Tool)]
#[tool(output = T, name = "give", render = json, read_only)]
pub struct Give<T: ToolOutput> {
    #[serde(skip)]
    of: PhantomData<fn() -> T>,
}

/// Where [`Give`] takes its value from.
pub struct Source<T>(Box<dyn Fn() -> T + Send + Sync>);

impl<T> fmt::Debug for Source<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Source")
    }
}

impl<T: ToolOutput> Execute<Source<T>> for Give<T> {
    async fn execute(&self, cx: &Context<Source<T>>) -> Result<T, ToolError> {
        Ok((cx.state().0)())
    }
}

/// Registers a tool that returns such a value.
///
/// # Errors
/// What is wrong with the type as an output.
pub fn giver<T: ToolOutput>(value: impl Fn() -> T + Send + Sync + 'static) -> Result<Registry, RegistrationError> {
    let mut registry = Registry::new();
    registry.with(Source(Box::new(value))).tool::<Give<T>>()?;
    Ok(registry)
}

/// What a type publishes as an output.
///
/// # Errors
/// What is wrong with it.
pub fn output_schema<T: ToolOutput>() -> Result<JsonValue, RegistrationError> {
    let registry = giver::<T>(|| unreachable!("nothing is called"))?;
    Ok(registry.spec("give").map(|spec| spec.output_schema.to_value()).unwrap_or_default())
}

/// The result of a tool that returns such a value.
///
/// # Panics
/// If the type is refused as an output.
pub async fn given<T: ToolOutput>(value: impl Fn() -> T + Send + Sync + 'static) -> ToolResult {
    let dispatcher = Dispatcher::new(giver(value).unwrap_or_else(|error| panic!("{error}")));
    dispatcher.call(ToolCall::without_arguments("call-1", "give")).await
}

/// The same, with `back` put in the place of the value by a policy, as a cache or another process would.
///
/// # Panics
/// If the type is refused as an output.
pub async fn put_back<T: ToolOutput>(value: impl Fn() -> T + Send + Sync + 'static, back: JsonValue) -> ToolResult {
    let dispatcher = Dispatcher::new(giver(value).unwrap_or_else(|error| panic!("{error}")));
    dispatcher
        .policy(Decided(PostDecision::replace_value(back)))
        .call(ToolCall::without_arguments("call-1", "give"))
        .await
}

/// A policy that decides what it was told to, and accepts failures.
#[derive(Debug)]
pub struct Decided(pub PostDecision);

impl PostPolicy for Decided {
    fn name(&self) -> &'static str {
        "decided"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(self.0.clone())
    }
}

/// An observer that keeps the code of every result it saw, `OK` for a success.
#[derive(Clone, Debug, Default)]
pub struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    /// The codes, in the order of the results.
    ///
    /// # Panics
    /// If an observer panicked before.
    pub fn codes(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Observer for Seen {
    fn name(&self) -> &'static str {
        "seen"
    }

    fn on_result(&self, result: &ToolResult) {
        let code = result.failure().map_or("OK", |failure| failure.code().as_str());
        self.0.lock().unwrap().push(code.to_owned());
    }
}

/// The code of a result, `OK` for a success.
pub fn code(result: &ToolResult) -> &str {
    result.failure().map_or("OK", |failure| failure.code().as_str())
}

/// What the policies decided, by name.
pub fn verdicts(result: &ToolResult) -> Vec<(&str, Verdict)> {
    result.trace().decisions().iter().map(|decision| (decision.policy(), decision.verdict())).collect()
}

/// A tool of this name that answers with this text.
pub fn says(name: &str, text: &str) -> DynamicTool {
    let text = JsonValue::from(text);
    DynamicTool::new(name, "Say one thing.", move |_, _| {
        let text = text.clone();
        async move { Ok(text) }
    })
    .output_schema(JsonValue::Object([("type".to_owned(), "string".into())].into_iter().collect()))
}

/// Registers such a tool among the dispatcher's own.
///
/// # Errors
/// If it has a tool of this name itself.
pub fn add(dispatcher: &Dispatcher, name: &str, text: &str) -> Result<(), RegistrationError> {
    dispatcher.change_registry(|own| own.dynamic(says(name, text)).map(|_| ()))
}

/// Removes the tool of this name from the dispatcher's own; `false` if it has none.
///
/// # Panics
/// If that fails.
pub fn remove(dispatcher: &Dispatcher, name: &str) -> bool {
    let removed = dispatcher.change_registry(|own| Ok(own.key(name).is_some_and(|key| own.remove(&key))));
    removed.unwrap_or_else(|error| panic!("{error}"))
}

/// What such a tool answers, or the code of the failure.
pub async fn answer(dispatcher: &Dispatcher, name: &str) -> String {
    let result = dispatcher.call(ToolCall::without_arguments("call-1", name)).await;
    match result.success() {
        Some(success) => success.canonical().to_json().as_str().unwrap_or_default().to_owned(),
        None => code(&result).to_owned(),
    }
}

/// The names of the tools that are visible.
pub fn visible(dispatcher: &Dispatcher) -> Vec<String> {
    dispatcher.registry().names().map(str::to_owned).collect()
}

/// Compares a text with the one that the guide shows, or with `GUIDE=overwrite` writes that anew.
///
/// # Panics
/// If they differ.
#[track_caller]
pub fn assert_shown(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guide/expected").join(name);
    let text = format!("{}\n", text.trim_end());
    if std::env::var_os("GUIDE").is_some_and(|mode| mode == "overwrite") {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let shown = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(shown, text, "{name} is not what the program gives; write it anew with GUIDE=overwrite");
}

/// Keeps the reports of panics that a test makes on purpose out of its output: those that say "on purpose", or no text.
pub fn quiet_panics() {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if panic.payload_as_str().is_some_and(|text| !text.contains("on purpose")) {
                usual(panic);
            }
        }));
    });
}
