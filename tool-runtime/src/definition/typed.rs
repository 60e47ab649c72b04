//! A derived tool, erased.

use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Deserialize as _;

use super::{Arguments, BoxFuture, ErasedTool, Executed, Refused};
use crate::content::Content;
use crate::erased::Erased;
use crate::json::{self, DecodeError, Decoder, JsonText, JsonValue, LossyValue, decode_with};
use crate::panics::contain;
use crate::schema::{Validator, Violation};
use crate::tool::{CallContext, CanonicalValue, Context, Execute, Tool};

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

/// Writes a value of one tool's output and checks it; `None` if it is of another type.
type Write = fn(&Erased, &Validator) -> Option<Result<JsonText, Vec<Violation>>>;

/// Reads a value, of one tool's arguments or output.
type Read = for<'a> fn(Decoder<'a>) -> Result<Erased, DecodeError>;

// What is written here is made for each tool that an author has. So it says what depends on the types, and no more: the
// rest are the functions below, of which there is one each.
impl<T: Execute<S>, S: Send + Sync + 'static> ErasedTool for TypedTool<T, S> {
    fn type_id(&self) -> Option<TypeId> {
        Some(TypeId::of::<T>())
    }

    fn decode(&self, arguments: &JsonValue) -> Result<Erased, Violation> {
        read(arguments, read_arguments::<T>)
    }

    fn execute<'a>(
        &'a self,
        arguments: &'a Arguments,
        call: CallContext,
        output: &'a Validator,
    ) -> BoxFuture<'a, Executed> {
        let context = Context::new(Arc::clone(&self.state), call);
        Box::pin(async move {
            match typed::<T>(arguments).execute(&context).await {
                Ok(value) => executed(Erased::new(value), output, write::<T>),
                Err(error) => Executed::Failed(error),
            }
        })
    }

    fn accept_json(&self, value: &JsonValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        accept_json(value, output, read_output::<T>, write::<T>)
    }

    fn accept_typed(&self, value: Erased, output: &Validator) -> Result<CanonicalValue, Refused> {
        accept(value, output, write::<T>)
    }

    fn render(&self, arguments: &Arguments, value: &CanonicalValue) -> Content {
        T::PROJECTION.render(typed(arguments), output::<T>(value))
    }

    fn meta(&self, arguments: &Arguments, value: &CanonicalValue) -> Option<Result<JsonValue, String>> {
        let presentation = T::PRESENTATION?;
        Some(meta(presentation.meta(typed(arguments), output::<T>(value))))
    }
}

fn read_arguments<T: Tool>(decoder: Decoder<'_>) -> Result<Erased, DecodeError> {
    match (T::INPUT.decoder())(decoder) {
        Ok(typed) => Ok(Erased::new(typed)),
        Err(error) => Err(error),
    }
}

fn read_output<T: Tool>(decoder: Decoder<'_>) -> Result<Erased, DecodeError> {
    match T::Output::deserialize(decoder) {
        Ok(typed) => Ok(Erased::new(typed)),
        Err(error) => Err(error),
    }
}

fn write<T: Tool>(value: &Erased, output: &Validator) -> Option<Result<JsonText, Vec<Violation>>> {
    Some(output.accept(value.get::<T::Output>()?))
}

fn typed<T: Tool>(arguments: &Arguments) -> &T {
    arguments.typed.get().expect("arguments are decoded by the tool that gets them")
}

fn output<T: Tool>(value: &CanonicalValue) -> &T::Output {
    value.downcast_ref().expect("a value is accepted by the tool that projects it")
}

fn read(value: &JsonValue, read: Read) -> Result<Erased, Violation> {
    decode_with(value, read).map_err(Violation::from)
}

fn executed(value: Erased, output: &Validator, write: Write) -> Executed {
    match accept(value, output, write) {
        Ok(value) => Executed::Accepted(value),
        Err(refused) => Executed::Refused(refused),
    }
}

/// Checks a value of the tool's own type while it is written as JSON.
fn accept(value: Erased, output: &Validator, write: Write) -> Result<CanonicalValue, Refused> {
    match contain(|| write(&value, output)) {
        Ok(Some(Ok(text))) => Ok(CanonicalValue::new(text, value)),
        Ok(Some(Err(violations))) => Err(violations.iter().map(ToString::to_string).collect()),
        Ok(None) => Err(vec!["the value is of another type than the tool's output".to_owned()]),
        Err(panic) => Err(vec![format!("writing the value panicked: {panic}")]),
    }
}

fn accept_json(value: &JsonValue, output: &Validator, read: Read, write: Write) -> Result<CanonicalValue, Refused> {
    output.check(value).map_err(|violations| violations.iter().map(ToString::to_string).collect::<Refused>())?;
    let mut settled = value.clone();
    output.settle_whole_floats(&mut settled);
    let typed = match contain(|| decode_with(&settled, read)) {
        Ok(Ok(typed)) => typed,
        Ok(Err(error)) => return Err(vec![format!("the value does not come back as its type: {error}")]),
        Err(panic) => return Err(vec![format!("decoding the value panicked: {panic}")]),
    };
    let accepted = accept(typed, output, write)?;
    if json::equal(&accepted.to_json(), value) {
        Ok(accepted)
    } else {
        Err(vec!["the value does not stay the same when it is read and written again".to_owned()])
    }
}

fn meta(written: Result<JsonText, LossyValue>) -> Result<JsonValue, String> {
    written.map(|text| text.to_value()).map_err(|lossy| lossy.to_string())
}
