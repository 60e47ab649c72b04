//! What is no `Error`, and must be turned into one.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use tool_runtime::prelude::*;

// ANCHOR: convert
fn amount(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{text:?} is no amount; write a whole number"))
}

fn rate() -> Result<u32, Box<dyn Error + Send + Sync>> {
    Err("the rates are not there yet; try again later".into())
}

/// Convert an amount.
#[derive(Tool)]
#[tool(output = u32, render = display)]
struct Convert {
    amount: String,
}

impl Execute<Mutex<Option<u32>>> for Convert {
    async fn execute(&self, cx: &Context<Mutex<Option<u32>>>) -> Result<u32, ToolError> {
        let amount = amount(&self.amount).map_err(ToolError::msg)?; // a text
        let mut known = cx.state().lock().unwrap_or_else(PoisonError::into_inner); // a lock: no `?`
        let rate = match *known {
            Some(rate) => rate,
            None => *known.insert(rate().map_err(ToolError::from_boxed)?), // a boxed error
        };
        Ok(amount * rate)
    }
}
// ANCHOR_END: convert

#[tokio::test]
async fn what_is_no_error_is_turned_into_one() {
    let convert = async |rate: Option<u32>, arguments: &str| {
        let dispatcher = Dispatcher::new(toolset! { Mutex::new(rate) => [Convert] }.unwrap());
        dispatcher.call(ToolCall::new("call", "convert", arguments)).await.content().to_text()
    };
    assert_eq!(convert(Some(3), r#"{"amount": "2"}"#).await, "6");
    let shown = [convert(None, r#"{"amount": "two"}"#).await, convert(None, r#"{"amount": "2"}"#).await];
    super::assert_shown("convert.txt", &shown.join("\n"));
}
