//! `#[tool(strict)]`: arguments that every provider's strict mode says as they are.
//!
//! What only types can tell is refused at registration, in the same words: see `schema/strict.rs` of the runtime.

use quote::ToTokens;
use syn::Type;

use crate::attr::ToolAttrs;
use crate::ctxt::Ctxt;
use crate::model::{Body, Container};
use crate::types;

/// Looks for a type that strict mode can't say.
type Find = for<'a> fn(&'a Type) -> Option<&'a Type>;

/// What strict mode can't say, and what to write instead.
const REFUSED: [(Find, &str, &str); 3] = [
    (
        types::map,
        "strict mode has no word for a map: all its objects are closed",
        "use a `Vec` of a type with a key and a value, or drop `strict`",
    ),
    (types::any_json, "strict mode has no word for any JSON", "use a type that names what it may be, or drop `strict`"),
    (types::tuple, "strict mode has no word for a tuple", "use a struct with named fields, or drop `strict`"),
];

pub(crate) fn check(ctxt: &Ctxt, container: &Container<'_>, attrs: &ToolAttrs) {
    let Some(key) = attrs.strict.key() else { return };
    if attrs.open.is_given() {
        let mistake = "`strict` contradicts `open`: all objects of strict mode are closed";
        ctxt.error(key, mistake, "drop one of them");
    }
    if attrs.manual.is_given() || container.is_converted() {
        return;
    }
    if let Body::Enum(_) = container.body {
        let mistake = "strict mode takes no enum as the arguments of a tool";
        ctxt.error(container.ident, mistake, "use a struct with the enum as a field, or drop `strict`");
    }
    for (field, _) in container.fields() {
        if field.attrs.skips_reading() || field.attrs.has_own_schema() {
            continue;
        }
        // One message for a field: what stands in a map is not the first thing to change.
        let found = REFUSED.iter().find_map(|(find, mistake, remedy)| Some((find(field.ty)?, mistake, remedy)));
        if let Some((found, mistake, remedy)) = found {
            ctxt.error(found.to_token_stream(), mistake, *remedy);
        }
    }
}
