//! What values look like: enough to tell the branches of a union apart.

use serde_json::{Map, Value};

use super::Recursive;
use crate::dialect::shape::{Form, Rest, Shape};
use crate::json::equal;

/// What values look like. Bounds, lengths and patterns are no part of it.
#[derive(Clone, Debug)]
pub(in super::super) enum Look {
    Any,
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    Values(Vec<Value>),
    List(Box<Look>),
    /// The items, and how many of them must be there.
    Tuple(Vec<Look>, usize, Option<Box<Look>>),
    /// The properties, each with whether it must be there; and what others look like, if there may be any.
    Object(Vec<(String, bool, Look)>, Option<Box<Look>>),
    OneOf(Vec<Look>),
    Recursive(usize),
}

/// How often a type that holds itself is looked into when two looks are compared.
const DEEP: usize = 4;

impl Look {
    /// Whether a value looks like this: as it is sent, or in the tool's own form.
    pub(super) fn fits(&self, value: &Value, definitions: &[Recursive], is_sent: bool) -> bool {
        let fits = |look: &Self, value: &Value| look.fits(value, definitions, is_sent);
        match (self, value) {
            (Self::Any, _)
            | (Self::Null, Value::Null)
            | (Self::Boolean, Value::Bool(_))
            | (Self::Number, Value::Number(_))
            | (Self::Text, Value::String(_)) => true,
            (Self::Integer, Value::Number(number)) => number.as_f64().is_some_and(|float| float.fract() == 0.0),
            (Self::Values(known), value) => known.iter().any(|known| equal(known, value)),
            (Self::List(look), Value::Array(items)) => items.iter().all(|item| fits(look, item)),
            (Self::Tuple(looks, least, rest), Value::Array(items)) => {
                items.len() >= *least
                    && items
                        .iter()
                        .enumerate()
                        .all(|(index, item)| looks.get(index).or(rest.as_deref()).is_some_and(|look| fits(look, item)))
            }
            (Self::Object(fields, rest), Value::Object(entries)) => {
                fields
                    .iter()
                    .all(|(name, is_required, look)| entries.get(name).map_or(!is_required, |value| fits(look, value)))
                    && entries.iter().all(|(name, value)| {
                        fields.iter().any(|(known, ..)| known == name)
                            || rest.as_ref().is_some_and(|look| fits(look, value))
                    })
            }
            (Self::OneOf(looks), value) => looks.iter().any(|look| fits(look, value)),
            (Self::Recursive(index), value) => definitions
                .get(*index)
                .is_some_and(|target| fits(if is_sent { &target.sent } else { &target.own }, value)),
            _ => false,
        }
    }

    /// Whether some value may look like both. Where it is not known, it may.
    pub(in super::super) fn overlaps(&self, other: &Self, definitions: &[Look]) -> bool {
        self.overlaps_within(other, definitions, DEEP)
    }

    fn overlaps_within(&self, other: &Self, definitions: &[Look], fuel: usize) -> bool {
        let both = |one: &Self, other: &Self| one.overlaps_within(other, definitions, fuel);
        match (self, other) {
            (Self::Recursive(index), look) | (look, Self::Recursive(index)) => {
                let target = definitions.get(*index).filter(|_| fuel > 0);
                target.is_none_or(|target| target.overlaps_within(look, definitions, fuel - 1))
            }
            (Self::OneOf(looks), look) | (look, Self::OneOf(looks)) => looks.iter().any(|one| both(one, look)),
            (Self::Values(known), look) | (look, Self::Values(known)) => {
                known.iter().any(|value| look.may_be(value, definitions, fuel))
            }
            (Self::Any, _)
            | (_, Self::Any)
            | (Self::Null, Self::Null)
            | (Self::Boolean, Self::Boolean)
            | (Self::Integer | Self::Number, Self::Integer | Self::Number)
            | (Self::Text, Self::Text)
            // Both may be empty.
            | (Self::List(_), Self::List(_)) => true,
            (Self::Tuple(looks, least, _), Self::List(look)) | (Self::List(look), Self::Tuple(looks, least, _)) => {
                looks.iter().take(*least).all(|one| both(one, look))
            }
            (Self::Tuple(one, least, rest), Self::Tuple(two, other_least, other_rest)) => {
                let fits = |count: usize, looks: &[Self], rest: &Option<Box<Self>>| count <= looks.len() || rest.is_some();
                fits(*least, two, other_rest)
                    && fits(*other_least, one, rest)
                    && one.iter().zip(two).take((*least).max(*other_least)).all(|(one, two)| both(one, two))
            }
            (Self::Object(one, rest), Self::Object(two, other_rest)) => {
                let met = |fields: &[(String, bool, Self)], others: &[(String, bool, Self)], rest: &Option<Box<Self>>| {
                    fields.iter().filter(|(_, is_required, _)| *is_required).all(|(name, _, look)| {
                        match others.iter().find(|(other, ..)| other == name) {
                            Some((.., other)) => both(look, other),
                            None => rest.as_ref().is_some_and(|other| both(look, other)),
                        }
                    })
                };
                met(one, two, other_rest) && met(two, one, rest)
            }
            _ => false,
        }
    }

    fn may_be(&self, value: &Value, definitions: &[Look], fuel: usize) -> bool {
        match (self, value) {
            (Self::Recursive(index), value) => {
                let target = definitions.get(*index).filter(|_| fuel > 0);
                target.is_none_or(|target| target.may_be(value, definitions, fuel - 1))
            }
            (Self::OneOf(looks), value) => looks.iter().any(|look| look.may_be(value, definitions, fuel)),
            (Self::List(_) | Self::Tuple(..), Value::Array(_)) | (Self::Object(..), Value::Object(_)) => true,
            (look, value) => look.fits(value, &[], true),
        }
    }

    /// What the values of a schema look like as it was lowered.
    pub(in super::super) fn sent(wire: &Map<String, Value>, definitions: &[&str]) -> Self {
        let of = |schema: Option<&Value>| match schema {
            Some(Value::Object(schema)) => Self::sent(schema, definitions),
            _ => Self::Any,
        };
        let is_nullable = wire.get("nullable") == Some(&Value::Bool(true));
        let look = if let Some(Value::Array(values)) = wire.get("enum") {
            Self::Values(values.clone())
        } else if let Some(Value::String(reference)) = wire.get("$ref") {
            let name = reference.rsplit('/').next().unwrap_or_default();
            definitions.iter().position(|known| *known == name).map_or(Self::Any, Self::Recursive)
        } else if let Some(Value::Array(branches)) = wire.get("anyOf") {
            Self::OneOf(branches.iter().map(|branch| of(Some(branch))).collect())
        } else {
            match wire.get("type") {
                Some(Value::String(name)) => Self::of_type(name, wire, &of),
                Some(Value::Array(names)) => Self::OneOf(
                    names.iter().filter_map(Value::as_str).map(|name| Self::of_type(name, wire, &of)).collect(),
                ),
                _ => Self::Any,
            }
        };
        if is_nullable { Self::OneOf(vec![Self::Null, look]) } else { look }
    }

    fn of_type(name: &str, wire: &Map<String, Value>, of: &dyn Fn(Option<&Value>) -> Self) -> Self {
        match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::Text,
            "array" => match wire.get("prefixItems") {
                Some(Value::Array(items)) => {
                    let least = wire.get("minItems").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
                    let rest = wire.get("items").map(|items| Box::new(of(Some(items))));
                    Self::Tuple(items.iter().map(|item| of(Some(item))).collect(), least.unwrap_or(0), rest)
                }
                _ => Self::List(Box::new(of(wire.get("items")))),
            },
            _ => {
                let required = wire.get("required").and_then(Value::as_array);
                let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|other| other == name));
                let properties = wire.get("properties").and_then(Value::as_object).into_iter().flatten();
                let fields = properties.map(|(name, schema)| (name.clone(), is_required(name), of(Some(schema))));
                let rest = match wire.get("additionalProperties") {
                    Some(schema @ Value::Object(_)) => Some(Box::new(of(Some(schema)))),
                    Some(Value::Bool(true)) => Some(Box::new(Self::Any)),
                    _ => None,
                };
                Self::Object(fields.collect(), rest)
            }
        }
    }

    /// What the values of a shape look like in the tool's own form.
    pub(in super::super) fn own(shape: &Shape) -> Self {
        match &shape.form {
            Form::Any => Self::Any,
            Form::Never => Self::OneOf(Vec::new()),
            Form::Null => Self::Null,
            Form::Boolean => Self::Boolean,
            Form::Integer => Self::Integer,
            Form::Number => Self::Number,
            Form::Text => Self::Text,
            Form::Values(known) => Self::Values(known.iter().map(|known| known.value.clone()).collect()),
            Form::List(items) => Self::List(Box::new(Self::own(items))),
            Form::Tuple(tuple) => {
                let rest = tuple.rest.as_deref().map(|rest| Box::new(Self::own(rest)));
                Self::Tuple(tuple.items.iter().map(Self::own).collect(), tuple.least, rest)
            }
            Form::Object(object) => {
                let fields = object.properties.iter();
                let fields = fields.map(|field| (field.name.clone(), field.is_required, Self::own(&field.shape)));
                let rest = match &object.rest {
                    Rest::Closed => None,
                    Rest::Unsaid => Some(Box::new(Self::Any)),
                    Rest::Map(entry) => Some(Box::new(Self::own(&entry.value))),
                };
                Self::Object(fields.collect(), rest)
            }
            Form::Union(union) => Self::OneOf(union.branches.iter().map(Self::own).collect()),
            Form::Recursive(index) => Self::Recursive(*index),
        }
    }
}
