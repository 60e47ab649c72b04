//! The stops of the tour, in order.

use std::error::Error;
use std::fs;

use examples::tools::{Read, file_tools};
use examples::workspace::Workspace;
use tool_runtime::prelude::*;
use tool_runtime::{JsonValue, ToolSpec, serde_json};

use crate::page::{Page, laid_out};
use crate::policies::{BlockAll, Forge, Mask, Summarise};

type Done = Result<(), Box<dyn Error>>;

/// A tool that returns the wrong type, and what the compiler says: a compile-fail case of the test suite with its golden.
const WRONG_TYPE: &str = include_str!("../../../../tests/tests/ui/body/returns_other_type.rs");
const COMPILE_ERROR: &str = include_str!("../../../../tests/tests/ui/body/returns_other_type.stderr");

pub(crate) async fn all(page: &mut Page, workspace: Workspace) -> Done {
    let registry = file_tools(workspace.clone())?;
    let dispatcher = Dispatcher::new(registry.clone());
    page.title(
        "A tool is written once, as Rust types.",
        &format!("Five file tools, at work in {}.", workspace.root().display()),
    )?;
    schemas(page, &registry)?;
    let file = success(page, &dispatcher).await?;
    search(page, &dispatcher).await?;
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

/// A call that succeeds, on the first file that there is to read; its path is what later stops read too.
async fn success(page: &mut Page, dispatcher: &Dispatcher) -> Result<String, Box<dyn Error>> {
    page.stop(
        "One value, and its projections",
        "The body returns one typed value, checked against the output schema. The model reads the content, a user interface \
         draws from the meta; both are pure functions of the value.",
    )?;
    let (file, result) = first_readable(dispatcher).await?;
    page.gap()?;
    page.labelled("call", &format!("read {}", window(&file)))?;
    show(page, &result, 16)?;
    Ok(file)
}

async fn search(page: &mut Page, dispatcher: &Dispatcher) -> Done {
    page.stop("Search", "The value holds every match; the text for the model holds as many as are useful.")?;
    call(page, dispatcher, "glob", r#"{"pattern": "**/*.{md,toml}", "respect_gitignore": true}"#, 8).await?;
    call(
        page,
        dispatcher,
        "grep",
        r#"{"pattern": "(?i)licen[cs]e", "include": "*.{md,toml}", "respect_gitignore": true}"#,
        8,
    )
    .await
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
    let misspelt = serde_json::json!({"path": file, "ofset": 2, "limit": 100_000}).to_string();
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
        "The new value is of the tool's own type and is checked like the first; content and meta are made from it.",
    )?;
    call(page, &dispatcher.clone().policy_for::<Read>(Mask), "read", &arguments, 10).await?;
    page.stop("A policy blocks", "The result becomes a failure: no value, no meta, and the feedback as it stands.")?;
    call(page, &dispatcher.clone().policy(BlockAll), "read", &arguments, 6).await?;
    page.stop(
        "A value that breaks its schema",
        "Whoever made it, body or policy: it is refused before anyone sees it, with every place that is wrong.",
    )?;
    call(page, &dispatcher.clone().policy(Forge), "read", &arguments, 6).await
}

/// The tools that write, in a directory that goes away.
async fn writing(page: &mut Page) -> Done {
    let directory = tempfile::tempdir()?;
    fs::write(directory.path().join("shopping.txt"), "apples\nbread\nchese\n")?;
    let dispatcher = Dispatcher::new(file_tools(Workspace::open(directory.path())?)?);
    page.stop(
        "Writing, in a temporary directory",
        "A file is changed only by who has read it, and the meta holds the change for a user interface to draw.",
    )?;
    let edit = r#"{"path": "shopping.txt", "old_string": "chese", "new_string": "cheese"}"#;
    call(page, &dispatcher, "edit", edit, 4).await?;
    call(page, &dispatcher, "read", r#"{"path": "shopping.txt"}"#, 12).await?;
    call(page, &dispatcher, "edit", edit, 14).await?;
    call(page, &dispatcher, "write", r#"{"path": "new/list.txt", "content": "milk\n"}"#, 8).await
}

fn compile_error(page: &mut Page) -> Done {
    page.stop(
        "A tool that returns the wrong type",
        "does not compile. This is the case and the compiler's answer, as the test suite holds them.",
    )?;
    page.gap()?;
    page.verbatim(WRONG_TYPE)?;
    page.gap()?;
    page.verbatim(COMPILE_ERROR)?;
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

/// A file that `read` can show, and the result of reading its first lines: a well-known one, or the first that is text.
async fn first_readable(dispatcher: &Dispatcher) -> Result<(String, ToolResult), Box<dyn Error>> {
    let found = dispatcher
        .call(ToolCall::new("tour", "glob", r#"{"pattern": "**", "respect_gitignore": true}"#))
        .await
        .into_result()?;
    let found = found.canonical().to_json();
    let mut paths: Vec<&str> = found["paths"].as_array().into_iter().flatten().filter_map(JsonValue::as_str).collect();
    paths.sort_by_key(|path| (*path != "Cargo.toml", path.matches('/').count(), *path));
    for path in paths {
        let result = dispatcher.call(ToolCall::new("tour", "read", window(path))).await;
        if result.is_success() {
            return Ok((path.to_owned(), result));
        }
    }
    Err("there is no text file in this directory to show; name another: cargo run -- DIR".into())
}

fn window(path: &str) -> String {
    serde_json::json!({ "path": path, "limit": 4 }).to_string()
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
