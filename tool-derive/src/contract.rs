//! serde and schemars attributes that make a type and its schema disagree, or a value that does not come back.
//!
//! One function per rule. What only types can tell is checked at registration.

use syn::LitStr;

use crate::check;
use crate::ctxt::Ctxt;
use crate::json_names;
use crate::model::{Body, Container, Field, Style, Variant};
use crate::schemars_keys;
use crate::serde_attrs::{Attrs, Family};
use crate::serde_keys::{Place, refusal};
use crate::types;

/// What the type is used for: arguments are read only, outputs are written and read back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Input,
    Output,
}

/// The rules for arguments of a tool; its shape is checked apart.
pub(crate) fn arguments(ctxt: &Ctxt, container: &Container<'_>) {
    remote(ctxt, container);
    grammar(ctxt, container);
    check::field_defaults(ctxt, container);
    common(ctxt, container, Side::Input);
    if !container.is_converted() {
        recursion(ctxt, container);
    }
}

/// The rules for a type that stands in arguments or in an output.
pub(crate) fn nested(ctxt: &Ctxt, container: &Container<'_>, side: Side) {
    let whose = if side == Side::Input { "arguments" } else { "outputs" };
    if matches!(container.body, Body::Union) {
        let ident = container.ident;
        ctxt.fatal(ident, format!("the union `{ident}` has no JSON form"), "make it a struct or an enum");
        return;
    }
    if !check::lifetimes(ctxt, container.original.generics.params.iter(), whose) {
        return;
    }
    check::field_defaults(ctxt, container);
    common(ctxt, container, side);
    if side == Side::Output {
        output(ctxt, container);
    }
}

fn common(ctxt: &Ctxt, container: &Container<'_>, side: Side) {
    schema_only(ctxt, &container.attrs, true);
    tag_on_struct(ctxt, container);
    json_names::unique(ctxt, container);
    for variant in container.variants() {
        schema_only(ctxt, &variant.attrs, false);
        one_sided_with(ctxt, &variant.attrs, side);
        if side == Side::Input {
            variant_alias(ctxt, variant);
        }
    }
    for (field, variant) in container.fields() {
        schema_only(ctxt, &field.attrs, false);
        one_sided_with(ctxt, &field.attrs, side);
        let variant_is_skipped = variant.is_some_and(|variant| variant.attrs.skips_reading());
        if container.is_converted() || variant_is_skipped || field.attrs.skips_reading() {
            continue;
        }
        flattened(ctxt, field);
        if !field.attrs.has_own_schema() {
            field_type(ctxt, container, field, side);
        }
    }
}

/// What JSON cannot carry, where it is written out.
fn field_type(ctxt: &Ctxt, container: &Container<'_>, field: &Field<'_>, side: Side) {
    if let Some(reference) = types::reference(field.ty)
        && container.original.generics.lifetimes().next().is_none()
    {
        let mistake = "this reference would borrow from the JSON text, which is gone by then";
        ctxt.fatal(reference, mistake, "own the data: `String` for `&str`, `Vec<T>` for `&[T]`");
    }
    if let Some(wide) = types::wide_integer(field.ty) {
        let mistake = "a 128-bit integer does not fit JSON, whose readers keep 64 bits";
        ctxt.error(wide, mistake, "use `i64` or `u64`, or carry it as text in a `String`");
    }
    if let Some(key) = types::unprintable_key(field.ty) {
        let mistake = "the keys of a JSON object are strings, which this key is not";
        ctxt.error(key, mistake, "use `String`, an integer or a plain enum as key, or a `Vec` of pairs");
    }
    if let Some(changeable) = types::changeable(field.ty) {
        let mistake = "this could change after it was checked, and no projection would agree with another";
        ctxt.error(changeable, mistake, "hold the value itself: `T` for `Mutex<T>`, `u32` for `AtomicU32`");
    }
    if side == Side::Output {
        check::double_option(ctxt, field.ty);
        if let Some(set) = types::hash_set(field.ty) {
            let mistake = "a hash set is written in another order each time, so the same value is other bytes";
            ctxt.error(set, mistake, "use a `BTreeSet`, or a `Vec` whose order means something");
        }
    }
}

/// An attribute for schemars alone changes what is published, not what is read.
fn schema_only(ctxt: &Ctxt, attrs: &Attrs, on_container: bool) {
    const FOLLOWED: [&str; 17] = [
        "rename",
        "rename_all",
        "rename_all_fields",
        "tag",
        "content",
        "untagged",
        "default",
        "skip",
        "skip_serializing",
        "skip_serializing_if",
        "skip_deserializing",
        "flatten",
        "transparent",
        "from",
        "try_from",
        "into",
        "remote",
    ];
    for item in attrs.items().filter(|item| item.family == Family::Schemars) {
        // On a type, `rename` is the name of its definition, which nothing is read by.
        let names_the_definition = on_container && item.is("rename");
        if !names_the_definition && FOLLOWED.iter().any(|key| item.is(key)) {
            let key = &item.key;
            let mistake = format!("`#[schemars({key})]` changes the schema but not what is read and written");
            ctxt.error(&item.tokens, mistake, format!("write `#[serde({key})]`, which the schema follows"));
        }
    }
}

/// serde writes the tag of a struct and does not read it, and schemars does not publish it.
fn tag_on_struct(ctxt: &Ctxt, container: &Container<'_>) {
    if let (Some(tag), Body::Struct(..)) = (container.attrs.serde("tag"), &container.body) {
        let mistake = "`tag` on a struct is written, but neither published nor read";
        ctxt.error(&tag.tokens, mistake, "make it an enum of one variant, which is told by its tag");
    }
}

/// A function that reads or writes in place of the type's own impl needs the schema of what it reads or writes.
fn one_sided_with(ctxt: &Ctxt, attrs: &Attrs, side: Side) {
    let (with, reads, writes) = (attrs.serde("with"), attrs.serde("deserialize_with"), attrs.serde("serialize_with"));
    let Some(first) = with.or(reads).or(if side == Side::Output { writes } else { None }) else { return };
    let key = &first.key;
    if side == Side::Output && with.is_none() {
        let missing = match (reads, writes) {
            (Some(_), None) => Some("serialize_with"),
            (None, Some(_)) => Some("deserialize_with"),
            _ => None,
        };
        if let Some(missing) = missing {
            let mistake = format!("`{key}` handles one direction only, so the value does not come back as it was");
            ctxt.error(&first.tokens, mistake, format!("add `{missing} = \"..\"` and `#[schemars(with = \"Type\")]`"));
            return;
        }
    }
    if !attrs.has_own_schema() {
        let mistake = format!("`{key}` changes the JSON, and the schema would still describe the field's own type");
        ctxt.error(&first.tokens, mistake, "add `#[schemars(with = \"Type\")]`, the type whose JSON it is");
    }
}

/// Arguments are checked against the schema before serde sees them, and a schema has no other names for a variant.
fn variant_alias(ctxt: &Ctxt, variant: &Variant<'_>) {
    if let Some(alias) = variant.attrs.serde("alias") {
        let mistake = "a variant's `alias` is not in the schema, so a call that uses it would be refused";
        ctxt.error(&alias.tokens, mistake, "drop it, or add a variant of that name");
    }
}

/// Only the fields of an object can be merged into another.
fn flattened(ctxt: &Ctxt, field: &Field<'_>) {
    if field.attrs.serde("flatten").is_some() && types::is_no_object(field.ty) {
        let mistake = "only an object can be flattened into an object";
        ctxt.error(field.ty, mistake, "drop `flatten`, or make this a struct or a map with string keys");
    }
}

/// `remote` says how to read a type of another crate; the author's own type is read by itself.
fn remote(ctxt: &Ctxt, container: &Container<'_>) {
    if let Some(remote) = container.attrs.serde("remote") {
        let mistake = "`remote` reads a type of another crate, and a tool is its own type";
        ctxt.error(&remote.tokens, mistake, "drop it");
    }
}

/// What serde's derive would refuse.
fn grammar(ctxt: &Ctxt, container: &Container<'_>) {
    let on_type = if matches!(container.body, Body::Enum(_)) { Place::Enum } else { Place::Struct };
    grammar_of(ctxt, &container.attrs, on_type);
    for variant in container.variants() {
        grammar_of(ctxt, &variant.attrs, Place::Variant);
    }
    for (field, _) in container.fields() {
        grammar_of(ctxt, &field.attrs, Place::Field);
        if field.attrs.has_own_schema() {
            continue;
        }
        for item in field.attrs.items() {
            if let Some((mistake, remedy)) = schemars_keys::misfit(item, field.ty) {
                ctxt.error(&item.tokens, mistake, remedy);
            }
        }
    }
}

pub(crate) fn grammar_of(ctxt: &Ctxt, attrs: &Attrs, place: Place) {
    for item in attrs.items() {
        if let Some((mistake, remedy)) = refusal(item, attrs, place) {
            ctxt.error(&item.tokens, mistake, remedy);
        }
    }
}

/// The tool's impls come through a copy of the type, so the type itself cannot be read inside itself.
fn recursion(ctxt: &Ctxt, container: &Container<'_>) {
    for (field, _) in container.fields() {
        if field.attrs.skips_reading() || field.attrs.has_own_schema() {
            continue;
        }
        if let Some(itself) = types::mention(field.ty, container.ident) {
            let mistake = format!("the arguments `{}` contain themselves", container.ident);
            let remedy = "move the part that repeats into a type of its own, with `#[tool_input]`";
            ctxt.error(itself, mistake, remedy);
            return;
        }
    }
}

/// What is written must come back as it was.
fn output(ctxt: &Ctxt, container: &Container<'_>) {
    two_names(ctxt, &container.attrs);
    conversions(ctxt, container);
    for variant in container.variants() {
        two_names(ctxt, &variant.attrs);
        skipped(ctxt, &variant.attrs, "variant");
    }
    for (field, variant) in container.fields() {
        two_names(ctxt, &field.attrs);
        if !types::is_phantom(field.ty) {
            skipped(ctxt, &field.attrs, "field");
        }
        let in_tuple = matches!(container.body, Body::Struct(Style::Tuple, _))
            || variant.is_some_and(|variant| variant.style == Style::Tuple);
        sometimes_skipped(ctxt, container, field, in_tuple);
    }
}

/// A field with two names is written under the one and looked for under the other.
fn two_names(ctxt: &Ctxt, attrs: &Attrs) {
    for key in ["rename", "rename_all", "rename_all_fields"] {
        let Some(item) = attrs.serde(key) else { continue };
        let (written, read) = (item.inner("serialize"), item.inner("deserialize"));
        if written != read {
            let mistake =
                format!("`{key}` gives different names for writing and reading, so the value does not come back");
            let name = written.or(read).unwrap_or_default();
            ctxt.error(&item.tokens, mistake, format!("use one name for both: `{key} = {name:?}`"));
        }
    }
}

/// What is left out when writing or reading does not come back.
fn skipped(ctxt: &Ctxt, attrs: &Attrs, what: &str) {
    for key in ["skip", "skip_serializing", "skip_deserializing"] {
        if let Some(item) = attrs.serde(key) {
            let mistake =
                format!("`{key}` leaves this {what} out of the JSON, so the value does not come back as it was");
            ctxt.error(&item.tokens, mistake, format!("drop `{key}`, or keep the {what} out of the output type"));
        }
    }
}

/// A field that is left out at times must know what it was then.
fn sometimes_skipped(ctxt: &Ctxt, container: &Container<'_>, field: &Field<'_>, in_tuple: bool) {
    let Some(item) = field.attrs.serde("skip_serializing_if") else { return };
    if in_tuple {
        let mistake = "`skip_serializing_if` moves the other fields of a tuple to other places";
        ctxt.error(&item.tokens, mistake, "drop it, or name the fields");
        return;
    }
    let has_default = field.attrs.serde("default").or_else(|| container.attrs.serde("default")).is_some();
    if !has_default && !types::is_option(field.ty) && !skips_none(item.text()) {
        let mistake = "a field that `skip_serializing_if` left out is missing when the value comes back";
        ctxt.error(&item.tokens, mistake, "add `default` beside it: `#[serde(default, skip_serializing_if = \"..\")]`");
    }
}

/// Whether the condition is `Option::is_none`, however it is qualified.
pub(crate) fn skips_none(condition: Option<&LitStr>) -> bool {
    condition.is_some_and(|text| {
        let text = text.value().replace(' ', "");
        text == "Option::is_none" || text.ends_with("::Option::is_none")
    })
}

/// A type that is written through one type and read through another.
fn conversions(ctxt: &Ctxt, container: &Container<'_>) {
    let attrs = &container.attrs;
    let into = attrs.serde("into");
    let from = attrs.serde("from").or_else(|| attrs.serde("try_from"));
    let (item, missing) = match (into, from) {
        (Some(into), None) => (into, "from"),
        (None, Some(from)) => (from, "into"),
        (Some(into), Some(from)) => {
            if into.text().map(LitStr::value) != from.text().map(LitStr::value) {
                let mistake = format!("the value is written as one type and read as another (`{}`)", from.key);
                ctxt.error(&into.tokens, mistake, "name the same type in both");
            }
            return;
        }
        (None, None) => return,
    };
    let ty = item.text().map(LitStr::value).unwrap_or_default();
    let mistake = format!("`{}` converts in one direction only, so the value does not come back", item.key);
    ctxt.error_at(item.key.span(), mistake, format!("add `{missing} = {ty:?}`"));
}
