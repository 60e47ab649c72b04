//! What can be seen of a type from how it is written. An alias hides everything; what only the compiler knows is checked
//! at registration.

use proc_macro2::{Ident, TokenStream};
use syn::{GenericArgument, PathArguments, Type, TypePath, TypeReference};

/// Peels parentheses and the invisible groups of `$t:ty` in `macro_rules`.
pub(crate) fn ungroup(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            other => return other,
        };
    }
}

/// The first part of `ty`, `ty` itself included, that `wanted` accepts.
pub(crate) fn find<'a>(ty: &'a Type, wanted: &dyn Fn(&Type) -> bool) -> Option<&'a Type> {
    let ty = ungroup(ty);
    if wanted(ty) {
        return Some(ty);
    }
    match ty {
        Type::Array(array) => find(&array.elem, wanted),
        Type::Slice(slice) => find(&slice.elem, wanted),
        Type::Reference(reference) => find(&reference.elem, wanted),
        Type::Ptr(pointer) => find(&pointer.elem, wanted),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|elem| find(elem, wanted)),
        Type::Path(path) => arguments(path).find_map(|argument| find(argument, wanted)),
        _ => None,
    }
}

/// The last name of a path type: `Option` for `std::option::Option<u8>`.
pub(crate) fn last_name(ty: &Type) -> Option<&Ident> {
    match ungroup(ty) {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

/// The first name of a path type: `T` for `T::Item`.
pub(crate) fn first_name(ty: &Type) -> Option<&Ident> {
    match ungroup(ty) {
        Type::Path(path) => path.path.segments.first().map(|segment| &segment.ident),
        _ => None,
    }
}

/// Types of the standard library that are parts by what they hold.
const HOLDERS: &[&str] =
    &["Option", "Vec", "VecDeque", "Box", "Rc", "Arc", "Cow", "HashMap", "BTreeMap", "IndexMap", "HashSet", "BTreeSet"];

/// Types that serde and schemars know for sure.
const KNOWN: &[&str] = &[
    "bool",
    "char",
    "str",
    "String",
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "isize",
    "f32",
    "f64",
    "Value",
    "JsonValue",
    "PhantomData",
    "PathBuf",
    "RandomState",
];

/// The types that `ty` is made of, as far as it can be seen, without those that are known to be readable and writable.
pub(crate) fn collect_parts<'a>(ty: &'a Type, parts: &mut Vec<&'a Type>) {
    match ungroup(ty) {
        Type::Array(array) => collect_parts(&array.elem, parts),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| collect_parts(elem, parts)),
        Type::Path(path) if is_one_of(ty, HOLDERS) => arguments(path).for_each(|held| collect_parts(held, parts)),
        Type::Path(_) if !is_one_of(ty, KNOWN) => parts.push(ungroup(ty)),
        _ => {}
    }
}

/// What kind of JSON a type of the standard library is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Text,
    List,
    Map,
    Flag,
}

pub(crate) fn kind(ty: &Type) -> Option<Kind> {
    const NUMBERS: &[&str] = &["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64"];
    let named = |names| is_one_of(ty, names);
    match ungroup(ty) {
        Type::Array(_) => Some(Kind::List),
        _ if named(NUMBERS) => Some(Kind::Number),
        _ if named(&["String", "str"]) => Some(Kind::Text),
        _ if named(&["Vec", "VecDeque", "HashSet", "BTreeSet"]) => Some(Kind::List),
        _ if named(&["HashMap", "BTreeMap"]) => Some(Kind::Map),
        _ if named(&["bool"]) => Some(Kind::Flag),
        _ => None,
    }
}

/// The types between the angle brackets of the last name.
pub(crate) fn arguments(path: &TypePath) -> impl Iterator<Item = &Type> {
    let arguments = match path.path.segments.last().map(|segment| &segment.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn first_argument(ty: &Type) -> Option<&Type> {
    match ungroup(ty) {
        Type::Path(path) => arguments(path).next().map(ungroup),
        _ => None,
    }
}

fn is_one_of(ty: &Type, names: &[&str]) -> bool {
    last_name(ty).is_some_and(|name| names.iter().any(|known| name == known))
}

pub(crate) fn is_option(ty: &Type) -> bool {
    is_one_of(ty, &["Option"])
}

/// `T` of an `Option<T>`.
pub(crate) fn option_of(ty: &Type) -> Option<&Type> {
    if is_option(ty) { first_argument(ty) } else { None }
}

pub(crate) fn is_phantom(ty: &Type) -> bool {
    is_one_of(ty, &["PhantomData"])
}

/// `Option<Option<T>>`: JSON has one `null`.
pub(crate) fn double_option(ty: &Type) -> Option<&Type> {
    find(ty, &|ty| is_option(ty) && first_argument(ty).is_some_and(is_option))
}

/// A set whose order is another in each process. The entries of a hash map are sorted when they are written; an array's are
/// not, since their order may mean something.
pub(crate) fn hash_set(ty: &Type) -> Option<&Type> {
    find(ty, &|ty| is_one_of(ty, &["HashSet"]))
}

/// A type of the standard library whose value changes through a shared reference.
pub(crate) fn changeable(ty: &Type) -> Option<&Type> {
    find(ty, &|ty| {
        last_name(ty).is_some_and(|name| {
            let name = name.to_string();
            CELLS.contains(&name.as_str()) || name.strip_prefix("Atomic").is_some_and(|kind| ATOMICS.contains(&kind))
        })
    })
}

const CELLS: [&str; 4] = ["Mutex", "RwLock", "Cell", "RefCell"];
const ATOMICS: [&str; 11] = ["Bool", "U8", "U16", "U32", "U64", "Usize", "I8", "I16", "I32", "I64", "Isize"];

/// Integers that no JSON reader keeps.
pub(crate) fn wide_integer(ty: &Type) -> Option<&Type> {
    find(ty, &|ty| is_one_of(ty, &["i128", "u128", "NonZeroI128", "NonZeroU128"]))
}

/// A reference, which borrows from something that a call does not have.
pub(crate) fn reference(ty: &Type) -> Option<&TypeReference> {
    match find(ty, &|ty| matches!(ty, Type::Reference(_))) {
        Some(Type::Reference(reference)) => Some(reference),
        _ => None,
    }
}

/// The key of a map that cannot be the name of an object's member.
pub(crate) fn unprintable_key(ty: &Type) -> Option<&Type> {
    let map = find(ty, &|ty| {
        is_one_of(ty, &["HashMap", "BTreeMap", "IndexMap"]) && first_argument(ty).is_some_and(is_no_text)
    })?;
    first_argument(map)
}

fn is_no_text(key: &Type) -> bool {
    match ungroup(key) {
        Type::Tuple(_) | Type::Array(_) | Type::Slice(_) => true,
        Type::Reference(reference) => is_no_text(&reference.elem),
        key if is_one_of(key, &["Box", "Arc", "Rc"]) => first_argument(key).is_some_and(is_no_text),
        key => is_one_of(key, &NO_TEXT),
    }
}

const NO_TEXT: [&str; 10] =
    ["f32", "f64", "Vec", "Option", "HashMap", "BTreeMap", "IndexMap", "HashSet", "BTreeSet", "VecDeque"];

/// The type with another in the place of each map whose key is no `String`, made of its key and value; `None` if there is
/// no such map.
pub(crate) fn with_keyed_maps(ty: &Type, stand_in: &dyn Fn(&[Type]) -> TokenStream) -> Option<Type> {
    let mut changed = ty.clone();
    replace_keyed_maps(&mut changed, stand_in).then_some(changed)
}

fn replace_keyed_maps(ty: &mut Type, stand_in: &dyn Fn(&[Type]) -> TokenStream) -> bool {
    let replaced = match ty {
        Type::Group(group) => replace_keyed_maps(&mut group.elem, stand_in),
        Type::Paren(paren) => replace_keyed_maps(&mut paren.elem, stand_in),
        Type::Array(array) => replace_keyed_maps(&mut array.elem, stand_in),
        Type::Slice(slice) => replace_keyed_maps(&mut slice.elem, stand_in),
        // Each of them, not only the first.
        Type::Tuple(tuple) => tuple.elems.iter_mut().fold(false, |any, elem| replace_keyed_maps(elem, stand_in) | any),
        Type::Path(path) => match path.path.segments.last_mut().map(|segment| &mut segment.arguments) {
            Some(PathArguments::AngleBracketed(list)) => {
                list.args.iter_mut().fold(false, |any, argument| match argument {
                    GenericArgument::Type(ty) => replace_keyed_maps(ty, stand_in) | any,
                    _ => any,
                })
            }
            _ => false,
        },
        _ => false,
    };
    if !is_one_of(ty, &["HashMap", "BTreeMap"]) {
        return replaced;
    }
    let Type::Path(path) = &*ty else { return replaced };
    let map: Vec<Type> = arguments(path).take(2).cloned().collect();
    if map.len() < 2 || is_one_of(&map[0], &["String"]) {
        return replaced;
    }
    match syn::parse2(stand_in(&map)) {
        Ok(other) => *ty = other,
        Err(_) => return replaced,
    }
    true
}

/// Whether a value of this type plainly shows something else than a JSON object.
pub(crate) fn is_no_object(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Array(_) | Type::Slice(_) | Type::Tuple(_) => true,
        ty if is_one_of(ty, &["Box", "Arc", "Rc", "Option"]) => first_argument(ty).is_some_and(is_no_object),
        Type::Path(path) if path.path.segments.len() > 1 => is_one_of(ty, &["String", "Vec"]),
        ty => is_one_of(ty, &NO_OBJECT),
    }
}

const NO_OBJECT: [&str; 22] = [
    "bool", "char", "str", "String", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32",
    "f64", "Vec", "VecDeque", "HashSet", "BTreeSet", "u128", "i128",
];

/// Whether a value of this type may be any JSON, and so need not be an object.
pub(crate) fn is_any_json(ty: &Type) -> bool {
    match ungroup(ty) {
        ty if is_one_of(ty, &["Box", "Arc", "Rc", "Option"]) => first_argument(ty).is_some_and(is_any_json),
        // `Value` alone is a name that authors have for types of their own.
        Type::Path(path) if is_one_of(ty, &["Value"]) => {
            path.path.segments.iter().nth_back(1).is_some_and(|parent| parent.ident == "serde_json")
        }
        ty => is_one_of(ty, &["JsonValue"]),
    }
}

/// A map, which is an object of any keys.
pub(crate) fn map(ty: &Type) -> Option<&Type> {
    find(ty, &|ty| is_one_of(ty, &["HashMap", "BTreeMap", "IndexMap"]) || is_json_map(ty))
}

/// `Map` alone is a name that authors have for types of their own.
fn is_json_map(ty: &Type) -> bool {
    let Type::Path(path) = ungroup(ty) else { return false };
    let parent = path.path.segments.iter().nth_back(1);
    is_one_of(ty, &["Map"]) && parent.is_some_and(|parent| parent.ident == "serde_json")
}

/// Any JSON, wherever it stands in the type.
pub(crate) fn any_json(ty: &Type) -> Option<&Type> {
    find(ty, &|ty| !is_one_of(ty, &["Box", "Arc", "Rc", "Option"]) && is_any_json(ty))
}

/// A list whose items have types of their own.
pub(crate) fn tuple(ty: &Type) -> Option<&Type> {
    find(ty, &|ty| matches!(ty, Type::Tuple(tuple) if !tuple.elems.is_empty()))
}

/// Where a type names itself: `Self`, or its own name alone.
pub(crate) fn mention<'a>(ty: &'a Type, ident: &Ident) -> Option<&'a Type> {
    find(ty, &|ty| match ty {
        Type::Path(path) if path.qself.is_none() => {
            path.path.get_ident().is_some_and(|name| name == "Self")
                || path.path.leading_colon.is_none()
                    && path.path.segments.len() == 1
                    && path.path.segments[0].ident == *ident
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::{Type, parse_str};

    use super::{
        double_option, is_any_json, is_no_object, mention, reference, unprintable_key, wide_integer, with_keyed_maps,
    };

    fn ty(text: &str) -> Type {
        parse_str(text).expect(text)
    }

    #[test]
    fn looks_through_generic_arguments() {
        assert!(double_option(&ty("Vec<Option<Option<u8>>>")).is_some());
        assert!(double_option(&ty("Option<Vec<Option<u8>>>")).is_none());
        assert!(wide_integer(&ty("Option<[(u8, u128); 2]>")).is_some());
        assert!(wide_integer(&ty("u64")).is_none());
        assert!(reference(&ty("Option<&'static str>")).is_some());
        assert!(reference(&ty("Cow<'static, str>")).is_none());
    }

    #[test]
    fn knows_keys_that_do_not_print_as_text() {
        for bad in ["HashMap<(i32, i32), u8>", "Vec<BTreeMap<[u8; 32], u8>>", "std::collections::HashMap<f64, u8>"] {
            assert!(unprintable_key(&ty(bad)).is_some(), "{bad}");
        }
        for good in ["HashMap<String, (u8, u8)>", "BTreeMap<u32, f64>", "BTreeMap<Mode, Vec<u8>>"] {
            assert!(unprintable_key(&ty(good)).is_none(), "{good}");
        }
    }

    #[test]
    fn finds_every_map_by_something_else_than_text() {
        let stand_in = |map: &[Type]| quote!(Keyed<#(#map),*>);
        let changed =
            |text: &str| with_keyed_maps(&ty(text), &stand_in).map(|ty| quote!(#ty).to_string().replace(' ', ""));
        let text = "(Option<Vec<HashMap<u8, BTreeMap<char, String>>>>, u8, std::collections::HashMap<Id, bool, Seed>)";
        let expected = "(Option<Vec<Keyed<u8,Keyed<char,String>>>>,u8,Keyed<Id,bool>)";
        assert_eq!(changed(text).as_deref(), Some(expected));
        assert_eq!(changed("BTreeMap<String, Vec<u8>>"), None);
        assert_eq!(changed("Vec<u8>"), None);
    }

    #[test]
    fn sees_what_is_no_object() {
        for no in ["u32", "String", "std::string::String", "Vec<Foo>", "(u8, u8)", "Option<Vec<u8>>"] {
            assert!(is_no_object(&ty(no)), "{no}");
        }
        for maybe in ["Foo", "HashMap<String, u8>", "Option<Foo>", "serde_json::Value", "my::u32"] {
            assert!(!is_no_object(&ty(maybe)), "{maybe}");
        }
    }

    #[test]
    fn knows_any_json_by_its_full_name() {
        for any in ["serde_json::Value", "tool_runtime::serde_json::Value", "JsonValue", "Box<serde_json::Value>"] {
            assert!(is_any_json(&ty(any)), "{any}");
        }
        for other in ["Value", "mine::Value", "serde_json::Map<String, Value>", "Vec<JsonValue>"] {
            assert!(!is_any_json(&ty(other)), "{other}");
        }
    }

    #[test]
    fn finds_itself() {
        let ident = parse_str("Node").expect("ident");
        assert!(mention(&ty("Vec<Box<Node>>"), &ident).is_some());
        assert!(mention(&ty("Option<Box<Self>>"), &ident).is_some());
        assert!(mention(&ty("Vec<Box<Node<T>>>"), &ident).is_some());
        assert!(mention(&ty("other::Node"), &ident).is_none());
        assert!(mention(&ty("Nodes"), &ident).is_none());
    }
}
