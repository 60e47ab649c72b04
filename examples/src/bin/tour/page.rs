//! What the tour prints: colours and the terminal's width where there is a terminal, plain text elsewhere.

use std::io::{self, IsTerminal as _, Write};

use textwrap::core::display_width;
use tool_runtime::terminal::{Terminal, wants_colours};
use tool_runtime::{JsonValue, serde_json};

/// Where no terminal says how wide it is.
const PLAIN_WIDTH: usize = 110;

/// A page that is printed from top to bottom.
pub(crate) struct Page {
    out: Box<dyn Write>,
    width: usize,
    colours: bool,
    stop: usize,
}

#[derive(Clone, Copy)]
enum Style {
    Heading,
    Label,
    Quiet,
}

impl Page {
    pub(crate) fn of_stdout() -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let width = if terminal { textwrap::termwidth().clamp(40, 160) } else { PLAIN_WIDTH };
        let colours = wants_colours(&stdout);
        Self { out: Box::new(io::LineWriter::new(stdout)), width, colours, stop: 0 }
    }

    /// A numbered stop of the tour, with a sentence about it.
    pub(crate) fn stop(&mut self, title: &str, about: &str) -> io::Result<()> {
        self.stop += 1;
        let heading = format!("{}. {title}", self.stop);
        writeln!(self.out, "\n{}", self.styled(Style::Heading, &heading))?;
        self.prose(about)
    }

    pub(crate) fn gap(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    pub(crate) fn title(&mut self, title: &str, about: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.styled(Style::Heading, title))?;
        if about.is_empty() { Ok(()) } else { self.prose(about) }
    }

    pub(crate) fn prose(&mut self, text: &str) -> io::Result<()> {
        for line in textwrap::wrap(text, self.width) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// A line with a label before it.
    pub(crate) fn labelled(&mut self, label: &str, text: &str) -> io::Result<()> {
        let label_width = 12;
        let text: Vec<String> = text.split('\n').map(printable).collect();
        let text = text.join("\n");
        let lines = textwrap::wrap(&text, self.width.saturating_sub(label_width + 1).max(20));
        for (index, line) in lines.iter().enumerate() {
            let padded = format!("{:label_width$}", if index == 0 { label } else { "" });
            writeln!(self.out, "{} {line}", self.styled(Style::Label, &padded))?;
        }
        Ok(())
    }

    /// A line to be copied, with a label before it: it is never folded.
    pub(crate) fn copied(&mut self, label: &str, text: &str) -> io::Result<()> {
        writeln!(self.out, "{} {}", self.styled(Style::Label, &format!("{label:12}")), printable(text))
    }

    /// Text as it stands, indented; a line that is too long goes on in the next.
    pub(crate) fn verbatim(&mut self, text: &str) -> io::Result<()> {
        self.indented(&folded(text, self.width.saturating_sub(2), usize::MAX))
    }

    fn indented(&mut self, lines: &[String]) -> io::Result<()> {
        for line in lines {
            writeln!(self.out, "{}", self.styled(Style::Quiet, format!("  {line}").trim_end()))?;
        }
        Ok(())
    }

    /// What draws cards on this page: with so many lines of each.
    pub(crate) fn cards(&self, lines: usize) -> Terminal {
        Terminal::plain(self.width.saturating_sub(2)).with_lines(lines).with_colours(self.colours)
    }

    /// A card, as it was drawn for this page.
    pub(crate) fn card(&mut self, drawn: &str) -> io::Result<()> {
        for line in drawn.lines() {
            writeln!(self.out, "{}", format!("  {line}").trim_end())?;
        }
        Ok(())
    }

    /// Texts side by side; beneath each other where the page is narrow.
    pub(crate) fn columns(&mut self, columns: &[(&str, String)], most: usize) -> io::Result<()> {
        if self.width < 30 * columns.len() {
            for (title, text) in columns {
                writeln!(self.out, "  {}", self.styled(Style::Label, title))?;
                self.indented(&folded(text, self.width.saturating_sub(2), most))?;
            }
            return Ok(());
        }
        let gap = 2;
        let width = (self.width - gap * columns.len()) / columns.len();
        let texts: Vec<Vec<String>> = columns.iter().map(|(_, text)| folded(text, width, most)).collect();
        let titles: Vec<String> = columns.iter().map(|(title, _)| (*title).to_owned()).collect();
        self.row(&titles, width, Style::Label)?;
        let height = texts.iter().map(Vec::len).max().unwrap_or(0);
        for index in 0..height {
            let row: Vec<String> = texts.iter().map(|lines| lines.get(index).cloned().unwrap_or_default()).collect();
            self.row(&row, width, Style::Quiet)?;
        }
        Ok(())
    }

    fn row(&mut self, cells: &[String], width: usize, style: Style) -> io::Result<()> {
        let mut line = String::new();
        for (index, cell) in cells.iter().enumerate() {
            line.push_str("  ");
            line.push_str(&self.styled(style, cell));
            if index + 1 < cells.len() {
                line.extend(std::iter::repeat_n(' ', width.saturating_sub(display_width(cell))));
            }
        }
        writeln!(self.out, "{}", line.trim_end())
    }

    fn styled(&self, style: Style, text: &str) -> String {
        let code = match style {
            _ if !self.colours || text.is_empty() => return text.to_owned(),
            Style::Heading => "1;36",
            Style::Label => "1",
            Style::Quiet => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// JSON as a person reads it.
pub(crate) fn laid_out(json: &JsonValue) -> String {
    serde_json::to_string_pretty(json).unwrap_or_else(|_| json.to_string())
}

/// At most `most` lines, none wider than `width`: longer ones go on further in. What is missing is said.
fn folded(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let line = printable(line);
        let indent = " ".repeat((line.len() - line.trim_start().len() + 2).min(width / 2));
        let options = textwrap::Options::new(width).subsequent_indent(&indent);
        lines.extend(textwrap::wrap(&line, options).into_iter().map(std::borrow::Cow::into_owned));
    }
    if lines.len() > most {
        let more = lines.len() - most;
        lines.truncate(most);
        lines.push(format!("… {more} more lines"));
    }
    lines
}

/// A line without what would move the cursor or turn the direction of text.
fn printable(line: &str) -> String {
    let moves = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    line.replace('\t', "    ").replace(moves, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wider_than_its_column_and_no_escape_gets_through() {
        for line in
            ["plain words of some length", "\x1b[31mred\x1b[0m", "固固固固固固", "a\tb", "a\u{202e}b", "      deep"]
        {
            for width in 4..14 {
                for folded in folded(line, width, 99) {
                    assert!(display_width(&folded) <= width, "{line:?} at {width}: {folded:?}");
                    assert!(!folded.contains(['\x1b', '\u{202e}']));
                }
            }
        }
    }

    #[test]
    fn what_is_left_out_is_counted() {
        assert_eq!(folded("a\nb\nc", 10, 2), ["a", "b", "… 1 more lines"]);
        assert_eq!(folded("a\nb", 10, 2), ["a", "b"]);
    }
}
