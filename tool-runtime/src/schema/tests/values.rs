//! The law of closing: whatever serde writes or reads is valid, in every enum representation, flattened and nested.

use std::collections::BTreeMap;
use std::fmt::Debug;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::super::{Side, Validator, input_schema, output_schema};
use crate::json;

/// Values of a type that between them take every branch.
trait Samples: Sized {
    fn samples() -> Vec<Self>;
}

impl Samples for u8 {
    fn samples() -> Vec<Self> {
        vec![0, 255]
    }
}

impl Samples for String {
    fn samples() -> Vec<Self> {
        vec![String::new(), "Unit".to_owned()]
    }
}

impl<T: Samples> Samples for Option<T> {
    fn samples() -> Vec<Self> {
        T::samples().into_iter().map(Some).chain([None]).collect()
    }
}

impl<T: Samples> Samples for Vec<T> {
    fn samples() -> Vec<Self> {
        vec![Vec::new(), T::samples()]
    }
}

impl<T: Samples> Samples for BTreeMap<String, T> {
    fn samples() -> Vec<Self> {
        let filled = T::samples().into_iter().enumerate().map(|(index, value)| (format!("k{index}"), value));
        vec![Self::new(), filled.collect()]
    }
}

macro_rules! shapes {
    ($($(#[$attribute:meta])* $name:ident)*) => {$(
        #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        $(#[$attribute])*
        enum $name<T> {
            Unit,
            Empty {},
            Newtype(T),
            Struct { field: T, other: Option<u8> },
        }

        impl<T: Samples> Samples for $name<T> {
            fn samples() -> Vec<Self> {
                let mut all = vec![Self::Unit, Self::Empty {}];
                all.extend(T::samples().into_iter().map(Self::Newtype));
                all.extend(T::samples().into_iter().map(|field| Self::Struct { field, other: None }));
                all.extend(T::samples().into_iter().map(|field| Self::Struct { field, other: Some(1) }));
                all
            }
        }
    )*};
}

shapes! {
    External
    #[serde(tag = "type")] Internal
    #[serde(tag = "kind")] InternalKind
    #[serde(tag = "t", content = "c")] Adjacent
    #[serde(untagged)] Untagged
    #[serde(tag = "strict", deny_unknown_fields)] Strict
}

macro_rules! structs {
    ($($name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* } by $sample:ident => $make:expr;)*) => {$(
        #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        struct $name<T> { $($(#[$attribute])* $field: $type),* }

        impl<T: Samples> Samples for $name<T> {
            fn samples() -> Vec<Self> {
                T::samples().into_iter().map(|$sample| $make).collect()
            }
        }
    )*};
}

structs! {
    Plain { inner: T } by inner => Plain { inner };
    Flat { own: u8, #[serde(flatten)] inner: T } by inner => Flat { own: 1, inner };
    FlatAlone { #[serde(flatten)] inner: T } by inner => FlatAlone { inner };
    FlatOption { maybe: Option<u8>, #[serde(flatten)] inner: Option<T> } by inner => FlatOption { maybe: None, inner: Some(inner) };
    FlatMap { #[serde(flatten)] inner: T, #[serde(flatten)] rest: BTreeMap<String, u8> }
        by inner => FlatMap { inner, rest: BTreeMap::from([("rest".to_owned(), 1)]) };
    Skipping { #[serde(skip_serializing_if = "Option::is_none")] inner: Option<T>, list: Vec<T> }
        by inner => Skipping { inner: None, list: vec![inner] };
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct TwoFlat<T, U> {
    #[serde(flatten)]
    left: T,
    #[serde(flatten)]
    right: U,
}

impl<T: Samples, U: Samples> Samples for TwoFlat<T, U> {
    fn samples() -> Vec<Self> {
        let count = T::samples().len().max(U::samples().len());
        let left = T::samples().into_iter().chain(T::samples()).chain(T::samples());
        let right = U::samples().into_iter().chain(U::samples()).chain(U::samples());
        left.zip(right).take(count * 2).map(|(left, right)| Self { left, right }).collect()
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Leaf {
    leaf: u8,
    note: Option<String>,
}

impl Samples for Leaf {
    fn samples() -> Vec<Self> {
        vec![Self { leaf: 0, note: None }, Self { leaf: 255, note: Some("n".to_owned()) }]
    }
}

/// A root of its own, so that what is held against it stands somewhere inside.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Root<T> {
    root: T,
}

/// Checks each sample that serde writes against the output schema, and each that serde reads back against the input schema.
fn hold<T>() -> usize
where
    T: Samples + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema,
{
    let name = std::any::type_name::<T>();
    let written = output_schema::<T>().unwrap_or_else(|error| panic!("{name}: {error}"));
    let read = input_schema::<Root<T>>(false).unwrap_or_else(|error| panic!("{name}: {error}"));
    let writes = Validator::derived(&written, Side::Output).unwrap_or_else(|error| panic!("{name}: {error}"));
    let reads = Validator::derived(&read, Side::Input).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut held = 0;
    for sample in T::samples() {
        // What serde itself cannot write, or writes with a key twice, no schema has to allow.
        let Ok(text) = json::write(&sample) else { continue };
        let value = text.to_value();
        writes.check(&value).unwrap_or_else(|found| panic!("{name} writes {value}: {found:?}\n{written}"));
        held += 1;
        if let Some(entries) = value.as_object() {
            let mut entries = entries.clone();
            entries.insert("undeclared".to_owned(), serde_json::json!({}));
            writes.check(&entries.into()).expect_err("a key that the type does not declare is refused");
        }
        let root = serde_json::json!({"root": value});
        if json::decode::<Root<T>>(&root).is_ok_and(|back| back.root == sample) {
            reads.check(&root).unwrap_or_else(|found| panic!("{name} reads {root}: {found:?}\n{read}"));
        }
    }
    assert!(held > 0, "{name} has a sample that serde writes");
    held
}

macro_rules! over {
    ($($outer:ident),* of $inner:tt) => { 0 $(+ over!(@ $outer $inner))* };
    (@ $outer:ident [$($inner:ty),* $(,)?]) => { 0 $(+ hold::<$outer<$inner>>())* };
}

#[test]
fn enums_of_leaves() {
    let held = over!(External, Internal, Adjacent, Untagged, Strict of [Leaf, Option<Leaf>, Vec<Leaf>, u8, BTreeMap<String, u8>]);
    assert!(held > 100, "{held}");
}

#[test]
fn enums_of_enums() {
    let held = over!(External, InternalKind, Adjacent, Untagged, Strict of
        [External<Leaf>, Internal<Leaf>, Adjacent<Leaf>, Untagged<Leaf>, Internal<External<Leaf>>, Internal<Untagged<Internal<Leaf>>>]);
    assert!(held > 200, "{held}");
}

#[test]
fn flattened_enums() {
    let held = over!(Flat, FlatAlone, FlatOption, Plain, Skipping of
        [Leaf, External<Leaf>, Internal<Leaf>, Adjacent<Leaf>, Untagged<Leaf>, Strict<Leaf>, InternalKind<Internal<Leaf>>]);
    assert!(held > 200, "{held}");
}

#[test]
fn flattened_in_variants() {
    let held = over!(External, InternalKind, Adjacent, Untagged, Strict of
        [Flat<Leaf>, Flat<Internal<Leaf>>, FlatOption<Leaf>, FlatAlone<External<Leaf>>, Flat<Untagged<Leaf>>, Flat<FlatOption<Adjacent<Leaf>>>]);
    assert!(held > 200, "{held}");
}

#[test]
fn flattened_maps_and_pairs() {
    let held = over!(FlatMap of [Leaf, Internal<Leaf>, Adjacent<Leaf>])
        + hold::<TwoFlat<Internal<Leaf>, InternalKind<Plain<u8>>>>()
        + hold::<TwoFlat<External<Leaf>, Adjacent<Leaf>>>()
        + hold::<Flat<TwoFlat<Leaf, Internal<Plain<u8>>>>>()
        + hold::<InternalKind<TwoFlat<Leaf, Internal<Plain<u8>>>>>();
    assert!(held > 30, "{held}");
}

/// Checks a value of a type from the standard library against the type's own output schema.
fn fits<T: Serialize + JsonSchema>(value: &T) {
    let name = std::any::type_name::<T>();
    let schema = output_schema::<T>().unwrap_or_else(|error| panic!("{name}: {error}"));
    let validator = Validator::derived(&schema, Side::Output).unwrap_or_else(|error| panic!("{name}: {error}"));
    validator.accept(value).unwrap_or_else(|found| panic!("{name}: {found:?}\n{schema}"));
}

#[test]
fn types_of_the_standard_library() {
    use std::collections::{BTreeSet, HashMap, VecDeque};
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
    use std::num::{NonZeroI8, NonZeroU64};
    use std::ops::Bound;
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::time::{Duration, SystemTime};

    #[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    enum Key {
        Left,
        Right,
    }

    fits(&Duration::new(1, 999_999_999));
    fits(&SystemTime::UNIX_EPOCH);
    fits(&[IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)]);
    fits(&SocketAddr::from((Ipv4Addr::LOCALHOST, 80)));
    fits(&PathBuf::from("/tmp/ä"));
    fits(&(0_u8..3));
    fits(&[Bound::Included(1_u8), Bound::Excluded(2), Bound::Unbounded]);
    fits(&[Ok::<u8, String>(1), Err("no".to_owned())]);
    fits(&(NonZeroI8::MIN, NonZeroU64::MAX, 'ä', (), true));
    fits(&(BTreeSet::from([1_u8, 2]), VecDeque::from([1_i8]), [0.5_f32; 3]));
    fits(&(Arc::new(1_u8), Box::new("text".to_owned())));
    fits(&BTreeMap::from([(Key::Left, 1_u8), (Key::Right, 2)]));
    fits(&BTreeMap::from([(-5_i32, 1_u8)]));
    fits(&BTreeMap::from([(5_u64, 1_u8)]));
    fits(&BTreeMap::from([('c', 1_u8)]));
    fits(&BTreeMap::from([(true, 1_u8)]));
    fits(&HashMap::from([("k".to_owned(), serde_json::json!({"any": [1, null]}))]));
    fits(&serde_json::json!({"a": {"b": [1.5, null]}}));
    fits(&serde_json::Map::from_iter([("a".to_owned(), serde_json::json!(1))]));
}
