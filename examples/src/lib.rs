//! Tools for files, commands and databases, and the workspace they work in: what the programs of this package run on.

pub mod database;
mod diff;
mod failure;
mod search;
#[cfg(unix)]
mod shell;
mod stop;
pub mod tools;
mod window;
pub mod workspace;
