//! Fields with constraints of schemars.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::shape::{Shape, both};

both! {
    types! {
        struct Ranges {
            #[schemars(range(min = 1, max = 10))]
            small: u8,
            #[schemars(range(min = -5, max = 5))]
            signed: i64,
            #[schemars(range(min = 0.5, max = 1.5))]
            float: f64,
            #[schemars(range(min = 1))]
            optional: Option<u32>,
        }
        struct Exclusive {
            #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 10))]
            whole: i32,
            #[schemars(extend("exclusiveMinimum" = 0.0, "exclusiveMaximum" = 1.0))]
            float: f64,
        }
        struct Steps {
            #[schemars(extend("multipleOf" = 5))]
            five: u16,
        }
        struct Lengths {
            #[schemars(length(min = 1, max = 3))]
            text: String,
            #[schemars(length(min = 1, max = 3))]
            list: Vec<u8>,
            #[schemars(length(equal = 2))]
            two: Option<String>,
            #[schemars(extend("minProperties" = 1, "maxProperties" = 2))]
            map: std::collections::BTreeMap<String, u8>,
        }
        struct Inner {
            #[schemars(inner(length(min = 1, max = 2)))]
            texts: Vec<String>,
            #[schemars(inner(range(min = 1, max = 3)))]
            numbers: Option<Vec<u8>>,
        }
        struct Patterns {
            #[schemars(regex(pattern = r"^[a-c]{1,4}$"))]
            letters: String,
            #[schemars(regex(pattern = r"^\d{3}-\d{2}$"))]
            digits: Option<String>,
        }
        struct Formats {
            #[schemars(email)]
            email: String,
            #[schemars(url)]
            url: Option<String>,
            #[schemars(extend("format" = "hostname"))]
            host: Option<String>,
            #[schemars(extend("format" = "json-pointer"))]
            pointer: Option<String>,
            #[schemars(extend("format" = "duration"))]
            duration: Option<String>,
        }
        struct Unique {
            #[schemars(extend("uniqueItems" = true))]
            list: Vec<u8>,
        }
        struct OneOf {
            #[schemars(extend("enum" = ["a", "b"]))]
            word: String,
            #[schemars(extend("const" = 3))]
            three: u8,
        }
    }

    fn ranges() -> impl Strategy<Value = Ranges> {
        (1..=10_u8, -5..=5_i64, 0.5..=1.5, prop::option::of(1..=u32::MAX))
            .prop_map(|(small, signed, float, optional)| Ranges { small, signed, float, optional })
    }

    fn lengths() -> impl Strategy<Value = Lengths> {
        let map = btree_map(any::<String>(), any::<u8>(), 1..=2);
        ("(?s:.{1,3})", vec(any::<u8>(), 1..=3), prop::option::of("(?s:.{2})"), map)
            .prop_map(|(text, list, two, map)| Lengths { text, list, two, map })
    }

    fn formats() -> impl Strategy<Value = Formats> {
        any::<u8>().prop_map(|n| Formats {
            email: format!("a{n}@b.org"),
            url: Some(format!("https://a.org/{n}")),
            host: Some("a.org".into()),
            pointer: Some(format!("/a/{n}")),
            duration: Some(format!("P{n}D")),
        })
    }

    pub(crate) fn shapes() -> Vec<Shape> {
        let inner = (vec("[a-b]{1,2}", 0..3), prop::option::of(vec(1..=3_u8, 0..3)));
        vec![
            shape("range", ranges()),
            shape(
                "exclusive bounds",
                (1..10_i32, 0.001..0.999).prop_map(|(whole, float)| Exclusive { whole, float }),
            ),
            shape("multipleOf", (0..13_107_u16).prop_map(|n| Steps { five: n * 5 })),
            shape("length of texts, lists and maps", lengths()),
            shape("constraints of items", inner.prop_map(|(texts, numbers)| Inner { texts, numbers })),
            shape(
                "regular expressions",
                ("[a-c]{1,4}", prop::option::of("[0-9]{3}-[0-9]{2}"))
                    .prop_map(|(letters, digits)| Patterns { letters, digits }),
            ),
            shape("formats of texts", formats()),
            shape("unique items", prop::collection::btree_set(any::<u8>(), 0..3)
                .prop_map(|set| Unique { list: set.into_iter().collect() })),
            shape("enum and const by hand", "[ab]".prop_map(|word| OneOf { word, three: 3 })),
        ]
    }
}
