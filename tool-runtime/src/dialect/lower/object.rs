//! Objects: every property by its name, what may be left out, what may stand beside, and the closing.

use serde_json::{Map, Value};

use super::union::{admits_null, nullable};
use super::words::Words;
use super::{Kept, Lowering, Part, Within, keywords};
use crate::dialect::decoder::{self, Field, KEY, NullMeans, Step, VALUE};
use crate::dialect::rules::{Closing, Maps, Optional, Rules, Vocabulary};
use crate::dialect::shape::{Entry, Form, Object, Property, Rest, Shape};

/// The property for entries of a map beside declared properties.
const OTHERS: &str = "other_properties";

/// A place that may be left out, as the dialect says it.
pub(super) struct Said {
    pub(super) part: Part,
    pub(super) is_required: bool,
    pub(super) null: NullMeans,
}

impl Said {
    fn as_it_is(part: Part, is_required: bool) -> Self {
        Self { part, is_required, null: NullMeans::Null }
    }
}

/// What stands beside declared properties.
#[derive(Default)]
struct Beside {
    /// A property that holds the entries.
    property: Option<(String, Map<String, Value>, Step)>,
    /// `additionalProperties`, and the step of each.
    keyword: Option<(Value, Step)>,
}

impl Lowering<'_> {
    /// Whether the dialect says it as an object with properties, as it must at the root.
    pub(super) fn is_plain_object(&self, shape: &Shape) -> bool {
        let Form::Object(object) = &shape.form else { return false };
        let is_map = object.properties.is_empty() && !matches!(object.rest, Rest::Closed);
        !is_map || self.rules.maps == Maps::Keyword
    }

    pub(super) fn object(&mut self, shape: &Shape, object: &Object, words: &mut Words) -> Part {
        let is_root = self.within == Within::Root && shape.at.is_root();
        let declared: Vec<&Property> = object
            .properties
            .iter()
            .filter(|property| property.is_required || !matches!(property.shape.form, Form::Never))
            .collect();
        if declared.is_empty() {
            match &object.rest {
                Rest::Closed if !self.rules.empty_objects && !is_root => return empty(),
                Rest::Closed => {}
                _ if self.rules.maps == Maps::Pairs => return self.map_as_pairs(shape, &object.rest, words),
                _ => {}
            }
        }
        let null_tells_apart = std::mem::take(&mut self.null_tells_apart);
        let names: Vec<&str> = declared.iter().map(|property| property.name.as_str()).collect();
        let sent = self.rules.property_names.fitted(&names);
        let mut properties = Map::new();
        let mut required: Vec<Value> = Vec::new();
        let mut fields = Vec::new();
        for (property, sent) in declared.iter().zip(sent) {
            let said = self.optional(&property.shape, property.is_required, null_tells_apart);
            if said.is_required {
                required.push(sent.as_str().into());
            }
            let name = property.name.clone();
            let Said { part, null, .. } = said;
            properties.insert(sent.clone(), Value::Object(part.wire));
            fields.push(Field { sent, name, step: part.step, null });
        }
        let beside = self.beside(shape, object, &properties);
        let (rest, others) = match (beside.property, &beside.keyword) {
            (Some((name, wire, step)), _) => {
                properties.insert(name.clone(), Value::Object(wire));
                required.push(name.as_str().into());
                (Some((name, Box::new(step))), Step::Keep)
            }
            (None, Some((_, step))) => (None, step.clone()),
            (None, None) => (None, Step::Keep),
        };
        let mut wire = match beside.keyword {
            Some((schema, _)) => open(properties, required, schema),
            None => closed(self.rules, properties, required),
        };
        self.limits(shape, "object", &mut wire, words);
        let object = decoder::Object { fields, rest, others: Box::new(others) };
        let step = if object.changes_nothing() { Step::Keep } else { Step::Object(object) };
        Part { wire, step }
    }

    /// A property or an item that may be left out, or may not.
    pub(super) fn optional(&mut self, shape: &Shape, is_required: bool, null_tells_apart: bool) -> Said {
        if is_required {
            return Said::as_it_is(self.shape(shape), true);
        }
        let around = self.within;
        if around == Within::Definition && self.rules.optional != Optional::Nullable {
            self.within = Within::Optional;
        }
        let said = self.left_out(shape, null_tells_apart);
        self.within = around;
        said
    }

    fn left_out(&mut self, shape: &Shape, null_tells_apart: bool) -> Said {
        // Of a type of ours, null and leaving it out are one thing, unless a default says otherwise.
        let means_absent = !self.is_foreign && shape.default.as_ref().is_none_or(Value::is_null);
        match self.rules.optional {
            Optional::Nullable => {
                let mut part = self.shape(shape);
                let null = if admits_null(&part.wire) { NullMeans::NullOrAbsent } else { NullMeans::Absent };
                if null == NullMeans::NullOrAbsent && !means_absent {
                    self.lose(&shape.at, "leaving it out", "null, which is said of its own", Kept::Nowhere);
                }
                nullable(self.rules.null, &mut part.wire);
                Said { null, ..Said::as_it_is(part, true) }
            }
            Optional::LeftOut if means_absent && !null_tells_apart => {
                let other = shape.without_null();
                let null = if other.is_some() { NullMeans::Unsent } else { NullMeans::Null };
                let part = self.shape(other.as_ref().unwrap_or(shape));
                Said { null, ..Said::as_it_is(part, false) }
            }
            Optional::LeftOut | Optional::LeftOutOrNull => Said::as_it_is(self.shape(shape), false),
        }
    }

    fn beside(&mut self, shape: &Shape, object: &Object, properties: &Map<String, Value>) -> Beside {
        match (&object.rest, self.rules.maps) {
            (Rest::Closed, _) => Beside::default(),
            (Rest::Unsaid, Maps::Keyword) if properties.is_empty() || self.rules.keywords == Vocabulary::All => {
                Beside { keyword: Some((true.into(), Step::Keep)), ..Beside::default() }
            }
            (Rest::Unsaid, _) => {
                self.lose(&shape.at, "properties that are not declared", "the declared ones only", Kept::Nowhere);
                Beside::default()
            }
            (Rest::Map(entry), Maps::Keyword) => self.beside_by_keyword(entry),
            (Rest::Map(entry), Maps::Pairs) => {
                let mut name = OTHERS.to_owned();
                while properties.contains_key(&name) {
                    name.push('_');
                }
                let part = self.pairs(entry);
                let mut wire = part.wire;
                let mut words = Words::new(None);
                words.add("Any further properties, each with its name as the key.");
                super::described(&mut wire, words);
                let Step::Pairs(step) = part.step else { return Beside::default() };
                Beside { property: Some((name, wire, *step)), keyword: None }
            }
        }
    }

    fn beside_by_keyword(&mut self, entry: &Entry) -> Beside {
        let part = self.shape(&entry.value);
        for limit in &entry.key.limits {
            self.lose(&limit.at, format!("keys by `{}`", limit.keyword), "any key", Kept::OnlyChecked);
        }
        Beside { keyword: Some((Value::Object(part.wire), part.step)), property: None }
    }

    /// A map as a list of keys and values.
    fn map_as_pairs(&mut self, shape: &Shape, rest: &Rest, words: &mut Words) -> Part {
        words.add("A map, as a list of its entries; no key twice.");
        let any;
        let entry = if let Rest::Map(entry) = rest {
            entry
        } else {
            any = Entry { key: Shape::new(&shape.at, Form::Text), value: Shape::new(&shape.at, Form::Any) };
            &any
        };
        let part = self.pairs(entry);
        self.limits(shape, "object", &mut Map::new(), words);
        part
    }

    fn pairs(&mut self, entry: &Entry) -> Part {
        let key = self.shape(&entry.key);
        let value = self.shape(&entry.value);
        let properties =
            Map::from_iter([(KEY.to_owned(), Value::Object(key.wire)), (VALUE.to_owned(), Value::Object(value.wire))]);
        let pair = closed(self.rules, properties, vec![KEY.into(), VALUE.into()]);
        let wire = keywords! { "type": "array", "items": Value::Object(pair) };
        let said = "a map, in which no key stands twice";
        self.lose(&entry.key.at, said, "a list of entries", Kept::InDescription);
        Part { wire, step: Step::Pairs(Box::new(value.step)) }
    }
}

/// The object without properties, as the one value that it is.
fn empty() -> Part {
    let wire = keywords! { "type": "string", "enum": vec!["{}"] };
    Part { wire, step: Step::Table(vec![("{}".to_owned(), Value::Object(Map::new()))]) }
}

/// An object with these properties and no others.
pub(super) fn closed(rules: &Rules, properties: Map<String, Value>, required: Vec<Value>) -> Map<String, Value> {
    let mut wire = keywords! { "type": "object", "properties": Value::Object(properties) };
    if !required.is_empty() || rules.optional == Optional::Nullable {
        wire.insert("required".into(), required.into());
    }
    if rules.closing == Closing::Said {
        wire.insert("additionalProperties".into(), false.into());
    }
    wire
}

fn open(properties: Map<String, Value>, required: Vec<Value>, others: Value) -> Map<String, Value> {
    let mut wire = keywords! { "type": "object" };
    if !properties.is_empty() {
        wire.insert("properties".into(), Value::Object(properties));
    }
    if !required.is_empty() {
        wire.insert("required".into(), required.into());
    }
    wire.insert("additionalProperties".into(), others);
    wire
}
