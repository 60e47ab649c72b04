//! Write a tool once, as Rust types.

pub mod json;
