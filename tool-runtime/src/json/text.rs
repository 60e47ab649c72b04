use super::{JsonValue, MAX_DEPTH, ParseLimits, parse, write};
use serde::{Serialize, Serializer};
use std::fmt;

/// The name under which a [`JsonText`] serialises itself, so that [`write`](super::write()) knows it and keeps its order.
pub(super) const TOKEN: &str = "$tool_runtime::JsonText";

/// JSON that was written without loss: compact, valid, in a fixed order.
///
/// Only this crate makes one, from a value that [`write`](super::write()) accepted: same value, same bytes. Two are equal
/// if their texts are.
///
/// ```
/// use tool_runtime::json::write;
///
/// let text = write(&[Some(1.0), None])?;
/// assert_eq!(text.as_str(), "[1.0,null]");
/// assert_eq!(text.to_value(), serde_json::json!([1.0, null]));
/// # Ok::<(), tool_runtime::json::LossyValue>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct JsonText(String);

impl JsonText {
    /// The caller vouches that `text` is valid, compact and within [`MAX_DEPTH`].
    pub(super) fn from_written(mut text: String) -> Self {
        // The buffer itself is kept, as copying a long text costs more; but not one that is mostly empty.
        if text.capacity() / 2 > text.len() {
            text.shrink_to_fit();
        }
        Self(text)
    }

    /// The text of a tree, with the keys of its objects in their order.
    pub(crate) fn of_tree(tree: &JsonValue) -> Self {
        // What was read can be written.
        write(&InOrder(tree)).unwrap_or_else(|_| Self("null".to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The length of the text in bytes. It is never 0: the shortest JSON text is one byte long.
    pub fn len_bytes(&self) -> usize {
        self.0.len()
    }

    /// The text as a tree. This parses and allocates: it costs more than making the text did.
    pub fn to_value(&self) -> JsonValue {
        let limits = ParseLimits { max_bytes: usize::MAX, max_depth: MAX_DEPTH };
        // The text was written by this module, so it parses; there is nothing to report if that were not so.
        parse(&self.0, &limits).unwrap_or_default()
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JsonText({})", self.0)
    }
}

/// Serialises in the order of its keys.
struct InOrder<'a>(&'a JsonValue);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(TOKEN, self.0)
    }
}

/// Serialises as the JSON that it holds, not as a string.
///
/// [`write`](super::write()) keeps the order of its keys, so that a text within a value is the same bytes.
impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(TOKEN, &self.to_value())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{JsonText, write};
    use serde::Serialize;

    #[derive(Serialize)]
    struct Pair {
        z: f64,
        a: u64,
    }

    #[test]
    fn shows_its_text() {
        let text = write("é").unwrap();
        assert_eq!(text.to_string(), "\"é\"");
        assert_eq!(format!("{text:?}"), "JsonText(\"é\")");
        assert_eq!(text.len_bytes(), 4);
    }

    #[test]
    fn serialises_as_the_json_it_holds() {
        let text = write(&Pair { z: -0.0, a: u64::MAX }).unwrap();
        assert_eq!(text.as_str(), r#"{"z":-0.0,"a":18446744073709551615}"#);
        assert_eq!(serde_json::to_string(&text).unwrap(), text.as_str());
        assert_eq!(write(&[&text]).unwrap().as_str(), format!("[{text}]"), "our own writer keeps its order");
    }

    #[test]
    fn a_tree_is_written_in_its_order() {
        let tree = serde_json::json!({"z": {"b": 1, "a": -0.0}, "a": []});
        assert_eq!(JsonText::of_tree(&tree).as_str(), r#"{"z":{"b":1,"a":-0.0},"a":[]}"#);
    }

    #[test]
    fn equality_is_of_texts() {
        assert_eq!(write(&1).unwrap(), write(&1_u8).unwrap());
        assert_ne!(write(&1).unwrap(), write(&1.0).unwrap());
    }
}
