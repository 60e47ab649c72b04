//! The stops of the tour, in order.

use std::error::Error;
use std::fs;

use examples::tools::{Read, file_tools};
use examples::workspace::Workspace;
use tool_runtime::prelude::*;
use tool_runtime::{JsonValue, ToolSpec, serde_json};

use crate::page::{Page, laid_out};
use crate::policies::{BlockAll, Forge, Mask, Summarise};

/// A correction of the shopping list.
const CORRECT: &str = r#"{"path": "shopping.txt", "old_string": "chese", "new_string": "cheese"}"#;

type Done = Result<(), Box<dyn Error>>;

/// A tool that returns the wrong type, and what the compiler says: a compile-fail case of the test suite with its golden.
const WRONG_TYPE: &str = include_str!("../../../../tests/tests/ui/body/returns_other_type.rs");
const COMPILE_ERROR: &str = include_str!("../../../../tests/tests/ui/body/returns_other_type.stderr");

pub(crate) async fn all(page: &mut Page, workspace: Workspace) -> Done {
    let registry = file_tools(workspace.clone())?;
    let dispatcher = Dispatcher::new(registry.clone());
    let file = first_readable(&dispatcher).await?;
    page.title(
        "A tool is written once, as Rust types.",
        &format!("Five file tools, at work in {}.", workspace.root().display()),
    )?;
    schemas(page, &registry)?;
    projections(page).await?;
    reading(page, &dispatcher, &file).await?;
    cards(page, &dispatcher, &file).await?;
    failures(page, &dispatcher, &file).await?;
    policies(page, &dispatcher, &file).await?;
    writing(page).await?;
    compile_error(page)?;
    Ok(())
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
async fn projections(page: &mut Page) -> Done {
    let (_directory, dispatcher) = shopping()?;
    read_first(&dispatcher).await?;
    page.stop(
        "One value, and its projections",
        "`edit` corrects a word in a shopping list, in a temporary directory. The body returns one typed value, checked \
         against the output schema: the whole text before and after, for programs. The content is what the model reads: \
         that it is done. The meta is what a user interface draws from: the lines around the change. Content and meta are \
         pure functions of the arguments and the value.",
    )?;
    call(page, &dispatcher, "edit", CORRECT, 20).await
}

async fn reading(page: &mut Page, dispatcher: &Dispatcher, file: &str) -> Done {
    page.stop(
        "Reading and searching",
        "Here the meta is close to the value, since the card of a file shows its lines; the content has numbers and says how \
         to read on. A search returns every match; content and meta have as many as are useful, and the meta sorts them by \
         file.",
    )?;
    call(page, dispatcher, "read", &window(file), 12).await?;
    call(page, dispatcher, "glob", r#"{"pattern": "**/*.{md,toml}", "respect_gitignore": true}"#, 9).await?;
    call(
        page,
        dispatcher,
        "grep",
        r#"{"pattern": "(?i)licen[cs]e", "include": "*.{md,toml}", "respect_gitignore": true}"#,
        9,
    )
    .await
}

/// What a person sees, from the arguments and the meta alone.
async fn cards(page: &mut Page, dispatcher: &Dispatcher, file: &str) -> Done {
    page.stop(
        "The cards of a call",
        "A person sees cards: one for a call that runs, already while its arguments stream in, and one for its result. They \
         are drawn from the arguments and the meta, so a log can show them again. What a file or a model says can do \
         nothing to the terminal.",
    )?;
    card(page, dispatcher, "read", &window(file)).await?;
    let (_directory, shopping) = shopping()?;
    read_first(&shopping).await?;
    let cards = shopping.cards();
    page.gap()?;
    page.labelled("streaming", r#"edit {"path": "shopping.txt", "old_string": "chese", "new_string": "che"#)?;
    let half = cards.pending("edit", r#"{"path": "shopping.txt", "old_string": "chese", "new_string": "che"#);
    let drawn = page.cards(8).call(&half);
    page.card(&drawn)?;
    card(page, &shopping, "edit", CORRECT).await?;
    card(page, &shopping, "grep", r#"{"pattern": "e", "path": "shopping.txt"}"#).await?;
    card(page, &shopping, "read", r#"{"path": "\u001b[31mno such file"}"#).await
}

async fn card(page: &mut Page, dispatcher: &Dispatcher, tool: &str, arguments: &str) -> Done {
    page.gap()?;
    page.labelled("call", &format!("{tool} {arguments}"))?;
    let cards = dispatcher.cards();
    let call = cards.call(tool, arguments);
    let result = dispatcher.call(ToolCall::new("tour", tool, arguments)).await;
    let view = cards.live(arguments, &result);
    let terminal = page.cards(8);
    page.card(&terminal.call(&call))?;
    page.card(&terminal.result(&call, &view, &result.durable()))?;
    Ok(())
}

async fn failures(page: &mut Page, dispatcher: &Dispatcher, file: &str) -> Done {
    page.stop(
        "A failed call",
        "An error has a stable code and a sentence that the model can act on. It has no value.",
    )?;
    call(page, dispatcher, "read", r#"{"path": "no/such/file"}"#, 4).await?;
    call(page, dispatcher, "read", r#"{"path": "../outside"}"#, 4).await?;
    call(page, dispatcher, "raed", "{}", 4).await?;
    page.stop(
        "Bad arguments",
        "The schema that was published is the one that is enforced, before the body runs. Everything wrong is said at once.",
    )?;
    let misspelt = format!(r#"{{"path": {}, "ofset": 2, "limit": 100000}}"#, serde_json::json!(file));
    call(page, dispatcher, "read", &misspelt, 4).await?;
    call(page, dispatcher, "read", r#"{"path": "a", "path": "b"}"#, 4).await?;
    call(page, dispatcher, "read", r#"{"path": "READ"#, 4).await
}

async fn policies(page: &mut Page, dispatcher: &Dispatcher, file: &str) -> Done {
    let arguments = window(file);
    page.stop(
        "A policy replaces the content",
        "The model reads something else. Value and meta stay, so nothing is hidden from a program.",
    )?;
    call(page, &dispatcher.clone().policy(Summarise), "read", &arguments, 6).await?;
    page.stop(
        "A policy replaces the value",
        "`mask` takes out every letter and digit, as a host would take out keys and passwords. The new value is of the \
         tool's own type and is checked like the first; content and meta are made from it, so nothing is left anywhere.",
    )?;
    call(page, &dispatcher.clone().policy_for::<Read>(Mask), "read", &arguments, 10).await?;
    page.stop("A policy blocks", "The result becomes a failure: no value, no meta, and the feedback as it stands.")?;
    call(page, &dispatcher.clone().policy(BlockAll), "read", &arguments, 6).await?;
    page.stop(
        "A value that breaks its schema",
        "A body or a policy may make a wrong value; `forge` does. It is refused before anyone sees it, and every place that is \
         wrong is named.",
    )?;
    call(page, &dispatcher.clone().policy(Forge), "read", &arguments, 6).await
}

/// The tools that write, in a directory that goes away.
async fn writing(page: &mut Page) -> Done {
    let (_directory, dispatcher) = shopping()?;
    page.stop(
        "Writing, in a temporary directory",
        "These tools have a rule of their own: a file must be read before it is changed. The model learns what to do, does it, \
         and tries again.",
    )?;
    let write = r#"{"path": "shopping.txt", "content": "milk\n"}"#;
    call(page, &dispatcher, "write", write, 4).await?;
    call(page, &dispatcher, "read", r#"{"path": "shopping.txt", "limit": 1}"#, 6).await?;
    call(page, &dispatcher, "write", write, 14).await
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

/// A temporary directory with a file in it, and the tools on it.
fn shopping() -> Result<(tempfile::TempDir, Dispatcher), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    fs::write(
        directory.path().join("shopping.txt"),
        "apples\nbread\ndates\neggs\nflour\nham\nfigs\nrice\ntea\nchese\n",
    )?;
    let dispatcher = Dispatcher::new(file_tools(Workspace::open(directory.path())?)?);
    Ok((directory, dispatcher))
}

async fn read_first(dispatcher: &Dispatcher) -> Done {
    dispatcher.call(ToolCall::new("tour", "read", r#"{"path": "shopping.txt"}"#)).await.into_result()?;
    Ok(())
}

async fn call(page: &mut Page, dispatcher: &Dispatcher, tool: &str, arguments: &str, most: usize) -> Done {
    page.gap()?;
    page.labelled("call", &format!("{tool} {arguments}"))?;
    let result = dispatcher.call(ToolCall::new("tour", tool, arguments)).await;
    show(page, &result, most)
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
async fn first_readable(dispatcher: &Dispatcher) -> Result<String, Box<dyn Error>> {
    let found = dispatcher
        .call(ToolCall::new("tour", "glob", r#"{"pattern": "**", "respect_gitignore": true}"#))
        .await
        .into_result()?;
    let found = found.canonical().to_json();
    let mut paths: Vec<&str> = found["paths"].as_array().into_iter().flatten().filter_map(JsonValue::as_str).collect();
    paths.sort_by_key(|path| (*path != "Cargo.toml", path.matches('/').count(), *path));
    for path in paths {
        if dispatcher.call(ToolCall::new("tour", "read", window(path))).await.is_success() {
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
