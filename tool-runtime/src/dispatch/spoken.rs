//! Arguments in the form of a dialect: decoded, and what is wrong with them told in that form.

use std::borrow::Cow;

use super::Dispatch;
use super::refusal::{invalid_arguments, panicked};
use crate::definition::Definition;
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::panics::contain;
use crate::schema::Violation;
use crate::seam::{ArgumentDecoder, Decoded};

/// Arguments that are decoded before they are checked.
pub(super) struct Spoken<'a> {
    tool: &'a str,
    dialect: &'a dyn ArgumentDecoder,
    when: Decoded,
    /// The arguments as they were sent, once they are decoded.
    sent: JsonValue,
}

impl<'a> Spoken<'a> {
    /// `None` for arguments in the tool's own form.
    pub(super) fn of(definition: &'a Definition, dispatch: &Dispatch<'a>) -> Result<Option<Self>, ToolError> {
        let Some(dialect) = dispatch.dialect else { return Ok(None) };
        let tool = &*definition.name;
        let when = contain(|| dialect.changes(tool)).map_err(|panic| panicked(tool, &panic))?;
        Ok(when.map(|when| Self { tool, dialect, when, sent: JsonValue::Null }))
    }

    /// The text of the arguments in the tool's own form, if one can be had that the tool's schema may accept.
    pub(super) fn own_text<'t>(&self, sent: &'t str) -> Option<Cow<'t, str>> {
        let own = contain(|| self.dialect.decode_text(self.tool, sent)).ok().flatten();
        own.or_else(|| (self.when == Decoded::UnlessAccepted).then_some(Cow::Borrowed(sent)))
    }

    /// The arguments in the tool's own form.
    pub(super) fn decode(&mut self, sent: JsonValue) -> Result<JsonValue, ToolError> {
        let decoded = contain(|| self.dialect.decode(self.tool, &sent)).map_err(|panic| panicked(self.tool, &panic))?;
        self.sent = sent;
        decoded.map_err(|violations| invalid_arguments(violations.iter().map(ToString::to_string)))
    }

    /// A violation, with the place that the model knows.
    pub(super) fn told(&self, violation: &Violation) -> String {
        let own = violation.pointer();
        let place = contain(|| self.dialect.place(self.tool, &self.sent, own)).unwrap_or_else(|_| own.clone());
        violation.moved(&place).to_string()
    }
}
