//! `#[derive(Tool)]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::{fallback, mirror};
use crate::attr::{Projection, ToolAttrs};
use crate::bound;
use crate::check::{self, Checked};
use crate::contract::Side;
use crate::krate::{Krate, at, generated};
use crate::model::Container;

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
pub(crate) fn expand(container: &Container<'_>, attrs: &ToolAttrs, checked: &Checked) -> TokenStream {
    let krate = Krate::new(attrs.krate.value());
    let facts = facts(container, attrs, checked, &krate);
    let mirror = if attrs.manual.is_given() || !checked.has_shape {
        TokenStream::new()
    } else {
        mirror::expand(container, &krate)
    };
    let input = input(container, attrs, checked, &krate);
    let render = render(container, attrs, &krate);
    quote! {
        const _: () = {
            #mirror
            #facts
            #input
            #render
        };
    }
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
/// }
/// ```
///
/// The last three are checks: a tool that does not decode or has no projection fails here, where it is defined.
fn facts(container: &Container<'_>, attrs: &ToolAttrs, checked: &Checked, krate: &Krate) -> TokenStream {
    let header = header(container, krate, &quote!(#krate::Tool));
    let private = krate.private();
    let output = output(container, attrs);
    let Checked { name, description, .. } = checked;
    let title = option(attrs.title.value());
    let behaviour = behaviour(attrs, krate);
    let here = at(container.ident.span());
    let input = quote_spanned!(here=> #private::Input::of());
    let projection = quote_spanned!(here=> #private::Projection::of());
    let presentation = option(attrs.present.key().map(|key| {
        let here = at(key.span());
        quote_spanned!(here=> #private::Presentation::of())
    }));
    quote! {
        #header {
            type Output = #output;
            const NAME: &'static ::core::primitive::str = #name;
            const TITLE: ::core::option::Option<&'static ::core::primitive::str> = #title;
            const DESCRIPTION: &'static ::core::primitive::str = #description;
            const BEHAVIOUR: #krate::Behaviour = #behaviour;
            const INPUT: #private::Input<Self> = #input;
            const PROJECTION: #private::Projection<Self> = #projection;
            const PRESENTATION: ::core::option::Option<#private::Presentation<Self>> = #presentation;
        }
    }
}

/// The declared output, in the author's tokens, so that what is wrong with it is reported there.
///
/// A missing one is an error in the place of a type: the compiler then says nothing more about what depends on it.
fn output(container: &Container<'_>, attrs: &ToolAttrs) -> TokenStream {
    match attrs.output.value() {
        Some(ty) => ty.to_token_stream(),
        None if attrs.output_was_unreadable => fallback::unknown_type(),
        None => {
            let (span, message) = check::missing_output(container.ident);
            quote_spanned!(span=> ::core::compile_error!(#message))
        }
    }
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
            let method = Ident::new(name, proc_macro2::Span::call_site());
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
///         ::tool_runtime::__private::input_schema::<__ReadArguments>(false)
///     }
///     fn decode(arguments: Decoder<'_>) -> Result<Self, DecodeError> {
///         __ReadArguments::deserialize(arguments)
///     }
/// }
/// ```
fn input(container: &Container<'_>, attrs: &ToolAttrs, checked: &Checked, krate: &Krate) -> TokenStream {
    let header = header(container, krate, &quote!(#krate::ToolInput));
    let private = krate.private();
    let open = attrs.open.is_given();
    let (schema, decode) = if let Some(manual) = attrs.manual.key() {
        let here = at(manual.span());
        (
            quote_spanned!(here=> #private::manual_input_schema::<Self>(#open)),
            quote_spanned!(here=> #private::manual_decode::<Self>(arguments)),
        )
    } else if checked.has_shape {
        let here = at(mirror::span(container));
        let mirror = mirror::ident(container);
        let (_, ty_generics, _) = container.original.generics.split_for_impl();
        let turbofish = ty_generics.as_turbofish();
        (
            quote_spanned!(here=> #private::input_schema::<#mirror #ty_generics>(#open)),
            quote!(#mirror #turbofish::deserialize(arguments)),
        )
    } else {
        (fallback::unreachable(), fallback::unreachable())
    };
    quote! {
        #header {
            fn input_schema() -> ::core::result::Result<#private::Schema, #private::SchemaError> {
                #schema
            }
            fn decode(arguments: #private::Decoder<'_>) -> ::core::result::Result<Self, #private::DecodeError> {
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
/// impl ::tool_runtime::Render for Read {
///     fn render(&self, value: &<Self as Tool>::Output) -> Content { render_json(value) }
/// }
/// ```
fn render(container: &Container<'_>, attrs: &ToolAttrs, krate: &Krate) -> TokenStream {
    let Some((projection, word)) = attrs.render.value() else { return TokenStream::new() };
    let private = krate.private();
    let here = at(word.span());
    let function = Ident::new(
        match projection {
            Projection::Json => "render_json",
            Projection::Display => "render_display",
        },
        here,
    );
    let header = header(container, krate, &quote_spanned!(here=> #krate::Render));
    let call = quote_spanned!(here=> #private::#function(value));
    quote! {
        #header {
            fn render(&self, value: &<Self as #krate::Tool>::Output) -> #private::Content {
                #call
            }
        }
    }
}

/// `#[automatically_derived] impl<T: ..> Trait for Read<T> where ..`
fn header(container: &Container<'_>, krate: &Krate, of: &TokenStream) -> TokenStream {
    let generics = bound::implemented(container, krate, Side::Input);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, ty_generics, _) = container.original.generics.split_for_impl();
    let ident = generated(container.ident);
    quote! {
        #[automatically_derived]
        impl #impl_generics #of for #ident #ty_generics #where_clause
    }
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(::core::option::Option::None), |value| quote!(::core::option::Option::Some(#value)))
}
