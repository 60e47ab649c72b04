//! The seam for a check that follows a value while it is written or read.

/// Follows a value while its text is written or read, and comes to its own verdict on it.
///
/// The writer says what it is about to write, in the order of the text, and the reader what it has read. Neither asks for
/// the verdict: a value that breaks a check is written and read all the same.
pub(crate) trait Check {
    /// What is kept of an array that is not complete.
    type Array;
    /// What is kept of an object that is not complete.
    type Object;

    fn null(&mut self);
    fn bool(&mut self, value: bool);
    fn unsigned(&mut self, value: u64);
    /// An integer less than 0.
    fn negative(&mut self, value: i64);
    /// A finite float, as its text reads.
    fn float(&mut self, value: f64);
    fn string(&mut self, text: &str);
    /// Whether the next value, if it is a string, must be passed whole.
    fn wants_text(&self) -> bool;

    /// An array begins at `start` of the text.
    fn open_array(&mut self, start: usize) -> Self::Array;
    /// The next value is an item of it.
    fn item(&mut self, array: &mut Self::Array);
    /// The array is complete; `text` ends with it.
    fn close_array(&mut self, array: Self::Array, text: &str);

    /// An object begins at `start` of the text.
    fn open_object(&mut self, start: usize) -> Self::Object;
    /// The next value is that of a key of it.
    fn key(&mut self, object: &mut Self::Object, name: &str) -> Key<'_>;
    /// The same for a field of a struct.
    fn field(&mut self, object: &mut Self::Object, name: &'static str) -> Key<'_> {
        self.key(object, name)
    }
    /// The object is complete; `text` ends with it.
    fn close_object(&mut self, object: Self::Object, text: &str);
}

/// What a check knows of a key.
pub(crate) enum Key<'c> {
    /// It is there for the first time; this is its text: a comma if it is not the first of its object, the name in quotes,
    /// a colon.
    First(&'c str),
    /// It was there before; this is its text again.
    Again(&'c str),
    /// The check does not know it.
    Unknown,
}

/// No check at all.
#[derive(Debug, Default)]
pub(super) struct Unchecked;

impl Check for Unchecked {
    type Array = ();
    type Object = ();

    fn null(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn unsigned(&mut self, _: u64) {}
    fn negative(&mut self, _: i64) {}
    fn float(&mut self, _: f64) {}
    fn string(&mut self, _: &str) {}
    fn wants_text(&self) -> bool {
        false
    }

    fn open_array(&mut self, _: usize) {}
    fn item(&mut self, (): &mut ()) {}
    fn close_array(&mut self, (): (), _: &str) {}

    fn open_object(&mut self, _: usize) {}
    fn key(&mut self, (): &mut (), _: &str) -> Key<'_> {
        Key::Unknown
    }
    fn close_object(&mut self, (): (), _: &str) {}
}
