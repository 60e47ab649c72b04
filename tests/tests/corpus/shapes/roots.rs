//! Shapes that are the arguments of a tool themselves.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde::Serialize;
use tool_runtime::prelude::*;

use crate::shape::{Shape, arguments};
use crate::shapes::scalars::finite;
use crate::subject::Echo;

macro_rules! tools {
    ($($(#[$attribute:meta])* $kind:ident $name:ident { $($body:tt)* })*) => {$(
        /// One of many.
        #[derive(Tool, Clone, Debug, PartialEq, Serialize)]
        #[tool(output = Echo, render = json)]
        $(#[$attribute])*
        $kind $name { $($body)* }

        impl Execute for $name {
            async fn execute(&self, _: &Context) -> Result<Echo, ToolError> {
                Echo::of(self)
            }
        }
    )*};
}

macro_rules! newtypes {
    ($($name:ident($held:ty);)*) => {$(
        /// One of many.
        #[derive(Tool, Clone, Debug, PartialEq, Serialize)]
        #[tool(output = Echo, render = json)]
        struct $name($held);

        impl Execute for $name {
            async fn execute(&self, _: &Context) -> Result<Echo, ToolError> {
                Echo::of(self)
            }
        }
    )*};
}

newtypes! {
    OfStruct(Inner);
    OfEnum(Box<Kind>);
    OfMap(BTreeMap<String, u8>);
}

#[tool_input]
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Inner {
    p: u32,
    #[serde(default)]
    q: Option<String>,
}

tools! {
    struct Nothing {}
    struct Plain { a: u8, b: Option<String>, c: Vec<Inner>, }
    #[serde(default, rename_all = "camelCase")]
    struct Defaulted { long_name: u8, inner: Option<Inner>, }
    #[tool(open)]
    struct Open { a: u8, b: Option<Inner>, }
    struct Flat {
        a: u8,
        #[serde(flatten)]
        inner: Inner,
        #[serde(flatten)]
        kind: Kind,
    }
    struct FlatMap {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    struct Aliased {
        #[serde(alias = "file")]
        path: String,
    }
    enum External {
        Newtype(Inner),
        Scalar(i32),
        Tuple(u8, bool),
        Struct { f: f64 },
        Empty {},
    }
    #[serde(tag = "action", rename_all = "snake_case")]
    enum Internal {
        Unit,
        Newtype(Inner),
        Struct { n: u64, f: f64 },
    }
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Unit,
        Newtype(Inner),
        Scalar(i32),
        Tuple(u8, bool),
        Struct { n: u64 },
    }
    #[serde(untagged)]
    enum Untagged {
        First { a: u8 },
        Second { b: i8, c: Option<bool> },
        Newtype(Inner),
    }
}

#[tool_input]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind")]
enum Kind {
    Unit,
    Struct { n: u64 },
}

impl Default for Defaulted {
    fn default() -> Self {
        Self { long_name: 7, inner: None }
    }
}

/// Without braces.
#[derive(Tool, Clone, Debug, PartialEq, Serialize)]
#[tool(output = Echo, render = json)]
struct Unit;

impl Execute for Unit {
    async fn execute(&self, _: &Context) -> Result<Echo, ToolError> {
        Echo::of(self)
    }
}

fn inner() -> impl Strategy<Value = Inner> + Clone {
    any::<(u32, Option<String>)>().prop_map(|(p, q)| Inner { p, q })
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Unit), any::<u64>().prop_map(|n| Kind::Struct { n })]
}

fn structs() -> Vec<Shape> {
    let some = || prop::option::of(inner());
    vec![
        arguments("arguments: unit struct", Just(Unit)).read_only("written as null"),
        arguments("arguments: struct without fields", Just(Nothing {})),
        arguments(
            "arguments: struct",
            (any::<u8>(), any::<Option<String>>(), vec(inner(), 0..3)).prop_map(|(a, b, c)| Plain { a, b, c }),
        ),
        arguments(
            "arguments: default on the container",
            (any::<u8>(), some()).prop_map(|(long_name, inner)| Defaulted { long_name, inner }),
        ),
        arguments("arguments: open", (any::<u8>(), some()).prop_map(|(a, b)| Open { a, b }))
            .read_as("without the keys that it does not know"),
        arguments(
            "arguments: flattened struct and enum",
            (any::<u8>(), inner(), kind()).prop_map(|(a, inner, kind)| Flat { a, inner, kind }),
        ),
        arguments(
            "arguments: flattened map",
            (any::<u8>(), btree_map("[b-d]{1,2}", any::<u8>(), 0..3)).prop_map(|(a, rest)| FlatMap { a, rest }),
        ),
        arguments("arguments: alias", any::<String>().prop_map(|path| Aliased { path })).aliases(&[("file", "path")]),
    ]
}

fn enums() -> Vec<Shape> {
    let external = prop_oneof![
        inner().prop_map(External::Newtype),
        any::<i32>().prop_map(External::Scalar),
        any::<(u8, bool)>().prop_map(|(n, flag)| External::Tuple(n, flag)),
        finite().prop_map(|f| External::Struct { f }),
        Just(External::Empty {}),
    ];
    let internal = prop_oneof![
        Just(Internal::Unit),
        inner().prop_map(Internal::Newtype),
        (any::<u64>(), finite()).prop_map(|(n, f)| Internal::Struct { n, f }),
    ];
    let adjacent = prop_oneof![
        Just(Adjacent::Unit),
        inner().prop_map(Adjacent::Newtype),
        any::<i32>().prop_map(Adjacent::Scalar),
        any::<(u8, bool)>().prop_map(|(n, flag)| Adjacent::Tuple(n, flag)),
        any::<u64>().prop_map(|n| Adjacent::Struct { n }),
    ];
    let untagged = prop_oneof![
        any::<u8>().prop_map(|a| Untagged::First { a }),
        any::<(i8, Option<bool>)>().prop_map(|(b, c)| Untagged::Second { b, c }),
        inner().prop_map(Untagged::Newtype),
    ];
    vec![
        arguments("arguments: externally tagged enum", external),
        arguments("arguments: internally tagged enum", internal),
        arguments("arguments: adjacently tagged enum", adjacent),
        arguments("arguments: untagged enum", untagged),
    ]
}

fn held() -> Vec<Shape> {
    vec![
        arguments("arguments: newtype of a struct", inner().prop_map(OfStruct)),
        arguments("arguments: newtype of an enum", kind().prop_map(|kind| OfEnum(Box::new(kind)))),
        arguments("arguments: newtype of a map", btree_map("[a-c]", any::<u8>(), 0..3).prop_map(OfMap)),
    ]
}

pub(crate) fn all() -> Vec<Shape> {
    structs().into_iter().chain(held()).chain(enums()).collect()
}
