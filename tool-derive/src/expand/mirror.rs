//! The hidden mirror of an arguments type: a copy that derives `Deserialize` and `JsonSchema` for it.
//!
//! The copy keeps the author's type free for derives of his own, of whichever version, and needs no dependency of his.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, Generics, LitStr, Meta, WherePredicate};

use super::{Among, alias_mark, among, flatten_mark, key_mark, parts, strictness, type_mark};
use crate::bound;
use crate::contract::Side;
use crate::field_attrs::FieldAttrs;
use crate::krate::generated;
use crate::model::{Body, Container, Field, Style, Variant};
use crate::serde_attrs::{Item, without};

/// What a mirror is a copy of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// The arguments of a tool.
    Arguments,
    /// A type with `#[tool_input]` or `#[tool_output]`, which has marked its fields already.
    Part(Side),
}

impl Of {
    pub(crate) fn side(self) -> Side {
        match self {
            Self::Arguments => Side::Input,
            Self::Part(side) => side,
        }
    }
}

/// The name of the mirror, which lives in a block of its own and must not hide a type of the author's.
pub(crate) fn ident(container: &Container<'_>) -> Ident {
    format_ident!("__{}Arguments", container.ident.unraw(), span = Span::call_site())
}

/// Input:
///
/// ```text
/// #[derive(Tool)]
/// #[tool(output = FileView)]
/// struct Read {
///     /// Path of the file.
///     #[serde(alias = "file")]
///     path: String,
/// }
/// ```
///
/// Output, where `__tool_private` is the runtime's private module:
///
/// ```text
/// #[derive(__tool_private::serde::Deserialize, __tool_private::schemars::JsonSchema)]
/// #[serde(crate = "__tool_private::serde", remote = "Read")]
/// #[schemars(crate = "__tool_private::schemars")]
/// struct __ReadArguments {
///     /// Path of the file.
///     #[serde(alias = "file")]
///     path: String,
/// }
/// ```
pub(crate) fn expand(container: &Container<'_>, of: Of, open: bool) -> TokenStream {
    let mirror = ident(container);
    let remote = LitStr::new(&container.ident.to_string(), Span::call_site());
    let attrs = attributes(&container.original.attrs);
    let item = item(container, of, &mirror);
    let default = default(container, of, &mirror);
    let allow_deprecated = allow_deprecated(container);
    let [serde_bound, schemars_bound] = bound::of_mirror(container, &quote!(__tool_private));
    let serde_bound = serde_bound.map(|bound| quote!(#[serde(bound = #bound)]));
    let schemars_bound = schemars_bound.map(|bound| quote!(#[schemars(bound = #bound)]));
    let serde = serde_by_name(container);
    // A struct is the whole of the arguments, and mistaken for nothing.
    let strict = (of == Of::Arguments && matches!(container.body, Body::Enum(_))).then(|| strictness(container, open));
    let serialize = (of.side() == Side::Output).then(|| quote!(__tool_private::serde::Serialize,));
    quote! {
        #serde
        #[derive(#serialize __tool_private::serde::Deserialize, __tool_private::schemars::JsonSchema)]
        #[serde(crate = "__tool_private::serde", remote = #remote)]
        #[schemars(crate = "__tool_private::schemars")]
        #serde_bound
        #schemars_bound
        #strict
        #allow_deprecated
        #(#attrs)*
        #item
        #default
    }
}

/// schemars publishes a field's default as its `with` function writes it, in code that calls serde by that name, which the
/// author's crate need not know.
fn serde_by_name(container: &Container<'_>) -> TokenStream {
    let has_default = container.attrs.serde("default").is_some();
    let writes_default = container.fields().iter().any(|(field, _)| {
        let with = field.attrs.serde("with").or_else(|| field.attrs.serde("serialize_with"));
        with.is_some() && (has_default || field.attrs.serde("default").is_some())
    });
    if !writes_default {
        return TokenStream::new();
    }
    quote! {
        #[allow(unused_imports)]
        use __tool_private::serde;
    }
}

/// The generics of the mirror: the author's, and what is assumed of the parts.
fn generics(container: &Container<'_>, of: Of) -> Generics {
    let mut generics = bound::declared(&container.original.generics);
    let assumed = parts::assumed(container, &quote!(__tool_private), of.side());
    if !assumed.is_empty() {
        let assumed = assumed.into_iter().filter_map(|tokens| syn::parse2::<WherePredicate>(tokens).ok());
        generics.make_where_clause().predicates.extend(assumed);
    }
    generics
}

fn item(container: &Container<'_>, of: Of, mirror: &Ident) -> TokenStream {
    let generics = generics(container, of);
    let where_clause = &generics.where_clause;
    let generics_tokens = generics.params.iter();
    let params = if generics.params.is_empty() { quote!() } else { quote!(<#(#generics_tokens),*>) };
    let this = this(container);
    match &container.body {
        // A unit struct shows `null`; with braces it is an object, and reads as `Read {}` just the same.
        Body::Struct(Style::Unit, _) => quote!(struct #mirror #params #where_clause {}),
        Body::Struct(Style::Named, fields) => {
            let fields = self::fields(fields, of, &this);
            quote!(struct #mirror #params #where_clause { #(#fields),* })
        }
        Body::Struct(Style::Newtype | Style::Tuple, fields) => {
            let fields = self::fields(fields, of, &this);
            quote!(struct #mirror #params ( #(#fields),* ) #where_clause;)
        }
        Body::Enum(variants) => {
            let variants = variants.iter().map(|variant| self::variant(variant, of, &this));
            quote!(enum #mirror #params #where_clause { #(#variants),* })
        }
        Body::Union => TokenStream::new(),
    }
}

/// What `Self` means in the author's type.
fn this(container: &Container<'_>) -> TokenStream {
    let ident = container.ident;
    let (_, ty_generics, _) = container.original.generics.split_for_impl();
    quote!(#ident #ty_generics)
}

fn variant(variant: &Variant<'_>, of: Of, this: &TokenStream) -> TokenStream {
    let attrs = attributes(&variant.original.attrs);
    let ident = &variant.original.ident;
    let fields = self::fields(&variant.fields, of, this);
    let fields = match variant.style {
        Style::Unit => TokenStream::new(),
        Style::Named => quote!({ #(#fields),* }),
        Style::Newtype | Style::Tuple => quote!(( #(#fields),* )),
    };
    quote!(#(#attrs)* #ident #fields)
}

fn fields(fields: &[Field<'_>], of: Of, this: &TokenStream) -> Vec<TokenStream> {
    let places = among(fields.iter().map(|field| field.original));
    fields.iter().zip(places).map(|(field, place)| self::field(field, place, of, this)).collect()
}

fn field(field: &Field<'_>, place: Among, of: Of, this: &TokenStream) -> TokenStream {
    let attrs = attributes(&field.original.attrs);
    let ty = replace_self(field.ty.to_token_stream(), this);
    let name = field.original.ident.as_ref().map(|ident| quote!(#ident:));
    if of != Of::Arguments {
        return quote!(#(#attrs)* #name #ty);
    }
    let aliases = alias_mark(&field.attrs);
    let spelt = |ty: &syn::Type| replace_self(ty.to_token_stream(), this);
    let flatten = flatten_mark(field.ty, &field.attrs, place, &quote!(__tool_private), spelt);
    let keys = key_mark(field.ty, &field.attrs, &quote!(__tool_private), spelt);
    let hidden = type_mark(field.ty, &field.attrs, &quote!(__tool_private), spelt);
    let marks = FieldAttrs::of(&field.original.attrs, Side::Input).mark();
    quote!(#(#attrs)* #marks #aliases #flatten #keys #hidden #name #ty)
}

fn replace_self(tokens: TokenStream, this: &TokenStream) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => this.clone(),
        TokenTree::Group(group) => {
            let mut replaced = proc_macro2::Group::new(group.delimiter(), replace_self(group.stream(), this));
            replaced.set_span(group.span());
            TokenTree::Group(replaced).into()
        }
        other => other.into(),
    };
    tokens.into_iter().map(replace).collect::<Vec<TokenStream>>().into_iter().collect()
}

/// The attributes that serde's and schemars' derives understand, without what the mirror says itself.
fn attributes(attrs: &[Attribute]) -> Vec<TokenStream> {
    attrs.iter().filter_map(attribute).collect()
}

fn attribute(attr: &Attribute) -> Option<TokenStream> {
    const KEPT: [&str; 7] = ["serde", "schemars", "validate", "garde", "doc", "deprecated", "allow"];
    if attr.path().is_ident("expect") {
        // The author's own item fulfils the expectation; the copy needs the silence only.
        let Meta::List(list) = &attr.meta else { return None };
        let lints = &list.tokens;
        return Some(quote!(#[allow(#lints)]));
    }
    if !KEPT.iter().any(|kept| attr.path().is_ident(kept)) {
        return None;
    }
    Some(without(attr, |item: &Item| item.is("crate"))?.to_token_stream())
}

/// serde's derive names deprecated fields and variants, and so does the author's own item, which is enough.
fn allow_deprecated(container: &Container<'_>) -> TokenStream {
    let is_deprecated = |attrs: &[Attribute]| attrs.iter().any(|attr| attr.path().is_ident("deprecated"));
    let deprecated = is_deprecated(&container.original.attrs)
        || container.variants().iter().any(|variant| is_deprecated(&variant.original.attrs))
        || container.fields().iter().any(|(field, _)| is_deprecated(&field.original.attrs));
    if deprecated { quote!(#[allow(deprecated)]) } else { TokenStream::new() }
}

/// With `#[serde(default)]` on the type, schemars asks the mirror for the defaults of its fields.
///
/// Output:
///
/// ```text
/// impl Default for __ReadArguments {
///     fn default() -> Self {
///         let Read { path: __0 } = Default::default();
///         Self { path: __0 }
///     }
/// }
/// ```
fn default(container: &Container<'_>, of: Of, mirror: &Ident) -> TokenStream {
    let (Some(item), Body::Struct(style, fields)) = (container.attrs.serde("default"), &container.body) else {
        return TokenStream::new();
    };
    if item.text().is_some() {
        return TokenStream::new();
    }
    let ident = generated(container.ident);
    let mut generics = generics(container, of);
    let (_, ty_generics, _) = container.original.generics.split_for_impl();
    if !generics.params.is_empty() {
        let predicate = syn::parse_quote!(#ident #ty_generics: ::core::default::Default);
        generics.make_where_clause().predicates.push(predicate);
    }
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let values: Vec<Ident> = (0..fields.len()).map(|i| format_ident!("__{i}")).collect();
    let take = match style {
        Style::Unit => quote!({}),
        Style::Named => {
            let names = fields.iter().map(|field| field.original.ident.as_ref().map(generated));
            quote!({ #(#names: #values),* })
        }
        Style::Newtype | Style::Tuple => quote!((#(#values),*)),
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::default::Default for #mirror #ty_generics #where_clause {
            fn default() -> Self {
                let #ident #take = <#ident #ty_generics as ::core::default::Default>::default();
                Self #take
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::replace_self;

    #[test]
    fn self_is_the_authors_type() {
        let replaced = replace_self(quote!(Vec<<Self as Kind>::Item>), &quote!(Read<T>));
        assert_eq!(replaced.to_string(), quote!(Vec<<Read<T> as Kind>::Item>).to_string());
    }
}
