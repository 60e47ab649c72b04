//! A crate that hands tool-runtime on to others, as a host that writes its own prelude does.

pub use tool_runtime;
