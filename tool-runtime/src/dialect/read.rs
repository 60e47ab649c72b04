//! Reads a schema: follows its references, joins its parts, and keeps what narrows them.
//!
//! References are inlined, but for types that hold themselves, which become definitions. Every reader of tool schemas
//! takes that; some refuse references, or see only a part of them.

mod join;
mod own;
mod recursion;

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::loss::Unsupported;
use super::shape::{Definition, Document, Form, Limit, Shape, Union};
use crate::json::Pointer;
use crate::schema::{Names, Schema};

/// Most places that a schema may have once its references are inlined.
const MAX_PLACES: usize = 20_000;

/// Deepest nesting of places.
const MAX_DEPTH: usize = 100;

/// Keywords that another part of the reader looks at, or that say nothing to a validator.
const SILENT: &[&str] = &[
    "$schema",
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "readOnly",
    "writeOnly",
    "deprecated",
    "$vocabulary",
];

/// The whole of a schema.
///
/// # Errors
/// If it grows beyond measure.
pub(super) fn read(schema: &Schema) -> Result<Document, Vec<Unsupported>> {
    let root = schema.tree();
    let names = crate::schema::names(schema);
    let ignores_siblings = root.get("$schema").and_then(Value::as_str).is_some_and(|uri| uri.contains("draft-07"));
    let mut reader = Reader {
        root,
        names,
        ignores_siblings,
        recursive: HashMap::new(),
        targets: Vec::new(),
        definitions: Vec::new(),
        places: 0,
        depth: 0,
        is_too_large: false,
    };
    let shape = reader.schema(root, &Pointer::root());
    if reader.is_too_large {
        let reason = format!("with its references inlined it has more than {MAX_PLACES} places, or {MAX_DEPTH} levels");
        return Err(vec![Unsupported::new(&Pointer::root(), reason, "split the tool, or flatten the types it takes")]);
    }
    let definitions = reader.definitions.into_iter().flatten().collect();
    Ok(Document { root: shape, definitions })
}

struct Reader<'a> {
    root: &'a Value,
    names: Names,
    /// Whether keywords beside a reference say nothing, as in draft-07.
    ignores_siblings: bool,
    /// Whether the target of a reference holds itself, by address.
    recursive: HashMap<*const Value, bool>,
    /// The targets that are definitions, in their order.
    targets: Vec<(&'a Value, Pointer)>,
    /// `None` while one is read.
    definitions: Vec<Option<Definition>>,
    places: usize,
    depth: usize,
    is_too_large: bool,
}

type Node = Map<String, Value>;

impl<'a> Reader<'a> {
    fn schema(&mut self, schema: &'a Value, at: &Pointer) -> Shape {
        self.places += 1;
        self.is_too_large |= self.places > MAX_PLACES || self.depth > MAX_DEPTH;
        if self.is_too_large {
            return Shape::new(at, Form::Any);
        }
        match schema {
            Value::Object(node) => {
                self.depth += 1;
                let shape = self.node(node, at);
                self.depth -= 1;
                shape
            }
            Value::Bool(false) => Shape::new(at, Form::Never),
            _ => Shape::new(at, Form::Any),
        }
    }

    fn node(&mut self, node: &'a Node, at: &Pointer) -> Shape {
        let reference = look(node, "$ref").and_then(Value::as_str);
        let mut shape = match reference {
            Some(_) if self.ignores_siblings => Shape::new(at, Form::Any),
            _ => self.own(node, at),
        };
        if let Some(reference) = reference {
            let target = self.reference(reference, at, shape.is_any());
            shape = self.joined(shape, target);
        }
        if reference.is_none() || !self.ignores_siblings {
            shape = self.parts(node, at, shape);
        }
        // Some generators say so what can't be.
        let is_impossible =
            look(node, "not").is_some_and(|not| *not == true || not.as_object().is_some_and(Map::is_empty));
        if is_impossible {
            return Shape::new(at, Form::Never);
        }
        annotate(&mut shape, node);
        shape
    }

    /// What the schemas say that apply to the same value.
    fn parts(&mut self, node: &'a Node, at: &Pointer, mut shape: Shape) -> Shape {
        for (index, part) in look(node, "allOf").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let part = self.schema(part, &at.child("allOf").index(index));
            shape = self.joined(shape, part);
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(branches) = look(node, keyword).and_then(Value::as_array) else { continue };
            let place = at.child(keyword);
            let branches =
                branches.iter().enumerate().map(|(index, branch)| self.schema(branch, &place.index(index))).collect();
            let union = Union { branches, is_exclusive: keyword == "oneOf" };
            shape = self.joined(shape, Shape::new(at, Form::Union(union)));
        }
        match look(node, "unevaluatedProperties") {
            Some(Value::Bool(false)) => join::close(&mut shape),
            Some(other) if other != &Value::Bool(true) => shape.limits.push(limit("unevaluatedProperties", other, at)),
            _ => {}
        }
        shape
    }

    /// The target of a reference: inlined, or a definition if it holds itself and nothing stands beside the reference.
    fn reference(&mut self, reference: &str, at: &Pointer, is_alone: bool) -> Shape {
        // Every schema of a tool was surveyed when it was made, so that all its references lead somewhere.
        let Ok((target, place)) = self.names.resolve(self.root, reference) else { return Shape::new(at, Form::Any) };
        if is_alone && self.is_recursive(target) {
            return Shape::new(at, Form::Recursive(self.definition(target, &place)));
        }
        self.schema(target, &place)
    }

    fn definition(&mut self, target: &'a Value, place: &Pointer) -> usize {
        if let Some(known) = self.targets.iter().position(|(known, _)| std::ptr::eq(*known, target)) {
            return known;
        }
        let index = self.targets.len();
        self.targets.push((target, place.clone()));
        self.definitions.push(None);
        let name = place.segments().next_back().map_or_else(|| "Arguments".to_owned(), std::borrow::Cow::into_owned);
        // Two places of one last name.
        let is_taken = self.definitions.iter().flatten().any(|definition| definition.name == name);
        let name = if is_taken { format!("{name}_{index}") } else { name };
        let shape = self.schema(target, place);
        self.definitions[index] = Some(Definition { name, shape });
        index
    }
}

/// The words of a schema for the model. Those of a field win over those of its type, as they were written for this use.
fn annotate(shape: &mut Shape, node: &Node) {
    let text = |keyword: &str| look(node, keyword).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let own = match (text("title"), text("description")) {
        (Some(title), Some(description)) => Some(format!("{title}. {description}")),
        (title, description) => title.or(description).map(str::to_owned),
    };
    if own.is_some() {
        shape.description = own;
    }
    if let Some(default) = look(node, "default") {
        shape.default = Some(default.clone());
    }
    if look(node, "deprecated") == Some(&Value::Bool(true)) {
        let words = shape.description.take().unwrap_or_default();
        shape.description = Some(format!("{words} Deprecated.").trim_start().to_owned());
    }
}

/// A keyword. A schema has a handful, which are found by comparing sooner than by hashing.
fn look<'a>(node: &'a Node, keyword: &str) -> Option<&'a Value> {
    if node.len() > 24 {
        return node.get(keyword);
    }
    node.iter().find(|(name, _)| *name == keyword).map(|(_, value)| value)
}

fn limit(keyword: &str, value: &Value, at: &Pointer) -> Rc<Limit> {
    Rc::new(Limit { keyword: keyword.to_owned(), value: value.clone(), at: at.clone() })
}
