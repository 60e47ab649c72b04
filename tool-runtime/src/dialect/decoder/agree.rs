//! Whether two branches read what fits both as the same.

use super::{Branch, Field, Look, NullMeans, Step};

impl Branch {
    /// Whether no value can be read as the wrong one of both: none looks like both, or those that do come back as the same.
    pub(in super::super) fn is_told_from(&self, other: &Self, definitions: &[Look]) -> bool {
        (self.step.undoes_nothing() && other.step.undoes_nothing())
            || !self.sent.overlaps(&other.sent, definitions)
            || self.agrees(other, definitions)
    }

    fn agrees(&self, other: &Self, definitions: &[Look]) -> bool {
        if !changes_fields_alone(&self.step) || !changes_fields_alone(&other.step) {
            return false;
        }
        let (Look::Object(looks, None), Look::Object(other_looks, None)) = (&self.sent, &other.sent) else {
            return false;
        };
        looks.iter().all(|(name, _, look)| {
            // What one of them does not know is in no value that fits both.
            let Some((.., other_look)) = other_looks.iter().find(|(other, ..)| other == name) else { return true };
            let (one, two) = (field(&self.step, name), field(&other.step, name));
            let is_kept = |field: Option<&Field>| {
                field.is_none_or(|field| field.sent == field.name && field.step.undoes_nothing())
            };
            let drops_null = |field: Option<&Field>| field.is_some_and(|field| field.null == NullMeans::Absent);
            let may_be_null = [look, other_look].iter().all(|look| look.overlaps(&Look::Null, definitions));
            is_kept(one) && is_kept(two) && (drops_null(one) == drops_null(two) || !may_be_null)
        })
    }
}

fn changes_fields_alone(step: &Step) -> bool {
    match step {
        Step::Keep => true,
        Step::Object(object) => object.rest.is_none() && object.others.is_keep(),
        _ => false,
    }
}

fn field<'a>(step: &'a Step, sent: &str) -> Option<&'a Field> {
    match step {
        Step::Object(object) => object.field(sent),
        _ => None,
    }
}
