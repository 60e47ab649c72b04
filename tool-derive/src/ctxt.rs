//! Collects errors, so that one run reports every mistake of an item.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};

/// The errors found so far.
///
/// Every error names its remedy, hence the two texts. Dropping a context without calling [`check`](Ctxt::check) panics:
/// a check that nobody asks for its findings would let mistakes through.
pub(crate) struct Ctxt {
    /// `None` once `check` has been called.
    errors: RefCell<Option<Vec<syn::Error>>>,
    /// Those that no impl of the type can be written beside: see [`fatal`](Ctxt::fatal).
    fatal: RefCell<Vec<syn::Error>>,
}

impl Ctxt {
    pub(crate) fn new() -> Self {
        Self { errors: RefCell::new(Some(Vec::new())), fatal: RefCell::default() }
    }

    /// Reports a mistake on `tokens`, which must be the author's and not empty (an empty stream would underline the
    /// whole attribute).
    pub(crate) fn error(&self, tokens: impl ToTokens, mistake: impl Display, remedy: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message(mistake, remedy)));
    }

    /// Reports a mistake on a place of which there are no tokens at hand.
    pub(crate) fn error_at(&self, span: Span, mistake: impl Display, remedy: impl Display) {
        self.push(syn::Error::new(span, message(mistake, remedy)));
    }

    /// Reports a mistake beside which any impl of the type would be a mistake too, such as a borrowed lifetime where
    /// `'static` is asked for. If impls are written, their [`bounds`](Ctxt::bounds) report it.
    pub(crate) fn fatal(&self, tokens: impl ToTokens, mistake: impl Display, remedy: impl Display) {
        self.fatal.borrow_mut().push(syn::Error::new_spanned(tokens, message(mistake, remedy)));
    }

    /// Bounds for the impls that report the fatal mistakes, which count as reported then. The compiler says nothing more
    /// about an impl whose bounds hold an error already.
    pub(crate) fn bounds(&self) -> Vec<TokenStream> {
        let fatal = self.fatal.take();
        fatal.iter().map(error_type).map(|ty| quote!(#ty: ::core::marker::Sized)).collect()
    }

    /// Whether something was found so far.
    pub(crate) fn has_errors(&self) -> bool {
        let errors = self.errors.borrow();
        errors.as_ref().is_some_and(|errors| !errors.is_empty()) || !self.fatal.borrow().is_empty()
    }

    /// Reports what parsing refused.
    pub(crate) fn syn_error(&self, error: syn::Error) {
        self.push(error);
    }

    fn push(&self, error: syn::Error) {
        self.errors.borrow_mut().get_or_insert_with(Vec::new).push(error);
    }

    /// Hands out what was found.
    pub(crate) fn check(self) -> Result<(), syn::Error> {
        let errors = self.errors.borrow_mut().take().unwrap_or_default();
        let combined = self.fatal.take().into_iter().chain(errors).reduce(|mut all, next| {
            all.combine(next);
            all
        });
        combined.map_or(Ok(()), Err)
    }
}

impl Drop for Ctxt {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.errors.borrow().is_none(), "forgot to check for errors");
    }
}

/// The mistake in the place of a type. The compiler takes the type for one that it has complained about already, and is
/// silent about all that depends on it.
///
/// `compile_error!` in the place of the type itself would leave `()` there; as the length of an array it leaves an error.
pub(crate) fn error_type(error: &syn::Error) -> TokenStream {
    let error = error.to_compile_error();
    quote!([(); #error])
}

/// Every message is the mistake, and below it the remedy.
pub(crate) fn message(mistake: impl Display, remedy: impl Display) -> String {
    format!("{mistake}\nhelp: {remedy}")
}
