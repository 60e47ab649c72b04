//! A log as it was read: its events, and what of it is damaged.

mod entry;

pub use entry::Entry;
pub(super) use entry::{Draft, depth};

use super::error::{FORMAT_VERSION, LogError};
use super::event::Event;
use super::frame::{Damage, DamageKind, MAX_RECORD_BYTES, Piece, Record, pieces};
use crate::json::{JsonValue, MAX_DEPTH, ParseLimits, parse};

/// What the header's payload names the format.
const FORMAT: &str = "tool-session-log";

/// What of a log is read at most: payloads of this length and depth.
const LIMITS: ParseLimits = ParseLimits { max_bytes: MAX_RECORD_BYTES, max_depth: MAX_DEPTH };

/// A session's log, read.
///
/// What is damaged is named and passed over; what stands behind it is read. An event that is not understood is kept as it
/// stands.
#[derive(Clone, Debug, Default)]
pub struct SessionLog {
    entries: Vec<Entry>,
    damage: Vec<Damage>,
    /// Whether a header or an event was found, so that the next record needs no header before it.
    begun: bool,
}

impl SessionLog {
    /// The record that every log begins with.
    pub(super) fn header() -> Record {
        let payload = format!(r#"{{"format":"{FORMAT}","version":{FORMAT_VERSION}}}"#);
        // It is far shorter than a record may be.
        Record::new(&payload).unwrap_or_else(|_| unreachable!("the header fits a record"))
    }

    /// Reads a log from the bytes of a file. No byte is no event.
    ///
    /// # Errors
    /// They are no log, or one of a newer format. Damage is no error: see [`Self::damage`].
    pub fn parse(bytes: &[u8]) -> Result<Self, LogError> {
        let mut log = Self::default();
        for piece in pieces(bytes) {
            match piece {
                Piece::Damage(damage) => log.damage.push(damage),
                Piece::Payload { line, offset, bytes, text } => match read(text) {
                    Ok(Payload::Header(version)) => log.header_found(version, line)?,
                    Ok(Payload::Event(parts)) => {
                        if !log.begun && log.damage.is_empty() {
                            log.damage.push(Damage { line, offset, bytes: 0, kind: DamageKind::NoHeader });
                        }
                        log.begun = true;
                        log.entries.push(Entry::read(text, line, parts));
                    }
                    Err(why) => log.damage.push(Damage { line, offset, bytes, kind: DamageKind::NotAnEvent(why) }),
                },
            }
        }
        let header = Self::header();
        let could_begin_one = header.line().starts_with(bytes.strip_suffix(b"\n").unwrap_or(bytes));
        if log.begun || could_begin_one { Ok(log) } else { Err(LogError::NotALog) }
    }

    fn header_found(&mut self, version: u64, line: usize) -> Result<(), LogError> {
        self.begun = true;
        match version {
            version if version > FORMAT_VERSION => Err(LogError::NewerFormat { version }),
            0 => Err(LogError::NotALog),
            _ if line > 1 && self.damage.is_empty() => Err(LogError::NotALog),
            _ => Ok(()),
        }
    }

    /// Whether it has its header.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// The events, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What could not be read, in order. It is empty for a log that is as it was written.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Adds an event that was logged since.
    pub(super) fn push(&mut self, entry: Entry) {
        self.begun = true;
        self.entries.push(entry);
    }

    /// The sequence number of the next event.
    pub fn next_seq(&self) -> u64 {
        self.entries.iter().map(|entry| entry.seq().saturating_add(1)).max().unwrap_or(0)
    }

    /// The event with this number.
    pub fn entry(&self, seq: u64) -> Option<&Entry> {
        // They stand in their order, unless somebody wrote the log by hand.
        let found = self.entries.binary_search_by_key(&seq, Entry::seq).ok();
        found.map(|at| &self.entries[at]).or_else(|| self.entries.iter().find(|entry| entry.seq() == seq))
    }

    /// Whether every event is understood, or may be passed over.
    ///
    /// # Errors
    /// The first that is not and may not.
    pub fn understood(&self) -> Result<(), LogError> {
        let unknown = self.entries.iter().find_map(|entry| match entry.event() {
            Event::Unknown(unknown) if !entry.is_ignorable() => Some((entry, unknown)),
            _ => None,
        });
        match unknown {
            None => Ok(()),
            Some((entry, unknown)) => Err(LogError::UnknownEvent {
                kind: entry.kind().to_owned(),
                seq: entry.seq(),
                line: entry.line(),
                why: unknown.why.clone(),
            }),
        }
    }

    /// The log as bytes: the header, and every event exactly as it was read.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Self::header().line().to_vec();
        for entry in &self.entries {
            bytes.extend(entry.record().line());
        }
        bytes
    }
}

/// What a payload is.
enum Payload {
    Header(u64),
    Event(entry::Parts),
}

fn read(text: &str) -> Result<Payload, String> {
    let json = parse(text, &LIMITS).map_err(|error| error.to_string())?;
    let JsonValue::Object(mut json) = json else { return Err("it is no object".to_owned()) };
    if json.get("format").and_then(JsonValue::as_str) == Some(FORMAT) {
        let version = json.get("version").and_then(JsonValue::as_u64);
        return version.map(Payload::Header).ok_or_else(|| "the header has no version".to_owned());
    }
    entry::Parts::take(&mut json).map(Payload::Event)
}
