//! The grammar of our attributes: items separated by commas, and the kinds of values that they take.

use proc_macro2::{Ident, Span, TokenTree};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, LitBool, LitStr, Meta, Path, Token, Type};

use crate::ctxt::Ctxt;
use crate::docs::Description;
use crate::timeout;

/// Reads the items of one attribute; `#[tool]` and `#[tool()]` are both empty.
pub(crate) fn read_list(ctxt: &Ctxt, attr: &Attribute, key: &mut dyn FnMut(Ident, ParseStream<'_>) -> syn::Result<()>) {
    match &attr.meta {
        Meta::Path(_) => {}
        Meta::List(list) => {
            let parser = |input: ParseStream<'_>| {
                read_items(ctxt, input, key);
                Ok(())
            };
            if let Err(error) = parser.parse2(list.tokens.clone()) {
                ctxt.syn_error(error);
            }
        }
        Meta::NameValue(meta) => {
            ctxt.error(meta, "`#[tool = ..]` says nothing", "write the keys in brackets: `#[tool(output = Type)]`");
        }
    }
}

/// Reads every item; a broken one is reported and skipped, so that the others are read too.
pub(crate) fn read_items(
    ctxt: &Ctxt,
    input: ParseStream<'_>,
    key: &mut dyn FnMut(Ident, ParseStream<'_>) -> syn::Result<()>,
) {
    read_separated(ctxt, input, &mut |input| match input.call(Ident::parse_any) {
        Ok(ident) => key(ident, input),
        Err(error) => Err(syn::Error::new(error.span(), "expected a key, such as `output`\nhelp: write `key = value`")),
    });
}

/// The same for items that need not start with a key. Says whether all of them could be read.
pub(crate) fn read_separated(
    ctxt: &Ctxt,
    input: ParseStream<'_>,
    item: &mut dyn FnMut(ParseStream<'_>) -> syn::Result<()>,
) -> bool {
    let mut is_whole = true;
    while !input.is_empty() {
        if let Err(error) = item(input) {
            is_whole = false;
            ctxt.syn_error(error);
            skip_to_comma(input);
        } else if !input.is_empty() && !input.peek(Token![,]) {
            is_whole = false;
            ctxt.error_at(input.span(), "a comma is missing here", "separate the keys with commas");
            // A key that follows is read all the same; anything else belongs to what was just read.
            if !input.peek(syn::Ident) {
                skip_to_comma(input);
            }
        }
        let _: Option<Token![,]> = input.parse().ok();
    }
    is_whole
}

pub(crate) fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}

/// One message for every unknown key: the one that was probably meant, or all of them.
pub(crate) fn unknown_key(key: &Ident, attribute: &str, meant: Option<&str>, keys: &[&str]) -> syn::Error {
    let remedy =
        meant.map_or_else(|| format!("the keys are {}", list(keys)), |meant| format!("did you mean `{meant}`?"));
    syn::Error::new(key.span(), format!("`{attribute}` has no key `{key}`\nhelp: {remedy}"))
}

/// `` `a`, `b` and `c` ``
pub(crate) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

pub(crate) fn refuse<T>(span: Span, mistake: impl std::fmt::Display, remedy: impl std::fmt::Display) -> syn::Result<T> {
    Err(syn::Error::new(span, format!("{mistake}\nhelp: {remedy}")))
}

/// Where to point if a value is missing: at the key, since at the end there is nothing to underline.
pub(crate) fn place(key: &Ident, input: ParseStream<'_>) -> Span {
    if input.is_empty() || input.peek(Token![,]) { key.span() } else { input.span() }
}

pub(crate) fn equals(key: &Ident, input: ParseStream<'_>, example: &str) -> syn::Result<()> {
    if input.parse::<Token![=]>().is_ok() && !input.is_empty() && !input.peek(Token![,]) {
        return Ok(());
    }
    refuse(key.span(), format_args!("`{key}` has no value"), format_args!("write `{key} = {example}`"))
}

/// `= "text"`
pub(crate) fn text(key: &Ident, input: ParseStream<'_>, example: &str) -> syn::Result<LitStr> {
    equals(key, input, &format!("{example:?}"))?;
    let place = place(key, input);
    input.parse().or_else(|_| {
        refuse(place, format_args!("`{key}` takes a string literal"), format_args!("write `{key} = {example:?}`"))
    })
}

/// `= "text"`, `= concat!(..)`, `= include_str!(..)`
pub(crate) fn description(key: &Ident, input: ParseStream<'_>) -> syn::Result<Option<Description>> {
    equals(key, input, "\"What the tool does.\"")?;
    if let Ok(literal) = input.parse::<LitStr>() {
        return Ok(Description::literal(&literal.value()));
    }
    let place = place(key, input);
    if let Ok(mac) = input.parse::<syn::Macro>() {
        return Ok(Some(Description::Concat(vec![quote!(#mac)])));
    }
    refuse(
        place,
        "`description` takes a string literal, `concat!(..)` or `include_str!(..)`",
        "write `description = \"What the tool does.\"`, or a doc comment above the type",
    )
}

/// `= Type`
pub(crate) fn output(key: &Ident, input: ParseStream<'_>) -> syn::Result<Type> {
    equals(key, input, "FileView")?;
    if let Ok(quoted) = input.parse::<LitStr>() {
        let ty = quoted.value();
        return refuse(quoted.span(), "`output` takes a type, not a string", format_args!("write `output = {ty}`"));
    }
    let place = place(key, input);
    input.parse().or_else(|_| refuse(place, "`output` takes a type", "write `output = FileView`"))
}

/// `= Type` or `= (Type, Type)`
pub(crate) fn failures(key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<Type>> {
    equals(key, input, "ReadFailure")?;
    if let Ok(quoted) = input.parse::<LitStr>() {
        let ty = quoted.value();
        return refuse(quoted.span(), "`failure` takes a type, not a string", format_args!("write `failure = {ty}`"));
    }
    let place = place(key, input);
    match input.parse() {
        Ok(Type::Tuple(types)) if !types.elems.is_empty() => Ok(types.elems.into_iter().collect()),
        Ok(Type::Tuple(types)) => refuse(types.span(), "`()` names no failure", "leave `failure` out"),
        Ok(ty) => Ok(vec![ty]),
        Err(_) => refuse(
            place,
            "`failure` takes a type that names failures",
            "write `failure = ReadFailure`, or several in brackets: `failure = (ReadFailure, NetFailure)`",
        ),
    }
}

/// A ready projection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Projection {
    Json,
    Display,
}

/// `= json` or `= display`
pub(crate) fn projection(key: &Ident, input: ParseStream<'_>) -> syn::Result<(Projection, Ident)> {
    equals(key, input, "json")?;
    let place = place(key, input);
    let word: Option<Ident> = input.call(Ident::parse_any).ok();
    match word {
        Some(word) if word == "json" => Ok((Projection::Json, word)),
        Some(word) if word == "display" => Ok((Projection::Display, word)),
        _ => refuse(
            place,
            "the ready projections are `json` and `display`",
            "write `render = json`, or leave `render` out and implement `Render`",
        ),
    }
}

/// Nothing: the key alone says it.
pub(crate) fn flag(key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Ok(());
    }
    let span = input.span();
    skip_to_comma(input);
    refuse(span, format_args!("`{key}` takes no value"), format_args!("write `{key}` alone, or leave it out"))
}

/// Nothing, `= true` or `= false`
pub(crate) fn hint(input: ParseStream<'_>) -> syn::Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    let _: Token![=] = input.parse()?;
    let span = input.span();
    input.parse::<LitBool>().map_or_else(
        |_| refuse(span, "this is either `true` or `false`", "the key alone means `true`"),
        |literal| Ok(literal.value),
    )
}

/// `= "30s"`
pub(crate) fn time(key: &Ident, input: ParseStream<'_>) -> syn::Result<u64> {
    let literal = text(key, input, "30s")?;
    timeout::parse(&literal.value()).or_else(|problem| {
        refuse(
            literal.span(),
            format_args!("the timeout {:?} {problem}", literal.value()),
            "write a whole number and a unit: \"500ms\", \"30s\", \"2m\" or \"1h\"",
        )
    })
}

/// `= path`
pub(crate) fn path(input: ParseStream<'_>) -> syn::Result<Path> {
    let span = input.span();
    let remedy = "write `crate = path::to::tool_runtime`, without quotes";
    if input.parse::<Token![=]>().is_err() {
        return refuse(span, "`crate` has no value", remedy);
    }
    let span = if input.is_empty() { span } else { input.span() };
    input.call(Path::parse_mod_style).or_else(|_| refuse(span, "`crate` takes a path", remedy))
}

/// `= path`, which must also work as text: serde and schemars take theirs in a string.
pub(crate) fn written_path(input: ParseStream<'_>) -> syn::Result<Path> {
    let path = path(input)?;
    if path.segments.iter().any(|segment| segment.ident == "$crate") {
        return refuse(path.span(), "`crate = $crate` does not reach the derive of serde", "write the path out");
    }
    Ok(path)
}
