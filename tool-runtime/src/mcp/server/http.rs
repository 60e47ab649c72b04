//! The server over HTTP: streamable HTTP, without sessions.
//!
//! rmcp reads the protocol's headers and writes its streams. Who may ask, how much, and how the server ends is here.

mod authorizer;
mod body;
mod listener;
mod options;
mod service;

pub use authorizer::{Authorizer, Tokens};
pub use body::HttpBody;
pub use listener::{HttpServer, serve_http};
pub use options::{HttpOptions, InvalidHttpOptions};
pub use service::{HttpService, http_service};
