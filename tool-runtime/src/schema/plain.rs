//! Generated schemas that no later step can refuse.
//!
//! Most types' schemas are made of few keywords in few ways, and one look over what was generated shows that nothing in
//! them can be wrong. Then all that follows (closing, ordering, writing, compiling) waits until somebody asks for the
//! schema or calls the tool. Whatever is not plain here may still be right: it goes through every step at once, and each
//! step judges for itself.

use serde_json::{Map, Value};

use super::keywords::Keywords as _;

use super::{format, graph, hidden, markers};

/// Deepest nesting of schemas; two containers each, and what they hold as data, stay within [`graph::MAX_DEPTH`].
const MAX_LEVELS: usize = 24;

/// Deepest nesting of data, such as a default.
const MAX_DATA_DEPTH: usize = 64;

/// Most schemas that apply to one value, without those that are referred to. As what is referred to refers no further, the
/// square of it stays below [`graph::MAX_EXPANSION`], and twice the levels below [`graph::MAX_CHAIN`].
const MAX_IN_PLACE: usize = 90;
const MAX_UNIONS: usize = 8;

const _: () = assert!(2 * MAX_LEVELS + MAX_DATA_DEPTH + 4 < graph::MAX_DEPTH);
const _: () = assert!((MAX_IN_PLACE * (MAX_IN_PLACE + 1)) as u64 <= graph::MAX_EXPANSION);
const _: () = assert!(2 * (MAX_UNIONS + 1) < graph::MAX_CHAIN);

/// Whether arguments of this schema are plain.
pub(super) fn reads(root: &Value) -> bool {
    root.as_object().is_some_and(|node| is_object(node) && is_plain(root, node, false))
}

/// Whether values of this schema are plain.
pub(super) fn writes(root: &Value) -> bool {
    root.as_object().is_some_and(|node| is_plain(root, node, true))
}

/// Whether the root is an object, and says so.
fn is_object(root: &Map<String, Value>) -> bool {
    let says_object = |node: &Map<String, Value>| node.look("type").is_some_and(|name| name == "object");
    let branches = ["oneOf", "anyOf"].into_iter().find_map(|keyword| root.look(keyword)).and_then(Value::as_array);
    let all_are = |branches: &Vec<Value>| branches.iter().all(|branch| branch.as_object().is_some_and(says_object));
    says_object(root)
        || (!root.says("type") && !root.says("properties") && !root.says("$ref") && branches.is_some_and(all_are))
}

fn is_plain(root: &Value, node: &Map<String, Value>, writes: bool) -> bool {
    let definitions = node.look("$defs").and_then(Value::as_object);
    let mut walk = Walk { definitions, writes, schemas: 0, in_place: 0 };
    walk.schema(root, Place { levels: 0, unions: 0, refers: false, root: true })
}

/// Whether what is plainly written is read: the two say the same, but that what is read may require less.
pub(super) fn is_read(written: &Value, read: &Value) -> bool {
    match (written, read) {
        (Value::Object(written), Value::Object(read)) => {
            let rest = |node| Map::iter(node).filter(|(keyword, value)| *keyword != "required" || !value.is_array());
            let mut reads = rest(read);
            let same = rest(written).all(|(keyword, written)| {
                reads.next().is_some_and(|(other, read)| keyword == other && is_read(written, read))
            });
            same && reads.next().is_none() && requires_less(read, written)
        }
        (Value::Array(written), Value::Array(read)) => {
            written.len() == read.len() && written.iter().zip(read).all(|(written, read)| is_read(written, read))
        }
        (written, read) => written == read,
    }
}

fn requires_less(read: &Map<String, Value>, written: &Map<String, Value>) -> bool {
    let Some(Value::Array(needed)) = read.look("required") else { return true };
    // In the order of the fields, as both are.
    let mut there = written.look("required").and_then(Value::as_array).into_iter().flatten();
    needed.iter().all(|name| there.any(|known| known == name))
}

struct Walk<'a> {
    definitions: Option<&'a Map<String, Value>>,
    writes: bool,
    schemas: usize,
    /// Schemas that apply to the value that the walk is at.
    in_place: usize,
}

#[derive(Clone, Copy)]
struct Place {
    levels: usize,
    /// Levels of unions on the same value.
    unions: usize,
    /// Whether a reference may stand here: not where one may lead.
    refers: bool,
    root: bool,
}

impl Place {
    fn below(self) -> Self {
        Self { levels: self.levels + 1, unions: 0, refers: true, root: false }
    }

    fn same(self) -> Self {
        Self { levels: self.levels + 1, unions: self.unions + 1, root: false, ..self }
    }

    fn definition(self) -> Self {
        Self { refers: false, ..self.below() }
    }
}

impl Walk<'_> {
    fn schema(&mut self, schema: &Value, place: Place) -> bool {
        let Value::Object(node) = schema else { return schema.is_boolean() && !place.root };
        self.schemas += 1;
        self.in_place += 1;
        if place.levels > MAX_LEVELS || place.unions > MAX_UNIONS || self.in_place > MAX_IN_PLACE {
            return false;
        }
        // An object that other schemas describe too is closed by what they say, which may multiply.
        let (mut is_object, mut parts) = (false, 0);
        let sound = node.iter().all(|(keyword, value)| match keyword.as_str() {
            "type" => {
                is_object |= names_object(value);
                are_types(value)
            }
            "properties" => {
                is_object = true;
                self.each_below(value, place)
            }
            "items" | "additionalProperties" => self.below(value, place.below()),
            "prefixItems" => list(value).is_some_and(|items| items.iter().all(|item| self.below(item, place.below()))),
            "anyOf" | "oneOf" => {
                parts += 1;
                list(value).is_some_and(|branches| branches.iter().all(|branch| self.schema(branch, place.same())))
            }
            "$ref" => {
                parts += 1;
                place.refers && self.leads_somewhere(value)
            }
            "$defs" => place.root && self.are_definitions(value, place),
            mark if mark.starts_with(markers::PREFIX) => self.is_settled_mark(mark, value, node),
            keyword => is_sound(keyword, value),
        });
        sound && (parts == 0 || (parts == 1 && !is_object)) && self.schemas < graph::MAX_SCHEMAS / 2
    }

    /// What applies to another value is counted anew.
    fn below(&mut self, schema: &Value, place: Place) -> bool {
        let around = std::mem::take(&mut self.in_place);
        let plain = self.schema(schema, place);
        self.in_place = around;
        plain
    }

    fn each_below(&mut self, value: &Value, place: Place) -> bool {
        value.as_object().is_some_and(|entries| entries.values().all(|schema| self.below(schema, place.below())))
    }

    /// Definitions keep their names, so that references lead where they seem to.
    fn are_definitions(&mut self, value: &Value, place: Place) -> bool {
        let Value::Object(entries) = value else { return false };
        let is_kept = |name: &str| {
            let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
            (1..=100).contains(&name.len()) && name.bytes().all(allowed)
        };
        entries.iter().all(|(name, schema)| is_kept(name) && self.below(schema, place.definition()))
    }

    fn leads_somewhere(&self, reference: &Value) -> bool {
        let Value::String(reference) = reference else { return false };
        let name = reference.strip_prefix("#/$defs/");
        reference == "#" || name.zip(self.definitions).is_some_and(|(name, known)| known.says(name))
    }

    /// Whether a mark goes without leaving anything to refuse.
    fn is_settled_mark(&self, mark: &str, value: &Value, node: &Map<String, Value>) -> bool {
        match mark {
            markers::STRICT | markers::SEES_ALL => true,
            markers::NEVER_NULL => !self.writes || is_something(node),
            markers::TYPE => value.as_str().is_some_and(|id| hidden::faults(id, self.writes, true).next().is_none()),
            _ => false,
        }
    }
}

/// Whether something is left of a schema that is never null.
fn is_something(node: &Map<String, Value>) -> bool {
    let is_null = |schema: &Value| schema.get("type").is_some_and(|name| name == "null");
    let some = |keyword: &str, null: &dyn Fn(&Value) -> bool| {
        node.look(keyword).and_then(Value::as_array).is_none_or(|alternatives| !alternatives.iter().all(null))
    };
    some("type", &|name| name == "null")
        && some("enum", &Value::is_null)
        && ["anyOf", "oneOf"].into_iter().all(|keyword| some(keyword, &is_null))
}

/// A list that is not empty.
fn list(value: &Value) -> Option<&Vec<Value>> {
    value.as_array().filter(|items| !items.is_empty())
}

fn names_object(value: &Value) -> bool {
    value == "object" || value.as_array().is_some_and(|names| names.iter().any(|name| name == "object"))
}

fn are_types(value: &Value) -> bool {
    let is_type =
        |name: &str| matches!(name, "string" | "integer" | "object" | "array" | "null" | "boolean" | "number");
    match value {
        Value::String(name) => is_type(name),
        Value::Array(names) => {
            !names.is_empty() && names.iter().all(|name| name.as_str().is_some_and(is_type)) && are_distinct(names)
        }
        _ => false,
    }
}

fn are_distinct(names: &[Value]) -> bool {
    names.iter().enumerate().all(|(index, name)| !names[..index].contains(name))
}

/// Whether a keyword that holds no schema is one that every step knows, with a value that it can have. What marks secrets is
/// looked at when the tool is registered.
fn is_sound(keyword: &str, value: &Value) -> bool {
    match keyword {
        "description" | "title" => value.is_string(),
        "format" => value.as_str().is_some_and(|name| {
            !matches!(name, "int128" | "uint128" | "ip" | "password") && !format::FOREIGN.contains(&name)
        }),
        "required" => value.as_array().is_some_and(|names| names.iter().all(Value::is_string) && are_distinct(names)),
        "enum" => list(value).is_some_and(|values| values.iter().all(is_scalar)),
        "const" => is_scalar(value),
        "default" => is_scalar(value) || graph::deeper_than(value, MAX_DATA_DEPTH).is_none(),
        "examples" => value.is_array() && graph::deeper_than(value, MAX_DATA_DEPTH).is_none(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => value.is_u64(),
        "uniqueItems" | "deprecated" | "readOnly" => value.is_boolean(),
        _ => false,
    }
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}
