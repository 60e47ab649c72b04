//! The canonical value: lossless or refused with its place, in a fixed order, and the same when it comes back.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hasher};

use serde::Serialize;
use serde_json::{Value, json};
use tests::{code, given, output_schema, put_back};
use tool_runtime::prelude::*;

/// Why a value was refused.
async fn refusal<T: ToolOutput>(value: impl Fn() -> T + Send + Sync + 'static) -> String {
    let result = given(value).await;
    assert_eq!(code(&result), "INVALID_TOOL_OUTPUT", "{result:?}");
    assert!(result.meta().is_none());
    result.failure().unwrap().error().message().to_owned()
}

async fn text<T: ToolOutput>(value: impl Fn() -> T + Send + Sync + 'static) -> String {
    let result = given(value).await;
    result.into_result().unwrap_or_else(|failure| panic!("{failure}")).value().to_string()
}

#[tool_output]
struct Scores {
    score: f64,
    points: Vec<f32>,
    by_name: BTreeMap<String, f64>,
    nested: Option<Box<Scores>>,
}

fn scores() -> Scores {
    Scores { score: 1.0, points: vec![], by_name: BTreeMap::new(), nested: None }
}

#[tokio::test]
async fn nan_and_infinities_are_refused_with_their_path_and_never_become_null() {
    assert_eq!(
        refusal(|| Scores { score: f64::NAN, ..scores() }).await,
        r#"tool "give" returned invalid output: "/score" is NaN, which JSON cannot say"#
    );
    let points = refusal(|| Scores { points: vec![0.0, f32::INFINITY], ..scores() }).await;
    assert!(points.contains(r#""/points/1" is infinity"#), "{points}");
    let map = refusal(|| Scores { by_name: [("a/b".to_owned(), f64::NEG_INFINITY)].into(), ..scores() }).await;
    assert!(map.contains(r#""/by_name/a~1b" is -infinity"#), "{map}");
    let deep = refusal(|| {
        let inner = Scores { points: vec![f32::NAN], ..scores() };
        Scores { nested: Some(Box::new(Scores { nested: Some(Box::new(inner)), ..scores() })), ..scores() }
    })
    .await;
    assert!(deep.contains(r#""/nested/nested/points/0" is NaN"#), "{deep}");
}

/// Writes what its function says, so that a value can be lossy in every way.
macro_rules! lossy {
    ($($name:ident: $write:expr;)*) => {$(
        #[derive(serde::Deserialize)]
        struct $name;

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(S) -> Result<S::Ok, S::Error> = $write;
                write(serializer)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({})
            }
        }

        impl ToolOutput for $name {}
    )*};
}

lossy! {
    Beyond: |serializer| serializer.serialize_u128(u128::from(u64::MAX) + 1);
    Below: |serializer| serializer.serialize_i128(i128::from(i64::MIN) - 1);
    Bytes: |serializer| serializer.serialize_bytes(b"bytes");
    TupleKey: |serializer| BTreeMap::from([((1, 2), 3)]).serialize(serializer);
    NullKey: |serializer| BTreeMap::from([((), 3)]).serialize(serializer);
    FloatKey: |serializer| serializer.collect_map([(1.5, 3)]);
    TwiceKey: |serializer| serializer.collect_map([("a", 3), ("b", 1), ("a", 4)]);
    PrintsAlike: |serializer| {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(&1, &1)?;
        map.serialize_entry("1", &2)?;
        map.end()
    };
    Fails: |_| Err(serde::ser::Error::custom("on strike"));
}

#[tokio::test]
async fn each_kind_of_loss_is_refused_at_its_place() {
    async fn at_depth<T: ToolOutput>(value: impl Fn() -> T + Send + Sync + Copy + 'static, because: &str, place: &str) {
        let bare = refusal(value).await;
        assert!(bare.contains(because), "{bare}");
        let deep = refusal(move || BTreeMap::from([("k".to_owned(), vec![Some(value())])])).await;
        assert!(deep.contains(because) && deep.contains(&format!("\"/k/0{place}\"")), "{deep}");
    }
    at_depth(|| Beyond, "beyond 64 bits", "").await;
    at_depth(|| Below, "beyond 64 bits", "").await;
    at_depth(|| Bytes, "byte string", "").await;
    at_depth(|| TupleKey, "key that is a tuple", "").await;
    at_depth(|| NullKey, "key that is a unit", "").await;
    at_depth(|| FloatKey, "key that is a float", "").await;
    at_depth(|| TwiceKey, "twice", "").await;
    at_depth(|| PrintsAlike, "twice", "").await;
    at_depth(|| Fails, "on strike", "").await;
    at_depth(|| f64::NAN, "NaN", "").await;
}

#[tokio::test]
async fn a_value_that_is_nested_too_deep_is_refused_and_not_overflowed() {
    fn nested(depth: usize) -> Value {
        (1..depth).fold(json!([]), |inner, _| Value::Array(vec![inner]))
    }
    assert_eq!(code(&given(|| nested(100)).await), "OK");
    let message = refusal(|| nested(2_000)).await;
    assert!(message.contains("nested deeper than"), "{message}");
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Extremes {
    i: i64,
    u: u64,
    f: f64,
    s: f32,
}

#[tokio::test]
async fn sixty_four_bits_and_every_bit_of_a_float_survive_value_text_and_the_way_back() {
    for value in [
        Extremes { i: i64::MIN, u: u64::MAX, f: -0.0, s: -0.0 },
        Extremes { i: i64::MAX, u: 9_007_199_254_740_993, f: 5e-324, s: f32::MAX },
        Extremes { i: -9_007_199_254_740_993, u: 0, f: f64::MAX, s: f32::MIN_POSITIVE },
        Extremes { i: 0, u: 1, f: 0.1 + 0.2, s: 0.1 },
        Extremes { i: 0, u: 1, f: 1e21, s: 16_777_216.0 },
    ] {
        let given_value = value.clone();
        let result = given(move || given_value.clone()).await;
        let success = result.success().unwrap();
        assert_eq!(success.content().to_text(), success.value().as_str(), "the text is the value's");
        assert!(success.value().as_str().contains(&format!("\"i\":{},\"u\":{},", value.i, value.u)));
        let back = success.value().to_value();
        let result = put_back(|| Extremes { i: 0, u: 0, f: 0.0, s: 0.0 }, back).await;
        let again: &Extremes = result.success().unwrap().value_as().unwrap();
        assert_eq!((again.i, again.u), (value.i, value.u));
        assert_eq!((again.f.to_bits(), again.s.to_bits()), (value.f.to_bits(), value.s.to_bits()), "{value:?}");
        assert_eq!(result.success().unwrap().value(), success.value());
    }
}

#[test]
fn a_single_float_publishes_its_range_and_no_format() {
    let schema = output_schema::<f32>().unwrap();
    assert_eq!(schema.get("format"), None);
    assert_eq!(schema["type"], "number");
    assert_eq!((schema["minimum"].as_f64(), schema["maximum"].as_f64()), (Some(-3.402_823_5e38), Some(3.402_823_5e38)));
    assert_eq!(output_schema::<f64>().unwrap(), json!({"type": "number"}));
}

#[tokio::test]
async fn the_greatest_single_float_is_within_its_own_range() {
    for value in [f32::MAX, f32::MIN] {
        let result = given(move || value).await;
        let text = result.success().unwrap().value().to_value();
        assert_eq!(put_back(|| 0_f32, text).await.success().unwrap().value_as(), Some(&value));
    }
    for too_large in [json!(3.5e38), json!(-1e39)] {
        assert_eq!(code(&put_back(|| 0_f32, too_large).await), "INVALID_TOOL_OUTPUT");
    }
}

/// A hasher whose order depends on its seed.
#[derive(Clone, Default)]
struct Seeded<const SEED: u64>;

struct SeededHasher(u64);

impl<const SEED: u64> BuildHasher for Seeded<SEED> {
    type Hasher = SeededHasher;

    fn build_hasher(&self) -> SeededHasher {
        SeededHasher(SEED)
    }
}

impl Hasher for SeededHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        }
    }
}

#[tokio::test]
async fn map_keys_are_written_in_sorted_order_whatever_the_hash_seed() {
    fn map<const SEED: u64>() -> HashMap<String, HashMap<String, u8, Seeded<SEED>>, Seeded<SEED>> {
        let inner = || ["b", "é", "a", "10", "9", "B", ""].into_iter().map(|key| (key.to_owned(), 1)).collect();
        (0..30).map(|index| (format!("k{index}"), inner())).collect()
    }
    let orders = (map::<1>().into_keys().collect::<Vec<_>>(), map::<2>().into_keys().collect::<Vec<_>>());
    assert_ne!(orders.0, orders.1, "the seeds matter");
    let (one, other) = (text(map::<1>).await, text(map::<2>).await);
    assert_eq!(one, other);
    assert!(one.starts_with(r#"{"k0":{"":1,"10":1,"9":1,"B":1,"a":1,"b":1,"é":1},"k1":{"#), "{one}");
}

#[tokio::test]
async fn a_whole_float_that_comes_back_for_an_integer_is_that_integer() {
    let result =
        put_back(|| Extremes { i: 0, u: 0, f: 0.0, s: 0.0 }, json!({"i": -3.0, "u": 4.0, "f": 5, "s": 6})).await;
    assert_eq!(result.success().unwrap().value().as_str(), r#"{"i":-3,"u":4,"f":5.0,"s":6.0}"#);
    for bad in [json!({"i": 0.5, "u": 0, "f": 0, "s": 0}), json!({"i": "1", "u": 0, "f": 0, "s": 0})] {
        let result = put_back(|| Extremes { i: 0, u: 0, f: 0.0, s: 0.0 }, bad).await;
        assert!(result.content().to_text().contains("/i"), "{}", result.content().to_text());
    }
}

#[tool_output]
struct Ranged {
    #[schemars(range(min = 1, max = 5))]
    n: u8,
    #[schemars(length(max = 2))]
    tags: Vec<String>,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    id: String,
}

#[tokio::test]
async fn what_is_published_of_a_value_is_enforced_with_every_fault_in_one_answer() {
    let bad = || Ranged { n: 9, tags: vec![String::new(); 3], id: "A".into() };
    let message = refusal(bad).await;
    for place in ["\"/n\" must be at most 5, got 9", "\"/tags\"", "\"/id\""] {
        assert!(message.contains(place), "{place}: {message}");
    }
    assert_eq!(text(|| Ranged { n: 5, tags: vec![], id: "a".into() }).await, r#"{"n":5,"tags":[],"id":"a"}"#);
}

#[tokio::test]
async fn struct_fields_stand_in_declared_order() {
    #[tool_output]
    struct Order {
        z: u8,
        a: u8,
        m: u8,
    }
    assert_eq!(text(|| Order { z: 1, a: 2, m: 3 }).await, r#"{"z":1,"a":2,"m":3}"#);
    let back = put_back(|| Order { z: 1, a: 2, m: 3 }, json!({"a": 5, "m": 6, "z": 4})).await;
    assert_eq!(back.success().unwrap().value().as_str(), r#"{"z":4,"a":5,"m":6}"#);
}
