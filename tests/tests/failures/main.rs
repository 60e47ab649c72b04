//! Failures: as types, as the end of a run, and as the model reads them.

mod codes;
mod profiles;
mod types;
