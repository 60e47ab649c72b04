//! The canonical input of a call: what of its arguments says what it is about, under keys that hang on no toolset.

use std::collections::BTreeMap;

use super::Definition;
use crate::json::{self, JsonValue, ParseLimits};
use crate::schema::Hides;
use crate::secret::Scrub;

/// What is written in more bytes of JSON is no short word on what a call is about.
const MOST_BYTES: usize = 4096;

/// What a call is about, whichever toolset its tool is of: what of its arguments their author chose with
/// `#[tool(canonical)]`, under the keys that the author gave.
///
/// - What was left out or is null is not there. Neither is anything that takes more than 4 KiB of JSON.
/// - A secret is not there, and a text with a secret of the same arguments in it has `[secret]` in its place.
/// - The same arguments give the same bytes: the keys are sorted.
///
/// ```
/// # use tool_runtime::prelude::*;
/// /// Write a file.
/// #[derive(Tool)]
/// #[tool(output = bool, render = json, canonical)]
/// struct Write {
///     #[tool(canonical = "path")]
///     file: String,
///     #[tool(canonical = skip)]
///     content: String,
/// }
/// # impl Execute for Write { async fn execute(&self, _: &Context) -> Result<bool, ToolError> { Ok(true) } }
/// let mut registry = Registry::new();
/// registry.tool::<Write>()?;
/// let input = registry.canonical_input("write", r#"{"file": "a.txt", "content": "A"}"#).unwrap();
/// assert_eq!(input.to_json().to_string(), r#"{"path":"a.txt"}"#);
/// # Ok::<(), RegistrationError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalInput(BTreeMap<String, JsonValue>);

impl CanonicalInput {
    /// What stands under a key.
    pub fn get(&self, key: &str) -> Option<&JsonValue> {
        self.0.get(key)
    }

    /// The keys, sorted, with what stands under them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &JsonValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// As a JSON object.
    pub fn to_json(&self) -> JsonValue {
        JsonValue::Object(self.0.clone().into_iter().collect())
    }

    /// Puts it into metadata under a key that is the host's own, such as `"example.com/tool"`, beside whatever is there. What
    /// stands under the same key stays too, as far as it can: an object keeps each of its entries, and gets those that it
    /// lacks. Says whether it was put there: not if the metadata, or what stands under the key, is something else than an
    /// object or null.
    pub fn merge_into(&self, meta: &mut JsonValue, key: &str) -> bool {
        let Some(entries) = object(meta) else { return false };
        // Looked at before it is made, so that nothing is left where there is no room.
        if entries.get(key).is_some_and(|there| !there.is_object() && !there.is_null()) {
            return false;
        }
        let Some(own) = object(entries.entry(key).or_insert(JsonValue::Null)) else { return false };
        for (key, value) in &self.0 {
            own.entry(key).or_insert_with(|| value.clone());
        }
        true
    }
}

/// The entries of an object; null becomes an empty one.
fn object(value: &mut JsonValue) -> Option<&mut serde_json::Map<String, JsonValue>> {
    if value.is_null() {
        *value = JsonValue::Object(serde_json::Map::new());
    }
    value.as_object_mut()
}

impl Definition {
    /// The canonical input of checked arguments; none of a tool that has not opted in.
    pub(crate) fn canonical_input(&self, arguments: &JsonValue) -> Option<CanonicalInput> {
        let projected = self.input.projected()?;
        let mut arguments = arguments.clone();
        self.input.settle_whole_floats(&mut arguments);
        let (shown, scrub) = match self.input.secrets() {
            Some(secrets) => (
                secrets.masked(&arguments, Hides::Everything).into_owned(),
                Scrub::of(secrets.texts(&arguments, Hides::Everything)),
            ),
            None => (arguments.clone(), None),
        };
        let mut input = BTreeMap::new();
        projected.each(&shown, &mut |key, value| {
            input.insert(key, value.clone());
        });
        // What has a secret in it is no longer what it was.
        projected.each(&arguments, &mut |key, value| {
            let is_short = json::write(value).is_ok_and(|text| text.len_bytes() <= MOST_BYTES);
            if value.is_null() || !is_short || input.get(&key) != Some(value) {
                input.remove(&key);
            }
        });
        if let Some(scrub) = scrub {
            for value in input.values_mut() {
                scrub.json(value);
            }
        }
        Some(CanonicalInput(input))
    }

    /// The canonical input of arguments as a model sends them; none of arguments that the schema refuses.
    pub(crate) fn canonical_input_of(&self, sent: &str) -> Option<CanonicalInput> {
        self.input.projected()?;
        let mut arguments = match sent.trim_ascii() {
            "" | "null" => JsonValue::Object(serde_json::Map::new()),
            sent => json::parse(sent, &ParseLimits::default()).ok()?,
        };
        self.input.resolve_aliases(&mut arguments);
        self.input.check(&arguments).ok()?;
        self.canonical_input(&arguments)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn merged(mut meta: JsonValue) -> (bool, JsonValue) {
        let input = CanonicalInput(BTreeMap::from([("path".to_owned(), json!("a")), ("limit".to_owned(), json!(1))]));
        let put = input.merge_into(&mut meta, "host/tool");
        (put, meta)
    }

    #[test]
    fn merging_keeps_whatever_is_there() {
        let whole = json!({"limit": 1, "path": "a"});
        assert_eq!(merged(json!(null)), (true, json!({"host/tool": whole})));
        assert_eq!(merged(json!({"x": 1})), (true, json!({"x": 1, "host/tool": whole})));
        let theirs = json!({"host/tool": {"path": "b", "x": 1}});
        assert_eq!(merged(theirs), (true, json!({"host/tool": {"path": "b", "x": 1, "limit": 1}})));
        for foreign in [json!({"host/tool": "x"}), json!([1]), json!("x")] {
            assert_eq!(merged(foreign.clone()), (false, foreign));
        }
    }
}
