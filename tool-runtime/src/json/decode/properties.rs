use super::samples::{Adjacent, External, Flat, Internal, Newtype, Pair, Point, Size, Unit, Untagged};
use super::*;
use crate::json::check::Unchecked;
use crate::json::parse::tests::json_text;
use crate::json::{JsonText, ParseLimits, follow, parse};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

fn round_trip<T: Serialize + for<'a> Deserialize<'a> + PartialEq + Debug>(
    value: &T,
) -> Result<JsonText, TestCaseError> {
    let text = write(value).unwrap();
    let tree = text.to_value();
    prop_assert_eq!(&decode::<T>(&tree).unwrap(), value, "{}", text);
    prop_assert_eq!(&serde_json::from_value::<T>(tree).unwrap(), value, "{}", text);
    same_from_text::<T>(&text.to_string())?;
    Ok(text)
}

/// Whether a text decodes to what its tree decodes to, if it can be decoded as it stands.
fn same_from_text<T: for<'a> Deserialize<'a> + PartialEq + Debug>(text: &str) -> Result<(), TestCaseError> {
    let limits = ParseLimits::default();
    if follow(text, &limits, &mut Unchecked) {
        let from_tree = decode::<T>(&parse(text, &limits).unwrap()).ok();
        let mut from_text = None;
        let done = attempt_text(text, &mut |decoder| T::deserialize(decoder).map(|value| from_text = Some(value)));
        prop_assert_eq!(done.ok().and(from_text), from_tree, "{}", text);
    }
    Ok(())
}

/// Whether ours gives what `serde_json` gives, for a tree that may fit or not.
fn agrees<T: for<'a> Deserialize<'a> + PartialEq + Debug>(tree: &JsonValue) -> Result<(), TestCaseError> {
    let (ours, theirs) = (decode::<T>(tree), serde_json::from_value::<T>(tree.clone()));
    prop_assert_eq!(ours.ok(), theirs.ok(), "{}", tree);
    same_from_text::<T>(&tree.to_string())?;
    same_from_text::<T>(&format!("{tree:#}").replace('x', "\\u0078"))
}

fn point() -> impl Strategy<Value = Point> {
    (any::<i32>(), any::<Option<u8>>()).prop_map(|(x, y)| Point { x, y })
}

fn float() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("finite", |number| number.is_finite())
}

fn external() -> impl Strategy<Value = External> {
    prop_oneof![
        Just(External::Unit),
        any::<u8>().prop_map(External::Newtype),
        any::<(u8, bool)>().prop_map(|(a, b)| External::Tuple(a, b)),
        any::<i16>().prop_map(|a| External::Struct { a }),
        any::<Option<u8>>().prop_map(External::Optional),
    ]
}

/// Trees that look like the types above, and often are none.
fn near_tree() -> impl Strategy<Value = JsonValue> {
    let leaf = prop_oneof![
        Just(JsonValue::Null),
        any::<bool>().prop_map(JsonValue::from),
        (-3_i64..300).prop_map(JsonValue::from),
        // No whole floats, no floats beyond 32 bits and no -0: there we differ on purpose.
        (-100_i32..100).prop_map(|number| JsonValue::from(f64::from(number) + 0.5)),
        "Unit|Newtype|Tuple|Struct|Optional|x|true|1".prop_map(JsonValue::from),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let key = "Unit|Newtype|Tuple|Struct|Optional|x|y|a|b|kind|t|c|1|-2|true|name|width|scale";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(JsonValue::from),
            prop::collection::btree_map(key, inner, 0..4)
                .prop_map(|entries| JsonValue::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_was_written_is_decoded(
        points in prop::collection::vec(point(), 0..3),
        option in prop::option::of(point().prop_map(|point| Newtype(Some(Box::new(point))))),
        externals in prop::collection::vec(external(), 0..5),
        map in prop::collection::hash_map(any::<i64>(), any::<(u64, bool)>(), 0..5),
        (double, text) in (float(), any::<String>()),
        small in any::<(u8, i64, char)>(),
    ) {
        round_trip(&points)?;
        round_trip(&option)?;
        round_trip(&externals)?;
        round_trip(&map)?;
        round_trip(&(double, text.clone(), Unit, Pair(small.0, text.clone()), small))?;
        round_trip(&[Internal::Unit, Internal::Newtype(Point { x: 1, y: Some(small.0) }), Internal::Struct { a: small.0, b: double }])?;
        round_trip(&[Adjacent::Unit, Adjacent::Newtype(small.0), Adjacent::Tuple(small.0, true), Adjacent::Struct { a: small.0 }])?;
        round_trip(&[Untagged::Number(small.0), Untagged::Text(text.clone()), Untagged::Struct { a: small.0, b: double }, Untagged::List(vec![small.1])])?;
        let rest = BTreeMap::from([(format!("_{text}"), JsonValue::from(text.clone()))]);
        round_trip(&Flat { name: text, point: Size { width: 1, scale: double }, rest })?;
    }

    #[test]
    fn agrees_with_serde_json_on_what_fits(tree in near_tree()) {
        agrees::<JsonValue>(&tree)?;
        agrees::<External>(&tree)?;
        agrees::<Untagged>(&tree)?;
        agrees::<HashMap<i64, JsonValue>>(&tree)?;
        agrees::<HashMap<bool, Vec<u8>>>(&tree)?;
        agrees::<Option<(u8, Option<bool>)>>(&tree)?;
        if !tree.is_array() {
            agrees::<Point>(&tree)?;
            agrees::<Adjacent>(&tree)?;
            agrees::<Internal>(&tree)?;
            agrees::<Flat>(&tree)?;
        }
    }

    #[test]
    fn single_floats_come_back_to_the_last_bit(bits in any::<u32>()) {
        let float = f32::from_bits(bits);
        prop_assume!(float.is_finite());
        let tree = write(&float).unwrap().to_value();
        prop_assert_eq!(decode::<f32>(&tree).unwrap().to_bits(), bits);
    }

    #[test]
    fn integers_and_whole_floats_are_one(number in any::<i32>()) {
        let (integer, float) = (json!(number), json!(f64::from(number)));
        prop_assert_eq!(decode::<i32>(&float).ok(), decode::<i32>(&integer).ok());
        prop_assert_eq!(decode::<u8>(&float).ok(), decode::<u8>(&integer).ok());
        prop_assert_eq!(decode::<f64>(&float).ok(), decode::<f64>(&integer).ok());
        prop_assert_eq!(decode::<Untagged>(&float).ok(), decode::<Untagged>(&integer).ok());
    }

    #[test]
    fn a_text_decodes_as_its_tree(text in json_text()) {
        same_from_text::<JsonValue>(&text)?;
        same_from_text::<Vec<Untagged>>(&text)?;
        same_from_text::<BTreeMap<String, Option<Vec<JsonValue>>>>(&text)?;
        same_from_text::<(String, f64, IgnoredAny)>(&text)?;
    }
}
