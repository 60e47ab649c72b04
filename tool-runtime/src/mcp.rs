//! The [Model Context Protocol](https://modelcontextprotocol.io): tools for every client that speaks it.
//!
//! [`serve_stdio`] makes a dispatcher's tools a server for whoever started the process, [`serve`] one over any two streams;
//! with the feature `mcp-http`, `http_service` and `serve_http` do the same over HTTP. Every call goes through the
//! dispatcher, so that its policies, limits and observers hold here too.

mod server;

#[cfg(feature = "mcp-http")]
pub use server::http::{
    Authorizer, HttpBody, HttpOptions, HttpServer, HttpService, InvalidHttpOptions, Tokens, http_service, serve_http,
};
pub use server::{Exposure, ServeError, ServerOptions, serve, serve_stdio, serve_stdio_with};
