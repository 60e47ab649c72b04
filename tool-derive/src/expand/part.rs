//! A type with `#[tool_output]` or `#[tool_input]` whose fields are of types that only the compiler can judge.
//!
//! serde's and schemars' derives would each miss something of their own in a field that can't be read. So they derive on a
//! mirror, as for a tool, and the type's own impls reach it through a reader.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{mirror, parts};
use crate::contract::Side;
use crate::ctxt::Ctxt;
use crate::json_names;
use crate::krate::{Krate, generated};
use crate::model::Container;

/// Whether the impls go through a mirror. Where nothing can be missing, they need not; and serde writes a transparent or
/// converted type by the other's impl.
///
/// Of two names alike, serde's derive would say that the second is never reached, beside what is said of them here.
pub(crate) fn is_mirrored(container: &Container<'_>) -> bool {
    let given = |key| container.attrs.serde(key).is_some();
    let by_another = ["transparent", "from", "try_from", "into", "bound"].into_iter().any(given);
    let more_is_told = || !parts::of(container).is_empty() || json_names::are_repeated(container);
    container.original.generics.params.is_empty() && !by_another && more_is_told()
}

/// Input:
///
/// ```text
/// #[tool_output]
/// struct Found { hits: Vec<Hit> }
/// ```
///
/// Output:
///
/// ```text
/// const _: () = {
///     /* the check of the parts: see `parts::expand` */
///     /* the mirror, with serde's and schemars' derives: see `mirror::expand` */
///     struct __FoundReader;
///     impl __FoundReader where for<'__part> Hit: AssumedOutput<'__part> {
///         /* serialize, deserialize and the functions of `JsonSchema`, by those of the mirror */
///     }
///     impl Serialize for Found { /* by the reader */ }
///     impl<'de> Deserialize<'de> for Found { /* by the reader */ }
///     impl JsonSchema for Found { /* by the reader */ }
/// };
/// ```
///
/// After a mistake there is no mirror, and the functions of `UnreadPart` stand in.
pub(crate) fn expand(ctxt: &Ctxt, container: &Container<'_>, krate: &Krate, side: Side) -> TokenStream {
    let private = krate.private();
    let parts = parts::expand(container, krate, side);
    let is_readable = !ctxt.has_errors();
    let mirror = is_readable.then(|| mirror::expand(container, mirror::Of::Part(side), false));
    let reader_ident = reader_ident(container);
    let reader = is_readable.then(|| reader(container, side));
    let impls = impls(container, side);
    quote! {
        const _: () = {
            use #private as __tool_private;
            #[allow(unused_imports)]
            use __tool_private::UnreadPart as _;
            #parts
            #mirror
            struct #reader_ident;
            #reader
            #impls
        };
    }
}

fn reader(container: &Container<'_>, side: Side) -> TokenStream {
    let (ident, mirror) = (generated(container.ident), mirror::ident(container));
    let reader = reader_ident(container);
    let assumed = parts::assumed(container, &quote!(__tool_private), side);
    let serialize = (side == Side::Output).then(|| {
        quote! {
            fn serialize<S: __tool_private::serde::Serializer>(
                value: &#ident,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                #mirror::serialize(value, serializer)
            }
        }
    });
    quote! {
        impl #reader where #(#assumed),* {
            #serialize
            fn deserialize<'de, D: __tool_private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<#ident, D::Error> {
                #mirror::deserialize(deserializer)
            }
            fn schema() -> __tool_private::PartSchema {
                __tool_private::PartSchema::of::<#mirror>()
            }
        }
    }
}

fn impls(container: &Container<'_>, side: Side) -> TokenStream {
    let ident = generated(container.ident);
    let reader = reader_ident(container);
    let serialize = (side == Side::Output).then(|| {
        quote! {
            #[automatically_derived]
            impl __tool_private::serde::Serialize for #ident {
                fn serialize<S: __tool_private::serde::Serializer>(
                    &self,
                    serializer: S,
                ) -> ::core::result::Result<S::Ok, S::Error> {
                    #reader::serialize(self, serializer)
                }
            }
        }
    });
    quote! {
        #serialize
        #[automatically_derived]
        impl<'de> __tool_private::serde::Deserialize<'de> for #ident {
            fn deserialize<D: __tool_private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                #reader::deserialize(deserializer)
            }
        }
        #[automatically_derived]
        impl __tool_private::schemars::JsonSchema for #ident {
            fn schema_name() -> __tool_private::Text {
                (#reader::schema().name)()
            }
            fn schema_id() -> __tool_private::Text {
                (#reader::schema().id)()
            }
            fn inline_schema() -> ::core::primitive::bool {
                (#reader::schema().inline)()
            }
            fn json_schema(
                generator: &mut __tool_private::schemars::SchemaGenerator,
            ) -> __tool_private::schemars::Schema {
                (#reader::schema().make)(generator)
            }
        }
    }
}

fn reader_ident(container: &Container<'_>) -> proc_macro2::Ident {
    format_ident!("__{}Reader", syn::ext::IdentExt::unraw(container.ident))
}
