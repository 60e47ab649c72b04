//! Reading Markdown as far as the checks need it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub(super) fn pages_dir() -> PathBuf {
    root().join("book/src")
}

/// A page, or another Markdown file that is checked like one.
pub(super) struct Page {
    pub(super) path: PathBuf,
    pub(super) lines: Vec<Line>,
}

pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
    /// What stands behind the opening backticks of the fence that the line is in.
    pub(super) fence: Option<String>,
}

/// An include, with the place of its file.
pub(super) struct Include {
    pub(super) line: usize,
    pub(super) fence: Option<String>,
    pub(super) file: PathBuf,
    pub(super) anchor: Option<String>,
}

impl Page {
    pub(super) fn read(path: PathBuf, faults: &mut Vec<String>) -> Self {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (mut lines, mut fence) = (Vec::new(), None);
        for (index, line) in text.lines().enumerate() {
            let (number, delimiter) = (index + 1, line.trim_start().strip_prefix("```"));
            match (delimiter, &fence) {
                (Some(info), None) => fence = Some(info.trim().to_owned()),
                (Some(""), Some(_)) => fence = None,
                (Some(_), Some(_)) => faults.push(format!("{}:{number}: a fence opens within a fence", shown(&path))),
                (None, _) => lines.push(Line { number, text: line.to_owned(), fence: fence.clone() }),
            }
        }
        if fence.is_some() {
            faults.push(format!("{}: a fence is not closed", shown(&path)));
        }
        Self { path, lines }
    }

    pub(super) fn at(&self, line: usize) -> String {
        format!("{}:{line}", shown(&self.path))
    }

    pub(super) fn includes(&self, faults: &mut Vec<String>) -> Vec<Include> {
        let mut includes = Vec::new();
        for line in &self.lines {
            let Some((_, directive)) = line.text.split_once("{{#") else { continue };
            let Some(target) = directive.strip_prefix("include ").and_then(|rest| rest.split_once("}}")) else {
                faults.push(format!("{}: only `include` is used here", self.at(line.number)));
                continue;
            };
            let (file, anchor) = match target.0.split_once(':') {
                Some((file, anchor)) => (file, Some(anchor.to_owned())),
                None => (target.0, None),
            };
            includes.push(Include {
                line: line.number,
                fence: line.fence.clone(),
                file: normalised(&self.path.parent().unwrap().join(file.trim())),
                anchor,
            });
        }
        includes
    }

    /// Targets of the links outside of code, with their lines.
    pub(super) fn links(&self) -> Vec<(usize, String)> {
        let mut links = Vec::new();
        for line in self.lines.iter().filter(|line| line.fence.is_none()) {
            let text = without_code(&line.text);
            for part in text.split("](").skip(1) {
                if let Some((target, _)) = part.split_once(')') {
                    links.push((line.number, target.to_owned()));
                }
            }
        }
        links
    }

    /// The ids that its headings get.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        let mut ids = BTreeSet::new();
        let mut seen = BTreeMap::new();
        for line in self.lines.iter().filter(|line| line.fence.is_none() && line.text.starts_with('#')) {
            let heading = line.text.trim_start_matches('#').trim();
            let id: String = heading
                .to_lowercase()
                .chars()
                .filter_map(|char| match char {
                    _ if char.is_alphanumeric() || char == '_' || char == '-' => Some(char),
                    _ if char.is_whitespace() => Some('-'),
                    _ => None,
                })
                .collect();
            let count = seen.entry(id.clone()).or_insert(0);
            ids.insert(if *count == 0 { id } else { format!("{id}-{count}") });
            *count += 1;
        }
        ids
    }
}

/// The same path without `.` and `..`.
pub(super) fn normalised(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

/// A path as a message shows it.
pub(super) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

pub(super) fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The guide's pages without the summary, and the README.
pub(super) fn pages(faults: &mut Vec<String>) -> Vec<Page> {
    let mut paths = files(&pages_dir(), "md");
    paths.retain(|path| !path.ends_with("SUMMARY.md"));
    paths.push(root().join("README.md"));
    paths.into_iter().map(|path| Page::read(path, faults)).collect()
}

pub(super) fn is_in_guide(page: &Page) -> bool {
    page.path.starts_with(pages_dir())
}

/// The lines between an anchor's start and its end.
pub(super) fn anchored(text: &str, anchor: &str) -> Option<String> {
    let is = |line: &str, mark: &str| anchor_of(line, mark) == Some(anchor);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| is(line, "ANCHOR: "))?;
    let end = lines.iter().position(|line| is(line, "ANCHOR_END: "))?;
    let inside = lines.get(start + 1..end)?.iter().filter(|line| !line.contains("ANCHOR"));
    Some(inside.copied().collect::<Vec<_>>().join("\n"))
}

pub(super) fn anchor_of<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    line.trim().strip_prefix("// ")?.strip_prefix(mark).map(str::trim)
}

/// What the first cell of a row of a table starts with, in backticks.
pub(super) fn first_cell(line: &Line) -> Option<&str> {
    if line.fence.is_some() {
        return None;
    }
    line.text.strip_prefix("| `")?.split_once('`').map(|(cell, _)| cell)
}
