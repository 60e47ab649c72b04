//! Responses that no provider should send: an error, never a panic, and never a call that was not asked for.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tool_runtime::ToolCall;
use tool_runtime::dialect::{Dialect, UnreadResponse};
use tool_runtime::json::Pointer;

use crate::{ANTHROPIC, CAPTURED, OPENAI, captured};

/// The places of a value, the root among them.
fn places(value: &Value, at: &Pointer, into: &mut Vec<Pointer>) {
    into.push(at.clone());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &at.index(index), into);
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                places(entry, &at.child(key), into);
            }
        }
        _ => {}
    }
}

#[test]
fn whatever_stands_in_a_place_calls_are_whole_or_refused() {
    let strange = [json!(null), json!(true), json!(-1), json!(""), json!("x"), json!([]), json!([[]]), json!({})];
    let mut refused = 0;
    for (name, dialect) in CAPTURED {
        let response = captured(name);
        let whole = dialect.calls(&response).unwrap();
        let mut all = Vec::new();
        places(&response, &Pointer::root(), &mut all);
        for place in all {
            for value in &strange {
                let mut response = response.clone();
                *response.pointer_mut(place.as_str()).unwrap() = value.clone();
                let Ok(calls) = dialect.calls(&response) else {
                    refused += 1;
                    continue;
                };
                assert!(calls.len() <= whole.len(), "{name} {place} {value}");
                let ids: BTreeSet<&str> = calls.iter().map(ToolCall::id).collect();
                assert_eq!(ids.len(), calls.len(), "{name} {place} {value}");
                assert!(calls.iter().all(|call| !call.name().is_empty()), "{name} {place} {value}");
            }
        }
    }
    assert!(refused > 500, "{refused}");
}

#[test]
fn what_is_missing_is_told_by_its_place() {
    let told = |dialect: Dialect, response: Value| dialect.calls(&response).unwrap_err().to_string();
    let error = json!({"error": {"message": "overloaded"}});
    assert_eq!(
        told(OPENAI, error.clone()),
        "not a response of this dialect: \"/choices\" should be a list with one item"
    );
    assert_eq!(told(ANTHROPIC, error), "not a response of this dialect: \"/content\" should be a list");
    assert_eq!(told(OPENAI, json!([])), "not a response of this dialect: \"\" should be an object");
    let mut response = captured("openai_chat");
    response["choices"][0]["message"]["tool_calls"][2].as_object_mut().unwrap().remove("id");
    assert_eq!(
        told(OPENAI, response),
        "not a response of this dialect: \"/choices/0/message/tool_calls/2/id\" should be a string"
    );
}

#[test]
fn arguments_that_are_too_deep_are_refused() {
    let mut deep = json!(1);
    for _ in 0..1000 {
        deep = json!([deep]);
    }
    let mut response = captured("anthropic");
    response["content"][3]["input"] = deep;
    let unread = ANTHROPIC.calls(&response).unwrap_err();
    assert!(matches!(&unread, UnreadResponse::Arguments { at, .. } if at.as_str() == "/content/3/input"), "{unread}");
}

#[test]
fn a_long_reason_is_cut() {
    let mut response = captured("anthropic");
    response["stop_reason"] = "é".repeat(10_000).into();
    assert_eq!(ANTHROPIC.calls(&response), Err(UnreadResponse::Unfinished { reason: "é".repeat(64) }));
}
