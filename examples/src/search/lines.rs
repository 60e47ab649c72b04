//! Looking for lines.

use super::Search;
use super::filter::Filter;
use super::walk::each_file;
use crate::failure::Failure;
use crate::stop::Stop;
use crate::workspace::{Place, name};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// The most bytes in one line of a searched file. A longer one could not be returned anyway.
const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// What stands in place of a line that no JSON string can hold.
const NOT_UTF8: &str = "(line is not valid UTF-8)";

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Path of the file from the root.
    pub(crate) path: String,
    /// Counted from 1.
    pub(crate) number: u64,
    /// Whole, without its line break.
    pub(crate) text: String,
}

/// Finds the lines that match a regular expression, file by file in the order of their names. The second list is what
/// could not be looked at, and why.
pub(crate) fn grep(
    search: &Search<'_>,
    pattern: &str,
    path: Option<&str>,
    include: Option<&str>,
) -> Result<(Vec<Line>, Vec<String>), Failure> {
    let rejected = |error| Failure::InvalidPattern { action: search.action, error };
    let include = include.map(positive_glob).transpose()?;
    let start = search.start(path)?;
    let matcher = matcher(pattern).map_err(rejected)?;
    let filter = include.map(|glob| Filter::new(&search.workspace.absolute(&start), glob));
    let filter = filter.transpose().map_err(|error| rejected(format!("include: {error}")))?;
    let mut scan = Scan { search, matcher, searcher: searcher(), raw_bytes: 0, found: Vec::new(), skipped: Vec::new() };
    if search.workspace.is_directory(&start) {
        let skipped = each_file(search, &start, |entry, relative| {
            if filter.as_ref().is_some_and(|filter| !filter.passes(entry.path())) {
                return Ok(());
            }
            scan.file(&Place { relative: PathBuf::from(relative), exists: true })
        })?;
        scan.skipped.extend(skipped);
    } else {
        // A file that is named is searched, whatever its name.
        search.workspace.open_file(search.action, path.unwrap_or("."), &start)?;
        scan.file(&start)?;
    }
    Ok((scan.found, scan.skipped))
}

/// Checks that a filter says which files to search, in one glob.
fn positive_glob(glob: &str) -> Result<&str, Failure> {
    let mut depth = 0_usize;
    let is_list = glob.chars().any(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    match glob {
        _ if glob.trim().is_empty() => Err("include must be a non-empty glob when given"),
        _ if glob.starts_with('!') => {
            Err("include must be a positive glob filter; negated patterns (\"!…\") are not supported")
        }
        _ if is_list => Err("include must be one glob, not a comma-separated list (use {a,b} alternation instead)"),
        _ => Ok(glob),
    }
    .map_err(Failure::InvalidArguments)
}

/// Fails with the parser's words.
fn matcher(pattern: &str) -> Result<RegexMatcher, String> {
    // `$` stands before a `\r\n` too, for the lines are shown without either.
    RegexMatcherBuilder::new().crlf(true).build(pattern).map_err(|error| error.to_string())
}

fn searcher() -> Searcher {
    SearcherBuilder::new()
        .line_number(true)
        .line_terminator(grep_matcher::LineTerminator::crlf())
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MAX_LINE_BYTES))
        .build()
}

/// A search for lines, under way.
struct Scan<'a> {
    search: &'a Search<'a>,
    matcher: RegexMatcher,
    searcher: Searcher,
    raw_bytes: u64,
    found: Vec<Line>,
    skipped: Vec<String>,
}

impl Scan<'_> {
    /// A file that can't be searched is skipped; what ends the whole search is a failure.
    fn file(&mut self, place: &Place) -> Result<(), Failure> {
        let name = name(&place.relative);
        let file = match self.search.workspace.open_file(self.search.action, &name, place) {
            Ok(file) => file.into_std(),
            Err(Failure::NotFound(_)) => return Ok(()),
            Err(failure) => {
                self.skipped.push(failure.to_string());
                return Ok(());
            }
        };
        let Self { search, matcher, searcher, raw_bytes, found, .. } = self;
        let mut lines = Lines { search, path: &name, raw_bytes, found, failure: None };
        let searched = searcher.search_reader(&*matcher, Stoppable { file, stop: search.stop }, &mut lines);
        match (lines.failure, searched) {
            (Some(failure), _) => Err(failure),
            (None, Ok(())) => Ok(()),
            (None, Err(error)) => {
                search.stop.check(search.action)?;
                self.skipped.push(format!("{name}: {error}"));
                Ok(())
            }
        }
    }
}

/// A file whose reading ends when the search is stopped: without a match nobody else would ask for long.
struct Stoppable<'a> {
    file: File,
    stop: &'a Stop,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_raised() { Err(io::Error::other("stopped")) } else { self.file.read(buffer) }
    }
}

/// Takes the lines of one file.
struct Lines<'a> {
    search: &'a Search<'a>,
    path: &'a str,
    raw_bytes: &'a mut u64,
    found: &'a mut Vec<Line>,
    failure: Option<Failure>,
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let bytes = found.bytes();
        let counted = self.search.count(self.raw_bytes, self.path.len() + 1 + bytes.len());
        if let Err(failure) = counted.and_then(|()| self.search.stop.check(self.search.action)) {
            self.failure = Some(failure);
            return Ok(false);
        }
        let text = std::str::from_utf8(bytes).map_or(NOT_UTF8, |text| {
            let text = text.strip_suffix('\n').unwrap_or(text);
            text.strip_suffix('\r').unwrap_or(text)
        });
        let number = found.line_number().unwrap_or_default();
        self.found.push(Line { path: self.path.to_owned(), number, text: text.to_owned() });
        Ok(true)
    }
}
