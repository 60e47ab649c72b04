//! Lists, arrays, tuples, sets, pointers and newtypes.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use proptest::array::{uniform2, uniform32};
use proptest::collection::{btree_set, vec, vec_deque};
use proptest::option;
use proptest::prelude::*;

use crate::shape::{Shape, both, held};
use crate::shapes::scalars::finite;

both! {
    types! {
        struct Newtype(u16);
        struct Nested(Newtype);
        struct Pair(u8, Option<String>);
        struct Unit;
        struct Empty {}
        #[serde(transparent)]
        struct Transparent {
            inner: Vec<i8>,
        }
        struct Point {
            x: i32,
            y: i32,
        }
        struct OfPoint(Point);
        struct Pointers {
            boxed: Box<Point>,
            shared: Arc<String>,
            cow: Cow<'static, str>,
            list: Box<[u8]>,
        }
    }

    fn point() -> impl Strategy<Value = Point> + Clone {
        any::<(i32, i32)>().prop_map(|(x, y)| Point { x, y })
    }

    fn pointers() -> impl Strategy<Value = Pointers> {
        (point(), any::<(String, String)>(), vec(any::<u8>(), 0..4)).prop_map(|(point, (shared, cow), list)| Pointers {
            boxed: Box::new(point),
            shared: Arc::new(shared),
            cow: Cow::Owned(cow),
            list: list.into(),
        })
    }

    pub(crate) fn shapes() -> Vec<Shape> {
        vec![
            shape("Vec<u8>, as bytes", vec(any::<u8>(), 0..6)),
            shape("Vec<Vec<bool>>", vec(vec(any::<bool>(), 0..3), 0..3)),
            held!("VecDeque", VecDeque<i16>, vec_deque(any::<i16>(), 0..4)),
            held!("BTreeSet", BTreeSet<u8>, btree_set(any::<u8>(), 0..4))
                .read_as("in the order of the set")
                .on_output(|shape| shape.except("a list in another order than the set writes")),
            held!("BTreeSet of texts", BTreeSet<String>, btree_set("[a-c]{0,2}", 0..4))
                .read_as("in the order of the set")
                .on_output(|shape| shape.except("a list in another order than the set writes")),
            shape("[i8; 2]", uniform2(any::<i8>())),
            shape("[u8; 32]", uniform32(any::<u8>())),
            shape("tuple of one", (any::<u8>(),)),
            shape("tuple", (any::<u8>(), any::<String>(), option::of(any::<bool>()), finite())),
            shape("tuple in a list", vec((any::<u8>(), any::<char>()), 0..3)),
            shape("newtype struct", any::<u16>().prop_map(Newtype)),
            shape("newtype of a newtype", any::<u16>().prop_map(|n| Nested(Newtype(n)))),
            shape("newtype of a struct", point().prop_map(OfPoint)),
            shape("tuple struct", any::<(u8, Option<String>)>().prop_map(|(n, text)| Pair(n, text))),
            shape("transparent struct", vec(any::<i8>(), 0..4).prop_map(|inner| Transparent { inner })),
            shape("unit struct", Just(Unit)),
            shape("struct without fields", Just(Empty {})),
            shape("struct", point()),
            shape("Box, Arc, Cow, Box<[T]>", pointers()),
            shape("Box<T>", point().prop_map(Box::new)),
            shape("Arc<T>", point().prop_map(Arc::new)),
        ]
    }
}
