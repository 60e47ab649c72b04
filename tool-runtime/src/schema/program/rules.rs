//! What a node asks of a value, a kind of value each.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Number, Value};

use super::NodeId;
use crate::schema::format::Format;
use crate::schema::pattern::Pattern;

/// A set of kinds of values. Numbers are whole or not, whatever their spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(pub(super) u8);

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(1 << 1);
    pub(super) const WHOLE: Self = Self(1 << 2);
    pub(super) const FRACTION: Self = Self(1 << 3);
    pub(super) const STRING: Self = Self(1 << 4);
    pub(super) const ARRAY: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);
    pub(super) const ALL: Self = Self((1 << 7) - 1);

    /// What a name in `type` stands for.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::WHOLE,
            "number" => Self::WHOLE.or(Self::FRACTION),
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }

    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::of_float(number.as_f64().unwrap_or_default()),
            Value::Number(_) => Self::WHOLE,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(super) fn of_float(float: f64) -> Self {
        if float.fract() == 0.0 { Self::WHOLE } else { Self::FRACTION }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub(super) fn has(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }
}

/// The values of `enum` and `const`.
pub(super) struct Fixed {
    /// Its strings, sorted.
    pub(super) strings: Box<[Box<str>]>,
    pub(super) others: Box<[Value]>,
}

/// Bounds and steps.
pub(super) struct Numbers {
    /// Those integers of 0 and more that hold, if that is all there is to say.
    pub(super) unsigned: Option<RangeInclusive<u64>>,
    /// The least and the greatest integer, if every bound is one.
    pub(super) range: Option<(i128, i128)>,
    /// The bounds as they are written, each with what a number must not be, compared with it.
    pub(super) bounds: Box<[(Number, Wrong)]>,
    pub(super) step: Option<Number>,
}

/// Which numbers break a bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Lengths in characters, patterns, formats.
pub(super) struct Strings {
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) pattern: Option<Pattern>,
    pub(super) format: Option<Format>,
}

/// Items of arrays.
pub(in crate::schema) struct Items {
    pub(super) first: Box<[NodeId]>,
    pub(super) rest: NodeId,
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) unique: bool,
    pub(super) contains: Option<Contains>,
}

pub(super) struct Contains {
    pub(super) node: NodeId,
    pub(super) least: usize,
    pub(super) most: usize,
}

impl Items {
    #[inline]
    pub(super) fn at(&self, index: usize) -> NodeId {
        self.first.get(index).copied().unwrap_or(self.rest)
    }
}

/// Properties of objects.
pub(in crate::schema) struct Properties {
    /// In the order of the schema.
    pub(super) known: Box<[Property]>,
    /// Their places in the order of their names, for objects that have many and send them in another order.
    pub(super) by_name: Box<[usize]>,
    /// How many of the known are required.
    pub(super) required: usize,
    /// The places of the required ones, a bit each, as far as there are bits.
    pub(super) required_places: u64,
    /// What is required and not declared.
    pub(super) also_required: Box<[Box<str>]>,
    pub(super) patterns: Box<[(Pattern, NodeId)]>,
    pub(super) rest: NodeId,
    /// Whether `additionalProperties` is there, so that each key counts as declared.
    pub(super) says_rest: bool,
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) names: Option<NodeId>,
    pub(super) needs: Box<[Needs]>,
}

pub(super) struct Property {
    pub(super) name: Box<str>,
    /// The name in quotes, and a colon.
    pub(super) first_key: Box<str>,
    /// The same behind a comma.
    pub(super) key: Box<str>,
    pub(super) node: NodeId,
    pub(super) required: bool,
    /// Where the name of the struct's field lies that was written last; 0 at first.
    pub(super) field: AtomicUsize,
}

impl Property {
    /// Whether this is the name that was found to be the property's before. `false` is no verdict.
    #[inline]
    pub(super) fn is_field(&self, name: &'static str) -> bool {
        name.len() == self.name.len() && name.as_ptr().addr() == self.field.load(Ordering::Relaxed)
    }
}

/// A key, and those that must be beside it.
pub(super) struct Needs {
    pub(super) key: Box<str>,
    pub(super) others: Box<[Box<str>]>,
}

/// More properties than this are looked up by halves.
const FEW: usize = 12;

impl Properties {
    /// Where the property of this name stands, if it is declared; `expected` is where it most likely does.
    #[inline]
    pub(super) fn place(&self, name: &str, expected: usize) -> Option<usize> {
        if self.known.get(expected).is_some_and(|property| *property.name == *name) {
            return Some(expected);
        }
        self.place_anywhere(name)
    }

    fn place_anywhere(&self, name: &str) -> Option<usize> {
        if self.known.len() <= FEW {
            return self.known.iter().position(|property| *property.name == *name);
        }
        let found = self.by_name.binary_search_by(|&place| (*self.known[place].name).cmp(name));
        found.ok().map(|index| self.by_name[index])
    }

    /// Whether they can be checked one after the other, each seen once.
    pub(super) fn stream(&self) -> bool {
        self.known.len() <= 64
            && self.also_required.is_empty()
            && self.patterns.is_empty()
            && self.names.is_none()
            && self.needs.is_empty()
    }
}

/// Schemas that apply to the same value.
#[derive(Default)]
pub(super) struct Parts {
    /// Those that must hold: `allOf`, and what is referred to beside other keywords.
    pub(super) all: Vec<NodeId>,
    pub(super) any: Option<Vec<NodeId>>,
    pub(super) one: Option<Vec<NodeId>>,
    pub(super) not: Option<NodeId>,
    /// `if`, `then` and `else`.
    pub(super) condition: Option<(NodeId, NodeId, NodeId)>,
    /// Keys with what holds if they are there.
    pub(super) dependent: Vec<(Box<str>, NodeId)>,
    /// `unevaluatedProperties`.
    pub(super) unevaluated: Option<NodeId>,
}

impl Parts {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
            && self.any.is_none()
            && self.one.is_none()
            && self.not.is_none()
            && self.condition.is_none()
            && self.dependent.is_empty()
            && self.unevaluated.is_none()
    }
}
