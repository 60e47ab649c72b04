//! The canonical value of a server's result: `{ content, structuredContent? }`.

use serde_json::{Map, json};

use super::failure;
use super::text::Reader;
use crate::error::ToolError;
use crate::json::{self, JsonValue};

/// The largest content of a failure that a host gets with it, as JSON; of more, the text must do.
const MAX_DETAILS: usize = 32 * 1024;

/// What a result is read with.
pub(super) struct Asked<'a> {
    pub(super) server: &'a str,
    pub(super) raw: &'a str,
    /// Whether the revision is one whose structured content may be any value.
    pub(super) any_value: bool,
}

impl Asked<'_> {
    /// The value of a result, or the failure that it tells.
    pub(super) fn value(&self, result: JsonValue) -> Result<JsonValue, ToolError> {
        let JsonValue::Object(mut result) = result else {
            return Err(self.invalid("the result is no object"));
        };
        match result.get("resultType").map(JsonValue::as_str) {
            // Old servers say nothing.
            None | Some(Some("complete")) => {}
            Some(Some("input_required")) => return Err(failure::needs_input(self.raw)),
            Some(Some("task")) => return Err(failure::needs_task(self.raw)),
            Some(_) => return Err(self.invalid("the type of the result is none of the protocol's")),
        }
        let is_error = match result.get("isError") {
            None | Some(JsonValue::Null) => false,
            Some(JsonValue::Bool(is_error)) => *is_error,
            Some(_) => return Err(self.invalid("isError is neither true nor false")),
        };
        // Where a value must be an object, null is how some libraries write that there is none.
        let structured = result.remove("structuredContent").filter(|value| self.any_value || !value.is_null());
        let content = self.content(&mut result, structured.is_some())?;
        let mut value = Map::from_iter([("content".to_owned(), content)]);
        value.extend(structured.map(|structured| ("structuredContent".to_owned(), structured)));
        if is_error { Err(self.failed(value.into())) } else { Ok(value.into()) }
    }

    /// The blocks. Before blocks there was one `toolResult`.
    fn content(&self, result: &mut Map<String, JsonValue>, has_value: bool) -> Result<JsonValue, ToolError> {
        let text = |text: &str| json!([{"type": "text", "text": text}]);
        match (result.remove("content"), result.remove("toolResult")) {
            (Some(content @ JsonValue::Array(_)), _) => Ok(content),
            (None | Some(JsonValue::Null), Some(legacy)) => {
                let written = json::write(&legacy).map_err(|lossy| self.invalid(&lossy.to_string()))?;
                Ok(text(written.as_str()))
            }
            (None | Some(JsonValue::Null), None) if has_value => Ok(json!([])),
            (None | Some(JsonValue::Null), None) => Ok(text("(no output)")),
            (Some(_), _) => Err(self.invalid("the content is no list of blocks")),
        }
    }

    /// What the tool itself says went wrong; the model reads it as it would read a result.
    fn failed(&self, value: JsonValue) -> ToolError {
        let error = ToolError::msg(Reader { pictures: None }.content(self.raw, &value).to_text());
        match json::write(&value) {
            Ok(text) if text.as_str().len() <= MAX_DETAILS => error.details(value),
            _ => error,
        }
    }

    fn invalid(&self, problem: &str) -> ToolError {
        failure::invalid_result(self.server, problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(result: JsonValue) -> Result<JsonValue, (String, String)> {
        let asked = Asked { server: "files", raw: "look", any_value: false };
        asked.value(result).map_err(|error| (error.code().to_string(), error.message().to_owned()))
    }

    #[test]
    fn a_result_is_content_and_a_value() {
        let text = json!([{"type": "text", "text": "a"}]);
        for (result, value) in [
            (json!({"content": text, "_meta": {"a": 1}, "isError": false}), json!({"content": text})),
            (
                json!({"content": text, "structuredContent": {"n": 1}}),
                json!({"content": text, "structuredContent": {"n": 1}}),
            ),
            (json!({"content": text, "structuredContent": null}), json!({"content": text})),
            (json!({"content": text, "structuredContent": [1]}), json!({"content": text, "structuredContent": [1]})),
            (json!({"structuredContent": {"n": 1}}), json!({"content": [], "structuredContent": {"n": 1}})),
            (json!({"content": [], "resultType": "complete", "isError": null}), json!({"content": []})),
            (
                json!({"toolResult": {"b": [1, 2.5]}}),
                json!({"content": [{"type": "text", "text": r#"{"b":[1,2.5]}"#}]}),
            ),
            (json!({"toolResult": null}), json!({"content": [{"type": "text", "text": "null"}]})),
            (json!({}), json!({"content": [{"type": "text", "text": "(no output)"}]})),
            (json!({"content": null}), json!({"content": [{"type": "text", "text": "(no output)"}]})),
            (json!({"content": [null, 7]}), json!({"content": [null, 7]})),
        ] {
            assert_eq!(read(result.clone()), Ok(value), "{result}");
        }
    }

    #[test]
    fn null_is_a_value_in_the_revision_that_has_any_value() {
        let asked = Asked { server: "files", raw: "look", any_value: true };
        let value = asked.value(json!({"content": [], "structuredContent": null})).unwrap();
        assert_eq!(value, json!({"content": [], "structuredContent": null}));
    }

    #[test]
    fn what_the_tool_says_went_wrong_is_a_failure_without_a_code_of_the_server_s() {
        let content = json!([{"type": "text", "text": "no such file"}, {"type": "image"}]);
        let (code, message) = read(json!({"content": content, "isError": true})).unwrap_err();
        assert_eq!(code, "EXECUTION_ERROR");
        assert_eq!(
            message,
            "no such file\n[image unavailable: unknown media type; this result was not admitted to durable model context; raw \
             image data remains available to programmatic callers]"
        );
        let (_, message) = read(json!({"isError": true})).unwrap_err();
        assert_eq!(message, "(no output)");
        let asked = Asked { server: "files", raw: "look", any_value: false };
        let error = asked.value(json!({"content": [], "structuredContent": {"n": 1}, "isError": true})).unwrap_err();
        assert_eq!(error.message(), r#"{"n":1}"#);
        assert_eq!(error.structured_details().unwrap()["structuredContent"]["n"], 1);
    }

    #[test]
    fn what_is_no_result_is_told_and_not_guessed_at() {
        for (result, says) in [
            (json!(null), "no object"),
            (json!([1]), "no object"),
            (json!({"content": "text"}), "no list of blocks"),
            (json!({"content": {}, "toolResult": 1}), "no list of blocks"),
            (json!({"content": [], "isError": "true"}), "neither true nor false"),
            (json!({"content": [], "resultType": 7}), "none of the protocol's"),
            (json!({"content": [], "resultType": "odd"}), "none of the protocol's"),
        ] {
            let (code, message) = read(result.clone()).unwrap_err();
            assert!(code == "MCP_INVALID_RESULT" && message.contains(says), "{result}: {code} {message}");
        }
    }

    #[test]
    fn what_the_bridge_does_not_support_is_said() {
        assert_eq!(
            read(json!({"resultType": "task", "taskId": "1"})).unwrap_err(),
            (
                "MCP_UNSUPPORTED".into(),
                "Tool \"look\" requires task-based execution, which this bridge does not support".into()
            )
        );
        let (code, message) = read(json!({"resultType": "input_required", "inputRequests": {}})).unwrap_err();
        assert!(code == "MCP_UNSUPPORTED" && message.contains("more input"), "{message}");
    }
}
