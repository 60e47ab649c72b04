//! Where generated code finds the runtime, and which spans it carries.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Path;

/// The path of the runtime crate: `::tool_runtime`, or what the author gave as `crate = path`.
pub(crate) struct Krate {
    path: TokenStream,
}

impl Krate {
    pub(crate) fn new(path: Option<&Path>) -> Self {
        let path = path.map_or_else(|| quote!(::tool_runtime), ToTokens::to_token_stream);
        Self { path }
    }

    /// The module that only generated code touches.
    pub(crate) fn private(&self) -> TokenStream {
        let path = &self.path;
        quote!(#path::__private)
    }

    /// The path as text, for attributes that take their path in a string.
    pub(crate) fn private_text(&self, item: &str) -> String {
        let path = self.path.to_string().replace(' ', "");
        format!("{path}::__private::{item}")
    }
}

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.path.to_tokens(tokens);
    }
}

/// The place of `span`, as code that a macro wrote.
///
/// A bare user span makes generated code look hand-written, and lints then judge it.
pub(crate) fn at(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// The tokens of a check, all of them at the place that a failing check is to be reported at.
///
/// The span is the author's own, without a macro's mark: with the mark, the report would frame the whole derive.
pub(crate) fn placed(tokens: TokenStream, span: Span) -> TokenStream {
    let place = |mut token: TokenTree| {
        if let TokenTree::Group(group) = token {
            token = Group::new(group.delimiter(), placed(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(place).collect()
}

/// The same name at the same place, as code that a macro wrote.
pub(crate) fn generated(ident: &Ident) -> Ident {
    let mut ident = ident.clone();
    ident.set_span(at(ident.span()));
    ident
}
