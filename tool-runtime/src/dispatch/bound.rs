//! Bound: nothing leaves that is larger than the limits, and what was cut is said.

use super::effects::MAY_HAVE_CHANGED;
use super::{Limits, TextProfile};
use crate::content::{Content, CutTo, LeftOut, cut_sentence};
use crate::json;
use crate::result::{Failure, Presented, ToolResult, Trace};

/// What a result may take.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Of its content, in bytes.
    pub(super) content: usize,
    /// Of its content and its extra contexts together.
    pub(super) share: usize,
}

/// A program gets the whole content; what goes to a model is bounded. It is told if the whole was to be kept elsewhere, and
/// is not.
pub(super) fn bound(result: &mut ToolResult, bounds: Bounds, is_kept: bool, limits: &Limits, profile: TextProfile) {
    let is_for_model = !result.course().is_for_program();
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
    if is_for_model && bound_content(content, bounds.content, !is_kept) {
        trace.warn(format!("the content was cut to {} bytes", bounds.content));
    }
    if !contexts.is_empty() {
        let left = bounds.share.saturating_sub(content.size());
        bound_contexts(contexts, limits.content_bytes.min(left), trace);
    }
    bound_meta(meta, limits.meta_bytes, trace);
}

/// The text of an error follows its message; what a policy chose in its place is content like any other.
pub(super) fn bound_error(failure: &mut Failure, limit: usize, profile: TextProfile) {
    if failure.error.message().len() <= limit {
        return;
    }
    let told = is_told(failure, profile);
    failure.error.set_message(cut_message(failure.error.message(), limit));
    if told {
        failure.content = profile.content(&failure.error);
    }
    failure.trace.warn(format!("the error's message was cut to {limit} bytes"));
}

/// Whether the model reads the error itself.
pub(super) fn is_told(failure: &Failure, profile: TextProfile) -> bool {
    profile.content(&failure.error) == failure.content
}

/// Cuts content to the limit, its notice included, and says whether it did.
fn bound_content(content: &mut Content, limit: usize, is_unkept: bool) -> bool {
    if content.size() <= limit {
        return false;
    }
    let unkept = if is_unkept { "; the whole could not be stored" } else { "" };
    let tells = |left_out: &LeftOut| format!("{}{unkept}", left_out.told(limit));
    *content = content.cut(CutTo { text: limit, all: limit }, tells).content;
    true
}

fn bound_contexts(contexts: &mut Vec<Content>, limit: usize, trace: &mut Trace) {
    let mut room = limit;
    let mut cut = false;
    contexts.retain_mut(|context| {
        if room == 0 {
            cut = true;
            return false;
        }
        cut |= bound_content(context, room, false);
        // An empty message counts too, so that their number is bounded.
        room = room.saturating_sub(context.size().max(1));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Block;

    #[test]
    fn what_fits_stays_as_it_is_to_the_last_byte() {
        for text in ["", "é", "four", "固固"] {
            let mut content = Content::text(text);
            assert!(!bound_content(&mut content, text.len(), false), "{text}");
            assert_eq!(content, Content::text(text));
        }
    }

    #[test]
    fn no_cut_splits_a_character_or_exceeds_the_limit() {
        for sample in ["é", "固", "👩‍👩‍👧", "✓ "] {
            let text = sample.repeat(200);
            for limit in 0..220 {
                let mut content = Content::text(text.as_str());
                assert!(bound_content(&mut content, limit, false));
                assert!(content.size() <= limit, "{limit}: {content:?}");
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
        assert!(bound_content(&mut content, 200, false));
        let Block::Text(text) = &content.blocks()[0] else { unreachable!() };
        let (before, after) = text.text.split_once("\n…\n").unwrap();
        let (cut, before) = (1000 - before.len() - after.len(), before.len());
        assert_eq!(
            content.notice().unwrap(),
            format!("page 1; {cut} bytes of text left out after the first {before}, to stay within 200 bytes")
        );
    }

    #[test]
    fn a_picture_that_does_not_fit_goes_whole_and_text_after_it_stays() {
        let mut content = Content::text("before").with(Block::image([0; 600], "image/png")).with(Block::text("after"));
        assert!(bound_content(&mut content, 300, false));
        assert_eq!(content.to_text(), "before\nafter\n\n[1 image block left out, to stay within 300 bytes]");
    }

    #[test]
    fn a_million_empty_blocks_are_bounded_too() {
        let mut content: Content = (0..1_000_000).map(|_| Block::text("")).collect();
        assert!(bound_content(&mut content, 1000, false));
        assert!(content.blocks().len() <= 1000);
    }

    #[test]
    fn contexts_share_one_limit() {
        let mut trace = Trace::default();
        let mut contexts = vec![Content::text("a".repeat(90)), Content::text("b".repeat(90)), Content::text("c")];
        bound_contexts(&mut contexts, 100, &mut trace);
        assert!(contexts.iter().map(Content::size).sum::<usize>() <= 100);
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
