//! The cards: what a user interface draws of a call and of its result, and what they are drawn from.
//!
//! A card that breaks a rule does not exist: what has rules is made by a constructor that checks them, and a card that is
//! read from JSON goes through the same checks. This module knows no tool, so that the tools may know it.

mod call;
mod diff;
mod durable;
mod invalid;
mod partial;
mod read;
mod result;
mod search;
mod web;

pub use call::{CallView, GenericCall, Location, TerminalCall, ToolKind};
pub use diff::{DiffCall, DiffHunk, DiffResult};
pub use durable::{Durable, DurableResult, MetaCard, Older};
pub use invalid::InvalidCard;
pub use partial::Partial;
pub use read::{NumberedLine, ReadResult};
pub use result::{Exit, GenericResult, ResultView, TerminalResult};
pub use search::{FileMatches, LineMatch, SearchMatches, SearchPaths, SearchResult};
pub use web::{WebFetch, WebResult, WebSearch, WebSource};
