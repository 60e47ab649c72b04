//! Failures as types, and the loop of a host that ends with a fatal one.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::io;
use std::sync::Mutex;

use tool_runtime::prelude::*;

// ANCHOR: type
/// Why a note can't be read.
#[derive(ToolFailure)]
#[failure(effects = none)] // of every variant, unless it says otherwise
enum NoteFailure {
    #[failure(code = "NOTE_NOT_FOUND", "there is no note {title:?} among {count}; list them first", retry = corrected)]
    NotFound {
        #[failure(details)]
        title: String,
        count: usize,
    },
    #[failure(code = "NOTE_UNREADABLE", "the note can't be read just now; try once more", retry = after("1s"))]
    Unreadable { source: io::Error },
    #[failure(code = "NOTES_GONE", "the notes are gone", fatal)]
    Gone,
}
// ANCHOR_END: type

#[derive(Default)]
struct Notes(Mutex<BTreeMap<String, Result<String, &'static str>>>);

// ANCHOR: tool
/// Read a note.
#[derive(Tool)]
#[tool(output = String, failure = NoteFailure, render = display, read_only)]
struct ReadNote {
    title: String,
}

impl Execute<Notes> for ReadNote {
    async fn execute(&self, cx: &Context<Notes>) -> Result<String, ToolError> {
        let notes = cx.state().0.lock().map_err(|_| NoteFailure::Gone)?;
        match notes.get(&self.title) {
            Some(Ok(text)) => Ok(text.clone()),
            Some(Err(why)) => Err(NoteFailure::Unreadable { source: io::Error::other(*why) })?,
            None => Err(NoteFailure::NotFound { title: self.title.clone(), count: notes.len() })?,
        }
    }
}
// ANCHOR_END: tool

fn notes() -> Notes {
    let notes = [("Tea", Ok("Buy some.".to_owned())), ("Old", Err("bad sector 7"))];
    Notes(Mutex::new(notes.map(|(title, text)| (title.to_owned(), text)).into()))
}

#[tokio::test]
async fn a_failure_as_each_reader_gets_it() {
    let dispatcher = Dispatcher::new(toolset! { notes() => [ReadNote] }.unwrap());
    let mut shown = String::new();
    for title in ["Tee", "Old"] {
        let arguments = format!(r#"{{"title": "{title}"}}"#);
        let result = dispatcher.call(ToolCall::new("call", "read_note", arguments)).await;
        let error = result.failure().unwrap().error();
        shown.push_str(&super::sides(&result));
        if let Some(details) = error.structured_details() {
            writeln!(shown, "details  {details}").unwrap();
        }
        if let Some(source) = error.source() {
            writeln!(shown, "source   {source}").unwrap();
        }
        shown.push('\n');
    }
    super::assert_shown("failure_sides.txt", &shown);
}

// ANCHOR: published
/// What a host, or a page of documentation, can list without a call.
fn catalogue(registry: &Registry) -> String {
    let mut lines = Vec::new();
    for spec in registry.specs() {
        for failure in &spec.failures {
            lines.push(format!("{}: {} - {}", spec.name, failure.code(), failure.sentence()));
        }
    }
    lines.join("\n")
}
// ANCHOR_END: published

#[test]
fn failures_can_be_listed() {
    let registry = toolset! { notes() => [ReadNote] }.unwrap();
    super::assert_shown("failure_catalogue.txt", &catalogue(&registry));
}

// ANCHOR: from
/// Why a setting can't be read.
#[derive(ToolFailure)]
enum SettingFailure {
    #[failure(code = "SETTING_NO_NUMBER", "the setting is no whole number; correct it")]
    NoNumber(#[failure(from)] std::num::ParseIntError),
    #[failure(code = "SETTING_TOO_LARGE", "{0} is more than 100; choose less")]
    TooLarge(u32),
}

fn setting(text: &str) -> Result<u32, SettingFailure> {
    let number = text.parse()?; // the variant, and not EXECUTION_ERROR
    if number > 100 { Err(SettingFailure::TooLarge(number)) } else { Ok(number) }
}
// ANCHOR_END: from

#[test]
fn an_error_becomes_its_variant() {
    assert_eq!(setting("x").unwrap_err().code(), "SETTING_NO_NUMBER");
    assert_eq!(setting("101").unwrap_err().to_string(), "101 is more than 100; choose less");
    assert_eq!(setting("7").ok(), Some(7));
}

/// A model that says what a test tells it to, turn by turn.
struct Model {
    turns: VecDeque<Vec<&'static str>>,
    read: Vec<String>,
}

impl Model {
    fn next(&mut self) -> Vec<ToolCall<'static>> {
        let titles = self.turns.pop_front().unwrap_or_default();
        let call = |title| ToolCall::new(title, "read_note", format!(r#"{{"title": "{title}"}}"#));
        titles.into_iter().map(call).collect()
    }

    fn tell(&mut self, call_id: &str, text: &str) {
        self.read.push(format!("{call_id}: {text}"));
    }
}

// ANCHOR: loop
/// Calls what the model wants, until it wants nothing more or a failure ends the run.
async fn run(dispatcher: &Dispatcher, model: &mut Model) -> Result<(), String> {
    loop {
        let calls = model.next();
        if calls.is_empty() {
            return Ok(());
        }
        for result in dispatcher.run(calls).await {
            let content = result.for_model().map_err(|fatal| format!("the run has ended: {fatal}"))?;
            model.tell(result.call_id(), &content.to_text());
        }
    }
}
// ANCHOR_END: loop

#[tokio::test]
async fn the_loop_ends_with_a_fatal_failure() {
    let state = std::sync::Arc::new(notes());
    let mut registry = Registry::new();
    registry.with_shared(std::sync::Arc::clone(&state)).tool::<ReadNote>().unwrap();
    let dispatcher = Dispatcher::new(registry);
    let mut model = Model { turns: [vec!["Tea"], vec!["Tee"]].into(), read: Vec::new() };
    let ended = run(&dispatcher, &mut model).await;
    assert_eq!(ended, Ok(()));
    // A panic beside the notes leaves their lock behind.
    let poisoned = std::thread::spawn(move || {
        let _notes = state.0.lock().unwrap();
        std::panic::resume_unwind(Box::new("on purpose"));
    });
    assert!(poisoned.join().is_err());
    model.turns = [vec!["Tea", "Old"], vec!["Tea"]].into();
    let ended = run(&dispatcher, &mut model).await.unwrap_err();
    super::assert_shown("failure_loop.txt", &format!("{}\n{ended}", model.read.join("\n")));
}
