//! What the web answered.

use serde::{Deserialize, Serialize};

/// What the web answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum WebResult {
    /// A search.
    Search(WebSearch),
    /// A page.
    Fetch(WebFetch),
}

/// What a web search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSearch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    sources: Vec<WebSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    truncated: bool,
}

/// One source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSource {
    url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    snippet: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    published_at: Option<String>,
}

/// A page that was fetched; its body is not in the card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebFetch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    url: String,
    status_code: u16,
    truncated: bool,
}

impl WebResult {
    /// One line; the call's title stays if there is none.
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Search(card) => card.title(),
            Self::Fetch(card) => card.title(),
        }
    }
}

impl WebSearch {
    /// The sources, and whether some were left out.
    pub fn new(sources: impl IntoIterator<Item = WebSource>, truncated: bool) -> Self {
        Self { title: None, sources: sources.into_iter().collect(), answer: None, truncated }
    }

    /// The same card with a title in the place of the call's.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The same card with an answer, where the search engine gives one.
    #[must_use]
    pub fn with_answer(mut self, answer: impl Into<String>) -> Self {
        self.answer = Some(answer.into());
        self
    }

    /// One line; the call's title stays if there is none.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The sources.
    pub fn sources(&self) -> &[WebSource] {
        &self.sources
    }

    /// An answer, where the search engine gives one.
    pub fn answer(&self) -> Option<&str> {
        self.answer.as_deref()
    }

    /// Whether some were left out.
    pub fn truncated(&self) -> bool {
        self.truncated
    }
}

impl WebSource {
    /// Where it is.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), title: None, snippet: None, published_at: None }
    }

    /// The same source with its title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The same source with a few words of it.
    #[must_use]
    pub fn with_snippet(mut self, snippet: impl Into<String>) -> Self {
        self.snippet = Some(snippet.into());
        self
    }

    /// The same source with the time of its publication.
    #[must_use]
    pub fn with_published_at(mut self, time: impl Into<String>) -> Self {
        self.published_at = Some(time.into());
        self
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its title.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// A few words of it.
    pub fn snippet(&self) -> Option<&str> {
        self.snippet.as_deref()
    }

    /// When it was published.
    pub fn published_at(&self) -> Option<&str> {
        self.published_at.as_deref()
    }
}

impl WebFetch {
    /// Where the page was found in the end, the HTTP status, and whether the body was cut.
    pub fn new(url: impl Into<String>, status_code: u16, truncated: bool) -> Self {
        Self { title: None, url: url.into(), status_code, truncated }
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

    /// Where it was found in the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The HTTP status.
    pub fn status_code(&self) -> u16 {
        self.status_code
    }

    /// Whether the body was cut.
    pub fn truncated(&self) -> bool {
        self.truncated
    }
}

impl From<WebSearch> for WebResult {
    fn from(card: WebSearch) -> Self {
        Self::Search(card)
    }
}

impl From<WebFetch> for WebResult {
    fn from(card: WebFetch) -> Self {
        Self::Fetch(card)
    }
}
