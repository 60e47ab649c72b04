//! From the checked model to tokens. Everything here only quotes.

pub(crate) mod attribute;
pub(crate) mod fallback;
pub(crate) mod mirror;
pub(crate) mod output;
pub(crate) mod tool;

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::serde_attrs::{Attrs, Item};

/// The schema has one name for a field. The others ride along, so that the runtime can turn an alias into its field
/// before the schema is checked; it strips the mark from what it publishes.
pub(crate) fn alias_mark(attrs: &Attrs) -> TokenStream {
    let aliases: Vec<&LitStr> = attrs.items().filter(|item| item.is("alias")).filter_map(Item::text).collect();
    if aliases.is_empty() || attrs.skips_reading() {
        return TokenStream::new();
    }
    quote!(#[schemars(extend("x-tool-aliases" = [#(#aliases),*]))])
}
