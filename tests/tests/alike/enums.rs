//! Every representation of an enum whose variants are objects, and conversions in place of a shape.

use tool_runtime::prelude::*;

#[tool_input]
struct Path {
    path: String,
}

/// Tagged inside.
#[derive(Tool)]
#[tool(output = String, render = json)]
#[serde(tag = "action", rename_all = "snake_case")]
enum Internal {
    Open(Path),
    Close { id: u32 },
    List,
}

/// Tagged beside.
#[derive(Tool)]
#[tool(output = String, render = json)]
#[serde(tag = "action", content = "with")]
enum Adjacent {
    Open(Path),
    Count(u8),
    Move(u8, u8),
    List,
}

/// Tagged outside.
#[derive(Tool)]
#[tool(output = String, render = json)]
enum External {
    Open(Path),
    Count(u8),
    Move(u8, u8),
    Close { id: u32 },
}

/// Not tagged.
#[derive(Tool)]
#[tool(output = String, render = json)]
#[serde(untagged)]
enum Untagged {
    Open(Path),
    Close { id: u32 },
}

/// Read as another type, and checked.
#[derive(Tool)]
#[tool(output = String, render = json)]
#[serde(try_from = "Path")]
struct Relative(String);

impl TryFrom<Path> for Relative {
    type Error = &'static str;

    fn try_from(path: Path) -> Result<Self, Self::Error> {
        if path.path.starts_with('/') { Err("the path is absolute") } else { Ok(Self(path.path)) }
    }
}

#[test]
fn it_works() {}
