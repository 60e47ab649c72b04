//! What a tool is called, what it says of itself, and what it says of its arguments.

use std::time::Duration;

use serde_json::json;
use tests::{dispatcher_of, input_schema};
use tool_runtime::Overrides;
use tool_runtime::prelude::*;

/// A type with a body that returns an empty text, under the attributes that are given.
macro_rules! tool {
    ($(#[$attribute:meta])* $name:ident $(, $field:ident: $type:ty)*) => {
        #[derive(Tool)]
        #[tool(output = String, render = display)]
        $(#[$attribute])*
        pub(crate) struct $name {
            $($field: $type,)*
        }

        impl Execute for $name {
            async fn execute(&self, _: &Context) -> Result<String, ToolError> {
                Ok(String::new())
            }
        }
    };
}

macro_rules! default_names {
    ($($type:ident => $name:literal),* $(,)?) => {
        mod default_names {
            use tool_runtime::prelude::*;

            $(tool!(#[allow(non_camel_case_types)] #[doc = "Named by its type."] $type);)*
        }

        #[test]
        fn the_default_name_is_the_type_s_in_snake_case() {
            $(assert_eq!(default_names::$type::NAME, $name);)*
        }
    };
}

default_names! {
    Read => "read",
    ReadFile => "read_file",
    HTTPGet => "http_get",
    GetHTTP => "get_http",
    ParseJSONText => "parse_json_text",
    Sha256Sum => "sha256_sum",
    V2 => "v2",
    Add_One => "add_one",
    X => "x",
}

tool!(
    /// Named.
    #[tool(name = "read-File_2", title = "Read a file")]
    Named
);

#[test]
fn a_name_that_is_given_is_the_name() {
    assert_eq!(Named::NAME, "read-File_2");
    assert_eq!(Named::TITLE, Some("Read a file"));
    assert_eq!(default_names::Read::TITLE, None);
    let registry = dispatcher_of::<Named>().registry();
    let spec = registry.spec("read-File_2").unwrap();
    assert_eq!((spec.name.as_str(), spec.title.as_deref()), ("read-File_2", Some("Read a file")));
}

tool!(
    /// Read a file:
    ///
    ///     let x = 1;
    ///
    ///  * one more space
    ///no space
    ///
    ///
    /// Last.
    ///
    Lines
);
tool!(
    /// Before.
    #[allow(dead_code)]
    /// After.
    Between
);
tool!(
    #[doc = include_str!("data/description.md")]
    Included
);
tool!(
    /// Version
    #[doc = concat!("one", "-", "two")]
    /// end
    Concatenated
);
tool!(
    /** Block comment. */
    Block
);
tool!(
    /**
     * Starred.
     *   indented
     *
     * End.
     */
    Starred
);
tool!(
    /**
    Without stars.
        indented
    End.
    */
    Starless
);
tool!(
    /// The comment is for people.
    #[tool(description = "The key is for the model.\n  indented")]
    Keyed
);
tool!(
    #[tool(description = concat!("a", 1, "b"))]
    KeyedConcat
);
tool!(
    #[tool(description = include_str!("data/description.md"))]
    KeyedIncluded
);
tool!(
    /// “Quotes”, \backslashes\, "quotes", {braces} and 日本語.
    Unusual
);

#[test]
fn a_description_keeps_the_author_s_text() {
    assert_eq!(Lines::DESCRIPTION, "Read a file:\n\n    let x = 1;\n\n * one more space\nno space\n\n\nLast.");
    assert_eq!(Between::DESCRIPTION, "Before.\nAfter.");
    assert_eq!(Included::DESCRIPTION.trim_end(), "Lines from a file:\n\n    indented\n- a list");
    assert_eq!(Concatenated::DESCRIPTION, "Version\none-two\nend");
    assert_eq!(Block::DESCRIPTION.trim_end(), "Block comment.");
    assert_eq!(Starred::DESCRIPTION, "Starred.\n  indented\n\nEnd.");
    assert_eq!(Starless::DESCRIPTION, "Without stars.\n    indented\nEnd.");
    assert_eq!(Unusual::DESCRIPTION, "“Quotes”, \\backslashes\\, \"quotes\", {braces} and 日本語.");
}

#[test]
fn the_description_key_wins_over_the_comment() {
    assert_eq!(Keyed::DESCRIPTION, "The key is for the model.\n  indented");
    assert_eq!(KeyedConcat::DESCRIPTION, "a1b");
    assert_eq!(KeyedIncluded::DESCRIPTION.trim_end(), "Lines from a file:\n\n    indented\n- a list");
}

/// Documented fields.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Fields {
    /// One line.
    one: String,
    /// First paragraph
    /// goes on.
    ///
    /// Second.
    two: u8,
    #[doc = include_str!("data/description.md")]
    three: Option<bool>,
    four: u8,
}

impl Execute for Fields {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("{}{}{:?}{}", self.one, self.two, self.three, self.four))
    }
}

#[test]
fn the_comments_of_fields_are_published() {
    let schema = input_schema::<Fields>();
    let description = |name: &str| schema["properties"][name].get("description").cloned();
    assert_eq!(description("one"), Some(json!("One line.")));
    assert_eq!(description("two"), Some(json!("First paragraph\ngoes on.\n\nSecond.")));
    assert_eq!(description("three"), Some(json!("Lines from a file:\n\n    indented\n- a list")));
    assert_eq!(description("four"), None);
    assert_eq!(schema.get("description"), None, "the tool's description stands beside the schema, not in it too");
}

/// Facts.
#[derive(Tool)]
#[tool(output = String, render = display, read_only, destructive = false, idempotent, open_world = false, parallel)]
#[tool(timeout = "1500ms")]
struct Facts;

impl Execute for Facts {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[test]
fn each_fact_has_three_states() {
    let facts = Facts::BEHAVIOUR;
    assert_eq!((facts.is_read_only(), facts.is_destructive()), (Some(true), Some(false)));
    assert_eq!((facts.is_idempotent(), facts.is_open_world()), (Some(true), Some(false)));
    assert_eq!((facts.is_parallel(), facts.time_limit()), (true, Some(Duration::from_millis(1500))));
    let unsaid = Named::BEHAVIOUR;
    assert_eq!((unsaid.is_read_only(), unsaid.is_destructive()), (None, None));
    assert_eq!((unsaid.is_idempotent(), unsaid.is_open_world()), (None, None));
    assert_eq!((unsaid.is_parallel(), unsaid.time_limit()), (false, None));
}

#[test]
fn a_registration_may_override_name_and_description() {
    let mut registry = Registry::new();
    registry.tool_as::<Named>(Overrides::new().name("other").description("Another text.")).unwrap();
    registry.tool::<Named>().unwrap();
    let specs: Vec<_> = registry.specs().map(|spec| (spec.name.as_str(), spec.description.as_str())).collect();
    assert_eq!(specs, [("other", "Another text."), ("read-File_2", "Named.")]);
}

#[test]
fn an_override_is_held_to_the_rules_of_names_and_descriptions() {
    let mut registry = Registry::new();
    let error = registry.tool_as::<Named>(Overrides::new().name("run_code").description("  ")).unwrap_err();
    let codes: Vec<_> = error.problems().iter().map(|problem| problem.code().as_str()).collect();
    assert_eq!(codes, ["INVALID_NAME", "MISSING_DESCRIPTION"]);
    assert!(registry.is_empty());
}

#[test]
fn a_published_tool_is_plain_data() {
    let registry = dispatcher_of::<Facts>().registry();
    let spec = serde_json::to_string(registry.spec("facts").unwrap()).unwrap();
    assert_eq!(
        spec,
        r#"{"name":"facts","description":"Facts.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"outputSchema":{"type":"string"}}"#
    );
}
