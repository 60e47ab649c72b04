//! Sessions: what is logged, what survives, what is replayed, and what a crash leaves.
//!
//! `SESSION=overwrite cargo test -p tests --test session` writes the logs in `data/session` anew. They are the format: a change
//! of them is a change of what other programs read.

mod damage;
mod files;
mod formats;
mod hook;
mod killed;
mod pruning;
mod repaired;
mod replayed;
mod scene;
mod secrets;
mod trouble;
