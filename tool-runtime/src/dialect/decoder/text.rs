//! The way back without a tree: where nothing is undone but nulls for what is left out, and names, the text in the tool's own
//! form is the one that was sent, with pieces cut out or put in.

use std::borrow::Cow;

use super::{Decoder, Field, NullMeans, Object, Recursive, Step};
use crate::json::Skim;

/// How many levels of values are looked into.
const DEEPEST: usize = 64;

/// How many properties an object may have that are left out as null.
const MOST_FIELDS: u32 = u128::BITS;

/// Whether a text can be decoded so.
pub(super) fn is_enough(step: &Step) -> bool {
    match step {
        Step::Keep | Step::Recursive(_) => true,
        Step::List(step) => is_enough(step),
        Step::Items(steps) => steps.iter().all(is_enough),
        Step::Object(object) => {
            object.rest.is_none() && object.others.is_keep() && object.fields.iter().all(|field| is_enough(&field.step))
        }
        Step::Unwrap(_)
        | Step::Tuple(_)
        | Step::Pairs(_)
        | Step::Text
        | Step::Table(_)
        | Step::Folded(_)
        | Step::Choice(_) => false,
    }
}

/// The text in the tool's own form; `None` if only a tree can tell, as it can of all that is wrong.
///
/// A text that is no JSON becomes another one that is none, or `None`.
pub(super) fn decode<'t>(decoder: &Decoder, sent: &'t str) -> Option<Cow<'t, str>> {
    let mut copy =
        Copy { definitions: &decoder.definitions, sent, skim: Skim::new(sent), own: String::new(), copied: 0 };
    copy.value(&decoder.root, DEEPEST)?;
    Some(copy.finish())
}

struct Copy<'d, 't> {
    definitions: &'d [Recursive],
    sent: &'t str,
    skim: Skim<'t>,
    own: String,
    /// How much of what was sent is in `own`, or was cut out.
    copied: usize,
}

/// What is known of an object while it is read.
struct Reading {
    /// Which of the fields that may be left out were there.
    seen: u128,
    /// Where a field is looked for first, as they mostly come in order.
    next: usize,
    /// Whether an entry before this one is kept.
    keeps_some: bool,
    /// The end of the last entry that is kept, or of what was cut out after it.
    end: usize,
}

impl<'t> Copy<'_, 't> {
    fn finish(mut self) -> Cow<'t, str> {
        if self.copied == 0 {
            return Cow::Borrowed(self.sent);
        }
        self.own.push_str(&self.sent[self.copied..]);
        Cow::Owned(self.own)
    }

    /// Puts other words in the place of a piece.
    fn replace(&mut self, start: usize, end: usize, words: &str) {
        if self.copied == 0 {
            self.own.reserve(self.sent.len());
        }
        self.own.push_str(&self.sent[self.copied..start]);
        self.own.push_str(words);
        self.copied = end;
    }

    fn value(&mut self, step: &Step, levels: usize) -> Option<()> {
        match (step, self.skim.next()?) {
            (Step::Object(object), b'{') => self.object(object, levels.checked_sub(1)?),
            (Step::List(step), b'[') => self.list(|_| step, levels.checked_sub(1)?),
            (Step::Items(steps), b'[') => {
                self.list(|index| steps.get(index).unwrap_or(&Step::Keep), levels.checked_sub(1)?)
            }
            (Step::Recursive(index), _) => {
                let definitions = self.definitions;
                self.value(&definitions.get(*index)?.step, levels.checked_sub(1)?)
            }
            _ => self.skim.take_value(),
        }
    }

    fn list<'s>(&mut self, step: impl Fn(usize) -> &'s Step, levels: usize) -> Option<()> {
        self.skim.take(b'[')?;
        if self.skim.take(b']').is_some() {
            return Some(());
        }
        let mut index = 0;
        loop {
            self.value(step(index), levels)?;
            index += 1;
            if self.skim.take(b']').is_some() {
                return Some(());
            }
            self.skim.take(b',')?;
        }
    }

    fn object(&mut self, object: &Object, levels: usize) -> Option<()> {
        self.skim.take(b'{')?;
        let mut reading = Reading { seen: 0, next: 0, keeps_some: false, end: self.skim.at() };
        if self.skim.take(b'}').is_some() {
            return Some(());
        }
        loop {
            let is_kept = self.entry(object, &mut reading, levels)?;
            reading.keeps_some |= is_kept;
            if self.skim.take(b'}').is_some() {
                return Some(());
            }
            let comma = self.skim.at();
            self.skim.take(b',')?;
            // The comma before an entry that is cut out goes with it; where there was none, the one behind it does.
            if !reading.keeps_some {
                self.replace(comma, self.skim.at(), "");
                reading.end = self.skim.at();
            }
        }
    }

    /// An entry; the answer is whether it is kept.
    fn entry(&mut self, object: &Object, reading: &mut Reading, levels: usize) -> Option<bool> {
        if self.skim.next()? != b'"' {
            return None;
        }
        let start = self.skim.at();
        let key = self.skim.take_plain_string()?;
        let end = self.skim.at();
        self.skim.take(b':')?;
        let field = field(object, key, reading);
        if let Some((index, Field { null: NullMeans::Absent, .. })) = field {
            if index >= MOST_FIELDS as usize || reading.seen & (1 << index) != 0 {
                return None;
            }
            reading.seen |= 1 << index;
            if self.skim.take_null() {
                self.replace(reading.end, self.skim.at(), "");
                reading.end = self.skim.at();
                return Some(false);
            }
        }
        if let Some((_, field)) = field.filter(|(_, field)| field.sent != field.name) {
            self.replace(start, end, &serde_json::Value::from(field.name.as_str()).to_string());
        }
        self.value(field.map_or(&Step::Keep, |(_, field)| &field.step), levels)?;
        reading.end = self.skim.at();
        Some(true)
    }
}

fn field<'o>(object: &'o Object, sent: &str, reading: &mut Reading) -> Option<(usize, &'o Field)> {
    let fields = &object.fields;
    let from_here = fields.iter().enumerate().skip(reading.next);
    let found = from_here.chain(fields.iter().enumerate().take(reading.next)).find(|(_, field)| field.sent == sent);
    if let Some((index, _)) = found {
        reading.next = index + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Look;
    use super::*;
    use crate::json::{ParseLimits, parse};

    fn object(fields: Vec<(&str, &str, NullMeans, Step)>) -> Step {
        let field = |(sent, name, null, step): (&str, &str, NullMeans, Step)| Field {
            sent: sent.to_owned(),
            name: name.to_owned(),
            step,
            null,
        };
        Step::Object(Object { fields: fields.into_iter().map(field).collect(), rest: None, others: Step::Keep.into() })
    }

    fn decoder() -> Decoder {
        let inner = object(vec![("c", "c", NullMeans::Absent, Step::Keep), ("d", "d", NullMeans::Null, Step::Keep)]);
        let node = object(vec![("next", "next", NullMeans::Absent, Step::Recursive(0))]);
        let rows = Step::List(inner.clone().into());
        let pair = Step::Items(vec![Step::Keep, inner.clone()]);
        let root = object(vec![
            ("a", "a", NullMeans::Absent, Step::Keep),
            ("b", "b", NullMeans::NullOrAbsent, inner),
            ("rows", "rows", NullMeans::Absent, rows),
            ("pair", "pair", NullMeans::Absent, pair),
            ("x_y", "x \"y\"", NullMeans::Absent, Step::Keep),
            ("next", "next", NullMeans::Absent, Step::Recursive(0)),
        ]);
        Decoder::new(root, vec![Recursive { step: node, sent: Look::Any, own: Look::Any }])
    }

    fn decoded(sent: &str) -> Option<String> {
        decode(&decoder(), sent).map(Cow::into_owned)
    }

    #[test]
    fn what_is_left_out_goes_with_its_comma() {
        for (sent, own) in [
            (r#"{"a":null}"#, r"{}"),
            (r#" { "a" : null } "#, r" { } "),
            (r#"{"a":null,"z":1}"#, r#"{"z":1}"#),
            (r#"{"z":1,"a":null}"#, r#"{"z":1}"#),
            (r#"{"z":1 , "a": null , "y":2}"#, r#"{"z":1 , "y":2}"#),
            (r#"{"a":null,"next":null,"z":1,"rows":null,"pair":null}"#, r#"{"z":1}"#),
            (r#"{"a":null,"next":null}"#, "{}"),
            (r#"{"b":{"c":null,"d":null},"a":null}"#, r#"{"b":{"d":null}}"#),
            (r#"{"rows":[{"c":null},{},{"c":1}]}"#, r#"{"rows":[{},{},{"c":1}]}"#),
            (r#"{"pair":[{"c":null},{"c":null},{"c":null}]}"#, r#"{"pair":[{"c":null},{},{"c":null}]}"#),
            (r#"{"next":{"next":{"next":null}}}"#, r#"{"next":{"next":{}}}"#),
            (r#"{"x_y":1,"a":null}"#, r#"{"x \"y\"":1}"#),
            (r#"{"x_y":null,"b":null}"#, r#"{"b":null}"#),
        ] {
            assert_eq!(decoded(sent).as_deref(), Some(own), "{sent}");
        }
    }

    #[test]
    fn a_text_without_such_nulls_stays_as_it_is() {
        for sent in [r#"{"a":1,"b":{"d":null}}"#, "[null]", "null", r#"{"a":"null"}"#, "{}", r#"{"z":{"a":null}}"#] {
            assert!(matches!(decode(&decoder(), sent), Some(Cow::Borrowed(own)) if own == sent), "{sent}");
        }
    }

    #[test]
    fn what_is_wrong_or_unusual_is_left_to_the_tree() {
        for sent in [
            r#"{"a":null,"a":1}"#,
            r#"{"a":1,"a":null}"#,
            r#"{"a":null,}"#,
            r#"{,"a":null}"#,
            r#"{"\u0061":null}"#,
            r#"{"a":null"#,
            r#"{"a" null}"#,
            "",
        ] {
            assert_eq!(decoded(sent), None, "{sent}");
        }
        let deep = format!("{}{}", r#"{"next":"#.repeat(100), "}".repeat(100));
        assert_eq!(decoded(&deep), None);
    }

    fn spaced(words: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
        (prop_oneof![6 => Just(""), 1 => Just(" "), 1 => Just("\n\t")], words)
            .prop_map(|(space, word)| space.to_owned() + &word)
    }

    fn texts() -> impl Strategy<Value = String> {
        let leaves = vec!["null", "null", "null", "1", "-2.5", "true", r#""s""#, r#""}\",""#, "[]", "{}"];
        let keys = vec!["a", "b", "c", "d", "rows", "pair", "x_y", "next", "z", r"\u0061", r#"x \"y\""#];
        spaced(prop::sample::select(leaves).prop_map(str::to_owned)).prop_recursive(5, 40, 5, move |inner| {
            let entry =
                (spaced(prop::sample::select(keys.clone()).prop_map(|key| format!("\"{key}\""))), inner.clone());
            let entry = entry.prop_map(|(key, value)| format!("{key}:{value}"));
            prop_oneof![
                3 => prop::collection::vec(entry, 0..5).prop_map(|entries| format!("{{{}}}", entries.join(","))),
                1 => prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(" ,"))),
            ]
        })
    }

    /// A text with a character less, or one more.
    fn broken() -> impl Strategy<Value = String> {
        let more = prop::sample::select(vec!["", "{", "}", "[", "]", ",", ":", "\"", "n", " ", "\\", "é"]);
        (texts(), any::<prop::sample::Index>(), more).prop_map(|(text, place, more)| {
            let at = place.index(text.len());
            let rest = if more.is_empty() { &text[at + 1..] } else { &text[at..] };
            format!("{}{more}{rest}", &text[..at])
        })
    }

    /// Whatever the text says, the tree that was sent says.
    fn agrees_with_the_tree(sent: &str) -> Result<(), TestCaseError> {
        let Some(own) = decoded(sent) else { return Ok(()) };
        let written = |text: &str| parse(text, &ParseLimits::default()).ok();
        let from_tree = written(sent).and_then(|tree| decoder().decode(&tree).ok());
        let (from_text, from_tree) =
            (written(&own).map(|tree| tree.to_string()), from_tree.map(|tree| tree.to_string()));
        prop_assert_eq!(from_text, from_tree, "{} from {}", own, sent);
        Ok(())
    }

    proptest! {
        #[test]
        fn a_text_is_decoded_to_what_its_tree_is_decoded_to(sent in texts()) {
            agrees_with_the_tree(&sent)?;
        }

        #[test]
        fn a_broken_text_stays_broken_or_means_the_same(sent in broken()) {
            agrees_with_the_tree(&sent)?;
        }
    }
}
