//! The cards of a call.

use super::diff;
use super::page::{Page, Style};
use crate::card::{CallView, GenericCall, Location, TerminalCall, ToolKind};
use crate::content::{Block, ResourceBody};
use crate::json::JsonValue;

pub(super) fn draw(page: &mut Page, view: &CallView) {
    match view {
        CallView::Generic(card) => generic(page, card),
        CallView::Terminal(card) => terminal(page, card),
        CallView::Diff(card) => {
            page.title(mark(ToolKind::Edit), card.title());
            diff::draw(page, card.diffs());
        }
    }
}

fn generic(page: &mut Page, card: &GenericCall) {
    page.title(mark(card.kind()), card.title());
    for location in card.locations() {
        place(page, card.title(), location);
    }
    match card.raw_input() {
        None => {}
        Some(JsonValue::String(input)) => page.body(Style::Quiet, input),
        Some(input) => {
            page.body(Style::Quiet, &serde_json::to_string_pretty(input).unwrap_or_else(|_| input.to_string()));
        }
    }
    blocks(page, card.content().unwrap_or_default());
}

/// A place that the title does not name already.
fn place(page: &mut Page, title: &str, location: &Location) {
    match location.line() {
        Some(line) => page.body(Style::Quiet, &format!("{}:{line}", location.path())),
        None if title.contains(location.path()) => {}
        None => page.body(Style::Quiet, location.path()),
    }
}

fn terminal(page: &mut Page, card: &TerminalCall) {
    if let Some(description) = card.description() {
        page.body(Style::Quiet, description);
    }
    page.title(mark(ToolKind::Execute), card.title());
    if let Some(cwd) = card.cwd() {
        page.body(Style::Quiet, &format!("in {cwd}"));
    }
}

fn mark(kind: ToolKind) -> &'static str {
    match kind {
        ToolKind::Read => "≡",
        ToolKind::Edit => "±",
        ToolKind::Delete => "-",
        ToolKind::Move => "→",
        ToolKind::Search => "?",
        ToolKind::Execute => "$",
        ToolKind::Fetch => "↓",
        ToolKind::Other => "•",
    }
}

/// Text as it is, and the rest by what it is.
pub(super) fn blocks(page: &mut Page, blocks: &[Block]) {
    for block in blocks {
        match block {
            Block::Text(block) => page.body(Style::Plain, &block.text),
            Block::Image(block) => page.body(Style::Quiet, &format!("[image, {}]", block.mime_type)),
            Block::Audio(block) => page.body(Style::Quiet, &format!("[audio, {}]", block.mime_type)),
            Block::ResourceLink(block) => page.body(Style::Quiet, &format!("[{}: {}]", block.name, block.uri)),
            Block::Resource(block) => match &block.resource {
                ResourceBody::Text { uri, text, .. } => {
                    page.body(Style::Quiet, &format!("[{uri}]"));
                    page.body(Style::Plain, text);
                }
                ResourceBody::Blob { uri, .. } => page.body(Style::Quiet, &format!("[{uri}]")),
            },
        }
    }
}
