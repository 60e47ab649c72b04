//! What a type writes and does not read back.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::output_schema;
use super::{output, refused};

#[test]
fn one_type_in_both_directions_needs_one_name_for_each_field() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Rec {
        #[serde(rename(serialize = "outName", deserialize = "inName"))]
        n: u8,
        #[serde(skip_serializing, default)]
        secret: String,
        #[serde(skip_deserializing)]
        computed: String,
        #[serde(alias = "kind")]
        r#type: String,
        url_path: String,
    }
    let told = refused(output_schema::<Rec>());
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 4, "{told}");
    assert!(lines[0].starts_with("\"/properties/outName\" is written as \"outName\", which is not read;"), "{told}");
    assert!(lines[1].starts_with("\"/properties/computed\" is written as \"computed\", which is not read;"), "{told}");
    assert!(lines[2].starts_with("the schema reads \"inName\", which is never written;"), "{told}");
    assert!(lines[3].starts_with("the schema reads \"secret\", which is never written;"), "{told}");

    let input = super::input::<Rec>();
    let names: Vec<_> = input["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["inName", "secret", "type", "urlPath"]);
    assert_eq!(input["required"], serde_json::json!(["inName", "type", "urlPath"]));

    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Kept {
        #[serde(alias = "kind")]
        r#type: String,
        url_path: String,
    }
    assert_eq!(output::<Kept>(), super::input::<Kept>());
}

#[test]
fn what_may_be_left_out_must_not_be_required() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Out {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        list: Vec<u8>,
    }
    let told = refused(output_schema::<Out>());
    assert!(told.starts_with("\"/properties/list\" may be left out when it is written, but must be there"), "{told}");
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Fine {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        list: Vec<u8>,
    }
    output_schema::<Fine>().unwrap();
}

#[test]
fn variants_go_both_ways() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(tag = "t")]
    enum Skipped {
        One {
            a: u8,
        },
        #[serde(skip_deserializing)]
        Two {
            b: u8,
        },
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    enum Renamed {
        #[serde(rename(serialize = "uno"))]
        One,
        Two,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Out {
        skipped: Vec<Skipped>,
        again: Option<Skipped>,
        renamed: BTreeMap<String, Renamed>,
    }
    let told = refused(output_schema::<Out>());
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 2, "{told}");
    assert!(lines[0].starts_with("\"/$defs/Skipped/oneOf/1\" is a variant that is written, but not read;"), "{told}");
    assert!(lines[1].starts_with("\"/$defs/Renamed\" is written as \"uno\", which is not read;"), "{told}");
}

#[test]
fn types_that_convert_are_compared() {
    #[derive(Clone, JsonSchema, Serialize, Deserialize)]
    #[serde(into = "String", from = "u8")]
    struct Wrong(u8);
    impl From<Wrong> for String {
        fn from(wrong: Wrong) -> Self {
            wrong.0.to_string()
        }
    }
    impl From<u8> for Wrong {
        fn from(number: u8) -> Self {
            Self(number)
        }
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Out {
        wrong: Wrong,
    }
    let told = refused(output_schema::<Out>());
    assert_eq!(told, "\"/$defs/Wrong\" may be written as string, but is read as integer");
}

#[test]
fn recursive_types_are_compared_once() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Tree {
        children: Vec<Tree>,
        left: Option<Box<Tree>>,
        kind: Kind,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    enum Kind {
        Leaf,
        Node(Box<Tree>),
        Pair(u8, Vec<Kind>),
    }
    output_schema::<Tree>().unwrap();
    output_schema::<Kind>().unwrap();
}
