//! Tools with every kind of output and every way to end.

use std::time::Duration;

use serde_json::json;
use tool_runtime::prelude::*;
use tool_runtime::{Block, Progress};

#[tool_output]
pub(crate) struct Sum {
    pub(crate) sum: i64,
}

/// Add two integers.
#[derive(Tool)]
#[tool(output = Sum, title = "Add", read_only, idempotent, present)]
pub(crate) struct Add {
    /// One.
    a: i64,
    /// The other.
    b: i64,
}

impl Execute for Add {
    async fn execute(&self, _: &Context) -> Result<Sum, ToolError> {
        Ok(Sum { sum: self.a + self.b })
    }
}

impl Render for Add {
    fn render(&self, output: &Sum) -> Content {
        Content::text(format!("{} + {} = {}", self.a, self.b, output.sum))
    }
}

#[tool_output]
pub(crate) struct Shown {
    pub(crate) token: String,
}

impl Present for Add {
    type Meta = Shown;

    fn meta(&self, _: &Sum) -> Shown {
        Shown { token: "tok-123".to_owned() }
    }
}

/// List names.
#[derive(Tool)]
#[tool(output = Vec<String>)]
pub(crate) struct Names {
    /// How many.
    #[serde(default)]
    count: u8,
}

impl Execute for Names {
    async fn execute(&self, _: &Context) -> Result<Vec<String>, ToolError> {
        Ok((0..self.count).map(|number| format!("name {number}")).collect())
    }
}

impl Render for Names {
    fn render(&self, names: &Vec<String>) -> Content {
        Content::text(names.join(", "))
    }
}

/// Do nothing.
#[derive(Tool)]
#[tool(output = (), render = json)]
pub(crate) struct Nothing {}

impl Execute for Nothing {
    async fn execute(&self, _: &Context) -> Result<(), ToolError> {
        Ok(())
    }
}

/// Show a picture.
#[derive(Tool)]
#[tool(output = u8)]
pub(crate) struct Picture {}

impl Execute for Picture {
    async fn execute(&self, _: &Context) -> Result<u8, ToolError> {
        Ok(7)
    }
}

impl Render for Picture {
    fn render(&self, _: &u8) -> Content {
        Content::from(Block::image(b"png", "image/png")).with_notice("one of two")
    }
}

/// End as it is told.
#[derive(Tool)]
#[tool(output = String, render = display)]
pub(crate) struct End {
    how: How,
}

#[tool_input]
#[serde(rename_all = "snake_case")]
pub(crate) enum How {
    Fail,
    Panic,
    Fatal,
}

impl Execute for End {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        match self.how {
            How::Fail => Err(ToolError::msg("the disk is full")),
            How::Panic => panic!("secret of the panic"),
            How::Fatal => Err(ToolError::msg("the licence is gone").fatal()),
        }
    }
}

/// Report, then wait to be cancelled.
#[derive(Tool)]
#[tool(output = String, render = display, parallel)]
pub(crate) struct Wait {
    #[serde(default)]
    reports: u64,
    #[serde(default)]
    millis: Option<u64>,
}

impl Execute for Wait {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        for report in 1..=self.reports {
            cx.progress(Progress::of(report, self.reports).with_message("going on"));
        }
        match self.millis {
            Some(millis) => tokio::time::sleep(Duration::from_millis(millis)).await,
            None => cx.cancelled().await,
        }
        Ok("waited".to_owned())
    }
}

/// A tool whose value is not what it declares.
fn lie() -> DynamicTool {
    DynamicTool::new("lie", "Return something else.", |_, _| async { Ok(json!({"n": "x"})) })
        .output_schema(json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}))
}

/// A tool that gives back its arguments.
fn echo() -> DynamicTool {
    DynamicTool::new("echo", "Give back.", |arguments, _| async move { Ok((*arguments).clone()) })
        .input_schema(json!({"type": "object"}))
        .output_schema(json!(true))
}

pub(crate) fn registry() -> Registry {
    let mut registry = toolset! { () => [Add, Names, Nothing, Picture, End, Wait] }.unwrap();
    registry.dynamic(lie()).unwrap().dynamic(echo()).unwrap();
    registry
}

pub(crate) fn dispatcher() -> Dispatcher {
    Dispatcher::new(registry())
}
