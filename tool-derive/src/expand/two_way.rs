//! Output types that read what they write, as far as the macro sees: nothing of them says one thing for writing and another
//! for reading.
//!
//! Then the runtime need not generate the schema of what they read to compare it, if the types that they hold are such types
//! too. What is not known to say the same in both directions says nothing here, and is compared.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Attribute;

use super::key_mark;
use crate::contract::skips_none;
use crate::model::{Body, Container, Field};
use crate::serde_attrs::{Attrs, Family, Item, Value};
use crate::types;

/// On types and variants. With a value for each direction, these are lists, which are not taken.
const OF_TYPE: [&str; 7] =
    ["rename", "rename_all", "rename_all_fields", "tag", "content", "deny_unknown_fields", "expecting"];
const OF_FIELD: [&str; 2] = ["rename", "default"];
const OF_SCHEMA: [&str; 9] =
    ["title", "description", "length", "range", "regex", "pattern", "email", "url", "contains"];

/// The attribute that says so, or nothing.
pub(crate) fn mark(container: &Container<'_>, private: &TokenStream) -> TokenStream {
    if !is_two_way(container, private) {
        return TokenStream::new();
    }
    let mut seen = Vec::new();
    let held = container.fields().into_iter().filter_map(|(field, _)| {
        let ty = field.ty.to_token_stream();
        let is_left_out = field.attrs.serde("skip_serializing_if").is_some() && field.attrs.serde("default").is_none();
        let said = (ty.to_string(), is_left_out);
        if seen.contains(&said) {
            return None;
        }
        seen.push(said);
        let how = if is_left_out { quote!(leaves_out) } else { quote!(holds) };
        Some(quote!(.#how(#private::type_of::<#ty>)))
    });
    quote!(#[schemars(transform = #private::TwoWay::of(#private::type_of::<Self>)#(#held)*)])
}

fn is_two_way(container: &Container<'_>, private: &TokenStream) -> bool {
    let named = |attrs: &Attrs| attrs.items().all(|item| says_one_thing(item, &OF_TYPE));
    let body = match &container.body {
        Body::Struct(..) => true,
        Body::Enum(variants) => {
            variants.iter().all(|variant| is_whole(&variant.original.attrs) && named(&variant.attrs))
        }
        Body::Union => false,
    };
    let fields = container.fields();
    body && is_whole(&container.original.attrs)
        && named(&container.attrs)
        && fields.iter().all(|(field, _)| is_whole(&field.original.attrs) && is_field(field, private))
}

fn is_field(field: &Field<'_>, private: &TokenStream) -> bool {
    let left_out = |item: &Item| {
        item.is("skip_serializing_if")
            && (field.attrs.serde("default").is_some() || (types::is_option(field.ty) && skips_none(item.text())))
    };
    field.attrs.items().all(|item| says_one_thing(item, &OF_FIELD) || left_out(item))
        && key_mark(field.ty, &field.attrs, private, ToTokens::to_token_stream).is_empty()
}

/// Whether nothing is hidden by a condition.
fn is_whole(attrs: &[Attribute]) -> bool {
    !attrs.iter().any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
}

fn says_one_thing(item: &Item, known: &[&str]) -> bool {
    let is_known = |keys: &[&str]| keys.iter().any(|key| item.is(key));
    match item.family {
        Family::Serde => is_known(known) && !matches!(item.value, Value::List(_)),
        Family::Schemars => is_known(&OF_SCHEMA),
    }
}
