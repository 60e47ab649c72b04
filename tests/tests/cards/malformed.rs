//! Meta that is damaged, old or wrong in what it says: the generic card, and never a failure.

use serde_json::{Value, json};
use tool_runtime::Content;
use tool_runtime::present::{DurableResult, ResultView};

use super::round_trip::results;

fn drawn(meta: &Value) -> ResultView {
    let content = Content::text("what the model read");
    let kept = DurableResult::success(&content).with_meta(meta, 1);
    super::drawing().cards().result("draw", r#"{"card": null}"#, &kept)
}

/// One of each kind that has rules, with what is then done to it.
const WRONG: &[(&str, &[(&str, &str)])] = &[
    (
        r#"{"card":"read","path":"a","offset":2,"lines":[{"number":2,"text":"x"},{"number":4,"text":"y"}],"totalLines":9}"#,
        &[
            ("/offset", "0"),
            ("/offset", "3"),
            ("/offset", "-1"),
            ("/offset", "1.5"),
            ("/offset", r#""2""#),
            ("/totalLines", "3"),
            ("/totalLines", "null"),
            ("/lines/0/number", "4"),
            ("/lines/0/number", "5"),
            ("/lines/1/number", "2"),
            ("/lines/1/number", "10"),
            ("/lines/1/text", "7"),
            ("/lines", "{}"),
            ("/path", "null"),
            ("/lang", "7"),
            ("/card", r#""raed""#),
        ],
    ),
    (
        r#"{"card":"search","shape":"matches","files":[{"path":"a","matches":[{"lineNumber":1,"line":"x"}]}],"truncated":false,"total":1}"#,
        &[
            ("/total", "0"),
            ("/total", "2"),
            ("/total", "-1"),
            ("/truncated", r#""no""#),
            ("/files/0/matches", "[]"),
            ("/files/0/matches/0/lineNumber", "0"),
            ("/files/0/matches/0/line", "null"),
            ("/files/0/path", "7"),
            ("/shape", r#""paths""#),
            ("/shape", r#""lines""#),
        ],
    ),
    (
        r#"{"card":"search","shape":"paths","paths":["a","b"],"truncated":true,"total":9}"#,
        &[("/total", "1"), ("/truncated", "false"), ("/paths/0", "7"), ("/paths", "null")],
    ),
    (
        r#"{"card":"diff","diffs":[{"path":"a","oldText":null,"newText":"x"}]}"#,
        &[("/diffs", "[]"), ("/diffs/0/newText", "null"), ("/diffs/0/oldText", "7"), ("/diffs/0/path", "null")],
    ),
    (
        r#"{"card":"terminal","output":"x","exitCode":0}"#,
        &[("/exitCode", "0.5"), ("/exitCode", "4294967296"), ("/output", "7"), ("/signal", r#""SIGKILL""#)],
    ),
    (
        r#"{"card":"web","kind":"search","sources":[{"url":"a"}],"truncated":false}"#,
        &[("/sources/0/url", "7"), ("/sources/0/title", "7"), ("/truncated", "null"), ("/kind", r#""fetch""#)],
    ),
    (
        r#"{"card":"web","kind":"fetch","url":"a","statusCode":200,"truncated":false}"#,
        &[("/statusCode", "-1"), ("/statusCode", "99999"), ("/url", "null"), ("/truncated", "1")],
    ),
];

/// Puts a value at a place, which may be new.
fn put(json: &mut Value, place: &str, value: Value) {
    let (parent, key) = place.rsplit_once('/').unwrap();
    match json.pointer_mut(parent).unwrap() {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        parent => parent[key] = value,
    }
}

#[test]
fn each_wrong_meta_has_the_generic_card() {
    for (right, faults) in WRONG {
        let right: Value = serde_json::from_str(right).unwrap();
        assert_ne!(drawn(&right), ResultView::fallback(), "{right}");
        for (place, value) in *faults {
            let mut wrong = right.clone();
            put(&mut wrong, place, serde_json::from_str(value).unwrap());
            assert_eq!(drawn(&wrong), ResultView::fallback(), "{wrong}");
        }
    }
}

#[test]
fn what_must_be_there_can_t_be_left_out() {
    let may_lack =
        ["title", "lang", "content", "output", "exitCode", "signal", "answer", "oldText", "snippet", "publishedAt"];
    for view in results() {
        let whole = serde_json::to_value(&view).unwrap();
        for key in whole.as_object().unwrap().keys().filter(|key| !may_lack.contains(&key.as_str())) {
            let mut lacking = whole.clone();
            lacking.as_object_mut().unwrap().remove(key);
            assert_eq!(drawn(&lacking), ResultView::fallback(), "without {key}: {lacking}");
        }
    }
}

#[test]
fn what_is_no_card_at_all_has_the_generic_one() {
    for meta in [json!(null), json!(7), json!("read"), json!([]), json!({}), json!({"card": "read"})] {
        assert_eq!(drawn(&meta), ResultView::fallback(), "{meta}");
    }
}

#[test]
fn a_search_that_found_nothing_has_its_card() {
    let nothing = json!({"card": "search", "shape": "paths", "paths": [], "truncated": false, "total": 0});
    let ResultView::Search(card) = drawn(&nothing) else { panic!("a search") };
    assert_eq!((card.total(), card.truncated()), (0, false));
}
