//! The first tool, its first call, and the first mistake.

// ANCHOR: tool
use tool_runtime::prelude::*;

/// Count the words of a text.
#[derive(Tool)]
#[tool(output = Count, read_only, parallel)]
struct CountWords {
    /// The text to count in.
    text: String,
    /// Words of fewer letters are not counted.
    #[serde(default)]
    min_letters: usize,
}
// ANCHOR_END: tool

// ANCHOR: output
#[tool_output]
struct Count {
    words: usize,
    longest: Option<String>,
}
// ANCHOR_END: output

// ANCHOR: body
impl Execute for CountWords {
    async fn execute(&self, _: &Context) -> Result<Count, ToolError> {
        let letters = |word: &&str| word.chars().count();
        let words: Vec<&str> = self.text.split_whitespace().filter(|word| letters(word) >= self.min_letters).collect();
        let longest = words.iter().copied().max_by_key(letters);
        Ok(Count { words: words.len(), longest: longest.map(str::to_owned) })
    }
}
// ANCHOR_END: body

// ANCHOR: render
impl Render for CountWords {
    fn render(&self, count: &Count) -> Content {
        match &count.longest {
            Some(longest) => Content::text(format!("{} words; the longest is {longest:?}", count.words)),
            None => Content::text("no words"),
        }
    }
}
// ANCHOR_END: render

// ANCHOR: main
#[tokio::main]
async fn main() -> Result<(), RegistrationError> {
    let mut registry = Registry::new();
    registry.tool::<CountWords>()?;
    let dispatcher = Dispatcher::new(registry);

    let call = ToolCall::new("call-1", "count_words", r#"{"text": "to be or not to be"}"#);
    let result = dispatcher.call(call).await;

    // What the model reads.
    assert_eq!(result.content().to_text(), "6 words; the longest is \"not\"");
    // What a program gets: the value as JSON, and as the type that it is.
    let success = result.success().unwrap();
    assert_eq!(success.value().as_str(), r#"{"words":6,"longest":"not"}"#);
    assert_eq!(success.value_as::<Count>().unwrap().words, 6);
    Ok(())
}
// ANCHOR_END: main

// ANCHOR: mistake
async fn mistake(dispatcher: &Dispatcher) -> ToolResult {
    dispatcher.call(ToolCall::new("call-2", "count_words", r#"{"txt": "to be", "min_letters": "2"}"#)).await
}
// ANCHOR_END: mistake

#[test]
fn the_program_runs() {
    main().unwrap();
}

#[tokio::test]
async fn the_mistake_reads_as_shown() {
    let mut registry = Registry::new();
    registry.tool::<CountWords>().unwrap();
    let result = mistake(&Dispatcher::new(registry)).await;
    super::assert_shown("first_mistake.txt", &result.content().to_text());
}
