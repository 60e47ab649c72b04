//! What happened in a session, kept so that it outlives the process: the log, its replay and its repair.
//!
//! A [`Session`] appends events to a [`SessionStore`]: a file, a database or memory. Dispatchers write the calls and their
//! results themselves, once they are given the session's [journal](Session::journal); the host writes turns, steps and messages.
//! [`replay`] makes of a log what the model had read and a person had seen, byte for byte. [`Session::resume`] closes what a crash
//! had left open: each call without a result gets one, and no body is run again.
//!
//! ```
//! use tool_runtime::prelude::*;
//! use tool_runtime::session::{AssistantMessage, EndReason, MemoryStore, RequestedCall, Session, replay};
//!
//! # /// Add two integers.
//! # #[derive(Tool)] #[tool(output = i64, render = display)] struct Add { a: i64, b: i64 }
//! # impl Execute for Add {
//! #     async fn execute(&self, _: &Context) -> Result<i64, ToolError> { Ok(self.a + self.b) }
//! # }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dispatcher = Dispatcher::new(toolset! { () => [Add] }?);
//! let session = Session::create(MemoryStore::new()).await?;
//! session.start_turn().await?;
//! session.user("What is 1 + 2?").await?;
//! session.start_step().await?;
//! let calls = vec![ToolCall::new("call-1", "add", r#"{"a": 1, "b": 2}"#)];
//! let asked = calls.iter().map(|call| RequestedCall::of(call, &dispatcher)).collect();
//! session.assistant(AssistantMessage::new(Content::empty(), asked)).await?;
//!
//! let options = CallOptions { journal: Some(session.journal()), ..CallOptions::default() };
//! let results = dispatcher.batch(calls, options).all().await;
//! session.end_step().await?;
//! session.end_turn(EndReason::completed()).await?;
//!
//! let replayed = replay(&session.log().await?)?;
//! assert_eq!(replayed.messages().len(), 3);
//! assert_eq!(replayed.calls()[0].result().unwrap().content, *results[0].content());
//! # Ok(())
//! # }
//! ```

mod checksum;
mod error;
mod event;
mod frame;
mod handle;
mod journal;
mod log;
mod prune;
mod replay;
mod store;
mod track;
mod wire;
mod writer;

pub use error::{FORMAT_VERSION, LogError, SessionError, StoreError, StoreErrorKind};
pub use event::{
    AssistantMessage, CallRecord, DispatchRecord, DispatchResult, EndReason, ErrorRecord, Event, HostEvent,
    RequestedCall, ResultRecord, SurfaceOp, UnknownEvent, UserMessage,
};
pub use frame::{Damage, DamageKind, MAX_RECORD_BYTES, Record};
pub use handle::{Resumed, Session};
pub use log::{Entry, SessionLog};
pub use prune::{InvalidPruning, Pruning};
pub use replay::{Message, Replay, ReplayedCall, replay};
#[cfg(feature = "sqlite")]
pub use store::SqliteStore;
pub use store::{Durability, FileStore, MemoryStore, SessionStore};

use track::Track;

/// The events that close what a crash left open in a log: nothing for a log that is balanced or empty.
///
/// Only the open turn is closed. Each call that was asked for in it and has no result gets one, in the order of the transcript:
/// `TOOL_OUTCOME_UNKNOWN` if it was recorded, so that its body may have run, and `TOOL_NOT_STARTED` if not. Then the step ends,
/// and the turn, as interrupted. Numbers go on from the log's, and the time is that of its last event.
///
/// [`Session::resume`] appends them. Whoever keeps logs otherwise appends them itself, once.
///
/// # Errors
/// An event of the log is not understood and may not be passed over, so what is open can't be told.
pub fn repairs(log: &SessionLog) -> Result<Vec<Entry>, SessionError> {
    log.understood()?;
    Track::of(log.entries()).repairs()
}
