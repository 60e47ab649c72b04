//! `#[tool_output]` and `#[tool_input]`: put the derives above the item, and hand it on.
//!
//! Attribute macros see the item before `#[cfg]` is resolved, so nothing here judges fields; the hidden derive does.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Meta, Path, Token};

use super::{Among, alias_mark, among, flatten_mark, key_mark, part, strictness, two_way, type_mark};
use crate::attr::TypeAttrs;
use crate::bound;
use crate::canonical;
use crate::contract::{Side, grammar_of, skips_none};
use crate::ctxt::Ctxt;
use crate::field_attrs::{self, FieldAttrs, is_ours};
use crate::krate::Krate;
use crate::model::{Container, Tagging};
use crate::serde_attrs::{Attrs, Item, without};
use crate::serde_keys::{Place, refusal};
use crate::types;

/// Input:
///
/// ```text
/// #[tool_output]
/// struct FileView { path: String }
/// ```
///
/// Output:
///
/// ```text
/// #[derive(Serialize, Deserialize, JsonSchema, ToolOutputContract)] // all by their full paths; see `part` for the last
/// #[serde(crate = "::tool_runtime::__private::serde")]
/// #[schemars(crate = "::tool_runtime::__private::schemars")]
/// struct FileView { path: String }
/// ```
pub(crate) fn expand(ctxt: &Ctxt, attrs: &TypeAttrs, mut item: DeriveInput, side: Side) -> TokenStream {
    let krate = Krate::new(attrs.krate.value());
    let private = krate.private();
    field_attrs::check(ctxt, &Container::new(&item), side);
    if side == Side::Input {
        canonical::refuse_in_a_part(ctxt, &Container::new(&item));
    }
    mark_secrets(&mut item, side);
    remove_derives(ctxt, &mut item, side);
    remove_refused(ctxt, &mut item);
    let mirrored = part::is_mirrored(&Container::new(&item));
    let note = note(attrs, side, mirrored);
    if matches!(item.data, Data::Union(_)) {
        // serde and schemars would each say so too.
        return quote!(#[derive(#private::ToolOutputContract)] #note #item);
    }
    let two_way = (side == Side::Output).then(|| two_way::mark(&Container::new(&item), &private));
    match side {
        Side::Input => mark_aliases(&mut item),
        Side::Output => {
            mark_options(&mut item, &krate);
            mark_variants(&mut item);
        }
    }
    mark_stood_in(&mut item, &private);
    let strict = (side == Side::Input).then(|| strictness(&Container::new(&item), attrs.open.is_given()));
    let bound = bound::of_schema(&Container::new(&item), &private).map(|bound| quote!(#[schemars(bound = #bound)]));
    let serialize = (side == Side::Output).then(|| quote!(#private::serde::Serialize,));
    let derived = (!mirrored).then(|| quote!(#serialize #private::serde::Deserialize, #private::schemars::JsonSchema,));
    let [serde, schemars] = ["serde", "schemars"].map(|name| krate.private_text(name));
    let open = attrs.open.is_given().then(|| quote!(#[schemars(transform = #private::mark_open)]));
    quote! {
        #[derive(#derived #private::ToolOutputContract)]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        #open
        #two_way
        #strict
        #bound
        #note
        #item
    }
}

/// What the hidden derive must know.
fn note(attrs: &TypeAttrs, side: Side, mirrored: bool) -> TokenStream {
    let input = (side == Side::Input).then(|| quote!(input,));
    let krate = attrs.krate.value().map(|path| quote!(crate = #path));
    let mirrored = mirrored.then(|| quote!(mirrored,));
    if input.is_none() && mirrored.is_none() && krate.is_none() {
        return TokenStream::new();
    }
    quote!(#[tool_output_contract(#input #mirrored #krate)])
}

/// The derives that the attribute adds, written a second time, would be a conflict of impls that names no remedy.
fn remove_derives(ctxt: &Ctxt, item: &mut DeriveInput, side: Side) {
    let added: &[&str] = match side {
        Side::Input => &["Deserialize", "JsonSchema"],
        Side::Output => &["Serialize", "Deserialize", "JsonSchema"],
    };
    let attribute = if side == Side::Output { "tool_output" } else { "tool_input" };
    for attr in &mut item.attrs {
        let Some(derives) = derives(attr) else { continue };
        let (ours, theirs): (Vec<Path>, Vec<Path>) = derives.into_iter().partition(|path| names(path, added));
        if let Some(first) = ours.first() {
            let all: Vec<String> =
                ours.iter().map(|path| path.to_token_stream().to_string().replace(' ', "")).collect();
            let all = all.join(", ");
            let mistake = format!("`#[{attribute}]` already derives `{all}`");
            ctxt.error(first, mistake, format!("remove `{all}` from this `derive`"));
            *attr = syn::parse_quote!(#[derive(#(#theirs),*)]);
        }
    }
}

fn derives(attr: &Attribute) -> Option<Vec<Path>> {
    let Meta::List(list) = &attr.meta else { return None };
    if !list.path.is_ident("derive") {
        return None;
    }
    let paths = list.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok()?;
    Some(paths.into_iter().collect())
}

/// `Serialize` and `serde::Serialize`, but not the `Serialize` of another library.
fn names(path: &Path, wanted: &[&str]) -> bool {
    let Some(last) = path.segments.last() else { return false };
    let from = path.segments.iter().rev().nth(1).map(|segment| segment.ident.to_string());
    let ours =
        from.is_none_or(|from| ["serde", "schemars", "serde_derive", "schemars_derive"].contains(&from.as_str()));
    ours && wanted.iter().any(|name| last.ident == *name)
}

/// What serde's derive would refuse, and then implement nothing: say it once, and go on without.
fn remove_refused(ctxt: &Ctxt, item: &mut DeriveInput) {
    let on_type = if matches!(item.data, Data::Enum(_)) { Place::Enum } else { Place::Struct };
    clean(ctxt, &mut item.attrs, on_type);
    match &mut item.data {
        Data::Struct(data) => data.fields.iter_mut().for_each(|field| clean(ctxt, &mut field.attrs, Place::Field)),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                clean(ctxt, &mut variant.attrs, Place::Variant);
                variant.fields.iter_mut().for_each(|field| clean(ctxt, &mut field.attrs, Place::Field));
            }
        }
        Data::Union(_) => {}
    }
}

fn clean(ctxt: &Ctxt, attrs: &mut Vec<Attribute>, place: Place) {
    let read = Attrs::read(attrs);
    grammar_of(ctxt, &read, place);
    if let Some(remote) = read.serde("remote") {
        let mistake = "`remote` describes a type of another crate, which this type then is not";
        ctxt.error(&remote.tokens, mistake, "drop it, and convert with `#[serde(from = \"..\", into = \"..\")]`");
    }
    // `crate` is ours to say.
    let drop = |item: &Item| item.is("crate") || item.is("remote") || refusal(item, &read, place).is_some();
    *attrs = std::mem::take(attrs).iter().filter_map(|attr| without(attr, drop)).collect();
}

/// Our own attributes on fields are read here, and mean nothing to the compiler.
fn mark_secrets(item: &mut DeriveInput, side: Side) {
    for_each_field(item, |field| {
        let mark = FieldAttrs::of(&field.attrs, side).mark();
        field.attrs.retain(|attr| !is_ours(attr));
        if !mark.is_empty() {
            field.attrs.push(syn::parse_quote!(#mark));
        }
    });
    if let Data::Enum(data) = &mut item.data {
        data.variants.iter_mut().for_each(|variant| variant.attrs.retain(|attr| !is_ours(attr)));
    }
}

/// So that a call may use them.
fn mark_aliases(item: &mut DeriveInput) {
    for_each_field(item, |field| {
        let mark = alias_mark(&Attrs::read(&field.attrs));
        if !mark.is_empty() {
            field.attrs.push(syn::parse_quote!(#mark));
        }
    });
}

/// So that what only a field's type can tell is asked, and what schemars says of it is true.
fn mark_stood_in(item: &mut DeriveInput, private: &TokenStream) {
    let mark = |field: &mut Field, place: Among| {
        let attrs = Attrs::read(&field.attrs);
        let hidden = type_mark(&field.ty, &attrs, private, ToTokens::to_token_stream);
        if !hidden.is_empty() {
            field.attrs.push(syn::parse_quote!(#hidden));
        }
        let flatten = flatten_mark(&field.ty, &attrs, place, private, ToTokens::to_token_stream);
        if !flatten.is_empty() {
            field.attrs.push(syn::parse_quote!(#flatten));
        }
        let keys = key_mark(&field.ty, &attrs, private, ToTokens::to_token_stream);
        if !keys.is_empty() {
            field.attrs.push(syn::parse_quote!(#keys));
            // The hidden derive still judges the type itself, since this schema is not the author's word.
            field.attrs.push(syn::parse_quote!(#[tool_output_contract]));
        }
    };
    for_each_object(item, |fields| {
        let places = among(fields.iter());
        fields.iter_mut().zip(places).for_each(|(field, place)| mark(field, place));
    });
}

/// So that variants that cannot be told apart are named, when the tool is registered.
fn mark_variants(item: &mut DeriveInput) {
    let container = Container::new(item);
    let is_untagged: Vec<bool> =
        container.variants().iter().map(|variant| container.tagging(variant) == Tagging::Untagged).collect();
    let Data::Enum(data) = &mut item.data else { return };
    for (variant, _) in data.variants.iter_mut().zip(is_untagged).filter(|(_, is_untagged)| *is_untagged) {
        let name = variant.ident.unraw().to_string();
        variant.attrs.push(syn::parse_quote!(#[schemars(extend("x-tool-variant" = #name))]));
    }
}

/// A field that is left out when it is `None` is never `null`; schemars would publish both.
fn mark_options(item: &mut DeriveInput, krate: &Krate) {
    let private = krate.private();
    for_each_field(item, |field| {
        let attrs = Attrs::read(&field.attrs);
        let condition = attrs.serde("skip_serializing_if").and_then(Item::text);
        if types::is_option(&field.ty) && skips_none(condition) {
            field.attrs.push(syn::parse_quote!(#[schemars(transform = #private::mark_never_null)]));
        }
    });
}

fn for_each_field(item: &mut DeriveInput, mut apply: impl FnMut(&mut Field)) {
    for_each_object(item, |fields| fields.iter_mut().for_each(&mut apply));
}

/// The fields of a struct, or of each variant.
fn for_each_object(item: &mut DeriveInput, mut apply: impl FnMut(&mut Fields)) {
    match &mut item.data {
        Data::Struct(data) => apply(&mut data.fields),
        Data::Enum(data) => data.variants.iter_mut().for_each(|variant| apply(&mut variant.fields)),
        Data::Union(_) => {}
    }
}
