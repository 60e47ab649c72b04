use tool_runtime::prelude::*;

/// Count the words of a text.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct CountWords {
    /// The text.
    text: String,
}

impl Present for CountWords {
    type Meta = usize;

    fn meta(&self, words: &usize) -> usize {
        *words
    }
}

impl Execute for CountWords {
    async fn execute(&self, _: &Context) -> Result<usize, ToolError> {
        Ok(self.text.split_whitespace().count())
    }
}

fn main() {}
