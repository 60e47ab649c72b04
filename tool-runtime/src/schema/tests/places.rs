//! Ours and the general validator name the same places.
//!
//! Of a value that is refused, let *theirs* be the faults of the `jsonschema` crate and *ours* the pointers of our violations.
//! Theirs are first told in our terms: a missing property is named itself and not its object, and so is one too many; of an
//! item too many, the array is named.
//!
//! * Nothing is made up: each of ours is in the place of one of theirs, or below one that is a union without a branch that
//!   holds, a name of a property, or a property that nothing evaluates. There they name the whole, and we the part.
//! * Nothing is left out: each of theirs is in the place of one of ours, or above it if it is such a whole. Only where theirs
//!   say that a value is of another kind (`type`, `enum`, `const`), and ours say so too, may they go on about its parts.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::dialect::Dialect;
use super::super::engine::{Engine, Reach};
use super::super::{Side, Validator};
use super::instances::{changed, choices, instance};
use super::verdicts::schemas;
use crate::json::Pointer;

fn is_below(part: &str, whole: &str) -> bool {
    part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The first place that only one of the two names.
fn disagreement(ours: &[Pointer], theirs: &[(Pointer, Reach)]) -> Option<String> {
    let is_known = |own: &&Pointer| {
        theirs.iter().any(|(at, reach)| match reach {
            Reach::Here | Reach::Kind => *own == at,
            Reach::Below => is_below(own.as_str(), at.as_str()),
        })
    };
    let is_told = |(at, reach): &&(Pointer, Reach)| {
        let told = ours.iter().any(|own| match reach {
            Reach::Here | Reach::Kind => own == at,
            Reach::Below => is_below(own.as_str(), at.as_str()),
        });
        let is_part = |(whole, reach): &(Pointer, Reach)| {
            *reach == Reach::Kind && is_below(at.as_str(), whole.as_str()) && ours.contains(whole)
        };
        told || theirs.iter().any(is_part)
    };
    let made_up = ours.iter().find(|own| !is_known(own)).map(|own| format!("only ours name {own:?}"));
    made_up.or_else(|| theirs.iter().find(|fault| !is_told(fault)).map(|fault| format!("only theirs name {fault:?}")))
}

/// A document, and values that were made for it.
fn cases() -> impl Strategy<Value = (Value, Vec<Value>)> {
    let document = (schemas(), schemas(), any::<bool>()).prop_map(|(root, a, draft_07)| document(root, &a, draft_07));
    document.prop_flat_map(|document| {
        let made = document.clone();
        let value = choices().prop_flat_map(move |choices| changed(instance(&made, &choices)));
        (Just(document), prop::collection::vec(value, 1..8))
    })
}

fn document(root: Value, a: &Value, draft_07: bool) -> Value {
    let mut root = match root {
        Value::Object(root) => root,
        other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
    };
    let recursive = json!({
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}}, "type": ["object", "array"]
    });
    root.insert("$defs".to_owned(), json!({"A": a, "B": recursive}));
    if draft_07 {
        root.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    }
    Value::Object(root)
}

/// `PROPTEST_CASES=20000` looks further than each run does.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(600);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 3000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_judge_says_the_same_and_names_the_same_places((document, values) in cases()) {
        // Schemas that are refused for their shape are not this law's.
        let Ok((_, validator)) = Validator::foreign(&document, Side::Output) else { return Ok(()) };
        let draft_07 = document.get("$schema").is_some();
        let dialect = if draft_07 { Dialect::Draft07 } else { Dialect::Draft202012 };
        let oracle = Engine::compile(&document, dialect, false).unwrap_or_else(|error| panic!("{error}: {document}"));
        for value in values {
            let valid = oracle.is_valid(&value);
            let checked = validator.check(&value);
            prop_assert_eq!(checked.is_ok(), valid, "as a tree: {} on {}", document, value);
            prop_assert_eq!(validator.accept(&value).is_ok(), valid, "while it is written: {} on {}", document, value);
            let explained = validator.explained(&value);
            prop_assert_eq!(explained.is_empty(), valid, "explained: {} on {}", document, value);
            let ours: Vec<Pointer> = explained.iter().map(|violation| violation.pointer().clone()).collect();
            let theirs = oracle.faults(&value);
            if let Some(why) = disagreement(&ours, &theirs) {
                prop_assert!(false, "{}: {} on {}\nours {:?}\ntheirs {:?}", why, document, value, ours, theirs);
            }
        }
    }
}
