//! The [Model Context Protocol](https://modelcontextprotocol.io): tools for every client that speaks it, and the tools of
//! every server that does.
//!
//! The feature `mcp` brings all of it; each part has one of its own.
//!
//! - `mcp-server`: [`serve_stdio`] makes a dispatcher's tools a server for whoever started the process, [`serve`] one over any
//!   two streams. With `mcp-http`, `http_service` and `serve_http` do the same over HTTP. Every call goes through the
//!   dispatcher, so that its policies, limits and observers hold here too.
//! - `mcp-bridge`: [`Bridge`] makes the tools of another server tools of a registry, checked on both sides.

#[cfg(feature = "mcp-bridge")]
mod bridge;
#[cfg(feature = "mcp-server")]
mod server;

#[cfg(feature = "mcp-bridge")]
pub use bridge::{
    Bridge, BridgeError, BridgeLimits, BridgeReport, BridgeStatus, BridgedTool, Connection, Era, LeftOut, Reconnect,
    ServerCommand, ServerUrl, ToolHints,
};
#[cfg(feature = "mcp-http")]
pub use server::http::{
    Authorizer, HttpBody, HttpOptions, HttpServer, HttpService, InvalidHttpOptions, Tokens, http_service, serve_http,
};
#[cfg(feature = "mcp-server")]
pub use server::{Exposure, ServeError, ServerOptions, serve, serve_stdio, serve_stdio_with};
