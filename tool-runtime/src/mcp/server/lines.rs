//! Lines of at most so many bytes.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Reads lines of at most so many bytes. A read that is dropped loses nothing.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    most: usize,
    /// Whether the rest of the line is passed over.
    is_too_long: bool,
    /// Whether the line has been handed out.
    is_taken: bool,
}

/// What was read.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// A line without its end.
    Whole(&'a [u8]),
    /// One that was longer, which is gone.
    TooLong,
    /// What stood after the last end of a line, once: the input has ended.
    Last(&'a [u8]),
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, most: usize) -> Self {
        Self { input: BufReader::new(input), line: Vec::new(), most, is_too_long: false, is_taken: false }
    }

    /// The next line.
    pub(super) async fn next(&mut self) -> io::Result<Line<'_>> {
        if std::mem::take(&mut self.is_taken) {
            self.line.clear();
        }
        loop {
            // What is awaited takes nothing; all that follows happens at once.
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                self.is_taken = true;
                let too_long = std::mem::take(&mut self.is_too_long);
                return Ok(if too_long { Line::TooLong } else { Line::Last(&self.line) });
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
            if self.is_too_long || self.line.len() + part.len() > self.most {
                self.is_too_long = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.input.consume(taken);
            if end.is_none() {
                continue;
            }
            self.is_taken = true;
            if std::mem::take(&mut self.is_too_long) {
                return Ok(Line::TooLong);
            }
            return Ok(Line::Whole(self.line.strip_suffix(b"\r").unwrap_or(&self.line)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(input: &[u8], most: usize) -> Vec<String> {
        let mut lines = Lines::new(input, most);
        let mut read = Vec::new();
        loop {
            match lines.next().await.unwrap() {
                Line::Whole(line) => read.push(String::from_utf8_lossy(line).into_owned()),
                Line::TooLong => read.push("too long".to_owned()),
                Line::Last(rest) => {
                    read.push(format!("last {}", String::from_utf8_lossy(rest)));
                    return read;
                }
            }
        }
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_takes_no_other_with_it() {
        assert_eq!(all(b"ab\r\nabcdef\n\nabc\nx", 3).await, ["ab", "too long", "", "abc", "last x"]);
        assert_eq!(all(b"abcdef", 3).await, ["too long", "last "]);
        assert_eq!(all(b"abc\n", 3).await, ["abc", "last "]);
    }

    #[tokio::test]
    async fn a_line_is_bounded_before_its_end_is_read() {
        let long = vec![b'x'; 100_000];
        let mut lines = Lines::new(&*long, 1000);
        assert_eq!(lines.next().await.unwrap(), Line::TooLong);
        assert!(lines.line.capacity() <= 1000 + 8192);
    }
}
