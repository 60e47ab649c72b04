//! `#[derive(Tool)]`.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned as _;

use super::reader::Reader;
use super::{fallback, mirror, parts};
use crate::attr::ToolAttrs;
use crate::bound;
use crate::check::{self, Checked};
use crate::contract::Side;
use crate::ctxt::{Ctxt, error_type};
use crate::krate::{Krate, at, generated, placed};
use crate::model::Container;
use crate::parse::Projection;

/// Input:
///
/// ```text
/// /// Read a text file.
/// #[derive(Tool)]
/// #[tool(output = FileView, read_only, timeout = "10s")]
/// struct Read { path: String }
/// ```
///
/// Output:
///
/// ```text
/// const _: () = {
///     /* the mirror: see `mirror::expand` */
///     impl ::tool_runtime::Tool for Read { /* see `facts` */ }
///     impl ::tool_runtime::ToolInput for Read { /* see `input` */ }
///     /* with `render = ..`, an `impl ::tool_runtime::Render for Read` */
/// };
/// ```
pub(crate) fn expand(ctxt: &Ctxt, container: &Container<'_>, attrs: &ToolAttrs, checked: &Checked) -> TokenStream {
    let krate = Krate::new(attrs.krate.value());
    // What serde or schemars would stumble over was said already, in other words than theirs.
    let mirrored = !ctxt.has_errors() && !attrs.manual.is_given();
    let target = Target { krate: &krate, mirrored, bounds: &ctxt.bounds() };
    let facts = facts(container, attrs, checked, &target);
    let mirror = mirrored.then(|| mirror::expand(container, mirror::Of::Arguments, attrs.open.is_given()));
    let parts = mirrored.then(|| parts::expand(container, &krate, Side::Input));
    let input = input(container, attrs, &target);
    let render = render(container, attrs, &target);
    let imports = imports(container, attrs, &krate);
    let asked = asked(container, attrs, &target, ctxt.has_errors());
    quote! {
        const _: () = {
            #imports
            #parts
            #mirror
            #facts
            #asked
            #input
            #render
        };
    }
}

/// Short names, which keep the expansion small. The checks need them: they carry the author's spans, and a long path would
/// be judged as theirs.
fn imports(container: &Container<'_>, attrs: &ToolAttrs, krate: &Krate) -> TokenStream {
    let private = krate.private();
    let failure = attrs.failure.is_given().then(|| quote!(use #krate::ToolFailure as __ToolFailure;));
    let present = attrs.present.is_given().then(|| quote!(use #krate::bounds::HasPresentation as __HasPresentation;));
    let resources = attrs.claim().map(|_| quote!(use #krate::bounds::HasResources as __HasResources;));
    let has_parameters = container.original.generics.type_params().next().is_some();
    let parameter = has_parameters.then(|| quote!(#[allow(unused_imports)] use #krate::Parameter as __Parameter;));
    let displayed = matches!(attrs.render.value(), Some((Projection::Display, _)));
    let tool = displayed.then(|| quote!(use #krate::Tool as __Tool;));
    quote! {
        use #private as __tool_private;
        use #krate::bounds::HasProjection as __HasProjection;
        #parameter
        #failure
        #present
        #resources
        #tool
    }
}

/// How the impls are to be written.
struct Target<'a> {
    krate: &'a Krate,
    /// Whether the arguments are read through a mirror.
    mirrored: bool,
    /// Bounds that report what makes an impl impossible.
    bounds: &'a [TokenStream],
}

/// Output:
///
/// ```text
/// impl ::tool_runtime::Tool for Read {
///     type Output = FileView;
///     const NAME: &'static str = "read";
///     const TITLE: Option<&'static str> = None;
///     const DESCRIPTION: &'static str = "Read a text file.";
///     const BEHAVIOUR: Behaviour = Behaviour::new().read_only(true).timeout(Duration::from_millis(10_000));
///     const INPUT: Input<Self> = Input::of();
///     const PROJECTION: Projection<Self> = Projection::of();
///     const PRESENTATION: Option<Presentation<Self>> = None;
///     /* with `resources`, a `const CLAIM: Option<Claim<Self>>` */
/// }
/// ```
///
/// The last four are checks: a tool that does not decode or has no projection fails here, where it is defined.
fn facts(container: &Container<'_>, attrs: &ToolAttrs, checked: &Checked, target: &Target<'_>) -> TokenStream {
    let krate = target.krate;
    let header = header(container, target, &quote!(#krate::Tool));
    let output = output(container, attrs);
    let Checked { name, description, .. } = checked;
    let title = option(attrs.title.value());
    let behaviour = behaviour(attrs, krate);
    let failures = failures(attrs, krate);
    let projection = check(&quote!(<Self as __HasProjection>::RENDER), &quote!(Projection), container.ident.span());
    let presentation = attrs
        .present
        .key()
        .map(|key| check(&quote!(<Self as __HasPresentation>::META), &quote!(Presentation), key.span()));
    let presentation = option(presentation);
    let claim = attrs.claim().map(|key| {
        let claim = check(&quote!(<Self as __HasResources>::RESOURCES), &quote!(Claim), key.span());
        quote! {
            const CLAIM: ::core::option::Option<__tool_private::Claim<Self>> = ::core::option::Option::Some(#claim);
        }
    });
    quote! {
        #header {
            type Output = #output;
            const NAME: &'static ::core::primitive::str = #name;
            const TITLE: ::core::option::Option<&'static ::core::primitive::str> = #title;
            const DESCRIPTION: &'static ::core::primitive::str = #description;
            const BEHAVIOUR: #krate::Behaviour = #behaviour;
            #failures
            const INPUT: __tool_private::Input<Self> = __tool_private::Input::of();
            const PROJECTION: __tool_private::Projection<Self> = #projection;
            const PRESENTATION: ::core::option::Option<__tool_private::Presentation<Self>> = #presentation;
            #claim
        }
    }
}

/// Output:
///
/// ```text
/// impl ::tool_runtime::bounds::AsksToPresent for Read {}
/// ```
///
/// An `impl Present` without the word for it would never be called; it is refused by the trait that this implements. After
/// another mistake all of them are there, since the word may be what was misspelt.
fn asked(container: &Container<'_>, attrs: &ToolAttrs, target: &Target<'_>, has_errors: bool) -> TokenStream {
    let krate = target.krate;
    let mut asked = TokenStream::new();
    for (is_given, name) in
        [(attrs.present.is_given(), "AsksToPresent"), (attrs.resources.is_given(), "AsksForResources")]
    {
        if is_given || has_errors {
            let name = Ident::new(name, Span::call_site());
            let header = header(container, target, &quote!(#krate::bounds::#name));
            asked.extend(quote!(#header {}));
        }
    }
    asked
}

/// The declared output, in the author's tokens, so that what is wrong with it is reported there.
fn output(container: &Container<'_>, attrs: &ToolAttrs) -> TokenStream {
    match (attrs.output.value(), &attrs.output_mistake) {
        (Some(ty), _) => ty.to_token_stream(),
        (None, Some(mistake)) => error_type(mistake),
        (None, None) => error_type(&check::missing_output(container.ident)),
    }
}

/// Output:
///
/// ```text
/// const FAILURES: &'static [&'static [FailureSpec]] = &[<ReadFailure as ToolFailure>::FAILURES];
/// ```
fn failures(attrs: &ToolAttrs, krate: &Krate) -> Option<TokenStream> {
    let types = attrs.failure.value()?;
    let named = types.iter().map(|ty| placed(quote!(<#ty as __ToolFailure>::FAILURES), ty.span()));
    Some(quote! {
        const FAILURES: &'static [&'static [#krate::FailureSpec]] = &[#(#named),*];
    })
}

/// A check that the tool implements the trait of `constant`, reported at `span`.
///
/// Naming the constant asks for the trait first, since a trait that is missing there is reported in the fewest words.
fn check(constant: &TokenStream, kind: &TokenStream, span: Span) -> TokenStream {
    placed(quote!({ let _ = #constant; __tool_private::#kind::of() }), span)
}

fn behaviour(attrs: &ToolAttrs, krate: &Krate) -> TokenStream {
    let hints = [
        ("read_only", &attrs.read_only),
        ("destructive", &attrs.destructive),
        ("idempotent", &attrs.idempotent),
        ("open_world", &attrs.open_world),
    ];
    let mut calls = TokenStream::new();
    for (name, hint) in hints {
        if let Some(value) = hint.value() {
            let method = Ident::new(name, Span::call_site());
            calls.extend(quote!(.#method(#value)));
        }
    }
    if attrs.parallel.is_given() {
        calls.extend(quote!(.parallel(true)));
    }
    if let Some(millis) = attrs.timeout.value() {
        calls.extend(quote!(.timeout(::core::time::Duration::from_millis(#millis))));
    }
    quote!(#krate::Behaviour::new()#calls)
}

/// Output:
///
/// ```text
/// impl ::tool_runtime::ToolInput for Read {
///     fn input_schema() -> Result<Schema, SchemaError> {
///         /* see `reader::expand` */
///     }
///     fn decode(arguments: Decoder<'_>) -> Result<Self, DecodeError> {
///         /* the same */
///     }
/// }
/// ```
fn input(container: &Container<'_>, attrs: &ToolAttrs, target: &Target<'_>) -> TokenStream {
    let Target { krate, mirrored, .. } = target;
    let header = header(container, target, &quote!(#krate::ToolInput));
    let open = attrs.open.is_given();
    let Reader { items, schema, decode } = if let Some(manual) = attrs.manual.key() {
        Reader::manual(manual, open)
    } else if *mirrored {
        Reader::of_mirror(container, krate, open)
    } else {
        Reader::none()
    };
    // A type that was refused has no schema to look at.
    let is_checked = attrs.strict.is_given() && (*mirrored || attrs.manual.is_given());
    let schema = if is_checked { quote!(__tool_private::strict_schema(#schema)) } else { schema };
    quote! {
        #items
        #header {
            fn input_schema() -> ::core::result::Result<__tool_private::Schema, __tool_private::SchemaError> {
                #schema
            }
            fn decode(arguments: __tool_private::Decoder<'_>) -> ::core::result::Result<Self, __tool_private::DecodeError> {
                #decode
            }
        }
    }
}

/// Input: `#[tool(render = json)]`
///
/// Output:
///
/// ```text
/// fn __json<T: ::tool_runtime::Tool>(value: &T::Output) -> Content { render_json(value) }
///
/// impl ::tool_runtime::Render for Read {
///     fn render(&self, value: &<Self as Tool>::Output) -> Content { __json::<Self>(value) }
/// }
/// ```
///
/// That an output can be written is known of every tool; asked of this one, it would be a second complaint about an output
/// that is none.
fn render(container: &Container<'_>, attrs: &ToolAttrs, target: &Target<'_>) -> TokenStream {
    let krate = target.krate;
    let (function, call, here) = match attrs.render.value() {
        Some((Projection::Json, word)) => {
            let function = quote! {
                fn __json<T: #krate::Tool>(value: &T::Output) -> __tool_private::Content {
                    __tool_private::render_json(value)
                }
            };
            (function, quote!(__json::<Self>(value)), word.span())
        }
        Some((Projection::Display, word)) => {
            let call = quote! {
                let _ = <<Self as __Tool>::Output as ::core::fmt::Display>::fmt;
                __tool_private::render_display(value)
            };
            let call = placed(call, word.span());
            (TokenStream::new(), call, word.span())
        }
        None if attrs.has_unreadable_render => (TokenStream::new(), fallback::unreachable(), container.ident.span()),
        None => return TokenStream::new(),
    };
    let header = header(container, target, &quote!(__Render));
    // A second projection is a conflict of impls, which should be reported at the word that asks for this one.
    let is_plain = !is_deprecated(container) && target.bounds.is_empty();
    let (header, here) = if is_plain { (placed(header, here), here) } else { (header, at(here)) };
    let body = quote! {
        fn render(&self, value: &<Self as #krate::Tool>::Output) -> __tool_private::Content {
            #call
        }
    };
    let mut body = Group::new(Delimiter::Brace, body);
    body.set_span(here);
    quote!(use #krate::Render as __Render; #function #header #body)
}

/// Naming a deprecated type where the author could have written it would be reported.
fn is_deprecated(container: &Container<'_>) -> bool {
    container.original.attrs.iter().any(|attr| attr.path().is_ident("deprecated"))
}

/// `#[automatically_derived] impl<T: ..> Trait for Read<T> where ..`
fn header(container: &Container<'_>, target: &Target<'_>, of: &TokenStream) -> TokenStream {
    let generics = bound::implemented(container, target.krate, Side::Input, target.bounds);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, ty_generics, _) = container.original.generics.split_for_impl();
    let ident = generated(container.ident);
    let unlisted = unlisted(container);
    quote! {
        #[automatically_derived]
        #unlisted
        impl #impl_generics #of for #ident #ty_generics #where_clause
    }
}

/// Keeps an impl out of the lists of what else implements a trait, in what the compiler says of other types.
///
/// Of a generic type it would also hide which bound is missing.
pub(crate) fn unlisted(container: &Container<'_>) -> Option<TokenStream> {
    container.original.generics.params.is_empty().then(|| quote!(#[diagnostic::do_not_recommend]))
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(::core::option::Option::None), |value| quote!(::core::option::Option::Some(#value)))
}
