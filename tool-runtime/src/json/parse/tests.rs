use super::*;
use crate::json::check::Unchecked;
use proptest::prelude::*;
use serde_json::json;

fn read(text: &str) -> JsonValue {
    parse(text, &ParseLimits::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refuse(text: &str) -> ParseError {
    match parse(text, &ParseLimits::default()) {
        Ok(value) => panic!("{text:?} was read as {value}"),
        Err(error) => error,
    }
}

/// Kind, place and sentence of the refusal.
#[track_caller]
fn assert_refused(text: &str, kind: ParseErrorKind, pointer: &str, sentence: &str) {
    let error = refuse(text);
    assert_eq!(error.kind(), kind, "{text:?}: {error}");
    assert_eq!(error.pointer().as_str(), pointer, "{text:?}: {error}");
    assert_eq!(error.to_string(), sentence, "{text:?}");
}

#[test]
fn reads_every_kind_of_value() {
    let text = " {\"a\" : [ null,true , false,\t-12,1.5e1,\"x\"],\r\n\"b\":{}, \"c\":[],\"\":\"\"} ";
    assert_eq!(read(text), json!({"a": [null, true, false, -12, 15.0, "x"], "b": {}, "c": [], "": ""}));
}

#[test]
fn keeps_the_order_of_keys() {
    let keys = |value: &JsonValue| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&read(r#"{"z":1,"a":2,"m":3}"#)), ["z", "a", "m"]);
}

#[test]
fn integers_keep_every_digit() {
    assert_eq!(read("18446744073709551615"), json!(u64::MAX));
    assert_eq!(read("-9223372036854775808"), json!(i64::MIN));
    assert_eq!(read("9007199254740993"), json!(9_007_199_254_740_993_u64));
    assert_eq!(read("-0"), json!(0));
    assert!(read("-0").is_u64());
}

#[test]
fn integers_beyond_64_bits_are_not_rounded() {
    for text in ["18446744073709551616", "-9223372036854775809", "123456789012345678901234567890"] {
        assert_eq!(refuse(text).kind(), ParseErrorKind::IntegerOutOfRange, "{text}");
    }
    assert_refused(
        r#"{"id": 18446744073709551616}"#,
        ParseErrorKind::IntegerOutOfRange,
        "/id",
        "invalid JSON at line 1, column 8, near `{\"id\": 18446744073709551616}`, in \"/id\": the integer \
         18446744073709551616 is beyond 64 bits, which are not supported; send it as a string, or as a float such as 1e20 \
         if it may be rounded",
    );
}

#[test]
fn floats_are_the_nearest_ones() {
    let bits = |text: &str| read(text).as_f64().unwrap().to_bits();
    assert_eq!(bits("-0.0"), (-0.0_f64).to_bits());
    assert_eq!(bits("-0e3"), (-0.0_f64).to_bits());
    assert_eq!(bits("0.1"), 0.1_f64.to_bits());
    assert_eq!(bits("1e-7"), 1e-7_f64.to_bits());
    assert_eq!(bits("5e-324"), 1);
    assert_eq!(bits("2.2250738585072011e-308"), 0x000f_ffff_ffff_ffff, "a famous one that hung a parser");
    assert_eq!(bits("9007199254740993.0"), 9_007_199_254_740_992_f64.to_bits());
    assert_eq!(bits(&format!("0.{}", "3".repeat(5000))), (1.0_f64 / 3.0).to_bits());
    assert!(read("1E+2").is_f64());
}

#[test]
fn floats_that_would_change_their_nature_are_refused() {
    for text in ["1e309", "-1e309", "1.8e308", "1e-400", "-0.1e-400", "1e99999999999999999999"] {
        assert_eq!(refuse(text).kind(), ParseErrorKind::FloatOutOfRange, "{text}");
    }
    assert_eq!(read("0e99999"), json!(0.0));
}

#[test]
fn misspelt_numbers_are_refused() {
    for text in ["01", "-01", "00", "1.x", "1.e5", "-x", "1e x", "[1.]", "[-]"] {
        assert_eq!(refuse(text).kind(), ParseErrorKind::BadNumber, "{text}");
    }
    for text in [".5", "+1"] {
        assert_eq!(refuse(text).kind(), ParseErrorKind::Syntax, "{text}");
    }
    for text in ["NaN", "[Infinity]", "-Infinity", "inf"] {
        assert_eq!(refuse(text).kind(), ParseErrorKind::NotFinite, "{text}");
    }
    for text in ["0x10", "1_000", "1 2", "12a"] {
        assert_eq!(refuse(text).kind(), ParseErrorKind::TrailingData, "{text}");
    }
}

#[test]
fn strings_and_their_escapes() {
    assert_eq!(read(r#""é\u00e9\uD83D\uDE00\n\t\r\b\f\/\\\"x""#), json!("éé😀\n\t\r\u{8}\u{c}/\\\"x"));
    assert_eq!(read("\"\u{7f}\u{2028}\""), json!("\u{7f}\u{2028}"), "neither is a control character to JSON");
    assert_eq!(read(r#""\u0000""#), json!("\0"));
    assert_eq!(read(r#"{"\u0061":1}"#), json!({"a": 1}));
}

#[test]
fn control_characters_in_strings_are_refused() {
    assert_refused(
        "{\"cmd\":\"a\nb\"}",
        ParseErrorKind::ControlCharacter,
        "/cmd",
        "invalid JSON at line 1, column 10, near `{\"cmd\":\"a\\nb\"}`, in \"/cmd\": a line feed stands in a string as it is; \
         write it as `\\n`",
    );
    let error = refuse("[\"\u{1}\"]");
    assert!(error.message().ends_with("write it as `\\u0001`"), "{error}");
}

#[test]
fn bad_escapes_are_refused() {
    assert_refused(
        r#"{"p":"C:\dir"}"#,
        ParseErrorKind::BadEscape,
        "/p",
        r#"invalid JSON at line 1, column 9, near `{"p":"C:\dir"}`, in "/p": `\d` is no escape that JSON has; write `\\d` if the string holds a backslash"#,
    );
    for text in [r#""\x41""#, r#""\u12""#, r#""\u12g4""#, r#""\ué000""#, "\"\\\n\"", r#""\é""#, r#""\'""#] {
        assert_eq!(refuse(text).kind(), ParseErrorKind::BadEscape, "{text}");
    }
}

#[test]
fn halves_of_surrogate_pairs_are_refused() {
    for text in
        [r#""\ud83d""#, r#""\ude00""#, r#""\ud83dx""#, r#""\ud83d\n""#, r#""\ud83d\u0041""#, r#""\ud83d\ud83d""#]
    {
        assert_eq!(refuse(text).kind(), ParseErrorKind::LoneSurrogate, "{text}");
    }
    assert!(refuse(r#""\uD83Dx""#).message().starts_with("`\\uD83D` is half"));
}

#[test]
fn a_key_given_twice_is_refused() {
    assert_refused(
        r#"{"a":{"b":1,"c":2,"b":1}}"#,
        ParseErrorKind::DuplicateKey,
        "/a/b",
        "invalid JSON at line 1, column 19, near `{\"a\":{\"b\":1,\"c\":2,\"b\":1}}`, in \"/a/b\": the key \"b\" stands twice \
         in the same object; keep one of the two",
    );
    assert_eq!(refuse(r#"{"a":1,"\u0061":1}"#).kind(), ParseErrorKind::DuplicateKey);
    read(r#"[{"a":1},{"a":1,"b":{"a":1}}]"#);
}

#[test]
fn text_that_was_cut_off_is_not_completed() {
    let cases = [
        ("{", "inside an object, where a key is due"),
        ("{\"a\"", "inside an object, after a key"),
        ("{\"a\":", "inside an object, where a value is due"),
        ("{\"a\":1", "inside an object, before its end"),
        ("{\"a\":1,", "inside an object, where a key is due"),
        ("[", "inside an array, where a value is due"),
        ("[1", "inside an array, before its end"),
        ("[1, ", "inside an array, where a value is due"),
        ("[{}", "inside an array, before its end"),
        ("\"abc", "inside a string"),
        ("\"abc\\", "inside a string"),
        ("\"abc\\u00", "inside a string"),
        ("\"\\ud83d", "inside a string"),
        ("\"\\ud83d\\", "inside a string"),
        ("\"\\ud83d\\ud", "inside a string"),
        ("-", "inside a number"),
        ("1.", "inside a number"),
        ("1e+", "inside a number"),
        ("tru", "inside a word"),
        ("[n", "inside a word"),
    ];
    for (text, place) in cases {
        let error = refuse(text);
        assert_eq!(error.kind(), ParseErrorKind::EndsEarly, "{text}: {error}");
        assert_eq!(error.offset(), text.len(), "{text}");
        let message =
            format!("the text ends early, {place}; nothing was completed or guessed, send the whole JSON again");
        assert_eq!(error.message(), message, "{text}");
    }
    for text in ["", "  \n"] {
        assert_eq!(refuse(text).kind(), ParseErrorKind::EndsEarly);
    }
    assert_eq!(
        refuse("").to_string(),
        "invalid JSON at line 1, column 1: the text is empty, and ends early: it needs one JSON value"
    );
}

#[test]
fn what_is_almost_json_is_refused_with_its_reason() {
    use ParseErrorKind::{ByteOrderMark, Syntax, TrailingComma, TrailingData};
    let cases = [
        ("\u{feff}{\"n\":1}", ByteOrderMark, "byte order mark"),
        ("```json\n{\"n\":1}\n```", Syntax, "Markdown fence"),
        ("{\"n\":1}\n```", TrailingData, "one value and nothing else"),
        ("{}{}", TrailingData, "one value and nothing else"),
        ("{\"n\":1,}", TrailingComma, "before the end of the object"),
        ("[1,2,]", TrailingComma, "before the end of the array"),
        ("{n:1}", Syntax, "a key of an object stands in double quotes"),
        ("{'n':1}", Syntax, "a key of an object stands in double quotes"),
        ("{,}", Syntax, "a comma too many"),
        ("{\"n\":'a'}", Syntax, "not in single ones"),
        ("{\"n\":“a”}", Syntax, "straight double quotes"),
        ("[1 2]", Syntax, "a comma or `]` is expected"),
        ("[1}", Syntax, "a comma or `]` is expected"),
        ("{\"a\":1]", Syntax, "a comma or `}` is expected"),
        ("{\"a\" 1}", Syntax, "a colon is expected"),
        ("{\"a\":}", Syntax, "a value is missing here"),
        ("[,1]", Syntax, "a value is missing before the comma"),
        ("[1,,2]", Syntax, "a value is missing before the comma"),
        ("// x\n1", Syntax, "no comments"),
        ("True", Syntax, "write `true`"),
        ("[None]", Syntax, "write `null`"),
        ("hello", Syntax, "`hello` is no JSON value"),
        ("<x/>", Syntax, "a JSON value is expected here"),
        ("]", Syntax, "a value is missing here"),
        ("é", Syntax, "a JSON value is expected here"),
    ];
    for (text, kind, reason) in cases {
        let error = refuse(text);
        assert_eq!(error.kind(), kind, "{text}: {error}");
        assert!(error.message().contains(reason), "{text}: {error}");
    }
}

#[test]
fn the_size_is_bounded() {
    let limits = ParseLimits { max_bytes: 5, max_depth: 1 };
    assert_eq!(parse("\"abc\"", &limits), Ok(json!("abc")));
    let error = parse("\"abéd\"", &limits).unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::TooLarge);
    assert_eq!(error.to_string(), "invalid JSON: the text has 7 bytes, and at most 5 are read; send less");
    assert!(parse("", &ParseLimits { max_bytes: 0, max_depth: 0 }).is_err());
}

#[test]
fn the_depth_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    read(&nested(MAX_DEPTH));
    let error = refuse(&nested(MAX_DEPTH + 1));
    assert_eq!(error.kind(), ParseErrorKind::TooDeep);
    assert_eq!(error.offset(), MAX_DEPTH);
    assert_eq!(error.pointer().segments().count(), MAX_DEPTH);

    let none = ParseLimits { max_depth: 0, ..ParseLimits::default() };
    assert_eq!(parse("1", &none), Ok(json!(1)));
    assert_eq!(parse("[]", &none).unwrap_err().kind(), ParseErrorKind::TooDeep);
    let endless = ParseLimits { max_bytes: usize::MAX, max_depth: usize::MAX };
    assert_eq!(parse(&"[{\"a\":".repeat(1 << 18), &endless).unwrap_err().kind(), ParseErrorKind::TooDeep);
}

#[test]
fn places_are_counted_in_characters() {
    let error = refuse("{\n  \"é\": \"éé\",\n  \"ü\": [\"é\", é]\n}");
    assert_eq!((error.line(), error.column()), (3, 14));
    assert_eq!(error.offset(), 33);
    assert_eq!(error.pointer().as_str(), "/ü/1");
}

#[test]
fn excerpts_are_cut_between_characters() {
    for before in 0..40 {
        let text = format!("[\"{}\", ?, \"{}\"]", "é".repeat(before), "é".repeat(30));
        let error = refuse(&text);
        assert_eq!(error.column(), before + 6);
        assert!(error.to_string().contains("é\", ?, \"é") || before == 0, "{error}");
    }
    let error = refuse(&format!("[\"{}\", ?]", "é".repeat(30)));
    assert!(error.to_string().contains("near `…éééééééééé\", ?]`"), "{error}");
}

#[test]
fn sentences_are_bounded() {
    let key = "k".repeat(10_000);
    let texts = [
        format!("{{\"{key}\":1,\"{key}\":1}}"),
        format!("{{\"{key}\":{key}}}"),
        format!("[{}]", "9".repeat(10_000)),
        format!("[\"\u{1}{key}"),
        format!("{{\"{key}\":[\"\\q\"]}}"),
    ];
    for text in texts {
        let sentence = refuse(&text).to_string();
        assert!(sentence.len() < 500, "{sentence}");
    }
}

#[test]
fn embedded_floats_have_no_more_digits_than_64_bits_hold() {
    assert!(parse_embedded("0.12345678901234567", 0).is_ok());
    assert!(parse_embedded("1000000000000000000000e-3", 0).is_ok());
    let error = parse_embedded("0.123456789012345678", 0).unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::FloatOutOfRange);
}

/// Valid JSON text, with whitespace, escapes and every spelling of numbers.
pub(in crate::json) fn json_text() -> impl Strategy<Value = String> {
    let space = "[ \t\r\n]{0,2}";
    let string =
        prop_oneof!["\"[a-z~/é😀]{0,8}\"", r#""(\\["\\/bfnrt]|\\u00[0-7][0-9a-f]|\\ud83d\\ude0[0-9]|[a-zé ]){0,6}""#];
    let number = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(|number| json!(number).to_string()),
        // `-0` is the one number that we read otherwise.
        "-?(0|[1-9][0-9]{0,6})(\\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?".prop_filter("-0", |number| number != "-0"),
    ];
    let leaf = prop_oneof![Just("null".to_owned()), Just("true".into()), Just("false".into()), string, number];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        let padded = (space, inner, space).prop_map(|(before, value, after)| format!("{before}{value}{after}"));
        prop_oneof![
            prop::collection::vec(padded.clone(), 0..6).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::btree_map("[a-zé]{0,4}", padded, 0..6).prop_map(|entries| {
                let entries: Vec<_> = entries.iter().map(|(key, value)| format!(" \"{key}\" :{value}")).collect();
                format!("{{{}}}", entries.join(","))
            }),
        ]
    })
}

fn holds_whole_float(value: &JsonValue) -> bool {
    match value {
        JsonValue::Number(number) => number.is_f64() && number.as_f64().is_some_and(|float| float.fract() == 0.0),
        JsonValue::Array(items) => items.iter().any(holds_whole_float),
        JsonValue::Object(entries) => entries.values().any(holds_whole_float),
        _ => false,
    }
}

#[test]
fn what_is_followed_is_plain() {
    let plain = |text: &str| follow(text, &ParseLimits { max_bytes: 40, max_depth: 2 }, &mut Unchecked);
    for text in [r#"{"a":[1.5,-1,"\u00e9"]}"#, " [ ] ", "null", r#"[{},{"a":1}]"#, r#"[{"a":1},{"a":1}]"#] {
        assert!(plain(text), "{text}");
    }
    for text in [
        r#"{"a":1,"a":2}"#,
        r#"{"a":1,"\u0061":2}"#,
        "1.0",
        "[[[]]]",
        "[1,]",
        "{,}",
        "[1 2]",
        "nulls",
        "{\"a\" 1}",
        "[1]]",
        "",
        r#"{"a":{"b":{}}}"#,
        "\"0123456789012345678901234567890123456789\"",
        "[1}",
        "{\"a\":1]",
    ] {
        assert!(!plain(text), "{text}");
    }
}

proptest! {
    #[test]
    fn agrees_with_serde_json(text in json_text()) {
        let theirs: JsonValue = serde_json::from_str(&text).unwrap();
        let ours = read(&text);
        prop_assert_eq!(ours.to_string(), theirs.to_string(), "to the last bit, and in the same order");
        prop_assert_eq!(follow(&text, &ParseLimits::default(), &mut Unchecked), !holds_whole_float(&ours));
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn never_accepts_what_serde_json_refuses(text in "[\\[\\]{}:,\"\\\\0-9eE.+a-u \n-]{0,24}") {
        // `-0` is the one number that we read otherwise.
        prop_assume!(!text.contains("-0"));
        let followed = follow(&text, &ParseLimits::default(), &mut Unchecked);
        prop_assert!(!followed || parse(&text, &ParseLimits::default()).is_ok());
        if let Ok(value) = parse(&text, &ParseLimits::default()) {
            prop_assert_eq!(serde_json::from_str::<JsonValue>(&text).ok(), Some(value));
        }
    }

    #[test]
    fn never_panics(text in "\\PC{0,40}", depth in 0_usize..4) {
        let _ = parse(&text, &ParseLimits { max_bytes: 50, max_depth: depth }).map_err(|error| error.to_string());
    }

    #[test]
    fn a_cut_is_reported_as_one(text in json_text(), cut in any::<prop::sample::Index>()) {
        prop_assume!(text.starts_with(['[', '{', '"']));
        let cut = text.floor_char_boundary(cut.index(text.len()));
        let error = refuse(&text[..cut]);
        prop_assert_eq!(error.kind(), ParseErrorKind::EndsEarly, "{}: {}", &text[..cut], error);
    }

    #[test]
    fn floats_come_back_to_the_last_bit(bits in any::<u64>()) {
        let float = f64::from_bits(bits);
        prop_assume!(float.is_finite());
        let text = crate::json::write(&float).unwrap();
        prop_assert_eq!(read(text.as_str()).as_f64().map(f64::to_bits), Some(bits));
    }
}
