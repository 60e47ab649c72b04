//! Enums of every representation, with variants of every style.

use proptest::option;
use proptest::prelude::*;

use crate::shape::{Shape, both};
use crate::shapes::scalars::{finite, unsigned};

both! {
    types! {
        struct Leaf {
            n: u64,
            text: Option<String>,
        }
        enum Plain {
            One,
            /// Documented, which schemars publishes in another way.
            Two,
            #[serde(rename = "3rd")]
            Three,
        }
        enum Bare {
            One,
            Two,
        }
        enum Single {
            Only,
        }
        enum External {
            Unit,
            Newtype(Leaf),
            Scalar(i8),
            Maybe(Option<u8>),
            Tuple(u8, String),
            Struct { a: u8, f: f64 },
            Empty {},
        }
        #[serde(tag = "kind", rename_all = "snake_case")]
        enum Internal {
            Unit,
            Newtype(Leaf),
            Struct {
                a: u8,
                f: f64,
            },
            #[serde(rename_all = "camelCase")]
            Renamed {
                long_name: Option<bool>,
            },
            Empty {},
        }
        #[serde(tag = "t", content = "c")]
        enum Adjacent {
            Unit,
            Newtype(Leaf),
            Scalar(i8),
            Maybe(Option<u8>),
            Tuple(u8, String),
            Struct { a: u8, f: f64 },
            Empty {},
        }
        #[serde(untagged)]
        enum Untagged {
            Flag(bool),
            Whole(i32),
            Text(String),
            List(Vec<u8>),
            Leaf(Leaf),
            Struct { a: u8 },
            Nothing,
        }
        #[serde(tag = "outer")]
        enum Twice {
            Inner(Internal),
            Other { outside: u8 },
        }
        enum Around {
            Of(Internal),
            Plain(Plain),
            Untagged(Untagged),
        }
    }

    fn leaf() -> impl Strategy<Value = Leaf> + Clone {
        (unsigned(), option::of(any::<String>())).prop_map(|(n, text)| Leaf { n, text })
    }

    fn plain() -> impl Strategy<Value = Plain> + Clone {
        prop_oneof![Just(Plain::One), Just(Plain::Two), Just(Plain::Three)]
    }

    fn external() -> impl Strategy<Value = External> + Clone {
        prop_oneof![
            Just(External::Unit),
            leaf().prop_map(External::Newtype),
            any::<i8>().prop_map(External::Scalar),
            any::<Option<u8>>().prop_map(External::Maybe),
            any::<(u8, String)>().prop_map(|(n, text)| External::Tuple(n, text)),
            (any::<u8>(), finite()).prop_map(|(a, f)| External::Struct { a, f }),
            Just(External::Empty {}),
        ]
    }

    fn internal() -> impl Strategy<Value = Internal> + Clone {
        prop_oneof![
            Just(Internal::Unit),
            leaf().prop_map(Internal::Newtype),
            (any::<u8>(), finite()).prop_map(|(a, f)| Internal::Struct { a, f }),
            any::<Option<bool>>().prop_map(|long_name| Internal::Renamed { long_name }),
            Just(Internal::Empty {}),
        ]
    }

    fn adjacent() -> impl Strategy<Value = Adjacent> + Clone {
        prop_oneof![
            Just(Adjacent::Unit),
            leaf().prop_map(Adjacent::Newtype),
            any::<i8>().prop_map(Adjacent::Scalar),
            any::<Option<u8>>().prop_map(Adjacent::Maybe),
            any::<(u8, String)>().prop_map(|(n, text)| Adjacent::Tuple(n, text)),
            (any::<u8>(), finite()).prop_map(|(a, f)| Adjacent::Struct { a, f }),
            Just(Adjacent::Empty {}),
        ]
    }

    fn untagged() -> impl Strategy<Value = Untagged> + Clone {
        prop_oneof![
            any::<bool>().prop_map(Untagged::Flag),
            any::<i32>().prop_map(Untagged::Whole),
            any::<String>().prop_map(Untagged::Text),
            prop::collection::vec(any::<u8>(), 0..3).prop_map(Untagged::List),
            leaf().prop_map(Untagged::Leaf),
            any::<u8>().prop_map(|a| Untagged::Struct { a }),
            Just(Untagged::Nothing),
        ]
    }

    fn around() -> impl Strategy<Value = Around> {
        prop_oneof![
            internal().prop_map(Around::Of),
            plain().prop_map(Around::Plain),
            untagged().prop_map(Around::Untagged),
        ]
    }

    pub(crate) fn shapes() -> Vec<Shape> {
        let twice = prop_oneof![
            internal().prop_map(Twice::Inner),
            any::<u8>().prop_map(|outside| Twice::Other { outside }),
        ];
        vec![
            shape("unit variants, one documented", plain()),
            shape("unit variants", prop_oneof![Just(Bare::One), Just(Bare::Two)]),
            shape("a single unit variant", Just(Single::Only)),
            shape("externally tagged", external()),
            shape("internally tagged", internal()),
            shape("adjacently tagged", adjacent()),
            shape("untagged", untagged()),
            shape("tag beside a tag", twice),
            shape("enums in an enum", around()),
            shape("enums in a list", prop::collection::vec((plain(), external(), internal(), adjacent()), 0..3)),
        ]
    }
}
