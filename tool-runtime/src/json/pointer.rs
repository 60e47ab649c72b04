use std::borrow::Cow;
use std::fmt;

/// A JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)): where in a value something is.
///
/// The empty pointer is the root. Keys may hold any character: `~` is written `~0`, and `/` is written `~1`.
///
/// ```
/// use tool_runtime::json::Pointer;
///
/// let pointer = Pointer::root().child("lines").index(3).child("a/b");
/// assert_eq!(pointer.as_str(), "/lines/3/a~1b");
/// assert_eq!(Pointer::root().to_string(), "");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer to the whole value.
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads a pointer from its text: empty, or every segment after a `/`, with `~` only in `~0` and `~1`. Anything
    /// else is `None`.
    ///
    /// ```
    /// use tool_runtime::json::Pointer;
    ///
    /// assert_eq!(Pointer::parse("/a~1b"), Some(Pointer::root().child("a/b")));
    /// assert_eq!(Pointer::parse("a"), None);
    /// assert_eq!(Pointer::parse("/~2"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let rooted = text.is_empty() || text.starts_with('/');
        let escaped = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
        (rooted && escaped).then(|| Self(text.to_owned()))
    }

    /// The pointer to the entry `key` of the object that this one points to.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + 1 + key.len());
        text.push_str(&self.0);
        text.push('/');
        text.push_str(&escape(key));
        Self(text)
    }

    /// The pointer to the item `index`, counted from 0, of the array that this one points to.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// The pointer's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it points to the whole value.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The segments from the root on, unescaped.
    ///
    /// ```
    /// use tool_runtime::json::Pointer;
    ///
    /// let pointer = Pointer::root().child("a/b").index(0);
    /// assert_eq!(pointer.segments().collect::<Vec<_>>(), ["a/b", "0"]);
    /// ```
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = Cow<'_, str>> {
        let mut segments = self.0.split('/');
        // The text before the first `/` is empty, and no segment.
        segments.next();
        segments.map(unescape)
    }

    /// Puts `key` before everything else: what a container does with the place of an error that comes out of it.
    pub(super) fn prepend_key(&mut self, key: &str) {
        self.0.insert_str(0, &escape(key));
        self.0.insert(0, '/');
    }

    /// [`Self::prepend_key`] for an item of an array.
    pub(super) fn prepend_index(&mut self, index: usize) {
        self.0.insert_str(0, &format!("/{index}"));
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `~` goes first: the other order would escape the `~` of `~1` again.
fn escape(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}

/// `~1` goes first, so that `~01` becomes `~1` and not `/`.
fn unescape(segment: &str) -> Cow<'_, str> {
    if segment.contains('~') { segment.replace("~1", "/").replace("~0", "~").into() } else { segment.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The example of RFC 6901, section 5.
    #[test]
    fn finds_what_the_standard_says() {
        let document = serde_json::json!({
            "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8
        });
        for (number, key) in ["", "a/b", "c%d", "e^f", "g|h", "i\\j", "k\"l", " ", "m~n"].iter().enumerate() {
            let pointer = Pointer::root().child(key);
            assert_eq!(document.pointer(pointer.as_str()), Some(&number.into()), "{pointer}");
        }
        assert_eq!(document.pointer(Pointer::root().child("foo").index(1).as_str()), Some(&"baz".into()));
        assert_eq!(document.pointer(Pointer::root().as_str()), Some(&document));
    }

    #[test]
    fn prepends_as_it_appends() {
        let mut pointer = Pointer::root();
        pointer.prepend_key("c~/d");
        pointer.prepend_index(12);
        pointer.prepend_key("");
        assert_eq!(pointer, Pointer::root().child("").index(12).child("c~/d"));
        assert_eq!(pointer.as_str(), "//12/c~0~1d");
    }

    #[test]
    fn the_root_has_no_segments() {
        assert!(Pointer::root().is_root());
        assert_eq!(Pointer::root().segments().count(), 0);
        assert_eq!(Pointer::root().child("").segments().count(), 1);
    }

    #[test]
    fn refuses_what_is_no_pointer() {
        for text in ["a", "a/b", "~", "/~", "/a~", "/~2", "/~01/~"] {
            assert_eq!(Pointer::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn keys_come_back(keys in prop::collection::vec("[a~/01é]{0,6}", 0..5)) {
            let pointer = keys.iter().fold(Pointer::root(), |pointer, key| pointer.child(key));
            prop_assert_eq!(pointer.segments().collect::<Vec<_>>(), keys);
            prop_assert_eq!(Pointer::parse(pointer.as_str()), Some(pointer));
        }
    }
}
