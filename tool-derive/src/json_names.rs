//! The names that serde reads fields and variants under: no two of one object may share one.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;

use crate::ctxt::Ctxt;
use crate::model::{Body, Container, Field, Variant};
use crate::serde_attrs::{Attrs, Item};

/// Of two fields of one name, serde reads the first and writes both.
pub(crate) fn unique(ctxt: &Ctxt, container: &Container<'_>) {
    if container.is_converted() {
        return;
    }
    match &container.body {
        Body::Struct(_, fields) => of_fields(ctxt, fields, rule(&container.attrs, "rename_all").as_deref()),
        Body::Enum(variants) => {
            of_variants(ctxt, container, variants);
            for variant in variants {
                let own = rule(&variant.attrs, "rename_all");
                let rule = own.or_else(|| rule(&container.attrs, "rename_all_fields"));
                of_fields(ctxt, &variant.fields, rule.as_deref());
            }
        }
        Body::Union => {}
    }
}

/// The name that a field is read under.
pub(crate) fn of_field(container: &Container<'_>, field: &Field<'_>, variant: Option<&Variant<'_>>) -> String {
    let rule = match variant {
        None => rule(&container.attrs, "rename_all"),
        Some(variant) => rule(&variant.attrs, "rename_all").or_else(|| rule(&container.attrs, "rename_all_fields")),
    };
    let by_rule = |ident: &Ident| field_name(&ident.unraw().to_string(), rule.as_deref());
    let renamed = field.attrs.serde("rename").and_then(read);
    renamed.or_else(|| field.original.ident.as_ref().map(by_rule)).unwrap_or_default()
}

/// Whether [`unique`] has something to say.
pub(crate) fn are_repeated(container: &Container<'_>) -> bool {
    let ctxt = Ctxt::new();
    unique(&ctxt, container);
    ctxt.check().is_err()
}

fn of_fields(ctxt: &Ctxt, fields: &[Field<'_>], rule: Option<&str>) {
    let mut names = Names::of("fields", ctxt);
    for field in fields {
        let Some(ident) = &field.original.ident else { continue };
        if field.attrs.serde("flatten").is_none() && !field.attrs.skips_reading() {
            names.take(ident, &field.attrs, |name| field_name(name, rule));
        }
    }
}

fn of_variants(ctxt: &Ctxt, container: &Container<'_>, variants: &[Variant<'_>]) {
    let rule = rule(&container.attrs, "rename_all");
    let is_named = |attrs: &Attrs| attrs.serde("untagged").is_none() && !attrs.skips_reading();
    if container.attrs.serde("untagged").is_some() {
        return;
    }
    let mut names = Names::of("variants", ctxt);
    for variant in variants.iter().filter(|variant| is_named(&variant.attrs)) {
        names.take(&variant.original.ident, &variant.attrs, |name| variant_name(name, rule.as_deref()));
    }
}

/// The names of one object's fields, or of one enum's variants.
struct Names<'a> {
    what: &'static str,
    ctxt: &'a Ctxt,
    taken: BTreeMap<String, Ident>,
}

impl<'a> Names<'a> {
    fn of(what: &'static str, ctxt: &'a Ctxt) -> Self {
        Self { what, ctxt, taken: BTreeMap::new() }
    }

    fn take(&mut self, ident: &Ident, attrs: &Attrs, by_rule: impl FnOnce(&str) -> String) {
        let renamed = attrs.serde("rename").and_then(|item| Some((read(item)?, item.tokens.clone())));
        let own = renamed.unwrap_or_else(|| (by_rule(&ident.unraw().to_string()), ident.to_token_stream()));
        let aliases = attrs.items().filter(|item| item.is("alias"));
        let aliases = aliases.filter_map(|item| Some((item.text()?.value(), item.tokens.clone())));
        for (name, tokens) in std::iter::once(own).chain(aliases) {
            self.take_one(ident, name, tokens);
        }
    }

    fn take_one(&mut self, ident: &Ident, name: String, tokens: TokenStream) {
        match self.taken.get(&name) {
            Some(other) if other == ident => {}
            Some(other) => {
                let mistake = format!("the {} `{other}` and `{ident}` are both {name:?} in JSON", self.what);
                self.ctxt.error(tokens, mistake, "rename one of the two");
            }
            None => drop(self.taken.insert(name, ident.clone())),
        }
    }
}

/// What `rename = "x"` and `rename(deserialize = "x")` say.
fn read(item: &Item) -> Option<String> {
    item.text().map(syn::LitStr::value).or_else(|| item.inner("deserialize"))
}

fn rule(attrs: &Attrs, key: &str) -> Option<String> {
    attrs.serde(key).and_then(read)
}

fn field_name(name: &str, rule: Option<&str>) -> String {
    match rule {
        Some("UPPERCASE" | "SCREAMING_SNAKE_CASE") => name.to_ascii_uppercase(),
        Some("PascalCase") => pascal(name),
        Some("camelCase") => lower_first(&pascal(name)),
        Some("kebab-case") => name.replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => name.to_ascii_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

fn variant_name(name: &str, rule: Option<&str>) -> String {
    match rule {
        Some("lowercase") => name.to_ascii_lowercase(),
        Some("UPPERCASE") => name.to_ascii_uppercase(),
        Some("camelCase") => lower_first(name),
        Some("snake_case") => snake(name),
        Some("SCREAMING_SNAKE_CASE") => snake(name).to_ascii_uppercase(),
        Some("kebab-case") => snake(name).replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => snake(name).to_ascii_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

fn pascal(snake: &str) -> String {
    let upper_first = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect::<String>()
    };
    snake.split('_').map(upper_first).collect()
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
}

fn snake(pascal: &str) -> String {
    let mut snake = String::new();
    for (index, char) in pascal.char_indices() {
        if index > 0 && char.is_uppercase() {
            snake.push('_');
        }
        snake.push(char.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::{field_name, variant_name};

    /// As serde's own derive has them.
    #[test]
    fn names_follow_serdes_rules() {
        for (rule, field, variant) in [
            ("none", "very_tasty", "VeryTasty"),
            ("lowercase", "very_tasty", "verytasty"),
            ("UPPERCASE", "VERY_TASTY", "VERYTASTY"),
            ("PascalCase", "VeryTasty", "VeryTasty"),
            ("camelCase", "veryTasty", "veryTasty"),
            ("snake_case", "very_tasty", "very_tasty"),
            ("SCREAMING_SNAKE_CASE", "VERY_TASTY", "VERY_TASTY"),
            ("kebab-case", "very-tasty", "very-tasty"),
            ("SCREAMING-KEBAB-CASE", "VERY-TASTY", "VERY-TASTY"),
        ] {
            assert_eq!(field_name("very_tasty", Some(rule)), field, "{rule}");
            assert_eq!(variant_name("VeryTasty", Some(rule)), variant, "{rule}");
        }
    }
}
