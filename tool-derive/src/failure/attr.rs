//! `#[failure(..)]`: on the type, on a variant, on a field.

use std::fmt;

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, LitStr, Meta, Path};

use crate::attr::Attr;
use crate::ctxt::Ctxt;
use crate::nearest::nearest;
use crate::parse::{equals, flag, list, path, place, read_separated, refuse, text, unknown_key};
use crate::timeout;

/// What stands in `#[failure(..)]`, wherever it stands.
pub(crate) struct FailureAttrs {
    pub(crate) krate: Attr<Path>,
    pub(crate) code: Attr<LitStr>,
    pub(crate) sentence: Option<LitStr>,
    pub(crate) retry: Attr<Retry>,
    pub(crate) effects: Attr<Effects>,
    pub(crate) fatal: Attr<()>,
    pub(crate) details: Attr<()>,
    pub(crate) source: Attr<()>,
    pub(crate) from: Attr<()>,
    /// Something here could not be read, so that nothing is said of what is missing.
    pub(crate) is_unreadable: bool,
}

/// Where an attribute stands, which decides what it may say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Enum,
    Struct,
    Variant,
    Field,
}

/// Whether the call may be tried again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retry {
    Never,
    Corrected,
    Safe,
    /// After so many milliseconds.
    After(u64),
}

/// What is known of effects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effects {
    None,
    Possible,
    Unknown,
}

const ABOUT_A_FAILURE: [&str; 5] = ["code", "retry", "effects", "fatal", "details"];
const ABOUT_A_FIELD: [&str; 3] = ["details", "source", "from"];

/// Words that authors of other libraries write, and ours for them.
const OTHER_WORDS: [(&str, &str); 8] = [
    ("name", "code"),
    ("id", "code"),
    ("kind", "code"),
    ("retryable", "retry"),
    ("effect", "effects"),
    ("side_effects", "effects"),
    ("detail", "details"),
    ("cause", "source"),
];

/// Words for the sentence, which has no key.
const SENTENCE_WORDS: [&str; 6] = ["message", "msg", "display", "text", "error", "sentence"];

impl Place {
    fn keys(self) -> Vec<&'static str> {
        match self {
            Self::Enum => vec!["retry", "effects", "details", "crate"],
            Self::Struct => ABOUT_A_FAILURE.into_iter().chain(["crate"]).collect(),
            Self::Variant => ABOUT_A_FAILURE.to_vec(),
            Self::Field => ABOUT_A_FIELD.to_vec(),
        }
    }

    /// Where a key that is not for this place belongs.
    fn home(self, key: &str) -> Option<&'static str> {
        match (self, key) {
            (Self::Variant | Self::Field, "crate") => Some("above the type"),
            (Self::Enum, "code" | "fatal") => Some("above each variant"),
            (Self::Field, "code" | "retry" | "effects" | "fatal") => Some("above the variant"),
            (Self::Enum | Self::Struct | Self::Variant, "source" | "from") => Some("above the field"),
            _ => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Enum => "an enum",
            Self::Struct => "a struct",
            Self::Variant => "a variant",
            Self::Field => "a field",
        })
    }
}

impl FailureAttrs {
    pub(crate) fn read(ctxt: &Ctxt, attrs: &[Attribute], stands: Place) -> Self {
        let mut read = Self {
            krate: Attr::none(),
            code: Attr::none(),
            sentence: None,
            retry: Attr::none(),
            effects: Attr::none(),
            fatal: Attr::none(),
            details: Attr::none(),
            source: Attr::none(),
            from: Attr::none(),
            is_unreadable: false,
        };
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("failure")) {
            read.attribute(ctxt, attr, stands);
        }
        read
    }

    fn attribute(&mut self, ctxt: &Ctxt, attr: &Attribute, stands: Place) {
        let list = match &attr.meta {
            Meta::Path(_) => return,
            Meta::List(list) => list,
            Meta::NameValue(meta) => {
                self.is_unreadable = true;
                let remedy = "write it in brackets: `#[failure(code = \"NO_ROOM\", \"what is wrong; what to do\")]`";
                return ctxt.error(meta, "`#[failure = ..]` says nothing", remedy);
            }
        };
        let parser = |input: ParseStream<'_>| {
            let is_whole = read_separated(ctxt, input, &mut |input| self.item(ctxt, input, stands));
            self.is_unreadable |= !is_whole;
            Ok(())
        };
        if let Err(error) = parser.parse2(list.tokens.clone()) {
            ctxt.syn_error(error);
        }
    }

    /// One item: the sentence, or a key.
    fn item(&mut self, ctxt: &Ctxt, input: ParseStream<'_>, stands: Place) -> syn::Result<()> {
        // "cannot find {path:?}; list the directory first"
        if let Ok(sentence) = input.parse::<LitStr>() {
            return self.sentence(ctxt, sentence, stands);
        }
        let key = input.call(Ident::parse_any).or_else(|error| {
            refuse(error.span(), "this is neither the sentence nor a key", "write `\"what is wrong\"` or `key = value`")
        })?;
        self.key(ctxt, key, input, stands)
    }

    fn sentence(&mut self, ctxt: &Ctxt, sentence: LitStr, stands: Place) -> syn::Result<()> {
        if matches!(stands, Place::Enum | Place::Field) {
            let home = if stands == Place::Enum { "above each variant" } else { "above the variant" };
            return refuse(sentence.span(), format_args!("{stands} has no sentence"), format_args!("write it {home}"));
        }
        if self.sentence.is_some() {
            ctxt.error(&sentence, "the sentence is given twice", "keep one of them");
        } else {
            self.sentence = Some(sentence);
        }
        Ok(())
    }

    fn key(&mut self, ctxt: &Ctxt, key: Ident, input: ParseStream<'_>, stands: Place) -> syn::Result<()> {
        let word = key.to_string();
        if !stands.keys().contains(&word.as_str()) {
            return Err(unknown(&key, stands));
        }
        match word.as_str() {
            // code = "FS_NOT_FOUND"
            "code" => self.code.set(ctxt, key.clone(), text(&key, input, "FS_NOT_FOUND")?),
            // retry = never | corrected | safe | after("10s")
            "retry" => self.retry.set(ctxt, key.clone(), retry(&key, input)?),
            // effects = none | possible | unknown
            "effects" => self.effects.set(ctxt, key.clone(), effects(&key, input)?),
            // fatal
            "fatal" => self.fatal.set(ctxt, key.clone(), flag(&key, input)?),
            // details
            "details" => self.details.set(ctxt, key.clone(), flag(&key, input)?),
            // source
            "source" => self.source.set(ctxt, key.clone(), flag(&key, input)?),
            // from
            "from" => self.from.set(ctxt, key.clone(), flag(&key, input)?),
            // crate = path
            _ => self.krate.set(ctxt, key, path(input)?),
        }
        Ok(())
    }
}

fn unknown(key: &Ident, stands: Place) -> syn::Error {
    let word = key.to_string();
    if let Some(home) = stands.home(&word) {
        let mistake = format!("`{word}` says nothing about {stands}");
        return syn::Error::new(key.span(), format!("{mistake}\nhelp: write it {home}"));
    }
    let keys = stands.keys();
    if SENTENCE_WORDS.contains(&word.as_str()) && keys.contains(&"code") {
        let mistake = format!("the sentence has no key, `{word}` is none");
        return syn::Error::new(
            key.span(),
            format!("{mistake}\nhelp: write the string alone: `code = \"..\", \"..\"`"),
        );
    }
    let other = OTHER_WORDS.iter().find(|(theirs, ours)| *theirs == word && keys.contains(ours)).map(|(_, ours)| *ours);
    let meant = other.or_else(|| nearest(&word, &keys));
    unknown_key(key, "#[failure(..)]", meant, &keys)
}

/// `= never`, `= corrected`, `= safe`, `= after("10s")`
fn retry(key: &Ident, input: ParseStream<'_>) -> syn::Result<Retry> {
    equals(key, input, "corrected")?;
    let place = place(key, input);
    let word: Option<Ident> = input.call(Ident::parse_any).ok();
    match word.as_ref().map(ToString::to_string).as_deref() {
        Some("never") => Ok(Retry::Never),
        Some("corrected") => Ok(Retry::Corrected),
        Some("safe") => Ok(Retry::Safe),
        Some("after") => after(place, input),
        _ => refuse(
            place,
            "`retry` is `never`, `corrected`, `safe` or `after(\"10s\")`",
            "write the word without quotes: `retry = corrected`",
        ),
    }
}

/// `("10s")`
fn after(word: proc_macro2::Span, input: ParseStream<'_>) -> syn::Result<Retry> {
    let example = "write a whole number and a unit: `after(\"10s\")`";
    let Ok(group) = input.parse::<proc_macro2::Group>() else {
        return refuse(word, "`after` needs a time", example);
    };
    let span = group.span();
    let Ok(time) = syn::parse2::<LitStr>(group.stream()) else {
        return refuse(span, "`after` takes a time as a string literal", example);
    };
    timeout::parse(&time.value())
        .map(Retry::After)
        .or_else(|problem| refuse(time.span(), format_args!("the time {:?} {problem}", time.value()), example))
}

/// `= none`, `= possible`, `= unknown`
fn effects(key: &Ident, input: ParseStream<'_>) -> syn::Result<Effects> {
    equals(key, input, "none")?;
    let place = place(key, input);
    let word: Option<Ident> = input.call(Ident::parse_any).ok();
    match word.as_ref().map(ToString::to_string).as_deref() {
        Some("none") => Ok(Effects::None),
        Some("possible") => Ok(Effects::Possible),
        Some("unknown") => Ok(Effects::Unknown),
        _ => refuse(
            place,
            format_args!("`effects` is {}", list(&["none", "possible", "unknown"]).replace(" and ", " or ")),
            "write the word without quotes: `effects = none`",
        ),
    }
}
