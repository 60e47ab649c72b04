//! Why a value breaks its schema, in sentences that a model can act on.
//!
//! The program gives the verdict; this walk runs only for values that it refused. It goes down the schema and the value
//! together, takes each pair of a reference's target and a value once, and so takes no more time than there are pairs.

mod array;
mod fault;
mod object;
mod scalar;
mod union;

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use self::fault::{Fault, Kind};
use super::dialect::Dialect;
use super::format::Format;
use super::keywords::change_all_at;
use super::pattern::Pattern;
use super::references::Names;
use super::secrets::Hidden;
use super::violation::{MAX_FAULTS, MAX_VIOLATIONS, Side, Violation, in_schema};
use crate::json::Pointer;

pub(super) use self::fault::subject;
pub(super) use self::scalar::kind_word;

/// What a value is held against.
pub(super) struct Subject<'a> {
    pub(super) root: &'a Value,
    /// What messages must not show, if the schema has secrets.
    pub(super) hidden: Option<&'a Hidden>,
    pub(super) names: &'a Names,
    pub(super) side: Side,
    pub(super) dialect: Dialect,
    pub(super) formats: bool,
}

/// Every violation of a value that was refused; empty only if it breaks a keyword that has no words here.
pub(super) fn explain(subject: &Subject<'_>, value: &Value) -> Vec<Violation> {
    let mut walk =
        Walk { subject, known: HashMap::new(), patterns: HashMap::new(), suggestions_left: 2 * MAX_VIOLATIONS };
    let mut faults = Vec::new();
    walk.visit(subject.root, value, &Pointer::root(), &mut faults);
    let mut violations: Vec<Violation> = Vec::with_capacity(faults.len());
    let mut told = std::collections::HashSet::new();
    for fault in faults {
        let violation = fault.tell(subject.side);
        // Two schemas that apply to one value may ask for the same.
        if told.insert(violation.message().to_owned()) {
            violations.push(violation);
        }
    }
    violations
}

/// Refuses what the walk alone cannot judge.
pub(super) fn refuse_undecidable(schema: &Value) -> Result<(), Vec<Violation>> {
    let mut violations = Vec::new();
    change_all_at(&mut schema.clone(), &mut |node, place| {
        for keyword in ["unevaluatedItems", "$dynamicRef"].into_iter().filter(|keyword| node.contains_key(*keyword)) {
            let at = place.pointer().child(keyword);
            let message =
                format!("{} is not supported in a schema whose definitions share one another so much", in_schema(&at));
            violations.push(Violation::new(at, message));
        }
    });
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

struct Walk<'a> {
    subject: &'a Subject<'a>,
    /// Faults of values against targets of references, by address.
    known: HashMap<(*const Value, *const Value), Rc<[Fault]>>,
    patterns: HashMap<String, Option<Pattern>>,
    suggestions_left: usize,
}

type Node = Map<String, Value>;

impl Walk<'_> {
    fn visit(&mut self, schema: &Value, value: &Value, at: &Pointer, faults: &mut Vec<Fault>) {
        let node = match schema {
            Value::Object(node) => node,
            Value::Bool(false) => return faults.push(Fault::must(at, "must be left out: nothing is allowed here")),
            _ => return,
        };
        if faults.len() > MAX_FAULTS {
            return;
        }
        // Draft-07 ignores everything beside a reference.
        if self.subject.dialect == Dialect::Draft07 && node.contains_key("$ref") {
            return self.follow(node, value, at, faults);
        }
        if let Some(fault) = self.kind_fault(node, value, at) {
            return faults.push(fault);
        }
        match value {
            Value::Object(entries) => self.visit_object(node, entries, at, faults),
            Value::Array(items) => self.visit_array(node, items, at, faults),
            Value::String(text) => self.visit_string(node, value, text, at, faults),
            Value::Number(number) => self.visit_number(node, value, number, at, faults),
            _ => {}
        }
        self.follow(node, value, at, faults);
        self.visit_in_place(node, value, at, faults);
        if let Value::Object(entries) = value {
            self.visit_undeclared(node, value, entries, at, faults);
        }
    }

    /// Goes on with what a reference points at; each pair of target and value once.
    fn follow(&mut self, node: &Node, value: &Value, at: &Pointer, faults: &mut Vec<Fault>) {
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(reference) = self.get(node, keyword).and_then(Value::as_str) else { continue };
            let Ok((target, _)) = self.subject.names.resolve(self.subject.root, reference) else { continue };
            let pair = (std::ptr::from_ref(target), std::ptr::from_ref(value));
            if let Some(known) = self.known.get(&pair) {
                faults.extend(known.iter().cloned());
                continue;
            }
            let mut found = Vec::new();
            self.visit(target, value, at, &mut found);
            faults.extend(found.iter().cloned());
            self.known.insert(pair, found.into());
        }
    }

    fn visit_in_place(&mut self, node: &Node, value: &Value, at: &Pointer, faults: &mut Vec<Fault>) {
        for part in list(node, "allOf") {
            self.visit(part, value, at, faults);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = node.get(keyword) {
                self.visit_union(keyword, branches, value, at, faults);
            }
        }
        if let Some(schema) = node.get("not")
            && self.holds(schema, value, at)
        {
            faults.push(self.not_fault(schema, value, at));
        }
        if let Some(test) = node.get("if") {
            let keyword = if self.holds(test, value, at) { "then" } else { "else" };
            if let Some(schema) = node.get(keyword) {
                self.visit(schema, value, at, faults);
            }
        }
    }

    /// Whether a value satisfies a schema.
    fn holds(&mut self, schema: &Value, value: &Value, at: &Pointer) -> bool {
        let mut faults = Vec::new();
        self.visit(schema, value, at, &mut faults);
        faults.is_empty()
    }

    /// A keyword, if the dialect has it.
    fn get<'n>(&self, node: &'n Node, keyword: &str) -> Option<&'n Value> {
        node.get(keyword).filter(|_| self.subject.dialect.has(keyword))
    }

    fn pattern_holds(&mut self, pattern: &str, text: &str) -> bool {
        if !self.patterns.contains_key(pattern) {
            self.patterns.insert(pattern.to_owned(), Pattern::compile(pattern));
        }
        self.patterns[pattern].as_ref().is_none_or(|pattern| pattern.is_match(text))
    }

    #[allow(clippy::unused_self)] // only with the feature is there more to a format than its name
    fn format_holds(&self, name: &str, text: &str) -> bool {
        match Format::named(name) {
            Some(format) => format.holds(text),
            #[cfg(feature = "foreign-schemas")]
            None => super::engine::string_check("format", name).is_none_or(|check| check.is_valid(&text.into())),
            #[cfg(not(feature = "foreign-schemas"))]
            None => true,
        }
    }

    /// The schemas that apply to the same value in every case: the node itself, and what it refers to or lists in `allOf`.
    fn always<'s>(&'s self, schema: &'s Value) -> Vec<&'s Node> {
        let mut found = Vec::new();
        let mut stack = vec![schema];
        while let Some(schema) = stack.pop() {
            let Value::Object(node) = schema else { continue };
            stack.extend(list(node, "allOf"));
            let target = node.get("$ref").and_then(Value::as_str);
            let target = target.and_then(|name| self.subject.names.resolve(self.subject.root, name).ok());
            stack.extend(target.map(|(target, _)| target));
            found.push(node);
        }
        found
    }
}

fn list<'a>(node: &'a Node, keyword: &str) -> &'a [Value] {
    node.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn entries<'a>(node: &'a Node, keyword: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    entries_of(node.get(keyword))
}

fn entries_of(map: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    map.and_then(Value::as_object).into_iter().flatten()
}

/// A limit of a length or a count.
pub(super) fn limit(node: &Node, keyword: &str) -> Option<usize> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a limit beyond `usize` holds for every value
    node.get(keyword)
        .and_then(|limit| limit.as_u64().or_else(|| limit.as_f64().map(|float| float as u64)))
        .map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

fn plural(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("{count} {one}") } else { format!("{count} {many}") }
}
