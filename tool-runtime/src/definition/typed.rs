//! A derived tool, erased.

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem;
use std::sync::Arc;

use super::{BoxFuture, CheckedArguments, ErasedTool, Executed, Refused, TypedValue};
use crate::content::Content;
use crate::json::{self, JsonValue, decode, decode_text, decode_with};
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

impl<T: Execute<S>, S: Send + Sync + 'static> ErasedTool for TypedTool<T, S> {
    fn type_id(&self) -> Option<TypeId> {
        Some(TypeId::of::<T>())
    }

    fn decode(&self, arguments: &CheckedArguments<'_>, head: &mut CallHead) -> Result<Call, Violation> {
        let decoded = match arguments {
            CheckedArguments::Text { text, .. } => decode_text(text, T::INPUT.decoder()),
            CheckedArguments::Tree(tree) => decode_with(tree, T::INPUT.decoder()),
        };
        decoded.map(|typed| Call::new(mem::take(head), typed)).map_err(Violation::from)
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
        output.check(value).map_err(|violations| violations.iter().map(ToString::to_string).collect::<Refused>())?;
        let mut settled = value.clone();
        output.settle_whole_floats(&mut settled);
        let typed: T::Output = match contain(|| decode(&settled)) {
            Ok(Ok(typed)) => typed,
            Ok(Err(error)) => return Err(vec![format!("the value does not come back as its type: {error}")]),
            Err(panic) => return Err(vec![format!("decoding the value panicked: {panic}")]),
        };
        let accepted = accept::<T>(Guarded::new(typed), output)?;
        if json::equal(&accepted.to_json(), value) {
            Ok(accepted)
        } else {
            Err(vec!["the value does not stay the same when it is read and written again".to_owned()])
        }
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

    fn meta(&self, call: &Call, value: &CanonicalValue) -> Option<Result<JsonValue, String>> {
        let presentation = T::PRESENTATION?;
        let meta = presentation.meta(typed(call), output::<T>(value));
        Some(meta.map(|text| text.to_value()).map_err(|lossy| lossy.to_string()))
    }
}

/// Checks a value of the tool's own type while it is written as JSON.
fn accept<T: Tool>(value: Guarded<T::Output>, output: &Validator) -> Result<CanonicalValue, Refused> {
    match contain(|| output.accept(&*value)) {
        Ok(Ok(text)) => Ok(CanonicalValue::new(text, value)),
        Ok(Err(violations)) => Err(violations.iter().map(ToString::to_string).collect()),
        Err(panic) => Err(vec![format!("writing the value panicked: {panic}")]),
    }
}

fn typed<T: Tool>(call: &Call) -> &T {
    call.arguments().expect("arguments are decoded by the tool that gets them")
}

fn output<T: Tool>(value: &CanonicalValue) -> &T::Output {
    value.downcast_ref().expect("a value is accepted by the tool that projects it")
}
