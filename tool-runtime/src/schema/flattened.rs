//! What is joined into an object must be an object: a flattened field, and the content of a variant beside its tag.
//!
//! Only types can tell whether it is. schemars drops what it can't merge and serde fails at the first call, so both are
//! looked at here, when the tool is registered.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use super::keywords::Keywords as _;

use super::keywords::{self, ANNOTATIONS, type_word};
use super::markers::{LEAVES_KEYS, NO_OBJECT, REFUSES_EARLIER, REFUSES_LATER, SEES_ALL, STRICT};
use super::references::Names;
use super::violation::{Violation, in_schema, quoted};
use crate::json::Pointer;

/// Stands for the type of a flattened field in a schema, and notes there if it is no object.
#[derive(Debug)]
pub struct Flattened<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for Flattened<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
        let mut schema = T::json_schema(generator);
        note_if_no_object(&mut schema, generator);
        schema
    }
}

/// The same for the type of a flattened `Option`, which is there as a whole or not at all.
///
/// schemars would make each of its properties optional. serde reads what is there in part as if it were not there, so that
/// something would be lost.
#[derive(Debug)]
pub struct FlattenedOption<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for FlattenedOption<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
        let mut schema = T::json_schema(generator);
        let has_union = ["anyOf", "oneOf"].iter().any(|keyword| schema.get(*keyword).is_some());
        if schema.get("required").is_some() && !has_union {
            // To a union, schemars adds the alternative of nothing.
            schema = schemars::json_schema!({"anyOf": [schema]});
        }
        note_if_no_object(&mut schema, generator);
        schema
    }
}

/// The same for a field before another one that is flattened into the same object.
///
/// serde reads flattened fields in their order. A struct, and an enum that is tagged by a key of its own, take their keys
/// away. What must see every key to tell what it is gets all that are left, and takes none away; if it refuses those that it
/// does not know, as a struct of `#[tool_input]` does, it refuses its neighbours'.
#[derive(Debug)]
pub struct FlattenedBefore<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for FlattenedBefore<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
        let mut schema = Flattened::<T>::json_schema(generator);
        let name = T::schema_name().into_owned();
        if refuses_neighbours(schema.as_value(), generator, 0) {
            schema.insert(REFUSES_LATER.to_owned(), name.into());
        } else if leaves_keys(schema.as_value()) {
            schema.insert(LEAVES_KEYS.to_owned(), name.into());
        }
        schema
    }
}

/// The same for the last of several fields that are flattened into one object.
#[derive(Debug)]
pub struct FlattenedLast<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for FlattenedLast<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
        let mut schema = Flattened::<T>::json_schema(generator);
        if refuses_neighbours(schema.as_value(), generator, 0) {
            schema.insert(REFUSES_EARLIER.to_owned(), T::schema_name().into_owned().into());
        }
        schema
    }
}

/// Whether a type reads keys without taking them away.
fn leaves_keys(schema: &Value) -> bool {
    let is_map = ["additionalProperties", "patternProperties"].iter().any(|keyword| {
        let rest = schema.get(*keyword);
        rest.is_some_and(|rest| rest != &Value::Bool(false))
    });
    is_map || schema.get(SEES_ALL).is_some()
}

/// Whether one of a union's variants refuses keys that it does not know.
fn refuses_neighbours(schema: &Value, generator: &SchemaGenerator, depth: usize) -> bool {
    let Some(node) = schema.as_object().filter(|_| depth < super::graph::MAX_CHAIN) else { return false };
    let branches = |keyword: &str| node.get(keyword).and_then(Value::as_array).into_iter().flatten();
    let mut variants = branches("anyOf").chain(branches("oneOf"));
    (node.contains_key(STRICT) && node.contains_key("anyOf"))
        || variants.any(|variant| is_strict(variant, generator) || refuses_neighbours(variant, generator, depth + 1))
        || branches("allOf").any(|part| refuses_neighbours(part, generator, depth + 1))
}

/// Whether a variant is a struct, or an enum, that refuses keys.
fn is_strict(variant: &Value, generator: &SchemaGenerator) -> bool {
    let reference = variant.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|reference| generator.definitions().get(reference.rsplit('/').next()?));
    target.is_some_and(|target| {
        target.get(STRICT).is_some() || target.get("additionalProperties").is_some_and(|rest| rest == false)
    })
}

fn note_if_no_object(schema: &mut schemars::Schema, generator: &SchemaGenerator) {
    let reference = schema.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|reference| generator.definitions().get(reference.rsplit('/').next()?));
    let node = target.unwrap_or_else(|| schema.as_value());
    if let Some(kind) = node.as_object().and_then(kind_of_no_object) {
        schema.insert(NO_OBJECT.to_owned(), kind.into());
    }
}

/// What values of a schema are, if they are never objects.
fn kind_of_no_object(node: &Map<String, Value>) -> Option<String> {
    let kind = node.look("type")?;
    let may_be_object = match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "object"),
        kind => kind == "object",
    };
    (!may_be_object).then(|| kind.as_str().map_or_else(|| "no object".to_owned(), type_word))
}

/// Refuses what a flattened field left behind in the object that it was flattened into.
pub(super) fn refuse_noted(node: &mut Map<String, Value>, pointer: &Pointer, violations: &mut Vec<Violation>) {
    if let Some(kind) = node.shift_remove(NO_OBJECT) {
        let kind = kind.as_str().unwrap_or("no object");
        violations.push(refusal(pointer, "a flattened field", kind));
    }
    refuse_neighbours(node, pointer, violations);
}

/// Refuses fields that are flattened beside one that refuses their keys.
fn refuse_neighbours(node: &mut Map<String, Value>, pointer: &Pointer, violations: &mut Vec<Violation>) {
    let mut take = |mark: &str| node.shift_remove(mark)?.as_str().map(quoted);
    let (later, earlier, leaves) = (take(REFUSES_LATER), take(REFUSES_EARLIER), take(LEAVES_KEYS));
    let message = match (later, earlier, leaves) {
        (Some(name), ..) => format!(
            "the flattened {name} sees the keys of the fields that are flattened after it, and refuses them; put it last, or \
             drop its `#[serde(flatten)]`"
        ),
        (None, Some(name), Some(other)) => format!(
            "the flattened {name} sees the keys of the flattened {other} too, and refuses them; drop `#[serde(flatten)]` from \
             one of the two"
        ),
        _ => return,
    };
    violations.push(Violation::new(pointer.clone(), format!("{}: {message}", in_schema(pointer))));
}

/// Refuses objects that refer to what is no object, as the content of a tagged variant does.
pub(super) fn refusals(root: &Value, names: &Names) -> Vec<Violation> {
    let mut found = Vec::new();
    if !keywords::any(root, &|node| node.says("properties") && node.says("$ref")) {
        return found;
    }
    visit(root, root, names, &Pointer::root(), &mut found);
    found
}

// The depth of a generated schema is bounded before this.
fn visit(schema: &Value, root: &Value, names: &Names, pointer: &Pointer, found: &mut Vec<Violation>) {
    let Value::Object(node) = schema else { return };
    if node.says("properties")
        && let Some(kind) = joined(node, root, names)
    {
        found.push(refusal(pointer, "what stands beside the tag", &kind));
    }
    for child in keywords::children(node, pointer) {
        visit(child.schema, root, names, &child.pointer, found);
    }
}

/// Follows the references of a node, through types that are only a name for another.
fn joined(node: &Map<String, Value>, root: &Value, names: &Names) -> Option<String> {
    let mut target = names.resolve(root, node.look("$ref")?.as_str()?).ok()?.0;
    for _ in 0..super::graph::MAX_CHAIN {
        let node = target.as_object()?;
        match node.look("$ref").and_then(Value::as_str) {
            Some(next) if node.keys().all(|key| key == "$ref" || ANNOTATIONS.contains(&key.as_str())) => {
                target = names.resolve(root, next).ok()?.0;
            }
            _ => return kind_of_no_object(node),
        }
    }
    None
}

fn refusal(pointer: &Pointer, what: &str, kind: &str) -> Violation {
    let message = format!(
        "{}: only an object can be joined into an object, but {what} is {kind}; name its fields, or give it a name of its own \
         as a field",
        in_schema(pointer)
    );
    Violation::new(pointer.clone(), message)
}
