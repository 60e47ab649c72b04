//! Joins what several schemas say of one value.

use std::rc::Rc;

use super::Reader;
use super::own::is_of;
use crate::dialect::shape::{Entry, Form, Limit, Object, Property, Rest, Shape, Tuple, Union};

impl Reader<'_> {
    /// What both say. Words and default are those of the first, if it has any.
    pub(super) fn joined(&mut self, one: Shape, other: Shape) -> Shape {
        if one.is_any() && one.description.is_none() && one.default.is_none() {
            return other;
        }
        if other.is_any() && other.description.is_none() {
            return one;
        }
        self.places += 1;
        let is_concluded = one.is_concluded && other.is_concluded;
        let description = one.description.or(other.description);
        let default = one.default.or(other.default);
        let mut limits = one.limits;
        limits.extend(other.limits.into_iter().filter(|limit| !limits.contains(limit)).collect::<Vec<_>>());
        let at = if matches!(one.form, Form::Any) { other.at } else { one.at };
        let form = self.forms(one.form, other.form, &mut limits);
        Shape { at, description, default, form, limits, is_concluded }
    }

    fn forms(&mut self, one: Form, other: Form, limits: &mut Vec<Rc<Limit>>) -> Form {
        match (one, other) {
            (Form::Recursive(index), Form::Any) | (Form::Any, Form::Recursive(index)) => Form::Recursive(index),
            (Form::Recursive(index), other) | (other, Form::Recursive(index)) if is_bare(&other) => {
                Form::Recursive(index)
            }
            (Form::Recursive(index), other) | (other, Form::Recursive(index)) => {
                let Some(target) = self.target(index) else { return Form::Any };
                limits.extend(target.limits);
                self.forms(target.form, other, limits)
            }
            (Form::Any, other) | (other, Form::Any) => other,
            (Form::Union(union), other) => self.distributed(union, &other, limits, true),
            (other, Form::Union(union)) => self.distributed(union, &other, limits, false),
            (Form::Values(mut known), other) | (other, Form::Values(mut known)) => {
                known.retain(|known| admits(&other, &known.value));
                if known.is_empty() { Form::Never } else { Form::Values(known) }
            }
            (Form::Null, Form::Null) => Form::Null,
            (Form::Boolean, Form::Boolean) => Form::Boolean,
            (Form::Integer, Form::Integer | Form::Number) | (Form::Number, Form::Integer) => Form::Integer,
            (Form::Number, Form::Number) => Form::Number,
            (Form::Text, Form::Text) => Form::Text,
            (Form::List(one), Form::List(other)) => Form::List(Box::new(self.joined(*one, *other))),
            (Form::Tuple(tuple), Form::List(items)) | (Form::List(items), Form::Tuple(tuple)) => {
                Form::Tuple(self.tuple_of(tuple, &items))
            }
            (Form::Tuple(one), Form::Tuple(other)) => self.tuples(one, other),
            (Form::Object(one), Form::Object(other)) => self.objects(one, other),
            _ => Form::Never,
        }
    }

    /// What a definition says.
    fn target(&mut self, index: usize) -> Option<Shape> {
        if let Some(Some(definition)) = self.definitions.get(index) {
            return Some(definition.shape.clone());
        }
        // It is being read. Once more then; how deep that may go is bounded.
        let (target, place) = self.targets.get(index).cloned()?;
        Some(self.schema(target, &place))
    }

    fn distributed(&mut self, union: Union, other: &Form, limits: &mut Vec<Rc<Limit>>, union_first: bool) -> Form {
        let limits = std::mem::take(limits);
        let mut branches = Vec::new();
        for branch in union.branches {
            let part = Shape { limits: limits.clone(), ..Shape::new(&branch.at, other.clone()) };
            let mut joined = if union_first {
                self.joined(branch, part)
            } else {
                let (at, description) = (branch.at.clone(), branch.description.clone());
                Shape { at, description, ..self.joined(part, branch) }
            };
            joined.is_concluded = false;
            if !matches!(joined.form, Form::Never) {
                branches.push(joined);
            }
        }
        match branches.len() {
            0 => Form::Never,
            _ => Form::Union(Union { branches, is_exclusive: union.is_exclusive }),
        }
    }

    fn tuple_of(&mut self, tuple: Tuple, items: &Shape) -> Tuple {
        let joined = tuple.items.into_iter().map(|item| self.joined(item, items.clone())).collect();
        let rest = tuple.rest.map(|rest| Box::new(self.joined(*rest, items.clone())));
        Tuple { items: joined, least: tuple.least, rest }
    }

    fn tuples(&mut self, one: Tuple, other: Tuple) -> Form {
        let longest = one.items.len().max(other.items.len());
        let mut items = Vec::new();
        for index in 0..longest {
            let item = |tuple: &Tuple| tuple.items.get(index).or(tuple.rest.as_deref()).cloned();
            match (item(&one), item(&other)) {
                (Some(one), Some(other)) => items.push(self.joined(one, other)),
                _ => break,
            }
        }
        let least = one.least.max(other.least);
        if least > items.len() {
            return Form::Never;
        }
        let rest = match (one.rest, other.rest) {
            (Some(one), Some(other)) if items.len() == longest => Some(Box::new(self.joined(*one, *other))),
            _ => None,
        };
        Form::Tuple(Tuple { items, least, rest })
    }

    fn objects(&mut self, one: Object, other: Object) -> Form {
        let mut properties = Vec::new();
        let mut others: Vec<Option<Property>> = other.properties.into_iter().map(Some).collect();
        for property in one.properties {
            let twin = others
                .iter_mut()
                .find(|twin| twin.as_ref().is_some_and(|twin| twin.name == property.name))
                .and_then(Option::take);
            let joined = match twin {
                Some(twin) => Some(Property {
                    name: property.name,
                    is_required: property.is_required || twin.is_required,
                    shape: self.joined(property.shape, twin.shape),
                }),
                None => self.beside(property, &other.rest),
            };
            let Some(joined) = joined else { return Form::Never };
            properties.push(joined);
        }
        for property in others.into_iter().flatten() {
            let Some(joined) = self.beside(property, &one.rest) else { return Form::Never };
            properties.push(joined);
        }
        if properties.iter().any(|property| property.is_required && matches!(property.shape.form, Form::Never)) {
            return Form::Never;
        }
        properties.retain(|property| !matches!(property.shape.form, Form::Never));
        let rest = self.rests(one.rest, other.rest);
        Form::Object(Object { properties, rest })
    }

    /// A property that the other object does not declare; `None` if it must be there and may not.
    fn beside(&mut self, property: Property, rest: &Rest) -> Option<Property> {
        match rest {
            Rest::Unsaid => Some(property),
            Rest::Closed if property.is_required => None,
            Rest::Closed => {
                let shape = Shape::new(&property.shape.at, Form::Never);
                Some(Property { shape, ..property })
            }
            Rest::Map(entry) => Some(Property { shape: self.joined(property.shape, entry.value.clone()), ..property }),
        }
    }

    fn rests(&mut self, one: Rest, other: Rest) -> Rest {
        match (one, other) {
            (Rest::Closed, _) | (_, Rest::Closed) => Rest::Closed,
            (Rest::Unsaid, other) | (other, Rest::Unsaid) => other,
            (Rest::Map(one), Rest::Map(other)) => {
                let (one, other) = (*one, *other);
                let key = self.joined(one.key, other.key);
                let value = self.joined(one.value, other.value);
                Rest::Map(Box::new(Entry { key, value }))
            }
        }
    }
}

/// Whether it says no more than that it is an object, which a type that holds itself most often is.
fn is_bare(form: &Form) -> bool {
    matches!(form, Form::Object(object) if object.properties.is_empty() && matches!(object.rest, Rest::Unsaid))
}

fn admits(form: &Form, value: &serde_json::Value) -> bool {
    match form {
        Form::Values(others) => others.iter().any(|other| crate::json::equal(&other.value, value)),
        Form::Null => false,
        Form::Boolean => is_of(value, "boolean"),
        Form::Integer => is_of(value, "integer"),
        Form::Number => is_of(value, "number"),
        Form::Text => is_of(value, "string"),
        Form::List(_) | Form::Tuple(_) => is_of(value, "array"),
        Form::Object(_) => is_of(value, "object"),
        Form::Any | Form::Never | Form::Union(_) | Form::Recursive(_) => !matches!(form, Form::Never),
    }
}

/// Closes the objects that a value may be, as `unevaluatedProperties: false` does.
pub(super) fn close(shape: &mut Shape) {
    match &mut shape.form {
        Form::Object(object) if matches!(object.rest, Rest::Unsaid) => object.rest = Rest::Closed,
        Form::Union(union) => union.branches.iter_mut().for_each(close),
        _ => {}
    }
}
