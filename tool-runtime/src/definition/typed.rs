//! A derived tool, erased. What does not hang on its types is in functions of its own, which are compiled once.

use std::any::TypeId;
use std::mem;
use std::sync::Arc;

use serde::Deserialize as _;

use super::{BoxFuture, CheckedArguments, Definition, ErasedTool, Executed, Refused, TypedValue};
use crate::card::{CallView, DurableResult, Partial, ResultView};
use crate::content::Content;
use crate::json::{self, DecodeError, Decoder, JsonText, JsonValue, LossyValue, attempt, attempt_text};
use crate::panics::{Guarded, contain};
use crate::schema::{Checkable, Validator, Violation};
use crate::tool::{Access, Call, CallHead, CanonicalValue, Context, Execute, Tool};

/// A tool with the state that it runs on. Of its type it knows functions alone, so that there is one such tool a state.
pub(crate) struct TypedTool<S> {
    state: Arc<S>,
    stages: Stages,
    execute: Run<S>,
}

type Run<S> = fn(&Arc<S>, Arc<Definition>, Call) -> BoxFuture<'static, Executed>;

type WriteMeta = fn(&Call, &CanonicalValue) -> Result<JsonText, LossyValue>;

/// What the type of a tool makes of each stage.
#[derive(Clone, Copy)]
struct Stages {
    type_id: TypeId,
    decode: fn(&CheckedArguments<'_>, &mut CallHead) -> Result<Call, Violation>,
    accept_json: fn(&JsonValue, &Validator) -> Result<CanonicalValue, Refused>,
    accept_typed: fn(TypedValue, &Validator) -> Result<CanonicalValue, Refused>,
    render: fn(&Call, &CanonicalValue) -> Content,
    presents: Option<Presents>,
    resources: Option<fn(&Call) -> Vec<Access>>,
}

/// What it makes of a call and its result for a user interface.
#[derive(Clone, Copy)]
struct Presents {
    meta: WriteMeta,
    version: u32,
    call_view: fn(&Call) -> Option<CallView>,
    pending_view: fn(&Partial<'_>) -> Option<CallView>,
    result_view: fn(&Call, &DurableResult<'_>) -> Option<ResultView>,
}

impl<S: Send + Sync + 'static> TypedTool<S> {
    pub(crate) fn of<T: Execute<S>>(state: Arc<S>) -> Self {
        Self { state, stages: T::STAGES, execute: T::run }
    }
}

impl<S: Send + Sync + 'static> ErasedTool for TypedTool<S> {
    fn type_id(&self) -> Option<TypeId> {
        Some(self.stages.type_id)
    }

    fn decode(&self, arguments: &CheckedArguments<'_>, head: &mut CallHead) -> Result<Call, Violation> {
        (self.stages.decode)(arguments, head)
    }

    fn claims(&self) -> bool {
        self.stages.resources.is_some()
    }

    fn resources(&self, call: &Call) -> Vec<Access> {
        self.stages.resources.map(|resources| resources(call)).unwrap_or_default()
    }

    fn execute(&self, definition: Arc<Definition>, call: Call) -> BoxFuture<'static, Executed> {
        (self.execute)(&self.state, definition, call)
    }

    fn accept_json(&self, value: &JsonValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        (self.stages.accept_json)(value, output)
    }

    fn accept_typed(&self, value: TypedValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        (self.stages.accept_typed)(value, output)
    }

    fn render(&self, call: &Call, value: &CanonicalValue) -> Content {
        (self.stages.render)(call, value)
    }

    fn presents(&self) -> bool {
        self.stages.presents.is_some()
    }

    fn meta(&self, call: &Call, value: &CanonicalValue) -> Option<Result<JsonValue, String>> {
        Some(meta((self.stages.presents?.meta)(call, value)))
    }

    fn meta_version(&self) -> u32 {
        self.stages.presents.map_or(1, |presents| presents.version)
    }

    fn call_view(&self, call: &Call) -> Option<CallView> {
        (self.stages.presents?.call_view)(call)
    }

    fn pending_view(&self, partial: &Partial<'_>) -> Option<CallView> {
        (self.stages.presents?.pending_view)(partial)
    }

    fn result_view(&self, call: &Call, result: &DurableResult<'_>) -> Option<ResultView> {
        (self.stages.presents?.result_view)(call, result)
    }
}

/// The stages of a tool, as methods of its own type: the compiler keeps them with the module of that type, so that a change
/// to one tool makes the code of no other anew. There are few calls of small functions in them, and neither `?` nor closures
/// on what the type decides, for in a build without optimisation each is a function of its own for each tool.
trait Staged: Tool {
    const STAGES: Stages = Stages {
        type_id: TypeId::of::<Self>(),
        decode: Self::decode_call,
        accept_json: Self::accept_json,
        accept_typed: Self::accept_typed,
        render: Self::render_value,
        presents: match Self::PRESENTATION {
            Some(presentation) => Some(Presents {
                meta: Self::write_meta,
                version: presentation.version,
                call_view: Self::view_call,
                pending_view: presentation.pending_view,
                result_view: Self::view_result,
            }),
            None => None,
        },
        resources: match Self::CLAIM {
            Some(_) => Some(Self::name_resources),
            None => None,
        },
    };

    fn decode_call(arguments: &CheckedArguments<'_>, head: &mut CallHead) -> Result<Call, Violation> {
        let mut read = Read { decode: Self::INPUT.decode, value: None };
        decode_arguments(arguments, &mut read)?;
        match read.value {
            Some(typed) => Ok(Call::new(mem::take(head), typed)),
            None => not_kept(),
        }
    }

    fn accept(value: Guarded<Self::Output>, output: &Validator) -> Result<CanonicalValue, Refused> {
        let text = written(&*value, output)?;
        Ok(CanonicalValue::new(text, value, output.secrets()))
    }

    fn accept_json(value: &JsonValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        let mut read = Read { decode: Self::read_output, value: None };
        decode_value(value, output, &mut read)?;
        let Some(typed) = read.value else { not_kept() };
        let accepted = Self::accept(Guarded::new(typed), output)?;
        stays(value, &accepted)?;
        Ok(accepted)
    }

    fn read_output(decoder: Decoder<'_>) -> Result<Self::Output, DecodeError> {
        Self::Output::deserialize(decoder)
    }

    fn accept_typed(value: TypedValue, output: &Validator) -> Result<CanonicalValue, Refused> {
        match value.into_inner().downcast::<Self::Output>() {
            Ok(value) => Self::accept(Guarded::new(*value), output),
            Err(_) => Err(of_another_type()),
        }
    }

    fn render_value(call: &Call, value: &CanonicalValue) -> Content {
        (Self::PROJECTION.render)(Self::arguments(call), Self::value(value))
    }

    fn write_meta(call: &Call, value: &CanonicalValue) -> Result<JsonText, LossyValue> {
        match Self::PRESENTATION {
            Some(presentation) => (presentation.meta)(Self::arguments(call), Self::value(value)),
            None => not_its_own(),
        }
    }

    fn view_call(call: &Call) -> Option<CallView> {
        match Self::PRESENTATION {
            Some(presentation) => (presentation.call_view)(Self::arguments(call)),
            None => not_its_own(),
        }
    }

    fn view_result(call: &Call, result: &DurableResult<'_>) -> Option<ResultView> {
        match Self::PRESENTATION {
            Some(presentation) => (presentation.result_view)(Self::arguments(call), result),
            None => not_its_own(),
        }
    }

    fn name_resources(call: &Call) -> Vec<Access> {
        match Self::CLAIM {
            Some(claim) => (claim.resources)(Self::arguments(call)),
            None => not_its_own(),
        }
    }

    fn arguments(call: &Call) -> &Self {
        match call.arguments() {
            Some(arguments) => arguments,
            None => not_its_own(),
        }
    }

    fn value(value: &CanonicalValue) -> &Self::Output {
        match value.downcast_ref() {
            Some(value) => value,
            None => not_its_own(),
        }
    }
}

impl<T: Tool> Staged for T {}

/// The body, which is the one stage that hangs on the state too.
trait Running<S: Send + Sync + 'static>: Execute<S> {
    fn run(state: &Arc<S>, definition: Arc<Definition>, call: Call) -> BoxFuture<'static, Executed> {
        let context = Context::new(Arc::clone(state), call);
        Box::pin(async move {
            match Self::arguments(context.parent()).execute(&context).await {
                Ok(value) => executed(Self::accept(Guarded::new(value), &definition.output)),
                Err(error) => Executed::Failed(error),
            }
        })
    }
}

impl<S: Send + Sync + 'static, T: Execute<S>> Running<S> for T {}

/// Decodes, and keeps what it got.
trait Reads {
    fn read(&mut self, decoder: Decoder<'_>) -> Result<(), DecodeError>;
}

struct Read<T> {
    decode: fn(Decoder<'_>) -> Result<T, DecodeError>,
    value: Option<T>,
}

impl<T> Reads for Read<T> {
    fn read(&mut self, decoder: Decoder<'_>) -> Result<(), DecodeError> {
        match (self.decode)(decoder) {
            Ok(value) => {
                self.value = Some(value);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

#[cold]
fn not_kept() -> ! {
    unreachable!("what was decoded was kept")
}

#[cold]
fn not_its_own() -> ! {
    unreachable!("a tool gets the arguments that it decoded, and the values that it accepted")
}

#[cold]
fn of_another_type() -> Refused {
    vec!["the value is of another type than the tool's output".to_owned()]
}

fn executed(accepted: Result<CanonicalValue, Refused>) -> Executed {
    match accepted {
        Ok(value) => Executed::Accepted(value),
        Err(refused) => Executed::Refused(refused),
    }
}

fn decode_arguments(arguments: &CheckedArguments<'_>, read: &mut dyn Reads) -> Result<(), Violation> {
    let decoded = match arguments {
        CheckedArguments::Text { text, .. } => attempt_text(text, &mut |decoder| read.read(decoder)),
        CheckedArguments::Tree(tree) => attempt(tree, &mut |decoder| read.read(decoder)),
    };
    decoded.map_err(Violation::from)
}

/// Checks a value of the tool's own type while it is written as JSON.
fn written(value: &dyn Checkable, output: &Validator) -> Result<JsonText, Refused> {
    match contain(|| output.accept_any(value)) {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(violations)) => Err(violations.iter().map(ToString::to_string).collect()),
        Err(panic) => Err(vec![format!("writing the value panicked: {panic}")]),
    }
}

fn decode_value(value: &JsonValue, output: &Validator, read: &mut dyn Reads) -> Result<(), Refused> {
    output.check(value).map_err(|violations| violations.iter().map(ToString::to_string).collect::<Refused>())?;
    let mut settled = value.clone();
    output.settle_whole_floats(&mut settled);
    match contain(|| attempt(&settled, &mut |decoder| read.read(decoder))) {
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
