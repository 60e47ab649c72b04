//! A window of a file's lines, read as a stream: memory is bounded by the window, whatever the size of the file.

use crate::stop::Stop;
use sha2::{Digest as _, Sha256};
use std::io::{self, Read};

/// The most lines in one window, and the number where none is asked for.
pub(crate) const MAX_LINES: u32 = 2000;

/// The most characters (Unicode scalar values) of a line that are kept.
pub(crate) const MAX_LINE_CHARS: usize = 2000;

/// The most bytes in one window: its lines and the line breaks between them.
pub(crate) const MAX_WINDOW_BYTES: usize = 51_200;

/// What stands in place of the rest of a longer line.
const LINE_TRUNCATED: &str = "... (line truncated to 2000 chars)";

const CHUNK_BYTES: usize = 64 * 1024;

/// What a file held when it was looked at. Equal digests, equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

/// The lines that were asked for, as far as they fit.
#[derive(Debug)]
pub(crate) struct Window {
    /// Number, counted from 1, and text without its line break.
    pub(crate) lines: Vec<(u32, String)>,
    /// How many lines the whole file has.
    pub(crate) total_lines: u32,
    /// Of the whole file.
    pub(crate) digest: Digest,
}

/// Why there is no window.
#[derive(Debug)]
pub(crate) enum Fault {
    Io(io::Error),
    NotText,
    /// More lines than there are numbers for.
    TooLong,
    Stopped,
}

/// Reads to the end, whatever the window, for the number of lines and the digest are the whole file's.
pub(crate) fn read(mut source: impl Read, offset: u32, limit: u32, stop: &Stop) -> Result<Window, Fault> {
    let mut scan = Scan::new(offset, limit);
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; CHUNK_BYTES];
    // Bytes at the front of the buffer: the start of a character that the last chunk cut.
    let mut held = 0;
    loop {
        if stop.is_raised() {
            return Err(Fault::Stopped);
        }
        let count = match source.read(&mut buffer[held..]) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Fault::Io(error)),
        };
        let filled = held + count;
        hasher.update(&buffer[held..filled]);
        let text = whole_characters(&buffer[..filled]).ok_or(Fault::NotText)?;
        scan.text(text)?;
        let used = text.len();
        buffer.copy_within(used..filled, 0);
        held = filled - used;
    }
    if held > 0 {
        return Err(Fault::NotText);
    }
    let (lines, total_lines) = scan.finish()?;
    Ok(Window { lines, total_lines, digest: Digest(hasher.finalize().into()) })
}

/// The text up to a character that the end cuts; nothing if the bytes are no text. A NUL is valid UTF-8, but a file
/// that has one is binary, or text of an encoding that would be shown as garbage.
fn whole_characters(bytes: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    (!bytes.contains(&0)).then_some(text)
}

/// Where the scan of a file stands.
struct Scan {
    offset: u32,
    limit: u32,
    lines: Vec<(u32, String)>,
    bytes: usize,
    /// The next line did not fit. Later, shorter ones must not slip in behind the gap.
    full: bool,
    /// Lines that are complete.
    ended: u32,
    line: Partial,
}

/// The line that the scan is in.
#[derive(Default)]
struct Partial {
    /// Whether anything of it was seen: a file's last line counts without a line break, but not without a character.
    begun: bool,
    kept: String,
    chars: usize,
    overflowed: bool,
}

impl Scan {
    fn new(offset: u32, limit: u32) -> Self {
        Self { offset, limit, lines: Vec::new(), bytes: 0, full: false, ended: 0, line: Partial::default() }
    }

    fn text(&mut self, text: &str) -> Result<(), Fault> {
        for piece in text.split_inclusive('\n') {
            let (piece, ends) = piece.strip_suffix('\n').map_or((piece, false), |piece| (piece, true));
            self.line.begun = true;
            if self.is_wanted() {
                self.line.keep(piece);
            }
            if ends {
                self.end_line()?;
            }
        }
        Ok(())
    }

    fn is_wanted(&self) -> bool {
        let before = self.offset.saturating_sub(1);
        !self.full && self.ended >= before && self.ended - before < self.limit
    }

    fn end_line(&mut self) -> Result<(), Fault> {
        let wanted = self.is_wanted();
        let line = std::mem::take(&mut self.line);
        self.ended = self.ended.checked_add(1).ok_or(Fault::TooLong)?;
        if !wanted {
            return Ok(());
        }
        let text = line.finish();
        let bytes = text.len() + usize::from(!self.lines.is_empty());
        if self.bytes + bytes > MAX_WINDOW_BYTES {
            self.full = true;
        } else {
            self.bytes += bytes;
            self.lines.push((self.ended, text));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(Vec<(u32, String)>, u32), Fault> {
        if self.line.begun {
            self.end_line()?;
        }
        Ok((self.lines, self.ended))
    }
}

impl Partial {
    /// Keeps one character more than is shown: it may turn out to be the carriage return of the line break.
    fn keep(&mut self, piece: &str) {
        for character in piece.chars() {
            if self.chars > MAX_LINE_CHARS {
                self.overflowed = true;
                return;
            }
            self.kept.push(character);
            self.chars += 1;
        }
    }

    fn finish(mut self) -> String {
        if !self.overflowed && self.kept.ends_with('\r') {
            self.kept.pop();
            self.chars -= 1;
        }
        if self.chars > MAX_LINE_CHARS {
            self.kept.pop();
            self.kept.push_str(LINE_TRUNCATED);
        }
        self.kept
    }
}

#[cfg(test)]
mod tests;
