//! Failures: as types, as the end of a run, and as the model reads them.

mod codes;
mod fatal;
mod profiles;
mod types;
