//! From a type to its published schema.

use std::borrow::Cow;

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

use super::document::Schema;
use super::graph::{self, Survey};
use super::overlap::Variant;
use super::violation::{SchemaError, Violation, clipped, refuse_if_any};
use super::{closing, contract, definitions, flattened, markers, normalise, order, overlap, plain, root, two_way};
use crate::json::Pointer;
use crate::panics::contain;

/// The schema of a type's arguments: what it deserialises from, closed unless `open`.
///
/// # Errors
///
/// Everything that keeps the type from being a tool's arguments: a root that is not an object, a 128-bit integer, recursion
/// that goes through no property, a `JsonSchema` implementation that panics.
pub fn input_schema<T: JsonSchema + ?Sized>(open: bool) -> Result<Schema, SchemaError> {
    input_of(Source::of::<T>(), open)
}

/// The schema of a type's values: what it serialises to, closed unless the type is marked as open.
///
/// # Errors
///
/// Everything that keeps the type from being a tool's output, above all attributes that make it write what it does not read.
pub(crate) fn output_schema<T: JsonSchema + ?Sized>() -> Result<Schema, SchemaError> {
    output_of(Source::of::<T>())
}

/// What generation needs of a type, so that nothing else of it depends on the type.
#[derive(Clone, Copy)]
struct Source {
    name: fn() -> Cow<'static, str>,
    id: fn() -> Cow<'static, str>,
    schema: fn(SchemaGenerator) -> schemars::Schema,
}

impl Source {
    fn of<T: JsonSchema + ?Sized>() -> Self {
        Self { name: T::schema_name, id: T::schema_id, schema: SchemaGenerator::into_root_schema_for::<T> }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Contract {
    Reads,
    Writes,
}

fn input_of(source: Source, open: bool) -> Result<Schema, SchemaError> {
    let generated = generated(source, Contract::Reads)?;
    if !open && plain::reads(&generated.1) {
        return Ok(Schema::plain(|| finished(generated, Contract::Reads)));
    }
    judged_input(generated, open).map(Schema::new)
}

pub(super) fn judged_input(generated: Generated, open: bool) -> Result<Value, SchemaError> {
    let mut draft = Draft::of(generated, Contract::Reads, open)?;
    root::unfold(&mut draft.root);
    // The tool's own description stands beside its schema, and a registration may override it.
    draft.root.shift_remove("description");
    let (tree, survey) = draft.surveyed()?;
    refuse_if_any(root::refusals(&tree, &survey.names))?;
    refuse_if_any(flattened::refusals(&tree, &survey.names))?;
    let mut closed = closed(&tree, &survey, Contract::Reads)?;
    root::spell_out(&mut closed);
    Ok(arranged(closed))
}

fn output_of(source: Source) -> Result<Schema, SchemaError> {
    let (written, notes) = two_way::noted(|| generated(source, Contract::Writes));
    let written = written?;
    let is_plain = plain::writes(&written.1);
    if is_plain && notes.read_back(&(source.id)()) {
        debug_assert!(
            generated(source, Contract::Reads).and_then(|read| judged_output(written.clone(), read)).is_ok(),
            "a type that is said to read what it writes does not: {}",
            written.1
        );
        return Ok(Schema::plain(|| finished(written, Contract::Writes)));
    }
    let read = generated(source, Contract::Reads)?;
    if is_plain && plain::is_read(&written.1, &read.1) {
        return Ok(Schema::plain(|| finished(written, Contract::Writes)));
    }
    judged_output(written, read).map(Schema::new)
}

pub(super) fn judged_output(written: Generated, read: Generated) -> Result<Value, SchemaError> {
    // Most types write just what they read; that a field is never null only narrows what is written.
    let differs = !same(&written.1, &read.1);
    let mut draft = Draft::of(written, Contract::Writes, false)?;
    let variants = std::mem::take(&mut draft.variants);
    let (writes, survey) = draft.surveyed()?;
    refuse_if_any(flattened::refusals(&writes, &survey.names))?;
    if differs || !variants.is_empty() {
        let (reads, reads_survey) = Draft::of(read, Contract::Reads, false)?.surveyed()?;
        let (written, read) = ((&writes, &survey.names), (&reads, &reads_survey.names));
        refuse_if_any(contract::refutations(written, read))?;
        refuse_if_any(overlap::refusals(&variants, written, read))?;
    }
    Ok(arranged(closed(&writes, &survey, Contract::Writes)?))
}

/// The same steps for a plain schema: there is nothing to refuse, and objects are closed one by one.
pub(super) fn finished(generated: Generated, contract: Contract) -> Value {
    let mut root = Draft::settled(generated, contract, false).root;
    if contract == Contract::Reads {
        root.shift_remove("description");
    }
    closing::close_plainly(&mut root);
    if contract == Contract::Reads {
        root::spell_out(&mut root);
    }
    arranged(root)
}

fn closed(tree: &Value, survey: &Survey, contract: Contract) -> Result<Map<String, Value>, SchemaError> {
    match closing::close(tree, &survey.names, contract == Contract::Writes).map_err(SchemaError::new)? {
        Value::Object(root) => Ok(root),
        // A boolean root became an object when it was generated.
        _ => Ok(Map::new()),
    }
}

fn arranged(mut root: Map<String, Value>) -> Value {
    definitions::prune(&mut root);
    let mut tree = Value::Object(root);
    order::arrange(&mut tree);
    tree
}

/// A generated schema with its references settled.
struct Draft {
    root: Map<String, Value>,
    /// The variants of untagged enums.
    variants: Vec<Variant>,
    violations: Vec<Violation>,
}

impl Draft {
    fn of(generated: Generated, contract: Contract, open: bool) -> Result<Self, SchemaError> {
        if let Some(deep) = graph::deeper_than(&generated.1, graph::MAX_DEPTH) {
            let message = format!("the schema is nested deeper than {} levels", graph::MAX_DEPTH);
            return Err(SchemaError::one(deep, message));
        }
        Ok(Self::settled(generated, contract, open))
    }

    /// The depth of what was generated is bounded.
    fn settled((name, schema): Generated, contract: Contract, open: bool) -> Self {
        let mut root = match schema {
            Value::Object(root) => root,
            // What is never valid stays so; what is always valid is the empty schema.
            Value::Bool(false) => Map::from_iter([("not".to_owned(), Value::Object(Map::new()))]),
            _ => Map::new(),
        };
        if root.get("title").is_some_and(|title| title == name.as_ref()) {
            root.shift_remove("title");
        }
        if open {
            root.insert(markers::OPEN.into(), true.into());
        }
        definitions::settle(&mut root, &name);
        let mut violations = Vec::new();
        let mut tree = Value::Object(root);
        let variants = normalise::normalise(&mut tree, contract == Contract::Writes, &mut violations);
        let root = if let Value::Object(root) = tree { root } else { Map::new() };
        Self { root, variants, violations }
    }

    fn surveyed(self) -> Result<(Value, Survey), SchemaError> {
        let Self { root, mut violations, .. } = self;
        let tree = Value::Object(root);
        match graph::survey(&tree) {
            Ok(survey) if violations.is_empty() => Ok((tree, survey)),
            Ok(_) => Err(SchemaError::new(violations)),
            Err(more) => {
                violations.extend(more);
                Err(SchemaError::new(violations))
            }
        }
    }
}

/// A type's name, and its schema as schemars says it.
pub(super) type Generated = (Cow<'static, str>, Value);

/// Whether two schemas say the same in the same order. A list of what is still to do, as they may be nested to any depth.
fn same(one: &Value, other: &Value) -> bool {
    let mut waiting = vec![(one, other)];
    while let Some(pair) = waiting.pop() {
        match pair {
            (Value::Object(one), Value::Object(other)) => {
                if !one.keys().eq(other.keys()) {
                    return false;
                }
                waiting.extend(one.values().zip(other.values()));
            }
            (Value::Array(one), Value::Array(other)) => {
                if one.len() != other.len() {
                    return false;
                }
                waiting.extend(one.iter().zip(other));
            }
            (one, other) => {
                if one != other {
                    return false;
                }
            }
        }
    }
    true
}

/// Runs the author's `JsonSchema` implementations, which may do anything but end the process.
fn generated(source: Source, contract: Contract) -> Result<Generated, SchemaError> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let settings = match contract {
        Contract::Reads => settings.for_deserialize(),
        Contract::Writes => settings.for_serialize(),
    };
    contain(|| ((source.name)(), (source.schema)(settings.into_generator()).to_value())).map_err(|panic| {
        let message = format!("a JsonSchema implementation panicked: {}", clipped(&panic, 500));
        SchemaError::one(Pointer::root(), message)
    })
}
