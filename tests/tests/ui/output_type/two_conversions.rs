use tool_runtime::prelude::*;

#[tool_output]
#[derive(Clone)]
#[serde(into = "u32", from = "u64")]
struct Id(u32);

impl From<Id> for u32 {
    fn from(id: Id) -> u32 {
        id.0
    }
}

impl From<u64> for Id {
    fn from(id: u64) -> Id {
        Id(id as u32)
    }
}

fn main() {}
