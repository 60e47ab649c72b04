//! Unions: `anyOf` in every dialect, with null apart, and enums folded into one.

use std::borrow::Cow;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::words::Words;
use super::{Kept, Lowering, Part, described, keywords};
use crate::dialect::decoder::{Branch, Look, Step};
use crate::dialect::rules::Null;
use crate::dialect::shape::{Form, Known, Limit, Shape, Union};

impl Lowering<'_> {
    pub(super) fn union(&mut self, shape: &Shape, union: &Union, words: &mut Words) -> Part {
        let mut flat = Vec::new();
        flatten(union, &shape.limits, &mut flat);
        self.check_exclusive(shape, union);
        let has_null = flat.iter().any(|branch| matches!(branch.form, Form::Null));
        flat.retain(|branch| !matches!(branch.form, Form::Null | Form::Never));
        let branches = folded(flat);
        let mut part = match branches.as_slice() {
            [] if has_null => return self.null(&Shape::new(&shape.at, Form::Null), words),
            [] => return self.form(&Shape::new(&shape.at, Form::Never), words),
            [only] => self.only(only, words),
            _ => self.several(shape, &branches),
        };
        if has_null {
            nullable(self.rules.null, &mut part.wire);
        }
        part
    }

    /// The one branch that is left, whose words are then those of the place.
    fn only(&mut self, branch: &Shape, words: &mut Words) -> Part {
        if let Some(own) = &branch.description {
            words.or_own(own);
        }
        let part = self.form(branch, words);
        if branch.is_concluded {
            let said = "a schema without a type, which takes values of other types too";
            self.lose(&branch.at, said, "the type that its keywords are about", Kept::Nowhere);
        }
        part
    }

    fn several(&mut self, shape: &Shape, branches: &[Cow<'_, Shape>]) -> Part {
        let mut parts: Vec<(&Shape, Part)> = Vec::new();
        let null_tells_apart = self.overlap(branches.iter().map(Cow::as_ref));
        for branch in branches {
            self.null_tells_apart = null_tells_apart;
            let part = self.shape(branch);
            self.null_tells_apart = false;
            // Two that are told apart only by what can't be said.
            let is_known = parts.iter().any(|(_, other)| other.wire == part.wire && other.step.is_keep());
            if !(is_known && part.step.is_keep()) {
                parts.push((branch, part));
            }
        }
        let step = self.choice(shape, &parts);
        let mut wires: Vec<Value> = parts.into_iter().map(|(_, part)| Value::Object(part.wire)).collect();
        match wires.as_mut_slice() {
            [Value::Object(only)] => Part { wire: std::mem::take(only), step },
            _ => Part { wire: keywords! { "anyOf": wires }, step },
        }
    }

    /// How the branches are told apart on the way back, if that is needed.
    fn choice(&mut self, shape: &Shape, parts: &[(&Shape, Part)]) -> Step {
        if parts.iter().all(|(_, part)| part.step.is_keep()) {
            return Step::Keep;
        }
        let names: Vec<String> = self.names.clone();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let branches: Vec<Branch> = parts
            .iter()
            .map(|(branch, part)| Branch {
                sent: Look::sent(&part.wire, &names),
                own: Look::own(branch),
                step: part.step.clone(),
            })
            .collect();
        let is_told = |(index, one): (usize, &Branch)| {
            branches[index + 1..].iter().all(|other| one.is_told_from(other, &self.sent_looks))
        };
        if !branches.iter().enumerate().all(is_told) {
            self.refuse(
                &shape.at,
                "two variants look alike in this dialect, so that an answer could be read as the wrong one",
                "give the enum a tag, `#[serde(tag = \"…\")]`, or leave out the maps and any-values of its variants",
            );
        }
        Step::Choice(branches)
    }

    /// Whether some value fits two branches.
    fn overlap<'a>(&self, branches: impl Iterator<Item = &'a Shape>) -> bool {
        let looks: Vec<Look> = branches.map(Look::own).collect();
        looks
            .iter()
            .enumerate()
            .any(|(index, one)| looks[index + 1..].iter().any(|other| one.overlaps(other, &self.own_looks)))
    }

    /// `oneOf` becomes `anyOf`, which says the same where no value fits two branches.
    fn check_exclusive(&mut self, shape: &Shape, union: &Union) {
        if !union.is_exclusive {
            return;
        }
        if self.overlap(union.branches.iter()) {
            self.lose(&shape.at, "`oneOf`: exactly one", "`anyOf`: one or more", Kept::OnlyChecked);
        }
    }
}

/// The branches of a union and of the unions in it.
fn flatten<'a>(union: &'a Union, limits: &[Rc<Limit>], flat: &mut Vec<Cow<'a, Shape>>) {
    for branch in &union.branches {
        let all = || limits.iter().chain(&branch.limits).cloned().collect::<Vec<_>>();
        match &branch.form {
            Form::Union(inner) if branch.description.is_none() => flatten(inner, &all(), flat),
            _ if limits.is_empty() => flat.push(Cow::Borrowed(branch)),
            _ => flat.push(Cow::Owned(Shape { limits: all(), ..branch.clone() })),
        }
    }
}

/// Enums one beside another become one: every reader then shows the model the exact words.
fn folded(flat: Vec<Cow<'_, Shape>>) -> Vec<Cow<'_, Shape>> {
    let mut branches: Vec<Cow<'_, Shape>> = Vec::new();
    for mut branch in flat {
        if matches!(branch.form, Form::Values(_)) {
            let branch = branch.to_mut();
            let Form::Values(known) = &mut branch.form else { continue };
            if let [Known { note: note @ None, .. }] = known.as_mut_slice() {
                *note = branch.description.take();
            }
            let is_alike = |other: &&mut Cow<'_, Shape>| {
                matches!(other.form, Form::Values(_)) && other.limits == branch.limits && other.description.is_none()
            };
            let before = branches.iter_mut().find(is_alike).filter(|_| branch.description.is_none());
            if let Some(Shape { form: Form::Values(before), .. }) = before.map(Cow::to_mut) {
                let new = known.drain(..).filter(|known| !before.iter().any(|other| other.value == known.value));
                let new: Vec<Known> = new.collect();
                before.extend(new);
                continue;
            }
        }
        branches.push(branch);
    }
    branches
}

/// Whether null may be sent as it is.
pub(super) fn admits_null(wire: &Map<String, Value>) -> bool {
    let names_null = match wire.get("type") {
        Some(Value::String(name)) => name == "null",
        Some(Value::Array(names)) => names.iter().any(|name| name == "null"),
        _ => false,
    };
    let says_nothing = !["type", "enum", "anyOf", "$ref"].iter().any(|keyword| wire.contains_key(*keyword));
    let branches = wire.get("anyOf").and_then(Value::as_array);
    let in_branches = branches.is_some_and(|branches| branches.iter().filter_map(Value::as_object).any(admits_null));
    names_null || says_nothing || in_branches || wire.get("nullable") == Some(&Value::Bool(true))
}

/// The same place, which may be null too.
pub(super) fn nullable(null: Null, wire: &mut Map<String, Value>) {
    if admits_null(wire) {
        return;
    }
    if null == Null::Keyword {
        wire.insert("nullable".into(), true.into());
        return;
    }
    let is_plain =
        null == Null::Type && !["enum", "properties", "items"].into_iter().any(|keyword| wire.contains_key(keyword));
    if let Some(Value::String(name)) = wire.get_mut("type").filter(|_| is_plain)
        && name != "object"
        && name != "array"
    {
        let both = vec![std::mem::take(name), "null".to_owned()];
        wire.insert("type".into(), both.into());
        return;
    }
    let null = Value::Object(keywords! { "type": "null" });
    let description = wire.shift_remove("description");
    let is_union_alone = wire.len() == 1;
    match wire.get_mut("anyOf") {
        Some(Value::Array(branches)) if is_union_alone => branches.push(null),
        _ => {
            let other = Value::Object(std::mem::take(wire));
            wire.insert("anyOf".into(), Value::from(vec![other, null]));
        }
    }
    let mut words = Words::new(None);
    if let Some(Value::String(text)) = description {
        words.or_own(&text);
    }
    described(wire, words);
}
