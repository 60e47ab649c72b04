//! Our own attributes: `#[tool(..)]`, `#[tool_output(..)]`, `#[tool_input(..)]`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, LitStr, Path, Type};

use crate::ctxt::{Ctxt, message};
use crate::docs::Description;
use crate::nearest::nearest;
use crate::parse::{
    Projection, description, failures, flag, hint, output, path, projection, read_items, read_list, skip_to_comma,
    text, time, unknown_key, written_path,
};

/// A key that may be given once, with the place that it was given at.
pub(crate) struct Attr<T>(Option<(Ident, T)>);

impl<T> Attr<T> {
    pub(crate) fn none() -> Self {
        Self(None)
    }

    pub(crate) fn set(&mut self, ctxt: &Ctxt, key: Ident, value: T) {
        if self.0.is_some() {
            ctxt.error(&key, format_args!("`{key}` is given twice"), "keep one of them");
        } else {
            self.0 = Some((key, value));
        }
    }

    pub(crate) fn value(&self) -> Option<&T> {
        self.0.as_ref().map(|(_, value)| value)
    }

    pub(crate) fn key(&self) -> Option<&Ident> {
        self.0.as_ref().map(|(key, _)| key)
    }

    pub(crate) fn is_given(&self) -> bool {
        self.0.is_some()
    }
}

/// What stands in `#[tool(..)]`.
pub(crate) struct ToolAttrs {
    pub(crate) krate: Attr<Path>,
    pub(crate) name: Attr<LitStr>,
    pub(crate) title: Attr<LitStr>,
    pub(crate) description: Attr<Option<Description>>,
    pub(crate) output: Attr<Type>,
    pub(crate) failure: Attr<Vec<Type>>,
    pub(crate) render: Attr<(Projection, Ident)>,
    pub(crate) present: Attr<()>,
    pub(crate) read_only: Attr<bool>,
    pub(crate) destructive: Attr<bool>,
    pub(crate) idempotent: Attr<bool>,
    pub(crate) open_world: Attr<bool>,
    pub(crate) parallel: Attr<()>,
    pub(crate) resources: Attr<()>,
    pub(crate) timeout: Attr<u64>,
    pub(crate) open: Attr<()>,
    pub(crate) strict: Attr<()>,
    pub(crate) manual: Attr<()>,
    pub(crate) canonical: Attr<()>,
    /// What was wrong with an output that was given; it is reported in the place of the type.
    pub(crate) output_mistake: Option<syn::Error>,
    /// A projection was asked for in words that could not be read.
    pub(crate) has_unreadable_render: bool,
}

pub(crate) const TOOL_KEYS: [&str; 19] = [
    "name",
    "title",
    "description",
    "output",
    "failure",
    "render",
    "present",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "parallel",
    "resources",
    "timeout",
    "open",
    "strict",
    "manual",
    "canonical",
    "crate",
];

/// What is said of a field.
const FIELD_KEYS: [&str; 1] = ["secret"];

/// Words that authors of other libraries write, and ours for them.
const OTHER_WORDS: [(&str, &str); 11] = [
    ("returns", "output"),
    ("result", "output"),
    ("out", "output"),
    ("desc", "description"),
    ("doc", "description"),
    ("rename", "name"),
    ("concurrent", "parallel"),
    ("allow_unknown", "open"),
    ("error", "failure"),
    ("errors", "failure"),
    ("fails", "failure"),
];

impl ToolAttrs {
    pub(crate) fn read(ctxt: &Ctxt, attrs: &[Attribute]) -> Self {
        let mut read = Self {
            krate: Attr::none(),
            name: Attr::none(),
            title: Attr::none(),
            description: Attr::none(),
            output: Attr::none(),
            failure: Attr::none(),
            render: Attr::none(),
            present: Attr::none(),
            read_only: Attr::none(),
            destructive: Attr::none(),
            idempotent: Attr::none(),
            open_world: Attr::none(),
            parallel: Attr::none(),
            resources: Attr::none(),
            timeout: Attr::none(),
            open: Attr::none(),
            strict: Attr::none(),
            manual: Attr::none(),
            canonical: Attr::none(),
            output_mistake: None,
            has_unreadable_render: false,
        };
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("tool")) {
            read_list(ctxt, attr, &mut |key, input| read.key(ctxt, key, input));
        }
        read
    }

    /// The word that asks for resources, unless another contradicts it: of that the author is told enough.
    pub(crate) fn claim(&self) -> Option<&Ident> {
        self.resources.key().filter(|_| !self.parallel.is_given())
    }

    /// Reads one key and its value.
    fn key(&mut self, ctxt: &Ctxt, key: Ident, input: ParseStream<'_>) -> syn::Result<()> {
        match key.to_string().as_str() {
            // name = "read"
            "name" => self.name.set(ctxt, key.clone(), text(&key, input, "read_file")?),
            // title = "Read a file"
            "title" => self.title.set(ctxt, key.clone(), text(&key, input, "Read a file")?),
            // description = "Reads a file." | concat!(..) | include_str!(..)
            "description" => self.description.set(ctxt, key.clone(), description(&key, input)?),
            // output = FileView
            "output" => match output(&key, input) {
                Ok(ty) => self.output.set(ctxt, key, ty),
                Err(error) => self.unreadable_output(error, input),
            },
            // failure = ReadFailure | (ReadFailure, SearchFailure)
            "failure" => self.failure.set(ctxt, key.clone(), failures(&key, input)?),
            // render = json | display
            "render" => {
                let read = projection(&key, input);
                self.has_unreadable_render = read.is_err();
                self.render.set(ctxt, key, read?);
            }
            // present
            "present" => self.present.set(ctxt, key.clone(), flag(&key, input)?),
            // read_only | read_only = false
            "read_only" => self.read_only.set(ctxt, key, hint(input)?),
            "destructive" => self.destructive.set(ctxt, key, hint(input)?),
            "idempotent" => self.idempotent.set(ctxt, key, hint(input)?),
            "open_world" => self.open_world.set(ctxt, key, hint(input)?),
            // parallel
            "parallel" => self.parallel.set(ctxt, key.clone(), flag(&key, input)?),
            // resources
            "resources" => self.resources.set(ctxt, key.clone(), flag(&key, input)?),
            // timeout = "30s"
            "timeout" => self.timeout.set(ctxt, key.clone(), time(&key, input)?),
            // open
            "open" => self.open.set(ctxt, key.clone(), flag(&key, input)?),
            // strict
            "strict" => self.strict.set(ctxt, key.clone(), flag(&key, input)?),
            // manual
            "manual" => self.manual.set(ctxt, key.clone(), flag(&key, input)?),
            // canonical
            "canonical" => {
                let read = flag(&key, input);
                // The fields that it asks about are right all the same.
                self.canonical.set(ctxt, key, ());
                read?;
            }
            // crate = path
            "crate" => self.krate.set(ctxt, key, path(input)?),
            _ => return self.unknown(&key, input),
        }
        Ok(())
    }

    fn unreadable_output(&mut self, error: syn::Error, input: ParseStream<'_>) {
        skip_to_comma(input);
        self.output_mistake.get_or_insert(error);
    }

    fn unknown(&mut self, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        let word = key.to_string();
        if FIELD_KEYS.contains(&word.as_str()) {
            return Err(of_a_field(key, "tool"));
        }
        let other = OTHER_WORDS.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours);
        let meant = other.or_else(|| nearest(&word, &TOOL_KEYS));
        let error = unknown_key(key, "#[tool(..)]", meant, &TOOL_KEYS);
        // The key that was meant is not missing, too.
        self.has_unreadable_render |= meant == Some("render");
        if meant == Some("output") && !self.output.is_given() {
            self.unreadable_output(error, input);
            return Ok(());
        }
        Err(error)
    }
}

/// A key that says something of a field, given above a type; `attribute` is that of the fields.
fn of_a_field(key: &Ident, attribute: &str) -> syn::Error {
    let mistake = format!("`{key}` says something of a field, not of the whole type");
    let remedy = format!("write `#[{attribute}({key})]` above each field that it is true of");
    syn::Error::new(key.span(), message(mistake, remedy))
}

/// What stands in `#[tool_output(..)]` or `#[tool_input(..)]`.
pub(crate) struct TypeAttrs {
    pub(crate) krate: Attr<Path>,
    pub(crate) open: Attr<()>,
}

impl TypeAttrs {
    /// `whole` is the attribute as the author knows it, for messages.
    pub(crate) fn read(ctxt: &Ctxt, whole: &str, tokens: TokenStream) -> Self {
        let mut read = Self { krate: Attr::none(), open: Attr::none() };
        let keys = ["open", "crate"];
        let fields = if whole.contains("tool_output") { "tool_output" } else { "tool" };
        let parser = |input: ParseStream<'_>| {
            read_items(ctxt, input, &mut |key, input| {
                match key.to_string().as_str() {
                    // open
                    "open" => read.open.set(ctxt, key.clone(), flag(&key, input)?),
                    // crate = path
                    "crate" => read.krate.set(ctxt, key, written_path(input)?),
                    word if FIELD_KEYS.contains(&word) => return Err(of_a_field(&key, fields)),
                    word => return Err(unknown_key(&key, whole, nearest(word, &keys), &keys)),
                }
                Ok(())
            });
            Ok(())
        };
        if let Err(error) = parser.parse2(tokens) {
            ctxt.syn_error(error);
        }
        read
    }
}

/// What `#[tool_output]` tells its hidden derive: `#[tool_output_contract(input, mirrored, crate = path)]`.
#[derive(Default)]
pub(crate) struct ContractNote {
    pub(crate) input: bool,
    /// Whether the hidden derive writes the impls of serde and schemars, too.
    pub(crate) mirrored: bool,
    pub(crate) krate: Option<Path>,
}

impl ContractNote {
    pub(crate) fn read(ctxt: &Ctxt, attrs: &[Attribute]) -> Self {
        let mut read = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("tool_output_contract")) {
            read_list(ctxt, attr, &mut |key, input| {
                if key == "input" {
                    read.input = true;
                } else if key == "mirrored" {
                    read.mirrored = true;
                } else {
                    read.krate = Some(path(input)?);
                }
                Ok(())
            });
        }
        read
    }
}
