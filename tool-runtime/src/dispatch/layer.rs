//! Layers around the body: what a [`tower_layer::Layer`] gets, and what it gives back.

mod request;
mod response;
mod service;
mod stack;

pub use request::ToolRequest;
pub(super) use response::Outcome;
pub use response::{BoxError, Rejected, ToolResponse};
pub use service::{ToolFuture, ToolService};
pub(super) use stack::{Stack, shared};
