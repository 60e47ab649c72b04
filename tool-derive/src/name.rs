//! Names of tools: how the default one is made, and which are allowed.

use std::fmt::Write as _;

use proc_macro2::{Ident, Span};
use syn::LitStr;
use syn::ext::IdentExt as _;

/// The longest name that every provider takes.
pub(crate) const MAX_LEN: usize = 64;

/// Calls programs that call tools; no other tool may take it.
const RESERVED: &str = "run_code";

/// A tool's name, with the place that the author gave it at.
pub(crate) struct Name {
    pub(crate) value: String,
    pub(crate) span: Span,
    /// Whether it was made from the type's name.
    pub(crate) from_type: bool,
}

impl Name {
    pub(crate) fn given(literal: &LitStr) -> Self {
        Self { value: literal.value(), span: literal.span(), from_type: false }
    }

    pub(crate) fn of_type(ident: &Ident) -> Self {
        Self { value: snake_case(&ident.unraw().to_string()), span: ident.span(), from_type: true }
    }

    /// What is wrong with the name: the mistake, and how to mend it.
    pub(crate) fn mistake(&self) -> Option<(String, String)> {
        let problem = problem(&self.value)?;
        let mistake = if self.from_type {
            format!("the name `{}`, made from the type's, {problem}", self.value)
        } else {
            format!("the tool name {:?} {problem}", self.value)
        };
        let suggestion = suggestion(&self.value);
        let remedy = if self.from_type {
            format!("give the tool another name: `#[tool(name = \"{suggestion}\")]`")
        } else {
            format!("write another name, such as `name = \"{suggestion}\"`")
        };
        Some((mistake, remedy))
    }
}

/// Providers agree on letters, digits, `_` and `-`, up to 64 of them, and some refuse a digit or dash in front.
fn problem(name: &str) -> Option<String> {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let Some(first) = name.chars().next() else { return Some("is empty".to_owned()) };
    if let Some(bad) = name.chars().find(|c| !legal(*c)) {
        return Some(format!("holds {bad:?}; only ASCII letters, digits, `_` and `-` are allowed"));
    }
    if first.is_ascii_digit() || first == '-' {
        return Some(format!("starts with {first:?}; it must start with a letter or `_`"));
    }
    if name.len() > MAX_LEN {
        return Some(format!("has {} characters; at most {MAX_LEN} are allowed", name.len()));
    }
    (name == RESERVED).then(|| "is reserved for the tool that runs programs".to_owned())
}

/// A legal name as close to `name` as can be.
fn suggestion(name: &str) -> String {
    let mut out = String::new();
    for c in name.trim().chars() {
        let legal = c.is_ascii_alphanumeric() || c == '_' || c == '-';
        out.push(if legal { c } else { '_' });
    }
    if out.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        out.insert(0, '_');
    }
    out.truncate(MAX_LEN);
    if out == RESERVED {
        let _ = write!(out, "_here");
    }
    if out.chars().all(|c| c == '_') { "my_tool".to_owned() } else { out }
}

/// `ReadFile` → `read_file`, `HTTPGet` → `http_get`, `Utf8Text` → `utf8_text`.
pub(crate) fn snake_case(ident: &str) -> String {
    let chars: Vec<char> = ident.chars().collect();
    let mut out = String::new();
    for (i, c) in chars.iter().enumerate() {
        let after_word = i > 0 && (chars[i - 1].is_lowercase() || chars[i - 1].is_numeric());
        let next_is_lower = chars.get(i + 1).is_some_and(|next| next.is_lowercase());
        let after_acronym = i > 0 && chars[i - 1].is_uppercase() && next_is_lower;
        if c.is_uppercase() && (after_word || after_acronym) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{problem, snake_case, suggestion};

    #[test]
    fn default_names_are_snake_case() {
        for (ident, name) in [
            ("Read", "read"),
            ("ReadFile", "read_file"),
            ("HTTPGet", "http_get"),
            ("GetURL", "get_url"),
            ("Utf8Text", "utf8_text"),
            ("A", "a"),
            ("ABTest", "ab_test"),
            ("already_snake", "already_snake"),
        ] {
            assert_eq!(snake_case(ident), name);
        }
    }

    #[test]
    fn the_grammar_is_the_portable_one() {
        for legal in ["a", "_", "read-file", "Read_2", &"x".repeat(64)] {
            assert_eq!(problem(legal), None, "{legal}");
        }
        for illegal in ["", " ", "t ool", "2fast", "-x", "a.b", "naïve", "a/b", "run_code", &"x".repeat(65)] {
            assert!(problem(illegal).is_some(), "{illegal}");
        }
    }

    #[test]
    fn suggestions_are_legal() {
        for name in ["", " ", "t ool", "2fast", "-x", "a.b", "naïve", "run_code", &"x".repeat(99), "日本"] {
            assert_eq!(problem(&suggestion(name)), None, "{name} -> {}", suggestion(name));
        }
    }
}
