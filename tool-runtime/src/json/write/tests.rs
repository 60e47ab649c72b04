use super::*;
use crate::json::JsonValue;
use serde::ser::{SerializeMap as _, SerializeSeq as _, SerializeStruct as _};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};

fn text<T: Serialize + ?Sized>(value: &T) -> String {
    write(value).unwrap_or_else(|error| panic!("{error}")).as_str().to_owned()
}

#[track_caller]
fn assert_refused<T: Serialize + ?Sized>(value: &T, kind: LossyKind, sentence: &str) {
    match write(value) {
        Ok(text) => panic!("written as {text}"),
        Err(error) => assert_eq!((error.kind(), error.to_string().as_str()), (kind, sentence)),
    }
}

#[derive(Serialize)]
enum Shape {
    Unit,
    Newtype(f64),
    Tuple(u8, f64),
    Struct { z: u8, a: f64 },
}

#[derive(Serialize)]
struct Everything {
    zero: (),
    flag: bool,
    text: &'static str,
    character: char,
    small: i8,
    large: u64,
    least: i64,
    wide: i128,
    single: f32,
    double: f64,
    some: Option<u8>,
    none: Option<u8>,
    pair: (u8, &'static str),
    list: Vec<u8>,
    shapes: Vec<Shape>,
    empty: BTreeMap<String, u8>,
}

fn everything() -> Everything {
    Everything {
        zero: (),
        flag: true,
        text: "é\"\\/\u{1}\u{1f}\u{7f}\n\r\t\u{8}\u{c}\u{2028}",
        character: '"',
        small: -1,
        large: u64::MAX,
        least: i64::MIN,
        wide: u64::MAX.into(),
        single: 0.1,
        double: 1e300,
        some: Some(1),
        none: None,
        pair: (1, "x"),
        list: vec![],
        shapes: vec![Shape::Unit, Shape::Newtype(1.0), Shape::Tuple(1, -0.0), Shape::Struct { z: 1, a: 2.5 }],
        empty: BTreeMap::new(),
    }
}

#[test]
fn writes_what_serde_json_writes() {
    assert_eq!(text(&everything()), serde_json::to_string(&everything()).unwrap());
}

#[test]
fn floats_are_the_shortest_text() {
    assert_eq!(text(&[1.0, -0.0, 0.1, 1e16, 1e-7, 1e300, f64::MIN_POSITIVE]), {
        serde_json::to_string(&[1.0, -0.0, 0.1, 1e16, 1e-7, 1e300, f64::MIN_POSITIVE]).unwrap()
    });
    assert_eq!(text(&[1.0, -0.0]), "[1.0,-0.0]");
    assert_eq!(text(&[0.1_f32, 16_777_216.0, f32::MAX]), "[0.1,16777216.0,3.4028235e+38]");
}

#[test]
fn what_json_has_no_number_for_is_refused() {
    #[derive(Serialize)]
    struct Out {
        score: f64,
        pts: Vec<f32>,
        m: BTreeMap<String, f64>,
    }
    let out = || Out { score: 0.0, pts: vec![1.0], m: BTreeMap::new() };
    let nan = Out { score: f64::NAN, ..out() };
    assert_refused(&nan, LossyKind::NotFinite, "\"/score\" is NaN, which JSON cannot say");
    let infinite = Out { pts: vec![0.0, f32::INFINITY], ..out() };
    assert_refused(&infinite, LossyKind::NotFinite, "\"/pts/1\" is infinity, which JSON cannot say");
    let negative = Out { m: BTreeMap::from([("a/b".into(), f64::NEG_INFINITY)]), ..out() };
    assert_refused(&negative, LossyKind::NotFinite, "\"/m/a~1b\" is -infinity, which JSON cannot say");
    assert_refused(&f64::NAN, LossyKind::NotFinite, "the value is NaN, which JSON cannot say");
}

#[test]
fn integers_end_at_64_bits() {
    assert_eq!(text(&[i128::from(i64::MIN), u64::MAX.into()]), "[-9223372036854775808,18446744073709551615]");
    assert_eq!(text(&u128::from(u64::MAX)), "18446744073709551615");
    let message = "the value is the integer 18446744073709551616, which is beyond 64 bits; make it a string";
    assert_refused(&(u128::from(u64::MAX) + 1), LossyKind::IntegerOutOfRange, message);
    assert_refused(&(i128::from(u64::MAX) + 1), LossyKind::IntegerOutOfRange, message);
    let below = i128::from(i64::MIN) - 1;
    assert_eq!(write(&[below]).unwrap_err().kind(), LossyKind::IntegerOutOfRange);
}

#[test]
fn every_container_adds_its_segment() {
    fn place<T: Serialize>(value: T) -> String {
        write(&value).unwrap_err().pointer().to_string()
    }
    assert_eq!(place(Some([Shape::Newtype(f64::NAN)])), "/0/Newtype");
    assert_eq!(place((1, Shape::Tuple(1, f64::NAN))), "/1/Tuple/1");
    assert_eq!(place([Shape::Struct { z: 1, a: f64::NAN }]), "/0/Struct/a");
    assert_eq!(place(HashMap::from([(7, vec![f64::NAN])])), "/7/0");
    assert_eq!(place(json_map("~", BTreeMap::from([("b", 1.0), ("a", f64::NAN)]))), "/~0/a");
}

#[test]
fn bytes_are_refused() {
    struct Bytes;
    impl Serialize for Bytes {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"abc")
        }
    }
    assert_refused(
        &[Bytes],
        LossyKind::Bytes,
        "\"/0\" is a byte string, which JSON cannot say; make it a text (base64, for instance) or an array",
    );
}

#[derive(Serialize, PartialEq, Eq, Hash, PartialOrd, Ord, Clone, Copy)]
enum Mode {
    Fast,
    #[serde(rename = "a \"slow\" one")]
    Slow,
}

#[derive(Serialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Wrapped<T>(T);

#[test]
fn keys_that_print_as_text_are_written() {
    assert_eq!(text(&HashMap::from([(10, 'a'), (9, 'b')])), r#"{"10":"a","9":"b"}"#);
    assert_eq!(text(&HashMap::from([(true, 1), (false, 0)])), r#"{"false":0,"true":1}"#);
    assert_eq!(text(&BTreeMap::from([('"', 1)])), r#"{"\"":1}"#);
    assert_eq!(text(&BTreeMap::from([(Mode::Fast, 1), (Mode::Slow, 2)])), r#"{"Fast":1,"a \"slow\" one":2}"#);
    assert_eq!(text(&BTreeMap::from([(Wrapped(Mode::Slow), 2)])), r#"{"a \"slow\" one":2}"#);
    assert_eq!(text(&BTreeMap::from([(Wrapped(i128::MIN), 2)])), format!(r#"{{"{}":2}}"#, i128::MIN));
    let address: std::net::IpAddr = [127, 0, 0, 1].into();
    assert_eq!(text(&BTreeMap::from([(address, address)])), r#"{"127.0.0.1":"127.0.0.1"}"#);
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    x: u8,
}

#[test]
fn keys_that_print_as_no_text_are_refused() {
    fn kind<K: Serialize>(key: K) -> LossyKind {
        write(&Pairs(&[(key, 1)])).unwrap_err().kind()
    }
    assert_refused(
        &json_map("m", BTreeMap::from([((1, 2), 3)])),
        LossyKind::KeyIsNoText,
        "\"/m\" has a key that is a tuple; the keys of JSON objects are texts",
    );
    assert_eq!(kind([1_u8; 4]), LossyKind::KeyIsNoText);
    assert_eq!(kind(Some(1)), LossyKind::KeyIsNoText);
    assert_eq!(kind(None::<u8>), LossyKind::KeyIsNoText);
    assert_eq!(kind(()), LossyKind::KeyIsNoText);
    assert_eq!(kind(1.5), LossyKind::KeyIsNoText);
    assert_eq!(kind(Wrapped(vec!['a'])), LossyKind::KeyIsNoText);
    assert_eq!(kind(json_map("a", 1)), LossyKind::KeyIsNoText);
    assert_eq!(kind(Position { x: 1 }), LossyKind::KeyIsNoText);
    assert_eq!(kind(Shape::Newtype(1.0)), LossyKind::KeyIsNoText);
}

fn json_map<T>(key: &'static str, value: T) -> BTreeMap<&'static str, T> {
    BTreeMap::from([(key, value)])
}

/// Serialises pairs as a map, in their order.
struct Pairs<'a, K, V>(&'a [(K, V)]);

impl<K: Serialize, V: Serialize> Serialize for Pairs<'_, K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

#[test]
fn maps_are_sorted_by_the_bytes_of_their_keys() {
    let inner = Pairs(&[("y", 1), ("x", 2)]);
    let inner_text = r#"{"x":2,"y":1}"#;
    let keys = ["b", "", "a\"", "a!", "a\u{1}", "é", "z", "😀", "Z", "aa"];
    let pairs = keys.map(|key| (key, &inner));
    let mut sorted = keys;
    sorted.sort_unstable();
    let expected: Vec<_> = sorted.iter().map(|key| format!("{}:{inner_text}", json!(key))).collect();
    assert_eq!(text(&[Pairs(&pairs)]), format!("[{{{}}}]", expected.join(",")));
}

#[test]
fn two_fields_of_one_name_are_refused() {
    #[derive(Serialize)]
    struct Clash {
        #[serde(rename = "b")]
        a: u8,
        b: u8,
    }
    assert_refused(&Some(Clash { a: 1, b: 2 }), LossyKind::DuplicateKey, "the value has the key \"b\" twice");
}

#[test]
fn a_flattened_field_that_repeats_a_key_is_refused() {
    #[derive(Serialize)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    let flat = |key: &str| Flat { a: 1, rest: BTreeMap::from([(key.to_owned(), 2)]) };
    assert_eq!(text(&flat("Z")), r#"{"Z":2,"a":1}"#);
    assert_refused(&[flat("a")], LossyKind::DuplicateKey, "\"/0\" has the key \"a\" twice");
}

#[test]
fn a_field_named_as_the_tag_is_refused() {
    #[derive(Serialize)]
    struct Inner {
        kind: u8,
    }
    #[derive(Serialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        A(Inner),
    }
    let tagged = Tagged::A(Inner { kind: 1 });
    assert_refused(&tagged, LossyKind::DuplicateKey, "the value has the key \"kind\" twice");
}

#[test]
fn two_entries_of_one_key_are_refused() {
    let sentence = "the value has the key \"a\" twice";
    assert_refused(&Pairs(&[("a", 1), ("b", 1), ("a", 1)]), LossyKind::DuplicateKey, sentence);
    assert_refused(&Pairs(&[("a", 1), ("a", 1)]), LossyKind::DuplicateKey, sentence);
}

#[test]
fn repeated_names_are_found_among_few_and_many() {
    assert_eq!(compound::repeated(&mut ["a", "b", "aa"]), None);
    assert_eq!(compound::repeated(&mut ["a", "b", "a"]), Some("a"));
    let names: Vec<String> = (0..40).map(|number| number.to_string()).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(compound::repeated(&mut names.clone()), None);
    names.push("7");
    assert_eq!(compound::repeated(&mut names), Some("7"));
}

fn nested(depth: usize) -> JsonValue {
    (0..depth).fold(json!(1), |value, level| if level % 2 == 0 { json!([value]) } else { json!({"a": value}) })
}

#[test]
fn the_depth_is_bounded() {
    write(&nested(MAX_DEPTH)).unwrap();
    let error = write(&nested(MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(error.kind(), LossyKind::TooDeep);
    assert_eq!(error.pointer().segments().count(), MAX_DEPTH);
    assert!(error.to_string().len() < 200);
    // Both containers of a variant count.
    let mut value = nested(MAX_DEPTH - 2);
    write(&Wrapped(Wrapped(Either::<_, u8>::Tuple(value.clone(), 1)))).unwrap();
    value = json!([value]);
    assert_eq!(write(&Either::<_, u8>::Tuple(value, 1)).unwrap_err().kind(), LossyKind::TooDeep);
}

#[derive(Serialize)]
enum Either<A, B> {
    Tuple(A, B),
}

#[test]
fn options_and_newtypes_without_end_are_refused() {
    #[derive(Serialize)]
    struct Chain(Option<Box<Chain>>);
    let chain = |length: usize| (0..length).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain))));
    assert_eq!(text(&chain(400)), "null");
    assert_eq!(write(&chain(2000)).unwrap_err().kind(), LossyKind::TooDeep);
}

/// What `serde_json` does for its own types with its private names.
struct Embedding(&'static str, &'static [&'static str]);

impl Serialize for Embedding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut embedding = serializer.serialize_struct(self.0, 1)?;
        for text in self.1 {
            embedding.serialize_field(self.0, text)?;
        }
        embedding.end()
    }
}

#[test]
fn embedded_numbers_and_texts_are_written_in_our_spelling() {
    assert_eq!(text(&[Embedding(NUMBER_TOKEN, &["1.50E+2"]), Embedding(NUMBER_TOKEN, &["-0"])]), "[150.0,0]");
    let raw = Embedding(RAW_TOKEN, &[r#" {"b": [1.0, 1], "a": "\u00e9\/"} "#]);
    assert_eq!(text(&json_map("raw", raw)), r#"{"raw":{"a":"é/","b":[1.0,1]}}"#);
}

#[test]
fn embedded_text_that_would_lose_something_is_refused() {
    let refused = |token, texts| {
        let error = write(&json_map("x", [Embedding(token, texts)])).unwrap_err();
        (error.kind(), error.pointer().to_string())
    };
    let at = |kind, place: &str| (kind, place.to_owned());
    assert_eq!(refused(NUMBER_TOKEN, &["1e400"]), at(LossyKind::FloatOutOfRange, "/x/0"));
    assert_eq!(refused(NUMBER_TOKEN, &["0.123456789012345678"]), at(LossyKind::FloatOutOfRange, "/x/0"));
    assert_eq!(refused(NUMBER_TOKEN, &["18446744073709551616"]), at(LossyKind::IntegerOutOfRange, "/x/0"));
    assert_eq!(refused(NUMBER_TOKEN, &["\"1\""]), at(LossyKind::Custom, "/x/0"));
    assert_eq!(refused(RAW_TOKEN, &[r#"{"a":{"b":1,"b":2}}"#]), at(LossyKind::DuplicateKey, "/x/0/a/b"));
    assert_eq!(refused(RAW_TOKEN, &["[1,"]), at(LossyKind::Custom, "/x/0/1"));
    assert_eq!(refused(RAW_TOKEN, &[]), at(LossyKind::Custom, "/x/0"));
    assert_eq!(refused(RAW_TOKEN, &["1", "2"]), at(LossyKind::Custom, "/x/0"));
    let deep: &'static str = "[".repeat(MAX_DEPTH).leak();
    assert_eq!(refused(RAW_TOKEN, vec![deep].leak()).0, LossyKind::TooDeep);
}

#[test]
fn a_failure_of_the_value_itself_has_its_place() {
    struct Fails;
    impl Serialize for Fails {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no lock"))
        }
    }
    assert_refused(&[Fails], LossyKind::Custom, "\"/0\" could not be serialised: no lock");
}

#[test]
fn a_display_that_fails_has_its_place() {
    struct NoDisplay;
    impl fmt::Display for NoDisplay {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Err(fmt::Error)
        }
    }
    impl Serialize for NoDisplay {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }
    assert_refused(&[NoDisplay], LossyKind::Custom, "\"/0\" has a Display that failed");
    assert_refused(&Pairs(&[(NoDisplay, 1)]), LossyKind::Custom, "the value has a key with a Display that failed");
}

/// Breaks serde's rules in the way that its number says.
struct Rude(u8);

impl Serialize for Rude {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == 0 {
            let mut items = serializer.serialize_seq(None)?;
            let _ = items.serialize_element(&f64::NAN);
            items.serialize_element(&1)?;
            return items.end();
        }
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            1 => map.serialize_key("a")?,
            2 => map.serialize_value("a")?,
            3 => {
                map.serialize_key("a")?;
                map.serialize_key("b")?;
            }
            4 => {
                let _ = map.serialize_entry(&[1], &1);
            }
            _ => {
                // The inner map is left with its entries unsorted and its last one half written.
                let _ = map.serialize_entry("b", &Pairs(&[("d", json!(1)), ("c", json!(1)), ("c", json!(1))]));
                let _ = map.serialize_entry("a", &Rude(self.0 - 5));
            }
        }
        map.end()
    }
}

#[test]
fn a_value_that_ignores_errors_gives_no_broken_text() {
    for number in 0..12 {
        let error = write(&[Rude(number)]).expect_err("rude");
        assert!(matches!(error.kind(), LossyKind::Custom | LossyKind::KeyIsNoText), "{number}: {error}");
    }
}
