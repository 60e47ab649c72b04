//! A server of the official library: over standard input and output, or with `--http` on a port that it prints.

use std::error::Error;
use std::sync::Arc;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, ServiceExt};
use tool_runtime::serde_json::{Value, json};

/// Six bytes that begin a GIF.
const PICTURE: &str = "R0lGODlh";

#[derive(Clone)]
struct Server;

fn tool(name: &'static str, input: &Value) -> Tool {
    Tool::new(name, format!("The tool {name}."), Arc::new(input.as_object().cloned().unwrap_or_default()))
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let number = json!({"type": "integer"});
        let sum = json!({"type": "object", "properties": {"sum": number}, "required": ["sum"]});
        let add = json!({"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]});
        let none = || json!({"type": "object", "properties": {}});
        let mut add = tool("add", &add);
        add.output_schema = sum.as_object().cloned().map(Arc::new);
        let others = ["fail", "hang", "picture", "steps"].map(|name| tool(name, &none()));
        Ok(ListToolsResult::with_all_items([vec![add], others.into()].concat()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let text = |text: String| CallToolResult::success(vec![ContentBlock::text(text)]);
        let result = match &*request.name {
            "add" => {
                let sum = arguments["a"].as_i64().unwrap_or_default() + arguments["b"].as_i64().unwrap_or_default();
                let mut result = text(sum.to_string());
                result.structured_content = Some(json!({"sum": sum}));
                result
            }
            "fail" => CallToolResult::error(vec![ContentBlock::text("on purpose")]),
            "picture" => CallToolResult::success(vec![ContentBlock::image(PICTURE, "image/gif")]),
            "hang" => {
                context.ct.cancelled().await;
                text("cancelled".to_owned())
            }
            "steps" => {
                if let Some(token) = context.meta.get_progress_token() {
                    let mut half = ProgressNotificationParam::new(token, 1.0);
                    (half.total, half.message) = (Some(2.0), Some("half".to_owned()));
                    // A client that is gone sees nothing of it.
                    drop(context.peer.notify_progress(half).await);
                }
                text("done".to_owned())
            }
            name => return Err(ErrorData::invalid_params(format!("no tool {name}"), None)),
        };
        Ok(CallToolResponse::Complete(result))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).as_deref() != Some("--http") {
        Server.serve(rmcp::transport::stdio()).await?.waiting().await?;
        return Ok(());
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Server), sessions, StreamableHttpServerConfig::default());
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            // A client that goes away is no failure.
            drop(http1::Builder::new().serve_connection(TokioIo::new(stream), service).await);
        });
    }
}
