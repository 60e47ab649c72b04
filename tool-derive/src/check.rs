//! What a tool must be: a name, a description, an output, facts that agree, and arguments that are an object.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{GenericParam, Type};

use crate::attr::ToolAttrs;
use crate::contract::Side;
use crate::ctxt::{Ctxt, message};
use crate::docs::Description;
use crate::field_attrs::{self, FieldAttrs};
use crate::model::{Body, Container, Field, Style, Tagging, Variant};
use crate::name::Name;
use crate::parse::list;
use crate::{canonical, strict, types};

/// A tool that keeps every rule, or the nearest to it, so that a fallback can be written.
pub(crate) struct Checked {
    pub(crate) name: String,
    pub(crate) description: Description,
    /// Whether the arguments are an object, so that more can be asked of them.
    pub(crate) has_shape: bool,
}

pub(crate) fn tool(ctxt: &Ctxt, container: &Container<'_>, attrs: &ToolAttrs) -> Checked {
    let name = name(ctxt, container, attrs);
    let description = description(ctxt, container, attrs);
    facts(ctxt, attrs);
    openness(ctxt, container, attrs);
    strict::check(ctxt, container, attrs);
    field_attrs::check(ctxt, container, Side::Input);
    manual(ctxt, container, attrs);
    canonical::check(ctxt, container, attrs);
    let owned = lifetimes(ctxt, container.original.generics.params.iter(), "a tool's arguments");
    if let Some(output) = attrs.output.value() {
        double_option(ctxt, output);
    }
    let shaped = attrs.manual.is_given() || shape(ctxt, container);
    Checked { name, description, has_shape: owned && shaped }
}

/// Two options in one another have three cases, and JSON has two.
pub(crate) fn double_option(ctxt: &Ctxt, ty: &Type) {
    if let Some(double) = types::double_option(ty) {
        let mistake = "`None` and `Some(None)` are both `null`, so this value does not come back";
        ctxt.error(double, mistake, "use one `Option`, or an enum that names the cases");
    }
}

/// A bad name would be found by the provider, in the middle of a conversation.
fn name(ctxt: &Ctxt, container: &Container<'_>, attrs: &ToolAttrs) -> String {
    let name = attrs.name.value().map_or_else(|| Name::of_type(container.ident), Name::given);
    if let Some((mistake, remedy)) = name.mistake() {
        ctxt.error_at(name.span, mistake, remedy);
    }
    name.value
}

/// A model chooses tools by their descriptions; without one it guesses.
fn description(ctxt: &Ctxt, container: &Container<'_>, attrs: &ToolAttrs) -> Description {
    let given = match attrs.description.value() {
        Some(Some(description)) => return description.clone(),
        Some(None) => {
            let key = attrs.description.key();
            ctxt.error(key, "the description is blank", "say in a sentence what the tool does");
            None
        }
        None => Description::of(&container.original.attrs),
    };
    if given.is_none() && !attrs.description.is_given() {
        let mistake = format!("the tool `{}` has no description", container.ident);
        ctxt.error(container.ident, mistake, "write a doc comment (`/// What it does.`) above the type");
    }
    given.unwrap_or_else(|| Description::Literal(String::new()))
}

/// A tool that changes nothing can destroy nothing, and one that conflicts with nothing has nothing to name.
fn facts(ctxt: &Ctxt, attrs: &ToolAttrs) {
    if attrs.read_only.value() == Some(&true) && attrs.destructive.value() == Some(&true) {
        let mistake = "`destructive` contradicts `read_only`: what only reads destroys nothing";
        ctxt.error(attrs.destructive.key(), mistake, "keep the one that is true");
    }
    if attrs.parallel.is_given() && attrs.resources.is_given() {
        let mistake = "`parallel` contradicts `resources`: calls that name what they touch may conflict";
        ctxt.error(
            attrs.parallel.key(),
            mistake,
            "drop `parallel`; calls run beside all that they don't conflict with",
        );
    }
}

/// `open` says that unknown keys are ignored, serde's attribute that they are refused.
fn openness(ctxt: &Ctxt, container: &Container<'_>, attrs: &ToolAttrs) {
    if let (true, Some(closed)) = (attrs.open.is_given(), container.attrs.serde("deny_unknown_fields")) {
        let mistake = "`deny_unknown_fields` contradicts `open`, which accepts unknown keys";
        ctxt.error(&closed.tokens, mistake, "drop one of them (arguments are closed unless `open` is given)");
    }
}

/// A type that publishes its own schema says there what is a secret.
fn manual(ctxt: &Ctxt, container: &Container<'_>, attrs: &ToolAttrs) {
    if !attrs.manual.is_given() {
        return;
    }
    for (field, _) in container.fields() {
        if let Some(key) = FieldAttrs::of(&field.original.attrs, Side::Input).secret.key() {
            let mistake = "`secret` does not reach the schema that a `manual` type publishes itself";
            ctxt.error(key, mistake, "let that schema say `\"writeOnly\": true` of the property, or drop `manual`");
        }
    }
}

/// Arguments outlive the text that they were read from, and the body.
pub(crate) fn lifetimes<'a>(ctxt: &Ctxt, params: impl Iterator<Item = &'a GenericParam>, whose: &str) -> bool {
    for param in params {
        if let GenericParam::Lifetime(param) = param {
            let mistake =
                format!("{whose} cannot borrow (lifetime `{}`): they outlive the text they come from", param.lifetime);
            ctxt.fatal(&param.lifetime, mistake, "own the data: `String` for `&str`, `Vec<T>` for `&[T]`");
            return false;
        }
    }
    true
}

/// Every provider wants an object at the root of the arguments.
///
/// What only types can tell (a newtype, a flattened field) is checked at registration.
fn shape(ctxt: &Ctxt, container: &Container<'_>) -> bool {
    let ident = container.ident;
    if let Some(transparent) = container.attrs.serde("transparent") {
        let mistake = "`transparent` makes the arguments those of the field, which need not be an object";
        ctxt.error(&transparent.tokens, mistake, "drop it, or derive `Tool` on the field's type");
        return false;
    }
    match &container.body {
        Body::Union => {
            ctxt.error(ident, format!("the union `{ident}` cannot be a tool"), "make it a struct or an enum");
            false
        }
        _ if container.is_converted() => true,
        Body::Struct(Style::Unit | Style::Named, _) => true,
        Body::Struct(Style::Newtype, fields) if fields.iter().all(may_be_an_object) => true,
        Body::Struct(style @ (Style::Newtype | Style::Tuple), _) => {
            tuple_struct(ctxt, ident, *style);
            false
        }
        Body::Enum(variants) => enum_shape(ctxt, container, variants),
    }
}

/// Whether the type of a field leaves it open what the field reads; registration knows more.
fn may_be_an_object(field: &Field<'_>) -> bool {
    let shows_another = types::is_no_object(field.ty) || types::is_any_json(field.ty) || types::is_option(field.ty);
    field.attrs.has_own_schema() || !shows_another
}

fn tuple_struct(ctxt: &Ctxt, ident: &Ident, style: Style) {
    let shows = if style == Style::Newtype { "what its field is" } else { "an array" };
    let mistake = format!("the arguments of a tool are an object, but the tuple struct `{ident}` reads {shows}");
    ctxt.error(ident, mistake, format!("name the fields: `struct {ident} {{ field: Type }}`"));
}

fn enum_shape(ctxt: &Ctxt, container: &Container<'_>, variants: &[Variant<'_>]) -> bool {
    let ident = container.ident;
    let callable: Vec<&Variant<'_>> = variants.iter().filter(|variant| !variant.attrs.skips_reading()).collect();
    if callable.is_empty() {
        let mistake = format!("no arguments fit the enum `{ident}`: it has no variant that can be read");
        ctxt.error(ident, mistake, "add a variant, or use a struct without fields");
        return false;
    }
    // One message for the enum: its representation is the mistake more often than the single variant.
    let wrong: Vec<(&Variant<'_>, Wrong)> =
        callable.into_iter().filter_map(|variant| Some((variant, wrong(container, variant)?))).collect();
    let Some((first, problem)) = wrong.first() else { return true };
    let names: Vec<String> = wrong.iter().map(|(variant, _)| variant.original.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (noun, verb) = if names.len() == 1 { ("variant", "reads") } else { ("variants", "read") };
    let what = problem.shows(names.len() > 1);
    let mistake = format!("the arguments of a tool are an object, but the {noun} {} {verb} {what}", list(&names));
    ctxt.error(&first.original.ident, mistake, problem.remedy());
    false
}

/// Why a variant shows no object.
#[derive(Clone, Copy)]
enum Wrong {
    BareString,
    Null,
    Array,
    TaggedTuple,
    Scalar,
}

impl Wrong {
    fn shows(self, several: bool) -> &'static str {
        match (self, several) {
            (Self::BareString, false) => "a bare string",
            (Self::BareString, true) => "bare strings",
            (Self::Null, _) => "`null`",
            (Self::Array, _) => "an array",
            (Self::TaggedTuple, _) => "unnamed fields, which have no place beside the tag",
            (Self::Scalar, _) => "a value that is no object",
        }
    }

    fn remedy(self) -> &'static str {
        match self {
            Self::BareString => "tag the enum: `#[serde(tag = \"action\")]` above the type",
            Self::Null => "write it with braces (`Variant {}`), or tag the enum: `#[serde(tag = \"action\")]`",
            Self::Array | Self::Scalar | Self::TaggedTuple => "name the fields: `Variant { field: Type }`",
        }
    }
}

fn wrong(container: &Container<'_>, variant: &Variant<'_>) -> Option<Wrong> {
    let plain_scalar = || {
        let [field] = variant.fields.as_slice() else { return None };
        (!field.attrs.has_own_schema() && types::is_no_object(field.ty)).then_some(Wrong::Scalar)
    };
    match (container.tagging(variant), variant.style) {
        (Tagging::External, Style::Unit) => Some(Wrong::BareString),
        (Tagging::Untagged, Style::Unit) => Some(Wrong::Null),
        (Tagging::Untagged, Style::Tuple) => Some(Wrong::Array),
        (Tagging::Internal, Style::Tuple) => Some(Wrong::TaggedTuple),
        (Tagging::Untagged | Tagging::Internal, Style::Newtype) => plain_scalar(),
        _ => None,
    }
}

/// The declared output is what every projection, check and caller builds on.
pub(crate) fn missing_output(ident: &Ident) -> syn::Error {
    let mistake = format!("the tool `{ident}` declares no output");
    let remedy =
        "write `#[tool(output = Type)]`, where `Type` is what the body returns: a `#[tool_output]` type, `String`, ..";
    syn::Error::new(ident.span(), message(mistake, remedy))
}

/// Syn 3 parses a field's default (`x: u8 = 5`), which serde does not know.
pub(crate) fn field_defaults(ctxt: &Ctxt, container: &Container<'_>) {
    for (field, _) in container.fields() {
        if let Some((_, value)) = &field.original.default {
            let mistake = "a default written at the field does not reach the arguments";
            ctxt.error(value.to_token_stream(), mistake, "write `#[serde(default = \"function\")]` above the field");
        }
    }
}
