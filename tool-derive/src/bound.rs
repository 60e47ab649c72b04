//! Generics: the parameters as an impl declares them, and the bounds that the derived impls need.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{GenericArgument, GenericParam, Generics, LitStr, PathArguments, Token, Type, WherePredicate};

use crate::contract::Side;
use crate::krate::{Krate, placed};
use crate::model::{Container, Field};
use crate::types::ungroup;

/// The generics without what only a type's declaration may have: defaults and attributes.
pub(crate) fn declared(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    for param in &mut generics.params {
        match param {
            GenericParam::Type(param) => {
                param.default = None;
                param.attrs.clear();
            }
            GenericParam::Const(param) => {
                param.default = None;
                param.attrs.clear();
            }
            GenericParam::Lifetime(param) => param.attrs.clear(),
        }
    }
    generics
}

/// The generics of the derived impls: the author's bounds, and those that make the type readable (or an output).
pub(crate) fn implemented(container: &Container<'_>, krate: &Krate, side: Side, more: &[TokenStream]) -> Generics {
    let mut generics = declared(&container.original.generics);
    // A lifetime was refused already. What the traits ask for, the impl may then assume, so that nobody asks again.
    let lifetimes = container.original.generics.lifetimes().map(|param| &param.lifetime);
    let predicates: Vec<WherePredicate> = predicates(container, krate, side)
        .into_iter()
        .chain(lifetimes.map(|lifetime| quote!(#lifetime: 'static)))
        .chain(more.iter().cloned())
        .filter_map(|tokens| syn::parse2(tokens).ok())
        .collect();
    if !predicates.is_empty() {
        generics.make_where_clause().predicates.extend(predicates);
    }
    generics
}

fn predicates(container: &Container<'_>, krate: &Krate, side: Side) -> Vec<TokenStream> {
    let params: Vec<&Ident> = container.original.generics.type_params().map(|param| &param.ident).collect();
    let threaded = |param: &&Ident| quote!(#param: ::core::marker::Send + ::core::marker::Sync + 'static);
    let private = krate.private();
    let json_schema = quote!(#private::schemars::JsonSchema);
    if let Some(own) = own_bounds(container) {
        // The author's word, for serde; schemars infers its own.
        let own = own.iter().map(|predicate| quote!(#predicate));
        let published = params.iter().map(|param| quote!(#param: #json_schema));
        return params.iter().map(threaded).chain(own).chain(published).collect();
    }
    let read = read(container);
    let is = |ty: &TokenStream, param: &Ident| *param == ty.to_string();
    let mut found: Vec<TokenStream> =
        params.iter().filter(|param| !read.iter().any(|ty| is(ty, param))).map(threaded).collect();
    found.extend(read.iter().map(|ty| match side {
        // One bound, so that all of it is missing in one place, which is the author's.
        Side::Input if let Some(param) = params.iter().find(|param| is(ty, param)) => {
            placed(quote!(#ty: __Parameter), param.span())
        }
        Side::Input => quote!(#ty: #private::serde::de::DeserializeOwned + #json_schema),
        Side::Output => quote!(#ty: #krate::ToolOutput),
    }));
    found.extend(made(container));
    found
}

/// The bounds of the mirror's impls, for serde and for schemars, as text. Left alone, both would put a bound on `K` for a
/// field of type `K::Item`; and the mirror must not ask for more than the impls that use it.
pub(crate) fn of_mirror(container: &Container<'_>, private: &TokenStream) -> [Option<String>; 2] {
    if container.original.generics.type_params().next().is_none() {
        return [None, None];
    }
    let text = |predicates: Vec<TokenStream>| quote!(#(#predicates),*).to_string();
    let read = read(container);
    let serde = own_bounds(container).is_none().then(|| {
        let readable = read.iter().map(|ty| quote!(#ty: #private::serde::de::DeserializeOwned));
        text(readable.chain(made(container)).collect())
    });
    let schemars = (container.attrs.schemars("bound").is_none() && own_bounds(container).is_none())
        .then(|| text(read.iter().map(|ty| quote!(#ty: #private::schemars::JsonSchema)).collect()));
    [serde, schemars]
}

/// The bounds of the schema of a type with fields such as `K::Item`: schemars alone would ask for a bound on `K`.
pub(crate) fn of_schema(container: &Container<'_>, private: &TokenStream) -> Option<String> {
    let read = read(container);
    let is_param = |ty: &TokenStream| {
        let params = container.original.generics.type_params();
        params.map(|param| param.ident.to_string()).any(|param| param == ty.to_string())
    };
    if read.iter().all(is_param) || container.attrs.schemars("bound").is_some() || own_bounds(container).is_some() {
        return None;
    }
    Some(quote!(#(#read: #private::schemars::JsonSchema),*).to_string())
}

/// The parts of fields that are read.
fn read(container: &Container<'_>) -> Vec<TokenStream> {
    used(container, |field| !field.attrs.skips_reading())
}

/// The bounds of what is made by `Default` where it is not there.
fn made(container: &Container<'_>) -> Vec<TokenStream> {
    let is_made = |field: &Field<'_>| match field.attrs.serde("default") {
        Some(default) => default.text().is_none(),
        None => field.attrs.skips_reading(),
    };
    let mut found: Vec<TokenStream> =
        used(container, is_made).iter().map(|ty| quote!(#ty: ::core::default::Default)).collect();
    let generics = &container.original.generics;
    let has_default = container.attrs.serde("default").is_some_and(|item| item.text().is_none());
    if has_default && !generics.params.is_empty() {
        let ident = container.ident;
        let (_, ty_generics, _) = generics.split_for_impl();
        found.push(quote!(#ident #ty_generics: ::core::default::Default));
    }
    found
}

/// `#[serde(bound = "..")]`
fn own_bounds(container: &Container<'_>) -> Option<Punctuated<WherePredicate, Token![,]>> {
    let item = container.attrs.serde("bound")?;
    let text = item.text().map(LitStr::value).or_else(|| item.inner("deserialize"))?;
    let parser = Punctuated::<WherePredicate, Token![,]>::parse_terminated;
    syn::parse::Parser::parse_str(parser, &text).ok()
}

/// The parameters, and the associated types of parameters, that stand in the fields that `wanted` accepts.
fn used(container: &Container<'_>, wanted: impl Fn(&Field<'_>) -> bool) -> Vec<TokenStream> {
    let params: Vec<&Ident> = container.original.generics.type_params().map(|param| &param.ident).collect();
    let mut found = Found { params: &params, types: Vec::new() };
    for (field, _) in container.fields() {
        if wanted(field) {
            found.visit(field.ty);
        }
    }
    found.types
}

struct Found<'a> {
    params: &'a [&'a Ident],
    types: Vec<TokenStream>,
}

impl Found<'_> {
    fn visit(&mut self, ty: &Type) {
        match ungroup(ty) {
            Type::Array(array) => self.visit(&array.elem),
            Type::Slice(slice) => self.visit(&slice.elem),
            Type::Reference(reference) => self.visit(&reference.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| self.visit(elem)),
            Type::Path(path) => self.visit_path(ty, path),
            _ => {}
        }
    }

    fn visit_path(&mut self, ty: &Type, path: &syn::TypePath) {
        let segments = &path.path.segments;
        let is_param = |ident: &Ident| self.params.contains(&ident);
        // Implements everything whatever its parameter is.
        if segments.last().is_some_and(|segment| segment.ident == "PhantomData") {
            return;
        }
        // `T`, `T::Item` and `<T as Trait>::Item`
        let first_is_param = path.qself.is_none() && segments.first().is_some_and(|first| is_param(&first.ident));
        let qualified = path.qself.as_ref().is_some_and(|qself| match ungroup(&qself.ty) {
            Type::Path(path) => path.path.get_ident().is_some_and(is_param),
            _ => false,
        });
        if first_is_param || qualified {
            self.push(quote!(#ty));
            return;
        }
        for segment in segments {
            if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
                for argument in &arguments.args {
                    if let GenericArgument::Type(ty) = argument {
                        self.visit(ty);
                    }
                }
            }
        }
    }

    fn push(&mut self, ty: TokenStream) {
        let text = ty.to_string();
        if !self.types.iter().any(|known| known.to_string() == text) {
            self.types.push(ty);
        }
    }
}
