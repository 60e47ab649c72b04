//! Hide: nothing that is shown of a call holds a secret of it.
//!
//! A schema knows the places of secrets in arguments and values; there a mark takes their place whatever they are. In texts
//! that somebody wrote (content, errors, meta, progress) a secret is found if it is at least four characters long.

use std::borrow::Cow;
use std::sync::Arc;

use super::call::{Caller, Incoming};
use super::{Dispatch, Dispatcher, TextProfile};
use crate::content::{Block, Content};
use crate::definition::{CanonicalInput, Definition, is_nothing, masked_whole};
use crate::json::{JsonText, JsonValue};
use crate::result::{Failure, Success, ToolResult};
use crate::schema::Hides;
use crate::secret::Scrub;
use crate::tool::Call;

/// Puts marks in the place of secrets, in all of a result but its value. Done twice it changes nothing.
pub(super) fn hide(result: &mut ToolResult, definition: Option<&Arc<Definition>>, profile: TextProfile) {
    let scrub = result.call().scrub();
    if scrub.is_none() && !definition.is_some_and(|definition| definition.has_secrets()) {
        return;
    }
    let scrub = scrub.as_deref();
    result.trace_mut().scrub(definition.and_then(|definition| definition.input.secrets()), scrub);
    let Some(scrub) = scrub else { return };
    for context in result.contexts_mut() {
        scrub.content(context);
    }
    match result {
        ToolResult::Success(success) => hide_success(success, scrub),
        ToolResult::Failure(failure) => hide_failure(failure, scrub, profile),
    }
}

fn hide_success(success: &mut Success, scrub: &Scrub) {
    scrub.content(&mut success.content);
    if let Some(meta) = &mut success.meta {
        scrub.json(&mut meta.meta);
    }
    let mut tree = success.value.shown().to_value();
    scrub.json(&mut tree);
    let scrubbed = JsonText::of_tree(&tree);
    if scrubbed != *success.value.shown() {
        success.value.show(scrubbed);
    }
}

fn hide_failure(failure: &mut Failure, scrub: &Scrub, profile: TextProfile) {
    let told = profile.content(&failure.error) == failure.content;
    failure.error.scrub(scrub);
    if told {
        failure.content = profile.content(&failure.error);
    }
    scrub.content(&mut failure.content);
    if let Some(meta) = &mut failure.meta {
        scrub.json(&mut meta.meta);
    }
}

impl Dispatcher {
    /// The arguments of a call of this tool, as they were sent, with `[secret]` in the place of what its schema marks as a
    /// secret, or does not declare: for who logs calls before they are dispatched. Without secrets they are the same bytes.
    ///
    /// [`Registry::logged_arguments`](crate::Registry::logged_arguments) says what it promises. The name is the one that the
    /// model calls, in its [dialect](Self::dialect).
    pub fn logged_arguments<'a>(&self, name: &str, sent: &'a str) -> Cow<'a, str> {
        match self.registered().definition(self.own_name(name, Caller::Model)) {
            Some(definition) => definition.logged_arguments(sent),
            None => self.registry().logged_arguments(name, sent),
        }
    }

    /// What a call of this tool is about, from its arguments as they were sent in the tool's own form:
    /// [`Registry::canonical_input`](crate::Registry::canonical_input) of what is visible here.
    pub fn canonical_input(&self, name: &str, sent: &str) -> Option<CanonicalInput> {
        self.registered().definition(self.own_name(name, Caller::Model))?.canonical_input_of(sent)
    }

    /// The arguments of a call for its span, and for a note of it.
    pub(super) fn logged<'a>(
        &self,
        call: &Incoming<'_>,
        definition: Option<&Definition>,
        sent: &'a str,
    ) -> Cow<'a, str> {
        let masked = match definition {
            Some(definition) => definition.logged_arguments(sent),
            None if self.registry().has_secrets() && !is_nothing(sent) => Cow::Owned(masked_whole()),
            None => Cow::Borrowed(sent),
        };
        match call.parent.as_ref().and_then(|parent| parent.scrub()) {
            Some(scrub) => Cow::Owned(scrub.text(&masked).into_owned()),
            None => masked,
        }
    }
}

impl Dispatch<'_> {
    /// Remembers the secrets in arguments, wherever they came from.
    pub(super) fn learn_arguments(&mut self, definition: &Definition, arguments: &JsonValue, hides: Hides) {
        let Some(secrets) = definition.input.secrets() else { return };
        self.learn(secrets.texts(arguments, hides));
    }

    fn learn(&mut self, texts: Vec<String>) {
        let Some(secrets) = Scrub::of(texts) else { return };
        if let Some(call) = &self.call {
            call.learn(&secrets);
        } else {
            let known = self.head.scrub.as_ref();
            self.head.scrub = Some(Arc::new(known.map_or_else(|| secrets.clone(), |known| known.and(&secrets))));
        }
    }

    /// Words of a host's code, for a log.
    pub(super) fn scrubbed<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let scrub = self.call.as_ref().map_or_else(|| self.head.scrub.clone(), Call::scrub);
        match scrub {
            Some(scrub) => Cow::Owned(scrub.text(text).into_owned()),
            None => Cow::Borrowed(text),
        }
    }
}

/// Remembers the secrets in a value.
pub(super) fn learn_value(definition: &Definition, call: &Call, value: &JsonValue, hides: Hides) {
    let texts = definition.output.secrets().map(|secrets| secrets.texts(value, hides)).unwrap_or_default();
    if let Some(secrets) = Scrub::of(texts) {
        call.learn(&secrets);
    }
}

/// A value that a projection shows as it is written is shown without its secrets.
pub(super) fn without_written(content: Content, written: &JsonText, shown: &JsonText) -> Content {
    let is_written = |block: &Block| matches!(block, Block::Text(text) if text.text == written.as_str());
    if written == shown || !content.blocks().iter().any(is_written) {
        return content;
    }
    let notice = content.notice().map(str::to_owned);
    let blocks = content
        .blocks()
        .iter()
        .map(|block| if is_written(block) { Block::text(shown.as_str()) } else { block.clone() });
    let content: Content = blocks.collect();
    match notice {
        Some(notice) => content.with_notice(notice),
        None => content,
    }
}
