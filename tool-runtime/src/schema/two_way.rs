//! Types that read what they write, by what the macros saw of them.
//!
//! That a type reads what it writes shows in its two schemas. Most types with `#[tool_output]` say nothing that makes the two
//! differ, but that an option may be left out when it is read; the macro sees that, and names the types that it holds. If
//! every type that a schema is made of is one of those, or of the standard library, the schema of what is read need not be
//! generated to be compared. A type is known by how schemars identifies it, which stands for one schema only.

use std::borrow::Cow;
use std::cell::RefCell;

use schemars::Schema;
use schemars::transform::Transform;

type Id = Cow<'static, str>;

thread_local! {
    /// What the types noted whose schemas are being generated, if somebody asks.
    static NOTES: RefCell<Option<Notes>> = const { RefCell::new(None) };
}

/// Notes, while the schema of a type is generated, that the type reads what it writes; for `#[schemars(transform = …)]`. The
/// schema stays as it is.
#[derive(Debug)]
pub struct TwoWay(());

impl TwoWay {
    /// The type, by how schemars identifies it.
    #[must_use]
    pub fn of(id: fn() -> Id) -> Self {
        note(id, |notes, id| notes.two_way.push(id));
        Self(())
    }

    /// A type that it holds.
    #[must_use]
    pub fn holds(self, id: fn() -> Id) -> Self {
        note(id, Notes::hold);
        self
    }

    /// The type of a field that is left out when it is `None`: an `Option` may be left out when it is read, too.
    #[must_use]
    pub fn leaves_out(self, id: fn() -> Id) -> Self {
        note(id, |notes, id| {
            notes.differs |= !id.starts_with("Option<");
            notes.hold(id);
        });
        self
    }
}

impl Transform for TwoWay {
    fn transform(&mut self, _: &mut Schema) {}
}

fn note(id: fn() -> Id, add: fn(&mut Notes, Id)) {
    if NOTES.with_borrow(Option::is_some) {
        let id = id();
        NOTES.with_borrow_mut(|notes| {
            if let Some(notes) = notes {
                add(notes, id);
            }
        });
    }
}

/// Runs `generate`, and gives what the types in it noted.
pub(super) fn noted<R>(generate: impl FnOnce() -> R) -> (R, Notes) {
    // A type's own implementation may generate another schema.
    let outer = NOTES.replace(Some(Notes::default()));
    let generated = generate();
    (generated, NOTES.replace(outer).unwrap_or_default())
}

/// What types noted of themselves.
#[derive(Default)]
pub(super) struct Notes {
    two_way: Vec<Id>,
    held: Vec<Id>,
    differs: bool,
}

impl Notes {
    fn hold(&mut self, id: Id) {
        if !STANDARD.contains(&&*id) {
            self.held.push(id);
        }
    }

    /// Whether values of the type `root` come back as they were written.
    pub(super) fn read_back(&self, root: &str) -> bool {
        let known = |name: &str| {
            STANDARD.contains(&name)
                || name.bytes().all(|byte| byte.is_ascii_digit())
                || self.two_way.iter().any(|id| names(id).next() == Some(name))
        };
        !self.differs && names(root).chain(self.held.iter().flat_map(|id| names(id))).all(known)
    }
}

/// The names of the types in the identification of one, such as `a::Line` and `Option` in `Option<a::Line>`, and the lengths
/// of arrays.
fn names(id: &str) -> impl Iterator<Item = &str> {
    id.split(['<', '>', '(', ')', '[', ']', ',', ';', ' ']).filter(|name| !name.is_empty())
}

/// Types of the standard library as schemars identifies them; the names of other types are paths.
const STANDARD: [&str; 20] = [
    "string", "boolean", "int64", "uint32", "uint64", "double", "int32", "float", "uint8", "int8", "int16", "uint16",
    "uint", "int", "null", "char", "AnyValue", "Option", "Map", "Set",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(notes: impl FnOnce(), root: &str) -> bool {
        noted(notes).1.read_back(root)
    }

    fn page() {
        let _ = TwoWay::of(|| "a::Page<a::Line>".into()).holds(|| "[a::Line]".into()).holds(|| "string".into());
    }

    fn line() {
        let _ = TwoWay::of(|| "a::Line".into()).leaves_out(|| "Option<uint32>".into());
    }

    #[test]
    fn every_type_in_it_must_have_said_so() {
        let both = || {
            page();
            line();
        };
        assert!(read_back(both, "Map<a::Page<a::Line>>"));
        assert!(read_back(|| {}, "[(string,Option<double>); 3]"));
        assert!(!read_back(both, "a::Book"));
        assert!(!read_back(page, "a::Page<a::Line>"), "the line said nothing");
        assert!(!read_back(|| {}, "Text"), "a type that names itself");
    }

    #[test]
    fn what_is_left_out_must_be_an_option() {
        let text = || {
            let _ = TwoWay::of(|| "a::Line".into()).leaves_out(|| "string".into());
        };
        assert!(!read_back(text, "a::Line"));
    }

    #[test]
    fn nobody_asking_notes_nothing_and_askers_do_not_disturb_one_another() {
        line();
        let asked_inside = || {
            line();
            noted(|| ()).1.read_back("a::Line")
        };
        let (inner, outer) = noted(asked_inside);
        assert!(!inner && outer.read_back("a::Line"));
    }
}
