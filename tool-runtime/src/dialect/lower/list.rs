//! Lists, and tuples where a dialect has none.

use serde_json::{Map, Value};

use super::words::Words;
use super::{Kept, Lowering, Part, keywords, object};
use crate::dialect::decoder::{self, NullMeans, REST_OF_TUPLE, Step, item_name};
use crate::dialect::rules::Tuples;
use crate::dialect::shape::{Form, Limit, Shape, Tuple};

impl Lowering<'_> {
    pub(super) fn list(&mut self, shape: &Shape, items: &Shape, words: &mut Words) -> Part {
        let mut wire = keywords! { "type": "array" };
        let step = if matches!(items.form, Form::Never) {
            // Only the empty list; a list needs a type of items all the same.
            words.add("Always empty.");
            self.lose(&items.at, "no item is allowed", "a list of texts", Kept::InDescription);
            wire.insert("items".into(), Value::Object(keywords! { "type": "string" }));
            Step::Keep
        } else {
            let part = self.shape(items);
            wire.insert("items".into(), Value::Object(part.wire));
            part.step
        };
        self.limits(shape, "array", &mut wire, words);
        let step = if step.is_keep() { Step::Keep } else { Step::List(Box::new(step)) };
        Part { wire, step }
    }

    pub(super) fn tuple(&mut self, shape: &Shape, tuple: &Tuple, words: &mut Words) -> Part {
        match self.rules.tuples {
            Tuples::PrefixItems => self.tuple_as_list(shape, tuple, words),
            Tuples::Object => self.tuple_as_object(shape, tuple, words),
        }
    }

    fn tuple_as_list(&mut self, shape: &Shape, tuple: &Tuple, words: &mut Words) -> Part {
        let parts: Vec<Part> = tuple.items.iter().map(|item| self.shape(item)).collect();
        let mut wire = keywords! { "type": "array" };
        let (items, steps): (Vec<Value>, Vec<Step>) =
            parts.into_iter().map(|part| (Value::Object(part.wire), part.step)).unzip();
        wire.insert("prefixItems".into(), items.into());
        wire.insert("minItems".into(), tuple.least.into());
        match tuple.rest.as_deref() {
            None => drop(wire.insert("maxItems".into(), tuple.items.len().into())),
            Some(rest) if rest.is_any() => {}
            Some(rest) => {
                let part = self.shape(rest);
                wire.insert("items".into(), Value::Object(part.wire));
                if !part.step.is_keep() {
                    self.refuse(&rest.at, "what follows the items of a tuple can't be said", "use a `Vec` of its own");
                }
            }
        }
        self.limits(&without_counts(shape, tuple), "array", &mut wire, words);
        let step = if steps.iter().all(Step::is_keep) { Step::Keep } else { Step::Items(steps) };
        Part { wire, step }
    }

    fn tuple_as_object(&mut self, shape: &Shape, tuple: &Tuple, words: &mut Words) -> Part {
        let mut properties = Map::new();
        let mut required: Vec<Value> = Vec::new();
        let (mut items, mut ends) = (Vec::new(), Vec::new());
        for (index, item) in tuple.items.iter().enumerate() {
            let said = self.optional(item, index < tuple.least, false);
            let name = item_name(index);
            if said.is_required {
                required.push(name.as_str().into());
            }
            properties.insert(name, Value::Object(said.part.wire));
            items.push(said.part.step);
            ends.push(said.null == NullMeans::Absent);
        }
        let rest = match tuple.rest.as_deref() {
            None => None,
            Some(rest) if rest.is_any() => {
                let said = format!("items after the first {}", tuple.items.len());
                self.lose(&shape.at, said, "none", Kept::Nowhere);
                None
            }
            Some(rest) => {
                let part = self.shape(rest);
                let list = keywords! { "type": "array", "items": Value::Object(part.wire) };
                properties.insert(REST_OF_TUPLE.into(), Value::Object(list));
                required.push(REST_OF_TUPLE.into());
                Some(Box::new(part.step))
            }
        };
        if properties.is_empty() {
            return self.list(shape, &Shape::new(&shape.at, Form::Never), words);
        }
        if tuple.least < tuple.items.len() {
            self.lose(
                &shape.at,
                "a tuple whose last items may be left out",
                "an object with one property for each",
                Kept::OnlyChecked,
            );
        }
        self.limits(&without_counts(shape, tuple), "array", &mut Map::new(), words);
        let wire = object::closed(self.rules, properties, required);
        Part { wire, step: Step::Tuple(decoder::Tuple { items, ends, rest }) }
    }
}

/// Without the numbers of items that the tuple itself says.
fn without_counts(shape: &Shape, tuple: &Tuple) -> Shape {
    let says = |limit: &Limit| match limit.keyword.as_str() {
        "minItems" => limit.value.as_u64().is_some_and(|least| least <= tuple.least as u64),
        "maxItems" => tuple.rest.is_none() && limit.value.as_u64().is_some_and(|most| most >= tuple.items.len() as u64),
        _ => false,
    };
    let limits = shape.limits.iter().filter(|limit| !says(limit)).cloned().collect();
    Shape { limits, ..Shape::new(&shape.at, Form::Any) }
}
