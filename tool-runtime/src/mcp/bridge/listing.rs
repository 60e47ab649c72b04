//! The list of a server's tools: all pages of it, and what can be registered of them.

use std::collections::HashSet;
use std::time::Duration;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult};
use rmcp::service::{PeerRequestOptions, ServiceError};

use super::BridgeError;
use super::limits::BridgeLimits;
use super::line::one_line;
use super::link::Session;
use super::listed::{Common, Listed, raw_name};
use super::name::ServerName;
use super::report::{BridgedTool, LeftOut};
use crate::json::JsonValue;
use crate::registry::Registry;

/// All entries of the list.
pub(super) async fn all(
    session: &Session,
    server: &ServerName,
    limits: &BridgeLimits,
    wait: Duration,
) -> Result<Vec<JsonValue>, BridgeError> {
    let server = server.as_str();
    let (mut entries, mut cursors, mut cursor) = (Vec::new(), HashSet::new(), None);
    for _ in 0..limits.pages {
        let mut page = page(session, cursor, wait).await.map_err(|problem| {
            BridgeError::list(format!("the MCP server {server:?} did not list its tools: {problem}"))
        })?;
        match page.get_mut("tools").map(JsonValue::take) {
            Some(JsonValue::Array(tools)) => entries.extend(tools),
            _ => return Err(BridgeError::list(format!("the MCP server {server:?} sent a list without tools"))),
        }
        if entries.len() > limits.tools {
            let most = limits.tools;
            return Err(BridgeError::list(format!("the MCP server {server:?} lists more than {most} tools")));
        }
        // Some libraries write an empty text for the end.
        match page.get("nextCursor").and_then(JsonValue::as_str).filter(|next| !next.is_empty()) {
            None => return Ok(entries),
            Some(next) if !cursors.insert(next.to_owned()) => {
                return Err(BridgeError::list(format!("the MCP server {server:?} lists one page twice")));
            }
            Some(next) => cursor = Some(next.to_owned()),
        }
    }
    Err(BridgeError::list(format!("the MCP server {server:?} lists more than {} pages of tools", limits.pages)))
}

async fn page(session: &Session, cursor: Option<String>, wait: Duration) -> Result<JsonValue, String> {
    let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
    let request = ListToolsRequest { params, ..ListToolsRequest::default() };
    let sent = session
        .peer
        .send_request_with_option(ClientRequest::ListToolsRequest(request), PeerRequestOptions::with_timeout(wait));
    let answer = match sent.await {
        Ok(sent) => sent.await_response().await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(ServerResult::CustomResult(result)) => Ok(result.0),
        Ok(result @ ServerResult::ListToolsResult(_)) => {
            serde_json::to_value(result).map_err(|error| error.to_string())
        }
        Ok(_) => Err("it sent the result of another request".to_owned()),
        Err(ServiceError::Timeout { timeout }) => Err(format!("no answer within {}ms", timeout.as_millis())),
        Err(error) => Err(one_line(&error.to_string(), 500)),
    }
}

/// The tools of a list, compiled and ready to be swapped in.
pub(super) struct Generation {
    pub(super) registry: Registry,
    pub(super) tools: Vec<BridgedTool>,
    pub(super) left_out: Vec<LeftOut>,
}

impl Generation {
    /// What can be registered of a list. A tool that can't is left out; a name that stands twice spoils the list, since nobody
    /// could tell which of the two a call means.
    pub(super) fn of(entries: &[JsonValue], server: &ServerName, common: &Common<'_>) -> Result<Self, BridgeError> {
        let mut seen = HashSet::new();
        if let Some(twice) = entries.iter().filter_map(raw_name).find(|raw| !seen.insert(*raw)) {
            return Err(BridgeError::list(format!(
                "mcp-client({}): server listed tool \"{}\" more than once — invalid tool list",
                common.server,
                one_line(twice, 200)
            )));
        }
        let mut generation = Self { registry: Registry::new(), tools: Vec::new(), left_out: Vec::new() };
        for entry in entries {
            if let Err(reason) = generation.add(entry, server, common) {
                let raw = one_line(raw_name(entry).unwrap_or_default(), 200);
                let reason = one_line(&reason, 2000);
                tracing::warn!(server = common.server, tool = raw, reason, "a tool of an MCP server was left out");
                generation.left_out.push(LeftOut { raw, reason });
            }
        }
        Ok(generation)
    }

    fn add(&mut self, entry: &JsonValue, server: &ServerName, common: &Common<'_>) -> Result<(), String> {
        let listed = Listed::read(entry, common)?;
        let name = server.public(&listed.raw);
        let bridged = BridgedTool {
            name: name.clone(),
            raw: listed.raw.clone(),
            unchecked: listed.unchecked.clone(),
            cut: listed.cut,
            hints: listed.hints,
        };
        self.registry.dynamic(listed.tool(name, common)).map_err(|error| {
            let problems: Vec<_> = error.problems().iter().map(ToString::to_string).collect();
            problems.join("; ")
        })?;
        self.tools.push(bridged);
        Ok(())
    }
}
