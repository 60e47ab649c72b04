//! The list of tools, as a revision has it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rmcp::model::{CacheScope, ListToolsResult, MetaObject, Tool};
use serde_json::{Map, Value, json};

use super::{ServerOptions, answer};
use crate::dialect::{Dialect, McpRevision};
use crate::dispatch::Dispatcher;

/// The tools of a registry in one revision: made once, with the bytes of their list.
pub(super) struct Catalogue {
    /// Reads what clients of this revision send.
    dispatcher: Dispatcher,
    revision: McpRevision,
    definitions: Vec<Value>,
    places: HashMap<String, usize>,
    /// The whole result of `tools/list`.
    text: Arc<str>,
    /// The same in rmcp's types, for who writes it by them.
    typed: OnceLock<ListToolsResult>,
    server_info: String,
    lifetime_ms: u64,
}

impl Catalogue {
    pub(super) fn new(
        dispatcher: &Dispatcher,
        revision: McpRevision,
        options: &ServerOptions,
        server_info: &str,
    ) -> Self {
        let registry = dispatcher.registry();
        let tools = Dialect::Mcp(revision).lower_all(&registry);
        for left_out in tools.left_out() {
            tracing::warn!(tool = left_out.tool(), "{left_out}; it is not served");
        }
        let mut definitions: Vec<Value> = tools.tools().iter().map(|tool| tool.definition().clone()).collect();
        for (definition, tool) in definitions.iter_mut().zip(tools.tools()) {
            if let Some(definition) = definition.as_object_mut() {
                finish(definition, options, registry.may_show_marks(tool.tool()));
            }
        }
        let places = tools.tools().iter().enumerate().map(|(place, tool)| (tool.name().to_owned(), place)).collect();
        let lifetime_ms = u64::try_from(options.list_lifetime.as_millis()).unwrap_or(u64::MAX);
        let text = list(revision, &definitions, server_info, lifetime_ms).into();
        Self {
            dispatcher: dispatcher.clone().dialect(tools),
            revision,
            definitions,
            places,
            text,
            typed: OnceLock::new(),
            server_info: server_info.to_owned(),
            lifetime_ms,
        }
    }

    /// What calls go to.
    pub(super) fn dispatcher(&self) -> &Dispatcher {
        &self.dispatcher
    }

    /// Whether a client of this revision is told of such a tool.
    pub(super) fn lists(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// The result of `tools/list` as JSON.
    pub(super) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The same in rmcp's types.
    pub(super) fn typed(&self) -> ListToolsResult {
        let make = || {
            let mut result = ListToolsResult::with_all_items(self.definitions.iter().filter_map(typed).collect());
            if self.revision >= McpRevision::V2026_07_28 {
                result = result.with_ttl_ms(self.lifetime_ms).with_cache_scope(CacheScope::Private);
                result.meta = answer::meta(&self.server_info, None).map(MetaObject);
            }
            result
        };
        self.typed.get_or_init(make).clone()
    }

    /// One tool.
    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        typed(self.definitions.get(*self.places.get(name)?)?)
    }
}

/// What the dialect knows nothing of.
fn finish(tool: &mut Map<String, Value>, options: &ServerOptions, may_show_marks: bool) {
    // A mark in the place of a secret need not be what the schema has there, and a client that has the schema throws away
    // a value that does not fit it.
    if may_show_marks || !options.exposure.shows_value() {
        tool.shift_remove("outputSchema");
    }
    if let Some(characters) = options.result_size_hint {
        tool.insert("_meta".into(), json!({"anthropic/maxResultSizeChars": characters}));
    }
}

/// A definition of ours has every field as rmcp reads it; if one had not, it would be left out, and the rest stay.
fn typed(definition: &Value) -> Option<Tool> {
    let tool = serde_json::from_value(definition.clone());
    tool.inspect_err(|error| tracing::error!(%error, "a tool can't be listed: {}", definition["name"])).ok()
}

/// Its keys stand in rmcp's order, so that both ways to write it give the same bytes.
fn list(revision: McpRevision, definitions: &[Value], server_info: &str, lifetime_ms: u64) -> String {
    let mut text = String::from("{");
    if revision >= McpRevision::V2026_07_28 {
        text.push_str("\"resultType\":\"complete\",\"_meta\":");
        answer::write_meta(&mut text, server_info, None);
        text.extend([",\"ttlMs\":", &lifetime_ms.to_string(), ",\"cacheScope\":\"private\","]);
    }
    text.push_str("\"tools\":[");
    for (place, definition) in definitions.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        text.push_str(&definition.to_string());
    }
    text.push_str("]}");
    text
}
