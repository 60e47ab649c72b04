//! The file tools as a server of the Model Context Protocol.

use std::error::Error;
use std::net::SocketAddr;

use examples::tools::file_tools;
use examples::workspace::Workspace;
use tool_runtime::mcp::{HttpOptions, ServerOptions, Tokens, serve_http, serve_stdio_with};
use tool_runtime::prelude::*;

/// Holds the token that requests over HTTP need, if they need one.
const TOKEN: &str = "MCP_TOKEN";

/// Serves until the client has left, or until the process is told to stop.
pub(crate) async fn serve(workspace: Workspace, http: Option<SocketAddr>) -> Result<(), Box<dyn Error>> {
    let root = workspace.root().display().to_string();
    let dispatcher = Dispatcher::new(file_tools(workspace)?);
    let options = ServerOptions::new("file-tools", env!("CARGO_PKG_VERSION"))
        .title("File tools")
        .instructions(format!("Paths are relative to {root}. Read a file before you change it."));
    let Some(address) = http else {
        eprintln!("serving {root} on standard input and output");
        return Ok(serve_stdio_with(dispatcher, options).await?);
    };
    let mut options = HttpOptions::new(options);
    if let Ok(token) = std::env::var(TOKEN) {
        options = options.authorizer(Tokens::new([token])?);
    }
    let server = serve_http(dispatcher, address, options).await?;
    eprintln!("serving {root} at http://{}/mcp", server.local_addr());
    told_to_stop().await?;
    Ok(server.shutdown().await?)
}

/// Ends when the process is interrupted or terminated.
async fn told_to_stop() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
