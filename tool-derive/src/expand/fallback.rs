//! What stands in for parts that could not be made, so that the author's mistake is the only one reported.

use proc_macro2::TokenStream;
use quote::quote;

/// A type that the compiler takes for a mistake reported already.
///
/// `compile_error!` would report one more; a type that is to be inferred where none can be is silent beside it.
pub(crate) fn unknown_type() -> TokenStream {
    quote!(())
}

/// A body that is never run, since the build fails.
pub(crate) fn unreachable() -> TokenStream {
    quote!(loop {})
}
