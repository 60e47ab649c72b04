//! Doc comments as descriptions, with the author's text kept.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// A description: text that the macro knows, or an expression that only the compiler can evaluate
/// (`#[doc = include_str!("..")]`).
#[derive(Clone)]
pub(crate) enum Description {
    Literal(String),
    /// The arguments of a `concat!`.
    Concat(Vec<TokenStream>),
}

impl Description {
    /// The doc comment of an item, or `None` if it has none or a blank one.
    ///
    /// Attributes between two doc lines lose nothing; `#[doc(hidden)]` and its like are no text.
    pub(crate) fn of(attrs: &[Attribute]) -> Option<Self> {
        let lines: Vec<Line> = attrs.iter().filter_map(Line::of).collect();
        let literals: Option<Vec<&str>> = lines.iter().map(Line::literal).collect();
        match literals {
            Some(literals) => Self::literal(literals.join("\n").as_str()),
            None => Some(Self::Concat(concat_arguments(&lines))),
        }
    }

    /// A text given as such. Blank lines around it are no part of it; indentation is (it may be code).
    pub(crate) fn literal(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.iter().position(|line| !line.trim().is_empty())?;
        let last = lines.iter().rposition(|line| !line.trim().is_empty())?;
        Some(Self::Literal(lines[first..=last].join("\n")))
    }
}

impl ToTokens for Description {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Literal(text) => quote!(#text),
            Self::Concat(parts) => quote!(::core::concat!(#(#parts),*)),
        });
    }
}

/// One `#[doc = ..]`.
enum Line {
    Literal(String),
    Expr(TokenStream),
}

impl Line {
    fn of(attr: &Attribute) -> Option<Self> {
        let Meta::NameValue(meta) = &attr.meta else { return None };
        if !meta.path.is_ident("doc") {
            return None;
        }
        match ungroup(&meta.value) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(Self::Literal(clean(&text.value()))),
            other => Some(Self::Expr(other.to_token_stream())),
        }
    }

    fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Expr(_) => None,
        }
    }
}

/// A value that came through `macro_rules` is wrapped in an invisible group.
fn ungroup(mut expr: &Expr) -> &Expr {
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}

/// The text of one doc attribute. A line comment has one space after the slashes; a block comment keeps its line
/// breaks, and often a margin of asterisks.
fn clean(text: &str) -> String {
    let Some((first, rest)) = text.split_once('\n') else { return strip_space(text).to_owned() };
    let starred = rest.lines().all(|line| line.trim_start().starts_with('*') || line.trim().is_empty());
    let has_star = rest.lines().any(|line| line.trim_start().starts_with('*'));
    let margin = rest.lines().filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or(0);
    let rest = rest.lines().map(|line| {
        if starred && has_star {
            strip_space(line.trim_start().strip_prefix('*').unwrap_or_default())
        } else {
            line.get(margin..).unwrap_or_default()
        }
    });
    std::iter::once(strip_space(first)).chain(rest).collect::<Vec<_>>().join("\n")
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn strip_space(line: &str) -> &str {
    line.strip_prefix(' ').unwrap_or(line)
}

fn concat_arguments(lines: &[Line]) -> Vec<TokenStream> {
    let mut parts = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            parts.push(quote!("\n"));
        }
        parts.push(match line {
            Line::Literal(text) => quote!(#text),
            Line::Expr(expr) => expr.clone(),
        });
    }
    parts
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens as _, quote};
    use syn::{Attribute, parse::Parser as _};

    use super::Description;

    fn described(tokens: proc_macro2::TokenStream) -> Option<String> {
        let attrs = Attribute::parse_outer.parse2(tokens).expect("attributes");
        Description::of(&attrs).map(|description| description.to_token_stream().to_string())
    }

    fn text(tokens: proc_macro2::TokenStream) -> Option<String> {
        let attrs = Attribute::parse_outer.parse2(tokens).expect("attributes");
        match Description::of(&attrs)? {
            Description::Literal(text) => Some(text),
            Description::Concat(_) => None,
        }
    }

    #[test]
    fn strips_one_space_and_keeps_indentation() {
        let doc = quote! {
            /// Reads a file:
            ///
            ///     let x = 1;
            ///
            ///no space
        };
        assert_eq!(text(doc).as_deref(), Some("Reads a file:\n\n    let x = 1;\n\nno space"));
    }

    #[test]
    fn an_attribute_between_two_lines_loses_nothing() {
        let doc = quote! {
            /// One.
            #[serde(default)]
            #[doc(hidden)]
            #[doc(alias = "x")]
            /// Two.
        };
        assert_eq!(text(doc).as_deref(), Some("One.\nTwo."));
    }

    #[test]
    fn block_comments_lose_their_margin() {
        let starred = quote!(#[doc = "\n * One.\n *   two\n *\n * three\n "]);
        assert_eq!(text(starred).as_deref(), Some("One.\n  two\n\nthree"));
        let plain = quote!(#[doc = " One.\n    two\n      three\n "]);
        assert_eq!(text(plain).as_deref(), Some("One.\ntwo\n  three"));
        let list = quote!(#[doc = "\n* a list\n\n* of two\n"]);
        assert_eq!(text(list).as_deref(), Some("a list\n\nof two"));
    }

    #[test]
    fn expressions_pass_through() {
        let doc = quote! {
            /// See:
            #[doc = include_str!("x.md")]
        };
        assert_eq!(
            described(doc).as_deref(),
            Some(":: core :: concat ! (\"See:\" , \"\\n\" , include_str ! (\"x.md\"))")
        );
    }

    #[test]
    fn blank_is_missing() {
        assert_eq!(described(quote!()), None);
        assert_eq!(described(quote!(#[doc = "  \n "])), None);
        assert_eq!(described(quote!(#[doc(hidden)])), None);
    }
}
