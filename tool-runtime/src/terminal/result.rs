//! The cards of a result.

use super::page::{INDENT, Page, Style};
use super::text::printed;
use super::{call, diff};
use crate::card::{
    CallView, DurableResult, Exit, ReadResult, ResultView, SearchMatches, SearchPaths, SearchResult, TerminalResult,
    WebFetch, WebResult, WebSearch,
};

pub(super) fn draw(page: &mut Page, call: &CallView, view: &ResultView, result: &DurableResult<'_>) {
    let mark = if result.is_error() { "✗" } else { "✓" };
    page.title(mark, view.title().unwrap_or_else(|| call.title()));
    match view {
        ResultView::Generic(card) => match card.content() {
            Some(blocks) => call::blocks(page, blocks),
            None => call::blocks(page, &result.content().shown()),
        },
        ResultView::Terminal(card) => terminal(page, card),
        ResultView::Diff(card) => diff::draw(page, card.diffs()),
        ResultView::Read(card) => read(page, card),
        ResultView::Search(SearchResult::Matches(card)) => matches(page, card),
        ResultView::Search(SearchResult::Paths(card)) => paths(page, card),
        ResultView::Web(WebResult::Search(card)) => web_search(page, card),
        ResultView::Web(WebResult::Fetch(card)) => web_fetch(page, card),
    }
}

fn terminal(page: &mut Page, card: &TerminalResult) {
    if let Some(output) = card.output().filter(|output| !output.is_empty()) {
        let output: Vec<String> = output.split('\n').map(printed).collect();
        page.body(Style::Plain, output.join("\n").trim_end_matches('\n'));
    }
    match card.exit() {
        None => {}
        Some(Exit::Code(0)) => page.foot(Style::Quiet, "exit code 0"),
        Some(Exit::Code(code)) => page.foot(Style::Removed, &format!("exit code {code}")),
        Some(Exit::Signal(signal)) => page.foot(Style::Removed, &format!("ended by {signal}")),
    }
}

fn read(page: &mut Page, card: &ReadResult) {
    let digits = card.lines().last().map_or(1, |line| line.number().to_string().len());
    for line in card.lines() {
        page.text(Style::Plain, &format!("{INDENT}{:>digits$}  ", line.number()), line.text());
    }
    let total = counted(u64::from(card.total_lines()), "line", "lines");
    match (card.lines().first(), card.lines().last()) {
        (Some(first), Some(last)) if first.number() > 1 || last.number() < card.total_lines() => {
            page.foot(
                Style::Quiet,
                &format!("lines {} to {} of {}", first.number(), last.number(), card.total_lines()),
            );
        }
        (Some(_), _) => page.foot(Style::Quiet, &total),
        (None, _) if card.total_lines() == 0 => page.foot(Style::Quiet, "an empty file"),
        (None, _) => page.foot(Style::Quiet, &format!("no line from line {} on; {total} in all", card.offset())),
    }
}

fn matches(page: &mut Page, card: &SearchMatches) {
    for file in card.files() {
        page.body(Style::Quiet, file.path());
        for line in file.matches() {
            page.text(Style::Plain, &format!("{INDENT}{INDENT}{}: ", line.line_number()), line.line());
        }
    }
    let kept: usize = card.files().iter().map(|file| file.matches().len()).sum();
    page.foot(Style::Quiet, &found(kept, card.total(), card.truncated(), "match", "matches"));
}

fn paths(page: &mut Page, card: &SearchPaths) {
    for path in card.paths() {
        page.body(Style::Plain, path);
    }
    page.foot(Style::Quiet, &found(card.paths().len(), card.total(), card.truncated(), "path", "paths"));
}

fn web_search(page: &mut Page, card: &WebSearch) {
    if let Some(answer) = card.answer() {
        page.body(Style::Plain, answer);
    }
    for (index, source) in card.sources().iter().enumerate() {
        let number = index + 1;
        page.text(Style::Plain, &format!("{INDENT}{number}. "), source.title().unwrap_or_else(|| source.url()));
        let beneath = format!("{INDENT}{INDENT} ");
        if source.title().is_some() {
            page.text(Style::Quiet, &beneath, source.url());
        }
        for more in [source.published_at(), source.snippet()].into_iter().flatten() {
            page.text(Style::Quiet, &beneath, more);
        }
    }
    let count = counted(u64::try_from(card.sources().len()).unwrap_or(u64::MAX), "source", "sources");
    page.foot(Style::Quiet, &if card.truncated() { format!("{count}; others were left out") } else { count });
}

fn web_fetch(page: &mut Page, card: &WebFetch) {
    page.body(Style::Plain, card.url());
    let style = if card.status_code() < 400 { Style::Quiet } else { Style::Removed };
    let cut = if card.truncated() { "; the page was cut" } else { "" };
    page.foot(style, &format!("status {}{cut}", card.status_code()));
}

/// How many there are, and that not all are here.
fn found(kept: usize, total: u64, truncated: bool, one: &str, several: &str) -> String {
    match total {
        total if u64::try_from(kept).is_ok_and(|kept| kept < total) => format!("{kept} of {total} {several}"),
        total if truncated => format!("{}; there may be more", counted(total, one, several)),
        total => counted(total, one, several),
    }
}

fn counted(count: u64, one: &str, several: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {several}") }
}
