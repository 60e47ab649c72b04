//! Where something stands in what was sent.

use std::borrow::Cow;

use serde_json::Value;

use super::{ARGUMENTS, Decoder, KEY, Object, REST_OF_TUPLE, Step, Tuple, VALUE, item_name};
use crate::json::Pointer;

pub(super) fn sent(decoder: &Decoder, sent: &Value, own: &Pointer) -> Pointer {
    let segments: Vec<Cow<'_, str>> = own.segments().collect();
    let mut way = Way { decoder, at: Pointer::root() };
    way.follow(&decoder.root, Some(sent), &segments);
    way.at
}

struct Way<'a> {
    decoder: &'a Decoder,
    at: Pointer,
}

impl Way<'_> {
    /// A place that is missing from what was sent is where it would be.
    fn follow(&mut self, step: &Step, sent: Option<&Value>, segments: &[Cow<'_, str>]) {
        let decoder = self.decoder;
        match step {
            Step::Recursive(index) => {
                let target = decoder.definitions.get(*index).map_or(&Step::Keep, |target| &target.step);
                return self.follow(target, sent, segments);
            }
            Step::Choice(branches) => {
                let fits =
                    |sent: &Value| branches.iter().find(|branch| branch.sent.fits(sent, &decoder.definitions, true));
                let step = sent.and_then(fits).map_or(&Step::Keep, |branch| &branch.step);
                return self.follow(step, sent, segments);
            }
            Step::Unwrap(step) => {
                let held = sent.and_then(|sent| sent.get(ARGUMENTS));
                if held.is_some() {
                    self.at = self.at.child(ARGUMENTS);
                }
                return self.follow(step, held.or(sent), segments);
            }
            // What is inside of a text has no place of its own.
            Step::Text => return,
            _ => {}
        }
        let Some((first, rest)) = segments.split_first() else { return };
        match (step, sent) {
            (Step::Items(steps), sent) => {
                let step = first.parse::<usize>().ok().and_then(|index| steps.get(index));
                self.step(first, sent, step.unwrap_or(&Step::Keep), rest);
            }
            (Step::Object(object), sent) => self.object(object, first, sent, rest),
            (Step::Pairs(step), Some(Value::Array(pairs))) => self.entry(pairs, first, step, rest),
            (Step::List(step) | Step::Pairs(step), sent) => self.step(first, sent, step, rest),
            (Step::Tuple(tuple), Some(Value::Object(_)) | None) => self.item(tuple, first, sent, rest),
            (_, sent) => self.step(first, sent, &Step::Keep, rest),
        }
    }

    fn step(&mut self, key: &str, sent: Option<&Value>, step: &Step, rest: &[Cow<'_, str>]) {
        let inner = match sent {
            Some(Value::Array(items)) => key.parse::<usize>().ok().and_then(|index| items.get(index)),
            Some(sent) => sent.get(key),
            None => None,
        };
        self.at = self.at.child(key);
        self.follow(step, inner, rest);
    }

    fn object(&mut self, object: &Object, name: &str, sent: Option<&Value>, rest: &[Cow<'_, str>]) {
        if let Some(field) = object.fields.iter().find(|field| field.name == name) {
            return self.step(&field.sent, sent, &field.step, rest);
        }
        if let Some((key, step)) = &object.rest
            && let Some(Value::Array(pairs)) = sent.and_then(|sent| sent.get(key))
        {
            self.at = self.at.child(key);
            return self.entry(pairs, name, step, rest);
        }
        self.step(name, sent, &object.others, rest);
    }

    fn entry(&mut self, pairs: &[Value], name: &str, step: &Step, rest: &[Cow<'_, str>]) {
        let found = pairs.iter().position(|pair| pair.get(KEY).and_then(Value::as_str) == Some(name));
        if let Some(index) = found {
            self.at = self.at.index(index);
            self.step(VALUE, pairs.get(index), step, rest);
        }
    }

    fn item(&mut self, tuple: &Tuple, index: &str, sent: Option<&Value>, rest: &[Cow<'_, str>]) {
        let Ok(index) = index.parse::<usize>() else { return };
        if let Some(step) = tuple.items.get(index) {
            return self.step(&item_name(index), sent, step, rest);
        }
        let more = sent.and_then(|sent| sent.get(REST_OF_TUPLE));
        self.at = self.at.child(REST_OF_TUPLE);
        let step = tuple.rest.as_deref().unwrap_or(&Step::Keep);
        self.step(&(index - tuple.items.len()).to_string(), more, step, rest);
    }
}
