//! Changes of files, before and after they are made.

use serde::{Deserialize, Serialize};

use super::{InvalidCard, Location};

/// A change that is being made. It has one diff or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffCall {
    title: String,
    diffs: Diffs,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

/// What was changed. It has one diff or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffResult {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    diffs: Diffs,
}

/// One change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffHunk {
    path: String,
    old_text: Option<String>,
    new_text: String,
}

/// A list that is not empty: a card without a change would show nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<DiffHunk>")]
struct Diffs(Vec<DiffHunk>);

impl TryFrom<Vec<DiffHunk>> for Diffs {
    type Error = InvalidCard;

    fn try_from(diffs: Vec<DiffHunk>) -> Result<Self, InvalidCard> {
        if diffs.is_empty() {
            Err(InvalidCard::new("a card of changes needs one change at least"))
        } else {
            Ok(Self(diffs))
        }
    }
}

impl DiffCall {
    /// A card with its title, one line, and a change.
    pub fn new(title: impl Into<String>, diff: DiffHunk) -> Self {
        Self { title: title.into(), diffs: Diffs(vec![diff]), locations: Vec::new() }
    }

    /// A card of several changes.
    ///
    /// # Errors
    /// There is none.
    pub fn of(title: impl Into<String>, diffs: impl IntoIterator<Item = DiffHunk>) -> Result<Self, InvalidCard> {
        let diffs = Diffs::try_from(diffs.into_iter().collect::<Vec<_>>())?;
        Ok(Self { title: title.into(), diffs, locations: Vec::new() })
    }

    /// The same card with one more place that it is about.
    #[must_use]
    pub fn with_location(mut self, location: Location) -> Self {
        self.locations.push(location);
        self
    }

    /// One line: what is being changed.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The changes, one at least.
    pub fn diffs(&self) -> &[DiffHunk] {
        &self.diffs.0
    }

    /// The places that it is about.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }
}

impl DiffResult {
    /// A card of one change.
    pub fn new(diff: DiffHunk) -> Self {
        Self { title: None, diffs: Diffs(vec![diff]) }
    }

    /// A card of several changes, as they were applied.
    ///
    /// # Errors
    /// There is none.
    pub fn of(diffs: impl IntoIterator<Item = DiffHunk>) -> Result<Self, InvalidCard> {
        Ok(Self { title: None, diffs: Diffs::try_from(diffs.into_iter().collect::<Vec<_>>())? })
    }

    /// The same card with a title in the place of the call's.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// One line; the call's title stays if there is none.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The changes, one at least.
    pub fn diffs(&self) -> &[DiffHunk] {
        &self.diffs.0
    }
}

impl DiffHunk {
    /// A text in the place of another.
    pub fn change(path: impl Into<String>, old: impl Into<String>, new: impl Into<String>) -> Self {
        Self { path: path.into(), old_text: Some(old.into()), new_text: new.into() }
    }

    /// A text where none was: a new file, an insertion, or one of which the old text is not known.
    pub fn whole(path: impl Into<String>, new: impl Into<String>) -> Self {
        Self { path: path.into(), old_text: None, new_text: new.into() }
    }

    /// The file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What stood there; `None` for a new file, an insertion, or where the old text is not known.
    pub fn old_text(&self) -> Option<&str> {
        self.old_text.as_deref()
    }

    /// What stands there now.
    pub fn new_text(&self) -> &str {
        &self.new_text
    }
}
