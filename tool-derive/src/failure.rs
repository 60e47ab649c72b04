//! `#[derive(ToolFailure)]`: what an author's failures are, read and checked.

mod attr;
mod check;
mod code;
mod template;

pub(crate) use attr::{Effects, Retry};
pub(crate) use check::name_of;
pub(crate) use template::{Template, argument_name};

use proc_macro2::Ident;
use syn::{Data, DeriveInput, Fields, LitStr, Member, Type, Variant};

use crate::ctxt::Ctxt;
use crate::krate::Krate;
use attr::{FailureAttrs, Place};

/// A type that names failures: an enum, or a struct, which is one failure.
pub(crate) struct Failures<'a> {
    pub(crate) original: &'a DeriveInput,
    pub(crate) krate: Krate,
    /// In the order of the variants; without those that broke a rule.
    pub(crate) named: Vec<Failure<'a>>,
    /// Another derive writes `Display` and the conversion, so that ours may not.
    pub(crate) is_an_error: bool,
}

/// One failure.
pub(crate) struct Failure<'a> {
    /// The variant, `None` for a struct.
    pub(crate) variant: Option<&'a Ident>,
    pub(crate) code: LitStr,
    pub(crate) sentence: LitStr,
    pub(crate) template: Template,
    pub(crate) retry: Option<Retry>,
    pub(crate) effects: Option<Effects>,
    pub(crate) fatal: bool,
    pub(crate) fields: Vec<Field<'a>>,
}

pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    pub(crate) ty: &'a Type,
    pub(crate) role: Role,
}

/// What becomes of a field beside the sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Plain,
    /// It stands in the details.
    Detail,
    /// It is the cause, which never leaves the process.
    Source,
    /// It is the cause, and all that the failure holds, so that it makes one.
    From,
}

/// What was written of one failure.
struct Written<'a> {
    variant: Option<&'a Variant>,
    ident: &'a Ident,
    fields: &'a Fields,
    attrs: FailureAttrs,
}

impl<'a> Failures<'a> {
    pub(crate) fn read(ctxt: &Ctxt, original: &'a DeriveInput) -> Self {
        let ident = &original.ident;
        let mut failures = Vec::new();
        let is_an_error = check::is_an_error(ctxt, original);
        // What is said of another derive comes alone: its attributes are to become ours.
        let quiet = Ctxt::new();
        let told = if is_an_error { &quiet } else { ctxt };
        let attrs = match &original.data {
            Data::Enum(data) => {
                let attrs = FailureAttrs::read(told, &original.attrs, Place::Enum);
                let written: Vec<Written<'_>> =
                    data.variants.iter().map(|variant| Written::of_variant(told, variant)).collect();
                check::has_variants(told, ident, &written);
                check::codes_differ(told, ident, &written);
                failures
                    .extend(written.iter().filter_map(|written| check::failure(told, ident, written, Some(&attrs))));
                check::made_of_one(told, &failures);
                attrs
            }
            Data::Struct(data) => {
                let attrs = FailureAttrs::read(told, &original.attrs, Place::Struct);
                let written = Written { variant: None, ident, fields: &data.fields, attrs };
                failures.extend(check::failure(told, ident, &written, None));
                written.attrs
            }
            Data::Union(_) => {
                told.error(ident, format!("the union `{ident}` cannot be a failure"), "make it an enum");
                FailureAttrs::read(told, &[], Place::Struct)
            }
        };
        let _ = quiet.check();
        Self { original, krate: Krate::new(attrs.krate.value()), named: failures, is_an_error }
    }
}

impl<'a> Written<'a> {
    fn of_variant(ctxt: &Ctxt, variant: &'a Variant) -> Self {
        let attrs = FailureAttrs::read(ctxt, &variant.attrs, Place::Variant);
        Self { variant: Some(variant), ident: &variant.ident, fields: &variant.fields, attrs }
    }
}
