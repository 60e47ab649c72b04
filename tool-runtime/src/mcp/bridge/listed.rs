//! A tool as a server lists it, and as it is registered.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::failure::{self, FAILURES};
use super::limits::BridgeLimits;
use super::line::one_line;
use super::link::Link;
use super::report::ToolHints;
use super::text::Reader;
use crate::definition::{DynamicTool, ToolSpec};
use crate::error::Code;
use crate::json::{JsonValue, Pointer};
use crate::schema::{Side, Validator, embedded};
use crate::tool::Behaviour;

/// Longest name that a server may give, in bytes; the protocol recommends 128.
const MAX_RAW: usize = 1024;

/// What all tools of a server have in common.
pub(super) struct Common<'a> {
    pub(super) server: &'a str,
    pub(super) link: &'a Arc<Link>,
    pub(super) limits: &'a BridgeLimits,
    pub(super) timeout: Duration,
    pub(super) trusts_hints: bool,
    /// Whether the revision is one whose structured content may be any value.
    pub(super) any_value: bool,
}

/// A tool of a list.
pub(super) struct Listed {
    pub(super) raw: String,
    pub(super) hints: ToolHints,
    pub(super) cut: bool,
    pub(super) unchecked: Option<String>,
    title: Option<String>,
    description: String,
    input_schema: JsonValue,
    output_schema: JsonValue,
    needs_task: bool,
}

/// The name of an entry of a list, if it has one.
pub(super) fn raw_name(entry: &JsonValue) -> Option<&str> {
    entry.get("name").and_then(JsonValue::as_str)
}

impl Listed {
    /// Reads an entry of a list; where it can't be a tool, why not.
    pub(super) fn read(entry: &JsonValue, common: &Common<'_>) -> Result<Self, String> {
        let raw = raw_name(entry).ok_or("it has no name")?;
        if raw.is_empty() || raw.len() > MAX_RAW {
            return Err(format!("its name has {} bytes; it may have 1 to {MAX_RAW}", raw.len()));
        }
        let input_schema = match entry.get("inputSchema") {
            None | Some(JsonValue::Null) => return Err("it has no inputSchema".to_owned()),
            Some(schema) => schema.clone(),
        };
        let (description, cut) = description(entry, raw, common);
        let (output_schema, unchecked) = output_schema(entry.get("outputSchema"), common.any_value);
        let annotations = entry.get("annotations");
        let title = [entry.get("title"), annotations.and_then(|annotations| annotations.get("title"))];
        let title = title.into_iter().flatten().find_map(JsonValue::as_str);
        Ok(Self {
            raw: raw.to_owned(),
            hints: hints(annotations),
            cut,
            unchecked,
            title: title.filter(|title| !title.trim().is_empty()).map(|title| one_line(title, 200)),
            description,
            input_schema,
            output_schema,
            needs_task: entry.pointer("/execution/taskSupport").and_then(JsonValue::as_str) == Some("required"),
        })
    }

    /// The tool to register under this name.
    pub(super) fn tool(self, name: String, common: &Common<'_>) -> DynamicTool {
        let raw: Arc<str> = self.raw.into();
        let (shown, link, needs_task) = (Arc::clone(&raw), Arc::clone(common.link), self.needs_task);
        let reader = Reader { pictures: Some(common.limits.picture_bytes) };
        let tool =
            DynamicTool::new(name, self.description, move |arguments, cx| {
                let (raw, link) = (Arc::clone(&raw), Arc::clone(&link));
                async move {
                    if needs_task { Err(failure::needs_task(&raw)) } else { link.call(&raw, &arguments, &cx).await }
                }
            })
            .input_schema(self.input_schema)
            .output_schema(self.output_schema)
            .behaviour(behaviour(self.hints, common))
            .failures(FAILURES)
            .render(move |_, value| reader.content(&shown, value));
        match self.title {
            Some(title) => tool.title(title),
            None => tool,
        }
    }
}

/// Whether a tool is one of a server: only those tell that theirs may not be connected.
pub(super) fn is_bridged(spec: &ToolSpec) -> bool {
    spec.failures.iter().any(|failure| *failure.code() == Code::MCP_UNAVAILABLE)
}

/// The description, which every tool of a registry must have, and whether it was cut.
fn description(entry: &JsonValue, raw: &str, common: &Common<'_>) -> (String, bool) {
    let said = entry.get("description").and_then(JsonValue::as_str).unwrap_or_default();
    let most = common.limits.description_bytes;
    if said.trim().is_empty() {
        let raw = one_line(raw, MAX_RAW);
        return (format!("The tool {raw:?} of the server {:?}, which does not describe it.", common.server), false);
    }
    if said.len() <= most {
        return (said.to_owned(), false);
    }
    (format!("{} [cut to {most} bytes]", &said[..said.floor_char_boundary(most)]), true)
}

fn hints(annotations: Option<&JsonValue>) -> ToolHints {
    let hint = |name: &str| annotations.and_then(|annotations| annotations.get(name)).and_then(JsonValue::as_bool);
    ToolHints {
        read_only_hint: hint("readOnlyHint"),
        destructive_hint: hint("destructiveHint"),
        idempotent_hint: hint("idempotentHint"),
        open_world_hint: hint("openWorldHint"),
    }
}

/// What policies, schedulers and failures may take for a fact: of a server that nobody vouches for, only how long a call may
/// take. Where the host does, what is destructive means something only of what is not read-only.
fn behaviour(hints: ToolHints, common: &Common<'_>) -> Behaviour {
    let mut behaviour = Behaviour::new().timeout(common.timeout);
    if !common.trusts_hints {
        return behaviour;
    }
    if let Some(read_only) = hints.read_only_hint {
        behaviour = behaviour.read_only(read_only).parallel(read_only);
    }
    if let Some(open_world) = hints.open_world_hint {
        behaviour = behaviour.open_world(open_world);
    }
    if hints.read_only_hint != Some(true) {
        if let Some(destructive) = hints.destructive_hint {
            behaviour = behaviour.destructive(destructive);
        }
        if let Some(idempotent) = hints.idempotent_hint {
            behaviour = behaviour.idempotent(idempotent);
        }
    }
    behaviour
}

/// The schema of the canonical value, and why it says nothing of the structured content if the server does.
fn output_schema(advertised: Option<&JsonValue>, any_value: bool) -> (JsonValue, Option<String>) {
    let Some(advertised) = advertised.filter(|schema| !schema.is_null()) else {
        return (canonical_schema(&json!({}), false), None);
    };
    match enforced(advertised, any_value) {
        Ok(schema) => (schema, None),
        Err(reason) => {
            let said = format!("Not checked, since the server's own schema can't be enforced: {reason}");
            (canonical_schema(&json!({"description": said}), false), Some(reason))
        }
    }
}

/// The schema of a canonical value with this one of its structured content.
fn enforced(advertised: &JsonValue, any_value: bool) -> Result<JsonValue, String> {
    let told = |problem: String| one_line(&problem, 500);
    // By itself first, so that what is wrong with it is told with its own places.
    Validator::foreign(advertised, Side::Output).map_err(|error| told(error.to_string()))?;
    if !any_value && advertised.get("type").and_then(JsonValue::as_str) != Some("object") {
        return Err("its root is no object, as the revision of the protocol demands".to_owned());
    }
    let place = Pointer::root().child("properties").child("structuredContent");
    let (schema, dialect) = embedded(advertised.clone(), &place);
    let mut whole = canonical_schema(&schema, true);
    if let (Some(dialect), JsonValue::Object(root)) = (dialect, &mut whole) {
        root.shift_insert(0, "$schema".to_owned(), dialect);
    }
    Validator::foreign(&whole, Side::Output).map_err(|error| told(error.to_string()))?;
    Ok(whole)
}

fn canonical_schema(structured: &JsonValue, is_required: bool) -> JsonValue {
    let required = if is_required { json!(["content", "structuredContent"]) } else { json!(["content"]) };
    json!({
        "type": "object",
        "properties": {"content": {"type": "array"}, "structuredContent": structured},
        "required": required,
        "additionalProperties": false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advertised_schema_is_enforced_and_makes_its_content_required() {
        let advertised = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
            "properties": {"n": {"$ref": "#/definitions/n"}}, "definitions": {"n": {"type": "integer"}}});
        let (schema, unchecked) = output_schema(Some(&advertised), false);
        assert_eq!(unchecked, None);
        assert_eq!(schema["required"], json!(["content", "structuredContent"]));
        let (_, validator) = Validator::foreign(&schema, Side::Output).unwrap();
        assert!(validator.check(&json!({"content": [], "structuredContent": {"n": 1}})).is_ok());
        for bad in [
            json!({"content": [], "structuredContent": {"n": "1"}}),
            json!({"content": []}),
            json!({"structuredContent": {"n": 1}}),
            json!({"content": [], "structuredContent": {}, "more": 1}),
        ] {
            assert!(validator.check(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn without_one_anything_may_stand_there() {
        for none in [None, Some(&JsonValue::Null)] {
            let (schema, unchecked) = output_schema(none, false);
            assert_eq!((schema["required"].clone(), unchecked), (json!(["content"]), None));
        }
    }

    #[test]
    fn one_that_can_t_be_enforced_says_so_in_its_place() {
        for (advertised, any_value, says) in [
            (json!({"type": "int"}), false, "type"),
            (json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}}), false, "example.com"),
            (json!("object"), true, "must be an object"),
            (json!({"description": "x"}), false, "its root is no object"),
            (json!({"type": "array"}), false, "its root is no object"),
        ] {
            let (schema, unchecked) = output_schema(Some(&advertised), any_value);
            let reason = unchecked.unwrap_or_else(|| panic!("{advertised} is checked"));
            assert!(reason.contains(says), "{advertised}: {reason}");
            let told = schema["properties"]["structuredContent"]["description"].as_str().unwrap();
            assert!(told.starts_with("Not checked") && told.ends_with(&reason), "{told}");
            assert_eq!(schema["required"], json!(["content"]));
            Validator::foreign(&schema, Side::Output).unwrap();
        }
        for root in [json!({"type": "array"}), json!({"description": "x"}), json!(true)] {
            assert_eq!(output_schema(Some(&root), true).1, None, "{root}");
        }
    }
}
