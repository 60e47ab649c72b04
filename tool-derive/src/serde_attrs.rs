//! Reads `#[serde(..)]` and `#[schemars(..)]`.
//!
//! Works on tokens, not on parsed values: schemars takes any expression (`example = f(1, 2)`), which syn without its
//! `full` feature cannot parse, and what is malformed is for serde's own derive to say.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::spanned::Spanned as _;
use syn::{Attribute, LitStr, Meta};

/// Whose attribute it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    Serde,
    Schemars,
}

impl Family {
    pub(crate) fn of(attr: &Attribute) -> Option<Self> {
        if attr.path().is_ident("serde") {
            Some(Self::Serde)
        } else if attr.path().is_ident("schemars") {
            Some(Self::Schemars)
        } else {
            None
        }
    }
}

/// One item between the commas of an attribute: `default`, `rename = "x"`, `rename(serialize = "x")`.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) family: Family,
    pub(crate) key: Ident,
    pub(crate) value: Value,
    /// The item as written, for spans.
    pub(crate) tokens: TokenStream,
}

#[derive(Clone)]
pub(crate) enum Value {
    /// `default`
    Flag,
    /// `rename = "x"`
    Text(LitStr),
    /// `rename(serialize = "x", deserialize = "y")`
    List(Vec<Item>),
    /// Anything else, such as `example = f()`.
    Other,
}

impl Item {
    pub(crate) fn is(&self, key: &str) -> bool {
        self.key == key
    }

    pub(crate) fn text(&self) -> Option<&LitStr> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of an inner item: `"x"` for `serialize` in `rename(serialize = "x")`.
    pub(crate) fn inner(&self, key: &str) -> Option<String> {
        match &self.value {
            Value::List(items) => items.iter().find(|item| item.is(key))?.text().map(LitStr::value),
            _ => None,
        }
    }
}

/// The serde and schemars attributes of a type, a variant or a field.
#[derive(Default)]
pub(crate) struct Attrs {
    items: Vec<Item>,
    /// Whether the schema is one that an attribute of ours stood in.
    stood_in: bool,
}

impl Attrs {
    pub(crate) fn read(attrs: &[Attribute]) -> Self {
        let mut items = Vec::new();
        for attr in attrs {
            if let (Some(family), Meta::List(list)) = (Family::of(attr), &attr.meta) {
                items.extend(split(&list.tokens).into_iter().filter_map(|tokens| item(family, tokens)));
            }
        }
        // On a field, this is all that it says.
        let stood_in = attrs.iter().any(|attr| attr.path().is_ident("tool_output_contract"));
        Self { items, stood_in }
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter()
    }

    pub(crate) fn serde(&self, key: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.family == Family::Serde && item.is(key))
    }

    pub(crate) fn schemars(&self, key: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.family == Family::Schemars && item.is(key))
    }

    /// Whether the author gives the schema himself.
    pub(crate) fn has_own_schema(&self) -> bool {
        !self.stood_in && self.schemars("with").or_else(|| self.schemars("schema_with")).is_some()
    }

    /// Whether the value is made in place of being read.
    pub(crate) fn skips_reading(&self) -> bool {
        self.serde("skip").or_else(|| self.serde("skip_deserializing")).is_some()
    }
}

/// The attribute without the items that `drop` names; `None` if nothing is left of it.
pub(crate) fn without(attr: &Attribute, drop: impl Fn(&Item) -> bool) -> Option<Attribute> {
    let (Some(family), Meta::List(list)) = (Family::of(attr), &attr.meta) else { return Some(attr.clone()) };
    let all = split(&list.tokens);
    let total = all.len();
    let dropped = |tokens: &TokenStream| item(family, tokens.clone()).is_some_and(|item| drop(&item));
    let kept: Vec<TokenStream> = all.into_iter().filter(|tokens| !dropped(tokens)).collect();
    if kept.len() == total {
        return Some(attr.clone());
    }
    if kept.is_empty() {
        return None;
    }
    let mut list = list.clone();
    let comma = list.tokens.span();
    list.tokens = kept
        .into_iter()
        .reduce(|mut all, next| {
            all.extend(quote_spanned!(comma=> ,));
            all.extend(next);
            all
        })
        .unwrap_or_default();
    Some(Attribute { meta: Meta::List(list), ..attr.clone() })
}

/// Splits at commas. A comma between angle brackets splits too, which makes items with strange keys of an expression
/// such as `f::<A, B>()`; nobody asks for those keys.
fn split(tokens: &TokenStream) -> Vec<TokenStream> {
    let mut items = vec![TokenStream::new()];
    for token in tokens.clone() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => items.push(TokenStream::new()),
            _ => items.last_mut().expect("starts with one").extend([token]),
        }
    }
    items.retain(|item| !item.is_empty());
    items
}

fn item(family: Family, tokens: TokenStream) -> Option<Item> {
    let mut rest = tokens.clone().into_iter();
    let TokenTree::Ident(key) = rest.next()? else { return None };
    let value = match rest.next() {
        None => Value::Flag,
        Some(TokenTree::Punct(equals)) if equals.as_char() == '=' => {
            syn::parse2::<LitStr>(rest.collect()).map_or(Value::Other, Value::Text)
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            Value::List(split(&group.stream()).into_iter().filter_map(|tokens| item(family, tokens)).collect())
        }
        Some(_) => Value::Other,
    };
    Some(Item { family, key, value, tokens })
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens as _, quote};
    use syn::{Attribute, parse::Parser as _};

    use super::{Attrs, without};

    fn attrs(tokens: proc_macro2::TokenStream) -> Vec<Attribute> {
        Attribute::parse_outer.parse2(tokens).expect("attributes")
    }

    #[test]
    fn reads_flags_texts_lists_and_expressions() {
        let attrs = Attrs::read(&attrs(quote! {
            #[serde(default, rename(serialize = "a", deserialize = "b"))]
            #[schemars(example = f(1, 2), with = "String")]
        }));
        assert!(attrs.serde("default").is_some());
        let rename = attrs.serde("rename").expect("rename");
        assert_eq!(rename.inner("serialize").as_deref(), Some("a"));
        assert_eq!(rename.inner("deserialize").as_deref(), Some("b"));
        assert!(attrs.has_own_schema());
        assert!(attrs.schemars("example").is_some());
        assert!(attrs.serde("with").is_none());
    }

    #[test]
    fn drops_items_and_keeps_the_rest() {
        let attrs = attrs(quote!(#[serde(crate = "x", default, rename = "y")]));
        let kept = without(&attrs[0], |item| item.is("crate")).expect("kept");
        assert_eq!(kept.to_token_stream().to_string(), "# [serde (default , rename = \"y\")]");
        assert!(without(&attrs[0], |_| true).is_none());
    }
}
