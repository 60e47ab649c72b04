//! Laws of arguments: nothing that is sent makes the dispatcher panic, and what is published is what is decoded.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde::Serialize;
use serde_json::{Value, json};
use tests::{Seen, code, dispatcher_of, echo};
use tool_runtime::Limits;
use tool_runtime::prelude::*;

macro_rules! inputs {
    ($($(#[$attribute:meta])* struct $name:ident { $($(#[$field_attribute:meta])* $field:ident: $type:ty,)* })*) => {
        $(
            /// One of many.
            #[derive(Tool, Serialize)]
            #[tool(output = String, render = display, name = "input")]
            $(#[$attribute])*
            struct $name { $($(#[$field_attribute])* $field: $type,)* }
        )*
        echo!($($name),*);
    };
}

inputs! {
    struct Integers { a: u8, b: i8, c: Option<u64>, d: Option<i64>, e: Vec<u32>, }
    struct Floats { a: f64, b: Option<f32>, c: Vec<f64>, }
    struct Texts {
        a: String,
        b: Option<char>,
        #[schemars(length(min = 1, max = 3))]
        c: Option<String>,
        #[schemars(regex(pattern = "^[a-c]*$"))]
        d: Option<String>,
    }
    struct Lists {
        a: Vec<Vec<bool>>,
        b: (u8, String),
        c: Option<[i16; 2]>,
        #[schemars(length(max = 2))]
        d: Vec<()>,
    }
    struct Maps { a: BTreeMap<String, u8>, b: BTreeMap<String, BTreeMap<String, bool>>, c: BTreeMap<u16, u8>, d: BTreeMap<Plain, u8>, }
    struct Enums { a: Plain, b: External, c: Internal, d: Adjacent, e: Untagged, }
    struct Nested { a: Option<Inner>, b: Vec<Inner>, c: Option<Box<Node>>, }
    struct Flat {
        a: u8,
        #[serde(flatten)]
        b: Inner,
        #[serde(flatten)]
        c: Internal,
    }
    struct FlatMap {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    #[serde(default, rename_all = "camelCase")]
    struct Defaults { long_name: u8, b_c: Option<String>, d: Vec<Inner>, }
    struct Anything { a: Value, b: Option<Value>, }
    #[tool(open)]
    struct Open { a: u8, b: Option<Inner>, }
}

impl Default for Defaults {
    fn default() -> Self {
        Self { long_name: 7, b_c: None, d: vec![] }
    }
}

#[tool_input]
#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
enum Plain {
    One,
    #[serde(rename = "2")]
    Two,
}

#[tool_input]
#[derive(Serialize)]
enum External {
    Unit,
    New(u8),
    Pair(u8, String),
    Named { x: i8, y: Option<bool> },
}

#[tool_input]
#[derive(Serialize)]
#[serde(tag = "kind")]
enum Internal {
    Unit,
    New(Inner),
    Named { n: u64, f: f64 },
}

#[tool_input]
#[derive(Serialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(u8),
    Pair(u8, i8),
    Named { x: i8 },
}

#[tool_input]
#[derive(Serialize)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Text(String),
    Named { x: u8 },
    Other { z: Vec<u8> },
}

#[tool_input]
#[derive(Serialize)]
struct Inner {
    p: u32,
    #[serde(default)]
    q: Option<String>,
}

#[tool_input]
#[derive(Serialize)]
struct Node {
    value: i64,
    next: Option<Box<Node>>,
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i8>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i16>().prop_map(|n| json!(f64::from(n))),
        any::<f64>().prop_filter_map("finite", |f| f.is_finite().then(|| json!(f))),
        prop::sample::select(vec![
            json!(0),
            json!(-0.0),
            json!(255),
            json!(256),
            json!(-128),
            json!(1e300),
            json!(3.5e38),
            json!(0.5),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(18_446_744_073_709_551_616.0),
            json!(9_223_372_036_854_775_808.0),
        ]),
    ]
}

/// Names that the types above know, and some that none does.
fn key() -> impl Strategy<Value = String> {
    let known =
        "a b c d e p q x y z n f t kind value next rest longName bC One 2 Two Unit New Pair Named 7 65535 65536 07 zz";
    prop::sample::select(known.split(' ').map(str::to_owned).collect::<Vec<_>>())
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![key(), "[a-d]{0,4}", any::<String>()]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number(), text().prop_map(Value::from),];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// What each type takes, to start from.
fn seeds() -> Vec<Value> {
    let inner = json!({"p": 1, "q": "s"});
    vec![
        json!({"a": 1, "b": -1, "c": u64::MAX, "d": i64::MIN, "e": [1, 2.0]}),
        json!({"a": 1.5, "b": 2, "c": [-0.0, 1]}),
        json!({"a": "t", "b": "é", "c": "abc", "d": "abc"}),
        json!({"a": [[true], []], "b": [1, "x"], "c": [1, -2], "d": [null]}),
        json!({"a": {"k": 1}, "b": {"k": {"l": true}}, "c": {"7": 1}, "d": {"One": 1, "2": 2}}),
        json!({"a": "One", "b": {"Pair": [1, "s"]}, "c": {"kind": "Named", "n": 1.0, "f": 2}, "d": {"t": "Pair", "c": [1, -1]},
            "e": {"x": 1.0}}),
        json!({"a": "2", "b": "Unit", "c": {"kind": "New", "p": 3.0}, "d": {"t": "Unit"}, "e": -5.0}),
        json!({"a": null, "b": [inner], "c": {"value": 1.0, "next": {"value": 2, "next": null}}}),
        json!({"a": 1, "p": 2, "kind": "Unit"}),
        json!({"a": 1, "p": 2.0, "q": null, "kind": "Named", "n": 3.0, "f": -0.0}),
        json!({"a": 1, "x": [1.0, {"y": null}]}),
        json!({"longName": 3, "bC": "s", "d": [inner]}),
        json!({"a": {"b": [1.0, -0.0]}, "b": null}),
        json!({}),
    ]
}

/// One change somewhere in a tree: another value, one entry less, one entry more.
#[derive(Clone, Debug)]
struct Change {
    steps: Vec<prop::sample::Index>,
    kind: u8,
    key: String,
    value: Value,
}

fn change() -> impl Strategy<Value = Change> {
    (prop::collection::vec(any::<prop::sample::Index>(), 0..4), 0..4_u8, key(), value())
        .prop_map(|(steps, kind, key, value)| Change { steps, kind, key, value })
}

impl Change {
    fn apply(&self, root: &mut Value) {
        let mut at = root;
        for step in &self.steps {
            let length = match &*at {
                Value::Array(items) => items.len(),
                Value::Object(entries) => entries.len(),
                _ => 0,
            };
            if length == 0 {
                break;
            }
            let index = step.index(length);
            at = match at {
                Value::Array(items) => &mut items[index],
                Value::Object(entries) => entries.values_mut().nth(index).expect("the index is within the length"),
                _ => unreachable!("only containers have a length"),
            };
        }
        match (at, self.kind) {
            (Value::Object(entries), 0) => drop(entries.shift_remove(&self.key)),
            (Value::Object(entries), 1) => drop(entries.insert(self.key.clone(), self.value.clone())),
            (Value::Array(items), 0) => drop(items.pop()),
            (Value::Array(items), 1) => items.push(self.value.clone()),
            (at, _) => *at = self.value.clone(),
        }
    }
}

fn arguments() -> impl Strategy<Value = Value> {
    let mutated =
        (prop::sample::select(seeds()), prop::collection::vec(change(), 0..3)).prop_map(|(mut seed, changes)| {
            for change in &changes {
                change.apply(&mut seed);
            }
            seed
        });
    prop_oneof![4 => mutated, 1 => value()]
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// A type with its published schema: what the one takes, the other takes.
fn agree<T: Execute>() {
    let dispatcher = dispatcher_of::<T>();
    let schema = dispatcher.registry().spec(T::NAME).unwrap().input_schema.to_value();
    let judge = judge(schema);
    let taken =
        |dispatcher: &Dispatcher, arguments: &str| run(dispatcher.call(ToolCall::new("call-1", T::NAME, arguments)));
    let seeds = seeds();
    assert!(seeds.iter().any(|seed| taken(&dispatcher, &seed.to_string()).is_success()), "no seed is taken");
    let config = ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() };
    let law = |arguments: Value| {
        let result = taken(&dispatcher, &arguments.to_string());
        let text = result.content().to_text();
        let accepted = taken_by(&judge, &arguments);
        match code(&result) {
            "OK" => {
                prop_assert!(accepted, "decoded, and not accepted by the schema: {}", arguments);
                // What was decoded is accepted and decoded again, and means the same.
                prop_assert_eq!(taken(&dispatcher, &text).content().to_text(), text, "{}", arguments);
            }
            "INVALID_ARGS" => {
                prop_assert!(!accepted, "accepted by the schema, and not decoded: {}: {}", arguments, text);
            }
            other => prop_assert!(false, "{other}: {text}"),
        }
        Ok(())
    };
    TestRunner::new(config).run(&arguments(), law).unwrap_or_else(|error| panic!("{error}"));
}

/// A tool that gives the verdict of a published schema alone.
fn judge(schema: Value) -> Dispatcher {
    let tool = DynamicTool::new("input", "Judge.", |_, _| async { Ok(Value::Null) })
        .input_schema(schema)
        .output_schema(json!({}));
    let mut registry = Registry::new();
    registry.dynamic(tool).unwrap();
    Dispatcher::new(registry)
}

fn taken_by(judge: &Dispatcher, arguments: &Value) -> bool {
    run(judge.call(ToolCall::new("call-1", "input", arguments.to_string()))).is_success()
}

macro_rules! agreements {
    ($($test:ident: $type:ty;)*) => {$(
        #[test]
        fn $test() {
            agree::<$type>();
        }
    )*};
}

agreements! {
    integers_decode_as_published: Integers;
    floats_decode_as_published: Floats;
    texts_decode_as_published: Texts;
    lists_decode_as_published: Lists;
    maps_decode_as_published: Maps;
    enums_decode_as_published: Enums;
    nested_types_decode_as_published: Nested;
    flattened_types_decode_as_published: Flat;
    flattened_maps_decode_as_published: FlatMap;
    defaults_decode_as_published: Defaults;
    any_values_decode_as_published: Anything;
    open_types_decode_as_published: Open;
}

/// Text that is nearly JSON, and text that is not.
fn sent() -> impl Strategy<Value = String> {
    let broken =
        (arguments(), any::<prop::sample::Index>(), any::<char>(), 0..3_u8).prop_map(|(value, at, char, kind)| {
            let text = value.to_string();
            let at = text.floor_char_boundary(at.index(text.len()));
            match kind {
                0 => text[..at].to_owned(),
                1 => format!("{}{char}{}", &text[..at], &text[at..]),
                _ => format!("{text}{char}"),
            }
        });
    let pieces = prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "\\u", "d800", "1", "-", "1e999", ".5", "null", "tru",
        "\u{feff}", "\0", " ",
    ]);
    prop_oneof![
        any::<String>(),
        broken,
        prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat()),
        (any::<String>(), any::<String>()).prop_map(|(key, text)| json!({key: text}).to_string()),
    ]
}

#[test]
fn no_text_makes_the_dispatcher_panic_and_each_gets_one_result() {
    let (enums, open, seen) = (dispatcher_of::<Enums>(), dispatcher_of::<Open>(), Seen::default());
    let (enums, open) = (enums.observer(seen.clone()), open.observer(seen.clone()));
    let config = ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() };
    let mut calls = std::cell::Cell::new(0);
    let law = |(name, arguments): (String, String)| {
        for dispatcher in [&enums, &open] {
            let result = run(dispatcher.call(ToolCall::new("call-1", "input", arguments.as_str())));
            prop_assert!(["OK", "INVALID_ARGS"].contains(&code(&result)), "{:?}", result);
            let limits = Limits::default();
            prop_assert!(result.failure().is_none_or(|failure| failure.error().message().len() <= limits.error_bytes));
            prop_assert!(result.content().to_text().len() <= limits.content_bytes);
        }
        let unknown = run(enums.call(ToolCall::new(name.as_str(), format!("{name}!"), arguments)));
        prop_assert_eq!(code(&unknown), "UNKNOWN_TOOL");
        calls.set(calls.get() + 3);
        Ok(())
    };
    TestRunner::new(config).run(&(any::<String>(), sent()), law).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(seen.codes().len(), *calls.get_mut());
}
