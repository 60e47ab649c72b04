//! What schemars would refuse, or drop without a word: a constraint that says nothing about the field's type is left out of
//! the schema, and then never held.

use syn::Type;

use crate::nearest::nearest;
use crate::serde_attrs::{Family, Item};
use crate::types::{self, Kind};

const KEYS: [&str; 22] = [
    "title",
    "description",
    "example",
    "extend",
    "transform",
    "with",
    "schema_with",
    "rename",
    "crate",
    "bound",
    "inline",
    "default",
    "deny_unknown_fields",
    "length",
    "range",
    "regex",
    "pattern",
    "contains",
    "required",
    "inner",
    "email",
    "url",
];

/// Why schemars would refuse the item, and what to write. Beside its own keys it takes serde's.
pub(crate) fn refusal(item: &Item, serde: &[&str]) -> Option<(String, String)> {
    let key = item.key.to_string();
    if item.family != Family::Schemars || KEYS.contains(&key.as_str()) || key == "ip" || serde.contains(&key.as_str()) {
        return None;
    }
    let remedy = nearest(&key, &KEYS).map_or_else(
        || "what schemars knows is listed under `#[schemars(..)]` in its guide".to_owned(),
        |meant| format!("did you mean `{meant}`?"),
    );
    Some((format!("schemars has no attribute `{key}`"), remedy))
}

/// Why a constraint says nothing about values of this type, as far as the type can be seen.
pub(crate) fn misfit(item: &Item, ty: &Type) -> Option<(String, &'static str)> {
    let kind = types::kind(types::option_of(ty).unwrap_or(ty))?;
    let key = item.key.to_string();
    let fits = match key.as_str() {
        "length" => matches!(kind, Kind::Text | Kind::List),
        "range" => kind == Kind::Number,
        "regex" | "pattern" | "contains" | "email" | "url" | "ip" => kind == Kind::Text,
        _ => return None,
    };
    if item.family != Family::Schemars || fits {
        return None;
    }
    let (what, remedy) = match kind {
        Kind::Number => ("a number", "bound it with `range(min = .., max = ..)`, or drop it"),
        Kind::Text => ("text", "bound it with `length(min = .., max = ..)`, or drop it"),
        Kind::List => ("a list", "for what the list holds, put it inside `inner(..)`"),
        Kind::Flag => ("a boolean", "drop it"),
        Kind::Map => ("a map", "drop it, or give what the map holds a type of its own"),
    };
    Some((format!("`{key}` says nothing about {what}"), remedy))
}
