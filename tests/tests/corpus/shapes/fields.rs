//! What serde's attributes do to fields: names, defaults, what is left out, what is flattened.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::Value;

use crate::shape::{Shape, both};
use crate::shapes::scalars::finite;

both! {
    types! {
        #[serde(rename_all = "camelCase")]
        struct Renamed {
            long_name: u8,
            #[serde(rename = "with space/~")]
            odd: Option<u8>,
            r#type: String,
        }
        #[serde(rename_all = "SCREAMING-KEBAB-CASE")]
        struct Screaming {
            long_name: u8,
        }
        #[serde(rename_all = "kebab-case", rename_all_fields = "PascalCase")]
        enum RenamedVariants {
            FirstOne,
            SecondOne { long_name: u8 },
        }
        struct FieldDefaults {
            #[serde(default)]
            list: Vec<u8>,
            #[serde(default = "ten")]
            ten: u32,
            #[serde(default)]
            text: Option<String>,
            must: bool,
        }
        #[serde(default)]
        struct ContainerDefault {
            limit: u32,
            name: String,
            inner: Small,
        }
        struct Small {
            p: u32,
            q: Option<String>,
        }
        struct Options {
            plain: Option<u8>,
            list: Option<Vec<Option<u8>>>,
            nested: Option<Small>,
            boxed: Option<Box<Small>>,
            unit: Option<Level>,
        }
        enum Level {
            Low,
            High,
        }
        struct LeftOut {
            #[serde(skip_serializing_if = "Option::is_none")]
            one: Option<u8>,
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            many: Vec<u8>,
            #[serde(skip_serializing_if = "Option::is_none")]
            nested: Option<Small>,
        }
        struct FlatStruct {
            a: u8,
            #[serde(flatten)]
            inner: Small,
        }
        struct FlatTwice {
            #[serde(flatten)]
            outer: FlatStruct,
            z: i8,
        }
        struct FlatMap {
            a: u8,
            #[serde(flatten)]
            rest: BTreeMap<String, u8>,
        }
        struct FlatAnything {
            a: u8,
            #[serde(flatten)]
            rest: BTreeMap<String, Value>,
        }
        struct FlatOption {
            a: u8,
            #[serde(flatten)]
            inner: Option<Strict>,
        }
        struct Strict {
            m: u8,
            n: u8,
        }
        struct FlatInternal {
            a: u8,
            #[serde(flatten)]
            kind: Kind,
        }
        #[serde(tag = "kind")]
        enum Kind {
            Unit,
            Struct { n: u64, f: f64 },
            Newtype(Strict),
        }
        struct FlatExternal {
            a: u8,
            #[serde(flatten)]
            variant: Variant,
        }
        enum Variant {
            Scalar(i32),
            Struct { n: u8 },
        }
        struct FlatAdjacent {
            a: u8,
            #[serde(flatten)]
            variant: Adjacent,
        }
        #[serde(tag = "t", content = "c")]
        enum Adjacent {
            Unit,
            Scalar(i32),
            Struct { n: u8 },
        }
        struct FlatUntagged {
            a: u8,
            #[serde(flatten)]
            either: Either,
        }
        #[serde(untagged)]
        enum Either {
            Left { left: u8 },
            Right { right: String },
        }
        #[serde(tag = "kind")]
        enum AroundEither {
            Of(Either),
            Other { n: Option<u8> },
        }
        struct FlatLast {
            #[serde(flatten)]
            variant: Variant,
            #[serde(flatten)]
            pair: Pair,
            #[serde(flatten)]
            kind: Kind,
        }
        struct Pair {
            x: u8,
            y: Option<String>,
        }
        struct FlatAfterTagged {
            #[serde(flatten)]
            mode: Mode,
            #[serde(flatten)]
            kind: Kind,
        }
        #[serde(tag = "mode")]
        enum Mode {
            Fast { speed: u8 },
            Slow,
        }
        struct FlatEither {
            #[serde(flatten)]
            either: Either,
            #[serde(flatten)]
            inner: Strict,
        }
        struct FlatEnums {
            #[serde(flatten)]
            kind: Adjacent,
            #[serde(flatten)]
            variant: Variant,
        }
        struct FlatNewtype {
            #[serde(flatten)]
            kind: Kind,
            #[serde(flatten)]
            variant: Variant,
        }
    }

    impl Default for ContainerDefault {
        fn default() -> Self {
            Self { limit: 10, name: "all".into(), inner: Small { p: 1, q: None } }
        }
    }

    fn ten() -> u32 {
        10
    }

    fn small() -> impl Strategy<Value = Small> + Clone {
        any::<(u32, Option<String>)>().prop_map(|(p, q)| Small { p, q })
    }

    fn strict() -> impl Strategy<Value = Strict> + Clone {
        any::<(u8, u8)>().prop_map(|(m, n)| Strict { m, n })
    }

    fn kind() -> impl Strategy<Value = Kind> + Clone {
        prop_oneof![
            Just(Kind::Unit),
            (any::<u64>(), finite()).prop_map(|(n, f)| Kind::Struct { n, f }),
            strict().prop_map(Kind::Newtype),
        ]
    }

    fn variant() -> impl Strategy<Value = Variant> + Clone {
        prop_oneof![any::<i32>().prop_map(Variant::Scalar), any::<u8>().prop_map(|n| Variant::Struct { n })]
    }

    fn adjacent() -> impl Strategy<Value = Adjacent> + Clone {
        prop_oneof![
            Just(Adjacent::Unit),
            any::<i32>().prop_map(Adjacent::Scalar),
            any::<u8>().prop_map(|n| Adjacent::Struct { n }),
        ]
    }

    fn names() -> Vec<Shape> {
        let renamed = any::<(u8, Option<u8>, String)>();
        let variants = prop_oneof![
            Just(RenamedVariants::FirstOne),
            any::<u8>().prop_map(|long_name| RenamedVariants::SecondOne { long_name }),
        ];
        vec![
            shape("rename, rename_all", renamed.prop_map(|(long_name, odd, r#type)| Renamed { long_name, odd, r#type })),
            shape("rename_all in capitals", any::<u8>().prop_map(|long_name| Screaming { long_name })),
            shape("rename_all, rename_all_fields on an enum", variants),
        ]
    }

    fn defaults() -> Vec<Shape> {
        let fields = (vec(any::<u8>(), 0..3), any::<u32>(), any::<Option<String>>(), any::<bool>());
        let container = (any::<u32>(), any::<String>(), small());
        vec![
            shape(
                "default on fields, by type and by function",
                fields.prop_map(|(list, ten, text, must)| FieldDefaults { list, ten, text, must }),
            ),
            shape(
                "default on the container",
                container.prop_map(|(limit, name, inner)| ContainerDefault { limit, name, inner }),
            ),
        ]
    }

    fn options() -> Vec<Shape> {
        let level = prop_oneof![Just(Level::Low), Just(Level::High)];
        let list = option::of(vec(any::<Option<u8>>(), 0..3));
        let some = (any::<Option<u8>>(), list, option::of(small()), option::of(small()), option::of(level));
        let left_out = (any::<Option<u8>>(), vec(any::<u8>(), 0..3), option::of(small()));
        vec![
            shape("Option<T>", any::<Option<u8>>()),
            shape("Option of a struct", option::of(small())),
            shape("options in a list", vec(option::of(small()), 0..4)),
            shape(
                "optional fields",
                some.prop_map(|(plain, list, nested, boxed, unit)| Options {
                    plain,
                    list,
                    nested,
                    boxed: boxed.map(Box::new),
                    unit,
                }),
            ),
            shape("skip_serializing_if", left_out.prop_map(|(one, many, nested)| LeftOut { one, many, nested }))
                .read_as("with an empty list, which is left out when it is written")
                .on_output(|shape| shape.except("an empty list that is there, where an empty list is left out")),
        ]
    }

    fn flat_objects() -> Vec<Shape> {
        let flat = || (any::<u8>(), small()).prop_map(|(a, inner)| FlatStruct { a, inner });
        let map = btree_map("[b-d]{1,2}", any::<u8>(), 0..3);
        let anything = btree_map("[b-d]{1,2}", any::<Option<String>>().prop_map(Value::from), 0..3);
        vec![
            shape("flattened struct", flat()),
            shape("flattened struct in a flattened struct", (flat(), any::<i8>()).prop_map(|(outer, z)| FlatTwice { outer, z })),
            shape("flattened map", (any::<u8>(), map).prop_map(|(a, rest)| FlatMap { a, rest })),
            shape("flattened map of any JSON", (any::<u8>(), anything).prop_map(|(a, rest)| FlatAnything { a, rest })),
            shape(
                "flattened Option of a struct",
                (any::<u8>(), option::of(strict())).prop_map(|(a, inner)| FlatOption { a, inner }),
            ),
        ]
    }

    fn flat_enums() -> Vec<Shape> {
        let pair = any::<(u8, Option<String>)>().prop_map(|(x, y)| Pair { x, y });
        let mode = prop_oneof![any::<u8>().prop_map(|speed| Mode::Fast { speed }), Just(Mode::Slow)];
        let either = || {
            prop_oneof![
                any::<u8>().prop_map(|left| Either::Left { left }),
                any::<String>().prop_map(|right| Either::Right { right }),
            ]
        };
        vec![
            shape("flattened internally tagged enum", (any::<u8>(), kind()).prop_map(|(a, kind)| FlatInternal { a, kind })),
            shape(
                "flattened externally tagged enum",
                (any::<u8>(), variant()).prop_map(|(a, variant)| FlatExternal { a, variant }),
            ),
            shape(
                "flattened adjacently tagged enum",
                (any::<u8>(), adjacent()).prop_map(|(a, variant)| FlatAdjacent { a, variant }),
            ),
            shape("flattened untagged enum", (any::<u8>(), either()).prop_map(|(a, either)| FlatUntagged { a, either })),
            shape(
                "an untagged enum in a tagged variant",
                prop_oneof![
                    either().prop_map(AroundEither::Of),
                    any::<Option<u8>>().prop_map(|n| AroundEither::Other { n }),
                ],
            ),
            shape(
                "two flattened enums",
                (adjacent(), variant()).prop_map(|(kind, variant)| FlatEnums { kind, variant }),
            ),
            shape(
                "a newtype variant flattened before another field",
                (kind(), variant()).prop_map(|(kind, variant)| FlatNewtype { kind, variant }),
            )
            .in_arguments(|shape| shape.refused("sees the keys of the fields that are flattened after it, and refuses them")),
            shape(
                "a newtype variant flattened after other fields",
                (variant(), pair, kind()).prop_map(|(variant, pair, kind)| FlatLast { variant, pair, kind }),
            ),
            shape(
                "a newtype variant flattened after a tagged enum",
                (mode, kind()).prop_map(|(mode, kind)| FlatAfterTagged { mode, kind }),
            )
            .in_arguments(|shape| shape.refused("sees the keys of the flattened \"Mode\" too, and refuses them")),
            shape(
                "an untagged enum flattened before another field",
                (either(), strict()).prop_map(|(either, inner)| FlatEither { either, inner }),
            )
            .in_arguments(|shape| shape.refused("sees the keys of the fields that are flattened after it, and refuses them")),
        ]
    }

    pub(crate) fn shapes() -> Vec<Shape> {
        [names(), defaults(), options(), flat_objects(), flat_enums()].into_iter().flatten().collect()
    }
}
