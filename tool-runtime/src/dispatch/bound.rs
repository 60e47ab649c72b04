//! Bound: nothing leaves that is larger than the limits, and what was cut is said.

use super::effects::MAY_HAVE_CHANGED;
use super::{Limits, TextProfile};
use crate::content::{Block, Content};
use crate::json;
use crate::result::{Failure, Presented, ToolResult, Trace};

pub(super) fn bound(result: &mut ToolResult, limits: &Limits, profile: TextProfile) {
    if let ToolResult::Failure(failure) = result {
        bound_error(failure, limits.error_bytes, profile);
    }
    let (content, contexts, meta, trace) = match result {
        ToolResult::Success(success) => {
            (&mut success.content, &mut success.contexts, &mut success.meta, &mut success.trace)
        }
        ToolResult::Failure(failure) => {
            (&mut failure.content, &mut failure.contexts, &mut failure.meta, &mut failure.trace)
        }
    };
    if bound_content(content, limits.content_bytes) {
        trace.warn(format!("the content was cut to {} bytes", limits.content_bytes));
    }
    bound_contexts(contexts, limits.content_bytes, trace);
    bound_meta(meta, limits.meta_bytes, trace);
}

/// The text of an error follows its message; what a policy chose in its place is content like any other.
fn bound_error(failure: &mut Failure, limit: usize, profile: TextProfile) {
    if failure.error.message().len() <= limit {
        return;
    }
    let told = profile.content(&failure.error) == failure.content;
    failure.error.set_message(cut_message(failure.error.message(), limit));
    if told {
        failure.content = profile.content(&failure.error);
    }
    failure.trace.warn(format!("the error's message was cut to {limit} bytes"));
}

/// Cuts content to the limit, its notice included, and says whether it did.
///
/// Each block after the first counts one byte more than its payload, so that their number is bounded too.
fn bound_content(content: &mut Content, limit: usize) -> bool {
    let total = size(content);
    if total <= limit {
        return false;
    }
    // The longest that the notice can get, so that the real one always fits.
    let longest = notice(content.notice(), total, content.blocks().len(), limit);
    let mut room = limit.saturating_sub(longest.len());
    let (mut cut_bytes, mut left_out) = (0, 0);
    let mut kept = Vec::new();
    for mut block in content.take_blocks() {
        let separator = usize::from(!kept.is_empty());
        let bytes = block.payload_bytes();
        if bytes + separator <= room {
            room -= bytes + separator;
        } else if let (Block::Text(text), true) = (&mut block, room > separator) {
            let end = text.text.floor_char_boundary(room - separator);
            cut_bytes += bytes - end;
            text.text.truncate(end);
            room = 0;
        } else {
            match block {
                Block::Text(_) => cut_bytes += bytes,
                _ => left_out += 1,
            }
            continue;
        }
        kept.push(block);
    }
    let mut said = notice(content.notice(), cut_bytes, left_out, limit);
    said.truncate(said.floor_char_boundary(limit));
    *content = kept.into_iter().collect::<Content>();
    if !said.is_empty() {
        *content = std::mem::take(content).with_notice(said);
    }
    true
}

fn size(content: &Content) -> usize {
    let payloads: usize = content.blocks().iter().map(Block::payload_bytes).sum();
    payloads + content.blocks().len().saturating_sub(1) + content.notice().map_or(0, str::len)
}

/// What the reader is told: the content's own notice, then what this limit took.
fn notice(own: Option<&str>, cut_bytes: usize, left_out: usize, limit: usize) -> String {
    let own = own.map(|own| format!("{own}; ")).unwrap_or_default();
    let what = match (cut_bytes, left_out) {
        (bytes, 0) => format!("{bytes} bytes of text"),
        (0, blocks) => format!("{blocks} blocks that are no text"),
        (bytes, blocks) => format!("{bytes} bytes of text and {blocks} other blocks"),
    };
    format!("{own}{what} left out here, to stay within {limit} bytes")
}

fn bound_contexts(contexts: &mut Vec<Content>, limit: usize, trace: &mut Trace) {
    let mut room = limit;
    let mut cut = false;
    contexts.retain_mut(|context| {
        if room == 0 {
            cut = true;
            return false;
        }
        cut |= bound_content(context, room);
        // An empty message counts too, so that their number is bounded.
        room = room.saturating_sub(size(context).max(1));
        true
    });
    if cut {
        trace.warn(format!("the extra contexts were cut to {limit} bytes"));
    }
}

/// Cut JSON is none, so meta that is too large goes whole; the card is then the generic one.
fn bound_meta(meta: &mut Option<Box<Presented>>, limit: usize, trace: &mut Trace) {
    let bytes = meta.as_ref().and_then(|meta| json::write(&meta.meta).ok()).map_or(0, |text| text.as_str().len());
    if bytes > limit {
        *meta = None;
        trace.warn(format!("the presentation meta had {bytes} bytes, more than {limit}, and was left out"));
    }
}

/// A message cut to the limit. That something may have changed is said in any case.
fn cut_message(message: &str, limit: usize) -> String {
    match (message.strip_suffix(MAY_HAVE_CHANGED), limit.checked_sub(MAY_HAVE_CHANGED.len())) {
        (Some(said), Some(room)) => cut_sentence(said, room) + MAY_HAVE_CHANGED,
        _ => cut_sentence(message, limit),
    }
}

/// A sentence cut at a character, with a mark that says so, in `limit` bytes altogether.
fn cut_sentence(text: &str, limit: usize) -> String {
    let mark = |cut: usize| format!(" [{cut} bytes more]");
    let end = text.floor_char_boundary(limit.saturating_sub(mark(text.len()).len()));
    let mut sentence = text[..end].to_owned();
    sentence.push_str(&mark(text.len() - end));
    sentence.truncate(sentence.floor_char_boundary(limit));
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_as_it_is_to_the_last_byte() {
        for text in ["", "é", "four", "固固"] {
            let mut content = Content::text(text);
            assert!(!bound_content(&mut content, text.len()), "{text}");
            assert_eq!(content, Content::text(text));
        }
    }

    #[test]
    fn no_cut_splits_a_character_or_exceeds_the_limit() {
        for sample in ["é", "固", "👩‍👩‍👧", "✓ "] {
            let text = sample.repeat(200);
            for limit in 0..220 {
                let mut content = Content::text(text.as_str());
                assert!(bound_content(&mut content, limit));
                assert!(size(&content) <= limit, "{limit}: {content:?}");
                assert!(cut_sentence(&text, limit).len() <= limit);
            }
        }
    }

    #[test]
    fn a_message_that_is_cut_still_says_that_something_may_have_changed() {
        let message = format!("{}{MAY_HAVE_CHANGED}", "é".repeat(200));
        for limit in 0..400 {
            let cut = cut_message(&message, limit);
            assert!(cut.len() <= limit, "{limit}: {cut}");
            assert_eq!(cut.ends_with(MAY_HAVE_CHANGED), limit >= MAY_HAVE_CHANGED.len(), "{limit}: {cut}");
        }
    }

    #[test]
    fn the_notice_counts_exactly_and_keeps_the_content_s_own() {
        let mut content = Content::text("x".repeat(1000)).with_notice("page 1");
        assert!(bound_content(&mut content, 200));
        let Block::Text(text) = &content.blocks()[0] else { unreachable!() };
        let cut = 1000 - text.text.len();
        assert_eq!(
            content.notice().unwrap(),
            format!("page 1; {cut} bytes of text left out here, to stay within 200 bytes")
        );
    }

    #[test]
    fn a_picture_that_does_not_fit_goes_whole_and_text_after_it_stays() {
        let mut content = Content::text("before").with(Block::image([0; 600], "image/png")).with(Block::text("after"));
        assert!(bound_content(&mut content, 300));
        assert_eq!(
            content.to_text(),
            "before\nafter\n\n[1 blocks that are no text left out here, to stay within 300 bytes]"
        );
    }

    #[test]
    fn a_million_empty_blocks_are_bounded_too() {
        let mut content: Content = (0..1_000_000).map(|_| Block::text("")).collect();
        assert!(bound_content(&mut content, 1000));
        assert!(content.blocks().len() <= 1000);
    }

    #[test]
    fn contexts_share_one_limit() {
        let mut trace = Trace::default();
        let mut contexts = vec![Content::text("a".repeat(90)), Content::text("b".repeat(90)), Content::text("c")];
        bound_contexts(&mut contexts, 100, &mut trace);
        assert!(contexts.iter().map(size).sum::<usize>() <= 100);
        assert_eq!(trace.warnings(), ["the extra contexts were cut to 100 bytes"]);
    }

    #[test]
    fn meta_that_is_too_large_goes_whole_and_the_trace_says_so() {
        let meta = serde_json::json!({"a": "x".repeat(50)});
        let (mut trace, mut meta) = (Trace::default(), Some(Box::new(Presented { meta, version: 1 })));
        bound_meta(&mut meta, 20, &mut trace);
        assert!(meta.is_none());
        assert_eq!(trace.warnings(), ["the presentation meta had 58 bytes, more than 20, and was left out"]);
    }
}
