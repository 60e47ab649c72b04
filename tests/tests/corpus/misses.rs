//! Near misses: an instance with one thing changed, which the schema most often no longer accepts.

use serde_json::{Map, Value, json};

use crate::choices::Choices;

/// Words of a schema, for keys and tags that are known, but elsewhere.
pub(crate) fn words(schema: &Value) -> Vec<String> {
    let mut found = vec!["zz".to_owned(), String::new()];
    let mut stack = vec![schema];
    while let Some(value) = stack.pop() {
        match value {
            Value::Object(node) => {
                if let Some(properties) = node.get("properties").and_then(Value::as_object) {
                    found.extend(properties.keys().cloned());
                }
                stack.extend(node.values());
            }
            Value::Array(items) => stack.extend(items),
            Value::String(word) if word.len() < 20 => found.push(word.clone()),
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Changes one thing, somewhere in the value.
pub(crate) fn miss(value: &mut Value, words: &[String], choices: &mut Choices) {
    let mut at = value;
    // Deeper with every choice that is left, so that the parts of a part are reached as often as the whole.
    loop {
        let count = match &*at {
            Value::Object(entries) => entries.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if count == 0 || choices.once_in(3) {
            break;
        }
        let index = choices.below(count);
        at = match at {
            Value::Object(entries) => entries.values_mut().nth(index).expect("the index is below the count"),
            Value::Array(items) => &mut items[index],
            _ => unreachable!("only containers have parts"),
        };
    }
    if choices.once_in(5) {
        *at = other_kind(choices);
        return;
    }
    match at {
        Value::Object(entries) => change_object(entries, words, choices),
        Value::Array(items) => change_array(items, choices),
        Value::String(text) => *text = changed_text(text, words, choices),
        Value::Number(number) => *at = changed_number(&number.clone(), choices),
        _ => *at = other_kind(choices),
    }
}

fn other_kind(choices: &mut Choices) -> Value {
    let kinds = [
        json!(null),
        json!(true),
        json!(0),
        json!(1.5),
        json!(""),
        json!("x"),
        json!([]),
        json!({}),
        json!([0]),
        json!({"zz": 0}),
    ];
    choices.one_of(&kinds).clone()
}

fn change_object(entries: &mut Map<String, Value>, words: &[String], choices: &mut Choices) {
    let count = entries.len();
    match choices.below(4) {
        0 if count > 0 => {
            let name = entries.keys().nth(choices.below(count)).cloned().unwrap_or_default();
            entries.shift_remove(&name);
        }
        1 if count > 0 => {
            let name = entries.keys().nth(choices.below(count)).cloned().unwrap_or_default();
            let value = entries.shift_remove(&name).unwrap_or_default();
            entries.insert(changed_text(&name, words, choices), value);
        }
        _ => {
            let value = entries.values().next().cloned().filter(|_| choices.once_in(2));
            let value = value.unwrap_or_else(|| other_kind(choices));
            entries.insert(choices.one_of(words).clone(), value);
        }
    }
}

fn change_array(items: &mut Vec<Value>, choices: &mut Choices) {
    match choices.below(3) {
        0 => drop(items.pop()),
        1 => items.push(items.first().cloned().unwrap_or_else(|| other_kind(choices))),
        _ => {
            let at = choices.below(items.len() + 1);
            items.insert(at, other_kind(choices));
        }
    }
}

fn changed_text(text: &str, words: &[String], choices: &mut Choices) -> String {
    match choices.below(7) {
        0 => choices.one_of(words).clone(),
        1 => format!("{text}x"),
        2 => text.chars().skip(1).collect(),
        3 => text.to_uppercase(),
        4 => text.to_lowercase(),
        5 => format!("0{text}"),
        _ => (*choices.one_of(&["256", "-1", "-129", "65536", "18446744073709551616", "1.0", "+1", "true", "é"]))
            .to_owned(),
    }
}

fn changed_number(number: &serde_json::Number, choices: &mut Choices) -> Value {
    if choices.once_in(3) {
        let edges = [
            json!(-1),
            json!(0),
            json!(-0.0),
            json!(256),
            json!(-129),
            json!(65_536),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(18_446_744_073_709_551_616.0),
            json!(-9.3e18),
            json!(3.5e38),
            json!(0.5),
            json!(1e300),
        ];
        return choices.one_of(&edges).clone();
    }
    match (number.as_i64(), number.as_f64(), choices.below(3)) {
        (Some(integer), _, 0) => json!(integer.saturating_add(1)),
        (Some(integer), _, 1) => json!(integer.saturating_sub(1)),
        (_, Some(float), 0) => json!(float.next_up()),
        (_, Some(float), 1) => json!(float.next_down()),
        (_, Some(float), _) => json!(float + 0.5),
        _ => json!(0),
    }
}
