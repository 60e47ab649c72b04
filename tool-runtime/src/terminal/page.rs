//! Lines from top to bottom, as many as there may be.

use super::text::{folded, harmless};

/// What is drawn of one card.
pub(super) struct Page {
    width: usize,
    most: usize,
    colours: bool,
    lines: Vec<String>,
    left_out: usize,
    foot: Vec<String>,
}

/// What a line is, which its colour tells.
#[derive(Clone, Copy)]
pub(super) enum Style {
    Plain,
    Title,
    Quiet,
    Added,
    Removed,
}

/// How far what is beneath a title stands from the edge.
pub(super) const INDENT: &str = "  ";

impl Page {
    pub(super) fn new(width: usize, most: usize, colours: bool) -> Self {
        Self { width, most: most.max(1), colours, lines: Vec::new(), left_out: 0, foot: Vec::new() }
    }

    /// A title behind its mark. It may be cut, so that something is seen beneath it.
    pub(super) fn title(&mut self, mark: &str, title: &str) {
        self.text(Style::Title, &format!("{mark} "), title);
    }

    /// Text beneath the title, each line of it behind the indent.
    pub(super) fn body(&mut self, style: Style, text: &str) {
        self.text(style, INDENT, text);
    }

    /// Text whose first line stands behind this, which is ours, and the others behind as many blanks.
    pub(super) fn text(&mut self, style: Style, before: &str, text: &str) {
        let mut before = before.to_owned();
        for (index, line) in text.split_terminator('\n').chain(text.is_empty().then_some("")).enumerate() {
            if self.lines.len() >= self.most {
                // Not folded any more: there may be a million.
                self.left_out += text.split_terminator('\n').count().max(1) - index;
                return;
            }
            let line = harmless(line.strip_suffix('\r').unwrap_or(line));
            for line in self.fitting(style, &mut before, &line) {
                if self.lines.len() < self.most {
                    self.lines.push(line);
                } else {
                    self.left_out += 1;
                }
            }
        }
    }

    /// A line at the end, which is there whatever is left out before it.
    pub(super) fn foot(&mut self, style: Style, text: &str) {
        let lines = self.fitting(style, &mut INDENT.to_owned(), &harmless(text));
        self.foot.extend(lines);
    }

    fn fitting(&self, style: Style, before: &mut String, line: &str) -> Vec<String> {
        let columns = before.chars().count();
        // A number may have as many digits as a narrow page has columns; then it is text like the rest.
        if columns > self.width / 2 {
            let line = std::mem::take(before) + line;
            return folded(&line, self.width).iter().map(|line| self.styled(style, line.trim_end())).collect();
        }
        let mut lines = Vec::new();
        for piece in folded(line, self.width - columns) {
            lines.push(self.styled(style, format!("{before}{piece}").trim_end()));
            *before = " ".repeat(columns);
        }
        lines
    }

    fn styled(&self, style: Style, line: &str) -> String {
        let code = match style {
            Style::Plain => return line.to_owned(),
            _ if !self.colours || line.is_empty() => return line.to_owned(),
            Style::Title => "1",
            Style::Quiet => "2",
            Style::Added => "32",
            Style::Removed => "31",
        };
        format!("\x1b[{code}m{line}\x1b[0m")
    }

    pub(super) fn finish(mut self) -> String {
        if self.left_out > 0 {
            let lines = if self.left_out == 1 { "line" } else { "lines" };
            let more = format!("… {} more {lines}", self.left_out);
            let more = self.fitting(Style::Quiet, &mut INDENT.to_owned(), &more);
            self.lines.extend(more);
        }
        let mut text = String::new();
        for line in self.lines.iter().chain(&self.foot) {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}
