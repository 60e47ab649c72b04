//! The Model Context Protocol: tools of other servers, as tools of a registry.

mod bridge;

pub use bridge::{
    Bridge, BridgeError, BridgeLimits, BridgeReport, BridgeStatus, BridgedTool, Connection, Era, LeftOut, Reconnect,
    ServerCommand, ServerUrl, ToolHints,
};
