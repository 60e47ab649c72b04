//! A check of each part's type, before serde and schemars judge it in their own words.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Type;
use syn::spanned::Spanned as _;

use crate::contract::Side;
use crate::krate::{Krate, placed};
use crate::model::Container;
use crate::types;

/// Input:
///
/// ```text
/// struct Search { near: Vec<Place>, limit: u32 }
/// ```
///
/// Output:
///
/// ```text
/// const _: () = {
///     fn __parts() where Place: ::tool_runtime::__private::InputPart {}
/// };
/// ```
///
/// A bound that can't hold is reported before any body is looked at, so what it says comes first.
pub(crate) fn expand(container: &Container<'_>, krate: &Krate, side: Side) -> TokenStream {
    let mut parts: Vec<&Type> = Vec::new();
    for (field, variant) in container.fields() {
        let skipped = |attrs: &crate::serde_attrs::Attrs| attrs.skips_reading();
        let own = field.attrs.has_own_schema() || field.attrs.serde("with").is_some();
        if own || skipped(&field.attrs) || variant.is_some_and(|variant| skipped(&variant.attrs)) {
            continue;
        }
        types::collect_parts(field.ty, &mut parts);
    }
    let params: Vec<_> = container.original.generics.type_params().map(|param| &param.ident).collect();
    let generic = |ty: &Type| {
        types::find(ty, &|ty| types::first_name(ty).is_some_and(|name| name == "Self" || params.contains(&name)))
            .is_some()
    };
    parts.retain(|ty| !generic(ty));
    if parts.is_empty() {
        return TokenStream::new();
    }
    let private = krate.private();
    let part = match side {
        Side::Input => quote!(InputPart),
        Side::Output => quote!(OutputPart),
    };
    let bounds = parts.iter().map(|ty| {
        let bound = placed(quote!(: #private::#part), ty.span());
        let ty = ty.to_token_stream();
        quote!(#ty #bound)
    });
    quote! {
        const _: () = {
            #[allow(dead_code, trivial_bounds)]
            fn __parts() where #(#bounds),* {}
        };
    }
}
