//! What is seen of a call: drawn by the same code live and on replay.

use tool_runtime::present::{CallView, DurableResult, GenericCall};
use tool_runtime::{Cards, Content};

use crate::page::Page;

/// How much of a card is shown, and of what the model reads; the rest is counted.
const CARD_LINES: usize = 8;
const CONTENT_LINES: usize = 20;

/// The cards of a call, from its name, the text of its arguments and what a log keeps of its result.
pub(crate) fn cards_of(
    page: &Page,
    cards: &Cards,
    name: &str,
    arguments: &str,
    result: Option<&DurableResult<'_>>,
) -> String {
    let terminal = page.cards(CARD_LINES);
    let call = cards.call(name, arguments);
    let mut drawn = terminal.call(&call);
    if let Some(result) = result {
        drawn.push_str(&terminal.result(&call, &cards.result(name, arguments, result), result));
    }
    drawn
}

/// What the model reads of a result.
pub(crate) fn reading_of(page: &Page, content: &Content) -> String {
    let read: CallView = GenericCall::new("The model reads").with_content(content).into();
    page.cards(CONTENT_LINES).call(&read)
}
