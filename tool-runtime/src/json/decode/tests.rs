use super::samples::{External, Flat, Internal, Newtype, Pair, Point, Size, Unit, Untagged};
use super::*;
use serde::Deserialize;
use serde_json::json;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

#[track_caller]
fn assert_refused<T: for<'a> Deserialize<'a> + Debug>(value: &JsonValue, sentence: &str) {
    match decode::<T>(value) {
        Ok(decoded) => panic!("{value} was decoded as {decoded:?}"),
        Err(error) => assert_eq!(error.to_string(), sentence, "{value}"),
    }
}

#[test]
fn a_whole_float_is_an_integer() {
    #[derive(Deserialize, Debug)]
    struct In {
        n: u32,
    }
    for (value, n) in [(json!({"n": 12.0}), 12), (json!({"n": 12e0}), 12), (json!({"n": -0.0}), 0)] {
        assert_eq!(decode::<In>(&value).unwrap().n, n, "{value}");
    }
    assert_refused::<In>(&json!({"n": 12.5}), "\"/n\": expected an integer, got 12.5");
    assert_refused::<In>(
        &json!({"n": 4_294_967_296.0}),
        "\"/n\": expected an integer from 0 to 4294967295, got 4294967296",
    );
    assert_refused::<In>(&json!({"n": "12"}), "\"/n\": expected an integer, got \"12\"");
    assert_refused::<In>(&json!({"n": null}), "\"/n\": expected an integer, got null");
}

macro_rules! assert_bounds {
    ($($integer:ty)*) => {$(
        let (least, greatest) = (<$integer>::MIN, <$integer>::MAX);
        assert_eq!(decode::<$integer>(&json!(least)).unwrap(), least);
        assert_eq!(decode::<$integer>(&json!(greatest)).unwrap(), greatest);
        // The least is a power of two or 0, and so a float; the float past the greatest is its successor.
        let (least_float, past) = (least as f64, 2.0 * ((greatest / 2 + 1) as f64));
        assert_eq!(decode::<$integer>(&json!(least_float)).unwrap(), least);
        assert_eq!(decode::<$integer>(&json!(past.next_down().floor())).unwrap(), past.next_down().floor() as $integer);
        assert!(decode::<$integer>(&json!(past)).is_err(), "{past}");
        assert!(decode::<$integer>(&json!(least_float.next_down().floor().min(least_float - 1.0))).is_err());
    )*};
}

#[test]
#[expect(clippy::cast_lossless, clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
fn integers_of_every_width_have_exact_bounds() {
    assert_bounds!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
    assert!(decode::<u64>(&json!(-1)).is_err());
    assert!(decode::<i64>(&json!(u64::MAX)).is_err());
    assert_refused::<u64>(
        &json!(18_446_744_073_709_551_616.0),
        "expected an integer within 64 bits, got 1.8446744073709552e+19",
    );
    assert_refused::<i8>(&json!(-129), "expected an integer from -128 to 127, got -129");
}

#[test]
fn wide_integers_are_those_of_64_bits() {
    assert_eq!(decode::<i128>(&json!(i64::MIN)).unwrap(), i64::MIN.into());
    assert_eq!(decode::<u128>(&json!(u64::MAX)).unwrap(), u64::MAX.into());
    assert_eq!(decode::<i128>(&json!(-3.0)).unwrap(), -3);
    assert!(decode::<i128>(&json!(1e20)).is_err());
    assert!(decode::<u128>(&json!(-1)).is_err());
}

#[test]
fn floats_take_integers_and_keep_their_bits() {
    assert_eq!(decode::<f64>(&json!(12)).unwrap().to_bits(), 12.0_f64.to_bits());
    assert_eq!(decode::<f64>(&json!(-0.0)).unwrap().to_bits(), (-0.0_f64).to_bits());
    assert_eq!(decode::<f32>(&json!(-3)).unwrap().to_bits(), (-3.0_f32).to_bits());
    assert_eq!(decode::<f32>(&json!(0.1)).unwrap().to_bits(), 0.1_f32.to_bits());
    assert_eq!(decode::<f32>(&json!(f64::from(f32::MAX))).unwrap().to_bits(), f32::MAX.to_bits());
    assert_refused::<f32>(&json!(1e300), "expected a number within 32-bit floats (about 3.4e38), got 1e+300");
    assert_refused::<f64>(&json!("1.5"), "expected a number, got \"1.5\"");
}

/// Of all 32-bit floats, this one alone changes if its text is rounded to 64 bits first and to 32 then.
#[test]
fn single_floats_are_rounded_once() {
    let float = f32::from_bits(0x15ae_43fd);
    let text = write(&float).unwrap();
    assert_eq!(text.as_str(), "7.038531e-26");
    assert_eq!(decode::<f32>(&text.to_value()).unwrap().to_bits(), float.to_bits());
    assert_eq!(decode::<f32>(&json!(-7.038_531e-26)).unwrap().to_bits(), (-float).to_bits());
}

#[test]
fn strings_are_borrowed() {
    #[derive(Deserialize)]
    struct In<'a> {
        text: &'a str,
        #[serde(borrow)]
        cow: Cow<'a, str>,
        bytes: &'a [u8],
        #[serde(borrow)]
        map: BTreeMap<&'a str, &'a str>,
    }
    let value = json!({"text": "é", "cow": "b", "bytes": "c", "map": {"k": "v"}});
    let decoded: In<'_> = decode(&value).unwrap();
    assert_eq!((decoded.text, decoded.bytes, decoded.map["k"]), ("é", b"c".as_slice(), "v"));
    assert!(matches!(decoded.cow, Cow::Borrowed("b")));
}

#[test]
fn a_struct_is_no_array() {
    assert_refused::<Point>(&json!([1, 2]), "expected an object, got an array");
    assert_refused::<External>(&json!({"Struct": [1]}), "\"/Struct\": expected an object, got an array");
}

#[test]
fn fields_are_named() {
    assert_refused::<Point>(&json!({}), "missing field `x`");
    assert_refused::<Vec<Point>>(&json!([{"x": 1, "z": 1}]), "\"/0/z\": unknown field `z`, expected one of `x`, `y`");
    assert_refused::<Vec<Point>>(&json!([{"x": 1}, {"x": []}]), "\"/1/x\": expected an integer, got an array");
    assert_refused::<Newtype>(&json!({"x": 1, "y": -1}), "\"/y\": expected an integer from 0 to 255, got -1");
}

#[test]
fn variants_are_named() {
    let names = "expected one of `Unit`, `Newtype`, `Tuple`, `Struct`, `Optional`";
    let wanted = "expected the name of a variant, or an object with that name as its one key";
    assert_refused::<External>(&json!("Four"), &format!("unknown variant `Four`, {names}"));
    assert_refused::<External>(&json!({"Four": 1}), &format!("unknown variant `Four`, {names}"));
    assert_refused::<External>(&json!(5), &format!("{wanted}, got 5; {names}"));
    assert_refused::<External>(&json!({}), &format!("{wanted}, got an object with 0 keys; {names}"));
    assert_refused::<External>(
        &json!({"Unit": null, "Newtype": 1}),
        &format!("{wanted}, got an object with 2 keys; {names}"),
    );
    assert_refused::<External>(&json!("Newtype"), "expected a variant with a value, got only its name");
    assert_refused::<External>(&json!({"Unit": 1}), "\"/Unit\": expected null, got 1");
    assert_refused::<External>(&json!({"Newtype": "x"}), "\"/Newtype\": expected an integer, got \"x\"");
    assert_refused::<External>(&json!({"Tuple": [1, 2]}), "\"/Tuple/1\": expected a boolean, got 2");
    assert_refused::<External>(&json!({"Tuple": [1]}), "\"/Tuple\": expected an array of 2 items, got 1 of them");
    assert_refused::<External>(
        &json!({"Tuple": [1, true, 3]}),
        "\"/Tuple\": expected an array of 2 items, got 3 of them",
    );
    assert_refused::<Internal>(
        &json!({"kind": "Four"}),
        "\"/kind\": unknown variant `Four`, expected one of `Unit`, `Newtype`, `Struct`",
    );
}

#[test]
fn arrays_have_their_length() {
    assert_refused::<(u8, u8)>(&json!([1]), "expected an array of 2 items, got 1 of them");
    assert_refused::<[u8; 2]>(&json!([1, 2, 3]), "expected an array of 2 items, got 3 of them");
    assert_refused::<Pair>(&json!([1]), "expected an array of 2 items, got 1 of them");
    assert_refused::<Vec<u8>>(&json!({}), "expected an array, got an object");
    assert_refused::<BTreeMap<String, u8>>(&json!([]), "expected an object, got an array");
    assert_refused::<Unit>(&json!({}), "expected null, got an object");
    assert_refused::<char>(&json!("ab"), "expected a character, got \"ab\"");
    assert_refused::<bool>(&json!("true"), "expected a boolean, got \"true\"");
    assert_refused::<String>(&json!(5), "expected a string, got 5");
}

#[test]
fn an_author_words_what_is_expected() {
    #[derive(Deserialize, Debug)]
    #[serde(expecting = "a size such as {\"width\": 3}")]
    struct Worded {
        #[expect(dead_code)]
        width: u8,
    }
    assert_refused::<Worded>(&json!(3), "expected a size such as {\"width\": 3}, got 3");
}

#[test]
fn keys_are_what_they_print_as() {
    #[derive(Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
    enum Mode {
        Fast,
    }
    #[derive(Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Id(i64);
    assert_eq!(decode(&json!({"Fast": 1})), Ok(BTreeMap::from([(Mode::Fast, 1)])));
    assert_eq!(decode(&json!({"-7": 1})), Ok(BTreeMap::from([(Id(-7), 1)])));
    assert_eq!(decode(&json!({"true": 1})), Ok(BTreeMap::from([(true, 1)])));
    assert_eq!(decode(&json!({"é": 1})), Ok(BTreeMap::from([('é', 1)])));
    assert_eq!(decode(&json!({"1": 1})), Ok(BTreeMap::from([(Some(1), 1)])));
    for key in ["01", "+1", "-0", "1.0", "", "1e0", " 1", "-", "é"] {
        assert_refused::<BTreeMap<i8, u8>>(
            &json!({key: 1}),
            &format!("\"/{key}\": expected a key that is an integer from -128 to 127, got \"{key}\""),
        );
    }
    assert_refused::<BTreeMap<u8, u8>>(&json!({"256": 1}), "\"/256\": expected an integer from 0 to 255, got 256");
}

#[test]
fn whole_floats_pass_through_serdes_buffers() {
    assert_eq!(decode(&json!({"kind": "Struct", "a": 3.0, "b": -0.0})), Ok(Internal::Struct { a: 3, b: -0.0 }));
    assert_eq!(decode(&json!(3.0)), Ok(Untagged::Number(3)));
    assert_eq!(decode(&json!([1.0, -2.0])), Ok(Untagged::List(vec![1, -2])));
    assert_eq!(decode(&json!(-0.0)), Ok(Untagged::Number(0)));
    let flat: Flat = decode(&json!({"name": "a", "width": 2.0, "scale": -0.0, "x": 1.5})).unwrap();
    assert_eq!((flat.point.width, flat.point.scale.to_bits()), (2, (-0.0_f64).to_bits()), "the float keeps its sign");
    assert!(decode::<Untagged>(&json!(3.5)).is_err());
    assert!(decode::<Flat>(&json!({"name": "a", "width": 2.5, "scale": 1})).is_err());
    assert_refused::<Flat>(&json!({"name": "a", "width": 2.0}), "missing field `scale`");
}

#[test]
fn floats_stay_floats_where_nothing_asks_for_integers() {
    let value = json!({"a": [1.0, -0.0, 1]});
    assert_eq!(decode::<JsonValue>(&value).unwrap().to_string(), value.to_string());
    let flat: Flat = decode(&json!({"name": "a", "width": 2, "scale": 1.0, "x": 1.0})).unwrap();
    assert!(flat.rest["x"].is_f64());
}

#[test]
fn a_function_of_its_own_may_decode() {
    let value = json!({"size": {"width": 1.0, "scale": 1}});
    let size = decode_with(&value, BTreeMap::<String, Size>::deserialize).unwrap();
    assert_eq!(size["size"], Size { width: 1, scale: 1.0 });
}

#[test]
fn types_and_trees_without_end_are_refused() {
    #[derive(Deserialize, Debug)]
    struct Endless(#[expect(dead_code)] Option<Box<Endless>>);
    assert_refused::<Endless>(&json!(5), "the type nests options or newtypes without end");
    let tree = |depth: usize| (0..depth).fold(json!(1), |value, _| json!([value]));
    assert!(decode::<JsonValue>(&tree(MAX_DEPTH)).is_ok());
    let error = decode::<JsonValue>(&tree(MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(error.message(), "arrays and objects are nested deeper than 128 levels");
    assert_eq!(error.pointer().segments().count(), MAX_DEPTH);
}

#[test]
fn long_values_are_clipped() {
    let long = "é".repeat(1000);
    let deep = json!({ long.as_str(): long.as_str() });
    for error in [
        decode::<u8>(&json!(long.as_str())).map(drop),
        decode::<Point>(&deep).map(drop),
        decode::<External>(&json!(long.as_str())).map(drop),
        decode::<BTreeMap<u8, u8>>(&deep).map(drop),
        decode::<BTreeMap<String, u8>>(&deep).map(drop),
        decode::<char>(&json!(long.as_str())).map(drop),
    ] {
        let sentence = error.unwrap_err().to_string();
        assert!(sentence.len() < 400, "{sentence}");
    }
}

#[test]
fn a_raw_value_gets_the_text() {
    /// Asks as `serde_json::value::RawValue` does.
    struct Raw(String);
    impl<'de> Deserialize<'de> for Raw {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct RawVisitor;
            impl<'de> Visitor<'de> for RawVisitor {
                type Value = Raw;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("any valid JSON value")
                }
                fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
                    assert_eq!(map.next_key::<String>()?.as_deref(), Some(RAW_TOKEN));
                    Ok(Raw(map.next_value()?))
                }
            }
            deserializer.deserialize_newtype_struct(RAW_TOKEN, RawVisitor)
        }
    }
    assert_eq!(decode::<Raw>(&json!({"a": [1.0]})).unwrap().0, r#"{"a":[1.0]}"#);
}
