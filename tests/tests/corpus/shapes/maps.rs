//! Maps of every kind of key.

use std::collections::{BTreeMap, HashMap};

use proptest::collection::{btree_map, hash_map};
use proptest::prelude::*;
use serde_json::Value;
use uuid::Uuid;

use crate::shape::{Shape, both, held};

both! {
    types! {
        #[derive(Eq, PartialOrd, Ord)]
        enum Key {
            Plain,
            #[serde(rename = "with space")]
            Spaced,
        }
        #[derive(Eq, PartialOrd, Ord)]
        struct Id(u32);
        #[derive(Eq, PartialOrd, Ord)]
        struct Name(String);
        struct Row {
            n: u8,
        }
    }

    fn key() -> impl Strategy<Value = Key> {
        prop_oneof![Just(Key::Plain), Just(Key::Spaced)]
    }

    pub(crate) fn shapes() -> Vec<Shape> {
        let rows = btree_map(any::<String>(), any::<u8>().prop_map(|n| Row { n }), 0..4);
        vec![
            shape("map by String", rows),
            shape("map by String of maps", btree_map("[a-c/~]{0,2}", btree_map(any::<String>(), any::<i64>(), 0..3), 0..3)),
            held!("HashMap by String", HashMap<String, u8>, hash_map("[a-c]{0,2}", any::<u8>(), 0..2)),
            held!("map of any JSON", BTreeMap<String, Value>, btree_map(any::<String>(), any::<u8>().prop_map(Value::from), 0..3)),
            held!("map by u8", BTreeMap<u8, bool>, btree_map(any::<u8>(), any::<bool>(), 0..4)),
            held!("map by i8", BTreeMap<i8, bool>, btree_map(any::<i8>(), any::<bool>(), 0..4)),
            held!("map by u16", HashMap<u16, bool>, hash_map(any::<u16>(), any::<bool>(), 0..2)),
            held!("map by i32", BTreeMap<i32, bool>, btree_map(any::<i32>(), any::<bool>(), 0..4)),
            held!("map by u64", BTreeMap<u64, bool>, btree_map(any::<u64>(), any::<bool>(), 0..4)),
            held!("map by i64", BTreeMap<i64, bool>, btree_map(any::<i64>(), any::<bool>(), 0..4)),
            held!("map by char", BTreeMap<char, u8>, btree_map(any::<char>(), any::<u8>(), 0..4)),
            held!("map by bool", BTreeMap<bool, u8>, btree_map(any::<bool>(), any::<u8>(), 0..3)),
            held!("map by unit enum", BTreeMap<Key, u8>, btree_map(key(), any::<u8>(), 0..3)),
            held!("map by newtype of an integer", BTreeMap<Id, u8>, btree_map(any::<u32>().prop_map(Id), any::<u8>(), 0..3)),
            held!("map by newtype of a text", BTreeMap<Name, u8>, btree_map(any::<String>().prop_map(Name), any::<u8>(), 0..3)),
            held!("map by UUID", BTreeMap<Uuid, u8>, btree_map(any::<u128>().prop_map(Uuid::from_u128), any::<u8>(), 0..3))
                .read_as("in small letters")
                .except("a key that is no UUID: any text is published"),
            held!("map by u8 in a list in an option", Option<Vec<BTreeMap<u8, bool>>>,
                prop::option::of(prop::collection::vec(btree_map(any::<u8>(), any::<bool>(), 0..4), 0..3))),
        ]
    }
}
