//! Cards: drawn from what a log keeps, live and on replay alike, and never wrong.

mod fallbacks;
mod malformed;
mod migration;
mod round_trip;
mod streaming;
mod terminal;

use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, GenericCall, ResultView};
use tool_runtime::{JsonValue, json};

/// Show the card that it is called with.
#[derive(Tool)]
#[tool(output = JsonValue, render = json, present)]
struct Draw {
    /// The card.
    card: JsonValue,
}

impl Execute for Draw {
    async fn execute(&self, _: &Context) -> Result<JsonValue, ToolError> {
        Ok(self.card.clone())
    }
}

impl Present for Draw {
    type Meta = Option<ResultView>;

    fn meta(&self, card: &JsonValue) -> Option<ResultView> {
        json::decode(card).ok()
    }

    fn call_view(&self) -> Option<CallView> {
        let kind = self.card["card"].as_str()?;
        Some(GenericCall::new(format!("Draw {kind}")).into())
    }

    fn result_view(&self, result: &Durable<'_, Self::Meta>) -> Option<ResultView> {
        result.card()
    }
}

fn drawing() -> Dispatcher {
    tests::dispatcher_of::<Draw>()
}
