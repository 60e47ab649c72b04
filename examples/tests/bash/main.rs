//! `bash`, through the whole pipeline, with real processes.
#![cfg(unix)]

mod cards;
mod contract;
mod ends;
mod fixture;
mod stopping;
mod streams;
