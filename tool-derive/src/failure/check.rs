//! What a failure must be: a code of its own, a sentence whose fields exist, facts that agree.

use std::collections::HashMap;

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Fields, LitStr, Member, Type};

use super::attr::{FailureAttrs, Place, Retry};
use super::template::{self, Template};
use super::{Failure, Field, Role, Written, code};
use crate::ctxt::Ctxt;
use crate::nearest::nearest;
use crate::parse::list;
use crate::types;

/// Whether the type is a `std::error::Error` by a derive that shows, which would convert it a second time.
///
/// A derive macro is not told of those beside it, but sees their attributes and the derives that follow.
pub(super) fn is_an_error(ctxt: &Ctxt, input: &DeriveInput) -> bool {
    let variants: Vec<&Attribute> = match &input.data {
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.attrs).collect(),
        Data::Struct(_) | Data::Union(_) => Vec::new(),
    };
    let shows = |attr: &&Attribute| attr.path().is_ident("error") || derives_error(attr);
    let Some(attr) = input.attrs.iter().chain(variants).find(shows) else { return false };
    let mistake = format!(
        "`#[derive(ToolFailure)]` stands in for the derive of `Error`: `{}` can't be both, for `?` turns every \
         `std::error::Error` into a failure without a code",
        input.ident
    );
    let remedy = "drop the derive of `Error`, and write `#[failure(code = \"..\", \"..\")]` for `#[error(\"..\")]`";
    ctxt.fatal(attr, mistake, remedy);
    true
}

fn derives_error(attr: &Attribute) -> bool {
    let mut found = false;
    if attr.path().is_ident("derive") {
        // What can't be read is no derive of ours to judge.
        let _ = attr.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|segment| segment.ident == "Error");
            Ok(())
        });
    }
    found
}

pub(super) fn has_variants(ctxt: &Ctxt, ident: &Ident, written: &[Written<'_>]) {
    if written.is_empty() {
        ctxt.error(ident, format!("the enum `{ident}` names no failure"), "add a variant, or drop the derive");
    }
}

/// A code tells failures apart, so no two of a type have the same.
pub(super) fn codes_differ(ctxt: &Ctxt, ty: &Ident, written: &[Written<'_>]) {
    let mut first: HashMap<String, &Ident> = HashMap::new();
    for failure in written {
        let Some(code) = failure.attrs.code.value() else { continue };
        if let Some(other) = first.get(&code.value()) {
            let mistake = format!("`{}` is the code of `{other}` already", code.value());
            let own = code::of_variant(ty, failure.ident);
            let remedy = if own == code.value() {
                "give one of the two another code".to_owned()
            } else {
                format!("give one of the two another code, such as `{own}`")
            };
            ctxt.error(code, mistake, remedy);
        } else {
            first.insert(code.value(), failure.ident);
        }
    }
}

/// One conversion from a type can make one variant.
pub(super) fn made_of_one(ctxt: &Ctxt, failures: &[Failure<'_>]) {
    let mut first: HashMap<String, &Failure<'_>> = HashMap::new();
    for failure in failures {
        let Some(field) = failure.fields.iter().find(|field| field.role == Role::From) else { continue };
        let ty = field.ty.to_token_stream().to_string();
        let Some(other) = first.insert(ty, failure).and_then(|other| other.variant) else { continue };
        let mistake = format!("`{other}` is made from this type already, so `?` could not tell which is meant");
        ctxt.error(field.ty, mistake, "keep `from` on one of them, and `source` on the other");
    }
}

/// One failure, if it keeps every rule. What it does not say of itself, the enum may say for all of its variants.
pub(super) fn failure<'a>(
    ctxt: &Ctxt,
    ty: &Ident,
    written: &Written<'a>,
    of_all: Option<&FailureAttrs>,
) -> Option<Failure<'a>> {
    let attrs = &written.attrs;
    let (fatal, all) = (attrs.fatal.is_given(), of_all.is_some_and(|of_all| of_all.details.is_given()));
    let retry_of_all = of_all.filter(|_| !fatal).and_then(|of_all| of_all.retry.value());
    let effects_of_all = of_all.and_then(|of_all| of_all.effects.value());
    let (code, sentence) = (code_of(ctxt, ty, written), sentence_of(ctxt, written));
    retries_agree(ctxt, attrs);
    let fields = fields_of(ctxt, written, all || attrs.details.is_given());
    let template = sentence.and_then(|sentence| template_of(ctxt, written, sentence));
    Some(Failure {
        variant: written.variant.map(|variant| &variant.ident),
        code: code?.clone(),
        sentence: sentence?.clone(),
        template: template?,
        retry: attrs.retry.value().or(retry_of_all).copied(),
        effects: attrs.effects.value().or(effects_of_all).copied(),
        fatal,
        fields,
    })
}

/// The code is written out: it is a promise to hosts, which renaming a variant must not break.
fn code_of<'w>(ctxt: &Ctxt, ty: &Ident, written: &'w Written<'_>) -> Option<&'w LitStr> {
    let own = code::of_variant(ty, written.ident);
    let Some(code) = written.attrs.code.value() else {
        if written.attrs.is_unreadable {
            return None;
        }
        let ident = written.ident;
        if written.attrs.sentence.is_some() {
            let remedy = format!("write one before the sentence: `code = \"{own}\"`");
            ctxt.error(ident, format!("the failure `{ident}` has no code"), remedy);
        } else {
            let mistake = format!("the failure `{ident}` has no code and no sentence for the model");
            let remedy = format!("write `#[failure(code = \"{own}\", \"what is wrong; what to do\")]` above it");
            ctxt.error(ident, mistake, remedy);
        }
        return None;
    };
    if let Some((mistake, remedy)) = code::mistake(&code.value(), &own) {
        ctxt.error(code, mistake, remedy);
        return None;
    }
    Some(code)
}

fn sentence_of<'w>(ctxt: &Ctxt, written: &'w Written<'_>) -> Option<&'w LitStr> {
    let Some(sentence) = &written.attrs.sentence else {
        // Without a code either, that was said together.
        if written.attrs.code.is_given() && !written.attrs.is_unreadable {
            let mistake = format!("the failure `{}` has no sentence for the model", written.ident);
            let remedy = "write it behind the code: `#[failure(code = \"..\", \"what is wrong; what to do\")]`";
            ctxt.error(written.attrs.code.value(), mistake, remedy);
        }
        return None;
    };
    if sentence.value().trim().is_empty() {
        ctxt.error(sentence, "the sentence is blank", "say what is wrong, and what the model can do");
        return None;
    }
    Some(sentence)
}

/// Nobody tries again after the end.
fn retries_agree(ctxt: &Ctxt, attrs: &FailureAttrs) {
    let tries_again = attrs.retry.value().is_some_and(|retry| *retry != Retry::Never);
    if attrs.fatal.is_given() && tries_again {
        let mistake = "`fatal` ends the run, so nothing is tried again";
        ctxt.error(attrs.retry.key(), mistake, "drop one of the two; what the model can mend is not fatal");
    }
}

fn template_of(ctxt: &Ctxt, written: &Written<'_>, sentence: &LitStr) -> Option<Template> {
    let template = match template::read(&sentence.value()) {
        Ok(template) => template,
        Err((mistake, remedy)) => {
            ctxt.error(sentence, mistake, remedy);
            return None;
        }
    };
    let names: Vec<String> = members(written.fields).map(|(member, _)| name_of(&member)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut is_whole = true;
    for field in template.fields.iter().filter(|field| !names.contains(&field.as_str())) {
        is_whole = false;
        let mistake = format!("the sentence names `{{{field}}}`, and `{}` has no such field", written.ident);
        let remedy = match (nearest(field, &names), names.as_slice()) {
            (Some(meant), _) => format!("did you mean `{{{meant}}}`?"),
            (None, []) => "add the field, or write `{{` for a brace".to_owned(),
            (None, [only]) => format!("its field is `{only}`"),
            (None, names) => format!("its fields are {}", list(names)),
        };
        ctxt.error(sentence, mistake, remedy);
    }
    is_whole.then_some(template)
}

fn members(fields: &Fields) -> impl Iterator<Item = (Member, &syn::Field)> {
    fields.iter().enumerate().map(|(index, field)| {
        let member = field.ident.clone().map_or_else(|| Member::from(index), Member::Named);
        (member, field)
    })
}

/// The name of a field as a sentence and the details have it.
pub(crate) fn name_of(member: &Member) -> String {
    match member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn fields_of<'a>(ctxt: &Ctxt, written: &Written<'a>, all: bool) -> Vec<Field<'a>> {
    let alone = written.fields.len() == 1;
    let mut source: Option<Member> = None;
    let fields = members(written.fields).map(|(member, field)| {
        let attrs = FailureAttrs::read(ctxt, &field.attrs, Place::Field);
        let role = role(ctxt, &member, field, &attrs, all);
        if matches!(role, Role::Source | Role::From) {
            only_cause(ctxt, &member, field, source.replace(member.clone()));
        }
        if role == Role::From && !alone {
            let mistake = format!("`from` can't make `{}`, which has other fields too", written.ident);
            ctxt.error(attrs.from.key(), mistake, "write `source` instead, and make the failure by hand");
        }
        Field { member, ty: &field.ty, role }
    });
    fields.collect()
}

fn only_cause(ctxt: &Ctxt, member: &Member, field: &syn::Field, earlier: Option<Member>) {
    if let Some(earlier) = earlier {
        let (this, earlier) = (name_of(member), name_of(&earlier));
        let mistake = format!("`{earlier}` and `{this}` are both the source, and a failure has one");
        ctxt.error(&field.ty, mistake, "keep the nearer cause; a field named `source` is taken for one");
    }
}

fn role(ctxt: &Ctxt, member: &Member, field: &syn::Field, attrs: &FailureAttrs, all: bool) -> Role {
    let cause = attrs.from.key().or(attrs.source.key());
    if let (Some(from), Some(source)) = (attrs.from.key(), attrs.source.key()) {
        ctxt.error(
            source,
            format_args!("`{source}` says nothing beside `{from}`"),
            "a field with `from` is the source",
        );
    }
    if cause.is_some() || name_of(member) == "source" {
        if let Some(details) = attrs.details.key() {
            let mistake = "the source never leaves the process, and details do";
            ctxt.error(details, mistake, "drop one of the two; a field named `source` is taken for the cause");
        } else if is_text(&field.ty) {
            let mistake = "a text is no cause: the source is an error";
            ctxt.error(&field.ty, mistake, "name the field otherwise, and show it in the sentence or the details");
        }
        return if attrs.from.is_given() { Role::From } else { Role::Source };
    }
    if !all && !attrs.details.is_given() {
        return Role::Plain;
    }
    if let Member::Unnamed(_) = member {
        let mistake = "a field without a name has no place in the details";
        ctxt.error_at(field.ty.span(), mistake, "name the fields: `Variant { field: Type }`");
    }
    Role::Detail
}

fn is_text(ty: &Type) -> bool {
    match types::ungroup(ty) {
        Type::Reference(reference) => is_text(&reference.elem),
        ty => types::last_name(ty).is_some_and(|name| name == "String" || name == "str"),
    }
}
