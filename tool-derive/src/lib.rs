//! The macros of `tool-runtime`, which re-exports them; see there for how they fit together.
//!
//! `#[derive(Tool)]` makes a tool of an arguments type, `#[tool_output]` makes a type an output, and `#[tool_input]` is
//! for types that stand inside arguments.

mod attr;
mod bound;
mod canonical;
mod check;
mod contract;
mod ctxt;
mod docs;
mod expand;
mod failure;
mod field_attrs;
mod json_names;
mod krate;
mod model;
mod name;
mod nearest;
mod parse;
mod schemars_keys;
mod serde_attrs;
mod serde_keys;
mod strict;
#[cfg(test)]
mod tests;
mod timeout;
mod types;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::attr::{ToolAttrs, TypeAttrs};
use crate::contract::Side;
use crate::ctxt::Ctxt;
use crate::failure::Failures;
use crate::krate::Krate;
use crate::model::Container;

/// Makes a tool of the type that holds its arguments.
///
/// ```ignore
/// use tool_runtime::prelude::*;
///
/// /// Read a text file, a window of lines at a time.
/// #[derive(Tool)]
/// #[tool(output = FileView, read_only, parallel, timeout = "10s")]
/// struct Read {
///     /// Path of the file, absolute or relative to the workspace.
///     path: String,
///     /// First line to show, counted from 1.
///     #[schemars(range(min = 1))]
///     offset: Option<u32>,
/// }
/// ```
///
/// Implements `Tool` and `ToolInput`; the body (`Execute`) and what the model reads (`Render`) are the author's. No
/// dependency on serde or schemars is needed, and derives of theirs on the same type do not interfere.
///
/// # Keys of `#[tool(..)]`
///
/// | key | meaning |
/// | --- | --- |
/// | `output = Type` | what the body returns; required |
/// | `failure = Type` | the failures that it names, or a tuple of such types |
/// | `name = "read"` | default: the type's name in `snake_case`; `[A-Za-z_][A-Za-z0-9_-]{0,63}`, not `run_code` |
/// | `title = "Read"` | a name for people |
/// | `description = ".."` | default: the doc comment; one of the two is required. `concat!` and `include_str!` work |
/// | `render = json`, `render = display` | a ready projection instead of an `impl Render` |
/// | `present` | the tool has an `impl Present` |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | facts about effects: unknown if left out, `= false` denies |
/// | `parallel` | may run beside other calls |
/// | `resources` | the tool has an `impl Resources`, and may run beside calls that it does not conflict with |
/// | `timeout = "30s"` | the longest that the body may take: a whole number of `ms`, `s`, `m` or `h` |
/// | `open` | unknown arguments are ignored; else they are refused |
/// | `strict` | only what every provider's strict mode says as it is; anything else is refused |
/// | `manual` | use the type's own `Deserialize` and `JsonSchema` |
/// | `canonical` | each field says whether it is part of the canonical input |
/// | `crate = path` | where `tool_runtime` is found, if it was renamed or comes through another crate |
///
/// # Keys of `#[tool(..)]` on a field
///
/// | key | meaning |
/// | --- | --- |
/// | `secret` | what is shown of a call holds `[secret]` in its place; also on fields of `#[tool_input]` types |
/// | `canonical`, `canonical = "key"` | part of the canonical input, under its own name or this key |
/// | `canonical = skip` | no part of it |
///
/// # Which types
///
/// Arguments are a JSON object: a struct with named fields, a struct without any, or an enum all of whose variants read
/// objects (struct variants; with `#[serde(tag = "..")]` also unit and newtype variants). A newtype has the arguments of
/// the type in it. Other tuple structs, unions and lifetimes are refused. With `#[serde(try_from = "Type")]` or `from`,
/// that type's shape counts. Generic parameters need the bound `Parameter` in the author's own impls, too.
///
/// serde and schemars attributes on fields mean what they always mean. Refused are those that make the schema say
/// something else than what is read (`deserialize_with` without `#[schemars(with = "Type")]`, `#[schemars(rename)]`), and
/// what JSON cannot carry (128-bit integers, map keys that are no strings).
#[proc_macro_derive(Tool, attributes(tool, serde, schemars))]
pub fn derive_tool(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    show(tool(input.into())).into()
}

/// Names the failures of a tool: an enum with a variant for each, or a struct for a single one.
///
/// ```ignore
/// #[derive(ToolFailure)]
/// enum ReadFailure {
///     #[failure(code = "FS_NOT_FOUND", "there is no {path:?}; list the directory first", retry = corrected, effects = none)]
///     NotFound {
///         #[failure(details)]
///         path: String,
///     },
///     #[failure(code = "FS_IO_ERROR", "the disk did not answer; try once more", retry = after("1s"))]
///     Io(#[failure(from)] std::io::Error),
///     #[failure(code = "FS_NO_DISK", "the disk is gone", fatal)]
///     NoDisk,
/// }
/// ```
///
/// Implements `ToolFailure`, `Display` (the sentence) and the conversion into `ToolError` that `?` asks for. It stands in for
/// the derive of `Error`: a type can't have both.
///
/// # Keys of `#[failure(..)]`
///
/// | where | key | meaning |
/// | --- | --- | --- |
/// | variant | `code = "FS_NOT_FOUND"` | the stable code; required, and no other variant's |
/// | variant | `".."` | the sentence for the model, in which `{field}` and `{0}` are the fields; required |
/// | variant, enum | `retry = never`, `corrected`, `safe`, `after("10s")` | whether the call may be tried again |
/// | variant, enum | `effects = none`, `possible`, `unknown` | whether something may have changed |
/// | variant | `fatal` | the run can't go on: the model reads nothing of it |
/// | field, variant, enum | `details` | the field, or each but the source, is data for programs, as JSON |
/// | field | `source` | the cause, which never leaves the process; a field named `source` is one |
/// | field | `from` | the source, and all that the variant holds: `?` makes the variant of it |
/// | type | `crate = path` | where `tool_runtime` is found, if it was renamed or comes through another crate |
///
/// On a struct, the keys of a variant stand above the type. What an enum says holds of each variant that does not say
/// otherwise; its `retry` does not hold of a fatal one.
#[proc_macro_derive(ToolFailure, attributes(failure, error))]
pub fn derive_tool_failure(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    show(failure(input.into())).into()
}

/// Declares a type as an output, or as a part of one.
///
/// ```ignore
/// #[tool_output]
/// #[serde(rename_all = "camelCase")]
/// struct FileView {
///     path: String,
///     total_lines: u32,
/// }
/// ```
///
/// Goes on structs and enums of every serde representation, generic ones included, and stands above all `#[serde(..)]` and
/// `#[derive(..)]` of the type. Adds `Serialize`, `Deserialize` and `JsonSchema`, so they must not be derived a second
/// time, and implements `ToolOutput`, for each type parameter that is one.
///
/// An output that comes back from a cache, a program or another process becomes the same value again. Attributes that
/// prevent that are refused, each with what to write instead: different names for writing and reading, `skip` and its
/// kin, a conversion in one direction only, `skip_serializing_if` without a default, `Option<Option<T>>`, `HashSet`.
///
/// Keys: `open` publishes objects as open to further members; `crate = path` says where `tool_runtime` is found. On a field,
/// `#[tool_output(secret)]` says that what is shown of the value holds `[secret]` in its place.
#[proc_macro_attribute]
pub fn tool_output(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    show(attribute(args.into(), item.into(), Side::Output)).into()
}

/// Makes a type usable inside the arguments of a tool.
///
/// ```ignore
/// #[tool_input]
/// enum Order {
///     Newest,
///     Oldest,
/// }
/// ```
///
/// Adds `Deserialize` and `JsonSchema`, and stands above all `#[serde(..)]` and `#[derive(..)]` of the type. Types of other
/// crates that implement both work as they are. Keys: `open` accepts unknown members; `crate = path` says where
/// `tool_runtime` is found.
#[proc_macro_attribute]
pub fn tool_input(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    show(attribute(args.into(), item.into(), Side::Input)).into()
}

/// What `#[tool_output]` and `#[tool_input]` derive beside serde's and schemars' traits.
#[doc(hidden)]
#[proc_macro_derive(ToolOutputContract, attributes(tool_output_contract, serde, schemars, validate, garde))]
pub fn derive_tool_output_contract(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    show(output_contract(input.into())).into()
}

/// `#[derive(Tool)]`
fn tool(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let ctxt = Ctxt::new();
    let container = Container::new(&input);
    let attrs = ToolAttrs::read(&ctxt, &input.attrs);
    let checked = check::tool(&ctxt, &container, &attrs);
    if checked.has_shape && !attrs.manual.is_given() {
        contract::arguments(&ctxt, &container);
    }
    with_errors(expand::tool::expand(&ctxt, &container, &attrs, &checked), ctxt)
}

/// `#[derive(ToolFailure)]`
fn failure(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let ctxt = Ctxt::new();
    let failures = Failures::read(&ctxt, &input);
    with_errors(expand::failure::expand(&ctxt, &failures), ctxt)
}

/// `#[tool_output]` and `#[tool_input]`
fn attribute(args: TokenStream, item: TokenStream, side: Side) -> TokenStream {
    let name = if side == Side::Output { "tool_output" } else { "tool_input" };
    let ctxt = Ctxt::new();
    let attrs = TypeAttrs::read(&ctxt, &format!("#[{name}(..)]"), args);
    match syn::parse2::<DeriveInput>(item.clone()) {
        Ok(input) => with_errors(expand::attribute::expand(&ctxt, &attrs, input, side), ctxt),
        Err(error) => {
            // The item survives whatever it is, so that nothing else goes missing with it.
            let mistake = format!("`#[{name}]` goes on a struct or an enum");
            ctxt.error_at(error.span(), mistake, "move it to the type that the value has");
            with_errors(item, ctxt)
        }
    }
}

/// `#[derive(ToolOutputContract)]`
fn output_contract(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let ctxt = Ctxt::new();
    let container = Container::new(&input);
    let note = attr::ContractNote::read(&ctxt, &input.attrs);
    let side = if note.input { Side::Input } else { Side::Output };
    contract::nested(&ctxt, &container, side);
    let krate = Krate::new(note.krate.as_ref());
    let mut expansion = if note.mirrored {
        expand::part::expand(&ctxt, &container, &krate, side)
    } else {
        expand::parts::expand(&container, &krate, side)
    };
    if side == Side::Output {
        expansion.extend(expand::output::expand(&ctxt, &container, &krate));
    }
    with_errors(expansion, ctxt)
}

/// The expansion first, then what was wrong: editors prefer the first place that a token went to.
fn with_errors(mut expansion: TokenStream, ctxt: Ctxt) -> TokenStream {
    if let Err(error) = ctxt.check() {
        expansion.extend(error.into_compile_error());
    }
    expansion
}

/// Prints expansions while building if `TOOL_DERIVE_DEBUG` is set.
fn show(expansion: TokenStream) -> TokenStream {
    if std::env::var_os("TOOL_DERIVE_DEBUG").is_some() {
        eprintln!("{expansion}");
    }
    expansion
}
