//! Collects errors, so that one run reports every mistake of an item.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::Span;
use quote::ToTokens;

/// The errors found so far.
///
/// Every error names its remedy, hence the two texts. Dropping a context without calling [`check`](Ctxt::check) panics:
/// a check that nobody asks for its findings would let mistakes through.
pub(crate) struct Ctxt {
    /// `None` once `check` has been called.
    errors: RefCell<Option<Vec<syn::Error>>>,
}

impl Ctxt {
    pub(crate) fn new() -> Self {
        Self { errors: RefCell::new(Some(Vec::new())) }
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
        let combined = errors.into_iter().reduce(|mut all, next| {
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

fn message(mistake: impl Display, remedy: impl Display) -> String {
    format!("{mistake}\nhelp: {remedy}")
}
