//! Enums: the exact words, the texts of their variants, and texts in the place of other values.

use serde_json::{Map, Value};

use super::words::{Words, shown};
use super::{Kept, Lowering, Part, keywords};
use crate::dialect::decoder::Step;
use crate::dialect::rules::Vocabulary;
use crate::dialect::shape::{Known, Shape};

/// An enum of more values than this may hold only so many characters (`OpenAI`'s documentation).
const LONG: (usize, usize) = (250, 15_000);

/// How many values are told where they can't be listed.
const TOLD: usize = 40;

impl Lowering<'_> {
    pub(super) fn values(&mut self, shape: &Shape, known: &[Known], words: &mut Words) -> Part {
        for Known { value, note } in known {
            if let Some(note) = note {
                words.add(&format!("{}: {note}", shown(value)));
            }
        }
        let values: Vec<&Value> = known.iter().map(|known| &known.value).collect();
        let mut part = self.listed(shape, &values, words);
        self.narrowed(shape, &mut part.wire);
        part
    }

    fn listed(&mut self, shape: &Shape, values: &[&Value], words: &mut Words) -> Part {
        let is_said = |value: &&Value| self.rules.enums.contains(&kind(value));
        if !values.iter().all(is_said) {
            return self.table(shape, values, words);
        }
        if self.is_too_long(values) && values.iter().all(|value| value.is_string()) {
            return self.told(shape, values, words);
        }
        let groups = ["string", "integer", "number", "boolean"].into_iter().filter_map(|name| {
            let of_type: Vec<Value> =
                values.iter().filter(|value| type_of(value, values) == name).map(|value| (*value).clone()).collect();
            (!of_type.is_empty()).then(|| keywords! { "type": name, "enum": of_type })
        });
        let mut groups: Vec<Map<String, Value>> = groups.collect();
        let step = self.folded(values);
        if groups.len() == 1 {
            return Part { wire: groups.swap_remove(0), step };
        }
        let groups: Vec<Value> = groups.into_iter().map(Value::Object).collect();
        Part { wire: keywords! { "anyOf": groups }, step }
    }

    /// Texts in the place of values that the dialect's enums can't hold.
    fn table(&mut self, shape: &Shape, values: &[&Value], words: &mut Words) -> Part {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let table: Vec<(String, Value)> = values.iter().map(|value| (text(value), (*value).clone())).collect();
        let repeats =
            table.iter().enumerate().any(|(index, (word, _))| table[..index].iter().any(|(other, _)| other == word));
        if repeats {
            self.refuse(
                &shape.at,
                "a text and another value of this enum would be the same word",
                "give the variants names that differ",
            );
        }
        if self.is_too_long(values) {
            let told = self.told(shape, values, words);
            return Part { step: Step::Table(table), ..told };
        }
        let texts: Vec<Value> = table.iter().map(|(word, _)| Value::from(word.as_str())).collect();
        Part { wire: keywords! { "type": "string", "enum": texts }, step: Step::Table(table) }
    }

    /// An enum that is too long: any text, with the values in the description as far as there is room.
    fn told(&mut self, shape: &Shape, values: &[&Value], words: &mut Words) -> Part {
        let first: Vec<String> = values.iter().take(TOLD).map(|value| shown(value)).collect();
        let more = match values.len() {
            count if count > TOLD => format!(" and {} more", count - TOLD),
            _ => String::new(),
        };
        words.add(&format!("One of: {}{more}.", first.join(", ")));
        let said = format!("an enum of {} values", values.len());
        self.lose(&shape.at, said, "any text", Kept::InDescription);
        let step = self.folded(values);
        Part { wire: keywords! { "type": "string" }, step }
    }

    fn is_too_long(&self, values: &[&Value]) -> bool {
        let characters = || values.iter().filter_map(|value| value.as_str()).map(str::len).sum::<usize>();
        let is_bounded = self.rules.enum_values < usize::MAX;
        values.len() > self.rules.enum_values || (is_bounded && values.len() > LONG.0 && characters() > LONG.1)
    }

    /// Where the letter case may come back changed, and no two values differ in it alone.
    fn folded(&self, values: &[&Value]) -> Step {
        let words: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
        let collides = || {
            words
                .iter()
                .enumerate()
                .any(|(index, word)| words[..index].iter().any(|other| other.eq_ignore_ascii_case(word)))
        };
        let has_letters = || words.iter().any(|word| word.bytes().any(|byte| byte.is_ascii_alphabetic()));
        if !self.rules.folds_case || words.len() != values.len() || !has_letters() || collides() {
            return Step::Keep;
        }
        Step::Folded(words.into_iter().map(str::to_owned).collect())
    }

    /// What narrows an enum further: the values tell most of it.
    fn narrowed(&mut self, shape: &Shape, wire: &mut Map<String, Value>) {
        for limit in &shape.limits {
            if self.rules.keywords == Vocabulary::All {
                wire.insert(limit.keyword.clone(), limit.value.clone());
            } else {
                let said = format!("`{}: {}`", limit.keyword, shown(&limit.value));
                self.lose(&limit.at, said, "nothing", Kept::OnlyChecked);
            }
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Numbers are integers if all of them are.
fn type_of(value: &Value, all: &[&Value]) -> &'static str {
    let is_whole = |value: &&&Value| !value.is_number() || value.is_i64() || value.is_u64();
    match value {
        Value::Number(_) if all.iter().all(|value| is_whole(&value)) => "integer",
        other => kind(other),
    }
}
