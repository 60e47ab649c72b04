use tool_runtime::prelude::*;

#[tool_output]
#[derive(Clone)]
#[serde(into = "String")]
struct Id(u32);

impl From<Id> for String {
    fn from(id: Id) -> String {
        id.0.to_string()
    }
}

fn main() {}
