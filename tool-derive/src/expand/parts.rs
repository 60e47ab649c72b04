//! A check of each part's type, before serde and schemars judge it in their own words.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::Type;
use syn::spanned::Spanned as _;

use crate::contract::Side;
use crate::krate::{Krate, placed};
use crate::model::Container;
use crate::serde_attrs::Attrs;
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
///     use ::tool_runtime::bounds::InputPart as __Part;
///     const _: [(); 1] = [<Place as __Part>::PART];
/// };
/// ```
pub(crate) fn expand(container: &Container<'_>, krate: &Krate, side: Side) -> TokenStream {
    let parts = of(container);
    if parts.is_empty() {
        return TokenStream::new();
    }
    let part = match side {
        Side::Input => quote!(InputPart),
        Side::Output => quote!(OutputPart),
    };
    let count = parts.len();
    // A short name, for these carry the author's spans, and a lint would judge a long path as theirs.
    let checks = parts.iter().map(|ty| {
        let placed = |tokens| placed(tokens, ty.span());
        let (open, close) = (placed(quote!(<)), placed(quote!(as __Part>::PART)));
        quote!(#open #ty #close)
    });
    quote! {
        const _: () = {
            use #krate::bounds::#part as __Part;
            const _: [(); #count] = [#(#checks),*];
        };
    }
}

/// The same bounds for the impls that serde and schemars derive, which may then assume what the check has asked for.
///
/// A bound over a lifetime is taken on trust where it stands, and asked for where the impl is used.
pub(crate) fn assumed(container: &Container<'_>, private: &TokenStream, side: Side) -> Vec<TokenStream> {
    let part = match side {
        Side::Input => quote!(AssumedInput),
        Side::Output => quote!(AssumedOutput),
    };
    of(container).iter().map(|ty| quote!(for<'__part> #ty: #private::#part<'__part>)).collect()
}

/// The types of the parts that only the compiler can judge, without those that hang on a parameter.
pub(crate) fn of<'a>(container: &'a Container<'_>) -> Vec<&'a Type> {
    let mut parts: Vec<&Type> = Vec::new();
    for (field, variant) in container.fields() {
        let skipped = |attrs: &Attrs| attrs.skips_reading();
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
    // What stands in several fields is missing once.
    let mut seen = HashSet::new();
    parts.retain(|ty| !generic(ty) && seen.insert(ty.to_token_stream().to_string()));
    parts
}
