//! What a bridge has made of a server.

/// What a bridge has made of a server so far: its tools, what was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BridgeReport {
    /// What the host calls the server.
    pub server: String,
    /// Whether calls reach the server.
    pub status: BridgeStatus,
    /// The revision of the protocol that is spoken.
    pub revision: String,
    /// How often the tools were swapped in, the first time included.
    pub generation: u64,
    /// The tools that are registered, in the server's order.
    pub tools: Vec<BridgedTool>,
    /// The tools that are not.
    pub left_out: Vec<LeftOut>,
    /// Why the last attempt to list the tools anew, or to connect anew, failed; the tools are then those of before.
    pub problem: Option<String>,
}

/// Whether calls reach a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BridgeStatus {
    /// They do.
    Connected,
    /// The connection was lost and is being made anew; calls fail until then.
    Reconnecting,
    /// It was made anew in vain, as often as the bridge was told to try. [`Connection::refresh`](super::Connection::refresh)
    /// tries once more.
    GivenUp,
    /// The host has closed it, and the tools are gone.
    Closed,
}

/// A tool of a server that is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BridgedTool {
    /// The name that a model calls.
    pub name: String,
    /// The name that the server knows.
    pub raw: String,
    /// Why its structured content is not checked although the server publishes a schema for it. The output schema says so
    /// too.
    pub unchecked: Option<String>,
    /// Whether its description was cut.
    pub cut: bool,
    /// What the server says of its behaviour. Nobody has checked it.
    pub hints: ToolHints,
}

/// What a server says of a tool's behaviour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolHints {
    /// `readOnlyHint`.
    pub read_only_hint: Option<bool>,
    /// `destructiveHint`.
    pub destructive_hint: Option<bool>,
    /// `idempotentHint`.
    pub idempotent_hint: Option<bool>,
    /// `openWorldHint`.
    pub open_world_hint: Option<bool>,
}

/// A tool of a server that is not registered, and why; the others are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The name that the server gave it, on one line; empty if it gave none.
    pub raw: String,
    /// Everything that is wrong with it.
    pub reason: String,
}
