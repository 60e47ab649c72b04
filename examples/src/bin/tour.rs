//! Tour.
fn main() {}
