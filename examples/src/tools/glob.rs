//! `glob`: files by name.

use super::background::{in_background, report_skipped};
use super::page::{count, search_card};
use super::touched::key;
use crate::failure::{Action, Failure};
use crate::search::{Search, glob};
use crate::workspace::Workspace;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, Partial, ResultView, SearchPaths, SearchResult};
use tool_runtime::serde::Serialize;

/// The most paths that a model reads of one result.
const MAX_SHOWN: usize = 100;

/// Find files whose paths match a glob pattern, least recently modified first.
///
/// Hidden and ignored files are found too, version control's own directories are not searched, symbolic links are not
/// followed. At most 100 paths are shown.
#[derive(Clone, Debug, Serialize, Tool)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = FoundFiles, failure = Failure, present, read_only, idempotent, resources, canonical, timeout = "30s")]
pub struct Glob {
    /// Glob, such as `*.rs` or `src/**/*.{js,ts}`. Without a slash it matches file names at any depth; with one, paths
    /// from the directory that is searched.
    #[schemars(length(min = 1))]
    #[tool(canonical)]
    pub pattern: String,
    /// Directory to search, absolute or relative to the workspace. The whole workspace if not given.
    #[schemars(length(min = 1))]
    #[tool(canonical)]
    pub path: Option<String>,
    /// Leave out what `.gitignore` files name. False if not given.
    #[tool(canonical = skip)]
    pub respect_gitignore: Option<bool>,
}

/// Files that were found.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFiles {
    /// The directory that was searched, from the root of the workspace; `.` for the root.
    pub root: String,
    /// All paths, from the root of the workspace, least recently modified first.
    pub paths: Vec<String>,
}

impl FoundFiles {
    fn shown(&self) -> &[String] {
        &self.paths[..self.paths.len().min(MAX_SHOWN)]
    }
}

impl Resources for Glob {
    fn resources(&self) -> Vec<Access> {
        vec![Access::read(key(self.path.as_deref().unwrap_or_default()))]
    }
}

impl Execute<Workspace> for Glob {
    async fn execute(&self, cx: &Context<Workspace>) -> Result<FoundFiles, ToolError> {
        let (pattern, path) = (self.pattern.clone(), self.path.clone());
        let respect_gitignore = self.respect_gitignore.unwrap_or(false);
        let files = in_background(cx, move |workspace, stop| {
            glob(&Search::new(workspace, Action::Glob, stop, respect_gitignore), &pattern, path.as_deref())
        })
        .await?;
        report_skipped(cx, &files.skipped);
        Ok(FoundFiles { root: files.root, paths: files.paths })
    }
}

impl Render for Glob {
    fn render(&self, found: &FoundFiles) -> Content {
        let (shown, total) = (found.shown(), found.paths.len());
        let page = shown.join("\n");
        let count = shown.len();
        Content::text(match total {
            0 => "No files found".to_owned(),
            _ if count < total => format!(
                "{page}\n\n(Showing {count} of {total} paths. The complete result could not be saved; narrow pattern \
                 or path to see more.)"
            ),
            _ => page,
        })
    }
}

impl Present for Glob {
    type Meta = Option<SearchResult>;

    fn meta(&self, found: &FoundFiles) -> Option<SearchResult> {
        let paths = SearchPaths::new(found.shown(), count(found.paths.len())).ok()?;
        Some(paths.within(SearchResult::META_BYTES).into())
    }

    fn call_view(&self) -> Option<CallView> {
        Some(search_card("Glob", &self.pattern, self.path.as_deref(), None))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        Some(search_card("Glob", partial.text("pattern")?, partial.text("path"), None))
    }

    fn result_view(&self, result: &Durable<'_, Self::Meta>) -> Option<ResultView> {
        result.card()
    }
}
