//! Of derived types, one pass leaves nothing in doubt, and refuses what breaks a bound.

// Most types here are only written.
#![allow(dead_code, clippy::items_after_statements)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_pass;
use crate::schema::dialect::Dialect;
use crate::schema::graph::survey;
use crate::schema::output_schema;
use crate::schema::program::Program;

fn accepts<T: JsonSchema + Serialize>(value: &T) -> bool {
    let schema = output_schema::<T>().unwrap_or_else(|error| panic!("{error}"));
    let survey = survey(schema.tree()).unwrap();
    let program = Program::compile(schema.tree(), &survey.names, Dialect::Draft202012, true).unwrap();
    let (text, accepts) = one_pass(&program, value).unwrap();
    assert!(program.holds(&text.to_value()) == Some(true) || !accepts, "{text} breaks {schema}");
    accepts
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Default)]
#[serde(rename_all = "camelCase")]
struct View {
    path: String,
    first_line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    next: Option<Box<View>>,
    lines: Vec<(u32, String)>,
    counts: BTreeMap<String, u8>,
    share: f32,
    unit: (),
}

#[test]
fn structs_options_tuples_and_maps() {
    let inner = View { path: "b".into(), ..View::default() };
    let view = View {
        path: "a\n".into(),
        first_line: 7,
        note: Some("n".into()),
        next: Some(Box::new(inner)),
        lines: vec![(1, "x".into()), (2, "y".into())],
        counts: BTreeMap::from([("k".into(), 1)]),
        share: 0.1,
        unit: (),
    };
    assert!(accepts(&view));
    assert!(accepts(&vec![View::default()]));
    assert!(accepts(&Some(1_u8)));
    assert!(accepts(&HashMap::from([("b", View::default()), ("a", View::default())])));
    assert!(accepts(&HashMap::from([(7_u32, true), (3, false)])));
    assert!(accepts(&BTreeSet::from(["a", "b"])));
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum External {
    Stop,
    /// With its own description.
    Pause,
    Go(View),
    Turn {
        degrees: f64,
    },
    Pair(u8, String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Internal {
    Stop,
    Go(View),
    Turn { degrees: f64 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "value")]
enum Adjacent {
    Stop,
    Go(View),
    Turn { degrees: f64 },
    Pair(u8, String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
    One { a: u8 },
    Other { b: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Flattened {
    id: u8,
    #[serde(flatten)]
    view: View,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FlattenedEnum {
    id: u8,
    #[serde(flatten)]
    what: Internal,
}

#[test]
fn enums_of_every_representation() {
    use External as E;
    for value in [E::Stop, E::Pause, E::Go(View::default()), E::Turn { degrees: 0.5 }, E::Pair(1, "x".into())] {
        assert!(accepts(&value));
        assert!(accepts(&Some(vec![value])));
    }
    for value in [Internal::Stop, Internal::Go(View::default()), Internal::Turn { degrees: -0.0 }] {
        assert!(accepts(&FlattenedEnum { id: 1, what: value }));
    }
    for value in [Internal::Stop, Internal::Go(View::default()), Internal::Turn { degrees: -0.0 }] {
        assert!(accepts(&vec![value]));
    }
    use Adjacent as A;
    for value in [A::Stop, A::Go(View::default()), A::Turn { degrees: 1.0 }, A::Pair(1, "x".into())] {
        assert!(accepts(&value));
    }
    use Untagged as U;
    for value in [U::Number(1), U::Text("x".into()), U::One { a: 1 }, U::Other { b: 1 }] {
        assert!(accepts(&value));
    }
    assert!(accepts(&Flattened { id: 1, view: View::default() }));
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Bounded {
    #[schemars(range(min = 1, max = 9))]
    n: u8,
    #[schemars(length(min = 1, max = 3), regex(pattern = "^[a-z]+$"))]
    s: String,
    #[schemars(length(max = 2))]
    list: Vec<u8>,
    #[schemars(extend("format" = "date-time"))]
    at: String,
}

#[test]
fn what_breaks_a_bound_is_not_accepted() {
    let bounded =
        |n, s: &str, list: &[u8], at: &str| accepts(&Bounded { n, s: s.into(), list: list.into(), at: at.into() });
    let at = "2026-01-01T00:00:00Z";
    assert!(bounded(1, "abc", &[1, 2], at));
    assert!(!bounded(0, "abc", &[1, 2], at));
    assert!(!bounded(10, "abc", &[1, 2], at));
    assert!(!bounded(1, "", &[1, 2], at));
    assert!(!bounded(1, "abcd", &[1, 2], at));
    assert!(!bounded(1, "A", &[1, 2], at));
    assert!(!bounded(1, "abc", &[1, 2, 3], at));
    assert!(!bounded(1, "abc", &[], "yesterday"));
}
