//! From the checked model to tokens. Everything here only quotes.

pub(crate) mod attribute;
pub(crate) mod failure;
pub(crate) mod fallback;
pub(crate) mod mirror;
pub(crate) mod output;
pub(crate) mod part;
pub(crate) mod parts;
pub(crate) mod reader;
pub(crate) mod tool;
pub(crate) mod two_way;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, Type};

use crate::model::{Body, Container, Style, Tagging};
use crate::serde_attrs::{Attrs, Item};
use crate::types;

/// serde takes the first untagged variant that it can read, and reads over keys that the variant does not know. The schema
/// has found the variant that is meant, so serde must be as strict; only that, for the schema says everything else.
///
/// With a flattened field, keys that serde does not know yet may be that field's.
pub(crate) fn strictness(container: &Container<'_>, open: bool) -> TokenStream {
    let given = |key| container.attrs.serde(key).is_some();
    if given("transparent") || container.is_converted() {
        return TokenStream::new();
    }
    let flattens = container.fields().iter().any(|(field, _)| field.attrs.serde("flatten").is_some());
    let tagging =
        |wanted: &[Tagging]| container.variants().iter().any(|variant| wanted.contains(&container.tagging(variant)));
    // These marks tell which fields can be flattened into one object.
    let sees_all = flattens || tagging(&[Tagging::Internal, Tagging::Untagged]);
    let sees_all = if sees_all { quote!(#[schemars(extend("x-tool-sees-all" = true))]) } else { TokenStream::new() };
    let may_be_mistaken = match &container.body {
        Body::Struct(Style::Named, _) => true,
        Body::Struct(..) | Body::Union => false,
        Body::Enum(_) => tagging(&[Tagging::Untagged]),
    };
    if open || given("deny_unknown_fields") || flattens || !may_be_mistaken {
        return sees_all;
    }
    let strict = quote!(#[schemars(!deny_unknown_fields, extend("x-tool-strict" = true))]);
    quote!(#[serde(deny_unknown_fields)] #strict #sees_all)
}

/// Where a flattened field stands among those that are flattened into one object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Among {
    Alone,
    Before,
    Last,
}

/// The places of fields among the flattened ones.
pub(crate) fn among<'a>(fields: impl Iterator<Item = &'a syn::Field>) -> Vec<Among> {
    let flattened: Vec<bool> = fields.map(|field| Attrs::read(&field.attrs).serde("flatten").is_some()).collect();
    let last = flattened.iter().rposition(|flattened| *flattened);
    let several = flattened.iter().filter(|flattened| **flattened).count() > 1;
    let place = |index| match several {
        false => Among::Alone,
        true if Some(index) == last => Among::Last,
        true => Among::Before,
    };
    (0..flattened.len()).map(place).collect()
}

/// Only the type of a flattened field can tell whether it is an object; the stand-in asks it when the tool is registered.
/// An author who says what the field looks like has answered.
pub(crate) fn flatten_mark(
    ty: &Type,
    attrs: &Attrs,
    among: Among,
    private: &TokenStream,
    spelt: impl Fn(&Type) -> TokenStream,
) -> TokenStream {
    if attrs.serde("flatten").is_none() || attrs.schemars("with").is_some() || attrs.schemars("schema_with").is_some() {
        return TokenStream::new();
    }
    let inner = spelt(types::option_of(ty).unwrap_or(ty));
    let stand_in = if types::is_option(ty) {
        quote!(::core::option::Option<#private::FlattenedOption<#inner>>)
    } else {
        match among {
            Among::Alone => quote!(#private::Flattened<#inner>),
            Among::Before => quote!(#private::FlattenedBefore<#inner>),
            Among::Last => quote!(#private::FlattenedLast<#inner>),
        }
    };
    let stand_in = stand_in.to_string();
    quote!(#[schemars(with = #stand_in)])
}

/// schemars publishes more keys of a map than its type takes, unless they are any text; the stand-in publishes those.
pub(crate) fn key_mark(
    ty: &Type,
    attrs: &Attrs,
    private: &TokenStream,
    spelt: impl Fn(&Type) -> TokenStream,
) -> TokenStream {
    if attrs.serde("flatten").is_some() || attrs.has_own_schema() {
        return TokenStream::new();
    }
    let stand_in = |map: &[Type]| {
        let arguments = map.iter();
        quote!(#private::Keyed<#(#arguments),*>)
    };
    let Some(stand_in) = types::with_keyed_maps(ty, &stand_in) else { return TokenStream::new() };
    let stand_in = spelt(&stand_in).to_string();
    quote!(#[schemars(with = #stand_in)])
}

/// An alias hides what a type is made of, and schemars drops some of it. How it identifies the type rides along, so that
/// the runtime can judge that when the tool is registered.
pub(crate) fn type_mark(
    ty: &Type,
    attrs: &Attrs,
    private: &TokenStream,
    spelt: impl Fn(&Type) -> TokenStream,
) -> TokenStream {
    const OTHERWISE: [&str; 7] =
        ["flatten", "skip", "skip_serializing", "skip_deserializing", "with", "serialize_with", "deserialize_with"];
    let mut hidden = Vec::new();
    types::collect_parts(ty, &mut hidden);
    let is_otherwise = OTHERWISE.iter().any(|key| attrs.serde(key).is_some()) || attrs.schemars("skip").is_some();
    if hidden.is_empty() || is_otherwise || attrs.has_own_schema() {
        return TokenStream::new();
    }
    let ty = spelt(ty);
    // In parentheses, since schemars takes the commas of the type for its own.
    quote!(#[schemars(extend("x-tool-type" = (#private::type_of::<#ty>())))])
}

/// The schema has one name for a field. The others ride along, so that the runtime can turn an alias into its field
/// before the schema is checked; it strips the mark from what it publishes.
pub(crate) fn alias_mark(attrs: &Attrs) -> TokenStream {
    let aliases: Vec<&LitStr> = attrs.items().filter(|item| item.is("alias")).filter_map(Item::text).collect();
    if aliases.is_empty() || attrs.skips_reading() {
        return TokenStream::new();
    }
    quote!(#[schemars(extend("x-tool-aliases" = [#(#aliases),*]))])
}
