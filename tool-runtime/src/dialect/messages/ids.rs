//! Calls and their ids: those of the provider, and those that are made up where it has none.

use std::collections::BTreeSet;

use super::UnreadResponse;
use super::place::Place;
use crate::dispatch::ToolCall;
use crate::json::{JsonValue, write};

/// How made-up ids begin. A provider's own never does: such a response is refused.
const MADE_UP: &str = "made-up:";

/// The calls of one response, as they are read.
pub(super) struct Calls<'a> {
    /// What the response is known by, in at most 64 bytes, if anything: so made-up ids of two responses differ.
    response: Option<&'a str>,
    taken: BTreeSet<String>,
    read: Vec<ToolCall<'static>>,
}

impl<'a> Calls<'a> {
    pub(super) fn of(response: Option<&'a str>) -> Self {
        Self { response: response.filter(|response| response.len() <= 64), taken: BTreeSet::new(), read: Vec::new() }
    }

    /// A call that was given an id.
    pub(super) fn push(
        &mut self,
        call: &Place<'_>,
        id: &str,
        name: &str,
        arguments: Option<&Place<'_>>,
    ) -> Result<(), UnreadResponse> {
        if !self.taken.insert(id.to_owned()) {
            return Err(UnreadResponse::Id { at: call.at().clone() });
        }
        let (id, name) = (id.to_owned(), name.to_owned());
        self.read.push(match arguments {
            None => ToolCall::without_arguments(id, name),
            Some(arguments) => ToolCall::new(id, name, text(arguments)?),
        });
        Ok(())
    }

    /// A call of a provider that gives some calls no id.
    pub(super) fn push_perhaps_without_id(
        &mut self,
        call: &Place<'_>,
        id: Option<&str>,
        name: &str,
        arguments: Option<&Place<'_>>,
    ) -> Result<(), UnreadResponse> {
        match id {
            Some(id) if id.starts_with(MADE_UP) => Err(UnreadResponse::Id { at: call.at().clone() }),
            Some(id) => self.push(call, id, name, arguments),
            None => {
                let number = self.read.len() + 1;
                let id = match self.response {
                    Some(response) => format!("{MADE_UP}{response}:{number}"),
                    None => format!("{MADE_UP}{number}"),
                };
                self.push(call, &id, name, arguments)
            }
        }
    }

    pub(super) fn all(self) -> Vec<ToolCall<'static>> {
        self.read
    }
}

/// The id that the provider gave.
pub(super) fn of_provider<'a>(call: &'a ToolCall<'_>) -> Option<&'a str> {
    Some(call.id()).filter(|id| !id.starts_with(MADE_UP))
}

/// Text stays as it is, and any other value becomes its JSON.
fn text(arguments: &Place<'_>) -> Result<String, UnreadResponse> {
    match arguments.value() {
        JsonValue::String(text) => Ok(text.clone()),
        value => match write(value) {
            Ok(json) => Ok(json.as_str().to_owned()),
            Err(why) => Err(UnreadResponse::Arguments { at: arguments.at().clone(), why: why.to_string() }),
        },
    }
}
