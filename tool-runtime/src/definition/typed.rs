//! A derived tool, erased. What does not hang on its types is in functions of its own, which are compiled once.

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem;
use std::sync::Arc;

use serde::Deserialize as _;

use super::{BoxFuture, CheckedArguments, ErasedTool, Executed, Refused, TypedValue};
use crate::content::Content;
use crate::json::{self, DecodeError, Decoder, JsonText, JsonValue, LossyValue, attempt, attempt_text};
use crate::panics::{Guarded, contain};
use crate::schema::{Validator, Violation};
use crate::tool::{Call, CallHead, CanonicalValue, Context, Execute, Tool};

/// The tool `T` with the state that it runs on.
pub(crate) struct TypedTool<T, S> {
    state: Arc<S>,
    tool: PhantomData<fn() -> T>,
}

impl<T, S> TypedTool<T, S> {
    pub(crate) fn new(state: Arc<S>) -> Self {
        Self { state, tool: PhantomData }
    }
}

/// Decodes, and keeps what it got.
type Read<'a> = &'a mut dyn FnMut(Decoder<'_>) -> Result<(), DecodeError>;

/// Writes a value, and checks it.
type Write<'a> = &'a mut dyn FnMut() -> Result<JsonText, Vec<Violation>>;

impl<T: Execute<S>, S: Send + Sync + 'static> ErasedTool for TypedTool<T, S> {
    fn type_id(&self) -> Option<TypeId> {
        Some(TypeId::of::<T>())
    }

    fn decode(&self, arguments: &CheckedArguments<'_>, head: &mut CallHead) -> Result<Call, Violation> {
        let mut call = None;
        let read = &mut |decoder: Decoder<'_>| {
            let typed = (T::INPUT.decoder())(decoder)?;
            call = Some(Call::new(mem::take(head), typed));
            Ok(())
        };
        decode_arguments(arguments, read)?;
        Ok(call.expect("what was decoded was kept"))
    }

    fn execute<'a>(&'a self, call: &'a Call, output: &'a Validator) -> BoxFuture<'a, Executed> {
        let context = Context::new(Arc::clone(&self.state), call.clone());
        Box::pin(async move {
            match typed::<T>(call).execute(&context).await {
                Ok(value) => match accept::<T>(Guarded::new(value), output) {
                    Ok(value) => Executed::Accepted(value),
                    Err(refused) => Executed::Refused(refused),
                },
                Err(error) => Executed::Failed(error),
            }
        })
    }

    fn accept_json(&self, value: &JsonValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        let mut typed = None;
        let read = &mut |decoder: Decoder<'_>| {
            typed = Some(Guarded::new(T::Output::deserialize(decoder)?));
            Ok(())
        };
        decode_value(value, output, read)?;
        let accepted = accept::<T>(typed.expect("what was decoded was kept"), output)?;
        stays(value, &accepted)?;
        Ok(accepted)
    }

    fn accept_typed(&self, value: TypedValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        match value.into_inner().downcast::<T::Output>() {
            Ok(value) => accept::<T>(Guarded::new(*value), output),
            Err(_) => Err(vec!["the value is of another type than the tool's output".to_owned()]),
        }
    }

    fn render(&self, call: &Call, value: &CanonicalValue) -> Content {
        T::PROJECTION.render(typed(call), output::<T>(value))
    }

    fn presents(&self) -> bool {
        T::PRESENTATION.is_some()
    }

    fn meta(&self, call: &Call, value: &CanonicalValue) -> Option<Result<JsonValue, String>> {
        let presentation = T::PRESENTATION?;
        Some(meta(presentation.meta(typed(call), output::<T>(value))))
    }
}

/// Checks a value of the tool's own type while it is written as JSON.
fn accept<T: Tool>(value: Guarded<T::Output>, output: &Validator) -> Result<CanonicalValue, Refused> {
    let text = written(&mut || output.accept(&*value))?;
    Ok(CanonicalValue::new(text, value))
}

fn typed<T: Tool>(call: &Call) -> &T {
    call.arguments().expect("arguments are decoded by the tool that gets them")
}

fn output<T: Tool>(value: &CanonicalValue) -> &T::Output {
    value.downcast_ref().expect("a value is accepted by the tool that projects it")
}

fn decode_arguments(arguments: &CheckedArguments<'_>, read: Read<'_>) -> Result<(), Violation> {
    let decoded = match arguments {
        CheckedArguments::Text { text, .. } => attempt_text(text, read),
        CheckedArguments::Tree(tree) => attempt(tree, read),
    };
    decoded.map_err(Violation::from)
}

fn written(write: Write<'_>) -> Result<JsonText, Refused> {
    match contain(write) {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(violations)) => Err(violations.iter().map(ToString::to_string).collect()),
        Err(panic) => Err(vec![format!("writing the value panicked: {panic}")]),
    }
}

fn decode_value(value: &JsonValue, output: &Validator, read: Read<'_>) -> Result<(), Refused> {
    output.check(value).map_err(|violations| violations.iter().map(ToString::to_string).collect::<Refused>())?;
    let mut settled = value.clone();
    output.settle_whole_floats(&mut settled);
    match contain(|| attempt(&settled, read)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(vec![format!("the value does not come back as its type: {error}")]),
        Err(panic) => Err(vec![format!("decoding the value panicked: {panic}")]),
    }
}

fn stays(value: &JsonValue, accepted: &CanonicalValue) -> Result<(), Refused> {
    if json::equal(&accepted.to_json(), value) {
        Ok(())
    } else {
        Err(vec!["the value does not stay the same when it is read and written again".to_owned()])
    }
}

fn meta(written: Result<JsonText, LossyValue>) -> Result<JsonValue, String> {
    written.map(|text| text.to_value()).map_err(|lossy| lossy.to_string())
}
