//! What is too large for a model is kept in a store, and a preview takes its place.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::bound::{Bounds, bound_error, is_told};
use super::call::Caller;
use super::host_code::{NoAnswer, answer};
use super::nested::dispatcher_of;
use super::schedule::Turn;
use super::{Dispatch, Dispatcher, Limits, TextProfile, ToolLimits};
use crate::content::{Content, CutTo, stored_at};
use crate::definition::BoxFuture;
use crate::panics::contain;
use crate::result::{Decision, ToolResult, Verdict};
use crate::seam::{ErasedSpillStore, ErasedSpillWriter, SpillError, SpillSource, SpillStore, Spilled};
use crate::tool::Context;

/// Where a dispatcher keeps what is too large, and which tools have limits of their own.
#[derive(Clone, Default)]
pub(super) struct Spills {
    store: Option<Store>,
    tools: BTreeMap<String, ToolLimits>,
}

#[derive(Clone)]
struct Store {
    store: Arc<dyn ErasedSpillStore>,
    session: Arc<str>,
}

impl Dispatcher {
    /// The same dispatcher, which keeps the whole text of an oversized result in this store, in the name of this session, and
    /// gives the model a preview of [`Limits::spill_bytes`]: both ends of the text, the exact count of what is missing, and
    /// where the whole is. It takes the place of an earlier one.
    ///
    /// It comes after all policies, so what is kept is what they left. Results for programs stay whole; what a policy
    /// withheld, and results of tools that [page](ToolLimits::pages), are never kept.
    #[must_use]
    pub fn spill(mut self, store: impl SpillStore, session: impl Into<String>) -> Self {
        let session: String = session.into();
        self.spills_mut().store = Some(Store { store: Arc::new(store), session: session.into() });
        self
    }

    /// The same dispatcher with limits of its own for the tool of this name.
    #[must_use]
    pub fn limits_for(mut self, tool: impl Into<String>, limits: ToolLimits) -> Self {
        self.spills_mut().tools.insert(tool.into(), limits);
        self
    }

    fn spills_mut(&mut self) -> &mut Spills {
        Arc::make_mut(self.parts().spills.get_or_insert_default())
    }

    /// What the result of a call may take. Its extra contexts have up to half of its share of a batch, and its content the rest.
    pub(super) fn bounds_of(&self, dispatch: &Dispatch<'_>, result: &ToolResult, turn: Option<&Turn>) -> Bounds {
        let own = self.0.spills.as_ref().and_then(|spills| spills.tools.get(dispatch.tool_name()));
        let limit = own.map_or(self.0.limits.content_bytes, |own| own.content_limit(&self.0.limits));
        // What programs read of their calls takes nothing of a model's attention.
        let share = turn.filter(|_| dispatch.by == Caller::Model).map_or(usize::MAX, Turn::share);
        let contexts: usize = result.contexts().iter().map(Content::size).sum();
        Bounds { content: limit.min(share - contexts.min(share / 2)), share }
    }

    /// How much of the text of this result stays inline, if there is a store for the rest and the rest is to go there.
    fn to_spill(&self, dispatch: &Dispatch<'_>, result: &ToolResult, turn: Option<&Turn>) -> Option<CutTo> {
        let spills = self.0.spills.as_ref().filter(|spills| spills.store.is_some())?;
        if result.course().is_for_program() || result.fatal().is_some() || is_withheld(result) {
            return None;
        }
        let limits = &self.0.limits;
        let inline = match spills.tools.get(dispatch.tool_name()) {
            Some(own) => own.spill_limit(limits)?,
            None => limits.spill_bytes,
        };
        let all = self.bounds_of(dispatch, result, turn).content;
        let to = CutTo { text: inline.min(all), all };
        (result.content().text_size() > to.text || has_long_error(result, limits, self.0.profile)).then_some(to)
    }

    /// Whether the result is to be spilled. A caller that has cancelled waits for nothing.
    pub(super) fn spills(&self, dispatch: &Dispatch<'_>, result: &ToolResult, turn: Option<&Turn>) -> bool {
        !dispatch.options.cancellation.is_cancelled() && self.to_spill(dispatch, result, turn).is_some()
    }

    /// Keeps the whole text, and puts a preview in its place; `false`, and the result as it was, if it can't.
    pub(super) async fn spilled(
        &self,
        dispatch: &Dispatch<'_>,
        mut result: ToolResult,
        turn: Option<&Turn>,
    ) -> (ToolResult, bool) {
        let store = self.0.spills.as_ref().and_then(|spills| spills.store.as_ref());
        let (Some(store), Some(to)) = (store, self.to_spill(dispatch, &result, turn)) else { return (result, true) };
        let why = match self.saved(store, dispatch, &result).await {
            Ok(spilled) if self.preview(&mut result, &spilled, to) => return (result, true),
            Ok(_) => "the notice of where it is has no room".to_owned(),
            Err(why) => why,
        };
        let name = contain(|| store.store.name().to_owned()).unwrap_or_default();
        tracing::warn!(store = name, why, "an oversized result was not spilled; it stays inline");
        result.trace_mut().warn(format!("the content was not kept by {name:?}: {why}"));
        (result, false)
    }

    /// Where its whole text is kept now, or why it is not, in words for the host.
    async fn saved(&self, store: &Store, dispatch: &Dispatch<'_>, result: &ToolResult) -> Result<Spilled, String> {
        let text = result.content().text_of_blocks();
        let name = format!("{}.txt", result.tool_name());
        let source = SpillSource::new(&store.session, result.tool_name(), result.call_id(), &name);
        let time = dispatch.patience(self.0.limits.spill_time);
        let saving = answer(|| store.store.save(&source, &text), time, Some(&dispatch.options.cancellation)).await;
        saving.map_err(|none| match none {
            NoAnswer::Failed(why) => why,
            NoAnswer::TimeUp => format!("it took longer than {}ms", time.as_millis()),
            NoAnswer::Cancelled => "the caller cancelled".to_owned(),
        })
    }

    /// Puts a preview of what was kept in its place; `false`, if it has no room.
    fn preview(&self, result: &mut ToolResult, spilled: &Spilled, to: CutTo) -> bool {
        let (locator, hint) = (spilled.locator(), spilled.hint());
        let (limits, profile) = (&self.0.limits, self.0.profile);
        let size = result.content().text_size();
        if has_long_error(result, limits, profile)
            && let ToolResult::Failure(failure) = result
        {
            let notice = stored_at(locator, hint);
            if notice.len() + limits.error_bytes > to.text {
                return false;
            }
            bound_error(failure, limits.error_bytes, profile);
            failure.content = std::mem::take(&mut failure.content).with_notice(notice);
        } else {
            let cut = result.content().cut(to, |left_out| left_out.told_with(locator, hint));
            if !cut.is_told {
                return false;
            }
            *result.content_mut() = cut.content;
        }
        result.trace_mut().warn(format!("the content had {size} bytes and was spilled to {locator}"));
        true
    }
}

/// Whether a policy keeps the result from the model, or was to.
fn is_withheld(result: &ToolResult) -> bool {
    let withheld = |decision: &Decision| matches!(decision.verdict(), Verdict::Blocked | Verdict::Failed);
    result.trace().decisions().iter().any(withheld)
}

/// Whether the model reads an error whose sentence is too long.
fn has_long_error(result: &ToolResult, limits: &Limits, profile: TextProfile) -> bool {
    result
        .failure()
        .is_some_and(|failure| failure.error.message().len() > limits.error_bytes && is_told(failure, profile))
}

impl<S> Context<S> {
    /// Begins to keep a stream in the dispatcher's [spill store](crate::Dispatcher::spill), for what is too large to be held:
    /// the bytes are written as they come, and [`finish`](SpillFile::finish) says where they are, which belongs in the value.
    /// `name` is how a person would name it, `stdout.txt` say.
    ///
    /// What is written has not gone through any policy, which sees the value alone.
    ///
    /// # Errors
    /// [`SpillError::NoStore`], if the dispatcher has none; [`SpillError::HoldsSecrets`], if the arguments of the call are
    /// secret in part, since a stream is not searched for them; otherwise what is wrong with the store.
    pub fn open_spill<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<SpillFile, SpillError>> {
        let call = self.parent();
        Box::pin(async move {
            if call.scrub().is_some() {
                return Err(SpillError::HoldsSecrets);
            }
            let dispatcher = dispatcher_of(call).ok_or(SpillError::NoStore)?;
            let store = dispatcher.0.spills.as_ref().and_then(|spills| spills.store.as_ref());
            let Store { store, session } = store.ok_or(SpillError::NoStore)?;
            let source = SpillSource::new(session, call.tool_name(), call.id(), name);
            store.open(&source).await.map(SpillFile)
        })
    }
}

/// A stream on its way into a spill store. One that is dropped before it is finished leaves nothing behind.
pub struct SpillFile(Box<dyn ErasedSpillWriter>);

impl SpillFile {
    /// Writes the next bytes.
    ///
    /// # Errors
    /// If they can't be kept. What is written after that is not kept either.
    pub async fn write(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), SpillError> {
        self.0.write(bytes.as_ref()).await
    }

    /// Ends the stream, and says where it is.
    ///
    /// # Errors
    /// If it can't be kept; nothing is then left of it.
    pub async fn finish(self) -> Result<Spilled, SpillError> {
        self.0.finish().await
    }
}

impl fmt::Debug for SpillFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpillFile")
    }
}

impl fmt::Debug for Spills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store = self.store.as_ref().map(|store| contain(|| store.store.name().to_owned()).unwrap_or_default());
        f.debug_struct("Spills").field("store", &store).field("tools", &self.tools).finish()
    }
}

/// What a model reads of a result, its extra contexts included.
pub(super) fn read_bytes(result: &ToolResult) -> usize {
    result.content().size() + result.contexts().iter().map(Content::size).sum::<usize>()
}
