//! A dispatcher's tools as a server of the Model Context Protocol, over streams, in every revision.

mod changes;
mod client;
mod errors;
mod exposure;
mod fixture;
mod frames;
mod fuzz;
mod http;
mod revisions;
mod rmcp_client;
mod stdio;
mod under_way;
