//! A record as a line: length, checksum, payload, newline. And the lines of a log, the damaged ones among them.

use super::checksum::crc32;
use super::error::SessionError;

/// The longest payload of a record, in bytes: 16 MiB. A longer one is refused before anything is written.
pub const MAX_RECORD_BYTES: usize = 16 << 20;

/// `LLLLLLLL CCCCCCCC `: the length and the checksum, in eight lower-case hexadecimal digits each.
const PREFIX: usize = 18;

/// One line of a log, as it is stored: a payload with its length and its checksum, and a newline at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record(String);

impl Record {
    /// A record of this payload, which holds no newline: compact JSON.
    pub(super) fn new(payload: &str) -> Result<Self, SessionError> {
        if payload.len() > MAX_RECORD_BYTES {
            return Err(SessionError::TooLarge { bytes: payload.len() });
        }
        Ok(Self(format!("{:08x} {:08x} {payload}\n", payload.len(), crc32(payload.as_bytes()))))
    }

    /// The whole line, its newline included.
    pub fn line(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The JSON in it.
    pub fn payload(&self) -> &str {
        &self.0[PREFIX..self.0.len() - 1]
    }
}

/// A part of a log that can't be read. Nothing after it is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The line, counted from 1.
    pub line: usize,
    /// Where it starts, in bytes from the start of the log.
    pub offset: usize,
    /// How long it is, in bytes.
    pub bytes: usize,
    /// What is wrong with it.
    pub kind: DamageKind,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageKind {
    /// The log ends within it: the write was cut off.
    Torn,
    /// It does not begin with a length and a checksum.
    Frame,
    /// It says that it is longer than a record may be.
    TooLong,
    /// Its length or its checksum does not fit what it holds.
    Checksum,
    /// It is whole, but another byte stands where its newline belongs. Nothing is lost.
    LineEnd,
    /// The log begins with an event: its header is not there, nor what else may have stood before it.
    NoHeader,
    /// It is as it was written, but it is no event; why.
    NotAnEvent(String),
}

impl Damage {
    /// Whether a record is lost with it.
    pub fn loses_a_record(&self) -> bool {
        self.kind != DamageKind::LineEnd
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, offset, bytes, kind } = self;
        write!(f, "line {line}, at byte {offset}, {bytes} bytes: ")?;
        match kind {
            DamageKind::Torn => f.write_str("the log ends within the record"),
            DamageKind::Frame => f.write_str("it does not begin with a length and a checksum"),
            DamageKind::TooLong => write!(f, "it says that it is longer than {MAX_RECORD_BYTES} bytes"),
            DamageKind::Checksum => f.write_str("the length or the checksum does not fit what it holds"),
            DamageKind::LineEnd => f.write_str("the record is whole, but its newline is damaged"),
            DamageKind::NoHeader => {
                f.write_str("the log does not begin with its header, so what stood before this line may be lost")
            }
            DamageKind::NotAnEvent(why) => write!(f, "it is no event: {why}"),
        }
    }
}

/// A piece of a log.
pub(super) enum Piece<'a> {
    /// A record that is as it was written.
    Payload {
        line: usize,
        offset: usize,
        bytes: usize,
        text: &'a str,
    },
    Damage(Damage),
}

/// The pieces of a log, in order; blank lines, which keep records apart from what was damaged, are passed over.
pub(super) struct Pieces<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    /// A line end that is damaged, to be told after its record.
    pending: Option<Damage>,
}

pub(super) fn pieces(bytes: &[u8]) -> Pieces<'_> {
    Pieces { bytes, at: 0, line: 1, pending: None }
}

/// Where the last whole record ends, its newline not counted as part of it; what is behind it is torn or damaged.
pub(super) struct Tail {
    /// Up to here the log may stay.
    pub(super) keep: usize,
    /// Whether it ends with a newline there.
    pub(super) ended: bool,
}

/// What of a log's end may stay: everything, unless it ends within a record.
pub(super) fn tail(bytes: &[u8]) -> Tail {
    let torn = pieces(bytes).find_map(|piece| match piece {
        Piece::Damage(Damage { offset, kind: DamageKind::Torn, .. }) => Some(offset),
        _ => None,
    });
    let keep = torn.unwrap_or(bytes.len());
    Tail { keep, ended: keep == 0 || bytes[keep - 1] == b'\n' }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if let Some(damage) = self.pending.take() {
            return Some(Piece::Damage(damage));
        }
        while self.bytes.get(self.at) == Some(&b'\n') {
            self.at += 1;
            self.line += 1;
        }
        let (offset, line) = (self.at, self.line);
        let rest = &self.bytes[offset..];
        if rest.is_empty() {
            return None;
        }
        let kind = match framed(rest) {
            Ok(text) => {
                let bytes = PREFIX + text.len();
                self.at += bytes;
                match self.bytes.get(self.at) {
                    None => {}
                    Some(b'\n') => self.line += 1,
                    Some(_) => {
                        self.pending = Some(Damage { line, offset: self.at, bytes: 1, kind: DamageKind::LineEnd });
                    }
                }
                self.at = (self.at + 1).min(self.bytes.len());
                return Some(Piece::Payload { line, offset, bytes, text });
            }
            Err(kind) => kind,
        };
        let end = rest.iter().position(|byte| *byte == b'\n');
        let bytes = end.unwrap_or(rest.len());
        let kind = if end.is_none() { DamageKind::Torn } else { kind };
        self.at += bytes + usize::from(end.is_some());
        self.line += 1;
        Some(Piece::Damage(Damage { line, offset, bytes, kind }))
    }
}

/// The payload of the record that these bytes begin with.
fn framed(bytes: &[u8]) -> Result<&str, DamageKind> {
    let prefix = bytes.get(..PREFIX).ok_or(DamageKind::Frame)?;
    let (length, checksum) = match (hex(&prefix[..8]), prefix[8], hex(&prefix[9..17]), prefix[17]) {
        (Some(length), b' ', Some(checksum), b' ') => (length as usize, checksum),
        _ => return Err(DamageKind::Frame),
    };
    if length > MAX_RECORD_BYTES {
        return Err(DamageKind::TooLong);
    }
    let payload = bytes.get(PREFIX..PREFIX + length).ok_or(DamageKind::Checksum)?;
    if crc32(payload) != checksum {
        return Err(DamageKind::Checksum);
    }
    std::str::from_utf8(payload).map_err(|_| DamageKind::Checksum)
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0_u32, |number, digit| {
        let value = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        Some(number << 4 | u32::from(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payloads(bytes: &[u8]) -> (Vec<String>, Vec<DamageKind>) {
        let (mut texts, mut kinds) = (Vec::new(), Vec::new());
        for piece in pieces(bytes) {
            match piece {
                Piece::Payload { text, .. } => texts.push(text.to_owned()),
                Piece::Damage(damage) => kinds.push(damage.kind),
            }
        }
        (texts, kinds)
    }

    fn three() -> Vec<u8> {
        let payloads = [r#"{"a":1}"#, r#"{"b":"é"}"#, r#"{"c":[]}"#];
        payloads.iter().flat_map(|payload| Record::new(payload).unwrap().line().to_vec()).collect()
    }

    #[test]
    fn a_line_is_length_checksum_and_payload() {
        let record = Record::new(r#"{"a":1}"#).unwrap();
        assert_eq!(record.line(), b"00000007 561bacaf {\"a\":1}\n");
        assert_eq!(record.payload(), r#"{"a":1}"#);
    }

    #[test]
    fn a_damaged_newline_loses_neither_the_record_before_it_nor_the_one_after() {
        let mut log = three();
        let first = log.iter().position(|byte| *byte == b'\n').unwrap();
        log[first] = b'x';
        let (texts, kinds) = payloads(&log);
        assert_eq!(texts.len(), 3);
        assert_eq!(kinds, [DamageKind::LineEnd]);
    }

    #[test]
    fn what_stands_behind_a_blank_line_is_read() {
        let mut log = three();
        log.truncate(log.len() - 1);
        log.extend(b"\n\n");
        log.extend(three());
        assert_eq!(payloads(&log).0.len(), 6);
        assert_eq!(payloads(&log).1, []);
    }

    #[test]
    fn every_cut_keeps_the_whole_records_before_it() {
        let log = three();
        let ends: Vec<usize> = (0..log.len()).filter(|at| log[*at] == b'\n').collect();
        for cut in 0..log.len() {
            let (texts, kinds) = payloads(&log[..cut]);
            assert_eq!(texts.len(), ends.iter().filter(|end| **end <= cut).count(), "{cut}");
            let between = cut == 0 || ends.contains(&cut) || ends.contains(&(cut - 1));
            assert_eq!(kinds.len(), usize::from(!between), "{cut}");
            let Tail { keep, ended } = tail(&log[..cut]);
            assert_eq!(payloads(&log[..keep]), (texts, Vec::new()), "{cut}");
            assert_eq!(ended, keep == 0 || log[keep - 1] == b'\n');
        }
    }
}
