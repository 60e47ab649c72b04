//! Pruning: old results of which the model reads the start and the end alone.

use std::fmt;

use super::error::SessionError;
use super::event::{Event, ResultRecord, SurfaceOp};
use super::log::{Draft, Entry, SessionLog};
use super::track::Track;
use crate::content::{Block, Content};

const MARKER: &str = "\n\n[... tool result middle pruned ...]\n\n";

/// How much text of an old result stays for the model. Counts are Unicode code points.
///
/// The default: of more than 8192, the first 4096 and the last 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruning {
    threshold: usize,
    head: usize,
    tail: usize,
}

/// What would stay is more than what is let stay as it is, so that a second pass would prune again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPruning {
    kept: usize,
    threshold: usize,
}

impl Default for Pruning {
    fn default() -> Self {
        Self { threshold: 8192, head: 4096, tail: 1024 }
    }
}

impl Pruning {
    /// Of texts of more than `threshold` the first `head` and the last `tail` stay, with a marker between them.
    ///
    /// # Errors
    /// Head, marker and tail together are more than the threshold.
    pub fn new(threshold: usize, head: usize, tail: usize) -> Result<Self, InvalidPruning> {
        let kept = head.saturating_add(tail).saturating_add(MARKER.chars().count());
        if kept > threshold { Err(InvalidPruning { kept, threshold }) } else { Ok(Self { threshold, head, tail }) }
    }

    /// The content pruned; `None` if it stays as it is. Blocks that are no text stay, in their order, and so does the notice.
    pub fn prune(&self, content: &Content) -> Option<Content> {
        let texts = content.blocks().iter().filter_map(text_of);
        let total: usize = texts.map(|text| text.chars().count()).sum();
        if total <= self.threshold {
            return None;
        }
        let mut pruned = Content::empty();
        let (mut at, mut is_marked) = (0, false);
        for block in content.blocks() {
            let Block::Text(text) = block else {
                pruned.push(block.clone());
                continue;
            };
            let (start, end) = (at, at + text.text.chars().count());
            at = end;
            let mut kept = String::new();
            kept.extend(text.text.chars().take(self.head.saturating_sub(start)));
            // In the first block that is not kept whole.
            if end > self.head && !is_marked {
                kept.push_str(MARKER);
                is_marked = true;
            }
            let of_tail = end.saturating_sub((total - self.tail).max(start));
            kept.extend(text.text.chars().skip(end - start - of_tail));
            if !kept.is_empty() {
                let mut text = text.clone();
                text.text = kept;
                pruned.push(Block::Text(text));
            }
        }
        Some(match content.notice() {
            Some(notice) => pruned.with_notice(notice),
            None => pruned,
        })
    }

    /// The results of a log that are to be pruned, of those whose number is less than `before`: what the model reads of them
    /// from then on. Everything else of a result stays.
    ///
    /// # Errors
    /// An event of the log is not understood and may not be passed over.
    fn replacements(&self, log: &SessionLog, before: u64) -> Result<Vec<Draft>, SessionError> {
        log.understood()?;
        // What the model reads of each result now, by the number of its event.
        let mut surface: Vec<(u64, &ResultRecord)> = Vec::new();
        for entry in log.entries() {
            match (entry.event(), entry.surface_op(), entry.sources()) {
                (Event::ToolResult(result), Some(SurfaceOp::Replace), [replaced]) => {
                    if let Some((_, shown)) = surface.iter_mut().find(|(seq, _)| seq == replaced) {
                        *shown = result;
                    }
                }
                (Event::ToolResult(result), ..) => surface.push((entry.seq(), result)),
                _ => {}
            }
        }
        let old = surface.into_iter().filter(|(seq, _)| *seq < before);
        let pruned = old.filter_map(|(seq, result)| Some((seq, result, self.prune(&result.content)?)));
        Ok(pruned.map(|(seq, result, content)| replacement(seq, result, content)).collect())
    }

    /// The events that prune a log, numbered behind it, at the time of its last event; nothing, if there is nothing to prune.
    ///
    /// # Errors
    /// An event of the log is not understood and may not be passed over.
    pub fn entries(&self, log: &SessionLog, before: u64) -> Result<Vec<Entry>, SessionError> {
        let time = log.entries().last().map_or(0, Entry::time);
        let numbered = self.replacements(log, before)?.into_iter().zip(log.next_seq()..);
        numbered.map(|(draft, seq)| draft.entry(seq, time)).collect()
    }
}

impl super::Session {
    /// Prunes the results whose number is less than `before`: the model reads the start and the end of them alone from now on,
    /// and cards stay as they were. Gives how many were pruned; a second time nothing is.
    ///
    /// # Errors
    /// The log can't be read or written.
    pub async fn prune(&self, pruning: &Pruning, before: u64) -> Result<usize, SessionError> {
        let replacements = pruning.replacements(&self.log().await?, before)?;
        let pruned = replacements.len();
        self.append(|_: &Track| replacements).await?;
        Ok(pruned)
    }
}

fn replacement(seq: u64, result: &ResultRecord, content: Content) -> Draft {
    let event = Event::ToolResult(ResultRecord { content, ..result.clone() });
    Draft { surface_op: Some(SurfaceOp::Replace), ..Draft::new(event).citing(Some(seq)) }
}

fn text_of(block: &Block) -> Option<&str> {
    match block {
        Block::Text(text) => Some(&text.text),
        _ => None,
    }
}

impl fmt::Display for InvalidPruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, threshold } = self;
        write!(f, "head, marker and tail are {kept} code points, more than the threshold of {threshold}")
    }
}

impl std::error::Error for InvalidPruning {}
