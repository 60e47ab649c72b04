//! Everything that is shown of a call, and the search for secrets in it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tool_runtime::prelude::*;

use super::tools::{CANARY, PIN, TOKEN};

/// All that a result shows; the value itself, which is for programs, is not among it.
pub(crate) fn shown(result: &ToolResult) -> Vec<(&'static str, String)> {
    let mut shown = vec![
        ("content", result.content().to_text()),
        ("content on the wire", serde_json::to_string(result.content()).unwrap()),
        ("debug", format!("{result:?}")),
        ("pretty debug", format!("{result:#?}")),
        ("meta", result.meta().map(ToString::to_string).unwrap_or_default()),
        ("contexts", serde_json::to_string(result.contexts()).unwrap()),
        ("trace", format!("{:?}", result.trace())),
        ("receipt", format!("{}", result.receipt())),
    ];
    if let Some(success) = result.success() {
        shown.push(("shown value", success.shown_value().to_string()));
        shown.push(("canonical value", format!("{:?}", success.canonical())));
    }
    if let Some(failure) = result.failure() {
        let error = failure.error();
        shown.push(("error", error.to_string()));
        shown.push(("details", error.structured_details().map(ToString::to_string).unwrap_or_default()));
        let mut next = error.source().map(|source| source as &dyn std::error::Error);
        while let Some(source) = next {
            shown.push(("source", format!("{source} {source:?}")));
            next = source.source();
        }
    }
    shown
}

/// The forms of a secret that are looked for, and pieces of it.
fn forms() -> Vec<String> {
    let mut forms = vec!["c4nary".to_owned(), "7f3kZ".to_owned(), "9x8w7v6u5t".to_owned(), PIN.to_string()];
    for secret in [CANARY, TOKEN] {
        let json = serde_json::to_string(secret).unwrap();
        forms.extend([secret.to_owned(), json.trim_matches('"').to_owned(), format!("{secret:?}").replace('"', "")]);
        for before in ["", "x", "xx"] {
            let encoded = STANDARD.encode(format!("{before}{secret}"));
            // Without the ends, which hang on what stands around.
            forms.push(encoded[4..encoded.len() - 4].to_owned());
        }
    }
    forms
}

#[track_caller]
pub(crate) fn assert_clean(what: &str, text: &str) {
    for form in forms() {
        assert!(!text.contains(&form), "{what} tells {form:?}: {text}");
    }
}

#[track_caller]
pub(crate) fn assert_shows_nothing(what: &str, result: &ToolResult) {
    for (channel, text) in shown(result) {
        assert_clean(&format!("{what}: the {channel}"), &text);
    }
}
