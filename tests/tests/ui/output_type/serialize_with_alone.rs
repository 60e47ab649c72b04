use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    #[serde(serialize_with = "as_text")]
    count: u8,
}

fn as_text<S: tool_runtime::serde::Serializer>(count: &u8, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&count.to_string())
}

fn main() {}
