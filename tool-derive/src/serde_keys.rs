//! serde's own grammar: which keys stand where, and what they take.
//!
//! serde's derive checks this too, but then implements nothing, and what is missing is reported in code that the author
//! does not see. Here it is said once, with a suggestion.

use crate::nearest::nearest;
use crate::schemars_keys;
use crate::serde_attrs::{Attrs, Family, Item, Value};

/// Where an attribute stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Struct,
    Enum,
    Variant,
    Field,
}

/// What a key takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Text,
    NothingOrText,
    /// `"x"`, or `(serialize = "x", deserialize = "y")`
    TextOrSides,
    /// The same with one of [`RULES`].
    RuleOrSides,
}

const TYPE: [(&str, Takes); 18] = [
    ("rename", Takes::TextOrSides),
    ("rename_all", Takes::RuleOrSides),
    ("rename_all_fields", Takes::RuleOrSides),
    ("deny_unknown_fields", Takes::Nothing),
    ("default", Takes::NothingOrText),
    ("transparent", Takes::Nothing),
    ("bound", Takes::TextOrSides),
    ("untagged", Takes::Nothing),
    ("tag", Takes::Text),
    ("content", Takes::Text),
    ("from", Takes::Text),
    ("try_from", Takes::Text),
    ("into", Takes::Text),
    ("remote", Takes::Text),
    ("crate", Takes::Text),
    ("expecting", Takes::Text),
    ("field_identifier", Takes::Nothing),
    ("variant_identifier", Takes::Nothing),
];
const VARIANT: [(&str, Takes); 13] = [
    ("rename", Takes::TextOrSides),
    ("rename_all", Takes::RuleOrSides),
    ("alias", Takes::Text),
    ("skip", Takes::Nothing),
    ("skip_serializing", Takes::Nothing),
    ("skip_deserializing", Takes::Nothing),
    ("serialize_with", Takes::Text),
    ("deserialize_with", Takes::Text),
    ("with", Takes::Text),
    ("bound", Takes::TextOrSides),
    ("borrow", Takes::NothingOrText),
    ("other", Takes::Nothing),
    ("untagged", Takes::Nothing),
];
const FIELD: [(&str, Takes); 14] = [
    ("rename", Takes::TextOrSides),
    ("alias", Takes::Text),
    ("default", Takes::NothingOrText),
    ("flatten", Takes::Nothing),
    ("skip", Takes::Nothing),
    ("skip_serializing", Takes::Nothing),
    ("skip_serializing_if", Takes::Text),
    ("skip_deserializing", Takes::Nothing),
    ("serialize_with", Takes::Text),
    ("deserialize_with", Takes::Text),
    ("with", Takes::Text),
    ("bound", Takes::TextOrSides),
    ("borrow", Takes::NothingOrText),
    ("getter", Takes::Text),
];
const RULES: [&str; 8] = [
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];

/// Why serde would refuse the item, and what to write: `attrs` are those that the item stands among.
pub(crate) fn refusal(item: &Item, attrs: &Attrs, place: Place) -> Option<(String, String)> {
    let keys: &[(&'static str, Takes)] = match place {
        Place::Struct | Place::Enum => &TYPE,
        Place::Variant => &VARIANT,
        Place::Field => &FIELD,
    };
    if item.family != Family::Serde {
        let names: Vec<&str> = keys.iter().map(|(name, _)| *name).collect();
        return schemars_keys::refusal(item, &names);
    }
    let key = &item.key;
    let Some((_, takes)) = keys.iter().find(|(known, _)| item.is(known)) else {
        let names: Vec<&str> = keys.iter().map(|(name, _)| *name).collect();
        let meant = nearest(&key.to_string(), &names);
        let remedy = meant.map_or_else(
            || {
                format!(
                    "what serde knows here is listed under `#[serde(..)]` in its guide; `{key}` may belong elsewhere"
                )
            },
            |meant| format!("did you mean `{meant}`?"),
        );
        return Some((format!("serde has no attribute `{key}` for this place"), remedy));
    };
    value(item, *takes).or_else(|| elsewhere(item, attrs, place))
}

fn value(item: &Item, takes: Takes) -> Option<(String, String)> {
    let key = &item.key;
    match (takes, &item.value) {
        (Takes::Nothing | Takes::NothingOrText, Value::Flag)
        | (Takes::Text | Takes::NothingOrText | Takes::TextOrSides, Value::Text(_))
        | (Takes::TextOrSides, Value::List(_)) => None,
        (Takes::RuleOrSides, Value::Text(text)) => rule(&text.value()),
        (Takes::RuleOrSides, Value::List(sides)) => sides.iter().find_map(|side| rule(&side.text()?.value())),
        (Takes::Nothing, _) => Some((format!("`{key}` takes no value"), format!("write `{key}` alone"))),
        (Takes::NothingOrText, _) => {
            Some((format!("`{key}` takes a string, or nothing"), format!("write `{key} = \"..\"` or `{key}`")))
        }
        (Takes::RuleOrSides, _) => Some((format!("`{key}` takes a string"), format!("write `{key} = \"camelCase\"`"))),
        (Takes::Text | Takes::TextOrSides, _) => {
            Some((format!("`{key}` takes a string"), format!("write `{key} = \"..\"`")))
        }
    }
}

fn rule(given: &str) -> Option<(String, String)> {
    if RULES.contains(&given) {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let meant = RULES.iter().find(|rule| plain(rule) == plain(given)).copied().or_else(|| nearest(given, &RULES));
    let remedy = meant.map_or_else(
        || format!("the styles are {}", crate::parse::list(&RULES)),
        |meant| format!("did you mean \"{meant}\"?"),
    );
    Some((format!("serde knows no style of names {given:?}"), remedy))
}

/// Keys that belong to the other kind of type, or beside another key.
fn elsewhere(item: &Item, attrs: &Attrs, place: Place) -> Option<(String, String)> {
    let only_on_enums = ["untagged", "content", "rename_all_fields"];
    let key = &item.key;
    if place == Place::Struct && only_on_enums.iter().any(|word| item.is(word)) {
        return Some((format!("`{key}` is for enums"), format!("drop `{key}` from this struct")));
    }
    if place == Place::Enum && item.is("default") {
        return Some((
            "`default` on the type is for structs".to_owned(),
            "put it on the fields that have one".to_owned(),
        ));
    }
    if item.is("content") && attrs.serde("tag").is_none() {
        let remedy = "add the tag: `#[serde(tag = \"type\", content = \"value\")]`";
        return Some(("`content` goes with `tag`".to_owned(), remedy.to_owned()));
    }
    if item.is("untagged") && attrs.serde("tag").is_some() {
        return Some(("`untagged` contradicts `tag`".to_owned(), "keep one of them".to_owned()));
    }
    None
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::{Attribute, parse::Parser as _};

    use super::{Place, refusal};
    use crate::serde_attrs::Attrs;

    fn refusals(tokens: proc_macro2::TokenStream, place: Place) -> Vec<String> {
        let attrs = Attrs::read(&Attribute::parse_outer.parse2(tokens).expect("attributes"));
        attrs
            .items()
            .filter_map(|item| refusal(item, &attrs, place))
            .map(|(mistake, remedy)| format!("{mistake}; {remedy}"))
            .collect()
    }

    #[test]
    fn takes_what_serde_takes() {
        let types = quote!(#[serde(rename_all = "camelCase", tag = "t", content = "c", rename(serialize = "a"))]);
        assert!(refusals(types, Place::Enum).is_empty());
        let fields = quote!(#[serde(default, rename = "x", skip_serializing_if = "f", borrow = "'a")]);
        assert!(refusals(fields, Place::Field).is_empty());
        let schemars = quote!(#[schemars(range(min = 1), extend("x" = [1]), rename = "x", example = f(1, 2))]);
        assert!(refusals(schemars, Place::Field).is_empty());
        assert_eq!(refusals(quote!(#[schemars(rnge(min = 1))]), Place::Field).len(), 1);
    }

    #[test]
    fn suggests_what_was_meant() {
        let misspelt = refusals(quote!(#[serde(renam = "x")]), Place::Field);
        assert_eq!(misspelt, ["serde has no attribute `renam` for this place; did you mean `rename`?"]);
        let style = refusals(quote!(#[serde(rename_all = "camelcase")]), Place::Struct);
        assert_eq!(style, ["serde knows no style of names \"camelcase\"; did you mean \"camelCase\"?"]);
        let style = refusals(quote!(#[serde(rename_all(deserialize = "SnakeCase"))]), Place::Struct);
        assert_eq!(style, ["serde knows no style of names \"SnakeCase\"; did you mean \"snake_case\"?"]);
    }

    #[test]
    fn refuses_what_stands_wrong() {
        for (attr, place) in [
            (quote!(#[serde(skip = "x")]), Place::Field),
            (quote!(#[serde(tag)]), Place::Enum),
            (quote!(#[serde(rename = 5)]), Place::Field),
            (quote!(#[serde(rename_all)]), Place::Enum),
            (quote!(#[serde(default(x))]), Place::Field),
            (quote!(#[serde(untagged)]), Place::Struct),
            (quote!(#[serde(default)]), Place::Enum),
            (quote!(#[serde(content = "c")]), Place::Enum),
            (quote!(#[serde(untagged, tag = "t")]), Place::Enum),
            (quote!(#[serde(flatten)]), Place::Variant),
        ] {
            assert_eq!(refusals(attr.clone(), place).len(), 1, "{attr}");
        }
    }
}
