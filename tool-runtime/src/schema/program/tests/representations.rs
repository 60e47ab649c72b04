//! Values that serialise by every call that serde has.

use proptest::prelude::*;
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

type Name = &'static str;

#[derive(Clone, Debug)]
pub(super) enum Shown {
    Unit,
    UnitStruct,
    None,
    Some(Box<Shown>),
    Newtype(Box<Shown>),
    Bool(bool),
    I8(i8),
    U16(u16),
    I64(i64),
    U64(u64),
    F32(f32),
    F64(f64),
    Str(Name),
    Char(char),
    Displayed(Name),
    UnitVariant(Name),
    NewtypeVariant(Name, Box<Shown>),
    Seq(Vec<Shown>),
    Tuple(Vec<Shown>),
    TupleStruct(Vec<Shown>),
    TupleVariant(Name, Vec<Shown>),
    Map(Vec<(Name, Shown)>),
    Struct(Vec<(Name, Shown)>),
    StructVariant(Name, Vec<(Name, Shown)>),
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unit => to.serialize_unit(),
            Self::UnitStruct => to.serialize_unit_struct("U"),
            Self::None => to.serialize_none(),
            Self::Some(value) => to.serialize_some(value),
            Self::Newtype(value) => to.serialize_newtype_struct("N", value),
            Self::Bool(value) => to.serialize_bool(*value),
            Self::I8(value) => to.serialize_i8(*value),
            Self::U16(value) => to.serialize_u16(*value),
            Self::I64(value) => to.serialize_i64(*value),
            Self::U64(value) => to.serialize_u64(*value),
            Self::F32(value) => to.serialize_f32(*value),
            Self::F64(value) => to.serialize_f64(*value),
            Self::Str(text) => to.serialize_str(text),
            Self::Char(value) => to.serialize_char(*value),
            Self::Displayed(text) => to.collect_str(text),
            Self::UnitVariant(name) => to.serialize_unit_variant("E", 0, name),
            Self::NewtypeVariant(name, value) => to.serialize_newtype_variant("E", 0, name, value),
            Self::Seq(items) => {
                let mut seq = to.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| seq.serialize_element(item))?;
                seq.end()
            }
            Self::Tuple(items) => {
                let mut tuple = to.serialize_tuple(items.len())?;
                items.iter().try_for_each(|item| tuple.serialize_element(item))?;
                tuple.end()
            }
            Self::TupleStruct(items) => {
                let mut tuple = to.serialize_tuple_struct("T", items.len())?;
                items.iter().try_for_each(|item| tuple.serialize_field(item))?;
                tuple.end()
            }
            Self::TupleVariant(name, items) => {
                let mut tuple = to.serialize_tuple_variant("E", 0, name, items.len())?;
                items.iter().try_for_each(|item| tuple.serialize_field(item))?;
                tuple.end()
            }
            Self::Map(entries) => {
                let mut map = to.serialize_map(None)?;
                entries.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                map.end()
            }
            Self::Struct(fields) => {
                let mut object = to.serialize_struct("S", fields.len())?;
                fields.iter().try_for_each(|(name, value)| object.serialize_field(name, value))?;
                object.end()
            }
            Self::StructVariant(name, fields) => {
                let mut object = to.serialize_struct_variant("E", 0, name, fields.len())?;
                fields.iter().try_for_each(|(name, value)| object.serialize_field(name, value))?;
                object.end()
            }
        }
    }
}

fn names() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["a", "b", "c", "type", "é\n\""])
}

fn texts() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["a", "b", "c", "d", "", "bb", "a@b.cd", "ä", "\u{1}\"long enough for words of eight"])
}

fn leaves() -> impl Strategy<Value = Shown> {
    prop_oneof![
        Just(Shown::Unit),
        Just(Shown::UnitStruct),
        Just(Shown::None),
        any::<bool>().prop_map(Shown::Bool),
        (-3_i8..4).prop_map(Shown::I8),
        (0_u16..4).prop_map(Shown::U16),
        (-3_i64..4).prop_map(Shown::I64),
        prop_oneof![0_u64..4, Just(u64::MAX)].prop_map(Shown::U64),
        prop::sample::select(vec![0.5_f32, 0.1, 1.0, -0.0, f32::NAN]).prop_map(Shown::F32),
        prop::sample::select(vec![0.5, 0.1, 2.0, -0.0, 1e20, f64::INFINITY]).prop_map(Shown::F64),
        texts().prop_map(Shown::Str),
        texts().prop_map(Shown::Str),
        texts().prop_map(Shown::Displayed),
        prop::sample::select(vec!['a', 'ä']).prop_map(Shown::Char),
        names().prop_map(Shown::UnitVariant),
    ]
}

pub(super) fn shown() -> impl Strategy<Value = Shown> {
    leaves().prop_recursive(3, 20, 4, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..4);
        // Mostly without the same name twice.
        let fields = prop_oneof![
            4 => prop::sample::subsequence(vec!["type", "a", "b", "c"], 0..4).prop_flat_map({
                let inner = inner.clone();
                move |names| names.into_iter().map(|name| (Just(name), inner.clone())).collect::<Vec<_>>()
            }),
            1 => prop::collection::vec((names(), inner.clone()), 0..4),
        ];
        let boxed = inner.prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(Shown::Some),
            boxed.clone().prop_map(Shown::Newtype),
            (names(), boxed).prop_map(|(name, value)| Shown::NewtypeVariant(name, value)),
            items.clone().prop_map(Shown::Seq),
            items.clone().prop_map(Shown::Tuple),
            items.clone().prop_map(Shown::TupleStruct),
            (names(), items).prop_map(|(name, items)| Shown::TupleVariant(name, items)),
            fields.clone().prop_map(Shown::Map),
            fields.clone().prop_map(Shown::Struct),
            fields.clone().prop_map(Shown::Struct),
            (names(), fields).prop_map(|(name, fields)| Shown::StructVariant(name, fields)),
        ]
    })
}
