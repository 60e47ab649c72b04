//! What a search found.

use std::collections::HashMap;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::InvalidCard;

/// What a search found: lines or paths, how many there are in all, and whether some are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "lowercase")]
pub enum SearchResult {
    /// Lines.
    Matches(SearchMatches),
    /// Paths.
    Paths(SearchPaths),
}

/// Lines that a search found, by file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedMatches")]
pub struct SearchMatches {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    files: Vec<FileMatches>,
    truncated: bool,
    total: u64,
}

/// The lines of one file: one at least.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMatches {
    path: String,
    matches: Vec<LineMatch>,
}

/// A line that matched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LineMatch {
    line_number: NonZeroU64,
    line: String,
}

/// Paths that a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedPaths")]
pub struct SearchPaths {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    paths: Vec<String>,
    truncated: bool,
    total: u64,
}

/// The cards as they come from JSON.
#[derive(Deserialize)]
struct UncheckedMatches {
    title: Option<String>,
    files: Vec<FileMatches>,
    truncated: bool,
    total: u64,
}

#[derive(Deserialize)]
struct UncheckedPaths {
    title: Option<String>,
    paths: Vec<String>,
    truncated: bool,
    total: u64,
}

impl TryFrom<UncheckedMatches> for SearchMatches {
    type Error = InvalidCard;

    fn try_from(card: UncheckedMatches) -> Result<Self, InvalidCard> {
        let UncheckedMatches { title, files, truncated, total } = card;
        if let Some(file) = files.iter().find(|file| file.matches.is_empty()) {
            return Err(InvalidCard::new(format!("{:?} is among the files, and nothing was found in it", file.path)));
        }
        check(count(&files), truncated, total)?;
        Ok(Self { title, files, truncated, total })
    }
}

impl TryFrom<UncheckedPaths> for SearchPaths {
    type Error = InvalidCard;

    fn try_from(card: UncheckedPaths) -> Result<Self, InvalidCard> {
        let UncheckedPaths { title, paths, truncated, total } = card;
        check(paths.len(), truncated, total)?;
        Ok(Self { title, paths, truncated, total })
    }
}

/// A card that says `truncated` may still have all that was counted: the search itself may have stopped.
fn check(kept: usize, truncated: bool, total: u64) -> Result<(), InvalidCard> {
    let kept = number(kept);
    match total {
        total if total < kept => {
            Err(InvalidCard::new(format!("it holds {kept}, more than the {total} that there are")))
        }
        total if total > kept && !truncated => {
            Err(InvalidCard::new(format!("it holds {kept} of {total}, and does not say that some are left out")))
        }
        _ => Ok(()),
    }
}

fn count(files: &[FileMatches]) -> usize {
    files.iter().map(|file| file.matches.len()).sum()
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

impl SearchMatches {
    /// The lines that are kept, each with its path and its number, of so many that were found. They are grouped by file,
    /// in the order in which the files first occur.
    ///
    /// ```
    /// use tool_runtime::present::SearchMatches;
    ///
    /// let found = SearchMatches::new([("a.rs", 1, "one"), ("b.rs", 7, "seven"), ("a.rs", 2, "two")], 1200)?;
    /// assert!(found.truncated());
    /// assert_eq!(found.files()[0].matches()[1].line(), "two");
    /// # Ok::<(), tool_runtime::present::InvalidCard>(())
    /// ```
    ///
    /// # Errors
    /// A line has the number 0, or there are more lines than were found.
    pub fn new<P: Into<String> + AsRef<str>, T: Into<String>>(
        matches: impl IntoIterator<Item = (P, u64, T)>,
        total: u64,
    ) -> Result<Self, InvalidCard> {
        let mut files: Vec<FileMatches> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (path, line_number, line) in matches {
            let Some(line_number) = NonZeroU64::new(line_number) else {
                return Err(InvalidCard::new("a line has the number 0, and lines are counted from 1"));
            };
            let line = LineMatch { line_number, line: line.into() };
            if let Some(&place) = places.get(path.as_ref()) {
                files[place].matches.push(line);
            } else {
                let path = path.into();
                places.insert(path.clone(), files.len());
                files.push(FileMatches { path, matches: vec![line] });
            }
        }
        let kept = count(&files);
        check(kept, true, total)?;
        Ok(Self { title: None, files, truncated: total > number(kept), total })
    }

    /// The same card in at most so many bytes of JSON: lines at the end are left out, but never all. The total stays.
    ///
    /// Meta has a limit of its own: [`SearchResult::META_BYTES`] leaves room for it.
    #[must_use]
    pub fn within(mut self, bytes: usize) -> Self {
        let empty = SearchResult::Matches(Self { files: Vec::new(), truncated: true, ..self.clone_without_files() });
        let mut room = bytes.saturating_sub(json_bytes(&empty));
        let mut kept = 0;
        for file in &mut self.files {
            let group = FileMatches { path: std::mem::take(&mut file.path), matches: Vec::new() };
            room = room.saturating_sub(json_bytes(&group) + 1);
            file.path = group.path;
            let before = file.matches.len();
            file.matches = fitting(std::mem::take(&mut file.matches), &mut room, kept == 0);
            kept += file.matches.len();
            if file.matches.len() < before {
                self.truncated = true;
                room = 0;
            }
        }
        self.files.retain(|file| !file.matches.is_empty());
        self
    }

    fn clone_without_files(&self) -> Self {
        Self { title: self.title.clone(), files: Vec::new(), truncated: self.truncated, total: self.total }
    }

    /// The files with their lines, in the order in which they were first seen.
    pub fn files(&self) -> &[FileMatches] {
        &self.files
    }
}

impl SearchPaths {
    /// The paths that are kept, of so many that were found.
    ///
    /// # Errors
    /// There are more paths than were found.
    pub fn new<P: Into<String>>(paths: impl IntoIterator<Item = P>, total: u64) -> Result<Self, InvalidCard> {
        let paths: Vec<String> = paths.into_iter().map(Into::into).collect();
        check(paths.len(), true, total)?;
        Ok(Self { title: None, truncated: total > number(paths.len()), paths, total })
    }

    /// The same card in at most so many bytes of JSON: paths at the end are left out, but never all. The total stays.
    ///
    /// Meta has a limit of its own: [`SearchResult::META_BYTES`] leaves room for it.
    #[must_use]
    pub fn within(mut self, bytes: usize) -> Self {
        let (paths, was_truncated) = (std::mem::take(&mut self.paths), self.truncated);
        let before = paths.len();
        let empty = SearchResult::Paths(Self { truncated: true, ..self });
        let mut room = bytes.saturating_sub(json_bytes(&empty));
        let SearchResult::Paths(mut card) = empty else { unreachable!("it is a card of paths") };
        card.paths = fitting(paths, &mut room, true);
        card.truncated = was_truncated || card.paths.len() < before;
        card
    }

    /// The paths.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }
}

macro_rules! searches {
    ($($card:ident, $variant:ident);*) => {$(
        impl $card {
            /// The same card with a title in the place of the call's.
            #[must_use]
            pub fn with_title(mut self, title: impl Into<String>) -> Self {
                self.title = Some(title.into());
                self
            }

            /// The same card of a search that ended before it had seen everything: the total is what it had counted till
            /// then, and there may be more.
            #[must_use]
            pub fn stopped_early(mut self) -> Self {
                self.truncated = true;
                self
            }

            /// One line; the call's title stays if there is none.
            pub fn title(&self) -> Option<&str> {
                self.title.as_deref()
            }

            /// Whether some are left out.
            pub fn truncated(&self) -> bool {
                self.truncated
            }

            /// How many were found, those that are left out included.
            pub fn total(&self) -> u64 {
                self.total
            }
        }

        impl From<$card> for SearchResult {
            fn from(card: $card) -> Self {
                Self::$variant(card)
            }
        }
    )*};
}

searches!(SearchMatches, Matches; SearchPaths, Paths);

impl SearchResult {
    /// As many bytes of JSON as the card of a search should have when it is kept as meta: 65 536.
    pub const META_BYTES: usize = 65_536;

    /// One line; the call's title stays if there is none.
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Matches(card) => card.title(),
            Self::Paths(card) => card.title(),
        }
    }

    /// Whether some are left out.
    pub fn truncated(&self) -> bool {
        match self {
            Self::Matches(card) => card.truncated(),
            Self::Paths(card) => card.truncated(),
        }
    }

    /// How many were found, those that are left out included.
    pub fn total(&self) -> u64 {
        match self {
            Self::Matches(card) => card.total(),
            Self::Paths(card) => card.total(),
        }
    }
}

impl FileMatches {
    /// The file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its lines, one at least.
    pub fn matches(&self) -> &[LineMatch] {
        &self.matches
    }
}

impl LineMatch {
    /// Its number, counted from 1.
    pub fn line_number(&self) -> u64 {
        self.line_number.get()
    }

    /// Its text.
    pub fn line(&self) -> &str {
        &self.line
    }
}

/// The items from the start that fit, with the comma after each; the first in any case, if it is the first of all.
fn fitting<T: Serialize>(items: Vec<T>, room: &mut usize, is_first: bool) -> Vec<T> {
    let mut is_first = is_first;
    let fits = |item: &T| {
        let bytes = json_bytes(item) + 1;
        let fits = bytes <= *room || is_first;
        is_first = false;
        *room = if fits { room.saturating_sub(bytes) } else { 0 };
        fits
    };
    items.into_iter().take_while(fits).collect()
}

fn json_bytes(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(usize::MAX / 2, |text| text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(json: &str) -> Result<SearchPaths, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn a_search_says_what_it_leaves_out() {
        let all = SearchPaths::new(["a", "b"], 2).unwrap();
        assert!(!all.truncated());
        assert!(all.stopped_early().truncated());
        assert!(SearchPaths::new(["a", "b"], 9).unwrap().truncated());
        assert_eq!(
            SearchPaths::new(["a", "b"], 1).unwrap_err().to_string(),
            "it holds 2, more than the 1 that there are"
        );
        assert!(!SearchPaths::new::<&str>([], 0).unwrap().truncated(), "nothing was found, which is a card too");
        assert!(paths(r#"{"paths":["a"],"truncated":false,"total":2}"#).is_err());
        assert!(paths(r#"{"paths":["a"],"truncated":true,"total":0}"#).is_err());
        assert!(paths(r#"{"paths":["a"],"truncated":true,"total":1}"#).is_ok());
        assert!(paths(r#"{"paths":["a"],"total":1}"#).is_err());
        assert!(paths(r#"{"paths":["a"],"truncated":true}"#).is_err());
    }

    #[test]
    fn lines_are_grouped_by_file_in_the_order_of_their_first() {
        let found = SearchMatches::new([("b", 2, "x"), ("a", 1, "y"), ("b", 3, "z")], 3).unwrap();
        assert_eq!(
            serde_json::to_string(&found).unwrap(),
            r#"{"files":[{"path":"b","matches":[{"lineNumber":2,"line":"x"},{"lineNumber":3,"line":"z"}]},{"path":"a","matches":[{"lineNumber":1,"line":"y"}]}],"truncated":false,"total":3}"#
        );
        assert!(SearchMatches::new([("a", 0, "x")], 1).is_err());
        let empty_group = r#"{"files":[{"path":"a","matches":[]}],"truncated":false,"total":0}"#;
        assert!(serde_json::from_str::<SearchMatches>(empty_group).is_err());
    }

    #[test]
    fn what_has_no_room_is_left_out_from_the_end_and_one_always_stays() {
        let size = |card: &SearchPaths| json_bytes(&SearchResult::from(card.clone()));
        let all = SearchPaths::new(["first", "second", "third"], 3).unwrap();
        for bytes in 0..120 {
            let card = all.clone().within(bytes);
            assert!(size(&card) <= bytes || card.paths().len() == 1, "{bytes}");
            assert!(all.paths().starts_with(card.paths()) && !card.paths().is_empty());
            assert_eq!((card.total(), card.truncated()), (3, card.paths().len() < 3));
        }
        assert_eq!(all.clone().within(size(&all)).paths().len(), 3);
        let lines = SearchMatches::new([("a", 1, "x"), ("a", 2, "y"), ("b", 1, "z")], 3).unwrap();
        for bytes in 0..250 {
            let card = lines.clone().within(bytes);
            let kept = count(card.files());
            assert!(json_bytes(&SearchResult::from(card.clone())) <= bytes || kept == 1, "{bytes}: {card:?}");
            assert_eq!((card.total(), card.truncated(), kept > 0), (3, kept < 3, true));
        }
        assert_eq!(lines.clone().within(250), lines);
    }
}
