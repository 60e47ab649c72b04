//! A tool as it is published.

use serde::Serialize;

use crate::error::FailureSpec;
use crate::schema::Schema;
use crate::tool::Behaviour;

/// A tool as it is published: plain data, the same bytes for the same tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpec {
    /// The name that a model calls.
    pub name: String,
    /// The name that a person reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does, for the model.
    pub description: String,
    /// What arguments it takes.
    pub input_schema: Schema,
    /// What its value looks like.
    pub output_schema: Schema,
    /// What is known of its behaviour. Not for the model.
    #[serde(skip)]
    pub behaviour: Behaviour,
    /// The failures that it names, in the order of their types. Not for the model.
    #[serde(skip)]
    pub failures: Vec<FailureSpec>,
}

impl ToolSpec {
    /// What `serde_json` writes of it, with the schemas copied, as they are JSON already.
    pub(crate) fn to_json(&self) -> String {
        let Self { name, title, description, input_schema, output_schema, behaviour: _, failures: _ } = self;
        let mut text = String::with_capacity(
            input_schema.as_str().len() + output_schema.as_str().len() + description.len() + name.len() + 128,
        );
        let mut text_field = |key: &str, value: &str| {
            text.push(if text.is_empty() { '{' } else { ',' });
            // A text can always be written.
            text.extend(["\"", key, "\":", &serde_json::to_string(value).unwrap_or_default()]);
        };
        text_field("name", name);
        if let Some(title) = title {
            text_field("title", title);
        }
        text_field("description", description);
        for (key, schema) in [("inputSchema", input_schema), ("outputSchema", output_schema)] {
            text.extend([",\"", key, "\":", schema.as_str()]);
        }
        text.push('}');
        text
    }
}
