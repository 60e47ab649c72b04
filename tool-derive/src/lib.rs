//! The macros of `tool-runtime`, which re-exports them; see there for how they fit together.
//!
//! `#[derive(Tool)]` makes a tool of an arguments type, `#[tool_output]` makes a type an output, and `#[tool_input]` is
//! for types that stand inside arguments.

mod attr;
mod bound;
mod check;
mod contract;
mod ctxt;
mod docs;
mod expand;
mod krate;
mod model;
mod name;
mod nearest;
mod parse;
mod serde_attrs;
mod serde_keys;
#[cfg(test)]
mod tests;
mod timeout;
mod types;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::attr::{ToolAttrs, TypeAttrs};
use crate::contract::Side;
use crate::ctxt::Ctxt;
use crate::krate::Krate;
use crate::model::Container;

/// Makes a tool of the type that holds its arguments.
#[proc_macro_derive(Tool, attributes(tool, serde, schemars))]
pub fn derive_tool(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    show(tool(input.into())).into()
}

/// Declares a type as an output, or as a part of one.
#[proc_macro_attribute]
pub fn tool_output(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    show(attribute(args.into(), item.into(), Side::Output)).into()
}

/// Makes a type usable inside the arguments of a tool.
#[proc_macro_attribute]
pub fn tool_input(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    show(attribute(args.into(), item.into(), Side::Input)).into()
}

/// What `#[tool_output]` and `#[tool_input]` derive beside serde's and schemars' traits.
#[doc(hidden)]
#[proc_macro_derive(ToolOutputContract, attributes(tool_output_contract, serde, schemars))]
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
    let expansion = match side {
        Side::Input => TokenStream::new(),
        Side::Output => expand::output::expand(&ctxt, &container, &Krate::new(note.krate.as_ref())),
    };
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
