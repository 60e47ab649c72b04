//! Tools of a crate of edition 2021: what the macros write means the same there, and so does an `async fn` in a trait.

use std::sync::Mutex;

use tool_runtime::prelude::*;

/// What was noted.
#[derive(Default)]
pub struct Notes(Mutex<Vec<String>>);

/// Note a text, under a topic or none.
#[derive(Tool)]
#[tool(output = Noted, failure = NoteFailure, present, timeout = "1s")]
pub struct Note {
    text: String,
    topic: Option<Topic>,
    #[serde(default)]
    r#try: u8,
}

/// What a note is about.
#[tool_input]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Topic {
    /// A person.
    Person {
        /// The name.
        name: String,
    },
    /// Anything else.
    Other,
}

/// The notes so far.
#[tool_output]
pub struct Noted {
    lines: Vec<Line>,
}

/// One of them.
#[tool_output]
pub struct Line {
    text: String,
}

/// Why nothing was noted.
#[derive(Debug, ToolFailure)]
pub enum NoteFailure {
    /// A lock that a panic left behind.
    #[failure(code = "NOTES_LOST", "the notes are lost", fatal)]
    Lost,
    /// A word in it.
    #[failure(code = "NOTE_REFUSED", "{try} is no number to note; use another than {r}", retry = corrected)]
    Refused {
        /// The number.
        r#try: u8,
        /// The same.
        r: u8,
    },
}

impl Execute<Notes> for Note {
    async fn execute(&self, cx: &Context<Notes>) -> Result<Noted, ToolError> {
        let topic = match &self.topic {
            Some(Topic::Person { name }) => format!("{name}: "),
            Some(Topic::Other) | None => String::new(),
        };
        let mut notes = cx.state().0.lock().map_err(|_| NoteFailure::Lost)?;
        if self.r#try == 13 {
            return Err(NoteFailure::Refused { r#try: self.r#try, r: 13 }.into());
        }
        notes.push(format!("{topic}{} ({})", self.text, self.r#try));
        Ok(Noted { lines: notes.iter().map(|text| Line { text: text.clone() }).collect() })
    }
}

impl Render for Note {
    fn render(&self, noted: &Noted) -> Content {
        let lines: Vec<&str> = noted.lines.iter().map(|line| line.text.as_str()).collect();
        Content::text(lines.join("\n"))
    }
}

impl Present for Note {
    type Meta = usize;

    fn meta(&self, noted: &Noted) -> usize {
        noted.lines.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_goes_all_the_way() {
        let registry = toolset! { Notes::default() => [Note] }.unwrap();
        let dispatcher = Dispatcher::new(registry);
        let call = |text| dispatcher.call(ToolCall::new("call", "note", text));
        let _ = call(r#"{"text": "milk"}"#).await;
        let arguments = r#"{"text": "tea", "topic": {"kind": "person", "name": "Ann"}, "try": 2}"#;
        let result = call(arguments).await.into_result().unwrap();
        assert_eq!(result.content().to_text(), "milk (0)\nAnn: tea (2)");
        assert_eq!(result.value().as_str(), r#"{"lines":[{"text":"milk (0)"},{"text":"Ann: tea (2)"}]}"#);
        let told = call(r#"{"text": "tea", "try": 13}"#).await.content().to_text();
        assert_eq!(told, "Error [NOTE_REFUSED]: 13 is no number to note; use another than 13");
        let refused = call(r#"{"text": "tea", "topic": {"kind": "place"}}"#).await;
        assert!(refused.content().to_text().starts_with("Error [INVALID_ARGS]"));
    }
}
