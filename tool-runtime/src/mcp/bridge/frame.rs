//! Frames of the stdio transport: one JSON text a line, of which nothing is trusted.

use std::collections::VecDeque;

use rmcp::model::NumberOrString;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::heard::MAX_HEARD;
use super::line::one_line;
use crate::json::{JsonValue, MAX_DEPTH, ParseLimits, parse};

/// So much is read at a time.
const CHUNK: usize = 16 * 1024;

/// What a line was.
#[derive(Debug, PartialEq)]
pub(super) enum Frame {
    /// A message.
    Message(JsonValue),
    /// The answer to this request, which can't be read, and why not.
    Unreadable(NumberOrString, String),
    /// Something that is no message, such as what a server logs where it must not: how it begins, if that is known.
    Noise(String),
}

/// The frames that come from a reader. Its future may be dropped at any time, and nothing is lost.
pub(super) struct Frames<R> {
    read: R,
    line: Vec<u8>,
    /// Up to where `line` was looked through.
    seen: usize,
    /// Of a line that is longer than it may be, only who it answers is looked for.
    overlong: Option<Scan>,
    most: usize,
    /// Messages that came in one line, as those of a batch do.
    ready: VecDeque<Frame>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    pub(super) fn new(read: R, most: usize) -> Self {
        Self { read, line: Vec::new(), seen: 0, overlong: None, most, ready: VecDeque::new() }
    }

    /// The next frame; `None` at the end, and where the reader fails.
    pub(super) async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if let Some(end) = self.line[self.seen..].iter().position(|&byte| byte == b'\n') {
                self.end_line(self.seen + end);
                continue;
            }
            self.seen = self.line.len();
            if self.line.len() > self.most {
                self.overlong.get_or_insert_default().feed(&self.line);
                self.forget();
            } else if let Some(scan) = &mut self.overlong {
                scan.feed(&self.line);
                self.forget();
            }
            self.line.reserve(CHUNK);
            match self.read.read_buf(&mut self.line).await {
                Ok(1..) => {}
                // What stands after the last line end is half a message.
                Ok(0) | Err(_) => return None,
            }
        }
    }

    fn forget(&mut self) {
        self.line.clear();
        self.seen = 0;
    }

    /// Takes the line that ends at `end`.
    fn end_line(&mut self, end: usize) {
        let rest = self.line.split_off(end + 1);
        let line = std::mem::replace(&mut self.line, rest);
        self.seen = 0;
        if let Some(mut scan) = self.overlong.take() {
            scan.feed(&line);
            let problem = format!("its answer is longer than {} bytes", self.most);
            self.ready.push_back(scan.unreadable(problem, &[]));
        } else if line.len() > self.most + 1 {
            let mut scan = Scan::default();
            scan.feed(&line);
            self.ready.push_back(scan.unreadable(format!("its answer is longer than {} bytes", self.most), &line));
        } else {
            self.read_line(&line);
        }
    }

    fn read_line(&mut self, line: &[u8]) {
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
        if !matches!(line.first(), Some(b'{' | b'[')) {
            if !line.is_empty() {
                self.ready.push_back(noise(line));
            }
            return;
        }
        let limits = ParseLimits { max_bytes: self.most.saturating_add(1), max_depth: MAX_DEPTH };
        let read = match std::str::from_utf8(line) {
            Ok(text) => parse(text, &limits).map_err(|error| error.to_string()),
            Err(_) => Err("it is no UTF-8".to_owned()),
        };
        match read {
            // Revision 2025-03-26 has lists of messages.
            Ok(JsonValue::Array(messages)) => self.ready.extend(messages.into_iter().map(Frame::Message)),
            Ok(message) => self.ready.push_back(Frame::Message(message)),
            Err(problem) => {
                let mut scan = Scan::default();
                scan.feed(line);
                self.ready.push_back(scan.unreadable(format!("its answer can't be read: {problem}"), line));
            }
        }
    }
}

/// Looks for the id of an answer in a text that is not read: the value of `id` in the outermost object, which has no
/// `method`. It keeps a few bytes, however long and deep the text is.
#[derive(Default)]
struct Scan {
    depth: usize,
    /// Within a string, and whether the next character is escaped.
    string: Option<bool>,
    /// The last string, or the number that is being read, of the outermost object.
    word: Vec<u8>,
    /// The key whose value is being read.
    key: Vec<u8>,
    /// Whether a number is being read.
    number: bool,
    id: Option<NumberOrString>,
    is_request: bool,
}

impl Scan {
    /// Longest id that is kept.
    const MAX_WORD: usize = 64;

    fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match (self.string, byte) {
                (Some(false), b'\\') => self.string = Some(true),
                (Some(false), b'"') => self.end_string(),
                (Some(_), _) => self.in_string(byte),
                (None, b'"') => {
                    self.string = Some(false);
                    self.word.clear();
                }
                (None, b'{' | b'[') => {
                    self.depth += 1;
                    self.key.clear();
                }
                (None, b'}' | b']') => {
                    self.end_value();
                    self.depth = self.depth.saturating_sub(1);
                }
                (None, b':') if self.depth == 1 => {
                    std::mem::swap(&mut self.key, &mut self.word);
                    self.word.clear();
                    self.is_request |= self.key == b"method";
                }
                (None, b',') => self.end_value(),
                (None, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') if self.depth == 1 && self.key == b"id" => {
                    self.number = true;
                    self.push(byte);
                }
                (None, _) => {}
            }
        }
    }

    fn in_string(&mut self, byte: u8) {
        self.string = Some(false);
        if self.depth == 1 {
            self.push(byte);
        }
    }

    fn end_string(&mut self) {
        self.string = None;
        if self.depth == 1 && self.key == b"id" && self.id.is_none() {
            self.id = String::from_utf8(self.word.clone()).ok().map(|id| NumberOrString::String(id.into()));
        }
    }

    fn end_value(&mut self) {
        if self.depth != 1 {
            return;
        }
        if std::mem::take(&mut self.number) && self.id.is_none() {
            let number = std::str::from_utf8(&self.word).ok().and_then(|number| number.parse().ok());
            self.id = number.map(NumberOrString::Number);
        }
        self.key.clear();
        self.word.clear();
    }

    fn push(&mut self, byte: u8) {
        if self.word.len() < Self::MAX_WORD {
            self.word.push(byte);
        }
    }

    fn unreadable(self, problem: String, line: &[u8]) -> Frame {
        match self.id {
            Some(id) if !self.is_request => Frame::Unreadable(id, problem),
            _ => noise(line),
        }
    }
}

fn noise(line: &[u8]) -> Frame {
    // A character of UTF-8 has four bytes at most.
    let start = &line[..line.len().min(4 * MAX_HEARD)];
    Frame::Noise(one_line(String::from_utf8_lossy(start).trim_end(), MAX_HEARD))
}

#[cfg(test)]
mod tests;
