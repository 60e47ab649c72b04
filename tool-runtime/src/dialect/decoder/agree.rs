//! Whether two branches read what fits both as the same.

use super::{Branch, Field, Look, NullMeans, Object, Step};

impl Branch {
    /// Whether no value can be read as the wrong one of both: none looks like both, or those that do come back as the same.
    pub(in super::super) fn is_told_from(&self, other: &Self, definitions: &[Look]) -> bool {
        (self.step.undoes_nothing() && other.step.undoes_nothing())
            || !self.sent.overlaps(&other.sent, definitions)
            || self.agrees(other, definitions)
    }

    fn agrees(&self, other: &Self, definitions: &[Look]) -> bool {
        let (Some(one), Some(two)) = (plain(&self.step), plain(&other.step)) else { return false };
        let (Look::Object(looks, None), Look::Object(other_looks, None)) = (&self.sent, &other.sent) else {
            return false;
        };
        looks.iter().all(|(name, _, look)| {
            // What one of them does not know is in no value that fits both.
            let Some((.., other_look)) = other_looks.iter().find(|(other, ..)| other == name) else { return true };
            let (one, two) = (one.and_then(|object| object.field(name)), two.and_then(|object| object.field(name)));
            let is_kept = |field: Option<&Field>| {
                field.is_none_or(|field| field.sent == field.name && field.step.undoes_nothing())
            };
            let drops_null = |field: Option<&Field>| field.is_some_and(|field| field.null == NullMeans::Absent);
            let may_be_null = [look, other_look].iter().all(|look| look.overlaps(&Look::Null, definitions));
            is_kept(one) && is_kept(two) && (drops_null(one) == drops_null(two) || !may_be_null)
        })
    }
}

/// An object whose fields are all that is changed; `None` inside if nothing is.
fn plain(step: &Step) -> Option<Option<&Object>> {
    match step {
        Step::Keep => Some(None),
        Step::Object(object) if object.rest.is_none() && object.others.is_keep() => Some(Some(object)),
        _ => None,
    }
}
