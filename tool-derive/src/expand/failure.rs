//! `#[derive(ToolFailure)]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, LitStr, Member};

use super::fallback;
use crate::bound;
use crate::ctxt::Ctxt;
use crate::failure::{Effects, Failure, Failures, Field, Retry, Role, argument_name, name_of};
use crate::krate::{at, generated, placed};

/// Input:
///
/// ```text
/// enum ReadFailure {
///     #[failure(code = "FS_NOT_FOUND", "there is no {path:?}", retry = corrected)]
///     NotFound { #[failure(details)] path: String },
///     #[failure(code = "FS_IO_ERROR", "the disk did not answer")]
///     Io(#[failure(from)] io::Error),
/// }
/// ```
///
/// Output:
///
/// ```text
/// const _: () = {
///     impl Display for ReadFailure { /* the sentences: see `display` */ }
///     impl ToolFailure for ReadFailure { /* the facts: see `facts` */ }
///     impl From<ReadFailure> for ToolError { /* see `conversion` */ }
///     impl From<io::Error> for ReadFailure { /* see `made_from` */ }
/// };
/// ```
pub(crate) fn expand(ctxt: &Ctxt, failures: &Failures<'_>) -> TokenStream {
    let bounds = ctxt.bounds();
    let target = Target { failures, bounds: &bounds, is_whole: !ctxt.has_errors() && bounds.is_empty() };
    let (krate, private) = (&failures.krate, failures.krate.private());
    let facts = facts(&target);
    // Another derive's are there already.
    let written = (!failures.is_an_error).then(|| [display(&target), conversion(&target)]);
    let [display, conversion] = written.unwrap_or_default();
    let made_from = target.is_whole.then(|| made_from(&target));
    // An author may deprecate the type or a variant, and uses it here all the same; a failure without details or a source
    // needs neither import.
    quote! {
        #[allow(deprecated)]
        const _: () = {
            #[allow(unused_imports)]
            use #private as __tool_private;
            #[allow(unused_imports)]
            use #krate::bounds::FailureSource as __FailureSource;
            #display
            #facts
            #conversion
            #made_from
        };
    }
}

struct Target<'a> {
    failures: &'a Failures<'a>,
    /// Bounds that report what makes an impl impossible.
    bounds: &'a [TokenStream],
    /// Whether all of the author's words could be read; else nothing is ever run.
    is_whole: bool,
}

impl Target<'_> {
    fn ident(&self) -> Ident {
        generated(&self.failures.original.ident)
    }

    fn generics(&self) -> Generics {
        let mut generics = bound::declared(&self.failures.original.generics);
        let more = self.bounds.iter().filter_map(|tokens| syn::parse2::<syn::WherePredicate>(tokens.clone()).ok());
        generics.make_where_clause().predicates.extend(more);
        generics
    }

    /// `impl<T> Trait for ReadFailure<T> where .. { body }`
    fn implemented(&self, of: &TokenStream, body: &TokenStream) -> TokenStream {
        let (generics, ident) = (self.generics(), self.ident());
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let (_, ty_generics, _) = self.failures.original.generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics #of for #ident #ty_generics #where_clause { #body }
        }
    }

    /// `match subject { ReadFailure::NotFound { .. } => .., }`
    fn matched(
        &self,
        subject: &TokenStream,
        arm: impl Fn(usize, &Failure<'_>) -> (Vec<TokenStream>, TokenStream),
    ) -> TokenStream {
        if !self.is_whole {
            return fallback::unreachable();
        }
        let ident = self.ident();
        let arms = self.failures.named.iter().enumerate().map(|(index, failure)| {
            let (bound, result) = arm(index, failure);
            let variant = failure.variant.map(generated).map(|variant| quote!(::#variant));
            quote!(#ident #variant { #(#bound,)* .. } => #result,)
        });
        quote!(match #subject { #(#arms)* })
    }
}

/// `path: __field_path`
fn bound_field(field: &Field<'_>) -> TokenStream {
    let (member, local) = (&field.member, local(field));
    quote!(#member: #local)
}

fn local(field: &Field<'_>) -> Ident {
    let name = name_of(&field.member);
    let span = match &field.member {
        Member::Named(ident) => ident.span(),
        Member::Unnamed(_) => field.ty.span(),
    };
    format_ident!("__field_{name}", span = at(span))
}

/// Output:
///
/// ```text
/// fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
///     match self {
///         ReadFailure::NotFound { path: __field_path, .. } => f.write_fmt(format_args!("there is no {path:?}", path = __field_path)),
///     }
/// }
/// ```
fn display(target: &Target<'_>) -> TokenStream {
    let shown = target.matched(&quote!(self), |_, failure| {
        let named = |field: &&Field<'_>| failure.template.fields.contains(&name_of(&field.member));
        let fields: Vec<&Field<'_>> = failure.fields.iter().filter(named).collect();
        let arguments = fields.iter().map(|field| {
            let (name, local) = (argument_ident(field), local(field));
            quote!(#name = #local)
        });
        let sentence = LitStr::new(&failure.template.format, failure.sentence.span());
        let written = quote!(::core::fmt::Formatter::write_fmt(__f, ::core::format_args!(#sentence, #(#arguments),*)));
        (fields.into_iter().map(bound_field).collect(), written)
    });
    let body = quote! {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            #shown
        }
    };
    target.implemented(&quote!(::core::fmt::Display), &body)
}

/// The name of an argument of the format string.
fn argument_ident(field: &Field<'_>) -> Ident {
    match &field.member {
        Member::Named(ident) => ident.clone(),
        Member::Unnamed(_) => format_ident!("{}", argument_name(&name_of(&field.member))),
    }
}

/// Output:
///
/// ```text
/// const FAILURES: &'static [FailureSpec] = &[
///     FailureSpec::new(Code::new("FS_NOT_FOUND"), "there is no {path:?}").retry(Retry::Corrected),
/// ];
/// fn spec(&self) -> &'static FailureSpec {
///     match self { ReadFailure::NotFound { .. } => &Self::FAILURES[0], .. }
/// }
/// fn into_error(self) -> ToolError { /* see `into_error` */ }
/// ```
fn facts(target: &Target<'_>) -> TokenStream {
    let krate = &target.failures.krate;
    let specs = target.failures.named.iter().map(|failure| spec(failure, krate));
    let specs: Vec<TokenStream> = if target.is_whole { specs.collect() } else { Vec::new() };
    let found = target.matched(&quote!(self), |index, _| (Vec::new(), quote!(&Self::FAILURES[#index])));
    let error = into_error(target);
    let body = quote! {
        const FAILURES: &'static [#krate::FailureSpec] = &[#(#specs),*];
        fn spec(&self) -> &'static #krate::FailureSpec {
            #found
        }
        fn into_error(self) -> #krate::ToolError {
            #error
        }
    };
    target.implemented(&quote!(#krate::ToolFailure), &body)
}

fn spec(failure: &Failure<'_>, krate: &crate::krate::Krate) -> TokenStream {
    let (code, sentence) = (failure.code.value(), failure.sentence.value());
    let retry = failure.retry.map(|retry| {
        let retry = match retry {
            Retry::Never => quote!(Never),
            Retry::Corrected => quote!(Corrected),
            Retry::Safe => quote!(Safe),
            Retry::After(millis) => quote!(After(::core::time::Duration::from_millis(#millis))),
        };
        quote!(.retry(#krate::Retry::#retry))
    });
    let effects = failure.effects.map(|effects| {
        let effects = match effects {
            Effects::None => quote!(None),
            Effects::Possible => quote!(Possible),
            Effects::Unknown => quote!(Unknown),
        };
        quote!(.effects(#krate::Effects::#effects))
    });
    let fatal = failure.fatal.then(|| quote!(.fatal()));
    quote!(#krate::FailureSpec::new(#krate::Code::new(#code), #sentence)#retry #effects #fatal)
}

/// Output:
///
/// ```text
/// fn into_error(self) -> ToolError {
///     let error = match &self {
///         ReadFailure::NotFound { path: __field_path, .. } => tell(ToolFailure::spec(&self), &self, &[Detail { name: "path", value: __field_path }]),
///         ReadFailure::Io { .. } => tell(ToolFailure::spec(&self), &self, &[]),
///     };
///     match self {
///         ReadFailure::Io { 0: __field_0, .. } => caused(error, FailureSource::into_source(__field_0)),
///         _ => error,
///     }
/// }
/// ```
fn into_error(target: &Target<'_>) -> TokenStream {
    let krate = &target.failures.krate;
    if !target.is_whole {
        return fallback::unreachable();
    }
    let told = target.matched(&quote!(&self), |_, failure| {
        let details: Vec<&Field<'_>> = failure.fields.iter().filter(|field| field.role == Role::Detail).collect();
        let told = details.iter().map(|field| {
            let (name, local) = (name_of(&field.member), local(field));
            let value = placed(quote!(#local), field.ty.span());
            quote!(__tool_private::Detail { name: #name, value: #value })
        });
        let spec = quote!(#krate::ToolFailure::spec(&self));
        let told = quote!(__tool_private::tell(#spec, &self, &[#(#told),*]));
        (details.into_iter().map(bound_field).collect(), told)
    });
    let caused = caused(target);
    quote! {
        let __error = #told;
        #caused
    }
}

/// Output:
///
/// ```text
/// impl From<ReadFailure> for ToolError {
///     fn from(failure: ReadFailure) -> Self { ToolFailure::into_error(failure) }
/// }
/// ```
///
/// A type that is a `std::error::Error` is converted already, and then the compiler says so.
fn conversion(target: &Target<'_>) -> TokenStream {
    let failures = target.failures;
    let (krate, generics, ident) = (&failures.krate, target.generics(), target.ident());
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, ty_generics, _) = failures.original.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::convert::From<#ident #ty_generics> for #krate::ToolError #where_clause {
            fn from(__failure: #ident #ty_generics) -> Self {
                #krate::ToolFailure::into_error(__failure)
            }
        }
    }
}

/// The error with its cause, where there is one.
fn caused(target: &Target<'_>) -> TokenStream {
    let ident = target.ident();
    let failures = &target.failures.named;
    let arms: Vec<TokenStream> = failures
        .iter()
        .filter_map(|failure| {
            let field = failure.fields.iter().find(|field| matches!(field.role, Role::Source | Role::From))?;
            let variant = failure.variant.map(generated).map(|variant| quote!(::#variant));
            let (bound, local) = (bound_field(field), local(field));
            let source = placed(quote!(__FailureSource::into_source(#local)), field.ty.span());
            Some(quote!(#ident #variant { #bound, .. } => __tool_private::caused(__error, #source),))
        })
        .collect();
    if arms.is_empty() {
        return quote!(__error);
    }
    let others = (arms.len() < failures.len()).then(|| quote!(_ => __error,));
    quote!(match self { #(#arms)* #others })
}

/// Output:
///
/// ```text
/// impl From<io::Error> for ReadFailure {
///     fn from(source: io::Error) -> Self { Self::Io { 0: source } }
/// }
/// ```
fn made_from(target: &Target<'_>) -> TokenStream {
    let made = target.failures.named.iter().filter_map(|failure| {
        let field = failure.fields.iter().find(|field| field.role == Role::From)?;
        let (member, ty) = (&field.member, field.ty.to_token_stream());
        let variant = failure.variant.map(generated).map(|variant| quote!(::#variant));
        let body = quote! {
            fn from(__source: #ty) -> Self {
                Self #variant { #member: __source }
            }
        };
        let of = quote_spanned!(at(field.ty.span())=> ::core::convert::From<#ty>);
        Some(target.implemented(&of, &body))
    });
    made.collect()
}
