//! Codes: their grammar, and those that are the framework's.

use proc_macro2::Ident;
use syn::ext::IdentExt as _;

use crate::name::snake_case;
use crate::parse::list;

/// The codes of the framework. A test of the workspace holds that they are those of its table.
const FRAMEWORK: &[&str] = &[
    "UNKNOWN_TOOL",
    "ABORTED_BEFORE_DISPATCH",
    "NESTED_TOO_DEEP",
    "INVALID_ARGS",
    "DENIED",
    "APPROVAL_REJECTED",
    "APPROVAL_UNAVAILABLE",
    "REPEATED_CALL",
    "LOG_FAILED",
    "EXECUTION_ERROR",
    "PANICKED",
    "LAYER_FAILED",
    "TIMEOUT",
    "ABORTED",
    "INVALID_TOOL_OUTPUT",
    "BLOCKED",
    "POLICY_FAILED",
    "TOOL_NOT_STARTED",
    "TOOL_OUTCOME_UNKNOWN",
    "MCP_UNAVAILABLE",
    "MCP_CONNECTION_LOST",
    "MCP_PROTOCOL_ERROR",
    "MCP_INVALID_RESULT",
    "MCP_UNSUPPORTED",
    "UNSUPPORTED_SCHEMA",
    "DUPLICATE_TOOL",
    "INVALID_NAME",
    "MISSING_DESCRIPTION",
    "MISSING_OUTPUT",
    "INVALID_TIMEOUT",
    "CONTRADICTORY_FACTS",
    "NESTED_CHANGE",
    "NOT_SCOPED",
    "EMPTY_RESTRICTION",
];

/// Those of them that say of a body what they say of the framework.
const SHARED: [&str; 2] = ["INVALID_ARGS", "ABORTED"];

const MAX_LEN: usize = 64;

/// What is wrong with a code: the mistake, and how to mend it. `own` is what the failure could be called.
pub(super) fn mistake(code: &str, own: &str) -> Option<(String, String)> {
    if let Some(problem) = problem(code) {
        let close = suggestion(code).unwrap_or_else(|| own.to_owned());
        return Some((format!("the code {code:?} {problem}"), format!("write `code = \"{close}\"`")));
    }
    if FRAMEWORK.contains(&code) && !SHARED.contains(&code) {
        let remedy = format!("give it a code of its own, such as `{own}`; only {} may be shared", list(&SHARED));
        return Some((format!("`{code}` is the framework's code, and says that something else went wrong"), remedy));
    }
    None
}

fn problem(code: &str) -> Option<String> {
    let Some(first) = code.chars().next() else { return Some("is empty".to_owned()) };
    let legal = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if let Some(bad) = code.chars().find(|c| !legal(*c)) {
        return Some(format!("holds {bad:?}; only capitals, digits and underscores are allowed"));
    }
    if !first.is_ascii_uppercase() {
        return Some(format!("starts with {first:?}; it must start with a capital"));
    }
    (code.len() > MAX_LEN).then(|| format!("has {} characters; at most {MAX_LEN} are allowed", code.len()))
}

/// A legal code as close to this one as can be.
fn suggestion(code: &str) -> Option<String> {
    let words: String = code.trim().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let words =
        if words.chars().any(|c| c.is_ascii_lowercase()) && !words.contains('_') { snake_case(&words) } else { words };
    let mut code = words.to_ascii_uppercase().trim_start_matches(|c: char| !c.is_ascii_uppercase()).to_owned();
    code.truncate(MAX_LEN);
    (problem(&code).is_none() && !FRAMEWORK.contains(&code.as_str())).then_some(code)
}

/// The code that a variant's name would be: `NotFound` → `NOT_FOUND`, with the type's in front if that is the framework's.
pub(super) fn of_variant(ty: &Ident, variant: &Ident) -> String {
    let capitals = |ident: &Ident| snake_case(&ident.unraw().to_string()).to_ascii_uppercase();
    let own = capitals(variant);
    let code = if FRAMEWORK.contains(&own.as_str()) { format!("{}_{own}", capitals(ty)) } else { own };
    if problem(&code).is_none() && !FRAMEWORK.contains(&code.as_str()) { code } else { "MY_FAILURE".to_owned() }
}

#[cfg(test)]
mod tests {
    use quote::format_ident;

    use super::*;

    #[test]
    fn the_grammar_is_the_runtime_s() {
        for good in ["A", "FS_NOT_FOUND", "E2", &"X".repeat(64)] {
            assert_eq!(problem(good), None, "{good}");
        }
        for bad in ["", "fs", "2A", "_A", "A-B", "A B", "É", &"X".repeat(65)] {
            assert!(problem(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_bad_code_is_mended_or_replaced() {
        for (code, close) in [
            ("fs-not-found", "FS_NOT_FOUND"),
            ("NotFound", "NOT_FOUND"),
            ("not found", "NOT_FOUND"),
            ("404_GONE", "GONE"),
            ("", "OWN"),
            ("日本", "OWN"),
            ("timeout", "OWN"),
        ] {
            let (_, remedy) = mistake(code, "OWN").unwrap();
            assert_eq!(remedy, format!("write `code = \"{close}\"`"), "{code}");
        }
    }

    #[test]
    fn the_framework_s_codes_are_taken_but_for_two() {
        for code in FRAMEWORK {
            assert_eq!(mistake(code, "OWN").is_none(), SHARED.contains(code), "{code}");
        }
    }

    #[test]
    fn the_name_of_a_variant_makes_a_code_of_its_own() {
        let of = |ty: &str, variant: &str| of_variant(&format_ident!("{ty}"), &format_ident!("{variant}"));
        assert_eq!(of("ReadFailure", "NotFound"), "NOT_FOUND");
        assert_eq!(of("ReadFailure", "Timeout"), "READ_FAILURE_TIMEOUT");
        assert_eq!(of("ReadFailure", "Größe"), "MY_FAILURE");
    }
}
