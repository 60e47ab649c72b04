//! Cards by the names of tools: live and on replay alike.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::Registry;
use crate::card::{CallView, DurableResult, GenericCall, Partial, ResultView};
use crate::definition::{CheckedArguments, Definition};
use crate::json::{JsonValue, ParseLimits, parse};
use crate::panics::contain;
use crate::repair::{Repairs, mend, parse_repaired};
use crate::result::ToolResult;
use crate::seam::{ArgumentDecoder, Decoded};
use crate::tool::{Call, CallHead};

/// Draws the cards of calls and of their results, from names and texts alone: what a log keeps is enough.
///
/// It never fails. An unknown tool, one that presents nothing, arguments or meta that are none of the tool's, a
/// presentation that panics: these have the generic card, with the tool's title or else its name, and the arguments as they
/// are. A clone is cheap. The tools are those that there were when it was made. Cards show no secret: where arguments hold
/// one, they are drawn from what the log keeps of them, and while such arguments stream in, from the title alone.
///
/// ```
/// use tool_runtime::prelude::*;
/// use tool_runtime::present::{CallView, DurableResult};
///
/// let registry = Registry::new();
/// let cards = registry.cards();
/// let CallView::Generic(card) = cards.call("unknown", r#"{"a": 1}"#) else { unreachable!() };
/// assert_eq!(card.title(), "unknown");
/// assert_eq!(card.raw_input(), Some(&tool_runtime::serde_json::json!({"a": 1})));
/// ```
#[derive(Clone)]
pub struct Cards {
    tools: Registry,
    reading: Reading,
}

/// How arguments are read, so that those which a dispatcher took are taken here too.
#[derive(Clone)]
pub(crate) struct Reading {
    pub(crate) limits: ParseLimits,
    pub(crate) repairs: Repairs,
    pub(crate) dialect: Option<Arc<dyn ArgumentDecoder>>,
}

impl Registry {
    /// What draws the cards of these tools, from arguments in their own form. [`Dispatcher::cards`] reads arguments as its
    /// dispatcher does.
    ///
    /// [`Dispatcher::cards`]: crate::Dispatcher::cards
    pub fn cards(&self) -> Cards {
        let reading = Reading { limits: ParseLimits::default(), repairs: Repairs::none(), dialect: None };
        self.cards_with(reading)
    }

    pub(crate) fn cards_with(&self, reading: Reading) -> Cards {
        Cards { tools: self.clone(), reading }
    }
}

impl Cards {
    /// The card of a call, from the tool's name and the arguments' text.
    pub fn call(&self, name: &str, arguments: &str) -> CallView {
        let definition = self.definition(name);
        let arguments = &*self.shown(definition, arguments);
        let own = definition.and_then(|definition| {
            drawn(name, || {
                let call = self.reading.call(definition, arguments)?;
                definition.tool.call_view(&call)
            })
        });
        own.unwrap_or_else(|| generic(title(name, definition), arguments, &self.reading.limits))
    }

    /// The card of a call whose arguments still stream in, from what has come of their text. Once all of it has, it is the
    /// card of the call.
    pub fn pending(&self, name: &str, partial_arguments: &str) -> CallView {
        let ends = partial_arguments.trim_ascii_end().ends_with('}');
        if ends && parse(partial_arguments, &self.reading.limits).is_ok() {
            return self.call(name, partial_arguments);
        }
        let definition = self.definition(name);
        if definition.map_or(self.tools.has_secrets(), |definition| definition.input.secrets().is_some()) {
            // Nobody knows yet what is a secret in it.
            return GenericCall::new(title(name, definition)).into();
        }
        let partial = Partial::of(partial_arguments);
        let own = definition.and_then(|definition| drawn(name, || definition.tool.pending_view(&partial)));
        own.unwrap_or_else(|| {
            let card = GenericCall::new(title(name, definition));
            let text = partial.as_str();
            if text.is_empty() { card } else { card.with_raw_input(text) }.into()
        })
    }

    /// The card of a result, from the tool's name, the arguments' text and what the log keeps of the result.
    pub fn result(&self, name: &str, arguments: &str, result: &DurableResult<'_>) -> ResultView {
        let definition = self.definition(name);
        let arguments = &*self.shown(definition, arguments);
        let own = definition.and_then(|definition| {
            drawn(name, || {
                let call = self.reading.call(definition, arguments)?;
                definition.tool.result_view(&call, result)
            })
        });
        own.unwrap_or_else(ResultView::fallback)
    }

    /// The card of a result that has just come, from the arguments' text of its call: the same that will replay.
    pub fn live(&self, arguments: &str, result: &ToolResult) -> ResultView {
        self.result(result.tool_name(), arguments, &result.durable())
    }

    /// The arguments as a log keeps them, so that a card is the same live and on replay: without their secrets.
    fn shown<'a>(&self, definition: Option<&Definition>, arguments: &'a str) -> Cow<'a, str> {
        match definition {
            Some(definition) => definition.logged_arguments(arguments),
            None => self.tools.logged_arguments("", arguments),
        }
    }

    fn definition(&self, name: &str) -> Option<&Definition> {
        let own = self.tools.definition(name).or_else(|| {
            let dialect = self.reading.dialect.as_deref()?;
            let own = contain(|| dialect.tool_name(name).to_owned()).ok()?;
            self.tools.definition(&own)
        });
        own.map(|definition| &**definition)
    }
}

impl Reading {
    /// The call with its typed arguments, if they are such as the pipeline takes.
    fn call(&self, definition: &Definition, arguments: &str) -> Option<Call> {
        let when = self.dialect.as_deref().and_then(|dialect| dialect.changes(&definition.name));
        if when != Some(Decoded::Always)
            && let Some(call) = self.own_text(definition, arguments)
        {
            return Some(call);
        }
        let sent = self.parsed(arguments)?;
        let spoken = self.dialect.as_deref().filter(|_| when.is_some());
        let decoded = spoken.and_then(|dialect| dialect.decode(&definition.name, &sent).ok());
        // What a program called with is in the tool's own form, whatever the model speaks.
        decoded.and_then(|json| self.own_tree(definition, json)).or_else(|| self.own_tree(definition, sent))
    }

    fn own_text(&self, definition: &Definition, arguments: &str) -> Option<Call> {
        let holds = definition.input.holds_in(arguments, &self.limits);
        holds.then(|| typed(definition, &CheckedArguments::text(arguments.into()))).flatten()
    }

    fn own_tree(&self, definition: &Definition, mut json: JsonValue) -> Option<Call> {
        definition.input.resolve_aliases(&mut json);
        if definition.input.check(&json).is_err()
            && mend(&mut json, &definition.input, self.repairs, &self.limits).is_empty()
        {
            return None;
        }
        definition.input.settle_whole_floats(&mut json);
        typed(definition, &CheckedArguments::Tree(Arc::new(json)))
    }

    fn parsed(&self, arguments: &str) -> Option<JsonValue> {
        let empty = || JsonValue::Object(serde_json::Map::new());
        if arguments.trim_ascii().is_empty() {
            return Some(empty());
        }
        let json = parse_repaired(arguments, &self.limits, self.repairs, &mut Vec::new()).ok()?;
        Some(if json.is_null() { empty() } else { json })
    }
}

fn typed(definition: &Definition, arguments: &CheckedArguments<'_>) -> Option<Call> {
    definition.tool.decode(arguments, &mut CallHead::default()).ok()
}

/// What an author's code draws, which may panic.
fn drawn<V>(name: &str, draw: impl FnOnce() -> Option<V>) -> Option<V> {
    contain(draw).unwrap_or_else(|panic| {
        tracing::warn!(tool = name, panic, "drawing a card panicked; it gets the generic one");
        None
    })
}

/// The name that a person reads.
fn title<'a>(name: &'a str, definition: Option<&'a Definition>) -> &'a str {
    definition.map_or(name, |definition| definition.spec.title.as_deref().unwrap_or(&definition.name))
}

/// The card that any call has: the arguments as JSON, or as the text that they are. Of a text that is longer than arguments
/// may be, the start.
fn generic(title: &str, arguments: &str, limits: &ParseLimits) -> CallView {
    if arguments.trim_ascii().is_empty() {
        return GenericCall::new(title).into();
    }
    let text = || JsonValue::from(&arguments[..arguments.floor_char_boundary(limits.max_bytes)]);
    CallView::fallback(title, parse(arguments, limits).unwrap_or_else(|_| text()))
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cards").field(&self.tools).finish()
    }
}
