//! Recursive, mutually recursive and generic types.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

use crate::shape::{Shape, both};

both! {
    types! {
        struct Node {
            value: i64,
            next: Option<Box<Node>>,
        }
        struct Tree {
            name: String,
            children: Vec<Tree>,
        }
        enum Expression {
            Number(f64),
            Not(Box<Expression>),
            All { of: Vec<Expression> },
        }
        #[serde(tag = "op")]
        enum Tagged {
            Leaf { n: u8 },
            Add { left: Box<Tagged>, right: Box<Tagged> },
        }
        #[serde(untagged)]
        enum Json {
            Null,
            Flag(bool),
            Text(String),
            List(Vec<Json>),
            Object(BTreeMap<String, Json>),
        }
        struct Folder {
            files: Vec<File>,
        }
        struct File {
            name: String,
            holds: Option<Box<Folder>>,
        }
        struct Page<T> {
            items: Vec<T>,
            next: Option<T>,
        }
        struct Fixed<T, const N: usize> {
            items: Vec<T>,
            self_same: Option<Box<Self>>,
        }
        struct Point {
            x: u8,
        }
        struct Generics {
            numbers: Page<u8>,
            points: Page<Point>,
            pages: Page<Page<bool>>,
            fixed: Fixed<u16, 3>,
        }
    }

    fn node() -> impl Strategy<Value = Node> {
        let leaf = any::<i64>().prop_map(|value| Node { value, next: None });
        leaf.prop_recursive(4, 8, 1, |inner| {
            (any::<i64>(), option::of(inner)).prop_map(|(value, next)| Node { value, next: next.map(Box::new) })
        })
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let leaf = any::<String>().prop_map(|name| Tree { name, children: Vec::new() });
        leaf.prop_recursive(3, 12, 3, |inner| {
            (any::<String>(), vec(inner, 0..3)).prop_map(|(name, children)| Tree { name, children })
        })
    }

    fn expression() -> impl Strategy<Value = Expression> {
        let leaf = any::<i16>().prop_map(|n| Expression::Number(f64::from(n) / 4.0));
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                inner.clone().prop_map(|inner| Expression::Not(Box::new(inner))),
                vec(inner, 0..3).prop_map(|of| Expression::All { of }),
            ]
        })
    }

    fn tagged() -> impl Strategy<Value = Tagged> {
        let leaf = any::<u8>().prop_map(|n| Tagged::Leaf { n });
        leaf.prop_recursive(3, 8, 2, |inner| {
            (inner.clone(), inner).prop_map(|(left, right)| Tagged::Add { left: Box::new(left), right: Box::new(right) })
        })
    }

    fn json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Flag),
            any::<String>().prop_map(Json::Text),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..3).prop_map(Json::List),
                btree_map(any::<String>(), inner, 0..3).prop_map(Json::Object),
            ]
        })
    }

    fn folder() -> impl Strategy<Value = Folder> {
        let leaf = Just(Folder { files: Vec::new() });
        leaf.prop_recursive(3, 8, 2, |inner| {
            let file = (any::<String>(), option::of(inner));
            let file = file.prop_map(|(name, holds)| File { name, holds: holds.map(Box::new) });
            vec(file, 0..3).prop_map(|files| Folder { files })
        })
    }

    fn page<T: Clone + std::fmt::Debug + 'static>(
        items: impl Strategy<Value = T> + Clone + 'static,
    ) -> impl Strategy<Value = Page<T>> + Clone {
        (vec(items.clone(), 0..3), option::of(items)).prop_map(|(items, next)| Page { items, next })
    }

    fn generics() -> impl Strategy<Value = Generics> {
        let fixed = vec(any::<u16>(), 0..3).prop_map(|items| Fixed { items, self_same: None });
        let points = page(any::<u8>().prop_map(|x| Point { x }));
        let pages = page(page(any::<bool>()));
        (page(any::<u8>()), points, pages, fixed)
            .prop_map(|(numbers, points, pages, fixed)| Generics { numbers, points, pages, fixed })
    }

    pub(crate) fn shapes() -> Vec<Shape> {
        vec![
            shape("recursive struct", node()),
            shape("recursive list", tree()),
            shape("recursive externally tagged enum", expression()),
            shape("recursive internally tagged enum", tagged()),
            shape("recursive untagged enum", json()),
            shape("mutually recursive structs", folder()),
            shape("generic struct", page(any::<u8>())),
            shape("generic structs in one another", generics()),
        ]
    }
}
