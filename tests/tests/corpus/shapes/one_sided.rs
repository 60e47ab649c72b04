//! Shapes that stand on one side only: what an output may not be, arguments may, and what only outputs do.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use tool_runtime::{tool_input, tool_output};

use crate::shape::{Shape, argument, output};

macro_rules! inputs {
    ($($item:item)*) => {$(
        #[tool_input]
        #[derive(Clone, Debug, PartialEq, Serialize)]
        $item
    )*};
}

macro_rules! values {
    ($($item:item)*) => {$(
        #[tool_output]
        #[derive(Clone, Debug, PartialEq)]
        $item
    )*};
}

inputs! {
    #[serde(untagged)]
    enum TakesBoth {
        Some { a: Option<u8> },
        More { a: Option<u8>, b: Option<u8> },
    }
    struct Aliased {
        #[serde(alias = "kind", alias = "class")]
        r#type: String,
        inner: Option<AliasedInner>,
    }
    struct AliasedInner {
        #[serde(alias = "number")]
        n: u8,
    }
    struct DoubleOption {
        #[allow(clippy::option_option, reason = "it is the shape")]
        it: Option<Option<u8>>,
    }
    struct TwoNames {
        #[serde(rename(serialize = "written", deserialize = "read"))]
        n: u8,
    }
    struct Skipped {
        n: u8,
        #[serde(skip)]
        computed: u8,
    }
    struct Unwritten {
        n: u8,
        #[serde(skip_serializing, default)]
        secret: Option<String>,
    }
    #[serde(deny_unknown_fields)]
    struct Denying {
        n: u8,
        #[serde(default)]
        m: u8,
    }
    #[serde(from = "String")]
    struct Converted(usize);
    #[serde(try_from = "u8", into = "u8")]
    struct Even(u8);
    #[serde(tag = "kind")]
    enum WithSkipped {
        Taken { n: u8 },
        #[serde(skip)]
        Never,
    }
    #[serde(tag = "kind")]
    enum WithOther {
        Known,
        #[serde(other)]
        Other,
    }
    enum PartlyUntagged {
        Known { n: u8 },
        #[serde(untagged)]
        Text(String),
    }
    struct With {
        #[serde(deserialize_with = "hex")]
        #[schemars(with = "String", regex(pattern = "^[0-9a-f]{1,4}$"))]
        n: u16,
    }
}

fn hex<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    let text: String = serde::Deserialize::deserialize(deserializer)?;
    u16::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
}

impl From<String> for Converted {
    fn from(text: String) -> Self {
        Self(text.len())
    }
}

impl TryFrom<u8> for Even {
    type Error = &'static str;

    fn try_from(n: u8) -> Result<Self, Self::Error> {
        if n.is_multiple_of(2) { Ok(Self(n)) } else { Err("must be even") }
    }
}

impl From<Even> for u8 {
    fn from(even: Even) -> Self {
        even.0
    }
}

values! {
    #[serde(untagged)]
    enum Overlap {
        Narrow(u8),
        Wide(u16),
    }
    #[serde(untagged)]
    enum OverlapOfObjects {
        Some { a: Option<u8> },
        More { a: Option<u8>, b: Option<u8> },
    }
    #[serde(untagged)]
    enum WholeAndFloat {
        Whole(i64),
        Float(f64),
    }
    #[serde(from = "String", into = "String")]
    struct Through(String);
    #[serde(untagged)]
    enum Lists {
        Numbers(Vec<u8>),
        Texts(Vec<String>),
    }
    #[serde(untagged)]
    enum FilledLists {
        Numbers(#[schemars(length(min = 1))] Vec<u8>),
        Texts(#[schemars(length(min = 1))] Vec<String>),
    }
    struct HiddenDoubleOption {
        it: Maybe<Option<u8>>,
    }
    struct FlatMapOverField {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
}

type Maybe<T> = Option<T>;

impl From<String> for Through {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<Through> for String {
    fn from(through: Through) -> Self {
        through.0
    }
}

fn inputs() -> Vec<Shape> {
    let objects = prop_oneof![
        any::<Option<u8>>().prop_map(|a| TakesBoth::Some { a }),
        any::<(Option<u8>, Option<u8>)>().prop_map(|(a, b)| TakesBoth::More { a, b }),
    ];
    let aliased = (any::<String>(), prop::option::of(any::<u8>().prop_map(|n| AliasedInner { n })));
    vec![
        argument("untagged objects that overlap", objects),
        argument("alias", aliased.prop_map(|(r#type, inner)| Aliased { r#type, inner })).aliases(&[
            ("kind", "type"),
            ("class", "type"),
            ("number", "n"),
        ]),
        argument("Option<Option<T>>", any::<Option<u8>>().prop_map(|it| DoubleOption { it: it.map(Some) })),
        argument("rename with two names", any::<u8>().prop_map(|n| TwoNames { n }))
            .read_only("written under its other name"),
        argument("skip", any::<u8>().prop_map(|n| Skipped { n, computed: 0 })),
        argument("skip_serializing", any::<u8>().prop_map(|n| Unwritten { n, secret: None })).read_only("not written"),
        argument("deny_unknown_fields", any::<(u8, u8)>().prop_map(|(n, m)| Denying { n, m })),
        argument("from, one way", any::<String>().prop_map(Converted::from))
            .read_only("written as the type that it is"),
        argument("try_from", (0..128_u8).prop_map(|n| Even(n * 2))).except("odd numbers"),
        argument("a variant that is skipped", any::<u8>().prop_map(|n| WithSkipped::Taken { n })),
        argument("a variant for all others", prop_oneof![Just(WithOther::Known), Just(WithOther::Other)]),
        argument(
            "an untagged variant of a tagged enum",
            prop_oneof![
                any::<u8>().prop_map(|n| PartlyUntagged::Known { n }),
                any::<String>().prop_map(PartlyUntagged::Text),
            ],
        ),
        argument("deserialize_with, with its schema", any::<u16>().prop_map(|n| With { n }))
            .read_only("written as a number"),
    ]
}

fn outputs() -> Vec<Shape> {
    let overlap = prop_oneof![any::<u8>().prop_map(Overlap::Narrow), any::<u8>().prop_map(|n| Overlap::Wide(n.into()))];
    let objects = prop_oneof![
        any::<Option<u8>>().prop_map(|a| OverlapOfObjects::Some { a }),
        any::<(Option<u8>, Option<u8>)>().prop_map(|(a, b)| OverlapOfObjects::More { a, b }),
    ];
    let numbers = prop_oneof![
        any::<i64>().prop_map(WholeAndFloat::Whole),
        any::<i16>().prop_map(|n| WholeAndFloat::Float(f64::from(n))),
    ];
    let lists = prop_oneof![any::<Vec<u8>>().prop_map(Lists::Numbers), any::<Vec<String>>().prop_map(Lists::Texts),];
    let filled = prop_oneof![
        prop::collection::vec(any::<u8>(), 1..3).prop_map(FilledLists::Numbers),
        prop::collection::vec(any::<String>(), 1..3).prop_map(FilledLists::Texts),
    ];
    vec![
        output("untagged variants that overlap", overlap)
            .refused("a value of the variant \"Wide\" may come back as \"Narrow\""),
        output("untagged objects that overlap", objects)
            .refused("a value of the variant \"More\" may come back as \"Some\""),
        output("untagged integer or float", numbers)
            .refused("a value of the variant \"Float\" may come back as \"Whole\""),
        output("untagged lists", lists).refused("a value of the variant \"Texts\" may come back as \"Numbers\""),
        output("untagged lists of one item or more", filled),
        output("from and into", any::<String>().prop_map(Through)),
        output(
            "an option of an option, behind an alias",
            any::<Option<Option<u8>>>().prop_map(|it| HiddenDoubleOption { it }),
        )
        .refused("an `Option` of an `Option` has three cases"),
    ]
}

pub(crate) fn all() -> Vec<Shape> {
    inputs().into_iter().chain(outputs()).collect()
}
