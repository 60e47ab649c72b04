//! A complete small agent loop, over a model that follows a script.

use std::collections::VecDeque;
use std::fmt;

use tool_runtime::prelude::*;

// ANCHOR: model
/// What the model says in one step: words, and the calls that it makes.
struct Step {
    text: String,
    calls: Vec<(String, String, String)>,
}

/// A line of the conversation, as a provider's messages have it in one form or another.
enum Message {
    User(String),
    Assistant(Step),
    /// What the model reads of a call: its id, the content, and whether it is an error.
    ToolResult(String, Content, bool),
}

/// Whoever answers: a provider's client, or a script.
trait Model {
    async fn step(&mut self, tools: &str, messages: &[Message]) -> Step;
}
// ANCHOR_END: model

// ANCHOR: loop
/// Why a turn ended.
#[derive(Debug, PartialEq)]
enum End {
    /// The model has answered.
    Answered(String),
    /// A tool asked for it.
    Concluded,
    /// A failure from which the run can't go on.
    Fatal(String),
    /// The user cancelled.
    Cancelled,
    /// The model kept calling tools.
    TooManySteps,
}

/// One turn: from what the user says to the answer.
async fn turn(
    model: &mut impl Model,
    dispatcher: &Dispatcher,
    messages: &mut Vec<Message>,
    user: &str,
    cancellation: &Cancellation,
) -> End {
    const STEPS: usize = 20;
    messages.push(Message::User(user.to_owned()));
    dispatcher.reset_repeats();
    for _ in 0..STEPS {
        // The tools as they are now: the same bytes as long as they stay the same.
        let tools = dispatcher.registry().specs_json();
        let step = model.step(&tools, messages).await;
        let calls: Vec<ToolCall<'static>> =
            step.calls.iter().cloned().map(|(id, name, arguments)| ToolCall::new(id, name, arguments)).collect();
        if calls.is_empty() {
            let text = step.text.clone();
            messages.push(Message::Assistant(step));
            return End::Answered(text);
        }
        messages.push(Message::Assistant(step));

        // One result a call, in their order. Contexts come after all of them.
        let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
        let results = dispatcher.batch(calls, options).all().await;
        let mut contexts = Vec::new();
        let mut concludes = false;
        for result in &results {
            match result.for_model() {
                Ok(content) => messages.push(Message::ToolResult(
                    result.call_id().to_owned(),
                    content.clone(),
                    !result.is_success(),
                )),
                Err(fatal) => return End::Fatal(fatal.to_string()),
            }
            contexts.extend(result.contexts().iter().map(|context| Message::User(context.to_text())));
            concludes |= result.success().is_some_and(Success::concludes_turn);
        }
        messages.extend(contexts);
        if cancellation.is_cancelled() {
            return End::Cancelled;
        }
        if concludes {
            return End::Concluded;
        }
    }
    End::TooManySteps
}
// ANCHOR_END: loop

// ANCHOR: tools
/// Look up the stock of an article.
#[derive(Tool)]
#[tool(output = u32, render = display, read_only, parallel)]
struct Stock {
    /// The article.
    article: String,
}

/// Order an article.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Order {
    /// The article.
    article: String,
    /// How many.
    #[schemars(range(min = 1, max = 100))]
    count: u32,
}

/// Hand over to a person, and end the turn.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct HandOver {
    /// What the person is to know.
    summary: String,
}
// ANCHOR_END: tools

impl Execute for Stock {
    async fn execute(&self, _: &Context) -> Result<u32, ToolError> {
        Ok(if self.article == "lamp" { 2 } else { 40 })
    }
}

impl Execute for Order {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        const CLOSED: Code = Code::new("ACCOUNT_CLOSED");
        if self.article == "gold" {
            return Err(ToolError::new(CLOSED, "the account is closed").fatal());
        }
        cx.add_context("Orders arrive on Friday.");
        Ok(format!("ordered {} × {}", self.count, self.article))
    }
}

impl Execute for HandOver {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        cx.conclude_turn();
        Ok(format!("told: {}", self.summary))
    }
}

/// Says one step after another, whatever it is told.
struct Script(VecDeque<Step>);

impl Script {
    fn new(steps: impl IntoIterator<Item = (&'static str, Vec<(&'static str, &'static str)>)>) -> Self {
        let mut id = 0;
        let steps = steps.into_iter().map(|(text, calls)| {
            let calls = calls.into_iter().map(|(name, arguments)| {
                id += 1;
                (format!("call-{id}"), name.to_owned(), arguments.to_owned())
            });
            Step { text: text.to_owned(), calls: calls.collect() }
        });
        Self(steps.collect())
    }
}

impl Model for Script {
    async fn step(&mut self, _: &str, _: &[Message]) -> Step {
        self.0.pop_front().unwrap_or(Step { text: "…".to_owned(), calls: Vec::new() })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(text) => write!(f, "user       {text}"),
            Self::Assistant(Step { text, calls }) => {
                write!(f, "assistant  {text}")?;
                calls.iter().try_for_each(|(id, name, arguments)| write!(f, "\n  {id}   {name} {arguments}"))
            }
            Self::ToolResult(id, content, is_error) => {
                write!(f, "{}  {id} {}", if *is_error { "error    " } else { "result   " }, content.to_text())
            }
        }
    }
}

fn dispatcher() -> Dispatcher {
    Dispatcher::new(toolset! { () => [Stock, Order, HandOver] }.unwrap())
}

async fn played(mut script: Script, user: &str) -> String {
    let mut messages = Vec::new();
    let end = turn(&mut script, &dispatcher(), &mut messages, user, &Cancellation::new()).await;
    let lines: Vec<String> = messages.iter().map(ToString::to_string).collect();
    let end = match end {
        End::Answered(text) => format!("answered: {text}"),
        End::Concluded => "a tool ended the turn".to_owned(),
        End::Fatal(error) => format!("the run ends: {error}"),
        End::Cancelled => "cancelled".to_owned(),
        End::TooManySteps => "given up".to_owned(),
    };
    format!("{}\n=> {end}", lines.join("\n"))
}

#[tokio::test]
async fn a_turn_goes_on_until_the_model_answers() {
    let script = Script::new([
        ("Let me see.", vec![("stock", r#"{"article": "lamp"}"#), ("stock", r#"{"article": "chair"}"#)]),
        ("Lamps are low.", vec![("order", r#"{"article": "lamp", "count": 500}"#)]),
        ("At most 100.", vec![("order", r#"{"article": "lamp", "count": 100}"#)]),
        ("100 lamps are ordered, for Friday.", vec![]),
    ]);
    super::assert_shown("hosting.txt", &played(script, "Keep us in lamps and chairs.").await);
}

#[tokio::test]
async fn a_tool_or_a_fatal_failure_ends_a_turn() {
    let over = Script::new([("I can't decide this.", vec![("hand_over", r#"{"summary": "lamps or chairs?"}"#)])]);
    let fatal = Script::new([(
        "All of it.",
        vec![("order", r#"{"article": "gold", "count": 1}"#), ("order", r#"{"article": "lamp", "count": 1}"#)],
    )]);
    let text = format!("{}\n\n{}", played(over, "Choose.").await, played(fatal, "Order.").await);
    super::assert_shown("hosting_ends.txt", &text);
}

#[tokio::test]
async fn a_cancelled_turn_keeps_a_result_for_each_call() {
    let mut script = Script::new([("Let me see.", vec![("stock", r#"{"article": "lamp"}"#)])]);
    let (mut messages, cancellation) = (Vec::new(), Cancellation::new());
    cancellation.cancel();
    let end = turn(&mut script, &dispatcher(), &mut messages, "Look.", &cancellation).await;
    assert_eq!(end, End::Cancelled);
    assert!(matches!(&messages[..], [Message::User(_), Message::Assistant(_), Message::ToolResult(_, _, true)]));
}
