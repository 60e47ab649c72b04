//! Which outputs are said to read what they write.

use proc_macro2::TokenStream;
use quote::quote;

use super::text;
use crate::attribute;
use crate::contract::Side;

fn said(item: TokenStream) -> Option<String> {
    let expansion = text(&attribute(quote!(), item, Side::Output));
    let (_, said) = expansion.split_once("TwoWay::of(")?;
    Some(said.split_once(")]").map_or(said, |(said, _)| said).replace("::tool_runtime::__private::", ""))
}

#[test]
fn a_type_says_so_and_names_what_it_holds() {
    let page = quote! {
        #[serde(rename_all = "camelCase")]
        struct Page<T> {
            /// From 1.
            #[serde(rename = "no")]
            #[schemars(range(min = 1))]
            number: u32,
            lines: Vec<T>,
            more: Vec<T>,
            #[serde(skip_serializing_if = "Option::is_none")]
            title: Option<String>,
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            notes: Vec<String>,
        }
    };
    let expected = "type_of::<Self>).holds(type_of::<u32>).holds(type_of::<Vec<T>>).leaves_out(type_of::<Option<String>>)\
                    .holds(type_of::<Vec<String>>)";
    assert_eq!(said(page).as_deref(), Some(expected));
    let kind = quote! {
        #[serde(tag = "kind", content = "value")]
        enum Kind { One(u8), #[serde(rename = "2")] Two { a: bool }, Three }
    };
    assert_eq!(said(kind).as_deref(), Some("type_of::<Self>).holds(type_of::<u8>).holds(type_of::<bool>)"));
}

#[test]
fn what_may_differ_says_nothing() {
    for field in [
        quote!(#[serde(rename(serialize = "b"))]),
        quote!(#[serde(skip_serializing_if = "is_boring")]),
        quote!(#[serde(with = "hex")]),
        quote!(#[serde(flatten)]),
        quote!(#[serde(skip)]),
        quote!(#[schemars(with = "String")]),
        quote!(#[schemars(transform = change)]),
        quote!(#[cfg(unix)]),
        quote!(#[cfg_attr(unix, serde(skip_serializing))]),
    ] {
        assert_eq!(said(quote!(struct View { #field a: Vec<u8> })), None, "{field}");
        assert_eq!(said(quote!(enum View { A { #field a: Vec<u8> } })), None, "{field}");
    }
    for of_type in [
        quote!(#[serde(rename_all(serialize = "camelCase"))]),
        quote!(#[serde(from = "A", into = "A")]),
        quote!(#[serde(transparent)]),
        quote!(#[serde(default)]),
    ] {
        assert_eq!(said(quote!(#of_type struct View { a: Vec<u8> })), None, "{of_type}");
    }
    assert_eq!(
        said(quote!(
            #[serde(untagged)]
            enum View {
                A(u8),
                B(String),
            }
        )),
        None
    );
    assert_eq!(
        said(quote!(
            struct ByNumber {
                map: BTreeMap<u32, u8>,
            }
        )),
        None,
        "its keys are described by another type"
    );
}
