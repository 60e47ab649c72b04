//! What our own attributes say of a field: `#[tool(..)]` in arguments, `#[tool_output(..)]` in outputs.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Attribute, LitStr, Meta, Token};

use crate::attr::{Attr, TOOL_KEYS};
use crate::contract::Side;
use crate::ctxt::Ctxt;
use crate::model::{Container, Field};
use crate::nearest::nearest;
use crate::parse::{equals, flag, place, read_list, refuse, skip_to_comma, unknown_key};

/// The attributes that are ours wherever they stand.
const OURS: [&str; 3] = ["tool", "tool_input", "tool_output"];

/// What stands in them on one field.
pub(crate) struct FieldAttrs {
    pub(crate) secret: Attr<()>,
    pub(crate) canonical: Attr<Canonical>,
}

/// What a field is in the canonical input.
pub(crate) enum Canonical {
    /// There, under its own name.
    Own,
    /// There, under this key.
    Key(LitStr),
    /// Not there.
    Skip,
}

impl FieldAttrs {
    /// Reads them without a word about mistakes, which [`check`] tells.
    pub(crate) fn of(attrs: &[Attribute], side: Side) -> Self {
        let ctxt = Ctxt::new();
        let read = Self::read(&ctxt, attrs, side);
        let _ = ctxt.check();
        read
    }

    fn read(ctxt: &Ctxt, attrs: &[Attribute], side: Side) -> Self {
        let mut read = Self { secret: Attr::none(), canonical: Attr::none() };
        for attr in attrs.iter().filter(|attr| is_ours(attr)) {
            if !attr.path().is_ident(name(side)) {
                other_side(ctxt, attr, side);
                continue;
            }
            if is_misplaced(attr) {
                misplaced(ctxt, attr, side);
                continue;
            }
            read_list(ctxt, attr, &mut |key, input| read.key(ctxt, &key, input, side));
        }
        read
    }

    fn key(&mut self, ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>, side: Side) -> syn::Result<()> {
        let keys: &[&str] = if side == Side::Input { &["secret", "canonical"] } else { &["secret"] };
        match key.to_string().as_str() {
            // secret
            "secret" => self.secret.set(ctxt, key.clone(), flag(key, input)?),
            // canonical | canonical = "path" | canonical = skip
            "canonical" if side == Side::Input => match canonical(key, input) {
                Ok(canonical) => self.canonical.set(ctxt, key.clone(), canonical),
                Err(error) => {
                    // It is decided on, if in words that could not be read.
                    self.canonical.set(ctxt, key.clone(), Canonical::Skip);
                    return Err(error);
                }
            },
            word => {
                let attribute = format!("#[{}(..)]", name(side));
                let meant = if OTHER_WORDS.contains(&word) { Some("secret") } else { nearest(word, keys) };
                let error = unknown_key(key, &attribute, meant, keys);
                skip_to_comma(input);
                return Err(error);
            }
        }
        Ok(())
    }

    /// So that the runtime knows the place of a secret, for which it publishes another word, and what is canonical.
    pub(crate) fn mark(&self) -> TokenStream {
        let secret = self.secret.is_given().then(|| quote!(#[schemars(extend("x-tool-secret" = true))]));
        let canonical = match self.canonical.value() {
            Some(Canonical::Own) => Some(quote!(#[schemars(extend("x-tool-canonical" = true))])),
            Some(Canonical::Key(key)) => Some(quote!(#[schemars(extend("x-tool-canonical" = #key))])),
            Some(Canonical::Skip) | None => None,
        };
        quote!(#secret #canonical)
    }
}

/// Nothing, `= "key"` or `= skip`
fn canonical(key: &Ident, input: ParseStream<'_>) -> syn::Result<Canonical> {
    if !input.peek(Token![=]) {
        return Ok(Canonical::Own);
    }
    equals(key, input, "\"key\"")?;
    if let Ok(text) = input.parse::<LitStr>() {
        if text.value().trim().is_empty() {
            return refuse(
                text.span(),
                "a blank key names nothing",
                "write `canonical = \"key\"`, or `canonical` for its own name",
            );
        }
        return Ok(Canonical::Key(text));
    }
    let place = place(key, input);
    match input.call(Ident::parse_any) {
        Ok(word) if word == "skip" => Ok(Canonical::Skip),
        _ => refuse(
            place,
            "this is neither a key nor `skip`",
            "write `canonical`, `canonical = \"key\"` or `canonical = skip`",
        ),
    }
}

/// Words that authors of other libraries write for a secret.
const OTHER_WORDS: [&str; 6] = ["sensitive", "redact", "redacted", "password", "hidden", "write_only"];

/// The attribute of a side's fields.
fn name(side: Side) -> &'static str {
    if side == Side::Output { "tool_output" } else { "tool" }
}

pub(crate) fn is_ours(attr: &Attribute) -> bool {
    OURS.iter().any(|name| attr.path().is_ident(name))
}

/// Whether it says something about a whole tool.
fn is_misplaced(attr: &Attribute) -> bool {
    let Meta::List(list) = &attr.meta else { return true };
    let first = list.tokens.clone().into_iter().next();
    let is_of_the_type = |word: &str| word != "canonical" && TOOL_KEYS.contains(&word);
    first.is_none_or(|first| is_of_the_type(first.to_string().as_str()))
}

fn misplaced(ctxt: &Ctxt, attr: &Attribute, side: Side) {
    let name = name(side);
    let remedy = "move it above the type; fields take `#[serde(..)]`, `#[schemars(..)]` and doc comments";
    ctxt.error(attr, format!("`#[{name}(..)]` belongs on the type, not on a part of it"), remedy);
}

fn other_side(ctxt: &Ctxt, attr: &Attribute, side: Side) {
    let (given, ours) = (attr.path().to_token_stream().to_string(), name(side));
    let what = if side == Side::Output { "an output" } else { "arguments" };
    let keys = match &attr.meta {
        Meta::List(list) => list.tokens.to_string(),
        Meta::Path(_) | Meta::NameValue(_) => "secret".to_owned(),
    };
    let mistake = format!("`#[{given}(..)]` says nothing of a field of {what}");
    ctxt.error(attr, mistake, format!("write `#[{ours}({keys})]`"));
}

/// What the fields say, and what their places don't let them say.
pub(crate) fn check(ctxt: &Ctxt, container: &Container<'_>, side: Side) {
    for variant in container.variants() {
        for attr in variant.original.attrs.iter().filter(|attr| is_ours(attr)) {
            on_a_variant(ctxt, attr, side);
        }
    }
    for (field, variant) in container.fields() {
        let attrs = FieldAttrs::read(ctxt, &field.original.attrs, side);
        if let Some(key) = attrs.secret.key() {
            let is_skipped = variant.is_some_and(|variant| variant.attrs.skips_reading());
            secret(ctxt, container, field, key, is_skipped);
        }
    }
}

fn on_a_variant(ctxt: &Ctxt, attr: &Attribute, side: Side) {
    let name = name(side);
    let is_secret = matches!(&attr.meta, Meta::List(list) if list.tokens.to_string() == "secret");
    if is_secret && attr.path().is_ident(name) {
        let mistake = "which variant it is, is no secret; what it holds may be";
        ctxt.error(attr, mistake, format!("write `#[{name}(secret)]` above the fields of the variant"));
    } else {
        misplaced(ctxt, attr, side);
    }
}

/// A mark that no schema would hold hides nothing, and its author would never know.
fn secret(ctxt: &Ctxt, container: &Container<'_>, field: &Field<'_>, key: &Ident, variant_is_skipped: bool) {
    if field.attrs.skips_reading() || variant_is_skipped || field.attrs.serde("skip_serializing").is_some() {
        let mistake = "a field that serde skips is in no JSON, so there is no secret to hide";
        ctxt.error(key, mistake, "drop `secret`, or drop `skip`");
    } else if field.attrs.serde("flatten").is_some() {
        let mistake = "the fields of a flattened type stand among the others, where `secret` can't tell them apart";
        ctxt.error(key, mistake, "mark the fields of its type, or drop `flatten`");
    } else if container.is_converted() || container.attrs.serde("into").is_some() {
        let mistake = "the type is read as another, whose fields are not these";
        ctxt.error(key, mistake, "mark the fields of that type");
    }
}
