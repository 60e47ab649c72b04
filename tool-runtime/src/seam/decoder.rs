//! Who turns what a provider sends into the tool's own form.

use std::borrow::Cow;

use crate::json::{JsonValue, Pointer};
use crate::schema::Violation;

/// Reads the calls of a model that was told of the tools in other words than their own.
///
/// What is sent to a model decides how its calls are read, so that one value does both; a dispatcher is given it once, with
/// [`Dispatcher::dialect`](crate::Dispatcher::dialect).
pub trait ArgumentDecoder: Send + Sync + 'static {
    /// The tool's own name for the name that the model calls; a name that it was not told stays as it is.
    fn tool_name<'a>(&'a self, called: &'a str) -> &'a str;

    /// Whether the arguments of a tool are decoded; `None` if they are sent in the tool's own form.
    fn changes(&self, tool: &str) -> Option<Decoded>;

    /// The arguments in the tool's own form. They are checked afterwards.
    ///
    /// # Errors
    /// What is wrong with them in the form in which they were sent, with places in that form.
    fn decode(&self, tool: &str, sent: &JsonValue) -> Result<JsonValue, Vec<Violation>>;

    /// The text of the arguments in the tool's own form, where that is cheaper than a tree: what [`decode`](Self::decode)
    /// gives for what it says, and no JSON for what is none. `None`, as it is unless you write it, leaves it to
    /// [`decode`](Self::decode), which is asked too when the tool's schema refuses the text.
    fn decode_text<'t>(&self, tool: &str, sent: &'t str) -> Option<Cow<'t, str>> {
        let _ = (tool, sent);
        None
    }

    /// Where something stands in what was sent that has this place in the tool's own form, so that the model is told of
    /// what it knows.
    fn place(&self, tool: &str, sent: &JsonValue, own: &Pointer) -> Pointer;
}

/// When arguments are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// Always.
    Always,
    /// Unless the tool's schema accepts them as they were sent, which then mean just that.
    UnlessAccepted,
}
