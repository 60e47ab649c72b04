//! The canonical input of a tool: each field is in it or left out of it, by its author's decision.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens as _;

use crate::attr::ToolAttrs;
use crate::contract::Side;
use crate::ctxt::Ctxt;
use crate::field_attrs::{Canonical, FieldAttrs};
use crate::json_names;
use crate::model::{Container, Field, Variant};

const CHOICES: &str =
    "write `#[tool(canonical)]`, `#[tool(canonical = \"key\")]` or `#[tool(canonical = skip)]` above it";

pub(crate) fn check(ctxt: &Ctxt, container: &Container<'_>, attrs: &ToolAttrs) {
    let Some(opted) = attrs.canonical.key() else { return not_opted(ctxt, container) };
    if attrs.manual.is_given() || container.is_converted() {
        let mistake = "the arguments are read by another schema than that of these fields, which `canonical` speaks of";
        ctxt.error(opted, mistake, "drop `canonical`, or let the derive read the arguments");
        return;
    }
    let mut taken: BTreeSet<(Option<String>, String)> = BTreeSet::new();
    for (field, variant) in container.fields() {
        let is_skipped = field.attrs.skips_reading() || variant.is_some_and(|variant| variant.attrs.skips_reading());
        if is_skipped {
            continue;
        }
        let given = FieldAttrs::of(&field.original.attrs, Side::Input);
        match (given.canonical.key(), given.canonical.value()) {
            (Some(key), Some(Canonical::Own | Canonical::Key(_))) => {
                projected(ctxt, field, key, &given);
                let place = (
                    variant.map(|variant| variant.original.ident.to_string()),
                    name(container, field, variant, &given),
                );
                if !taken.insert(place.clone()) {
                    let mistake = format!("two fields are {:?} in the canonical input", place.1);
                    ctxt.error(key, mistake, "give one of them another key, or `canonical = skip`");
                }
            }
            (Some(_), _) => {}
            (None, _) => undecided(ctxt, field),
        }
    }
}

fn not_opted(ctxt: &Ctxt, container: &Container<'_>) {
    for (field, _) in container.fields() {
        if let Some(key) = FieldAttrs::of(&field.original.attrs, Side::Input).canonical.key() {
            let mistake = "the tool has no canonical input that this field could be part of";
            ctxt.error(key, mistake, "add `canonical` to `#[tool(..)]` above the type, and decide on each field");
            return;
        }
    }
}

/// A new field is decided on, or the tool does not compile.
fn undecided(ctxt: &Ctxt, field: &Field<'_>) {
    match &field.original.ident {
        Some(ident) => {
            ctxt.error(ident, format!("whether `{ident}` is part of the canonical input is not said"), CHOICES);
        }
        None => ctxt.error(
            field.ty.to_token_stream(),
            "whether this field is part of the canonical input is not said",
            "write `#[tool(canonical = skip)]` above it, or give it a name",
        ),
    }
}

/// What has no key of its own is nowhere to be found, and a secret is for nobody.
fn projected(ctxt: &Ctxt, field: &Field<'_>, key: &Ident, given: &FieldAttrs) {
    if given.secret.is_given() {
        ctxt.error(key, "a secret is no part of a canonical input, which is shown", "write `canonical = skip`");
    } else if field.attrs.serde("flatten").is_some() {
        let mistake = "a flattened field has no place of its own, which the canonical input could take it from";
        ctxt.error(key, mistake, "write `canonical = skip`, or drop `flatten`");
    } else if field.original.ident.is_none() {
        let mistake = "a field without a name has no place that the canonical input could take it from";
        ctxt.error(key, mistake, "write `canonical = skip`, or give it a name");
    }
}

/// The key that a field stands under.
fn name(container: &Container<'_>, field: &Field<'_>, variant: Option<&Variant<'_>>, given: &FieldAttrs) -> String {
    match given.canonical.value() {
        Some(Canonical::Key(key)) => key.value(),
        _ => json_names::of_field(container, field, variant),
    }
}

/// A part of arguments is no tool, and so has no canonical input.
pub(crate) fn refuse_in_a_part(ctxt: &Ctxt, container: &Container<'_>) {
    for (field, _) in container.fields() {
        if let Some(key) = FieldAttrs::of(&field.original.attrs, Side::Input).canonical.key() {
            let mistake = "only the fields of a tool itself are part of its canonical input";
            ctxt.error(key, mistake, "drop it, and decide on the field of the tool that holds this type");
        }
    }
}
