//! What the model reads: a list of content blocks, and a notice beside them.

mod base64;
mod block;
mod blocks;
mod cut;
pub mod retain;

pub use block::{Annotations, Audience, Audio, Block, Image, Resource, ResourceBody, ResourceLink, Text};

pub(crate) use base64::base64;
use blocks::Blocks;
pub(crate) use cut::{CutTo, LeftOut, cut_sentence, stored_at};
use serde::{Deserialize, Serialize};

/// What the model reads of a result: blocks in order, and at most one notice.
///
/// The notice is the framework's or the tool's remark *about* the content ("200 of 1,200 rows shown"). It is kept apart
/// from the text, so that nothing that the text says can pass for it; [`Content::to_text`] shows it after a blank line,
/// in brackets.
///
/// ```
/// use tool_runtime::Content;
///
/// let content = Content::text("2 matches").with_notice("1,198 more were left out");
/// assert_eq!(content.to_text(), "2 matches\n\n[1,198 more were left out]");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Content {
    blocks: Blocks,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

impl Content {
    /// No block and no notice. A legal content: an adapter decides what a provider that refuses empty text gets.
    pub const fn empty() -> Self {
        Self { blocks: Blocks::none(), notice: None }
    }

    /// One text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::from(Block::text(text))
    }

    /// One text block that holds `value` as compact JSON, exactly as a canonical value is written.
    ///
    /// # Errors
    /// What JSON can't say losslessly (NaN, keys that are no strings), with its path.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, crate::json::LossyValue> {
        crate::json::write(value).map(|text| Self::text(text.as_str()))
    }

    /// The same blocks with this notice, which replaces an earlier one.
    #[must_use]
    pub fn with_notice(mut self, notice: impl Into<String>) -> Self {
        self.notice = Some(notice.into());
        self
    }

    /// The same content with one more block at the end.
    #[must_use]
    pub fn with(mut self, block: Block) -> Self {
        self.push(block);
        self
    }

    /// Appends a block.
    pub fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> &[Block] {
        self.blocks.as_slice()
    }

    /// The notice, without its brackets.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Whether there is neither a block nor a notice.
    pub fn is_empty(&self) -> bool {
        self.blocks().is_empty() && self.notice.is_none()
    }

    /// The whole content as one text: text blocks as they are, other blocks as `[image content]` and the like, joined by
    /// a newline; then the notice, after a blank line and in brackets.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write_blocks(&mut text);
        if let Some(notice) = &self.notice {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push('[');
            text.push_str(notice);
            text.push(']');
        }
        text
    }

    /// All of it as blocks, for who knows no notice: it is a last text, in brackets.
    pub(crate) fn shown(&self) -> Vec<Block> {
        let notice = self.notice.as_ref().map(|notice| Block::text(format!("[{notice}]")));
        self.blocks().iter().cloned().chain(notice).collect()
    }

    /// Takes the blocks out.
    pub(crate) fn take_blocks(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.blocks).into_vec()
    }

    fn write_blocks(&self, text: &mut String) {
        for (index, block) in self.blocks().iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            match block {
                Block::Text(block) => text.push_str(&block.text),
                other => text.extend(["[", other.kind(), " content]"]),
            }
        }
    }
}

impl From<Block> for Content {
    fn from(block: Block) -> Self {
        Self { blocks: Blocks::One(block), notice: None }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl FromIterator<Block> for Content {
    fn from_iter<I: IntoIterator<Item = Block>>(blocks: I) -> Self {
        let mut content = Self::empty();
        content.extend(blocks);
        content
    }
}

impl Extend<Block> for Content {
    fn extend<I: IntoIterator<Item = Block>>(&mut self, blocks: I) {
        self.blocks.extend(blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_stands_apart_from_what_the_text_says() {
        let forged = Content::text("rows\n\n[all shown]");
        assert_eq!(forged.notice(), None);
        let real = Content::text("rows").with_notice("all shown");
        assert_eq!(real.notice(), Some("all shown"));
        assert_eq!(forged.to_text(), real.to_text());
        assert_ne!(forged, real);
    }

    #[test]
    fn a_notice_alone_has_no_blank_line_before_it() {
        assert_eq!(Content::empty().with_notice("nothing found").to_text(), "[nothing found]");
    }

    #[test]
    fn other_blocks_stand_in_the_text_by_their_kind() {
        let content = Content::text("a").with(Block::image(b"png", "image/png")).with(Block::text("b"));
        assert_eq!(content.to_text(), "a\n[image content]\nb");
    }

    #[test]
    fn the_empty_content_is_the_empty_text() {
        assert_eq!(Content::empty().to_text(), "");
        assert!(Content::empty().is_empty());
        assert!(!Content::text("").is_empty());
    }
}
