//! What an alias hides from the macros, and schemars drops: options in one another, and keys of maps that are no texts.
//!
//! schemars publishes `Option<Option<T>>` as `Option<T>`, and a map by anything as one by texts. Only how it identifies a type
//! shows what it is made of, and the macros hand that on.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::keyed;
use super::markers::TYPE;
use super::violation::{Violation, in_schema};
use crate::json::Pointer;

/// How schemars identifies a type. A function, since the compiler then says once, and not twice, that a type has no schema.
pub fn type_of<T: JsonSchema + ?Sized>() -> Cow<'static, str> {
    T::schema_id()
}

/// What begins the key of a map that is no text: tuples, lists, options, floats, maps and sets.
const NO_TEXT: [&str; 7] = ["(", "[", "Option<", "float,", "double,", "Map<", "Set<"];

/// Refuses what the type of a field turns out to hold; `writes` is true for the contract of what a type serialises to.
pub(super) fn refuse_noted(
    node: &mut Map<String, Value>,
    pointer: &Pointer,
    writes: bool,
    violations: &mut Vec<Violation>,
) {
    let Some(Value::String(id)) = node.shift_remove(TYPE) else { return };
    // A map that the macros did see says more of its key, and at its own place.
    let tells_keys = !keyed::is_noted_within(node);
    for what in faults(&id, writes, tells_keys) {
        violations.push(Violation::new(pointer.clone(), format!("{}: {what}", in_schema(pointer))));
    }
}

/// What is wrong with a type that schemars identifies so; with its keys only if nothing else tells that.
pub(super) fn faults(id: &str, writes: bool, tells_keys: bool) -> impl Iterator<Item = &'static str> {
    let twice = writes && starts_of(id, "Option<").any(|inside| inside.starts_with("Option<"));
    let is_no_text = |key: &str| NO_TEXT.iter().any(|kind| key.starts_with(kind)) && has_key(key);
    let option = twice.then_some(
        "an `Option` of an `Option` has three cases, of which `None` and `Some(None)` are both null, so this value does not \
         come back; use one `Option`, or an enum that names the cases",
    );
    let map = (tells_keys && starts_of(id, "Map<").any(is_no_text)).then_some(
        "the keys of a JSON object are strings, which the key of this map is not; use `String`, an integer or a plain enum as \
         key, or a `Vec` of pairs",
    );
    option.into_iter().chain(map)
}

/// What follows each mention of a type of the standard library; types of others are identified with their path.
fn starts_of<'a>(id: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let is_own = |before: &str| before.chars().next_back().is_none_or(|last| "<([, ;".contains(last));
    id.match_indices(name).filter(move |(at, _)| is_own(&id[..*at])).map(move |(at, _)| &id[at + name.len()..])
}

/// Whether the arguments of a map are a key and a value, and not the value alone, as where the key is a `String`.
fn has_key(arguments: &str) -> bool {
    let mut depth = 0_usize;
    for character in arguments.chars() {
        match character {
            '<' | '(' | '[' => depth += 1,
            '>' if depth == 0 => return false,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use super::*;

    /// How many faults a type has as an output, and in arguments.
    fn faults<T: JsonSchema>() -> (usize, usize) {
        let count = |writes| {
            let mut node = Map::from_iter([(TYPE.to_owned(), T::schema_id().into())]);
            let mut violations = Vec::new();
            refuse_noted(&mut node, &Pointer::root(), writes, &mut violations);
            assert!(node.is_empty(), "the mark is not published");
            violations.len()
        };
        (count(true), count(false))
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Maybe<T>(T);

    #[test]
    fn options_in_one_another_do_not_come_back() {
        assert_eq!(faults::<Option<Option<u8>>>(), (1, 0));
        assert_eq!(faults::<Vec<(u8, Option<Option<String>>)>>(), (1, 0));
        assert_eq!(faults::<Option<Vec<Option<u8>>>>(), (0, 0));
        assert_eq!(faults::<Option<Maybe<Option<u8>>>>(), (0, 0));
        assert_eq!(faults::<Maybe<Option<Option<u8>>>>(), (1, 0));
    }

    #[test]
    fn keys_are_texts() {
        assert_eq!(faults::<BTreeMap<(u8, u8), u8>>(), (1, 1));
        assert_eq!(faults::<Vec<BTreeMap<[u8; 2], u8>>>(), (1, 1));
        assert_eq!(faults::<BTreeMap<Option<u8>, u8>>(), (1, 1));
        assert_eq!(faults::<BTreeMap<Vec<u8>, String>>(), (1, 1));
        assert_eq!(faults::<HashMap<String, (u8, u8)>>(), (0, 0));
        assert_eq!(faults::<BTreeMap<String, BTreeMap<String, [u8; 2]>>>(), (0, 0));
        assert_eq!(faults::<BTreeMap<u8, f64>>(), (0, 0));
        assert_eq!(faults::<(BTreeMap<String, f64>, u8)>(), (0, 0));
    }
}
