use std::collections::BTreeMap;

use tool_runtime::prelude::*;

#[tool_output]
struct Readings {
    by_hour: BTreeMap<u8, Option<Option<f64>>>,
}

fn main() {}
