//! A derived tool, erased.

use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::Arc;

use super::{Arguments, BoxFuture, ErasedTool, Executed, Refused};
use crate::content::Content;
use crate::erased::Erased;
use crate::json::{self, JsonValue, decode, decode_with};
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

impl<T: Execute<S>, S: Send + Sync + 'static> ErasedTool for TypedTool<T, S> {
    fn type_id(&self) -> Option<TypeId> {
        Some(TypeId::of::<T>())
    }

    fn decode(&self, arguments: &JsonValue) -> Result<Erased, Violation> {
        match decode_with(arguments, T::INPUT.decoder()) {
            Ok(typed) => Ok(Erased::new(typed)),
            Err(error) => Err(Violation::from(error)),
        }
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
                Ok(value) => match accept::<T>(Erased::new(value), output) {
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
        let accepted = accept::<T>(Erased::new(typed), output)?;
        if json::equal(&accepted.to_json(), value) {
            Ok(accepted)
        } else {
            Err(vec!["the value does not stay the same when it is read and written again".to_owned()])
        }
    }

    fn accept_typed(&self, value: Erased, output: &Validator) -> Result<CanonicalValue, Refused> {
        accept::<T>(value, output)
    }

    fn render(&self, arguments: &Arguments, value: &CanonicalValue) -> Content {
        T::PROJECTION.render(typed(arguments), output::<T>(value))
    }

    fn meta(&self, arguments: &Arguments, value: &CanonicalValue) -> Option<Result<JsonValue, String>> {
        let presentation = T::PRESENTATION?;
        let meta = presentation.meta(typed(arguments), output::<T>(value));
        Some(meta.map(|text| text.to_value()).map_err(|lossy| lossy.to_string()))
    }
}

/// Checks a value of the tool's own type while it is written as JSON.
fn accept<T: Tool>(value: Erased, output: &Validator) -> Result<CanonicalValue, Refused> {
    let Some(typed) = value.get::<T::Output>() else {
        return Err(vec!["the value is of another type than the tool's output".to_owned()]);
    };
    match contain(|| output.accept(typed)) {
        Ok(Ok(text)) => Ok(CanonicalValue::new(text, value)),
        Ok(Err(violations)) => Err(violations.iter().map(ToString::to_string).collect()),
        Err(panic) => Err(vec![format!("writing the value panicked: {panic}")]),
    }
}

fn typed<T: Tool>(arguments: &Arguments) -> &T {
    arguments.typed.get().expect("arguments are decoded by the tool that gets them")
}

fn output<T: Tool>(value: &CanonicalValue) -> &T::Output {
    value.downcast_ref().expect("a value is accepted by the tool that projects it")
}
