//! The file tools, through the whole pipeline, on real files.

mod batches;
mod cards;
mod contract;
mod fixture;
mod read;
mod search;
mod write_and_edit;
