//! Content within a limit: both ends of its text, the blocks that fit, and a notice of the rest.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::retain::{Keep, preview};
use super::{Block, Content, Text};

/// What stands where text was left out.
const GAP: &str = "\n…\n";

/// What a notice takes in [`Content::to_text`] beside its own text: a blank line and brackets.
const AROUND_NOTICE: usize = 4;

/// What was left out of a content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// How many bytes its text had.
    pub(crate) total: usize,
    /// How many of them stand before the gap; where nothing is left out, all of them.
    pub(crate) before: usize,
    /// How many are in the gap.
    pub(crate) text: usize,
    /// Whether there is a gap, in what was one JSON text.
    pub(crate) json: bool,
    /// How many blocks of other kinds are left out.
    pub(crate) others: Others,
}

impl LeftOut {
    /// What the reader is told, if all that is left out is gone.
    pub(crate) fn told(&self, limit: usize) -> String {
        let Self { before, text, json, others, .. } = self;
        let what = match (text, others.is_empty()) {
            (text, true) => format!("{text} bytes of text left out after the first {before}"),
            (0, false) => format!("{others} left out"),
            (text, false) => format!("{text} bytes of text after the first {before} and {others} left out"),
        };
        format!("{what}, to stay within {limit} bytes{}", if *json { NO_JSON } else { "" })
    }

    /// What the reader is told, if the whole text is kept at `locator`.
    pub(crate) fn told_with(&self, locator: &str, hint: &str) -> String {
        let Self { total, before, text, json, others } = self;
        let json = if *json { NO_JSON } else { "" };
        let rest = if others.is_empty() { String::new() } else { format!(" Left out and not stored: {others}.") };
        let stored = stored_at(locator, hint);
        format!("Omitted {text} of {total} bytes, after the first {before}{json}. {stored}{rest}")
    }
}

/// Where the whole is, for the reader.
pub(crate) fn stored_at(locator: &str, hint: &str) -> String {
    let space = if hint.is_empty() { "" } else { " " };
    format!("Full formatted result stored at: {locator}.{space}{hint}")
}

/// What the reader of a JSON text with a gap is told.
const NO_JSON: &str = "; what is left is a preview of JSON, and no JSON";

/// Blocks that are no text, by their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Others([usize; KINDS.len()]);

const KINDS: [&str; 4] = ["image", "audio", "resource", "resource_link"];

impl Others {
    fn add(&mut self, block: &Block) {
        if let Some(place) = KINDS.iter().position(|kind| *kind == block.kind()) {
            self.0[place] += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; KINDS.len()]
    }
}

/// `2 image blocks, 1 audio block`.
impl fmt::Display for Others {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (kind, count) in KINDS.iter().zip(self.0).filter(|(_, count)| *count > 0) {
            write!(f, "{separator}{count} {kind} block{}", if count == 1 { "" } else { "s" })?;
            separator = ", ";
        }
        Ok(())
    }
}

/// How much of a content stays, its notice included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutTo {
    /// Of its text.
    pub(crate) text: usize,
    /// Of all of it.
    pub(crate) all: usize,
}

/// A content that was cut.
pub(crate) struct Cut {
    pub(crate) content: Content,
    /// Whether the notice is whole: a limit may be too small for it.
    pub(crate) is_told: bool,
}

impl Content {
    /// What it takes of a limit: payloads, a byte between two blocks, and the notice as [`Self::to_text`] shows it.
    pub(crate) fn size(&self) -> usize {
        let payloads: usize = self.blocks().iter().map(Block::payload_bytes).sum();
        let notice = self.notice().map_or(0, |notice| notice.len() + AROUND_NOTICE);
        payloads + self.blocks().len().saturating_sub(1) + notice
    }

    /// What its text takes of a limit: the same without blocks of other kinds.
    pub(crate) fn text_size(&self) -> usize {
        let texts = self.blocks().iter().filter_map(text);
        let (bytes, blocks) = texts.fold((0, 0), |(bytes, blocks), text| (bytes + text.len(), blocks + 1_usize));
        bytes + blocks.saturating_sub(1) + self.notice().map_or(0, |notice| notice.len() + AROUND_NOTICE)
    }

    /// All of its text, as [`Self::to_text`] shows it without the notice; other blocks by their kind.
    pub(crate) fn text_of_blocks(&self) -> Cow<'_, str> {
        if let [Block::Text(only)] = self.blocks() {
            return only.text.as_str().into();
        }
        let mut joined = String::with_capacity(self.text_size());
        self.write_blocks(&mut joined);
        joined.into()
    }

    /// A copy within the limits, whose notice `tells` what is missing.
    ///
    /// The other blocks get what the text leaves them, and half of the limit at least; those that do not fit are left out
    /// whole. The text is cut in the middle, so that both its ends stay: the end is where an error is.
    pub(crate) fn cut(&self, limits: CutTo, tells: impl Fn(&LeftOut) -> String) -> Cut {
        let mut left_out = self.everything();
        let said = |left_out: &LeftOut| match self.notice() {
            Some(own) => format!("{own}; {}", tells(left_out)),
            None => tells(left_out),
        };
        // The longest that the notice can get, so that the real one always fits.
        let longest = said(&left_out).len() + AROUND_NOTICE;
        let (room, text_room) = (limits.all.saturating_sub(longest), limits.text.saturating_sub(longest));
        let texts: Vec<&str> = self.blocks().iter().filter_map(text).collect();
        let cost: usize = texts.iter().map(|text| text.len() + 1).sum();
        let (kept, others, taken) = kept_others(self.blocks(), room - cost.min(text_room).min(room.div_ceil(2)));
        left_out.others = others;
        let gap = Gap::in_texts(&texts, cost, text_room.min(room - taken));
        (left_out.before, left_out.text) = (gap.before, gap.omitted);
        left_out.json &= gap.omitted > 0;
        let mut content = Content::empty();
        let (mut text_index, mut other_index) = (0, 0);
        for block in self.blocks() {
            if text(block).is_some() {
                content.extend(gap.shown(block, text_index));
                text_index += 1;
            } else {
                if kept[other_index] {
                    content.push(block.clone());
                }
                other_index += 1;
            }
        }
        let mut notice = said(&left_out);
        let whole = notice.len();
        notice.truncate(notice.floor_char_boundary(limits.all.min(limits.text).saturating_sub(AROUND_NOTICE)));
        let is_told = notice.len() == whole;
        Cut { content: if notice.is_empty() { content } else { content.with_notice(notice) }, is_told }
    }

    /// All of it, as if it were left out.
    fn everything(&self) -> LeftOut {
        let total = self.blocks().iter().filter_map(text).map(str::len).sum();
        let mut others = Others::default();
        for block in self.blocks() {
            others.add(block);
        }
        let json = matches!(self.blocks(), [Block::Text(only)] if is_json(&only.text));
        LeftOut { total, before: total, text: total, json, others }
    }
}

fn text(block: &Block) -> Option<&str> {
    match block {
        Block::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// Whether a text is JSON that a gap would break.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '"']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Which of the blocks that are no text fit, in their order; which do not; and what those that fit take.
fn kept_others(blocks: &[Block], room: usize) -> (Vec<bool>, Others, usize) {
    let (mut others, mut taken) = (Others::default(), 0);
    let kept = blocks.iter().filter(|block| text(block).is_none()).map(|block| {
        let bytes = block.payload_bytes() + 1;
        let fits = taken + bytes <= room;
        if fits {
            taken += bytes;
        } else {
            others.add(block);
        }
        fits
    });
    (kept.collect(), others, taken)
}

/// Where text is left out: from a place in one block to a place in the same or a later one.
struct Gap {
    from: (usize, usize),
    to: (usize, usize),
    before: usize,
    omitted: usize,
    /// Whether there is room for a mark.
    is_marked: bool,
}

impl Gap {
    /// A gap that leaves `room` bytes, in two parts; each block costs one byte more than its text, so that their number is
    /// bounded too.
    fn in_texts(texts: &[&str], cost: usize, room: usize) -> Self {
        let total = texts.iter().map(|text| text.len()).sum();
        let end = (texts.len(), 0);
        if cost <= room {
            return Self { from: end, to: end, before: total, omitted: 0, is_marked: false };
        }
        let Some(room) = room.checked_sub(GAP.len() + 2) else {
            return Self { from: (0, 0), to: end, before: 0, omitted: total, is_marked: false };
        };
        let (mut head, mut tail) = (room.div_ceil(2), room / 2);
        let (mut from, mut before) = (end, 0);
        for (index, text) in texts.iter().enumerate() {
            if text.len() >= head {
                let cut = text.floor_char_boundary(head);
                (from, before) = ((index, cut), before + cut);
                break;
            }
            (head, before) = (head - text.len() - 1, before + text.len());
        }
        let (mut to, mut after) = (from, 0);
        for (index, text) in texts.iter().enumerate().skip(from.0).rev() {
            if text.len() >= tail || index == from.0 {
                let least = if index == from.0 { from.1 } else { 0 };
                let cut = text.ceil_char_boundary(text.len().saturating_sub(tail)).max(least);
                (to, after) = ((index, cut), after + text.len() - cut);
                break;
            }
            (tail, after) = (tail - text.len() - 1, after + text.len());
        }
        Self { from, to, before, omitted: total - before - after, is_marked: true }
    }

    /// What is shown of a text block.
    fn shown(&self, block: &Block, index: usize) -> Option<Block> {
        let Block::Text(whole) = block else { return None };
        let text = whole.text.as_str();
        let mut shown = String::new();
        if index < self.from.0 || index > self.to.0 {
            shown.push_str(text);
        } else if index == self.from.0 && self.is_marked {
            shown.push_str(&text[..self.from.1]);
            shown.push_str(GAP);
            if index == self.to.0 {
                shown.push_str(&text[self.to.1..]);
            }
        } else if index == self.to.0 && self.to.1 < text.len() {
            shown.push_str(&text[self.to.1..]);
        } else {
            return None;
        }
        Some(Block::Text(Text { text: shown, annotations: whole.annotations.clone() }))
    }
}

/// A sentence with its middle left out, in `limit` bytes altogether, and a mark that says so.
pub(crate) fn cut_sentence(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let mark = |cut: usize| format!(" [{cut} bytes left out] ");
    let keep = Keep::both_ends(limit.saturating_sub(mark(text.len()).len()));
    let ends = preview(text, keep);
    let mut sentence = String::with_capacity(limit);
    // A string takes all that is written to it.
    let _ = write!(sentence, "{}{}{}", ends.head(), mark(ends.omitted()), ends.tail());
    sentence.truncate(sentence.floor_char_boundary(limit));
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(limit: usize) -> CutTo {
        CutTo { text: limit, all: limit }
    }

    #[test]
    fn the_size_is_that_of_the_text_with_its_notice() {
        for content in [
            Content::empty(),
            Content::text("é"),
            Content::text("a").with(Block::text("")).with(Block::text("b")).with_notice("n"),
        ] {
            assert_eq!(content.size(), content.to_text().len(), "{content:?}");
            assert_eq!(content.text_size(), content.size());
        }
    }

    #[test]
    fn many_blocks_are_cut_in_the_middle_and_those_at_the_ends_stay() {
        let content: Content = (0..100).map(|index| Block::text(format!("block {index:02}"))).collect();
        let cut = content.cut(to(200), |left_out| left_out.told(200)).content;
        let text = cut.to_text();
        assert!(
            text.len() <= 200 && text.starts_with("block 00\nblock 01") && text.contains("\nblock 99\n\n["),
            "{text}"
        );
        let shown: usize = cut.blocks().iter().filter_map(super::text).map(str::len).sum();
        assert!(cut.notice().unwrap().starts_with(&format!("{} bytes of text", 800 - (shown - GAP.len()))), "{text}");
    }

    #[test]
    fn other_blocks_have_half_of_the_room_and_text_the_rest() {
        let content = Content::text("x".repeat(1000)).with(Block::image([0; 300], "image/png"));
        let cut = content.cut(to(1000), |left_out| left_out.told(1000)).content;
        assert_eq!(cut.blocks().len(), 2, "400 bytes fit into half of it");
        let cut = content.cut(to(700), |left_out| left_out.told(700)).content;
        assert_eq!(cut.blocks().len(), 1);
        assert!(cut.notice().unwrap().contains("and 1 image block left out"));
        // Where only the text has to be short, the picture is not in the way.
        let cut = content.cut(CutTo { text: 200, all: 1000 }, |left_out| left_out.told(200)).content;
        assert_eq!(cut.blocks().len(), 2);
        assert!(cut.text_size() <= 200, "{}", cut.text_size());
    }

    #[test]
    fn every_kind_of_block_has_a_name_of_its_own() {
        let others = [
            Block::image([], "image/png"),
            Block::audio([], "audio/wav"),
            Block::text_resource("a", ""),
            Block::resource_link("a", "a"),
        ];
        let mut counted = Others::default();
        for block in &others {
            counted.add(block);
        }
        counted.add(&others[1]);
        assert_eq!(counted.to_string(), "1 image block, 2 audio blocks, 1 resource block, 1 resource_link block");
    }

    #[test]
    fn a_sentence_keeps_both_ends_and_never_exceeds_its_limit() {
        let text = format!("begin {} end", "é".repeat(200));
        for limit in 0..text.len() {
            let cut = cut_sentence(&text, limit);
            assert!(cut.len() <= limit, "{limit}: {cut}");
            if limit > 60 {
                assert!(cut.starts_with("begin é") && cut.ends_with("é end"), "{cut}");
            }
        }
        assert_eq!(cut_sentence(&text, text.len()), text);
    }

    #[test]
    fn json_is_told_from_what_only_begins_like_it() {
        for json in ["{}", " [1, 2]", r#""text""#] {
            assert!(is_json(json), "{json}");
        }
        for text in ["", "[note] all", "{", "12", r#"{"a":1} and more"#] {
            assert!(!is_json(text), "{text}");
        }
    }
}
