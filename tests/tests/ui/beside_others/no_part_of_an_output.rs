use tool_runtime::prelude::*;

struct Line {
    text: String,
}

#[tool_output]
struct Record {
    lines: Vec<Line>,
    first: Option<Line>,
}

#[tool_output]
struct Page {
    records: Vec<Record>,
}

/// Reads.
#[derive(Tool)]
#[tool(output = Page, present)]
struct Read {
    path: String,
}

impl Execute for Read {
    async fn execute(&self, _: &Context) -> Result<Page, ToolError> {
        Ok(Page { records: Vec::new() })
    }
}

impl Render for Read {
    fn render(&self, page: &Page) -> Content {
        Content::text(page.records.len().to_string())
    }
}

impl Present for Read {
    type Meta = Record;

    fn meta(&self, _: &Page) -> Record {
        Record { lines: Vec::new(), first: None }
    }
}

fn tools() -> Result<Registry, RegistrationError> {
    toolset! { () => [Read] }
}

fn main() {}
