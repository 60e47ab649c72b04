//! File tools, and the workspace they work in: what the programs of this package run on.

mod diff;
mod failure;
mod search;
mod stop;
pub mod tools;
mod window;
pub mod workspace;
