//! Changes of files, line by line.

use super::page::{INDENT, Page, Style};
use crate::card::DiffHunk;

/// So many lines that stay the same are shown on each side of a change.
const CONTEXT: usize = 3;

pub(super) fn draw(page: &mut Page, diffs: &[DiffHunk]) {
    let mut path = None;
    for diff in diffs {
        if path != Some(diff.path()) {
            page.body(Style::Quiet, diff.path());
            path = Some(diff.path());
        }
        hunk(page, diff);
    }
}

/// What the two texts share at their ends is context; what is between is the one and then the other.
fn hunk(page: &mut Page, diff: &DiffHunk) {
    let old: Vec<&str> = diff.old_text().map(|old| old.lines().collect()).unwrap_or_default();
    let new: Vec<&str> = diff.new_text().lines().collect();
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let (removed, added) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
    let same = &new_rest[new_rest.len() - end..];
    let mut lines = |style, mark: char, lines: &[&str]| {
        for line in lines {
            page.text(style, &format!("{INDENT}{mark} "), line);
        }
    };
    lines(Style::Quiet, ' ', &new[start.saturating_sub(CONTEXT)..start]);
    lines(Style::Removed, '-', removed);
    lines(Style::Added, '+', added);
    lines(Style::Quiet, ' ', &same[..end.min(CONTEXT)]);
}
