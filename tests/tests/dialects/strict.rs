//! `#[tool(strict)]`: what strict mode can't say is refused, by the compiler (`tests/ui/strict`) or at registration.

use std::path::Path;

use serde::Serialize;
use tests::echo;
use tool_runtime::dialect::{Dialect, Mode};
use tool_runtime::prelude::*;
use tool_runtime::tool_input;

use crate::lowered;

macro_rules! parts {
    ($($item:item)*) => {$(
        #[tool_input]
        #[derive(Serialize)]
        $item
    )*};
}

parts! {
    struct Inner {
        by_name: std::collections::BTreeMap<String, u8>,
        any: tool_runtime::JsonValue,
        pair: (u8, String),
    }
    struct Node {
        next: Option<Box<Node>>,
    }
    #[serde(tag = "kind")]
    enum Kind {
        One { n: u8 },
        Two(Fine),
        Three,
    }
    struct Fine {
        text: Option<String>,
        mode: Mood,
        list: Vec<Option<u8>>,
    }
    enum Mood {
        Good,
        Bad,
    }
}

#[tool_input(open)]
#[derive(Serialize)]
struct Open {
    n: u8,
}

/// Take what hides in other types.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, strict)]
struct Hidden {
    inner: Vec<Inner>,
    node: Node,
    open: Open,
}

/// Take arguments of another type.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, strict)]
struct OfKind(Kind);

/// Take what strict mode says.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, strict)]
struct Strict {
    kind: Kind,
    fine: Option<Fine>,
    #[serde(flatten)]
    more: Fine,
    #[serde(default)]
    count: u32,
}

echo!(Hidden, OfKind, Strict);

fn refusals<T: Execute>() -> Vec<(String, String)> {
    let mut registry = Registry::new();
    let error = registry.tool::<T>().expect_err("it is refused");
    let place =
        |problem: &tool_runtime::Problem| problem.place().map(|(_, place)| place.to_string()).unwrap_or_default();
    error.problems().iter().map(|problem| (place(problem), problem.message().to_owned())).collect()
}

#[test]
fn what_hides_in_other_types_is_refused_at_registration_with_its_place() {
    let refused = refusals::<Hidden>();
    let places: Vec<&str> = refused.iter().map(|(place, _)| place.as_str()).collect();
    let expected = [
        "/$defs/Inner/properties/by_name",
        "/$defs/Inner/properties/any",
        "/$defs/Inner/properties/pair",
        "/$defs/Node",
        "/$defs/Open",
    ];
    assert_eq!(places, expected, "{refused:#?}");
    assert!(refusals::<OfKind>()[0].1.contains("strict mode takes no enum as the arguments of a tool"));
}

#[test]
fn the_compiler_and_registration_use_the_same_words() {
    let refused = refusals::<Hidden>().into_iter().chain(refusals::<OfKind>());
    let refused: Vec<String> = refused.map(|(_, message)| message).collect();
    for case in ["map", "flattened_map", "any_json", "tuple", "enum_of_arguments"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/strict").join(case).with_extension("stderr");
        let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut lines = golden.lines();
        let mistake = lines.next().and_then(|line| line.strip_prefix("error: ")).expect("a mistake");
        let remedy = lines.next().and_then(|line| line.trim().strip_prefix("help: ")).expect("a remedy");
        let words = format!("{mistake}; {remedy}");
        assert!(refused.iter().any(|message| message.ends_with(&words)), "{words}: {refused:#?}");
    }
}

#[test]
fn what_is_strict_is_said_by_every_strict_mode_without_a_rewrite() {
    for dialect in [
        Dialect::OpenAiChat(Mode::Strict),
        Dialect::OpenAiResponses(Mode::Strict),
        Dialect::Anthropic(Mode::Strict),
        Dialect::DeepSeek(Mode::Strict),
    ] {
        let text = lowered::<Strict>(dialect).definition().to_string();
        for rewritten in ["\"key\"", "JSON text", "\"_0\"", "\"arguments\"", "other_properties"] {
            assert!(!text.contains(rewritten), "{dialect:?}: {text}");
        }
    }
}
