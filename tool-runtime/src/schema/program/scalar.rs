//! Values without parts: null, booleans, numbers, strings.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::rules::{Fixed, Kinds, Numbers, Parts, Strings, Wrong};
use super::{Node, NodeId, Program};
use crate::json::{compare, equal};
use crate::schema::number::{is_multiple, whole_float};

/// A value without parts, from a tree or from what is being written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scalar<'a> {
    Null,
    Bool(bool),
    Unsigned(u64),
    /// Less than 0.
    Negative(i64),
    Float(f64),
    String(&'a str),
}

impl<'a> Scalar<'a> {
    /// `None` for arrays and objects.
    pub(super) fn of(value: &'a Value) -> Option<Self> {
        Some(match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Self::Unsigned(number),
                (None, Some(number)) => Self::Negative(number),
                (None, None) => Self::Float(number.as_f64()?),
            },
            Value::String(text) => Self::String(text),
            Value::Array(_) | Value::Object(_) => return None,
        })
    }

    #[inline]
    fn kind(self) -> Kinds {
        match self {
            Self::Null => Kinds::NULL,
            Self::Bool(_) => Kinds::BOOLEAN,
            Self::Unsigned(_) | Self::Negative(_) => Kinds::WHOLE,
            Self::Float(float) => Kinds::of_float(float),
            Self::String(_) => Kinds::STRING,
        }
    }

    fn whole(self) -> Option<i128> {
        match self {
            Self::Unsigned(number) => Some(number.into()),
            Self::Negative(number) => Some(number.into()),
            Self::Float(float) => whole_float(float),
            _ => None,
        }
    }

    fn number(self) -> Option<Number> {
        match self {
            Self::Unsigned(number) => Some(number.into()),
            Self::Negative(number) => Some(number.into()),
            Self::Float(float) => Number::from_f64(float),
            _ => None,
        }
    }
}

impl Program {
    /// Whether a scalar satisfies a node.
    #[inline]
    pub(super) fn scalar(&self, id: NodeId, value: Scalar<'_>) -> bool {
        self.node_takes(self.node(id), value)
    }

    #[inline]
    pub(super) fn node_takes(&self, node: &Node, value: Scalar<'_>) -> bool {
        if node.plain.has(value.kind()) {
            return true;
        }
        node.kinds.has(value.kind()) && self.ruled_scalar(node, value)
    }

    fn ruled_scalar(&self, node: &Node, value: Scalar<'_>) -> bool {
        if let Some(fixed) = &node.fixed
            && !fixed.allows(value)
        {
            return false;
        }
        let own = match value {
            Scalar::String(text) => node.strings.as_ref().is_none_or(|rules| rules.hold(text)),
            Scalar::Null | Scalar::Bool(_) => true,
            _ => node.numbers.as_ref().is_none_or(|rules| rules.hold(value)),
        };
        own && node.parts.as_ref().is_none_or(|parts| self.scalar_parts(parts, value))
    }

    fn scalar_parts(&self, parts: &Parts, value: Scalar<'_>) -> bool {
        let holds = |id: &NodeId| self.scalar(*id, value);
        parts.all.iter().all(holds)
            && parts.any.as_ref().is_none_or(|branches| branches.iter().any(holds))
            && parts.one.as_ref().is_none_or(|branches| branches.iter().filter(|id| holds(id)).take(2).count() == 1)
            && parts.not.as_ref().is_none_or(|id| !holds(id))
            && parts
                .condition
                .is_none_or(|(test, then, otherwise)| holds(if holds(&test) { &then } else { &otherwise }))
    }
}

impl Fixed {
    fn allows(&self, value: Scalar<'_>) -> bool {
        match (value, value.number()) {
            (Scalar::String(text), _) => self.strings.binary_search_by(|known| (**known).cmp(text)).is_ok(),
            (_, Some(number)) => self.allows_value(&Value::Number(number)),
            (Scalar::Bool(value), _) => self.others.contains(&Value::Bool(value)),
            _ => self.others.contains(&Value::Null),
        }
    }

    /// Whether a value that is no string is one of these.
    pub(super) fn allows_value(&self, value: &Value) -> bool {
        self.others.iter().any(|known| equal(known, value))
    }
}

impl Numbers {
    fn hold(&self, value: Scalar<'_>) -> bool {
        if let (Some(range), Scalar::Unsigned(number)) = (&self.unsigned, value) {
            return range.contains(&number);
        }
        if let (Some((least, most)), Some(whole), None) = (self.range, value.whole(), &self.step) {
            return whole >= least && whole <= most;
        }
        let Some(number) = value.number() else { return true };
        !self.bounds.iter().any(|(bound, wrong)| wrong.is(compare(&number, bound)))
            && self.step.as_ref().is_none_or(|step| is_multiple(&number, step))
    }
}

impl Wrong {
    fn is(self, order: Ordering) -> bool {
        match self {
            Self::Less => order == Ordering::Less,
            Self::LessOrEqual => order != Ordering::Greater,
            Self::Greater => order == Ordering::Greater,
            Self::GreaterOrEqual => order != Ordering::Less,
        }
    }
}

impl Strings {
    fn hold(&self, text: &str) -> bool {
        self.length_holds(text)
            && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
            && self.format.is_none_or(|format| format.holds(text))
    }

    fn length_holds(&self, text: &str) -> bool {
        if self.least == 0 && text.len() <= self.most {
            // No text has more characters than bytes.
            return true;
        }
        let length = text.chars().count();
        length >= self.least && length <= self.most
    }
}
