//! References within a document.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::keywords::Keywords as _;

use crate::json::Pointer;

/// Why a reference leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// It points at another document.
    Outside,
    /// It points at a place that the document does not have.
    Missing,
}

/// The names that a document gives to places in itself.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// The root's `$id` without its fragment.
    id: Option<String>,
    /// Anchors, with the pointer of the schema that declares each.
    anchors: HashMap<String, Pointer>,
}

impl Names {
    /// Whether `node` declares a name.
    pub(super) fn are_declared(node: &serde_json::Map<String, Value>) -> bool {
        ["$anchor", "$dynamicAnchor", "$id"].iter().any(|keyword| node.says(keyword))
    }

    /// Notes the names that `node` declares; `pointer` is where it stands.
    pub(super) fn declare(&mut self, node: &serde_json::Map<String, Value>, pointer: &Pointer) {
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(Value::String(name)) = node.look(keyword) {
                self.anchors.insert(name.clone(), pointer.clone());
            }
        }
        if let Some(Value::String(id)) = node.look("$id") {
            let (base, fragment) = id.split_once('#').unwrap_or((id, ""));
            if !fragment.is_empty() {
                self.anchors.insert(fragment.to_owned(), pointer.clone());
            }
            if pointer.as_str().is_empty() && !base.is_empty() {
                self.id = Some(base.to_owned());
            }
        }
    }

    /// The schema that `reference` names, and the pointer to it.
    pub(crate) fn resolve<'a>(&self, root: &'a Value, reference: &str) -> Result<(&'a Value, Pointer), Unresolved> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        if !base.is_empty() && self.id.as_deref() != Some(base) {
            return Err(Unresolved::Outside);
        }
        let fragment = percent_decoded(fragment).ok_or(Unresolved::Missing)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return at(root, &fragment).ok_or(Unresolved::Missing);
        }
        let pointer = self.anchors.get(fragment.as_ref()).ok_or(Unresolved::Missing)?;
        at(root, pointer.as_str()).ok_or(Unresolved::Missing)
    }
}

/// Names of a whole document, for documents whose depth is known to be bounded.
#[cfg(test)]
pub(super) fn names_of(root: &Value) -> Names {
    fn visit(schema: &Value, pointer: &Pointer, names: &mut Names) {
        let Value::Object(node) = schema else { return };
        names.declare(node, pointer);
        for child in super::keywords::children(node, pointer) {
            visit(child.schema, &child.pointer, names);
        }
    }
    let mut names = Names::default();
    visit(root, &Pointer::root(), &mut names);
    names
}

/// The value at a pointer, and the pointer in its usual spelling.
fn at<'a>(root: &'a Value, pointer: &str) -> Option<(&'a Value, Pointer)> {
    let mut found = root;
    let mut spelt = Pointer::root();
    for segment in pointer.split('/').skip(1) {
        let key: Cow<'_, str> =
            if segment.contains('~') { segment.replace("~1", "/").replace("~0", "~").into() } else { segment.into() };
        found = match found {
            Value::Object(entries) => entries.get(&*key)?,
            Value::Array(items) => items.get(key.parse::<usize>().ok()?)?,
            _ => return None,
        };
        spelt = spelt.child(&key);
    }
    Some((found, spelt))
}

/// The text with its `%xx` decoded; `None` if that gives no text.
pub(super) fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = tail.split_at_checked(2)?;
        // The generator pads the codes of control characters with a space instead of a zero.
        let digits = std::str::from_utf8(digits).ok()?.trim_start();
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pointers_anchors_and_the_own_id_resolve() {
        let root = json!({
            "$id": "https://example.com/tool",
            "$defs": {"a/b": {"$anchor": "here", "type": "string"}, "ä b": true},
            "prefixItems": [false]
        });
        let names = names_of(&root);
        for reference in ["#/$defs/a~1b", "#here", "https://example.com/tool#here", "#/%24defs/a~1b"] {
            assert_eq!(names.resolve(&root, reference).unwrap().1.as_str(), "/$defs/a~1b", "{reference}");
        }
        assert_eq!(names.resolve(&root, "#/$defs/%C3%A4%20b").unwrap().0, &json!(true));
        assert_eq!(names.resolve(&root, "#/prefixItems/0").unwrap().0, &json!(false));
        assert_eq!(names.resolve(&root, "#").unwrap().0, &root);
        assert_eq!(names.resolve(&root, "#/$defs/c").unwrap_err(), Unresolved::Missing);
        assert_eq!(names.resolve(&root, "other.json#/a").unwrap_err(), Unresolved::Outside);
        assert_eq!(names.resolve(&root, "file:///etc/passwd").unwrap_err(), Unresolved::Outside);
    }
}
