//! A tool as it is published.

use serde::Serialize;

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
}
