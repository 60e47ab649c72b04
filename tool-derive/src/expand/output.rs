//! The hidden derive behind `#[tool_output]` and `#[tool_input]`.

use proc_macro2::TokenStream;
use quote::quote;

use super::tool::unlisted;
use crate::bound;
use crate::contract::Side;
use crate::ctxt::Ctxt;
use crate::krate::{Krate, generated};
use crate::model::Container;

/// Input:
///
/// ```text
/// struct Page<T> { items: Vec<T> }
/// ```
///
/// Output:
///
/// ```text
/// impl<T> ::tool_runtime::ToolOutput for Page<T> where T: ::tool_runtime::ToolOutput {}
/// ```
pub(crate) fn expand(ctxt: &Ctxt, container: &Container<'_>, krate: &Krate) -> TokenStream {
    let generics = bound::implemented(container, krate, Side::Output, &ctxt.bounds());
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, ty_generics, _) = container.original.generics.split_for_impl();
    let ident = generated(container.ident);
    let unlisted = unlisted(container);
    quote! {
        #[automatically_derived]
        #unlisted
        impl #impl_generics #krate::ToolOutput for #ident #ty_generics #where_clause {}
    }
}
