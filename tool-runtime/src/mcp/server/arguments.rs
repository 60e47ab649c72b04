//! The arguments of a call, as they were sent.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{Extensions, JsonObject};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The text of a call's arguments. rmcp reads them as a tree, in which a key that stands twice is one, and an integer of more
/// than 64 bits a float; what the dispatcher judges is what was sent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RawArguments(Arc<str>);

impl RawArguments {
    /// Those of a message, if it is a call that has any.
    pub(super) fn of(message: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Message<'a> {
            #[serde(borrow)]
            method: Cow<'a, str>,
            #[serde(borrow)]
            params: Params<'a>,
        }
        #[derive(Deserialize)]
        struct Params<'a> {
            #[serde(borrow)]
            arguments: &'a RawValue,
        }
        let message: Message<'_> = serde_json::from_slice(message).ok()?;
        (message.method == "tools/call").then(|| Self(message.params.arguments.get().into()))
    }

    /// Those of a request: as text if its transport kept it, or else as rmcp read them.
    pub(super) fn within<'a>(extensions: &'a Extensions, read: Option<&JsonObject>) -> Option<Cow<'a, str>> {
        match Self::kept(extensions) {
            Some(raw) => Some(Cow::Borrowed(&raw.0)),
            None => read.map(|read| Cow::Owned(serde_json::to_string(read).unwrap_or_default())),
        }
    }

    fn kept(extensions: &Extensions) -> Option<&Self> {
        #[cfg(feature = "mcp-http")]
        if let Some(parts) = extensions.get::<http::request::Parts>() {
            return parts.extensions.get();
        }
        extensions.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(message: &str) -> Option<String> {
        RawArguments::of(message.as_bytes()).map(|raw| raw.0.to_string())
    }

    #[test]
    fn arguments_are_what_was_sent_to_the_last_byte() {
        let message = r#"{"id":1,"method":"tools\/call","params":{"name":"x","arguments": {"a":1, "a":18446744073709551616}},"jsonrpc":"2.0"}"#;
        assert_eq!(of(message).as_deref(), Some(r#"{"a":1, "a":18446744073709551616}"#));
        assert_eq!(of(r#"{"method":"tools/call","params":{"arguments":[1]}}"#).as_deref(), Some("[1]"));
    }

    #[test]
    fn other_messages_have_none() {
        assert_eq!(of(r#"{"method":"prompts/get","params":{"arguments":{}}}"#), None);
        assert_eq!(of(r#"{"method":"tools/call","params":{"name":"x"}}"#), None);
        assert_eq!(of("{"), None);
    }
}
