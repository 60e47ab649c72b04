//! From the tool's own form to what would be sent.

use serde_json::{Map, Value};

use super::{ARGUMENTS, Decoder, KEY, NullMeans, Object, REST_OF_TUPLE, Step, Tuple, VALUE, item_name};

pub(super) fn encode(decoder: &Decoder, own: &Value) -> Value {
    value(decoder, &decoder.root, own)
}

fn value(decoder: &Decoder, step: &Step, own: &Value) -> Value {
    match (step, own) {
        (Step::List(step), Value::Array(items)) => items.iter().map(|item| value(decoder, step, item)).collect(),
        (Step::Unwrap(step), own) => Value::Object(Map::from_iter([(ARGUMENTS.to_owned(), value(decoder, step, own))])),
        (Step::Items(steps), Value::Array(items)) => {
            let step = |index: usize| steps.get(index).unwrap_or(&Step::Keep);
            items.iter().enumerate().map(|(index, item)| value(decoder, step(index), item)).collect()
        }
        (Step::Tuple(steps), Value::Array(items)) => tuple(decoder, steps, items),
        (Step::Object(steps), Value::Object(entries)) => object(decoder, steps, entries),
        (Step::Pairs(step), Value::Object(entries)) => {
            entries.iter().map(|(key, own)| pair(key, value(decoder, step, own))).collect()
        }
        (Step::Text, own) => Value::from(own.to_string()),
        (Step::Table(table), own) => {
            let found = table.iter().find(|(_, known)| crate::json::equal(known, own));
            found.map_or_else(|| own.clone(), |(word, _)| Value::from(word.as_str()))
        }
        (Step::Choice(branches), own) => {
            let branch = branches.iter().find(|branch| branch.own.fits(own, &decoder.definitions, false));
            branch.map_or_else(|| own.clone(), |branch| value(decoder, &branch.step, own))
        }
        (Step::Recursive(index), own) => match decoder.definitions.get(*index) {
            Some(target) => value(decoder, &target.step, own),
            None => own.clone(),
        },
        (_, own) => own.clone(),
    }
}

fn pair(key: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(KEY.to_owned(), Value::from(key)), (VALUE.to_owned(), value)]))
}

fn object(decoder: &Decoder, object: &Object, own: &Map<String, Value>) -> Value {
    let mut sent = Map::with_capacity(object.fields.len());
    for field in &object.fields {
        match own.get(&field.name) {
            Some(Value::Null) if field.null == NullMeans::Unsent => {}
            Some(own) => drop(sent.insert(field.sent.clone(), value(decoder, &field.step, own))),
            None if matches!(field.null, NullMeans::Absent | NullMeans::NullOrAbsent) => {
                drop(sent.insert(field.sent.clone(), Value::Null));
            }
            None => {}
        }
    }
    let others = own.iter().filter(|(name, _)| !object.fields.iter().any(|field| field.name == **name));
    match &object.rest {
        Some((rest, step)) => {
            let pairs = others.map(|(name, own)| pair(name, value(decoder, step, own))).collect();
            sent.insert(rest.clone(), pairs);
        }
        None => sent.extend(others.map(|(name, own)| (name.clone(), value(decoder, &object.others, own)))),
    }
    Value::Object(sent)
}

fn tuple(decoder: &Decoder, tuple: &Tuple, own: &[Value]) -> Value {
    let mut sent = Map::new();
    for (index, (step, ends)) in tuple.items.iter().zip(&tuple.ends).enumerate() {
        match own.get(index) {
            Some(own) => drop(sent.insert(item_name(index), value(decoder, step, own))),
            None if *ends => drop(sent.insert(item_name(index), Value::Null)),
            None => {}
        }
    }
    if let Some(step) = &tuple.rest {
        let more = own.iter().skip(tuple.items.len()).map(|own| value(decoder, step, own)).collect();
        sent.insert(REST_OF_TUPLE.to_owned(), more);
    }
    Value::Object(sent)
}
