//! From what was sent to the tool's own form.

use serde_json::{Map, Value};

use super::{ARGUMENTS, Decoder, KEY, NullMeans, Object, REST_OF_TUPLE, Step, Tuple, VALUE, item_name};
use crate::json::{ParseLimits, Pointer, parse};
use crate::schema::Violation;

pub(super) fn decode(decoder: &Decoder, sent: &Value) -> Result<Value, Vec<Violation>> {
    let mut back = Back { decoder, violations: Vec::new() };
    let value = back.value(&decoder.root, sent, &At::Root);
    if back.violations.is_empty() { Ok(value) } else { Err(back.violations) }
}

struct Back<'a> {
    decoder: &'a Decoder,
    violations: Vec<Violation>,
}

/// Where in what was sent; the pointer is only made for who asks.
enum At<'a> {
    Root,
    Key(&'a At<'a>, &'a str),
    Index(&'a At<'a>, usize),
}

impl At<'_> {
    fn pointer(&self) -> Pointer {
        match self {
            Self::Root => Pointer::root(),
            Self::Key(around, key) => around.pointer().child(key),
            Self::Index(around, index) => around.pointer().index(*index),
        }
    }
}

impl Back<'_> {
    /// What is of another kind than the lowering made stays as it is, for the schema to refuse.
    fn value(&mut self, step: &Step, sent: &Value, at: &At<'_>) -> Value {
        match (step, sent) {
            (Step::List(step), Value::Array(items)) => {
                items.iter().enumerate().map(|(index, item)| self.value(step, item, &At::Index(at, index))).collect()
            }
            (Step::Unwrap(step), Value::Object(entries)) => self.unwrap(step, sent, entries, at),
            (Step::Items(steps), Value::Array(items)) => {
                let step = |index: usize| steps.get(index).unwrap_or(&Step::Keep);
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.value(step(index), item, &At::Index(at, index)))
                    .collect()
            }
            (Step::Tuple(tuple), Value::Object(items)) => self.tuple(tuple, items, at),
            (Step::Object(object), Value::Object(entries)) => self.object(object, entries, at),
            (Step::Pairs(step), Value::Array(pairs)) => {
                let mut entries = Map::new();
                self.pairs(step, pairs, &mut entries, at);
                Value::Object(entries)
            }
            // Some models send the map itself.
            (Step::Pairs(step), Value::Object(entries)) => {
                entries.iter().map(|(key, value)| (key.clone(), self.value(step, value, &At::Key(at, key)))).collect()
            }
            (Step::Text, Value::String(text)) => self.text(text, at),
            (Step::Table(table), Value::String(text)) => {
                let found = table.iter().find(|(word, _)| word == text);
                found.map_or_else(|| sent.clone(), |(_, value)| value.clone())
            }
            (Step::Folded(words), Value::String(text)) => {
                let folded = || words.iter().find(|word| word.eq_ignore_ascii_case(text));
                if words.contains(text) {
                    sent.clone()
                } else {
                    folded().map_or_else(|| sent.clone(), |word| word.as_str().into())
                }
            }
            (Step::Choice(branches), sent) => {
                let branch = branches.iter().find(|branch| branch.sent.fits(sent, &self.decoder.definitions, true));
                branch.map_or_else(|| sent.clone(), |branch| self.value(&branch.step, sent, at))
            }
            (Step::Recursive(index), sent) => {
                let decoder = self.decoder;
                decoder
                    .definitions
                    .get(*index)
                    .map_or_else(|| sent.clone(), |target| self.value(&target.step, sent, at))
            }
            (_, sent) => sent.clone(),
        }
    }

    fn unwrap(&mut self, step: &Step, sent: &Value, entries: &Map<String, Value>, at: &At<'_>) -> Value {
        // Some models send what the property would hold.
        let Some(held) = entries.get(ARGUMENTS) else { return sent.clone() };
        for other in entries.keys().filter(|key| *key != ARGUMENTS) {
            self.refuse(
                &At::Key(at, other),
                format_args!("is not a declared property; did you mean to put it into \"{ARGUMENTS}\"?"),
            );
        }
        self.value(step, held, &At::Key(at, ARGUMENTS))
    }

    fn object(&mut self, object: &Object, sent: &Map<String, Value>, at: &At<'_>) -> Value {
        let mut entries = Map::with_capacity(sent.len());
        for (key, value) in sent {
            if let Some((rest, step)) = object.rest.as_ref().filter(|(rest, _)| rest == key)
                && let Value::Array(pairs) = value
            {
                let mut more = Map::new();
                self.pairs(step, pairs, &mut more, &At::Key(at, rest));
                for (name, value) in more {
                    self.insert(&mut entries, name, value, &At::Key(at, rest));
                }
                continue;
            }
            match object.field(key) {
                Some(field) if field.null == NullMeans::Absent && value.is_null() => {}
                Some(field) => {
                    let value = self.value(&field.step, value, &At::Key(at, key));
                    self.insert(&mut entries, field.name.clone(), value, &At::Key(at, key));
                }
                None => {
                    let value = self.value(&object.others, value, &At::Key(at, key));
                    self.insert(&mut entries, key.clone(), value, &At::Key(at, key));
                }
            }
        }
        Value::Object(entries)
    }

    fn pairs(&mut self, step: &Step, pairs: &[Value], entries: &mut Map<String, Value>, at: &At<'_>) {
        for (index, pair) in pairs.iter().enumerate() {
            let at = At::Index(at, index);
            let (Some(Value::String(key)), Some(value)) = (pair.get(KEY), pair.get(VALUE)) else {
                self.refuse(&at, format_args!("must be an object with a text \"{KEY}\" and a \"{VALUE}\""));
                continue;
            };
            for other in pair.as_object().into_iter().flat_map(Map::keys).filter(|name| *name != KEY && *name != VALUE)
            {
                self.refuse(&At::Key(&at, other), format_args!("is not a declared property"));
            }
            let value = self.value(step, value, &At::Key(&at, VALUE));
            self.insert(entries, key.clone(), value, &At::Key(&at, KEY));
        }
    }

    fn insert(&mut self, entries: &mut Map<String, Value>, name: String, value: Value, at: &At<'_>) {
        if entries.contains_key(&name) {
            self.refuse(at, format_args!("repeats the key {}", Value::from(name)));
        } else {
            entries.insert(name, value);
        }
    }

    fn tuple(&mut self, tuple: &Tuple, sent: &Map<String, Value>, at: &At<'_>) -> Value {
        let mut items = Vec::with_capacity(tuple.items.len());
        let mut names: Vec<String> = (0..tuple.items.len()).map(item_name).collect();
        for (index, ((step, ends), name)) in tuple.items.iter().zip(&tuple.ends).zip(&names).enumerate() {
            let Some(value) = sent.get(name).filter(|value| !(*ends && value.is_null())) else { continue };
            // After what was left out, an item would move up.
            if items.len() < index {
                self.refuse(&At::Key(at, name), format_args!("follows an item that is left out"));
            }
            items.push(self.value(step, value, &At::Key(at, name)));
        }
        if let (Some(step), Some(Value::Array(more))) = (&tuple.rest, sent.get(REST_OF_TUPLE)) {
            let at = At::Key(at, REST_OF_TUPLE);
            if items.len() < names.len() && !more.is_empty() {
                self.refuse(&at, format_args!("follows an item that is left out"));
            }
            items.extend(more.iter().enumerate().map(|(index, item)| self.value(step, item, &At::Index(&at, index))));
            names.push(REST_OF_TUPLE.to_owned());
        }
        for key in sent.keys().filter(|key| !names.contains(*key)) {
            self.refuse(&At::Key(at, key), format_args!("is not a declared property"));
        }
        Value::Array(items)
    }

    fn text(&mut self, text: &str, at: &At<'_>) -> Value {
        match parse(text, &ParseLimits { max_bytes: usize::MAX, ..ParseLimits::default() }) {
            Ok(value) => value,
            Err(error) => {
                self.refuse(at, format_args!("must be a text that holds JSON: {error}"));
                Value::Null
            }
        }
    }

    fn refuse(&mut self, at: &At<'_>, what: std::fmt::Arguments<'_>) {
        let pointer = at.pointer();
        let place = if pointer.is_root() { "arguments".to_owned() } else { Value::from(pointer.as_str()).to_string() };
        self.violations.push(Violation::new(pointer, format!("{place} {what}")));
    }
}
