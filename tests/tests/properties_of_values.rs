//! Laws of values: whatever a type can be is accepted, and comes back as itself.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use proptest::collection::{btree_map, hash_map, vec};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use tests::giver;
use tool_runtime::prelude::*;
use tool_runtime::{JsonValue, json};

/// Puts what it holds in the place of the value.
struct Replace(Arc<Mutex<JsonValue>>);

impl PostPolicy for Replace {
    fn name(&self) -> &'static str {
        "replace"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::replace_value(self.0.lock().unwrap().clone()))
    }
}

/// Every value of the strategy is accepted, and a policy that puts it back as JSON gives the same value and text; also
/// with its numbers spelt the other way, whole floats for integers and integers for whole floats.
fn comes_back<T: ToolOutput + Clone + PartialEq + Debug>(values: impl Strategy<Value = T>) {
    let source = Arc::new(Mutex::new(None::<T>));
    let given = Arc::clone(&source);
    let registry = giver(move || given.lock().unwrap().clone().expect("a value is set")).unwrap();
    let replaced = Arc::new(Mutex::new(JsonValue::Null));
    let plain = Dispatcher::new(registry.clone());
    let replacing = Dispatcher::new(registry).policy(Replace(Arc::clone(&replaced)));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let call =
        |dispatcher: &Dispatcher| runtime.block_on(dispatcher.call(ToolCall::without_arguments("call-1", "give")));
    let config = ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() };
    let law = |value: T| {
        *source.lock().unwrap() = Some(value.clone());
        let first = call(&plain);
        let Some(success) = first.success() else {
            return Err(TestCaseError::fail(format!("{value:?}: {first:?}")));
        };
        prop_assert_eq!(success.value_as(), Some(&value));
        let text = success.value().clone();
        prop_assert_eq!(&json::write(&value).unwrap(), &text, "same value, same bytes");
        prop_assert_eq!(success.content().to_text(), text.as_str());
        for back in [text.to_value(), respelt(&text.to_value())] {
            *replaced.lock().unwrap() = back.clone();
            let second = call(&replacing);
            let Some(success) = second.success() else {
                return Err(TestCaseError::fail(format!("{back}: {second:?}")));
            };
            prop_assert_eq!(success.value_as(), Some(&value), "{}", back);
            prop_assert_eq!(success.value(), &text);
        }
        Ok(())
    };
    TestRunner::new(config).run(&values, law).unwrap_or_else(|error| panic!("{error}"));
}

/// The same JSON, with integers as floats where no digit is lost, and its keys in another order.
fn respelt(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_i64() {
            #[expect(clippy::cast_precision_loss, reason = "within 53 bits")]
            Some(integer) if integer.unsigned_abs() < 1 << 53 => Value::from(integer as f64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(respelt).collect(),
        Value::Object(entries) => entries.iter().rev().map(|(key, value)| (key.clone(), respelt(value))).collect(),
        other => other.clone(),
    }
}

fn finite() -> impl Strategy<Value = f64> + Clone {
    any::<f64>().prop_filter("finite", |float| float.is_finite())
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Scalars {
    a: u8,
    b: i64,
    c: u64,
    d: f64,
    e: f32,
    f: bool,
    g: char,
    h: String,
    i: (),
    j: Option<i16>,
}

fn scalars() -> impl Strategy<Value = Scalars> {
    let single = any::<f32>().prop_filter("finite", |float| float.is_finite());
    (any::<(u8, i64, u64, bool, char, String, Option<i16>)>(), finite(), single)
        .prop_map(|((a, b, c, f, g, h, j), d, e)| Scalars { a, b, c, d, e, f, g, h, i: (), j })
}

#[test]
fn scalars_come_back() {
    comes_back(scalars());
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Containers {
    list: Vec<Vec<u32>>,
    map: BTreeMap<String, Option<i64>>,
    hash: HashMap<String, Vec<bool>>,
    by_number: BTreeMap<i32, u8>,
    by_bool: BTreeMap<bool, u8>,
    array: [i8; 3],
    pair: (String, f64),
    boxed: Option<Box<Containers>>,
}

fn containers() -> impl Strategy<Value = Containers> {
    let flat = (
        vec(vec(any::<u32>(), 0..3), 0..3),
        btree_map(any::<String>(), any::<Option<i64>>(), 0..4),
        hash_map("[a-c/~]{0,2}", vec(any::<bool>(), 0..2), 0..4),
        btree_map(any::<i32>(), any::<u8>(), 0..4),
        btree_map(any::<bool>(), any::<u8>(), 0..2),
        any::<[i8; 3]>(),
        (any::<String>(), finite()),
    )
        .prop_map(|(list, map, hash, by_number, by_bool, array, pair)| Containers {
            list,
            map,
            hash,
            by_number,
            by_bool,
            array,
            pair,
            boxed: None,
        });
    (flat.clone(), proptest::option::of(flat))
        .prop_map(|(outer, inner)| Containers { boxed: inner.map(Box::new), ..outer })
}

#[test]
fn containers_come_back() {
    comes_back(containers());
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Leaf {
    n: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

fn leaf() -> impl Strategy<Value = Leaf> + Clone {
    any::<(u32, Option<String>, std::vec::Vec<String>)>().prop_map(|(n, text, tags)| Leaf { n, text, tags })
}

#[test]
fn fields_that_are_left_out_come_back() {
    comes_back(leaf());
    comes_back(vec(proptest::option::of(leaf()), 0..4));
    comes_back((leaf(), any::<u8>(), proptest::option::of(leaf())));
    comes_back(btree_map(any::<String>(), leaf(), 0..4));
}

macro_rules! enums {
    ($($(#[$attribute:meta])* $name:ident: $strategy:ident;)*) => {$(
        #[tool_output]
        #[derive(Clone, Debug, PartialEq)]
        $(#[$attribute])*
        enum $name {
            Unit,
            New(Leaf),
            Named { a: i8, f: f64 },
            Empty {},
        }

        fn $strategy() -> impl Strategy<Value = $name> + Clone {
            prop_oneof![
                Just($name::Unit),
                leaf().prop_map($name::New),
                (any::<i8>(), finite()).prop_map(|(a, f)| $name::Named { a, f }),
                Just($name::Empty {}),
            ]
        }
    )*};
}

enums! {
    External: external;
    #[serde(tag = "kind")]
    Internal: internal;
    #[serde(tag = "t", content = "c")]
    Adjacent: adjacent;
}

#[test]
fn externally_tagged_enums_come_back() {
    comes_back(external());
    comes_back(vec(external(), 0..4));
}

#[test]
fn internally_tagged_enums_come_back() {
    comes_back(internal());
    comes_back(vec(internal(), 0..4));
}

#[test]
fn adjacently_tagged_enums_come_back() {
    comes_back(adjacent());
    comes_back(vec(adjacent(), 0..4));
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Flag(bool),
    Whole(i32),
    Text(String),
    List(Vec<u8>),
    Leaf { n: u32, m: i64 },
    Other { z: Option<u8> },
}

fn untagged() -> impl Strategy<Value = Untagged> + Clone {
    prop_oneof![
        any::<bool>().prop_map(Untagged::Flag),
        any::<i32>().prop_map(Untagged::Whole),
        any::<String>().prop_map(Untagged::Text),
        vec(any::<u8>(), 0..3).prop_map(Untagged::List),
        any::<(u32, i64)>().prop_map(|(n, m)| Untagged::Leaf { n, m }),
        any::<Option<u8>>().prop_map(|z| Untagged::Other { z }),
    ]
}

#[test]
fn untagged_enums_come_back() {
    comes_back(untagged());
    comes_back(vec(untagged(), 0..4));
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    leaf: Leaf,
    #[serde(flatten)]
    kind: InternalFlat,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum InternalFlat {
    Unit,
    Named { a: i8, b: u64 },
}

fn flat() -> impl Strategy<Value = Flat> {
    let kind =
        prop_oneof![Just(InternalFlat::Unit), any::<(i8, u64)>().prop_map(|(a, b)| InternalFlat::Named { a, b })];
    (any::<u8>(), leaf(), kind).prop_map(|(id, leaf, kind)| Flat { id, leaf, kind })
}

#[test]
fn flattened_types_come_back() {
    comes_back(flat());
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Generic<T> {
    items: Vec<T>,
    first: Option<T>,
}

#[test]
fn generic_types_and_newtypes_come_back() {
    #[tool_output]
    #[derive(Clone, Debug, PartialEq)]
    struct Newtype(Generic<Leaf>);

    let generic = (vec(leaf(), 0..3), proptest::option::of(leaf()));
    comes_back(generic.prop_map(|(items, first)| Newtype(Generic { items, first })));
    comes_back((vec(any::<u64>(), 0..3), any::<Option<u64>>()).prop_map(|(items, first)| Generic { items, first }));
}

#[test]
fn any_json_comes_back() {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(4, 20, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            hash_map(any::<String>(), inner, 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    });
    let source = Arc::new(Mutex::new(Value::Null));
    let given = Arc::clone(&source);
    let dispatcher = Dispatcher::new(giver(move || given.lock().unwrap().clone()).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let config = ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    let law = |value: Value| {
        *source.lock().unwrap() = value.clone();
        let result = runtime.block_on(dispatcher.call(ToolCall::without_arguments("call-1", "give")));
        prop_assert_eq!(result.success().unwrap().value().to_value(), value);
        Ok(())
    };
    TestRunner::new(config).run(&value, law).unwrap_or_else(|error| panic!("{error}"));
}
