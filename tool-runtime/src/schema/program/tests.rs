//! One pass and the text that it wrote come to one verdict, whatever serde calls make the value.

mod derived;
mod representations;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use self::representations::{Shown, shown};
use super::{OnePass, Program};
use crate::json::{JsonText, LossyValue, write, write_checked};
use crate::schema::dialect::Dialect;
use crate::schema::graph::survey;
use crate::schema::tests::verdicts::schemas;

/// Writes a value in one pass, and tells whether the pass accepts it.
fn one_pass<T: Serialize + ?Sized>(program: &Program, value: &T) -> Result<(JsonText, bool), LossyValue> {
    let mut check = OnePass::new(program, 160);
    let text = write_checked(value, &mut check, 16)?;
    Ok((text, check.accepts()))
}

/// The program of a document that is sound, and has it.
fn program(document: &Value) -> Option<Program> {
    let survey = survey(document).ok()?;
    if !crate::schema::meta::violations(document, Dialect::Draft202012, None).is_empty() {
        return None;
    }
    Program::compile(document, &survey.names, Dialect::Draft202012, true).ok()
}

fn agree(document: &Value, values: &[Shown]) -> Result<(), TestCaseError> {
    let Some(program) = program(document) else { return Ok(()) };
    for value in values {
        match (one_pass(&program, value), write(value)) {
            (Ok((text, accepts)), Ok(plain)) => {
                prop_assert_eq!(&text, &plain);
                // What is left in doubt is decided by the text, so only a wrong yes would be a fault.
                let holds = program.holds(&text.to_value()) == Some(true);
                prop_assert!(holds || !accepts, "{} is refused by {}", text, document);
            }
            (Err(lossy), Err(plain)) => prop_assert_eq!(lossy, plain),
            (checked, plain) => prop_assert!(false, "{:?} is no {:?}", checked, plain),
        }
    }
    Ok(())
}

/// Schemas of tagged unions, closed and open, with tags that clash and tags that don't.
fn unions() -> impl Strategy<Value = Value> {
    let properties = prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "type"]), schemas()), 0..3)
        .prop_map(|entries| {
            Value::Object(entries.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect())
        });
    let tag = prop::sample::select(vec![
        json!({"const": "a"}),
        json!({"const": "b"}),
        json!({"enum": ["c", "d"]}),
        json!(true),
    ]);
    let required = prop::sample::subsequence(vec!["a", "b", "type"], 0..3);
    let branch = (properties, prop::option::of(tag), required, any::<bool>()).prop_map(
        |(mut properties, tag, required, closed)| {
            if let (Some(tag), Value::Object(properties)) = (tag, &mut properties) {
                properties.insert("type".to_owned(), tag);
            }
            let mut branch = json!({"type": "object", "properties": properties, "required": required});
            if closed {
                branch["additionalProperties"] = false.into();
            }
            branch
        },
    );
    let branches = prop::collection::vec(prop_oneof![4 => branch, 1 => schemas()], 1..4);
    (prop::sample::select(vec!["oneOf", "anyOf", "allOf"]), branches)
        .prop_map(|(keyword, branches)| json!({keyword: branches}))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_pass_accepts_only_what_holds(root in schemas(), a in schemas(), values in prop::collection::vec(shown(), 1..8)) {
        let mut root = match root { Value::Object(root) => root, other => Map::from_iter([("allOf".to_owned(), json!([other]))]) };
        root.insert("$defs".to_owned(), json!({"A": a, "B": {"properties": {"a": {"$ref": "#/$defs/B"}}}}));
        agree(&Value::Object(root), &values)?;
    }

    #[test]
    fn one_pass_accepts_only_what_holds_of_unions(union in unions(), values in prop::collection::vec(shown(), 1..8)) {
        let document = json!({"anyOf": [union, {"type": "array", "items": union, "minItems": 1}], "$defs": {"A": true, "B": union}});
        agree(&document, &values)?;
        agree(&union, &values)?;
    }
}
