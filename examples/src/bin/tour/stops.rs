//! The stops of the tour, in order.

use std::fs;
use std::path::Path;

use examples::tools::{Read, file_tools};
use examples::workspace::Workspace;
use tool_runtime::prelude::*;
use tool_runtime::{JsonValue, ToolSpec, serde_json};

use crate::exchange::{cards_of, reading_of};
use crate::log::{Log, Said};
use crate::page::{Page, laid_out};
use crate::policies::{BlockAll, Forge, Mask, Summarise};
use crate::{Done, Fault, replay};

/// A correction of the shopping list.
const CORRECT: &str = r#"{"path": "shopping.txt", "old_string": "chese", "new_string": "cheese"}"#;

/// A tool that returns the wrong type, and what the compiler says: a compile-fail case of the test suite with its golden.
const WRONG_TYPE: &str = include_str!("../../../../tests/tests/ui/body/returns_other_type.rs");
const COMPILE_ERROR: &str = include_str!("../../../../tests/tests/ui/body/returns_other_type.stderr");

/// Where the tour is shown, and where it is logged.
struct Tour<'a> {
    page: &'a mut Page,
    log: Log,
    /// What was seen of each call that was logged.
    seen: Vec<String>,
}

pub(crate) async fn all(page: &mut Page, workspace: Workspace, log: Option<&Path>) -> Done {
    let registry = file_tools(workspace.clone())?;
    let dispatcher = Dispatcher::new(registry.clone());
    let file = first_readable(&dispatcher).await?;
    let log = Log::begin(log).await?;
    page.title(
        "A tool is written once, as Rust types.",
        &format!("Five file tools, at work in {}.", workspace.root().display()),
    )?;
    schemas(page, &registry)?;
    let mut tour = Tour { page, log, seen: Vec::new() };
    projections(&mut tour).await?;
    reading(&mut tour, &dispatcher, &file).await?;
    cards(&mut tour, &dispatcher, &file).await?;
    failures(&mut tour, &dispatcher, &file).await?;
    policies(&mut tour, &dispatcher, &file).await?;
    writing(&mut tour).await?;
    compile_error(tour.page)?;
    logged(tour).await
}

impl Tour<'_> {
    /// A stop at which tools are called: a turn of the session.
    async fn stop(&mut self, title: &str, about: &str, user: &'static str, model: &'static str) -> Done {
        self.page.stop(title, about)?;
        Ok(self.log.turn(Said { user, model }).await?)
    }

    async fn call(&mut self, dispatcher: &Dispatcher, tool: &str, arguments: &str, most: usize) -> Done {
        self.begin(tool, arguments)?;
        let (result, _) = self.called(dispatcher, tool, arguments).await?;
        show(self.page, &result, most)
    }

    /// A call, as a person sees it, and what the model reads.
    async fn card(&mut self, dispatcher: &Dispatcher, tool: &str, arguments: &str) -> Done {
        self.begin(tool, arguments)?;
        let (_, seen) = self.called(dispatcher, tool, arguments).await?;
        Ok(self.page.card(&seen)?)
    }

    fn begin(&mut self, tool: &str, arguments: &str) -> Done {
        self.page.gap()?;
        Ok(self.page.labelled("call", &format!("{tool} {arguments}"))?)
    }

    async fn called(
        &mut self,
        dispatcher: &Dispatcher,
        tool: &str,
        arguments: &str,
    ) -> Result<(ToolResult, String), Fault> {
        let result = self.log.call(dispatcher, tool, arguments).await?;
        let cards = cards_of(self.page, &dispatcher.cards(), tool, arguments, Some(&result.durable()));
        let seen = cards + &reading_of(self.page, result.content());
        self.seen.push(seen.clone());
        Ok((result, seen))
    }
}

fn schemas(page: &mut Page, registry: &Registry) -> Done {
    page.stop(
        "What is published",
        "Name, description and both schemas come from the arguments' type and from the output's; the facts are attributes.",
    )?;
    page.gap()?;
    for spec in registry.specs() {
        page.labelled(&spec.name, &format!("{} [{}]", first_line(&spec.description), facts(spec)))?;
    }
    if let Some(read) = registry.spec("read") {
        page.gap()?;
        let input = laid_out(&read.input_schema.to_value());
        let output = laid_out(&read.output_schema.to_value());
        page.columns(&[("read: input schema", input), ("read: output schema", output)], 28)?;
    }
    Ok(())
}

/// A call of which each reader gets something else.
async fn projections(tour: &mut Tour<'_>) -> Done {
    let (_directory, dispatcher) = shopping()?;
    read_first(&dispatcher).await?;
    tour.stop(
        "One value, and its projections",
        "`edit` corrects a word in a shopping list, in a temporary directory. The body returns one typed value, checked \
         against the output schema: the whole text before and after, for programs. The content is what the model reads: \
         that it is done. The meta is what a user interface draws from: the lines around the change. Content and meta are \
         pure functions of the arguments and the value.",
        "Correct the spelling in my shopping list.",
        "Done: it is cheese now.",
    )
    .await?;
    tour.call(&dispatcher, "edit", CORRECT, 20).await
}

async fn reading(tour: &mut Tour<'_>, dispatcher: &Dispatcher, file: &str) -> Done {
    tour.stop(
        "Reading and searching",
        "Here the meta is close to the value, since the card of a file shows its lines; the content has numbers and says how \
         to read on. A search returns every match; content and meta have as many as are useful, and the meta sorts them by \
         file.",
        "What is in this directory, and under which licence?",
        "These are the files, and what they say of a licence.",
    )
    .await?;
    tour.call(dispatcher, "read", &window(file), 12).await?;
    tour.call(dispatcher, "glob", r#"{"pattern": "**/*.{md,toml}", "respect_gitignore": true}"#, 9).await?;
    tour.call(
        dispatcher,
        "grep",
        r#"{"pattern": "(?i)licen[cs]e", "include": "*.{md,toml}", "respect_gitignore": true}"#,
        9,
    )
    .await
}

/// What a person sees, from the arguments and the meta alone.
async fn cards(tour: &mut Tour<'_>, dispatcher: &Dispatcher, file: &str) -> Done {
    tour.stop(
        "The cards of a call",
        "A person sees cards: one for a call that runs, already while its arguments stream in, and one for its result. They \
         are drawn from the arguments and the meta, so a log can show them again, beside what the model reads. What a \
         file or a model says can do nothing to the terminal.",
        "Show me a file, and correct the shopping list.",
        "The list is corrected; one file is not there.",
    )
    .await?;
    tour.card(dispatcher, "read", &window(file)).await?;
    let (_directory, shopping) = shopping()?;
    read_first(&shopping).await?;
    let cards = shopping.cards();
    tour.page.gap()?;
    tour.page.labelled("streaming", r#"edit {"path": "shopping.txt", "old_string": "chese", "new_string": "che"#)?;
    let half = cards.pending("edit", r#"{"path": "shopping.txt", "old_string": "chese", "new_string": "che"#);
    let drawn = tour.page.cards(8).call(&half);
    tour.page.card(&drawn)?;
    tour.card(&shopping, "edit", CORRECT).await?;
    tour.card(&shopping, "grep", r#"{"pattern": "e", "path": "shopping.txt"}"#).await?;
    tour.card(&shopping, "read", r#"{"path": "\u001b[31mno such file"}"#).await
}

async fn failures(tour: &mut Tour<'_>, dispatcher: &Dispatcher, file: &str) -> Done {
    tour.stop(
        "A failed call",
        "An error has a stable code and a sentence that the model can act on. It has no value.",
        "Read what cannot be read.",
        "None of the three can be.",
    )
    .await?;
    tour.call(dispatcher, "read", r#"{"path": "no/such/file"}"#, 4).await?;
    tour.call(dispatcher, "read", r#"{"path": "../outside"}"#, 4).await?;
    tour.call(dispatcher, "raed", "{}", 4).await?;
    tour.stop(
        "Bad arguments",
        "The schema that was published is the one that is enforced, before the body runs. Everything wrong is said at once.",
        "Read the file, with arguments that are wrong.",
        "What was wrong is said each time.",
    )
    .await?;
    let misspelt = format!(r#"{{"path": {}, "ofset": 2, "limit": 100000}}"#, serde_json::json!(file));
    tour.call(dispatcher, "read", &misspelt, 4).await?;
    tour.call(dispatcher, "read", r#"{"path": "a", "path": "b"}"#, 4).await?;
    tour.call(dispatcher, "read", r#"{"path": "READ"#, 4).await
}

async fn policies(tour: &mut Tour<'_>, dispatcher: &Dispatcher, file: &str) -> Done {
    let arguments = window(file);
    tour.stop(
        "A policy replaces the content",
        "The model reads something else. Value and meta stay, so nothing is hidden from a program.",
        "Read the file, in few words.",
        "It was too long to be read whole.",
    )
    .await?;
    tour.call(&dispatcher.clone().policy(Summarise), "read", &arguments, 6).await?;
    tour.stop(
        "A policy replaces the value",
        "`mask` takes out every letter and digit, as a host would take out keys and passwords. The new value is of the \
         tool's own type and is checked like the first; content and meta are made from it, so nothing is left anywhere.",
        "Read the file, without its letters.",
        "Only marks are left of it.",
    )
    .await?;
    tour.call(&dispatcher.clone().policy_for::<Read>(Mask), "read", &arguments, 10).await?;
    tour.stop(
        "A policy blocks",
        "The result becomes a failure: no value, no meta, and the feedback as it stands.",
        "Read the file, whatever it holds.",
        "It was withheld.",
    )
    .await?;
    tour.call(&dispatcher.clone().policy(BlockAll), "read", &arguments, 6).await?;
    tour.stop(
        "A value that breaks its schema",
        "A body or a policy may make a wrong value; `forge` does. It is refused before anyone sees it, and every place that is \
         wrong is named.",
        "Read the file, with a policy that has a fault.",
        "What came was no view of a file.",
    )
    .await?;
    tour.call(&dispatcher.clone().policy(Forge), "read", &arguments, 6).await
}

/// The tools that write, in a directory that goes away.
async fn writing(tour: &mut Tour<'_>) -> Done {
    let (_directory, dispatcher) = shopping()?;
    tour.stop(
        "Writing, in a temporary directory",
        "These tools have a rule of their own: a file must be read before it is changed. The model learns what to do, does it, \
         and tries again.",
        "Replace the shopping list: we need milk.",
        "Done, after I had read it.",
    )
    .await?;
    let write = r#"{"path": "shopping.txt", "content": "milk\n"}"#;
    tour.call(&dispatcher, "write", write, 4).await?;
    tour.call(&dispatcher, "read", r#"{"path": "shopping.txt", "limit": 1}"#, 6).await?;
    tour.call(&dispatcher, "write", write, 14).await
}

fn compile_error(page: &mut Page) -> Done {
    page.stop(
        "A tool that returns the wrong type",
        "It does not compile. This is the case and the compiler's answer, as the test suite holds them; $WORKSPACE is where \
         the framework lies.",
    )?;
    page.gap()?;
    page.verbatim(WRONG_TYPE)?;
    page.gap()?;
    page.verbatim(COMPILE_ERROR)?;
    Ok(())
}

/// What was logged is what was seen: the file is read again to say so.
async fn logged(tour: Tour<'_>) -> Done {
    let Tour { page, log, seen } = tour;
    let path = log.end().await?;
    let replayed = replay::seen(page, &path)?;
    if let Some(other) = (0..seen.len().max(replayed.len())).find(|&at| seen.get(at) != replayed.get(at)) {
        return Err(format!("call-{} is another in the log {}", other + 1, path.display()).into());
    }
    page.stop(
        "The log of the tour",
        &format!(
            "Each call of stops 2 to 11 was in a session log before its body ran, and its result before anyone had it. The \
             cards of all {} calls, and what the model read, are drawn again from the file alone, and are the same to the last \
             byte. This shows them:",
            seen.len()
        ),
    )?;
    page.gap()?;
    Ok(page.copied("replay", &format!("cargo run -- replay {}", quoted(&path)))?)
}

/// A path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// A temporary directory with a file in it, and the tools on it.
fn shopping() -> Result<(tempfile::TempDir, Dispatcher), Fault> {
    let directory = tempfile::tempdir()?;
    fs::write(
        directory.path().join("shopping.txt"),
        "apples\nbread\ndates\neggs\nflour\nham\nfigs\nrice\ntea\nchese\n",
    )?;
    let dispatcher = Dispatcher::new(file_tools(Workspace::open(directory.path())?)?);
    Ok((directory, dispatcher))
}

async fn read_first(dispatcher: &Dispatcher) -> Done {
    dispatcher.call(ToolCall::new("before", "read", r#"{"path": "shopping.txt"}"#)).await.into_result()?;
    Ok(())
}

fn show(page: &mut Page, result: &ToolResult, most: usize) -> Done {
    for decision in result.trace().decisions() {
        page.labelled("policy", &format!("{} {}", decision.policy(), decision.verdict()))?;
    }
    let content = result.content().to_text();
    match result {
        ToolResult::Success(success) => {
            let value = laid_out(&success.canonical().to_json());
            let meta = success.meta().map_or_else(|| "(none)".to_owned(), laid_out);
            page.columns(&[("value", value), ("content", content), ("meta", meta)], most)?;
        }
        ToolResult::Failure(failure) => {
            page.labelled("failure", failure.code().as_str())?;
            page.labelled("content", &content)?;
        }
    }
    Ok(())
}

/// A file that `read` can show: a well-known one, or the first that is text.
async fn first_readable(dispatcher: &Dispatcher) -> Result<String, Fault> {
    let found = dispatcher
        .call(ToolCall::new("before", "glob", r#"{"pattern": "**", "respect_gitignore": true}"#))
        .await
        .into_result()?;
    let found = found.canonical().to_json();
    let mut paths: Vec<&str> = found["paths"].as_array().into_iter().flatten().filter_map(JsonValue::as_str).collect();
    paths.sort_by_key(|path| (*path != "Cargo.toml", path.matches('/').count(), *path));
    for path in paths {
        if dispatcher.call(ToolCall::new("before", "read", window(path))).await.is_success() {
            return Ok(path.to_owned());
        }
    }
    Err("there is no text file in this directory to show; name another: cargo run -- DIR".into())
}

/// The first lines of a file, asked for in the style in which all calls of the tour are written.
fn window(path: &str) -> String {
    format!(r#"{{"path": {}, "limit": 4}}"#, serde_json::json!(path))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn facts(spec: &ToolSpec) -> String {
    let behaviour = &spec.behaviour;
    let hints = [
        ("read-only", behaviour.is_read_only()),
        ("destructive", behaviour.is_destructive()),
        ("idempotent", behaviour.is_idempotent()),
        ("open world", behaviour.is_open_world()),
        ("parallel", Some(behaviour.is_parallel())),
    ];
    hints.iter().filter(|(_, yes)| *yes == Some(true)).map(|(hint, _)| *hint).collect::<Vec<_>>().join(", ")
}
