//! Write a tool once, as Rust types.
