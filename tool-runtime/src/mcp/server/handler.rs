//! What the server answers to each request.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode, ErrorData,
    InitializeRequestParams, InitializeResult, ListToolsResult, PaginatedRequestParams, ServerConfig,
    SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use serde_json::Value;

use super::answer::Answer;
use super::arguments::RawArguments;
use super::pending::{Prepared, Text};
use super::shared::Shared;
use super::{announce, calls, revision};
use crate::dialect::McpRevision;

/// What the server answers to each request. A clone is the same server.
#[derive(Clone)]
pub(super) struct Handler {
    shared: Arc<Shared>,
    /// Whether a client that began with a handshake can be told of changes.
    announces: bool,
}

impl Handler {
    pub(super) fn new(shared: Arc<Shared>, announces: bool) -> Self {
        Self { shared, announces }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.shared.config()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        if let Some(tools) = result.capabilities.tools.as_mut().filter(|_| !self.announces) {
            tools.list_changed = None;
        }
        Ok(result)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("the list has one page, so there is no cursor into it", None));
        }
        let catalogue = self.shared.catalogue(revision::of(&context));
        match context.extensions.get::<Prepared>() {
            Some(prepared) => {
                prepared.set(Text::Shared(Arc::clone(catalogue.text())));
                Ok(ListToolsResult::default())
            }
            None => Ok(catalogue.typed()),
        }
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.catalogue(McpRevision::V2026_07_28).tool(name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = RawArguments::within(&context.extensions, request.arguments.as_ref());
        let write = |answer: Answer<'_>| match context.extensions.get::<Prepared>() {
            Some(prepared) => {
                prepared.set(Text::Own(answer.text()));
                CallToolResult::default()
            }
            None => answer.typed(),
        };
        let result = calls::call(&self.shared, &request.name, arguments.as_deref(), &context, write).await?;
        Ok(CallToolResponse::Complete(result))
    }

    /// What rmcp could not read as one of the protocol's requests. A call whose arguments are no object is one that the model
    /// can correct, so that it is told.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.as_ref();
        let name = params.and_then(|params| params.get("name")).and_then(Value::as_str);
        match (request.method.as_str(), name) {
            ("tools/call", Some(name)) => {
                let sent = params.and_then(|params| params.get("arguments")).map(Value::to_string);
                let arguments = RawArguments::within(&context.extensions, None).or(sent.map(Into::into));
                let write = |answer: Answer<'_>| match context.extensions.get::<Prepared>() {
                    Some(prepared) => {
                        prepared.set(Text::Own(answer.text()));
                        Value::Null
                    }
                    None => serde_json::from_str(&answer.text()).unwrap_or_default(),
                };
                calls::call(&self.shared, name, arguments.as_deref(), &context, write).await.map(CustomResult)
            }
            ("tools/call", None) => {
                Err(ErrorData::invalid_params("a call has the name of a tool, which is a string", None))
            }
            ("tools/list", _) => Err(ErrorData::invalid_params("the params of \"tools/list\" are an object", None)),
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        announce::to_listener(&self.shared, &context).await;
        Ok(())
    }
}
