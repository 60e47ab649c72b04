//! Types of every shape that serde derives, for the tests.

use crate::json::JsonValue;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct Point {
    pub(super) x: i32,
    #[serde(default)]
    pub(super) y: Option<u8>,
}

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
pub(super) struct Unit;

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
pub(super) struct Newtype(pub(super) Option<Box<Point>>);

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
pub(super) struct Pair(pub(super) u8, pub(super) String);

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
pub(super) enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, bool),
    Struct { a: i16 },
    Optional(Option<u8>),
}

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
#[serde(tag = "kind")]
pub(super) enum Internal {
    Unit,
    Newtype(Point),
    Struct { a: u8, b: f64 },
}

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    Unit,
    Newtype(u8),
    Tuple(u8, bool),
    Struct { a: u8 },
}

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
#[serde(untagged)]
pub(super) enum Untagged {
    Number(u8),
    Text(String),
    Struct { a: u8, b: f64 },
    List(Vec<i64>),
}

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
pub(super) struct Flat {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) point: Size,
    #[serde(flatten)]
    pub(super) rest: BTreeMap<String, JsonValue>,
}

#[derive(Deserialize, Serialize, Debug, PartialEq, Clone)]
pub(super) struct Size {
    pub(super) width: u32,
    pub(super) scale: f64,
}
