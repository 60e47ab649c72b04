//! From the checked model to tokens. Everything here only quotes.

pub(crate) mod attribute;
pub(crate) mod fallback;
pub(crate) mod mirror;
pub(crate) mod output;
pub(crate) mod part;
pub(crate) mod parts;
pub(crate) mod reader;
pub(crate) mod tool;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, Type};

use crate::model::{Body, Container, Style, Tagging, Variant};
use crate::serde_attrs::{Attrs, Item};
use crate::types;

/// serde takes the first untagged variant that it can read, and reads over keys that the variant does not know. The schema
/// has found the variant that is meant, so serde must be as strict; only that, for the schema says everything else.
///
/// With a flattened field, keys that serde does not know yet may be that field's.
pub(crate) fn strictness(container: &Container<'_>, open: bool) -> TokenStream {
    let flattens = || container.fields().iter().any(|(field, _)| field.attrs.serde("flatten").is_some());
    let given = |key| container.attrs.serde(key).is_some();
    if open || given("deny_unknown_fields") || given("transparent") || container.is_converted() || flattens() {
        return TokenStream::new();
    }
    let untagged = |variant: &Variant<'_>| matches!(container.tagging(variant), Tagging::Untagged);
    let may_be_mistaken = match &container.body {
        Body::Struct(Style::Named, _) => true,
        Body::Struct(..) | Body::Union => false,
        Body::Enum(variants) => variants.iter().any(untagged),
    };
    if may_be_mistaken {
        quote!(#[serde(deny_unknown_fields)] #[schemars(!deny_unknown_fields)])
    } else {
        TokenStream::new()
    }
}

/// Only the type of a flattened field can tell whether it is an object; the stand-in asks it when the tool is registered.
/// An author who says what the field looks like has answered.
pub(crate) fn flatten_mark(
    ty: &Type,
    attrs: &Attrs,
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
        quote!(#private::Flattened<#inner>)
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

/// The schema has one name for a field. The others ride along, so that the runtime can turn an alias into its field
/// before the schema is checked; it strips the mark from what it publishes.
pub(crate) fn alias_mark(attrs: &Attrs) -> TokenStream {
    let aliases: Vec<&LitStr> = attrs.items().filter(|item| item.is("alias")).filter_map(Item::text).collect();
    if aliases.is_empty() || attrs.skips_reading() {
        return TokenStream::new();
    }
    quote!(#[schemars(extend("x-tool-aliases" = [#(#aliases),*]))])
}
