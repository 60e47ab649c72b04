//! Types that cannot be tools' inputs or outputs, each with its sentence.

use std::collections::BTreeMap;

use schemars::{JsonSchema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::{input_schema, output_schema};
use super::refused;

#[test]
fn wide_integers_are_refused_with_place_and_remedy() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Wide {
        inner: Vec<WideInner>,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct WideInner {
        n: i128,
        m: u128,
    }
    let expected = "\"/$defs/WideInner/properties/n\" is a 128-bit integer, which JSON readers do not hold; use a 64-bit \
                    type, or a string of its digits\n\
                    \"/$defs/WideInner/properties/m\" is a 128-bit integer, which JSON readers do not hold; use a 64-bit \
                    type, or a string of its digits";
    assert_eq!(refused(input_schema::<Wide>(false)), expected);
    assert_eq!(refused(output_schema::<Wide>()), expected);
}

#[test]
fn recursion_in_place_is_refused() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Chain {
        More(Box<Chain>),
        End { end: u8 },
    }
    let told = refused(output_schema::<Chain>());
    assert!(told.contains("refers back to itself"), "{told}");
}

#[test]
fn roots_that_are_no_objects_are_refused() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Show(Value);
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(transparent)]
    struct Names {
        names: Vec<String>,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    enum Mixed {
        Stop,
        Go { fast: bool },
    }
    let must = "the arguments of a tool are an object, but";
    let remedy = "name the fields: `struct Name { field: Type }`";
    assert_eq!(refused(input_schema::<Show>(false)), format!("{must} this type reads any JSON value; {remedy}"));
    assert_eq!(refused(input_schema::<Names>(false)), format!("{must} this type reads an array; {remedy}"));
    assert_eq!(
        refused(input_schema::<Option<BTreeMap<String, u8>>>(false)),
        format!("{must} this type reads an object or null; {remedy}")
    );
    assert_eq!(
        refused(input_schema::<Mixed>(false)),
        format!(
            "{must} the variant at \"/oneOf/0\" reads one of the strings [\"Stop\"]; tag the enum: \
             `#[serde(tag = \"action\")]` above the type"
        )
    );
}

#[test]
fn implementations_that_panic_are_refused() {
    struct Broken;
    impl JsonSchema for Broken {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Broken".into()
        }
        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            panic!("not yet");
        }
    }
    assert_eq!(refused(output_schema::<Broken>()), "a JsonSchema implementation panicked: not yet");
}

#[test]
fn references_of_hand_written_schemas_are_followed_or_refused() {
    struct Lost;
    impl JsonSchema for Lost {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Lost".into()
        }
        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            json_schema!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Nowhere"}}})
        }
    }
    let told = refused(input_schema::<Lost>(false));
    assert_eq!(told, "\"/properties/a/$ref\" refers to \"#/$defs/Nowhere\", which the schema does not have");
}

#[test]
fn a_property_that_comes_twice_is_refused() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Inner {
        id: u8,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Outer {
        id: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    let told = refused(output_schema::<Outer>());
    assert!(told.starts_with("\"/properties/id\" is there twice, by two fields or through a flattened one"), "{told}");
}
