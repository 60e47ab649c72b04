//! How the derived impls reach what reads the arguments, without a word about what is missing.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::{fallback, mirror, parts};
use crate::bound;
use crate::contract::Side;
use crate::krate::{Krate, at, generated, placed};
use crate::model::Container;

/// The bodies of `ToolInput`'s functions, and the items that they need.
pub(crate) struct Reader {
    pub(crate) items: TokenStream,
    pub(crate) schema: TokenStream,
    pub(crate) decode: TokenStream,
}

impl Reader {
    /// The type's own impls. A missing one is reported once, at the word that asks for it.
    pub(crate) fn manual(key: &Ident, open: bool) -> Self {
        let schema = placed(quote!(<Self as __ManualInput>::manual_schema), key.span());
        let import = import();
        Self {
            items: quote!(#import use __tool_private::ManualInput as __ManualInput;),
            schema: quote!(#schema(#open)),
            decode: quote!(__tool_private::Manual::<Self>::decode(arguments)),
        }
    }

    /// The mirror.
    ///
    /// Output:
    ///
    /// ```text
    /// struct __ReadReader;
    /// impl __ReadReader where for<'__part> Place: AssumedInput<'__part> {
    ///     fn input_schema() -> Result<Schema, SchemaError> { input_schema::<__ReadArguments>(false) }
    ///     fn decode(arguments: Decoder<'_>) -> Result<Read, DecodeError> { __ReadArguments::deserialize(arguments) }
    /// }
    /// ```
    ///
    /// The functions do not exist if a part can't be read, which was reported already; those of `Unread` stand in.
    pub(crate) fn of_mirror(container: &Container<'_>, krate: &Krate, open: bool) -> Self {
        let here = at(container.ident.span());
        let mirror = mirror::ident(container);
        let (_, ty_generics, _) = container.original.generics.split_for_impl();
        let turbofish = ty_generics.as_turbofish();
        let schema = quote_spanned!(here=> __tool_private::input_schema::<#mirror #ty_generics>(#open));
        let decode = quote!(#mirror #turbofish::deserialize(arguments));
        let assumed = parts::assumed(container, &quote!(__tool_private), Side::Input);
        if assumed.is_empty() {
            return Self { items: TokenStream::new(), schema, decode };
        }
        let reader = format_ident!("__{}Reader", syn::ext::IdentExt::unraw(container.ident));
        let ident = generated(container.ident);
        let declared = bound::declared(&container.original.generics);
        let (params, _, own) = declared.split_for_impl();
        let generics = bound::implemented(container, krate, Side::Input, &assumed);
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let import = import();
        let items = quote! {
            #import
            struct #reader #params (::core::marker::PhantomData<#ident #ty_generics>) #own;
            impl #impl_generics #reader #ty_generics #where_clause {
                fn input_schema() -> ::core::result::Result<__tool_private::Schema, __tool_private::SchemaError> {
                    #schema
                }
                fn decode(
                    arguments: __tool_private::Decoder<'_>,
                ) -> ::core::result::Result<#ident #ty_generics, __tool_private::DecodeError> {
                    #decode
                }
            }
        };
        Self {
            items,
            schema: quote!(#reader #turbofish::input_schema()),
            decode: quote!(#reader #turbofish::decode(arguments)),
        }
    }

    /// A mistake was reported.
    pub(crate) fn none() -> Self {
        Self { items: TokenStream::new(), schema: fallback::unreachable(), decode: fallback::unreachable() }
    }
}

fn import() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use __tool_private::Unread as _;
    }
}
