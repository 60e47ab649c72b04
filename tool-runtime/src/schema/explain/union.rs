//! Unions: the branch that was meant, or what the branches have in common.

use serde_json::{Map, Value};

use super::super::suggest::nearest;
use super::super::violation::quoted;
use super::fault::listed;
use super::{Fault, Kind, Node, Walk, entries, list};
use crate::json::{Pointer, equal};

impl Walk<'_> {
    pub(super) fn visit_union(
        &mut self,
        keyword: &str,
        branches: &[Value],
        value: &Value,
        at: &Pointer,
        faults: &mut Vec<Fault>,
    ) {
        let mut found: Vec<Vec<Fault>> = Vec::with_capacity(branches.len());
        for branch in branches {
            let mut of_branch = Vec::new();
            self.visit(branch, value, at, &mut of_branch);
            found.push(of_branch);
        }
        let matched = found.iter().filter(|faults| faults.is_empty()).count();
        match (keyword, matched) {
            (_, 0) => faults.extend(self.nearest_branch(branches, found, value, at)),
            ("oneOf", 2..) => {
                faults.push(Fault::must(at, format!("must match exactly one oneOf branch (matched {matched})")));
            }
            _ => {}
        }
    }

    /// The faults of the branch that the value was most likely meant for.
    fn nearest_branch(&self, branches: &[Value], found: Vec<Vec<Fault>>, value: &Value, at: &Pointer) -> Vec<Fault> {
        let mut candidates: Vec<usize> = (0..branches.len()).collect();
        if let Value::Object(entries) = value {
            match self.by_tag(branches, entries, at).or_else(|| self.by_key(branches, entries, at)) {
                Some(Chosen::Branches(chosen)) => candidates = chosen,
                Some(Chosen::Fault(fault)) => return vec![fault],
                None => {}
            }
        }
        let of_kind = |faults: &[Fault]| !faults.iter().any(|fault| fault.at == *at && is_kind(fault));
        let inside: Vec<usize> = candidates.iter().copied().filter(|&index| of_kind(&found[index])).collect();
        let fewest = inside.iter().copied().min_by_key(|&index| found[index].len());
        match fewest {
            Some(index) => found.into_iter().nth(index).unwrap_or_default(),
            None => merged(candidates.iter().flat_map(|&index| &found[index]), at),
        }
    }

    /// Internally and adjacently tagged enums: a property that is constant in every branch that is an object.
    fn by_tag(&self, branches: &[Value], value: &Map<String, Value>, at: &Pointer) -> Option<Chosen> {
        let tagged: Vec<Vec<(&str, &Value)>> = branches.iter().map(|branch| self.constants(branch)).collect();
        let objects: Vec<usize> = (0..branches.len()).filter(|&index| self.may_be_object(&branches[index])).collect();
        let mut names = objects.iter().flat_map(|&index| &tagged[index]).map(|(name, _)| *name);
        let in_all = |name: &str| objects.iter().all(|&index| tagged[index].iter().any(|(known, _)| *known == name));
        let tag = names.find(|name| in_all(name))?;
        let constant = |index: usize| tagged[index].iter().find(|(name, _)| *name == tag).map(|(_, value)| *value);
        let allowed: Vec<&Value> = objects.iter().filter_map(|&index| constant(index)).collect();
        let Some(sent) = value.get(tag) else {
            let several = allowed.len() > 1;
            let allowed = allowed.into_iter().cloned().collect();
            return several.then(|| Chosen::Fault(Fault::missing(at.child(tag), allowed)));
        };
        let matching: Vec<usize> =
            objects.iter().copied().filter(|&index| constant(index).is_some_and(|known| equal(known, sent))).collect();
        if matching.is_empty() {
            return Some(Chosen::Fault(Fault::values(&at.child(tag), &allowed, sent, self.got(sent))));
        }
        Some(Chosen::Branches(matching))
    }

    /// Externally tagged enums: every branch that is an object wants exactly one property, each another.
    fn by_key(&self, branches: &[Value], value: &Map<String, Value>, at: &Pointer) -> Option<Chosen> {
        let mut keys: Vec<(usize, &str)> = Vec::new();
        for (index, branch) in branches.iter().enumerate().filter(|(_, branch)| self.may_be_object(branch)) {
            let nodes = self.always(branch);
            let mut required = nodes.iter().flat_map(|node| list(node, "required")).filter_map(Value::as_str);
            let (key, None) = (required.next()?, required.next()) else { return None };
            if nodes.iter().map(|node| entries(node, "properties").count()).sum::<usize>() != 1 {
                return None;
            }
            keys.push((index, key));
        }
        if keys.len() < 2 {
            return None;
        }
        let matching: Vec<usize> =
            keys.iter().filter(|(_, key)| value.contains_key(*key)).map(|(index, _)| *index).collect();
        if !matching.is_empty() {
            return Some(Chosen::Branches(matching));
        }
        let names: Vec<Value> = keys.iter().map(|&(_, key)| key.into()).collect();
        let near = value.keys().find_map(|sent| nearest(sent, keys.iter().map(|(_, key)| *key)));
        let near = near.map(|near| format!("; did you mean {}?", quoted(near))).unwrap_or_default();
        let what = format!("must have exactly one of the properties {}{near}", listed(&names, 0));
        Some(Chosen::Fault(Fault::must(at, what)))
    }

    /// Properties of a branch that can only have one value.
    fn constants<'s>(&'s self, branch: &'s Value) -> Vec<(&'s str, &'s Value)> {
        let mut found = Vec::new();
        for node in self.always(branch) {
            for (name, schema) in entries(node, "properties") {
                let only =
                    schema.get("const").or_else(|| match schema.get("enum").and_then(Value::as_array)?.as_slice() {
                        [only] => Some(only),
                        _ => None,
                    });
                found.extend(only.map(|only| (name.as_str(), only)));
            }
        }
        found
    }

    fn may_be_object(&self, branch: &Value) -> bool {
        let excludes = |node: &&Node| {
            let typed = node.contains_key("type") && !super::super::keywords::names_type(node, "object");
            let fixed = |value: &Value| !value.is_object();
            typed
                || node.get("const").is_some_and(fixed)
                || node.get("enum").and_then(Value::as_array).is_some_and(|values| values.iter().all(fixed))
        };
        branch != &Value::Bool(false) && !self.always(branch).iter().any(excludes)
    }
}

enum Chosen {
    Branches(Vec<usize>),
    Fault(Fault),
}

/// Whether a fault says that the value is of another kind than the branch.
fn is_kind(fault: &Fault) -> bool {
    matches!(fault.kind, Kind::Type { .. } | Kind::Values { .. })
}

/// One sentence for branches that all want another kind of value.
fn merged<'f>(faults: impl Iterator<Item = &'f Fault>, at: &Pointer) -> Vec<Fault> {
    let mut types: Vec<String> = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    let mut more = 0;
    let mut shown = None;
    let mut sent = None;
    for fault in faults {
        match &fault.kind {
            Kind::Type { expected, got } => {
                shown = shown.or_else(|| got.clone());
                types.extend(expected.iter().cloned());
            }
            Kind::Values { allowed, more: left_out, or, got, text } => {
                more += left_out;
                shown = shown.or_else(|| got.clone());
                sent = sent.or_else(|| text.clone());
                types.extend(or.iter().cloned());
                values.extend(allowed.iter().cloned());
            }
            _ => {}
        }
    }
    let mut seen = std::collections::HashSet::new();
    types.retain(|word| seen.insert(word.clone()));
    let kind = if values.is_empty() {
        Kind::Type { expected: types, got: shown }
    } else {
        Kind::Values { allowed: values, more, or: types, got: shown, text: sent }
    };
    vec![Fault { at: at.clone(), kind }]
}
