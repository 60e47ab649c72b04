//! A window of a file.

use serde::{Deserialize, Serialize};

use super::InvalidCard;

/// A window of a file: where it begins, its lines, and how many there are in all.
///
/// The numbers of the lines rise, begin at the offset or behind it, and end at the total or before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Unchecked")]
pub struct ReadResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    path: String,
    offset: u32,
    lines: Vec<NumberedLine>,
    total_lines: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    lang: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
}

/// A line with its number, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedLine {
    number: u32,
    text: String,
}

/// The card as it comes from JSON.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Unchecked {
    title: Option<String>,
    path: String,
    offset: u32,
    lines: Vec<NumberedLine>,
    total_lines: u32,
    lang: Option<String>,
    content: Option<String>,
}

impl TryFrom<Unchecked> for ReadResult {
    type Error = InvalidCard;

    fn try_from(card: Unchecked) -> Result<Self, InvalidCard> {
        let Unchecked { title, path, offset, lines, total_lines, lang, content } = card;
        check(offset, &lines, total_lines)?;
        Ok(Self { title, path, offset, lines, total_lines, lang, content })
    }
}

fn check(offset: u32, lines: &[NumberedLine], total_lines: u32) -> Result<(), InvalidCard> {
    if offset == 0 {
        return Err(InvalidCard::new("the offset is 0, and lines are counted from 1"));
    }
    let mut before = offset - 1;
    for line in lines {
        if line.number <= before {
            return Err(InvalidCard::new(format!("line {} does not come after line {before}", line.number)));
        }
        if line.number > total_lines {
            return Err(InvalidCard::new(format!("there is a line {}, and {total_lines} in all", line.number)));
        }
        before = line.number;
    }
    Ok(())
}

impl ReadResult {
    /// A window that begins at line `offset`, with its lines and their numbers, of a file with so many lines.
    ///
    /// ```
    /// use tool_runtime::present::ReadResult;
    ///
    /// let window = ReadResult::new("a.txt", 2, 9, [(2, "two"), (3, "three")])?;
    /// assert_eq!(window.lines()[1].text(), "three");
    /// assert!(ReadResult::new("a.txt", 2, 9, [(1, "one")]).is_err());
    /// # Ok::<(), tool_runtime::present::InvalidCard>(())
    /// ```
    ///
    /// # Errors
    /// The offset is 0, or the numbers don't rise from it on to the total.
    pub fn new<T: Into<String>>(
        path: impl Into<String>,
        offset: u32,
        total_lines: u32,
        lines: impl IntoIterator<Item = (u32, T)>,
    ) -> Result<Self, InvalidCard> {
        let numbered = |(number, text): (u32, T)| NumberedLine { number, text: text.into() };
        let lines: Vec<_> = lines.into_iter().map(numbered).collect();
        check(offset, &lines, total_lines)?;
        Ok(Self { title: None, path: path.into(), offset, lines, total_lines, lang: None, content: None })
    }

    /// The same card with a title in the place of the call's.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The same card with the language of the file, for colours.
    #[must_use]
    pub fn with_lang(mut self, lang: impl Into<String>) -> Self {
        self.lang = Some(lang.into());
        self
    }

    /// The same card with its plain text, for a user interface that has no such card.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<String>) -> Self {
        self.content = Some(content.into());
        self
    }

    /// One line; the call's title stays if there is none.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The first line that was asked for, counted from 1; kept when no line came back.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// The lines.
    pub fn lines(&self) -> &[NumberedLine] {
        &self.lines
    }

    /// How many lines the file has.
    pub fn total_lines(&self) -> u32 {
        self.total_lines
    }

    /// The language, for colours.
    pub fn lang(&self) -> Option<&str> {
        self.lang.as_deref()
    }

    /// The plain text, for a user interface that has no such card.
    pub fn content(&self) -> Option<&str> {
        self.content.as_deref()
    }
}

impl NumberedLine {
    /// The number, counted from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The text, without its line end.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_lines_rise_from_the_offset_to_the_total() {
        let made = |offset, total, numbers: &[u32]| {
            ReadResult::new("a", offset, total, numbers.iter().map(|&number| (number, "")))
                .map(|_| ())
                .map_err(|why| why.to_string())
        };
        assert_eq!(made(1, 0, &[]), Ok(()), "an empty file");
        assert_eq!(made(5, 2, &[]), Ok(()), "an offset behind the end");
        assert_eq!(made(2, 9, &[2, 4, 9]), Ok(()));
        assert_eq!(made(u32::MAX, u32::MAX, &[u32::MAX]), Ok(()));
        let wrong = |offset, total, numbers: &[u32]| made(offset, total, numbers).unwrap_err();
        assert_eq!(wrong(0, 9, &[]), "the offset is 0, and lines are counted from 1");
        assert_eq!(wrong(2, 9, &[1]), "line 1 does not come after line 1");
        assert_eq!(wrong(2, 9, &[3, 3]), "line 3 does not come after line 3");
        assert_eq!(wrong(2, 9, &[10]), "there is a line 10, and 9 in all");
        assert!(made(1, u32::MAX, &[u32::MAX, u32::MAX]).is_err());
    }
}
