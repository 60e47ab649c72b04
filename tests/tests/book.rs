//! Checks the guide and the README: what they include exists, what they link to resolves, and no program is typed in
//! them. mdBook itself mentions some of these mistakes and passes over the others.
//!
//! `BOOK=overwrite cargo test -p tests --test book` writes the README's copies of files anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use tool_runtime::Code;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn pages_dir() -> PathBuf {
    root().join("book/src")
}

/// A page, or another Markdown file that is checked like one.
struct Page {
    path: PathBuf,
    lines: Vec<Line>,
}

struct Line {
    number: usize,
    text: String,
    /// What stands behind the opening backticks of the fence that the line is in.
    fence: Option<String>,
}

/// An include, with the place of its file.
struct Include {
    line: usize,
    fence: Option<String>,
    file: PathBuf,
    anchor: Option<String>,
}

impl Page {
    fn read(path: PathBuf, faults: &mut Vec<String>) -> Self {
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

    fn at(&self, line: usize) -> String {
        format!("{}:{line}", shown(&self.path))
    }

    fn includes(&self, faults: &mut Vec<String>) -> Vec<Include> {
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
    fn links(&self) -> Vec<(usize, String)> {
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
    fn ids(&self) -> BTreeSet<String> {
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
fn normalised(path: &Path) -> PathBuf {
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
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
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
fn pages(faults: &mut Vec<String>) -> Vec<Page> {
    let mut paths = files(&pages_dir(), "md");
    paths.retain(|path| !path.ends_with("SUMMARY.md"));
    paths.push(root().join("README.md"));
    paths.into_iter().map(|path| Page::read(path, faults)).collect()
}

fn is_in_guide(page: &Page) -> bool {
    page.path.starts_with(pages_dir())
}

#[track_caller]
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_summary_names_every_page_once() {
    let mut faults = Vec::new();
    let summary = Page::read(pages_dir().join("SUMMARY.md"), &mut faults);
    let mut named = BTreeSet::new();
    for (line, target) in summary.links() {
        let path = pages_dir().join(&target);
        if !path.is_file() {
            faults.push(format!("{}: there is no page {target}", summary.at(line)));
        }
        if !named.insert(normalised(&path)) {
            faults.push(format!("{}: {target} is named twice", summary.at(line)));
        }
    }
    for page in pages(&mut Vec::new()).iter().filter(|page| is_in_guide(page)) {
        if !named.contains(&page.path) {
            faults.push(format!("{}: the summary does not name it", shown(&page.path)));
        }
        if page.lines.iter().filter(|line| line.fence.is_none() && line.text.starts_with("# ")).count() != 1 {
            faults.push(format!("{}: it has not exactly one title", shown(&page.path)));
        }
    }
    assert_none(&faults);
}

#[test]
fn every_include_has_a_file_and_an_anchor_with_something_in_it() {
    let mut faults = Vec::new();
    for page in pages(&mut faults) {
        for include in page.includes(&mut faults) {
            let place = page.at(include.line);
            if !include.file.starts_with(root()) {
                faults.push(format!("{place}: the include leaves the repository"));
                continue;
            }
            let Ok(text) = fs::read_to_string(&include.file) else {
                faults.push(format!("{place}: there is no file {}", shown(&include.file)));
                continue;
            };
            let shown_text = match &include.anchor {
                None => Some(text),
                Some(anchor) => anchored(&text, anchor),
            };
            match shown_text {
                None => faults.push(format!("{place}: {} has no such anchor", shown(&include.file))),
                Some(text) if text.trim().is_empty() => faults.push(format!("{place}: the include is empty")),
                Some(_) => {}
            }
        }
    }
    assert_none(&faults);
}

/// The lines between an anchor's start and its end.
fn anchored(text: &str, anchor: &str) -> Option<String> {
    let is = |line: &str, mark: &str| anchor_of(line, mark) == Some(anchor);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| is(line, "ANCHOR: "))?;
    let end = lines.iter().position(|line| is(line, "ANCHOR_END: "))?;
    let inside = lines.get(start + 1..end)?.iter().filter(|line| !line.contains("ANCHOR"));
    Some(inside.copied().collect::<Vec<_>>().join("\n"))
}

fn anchor_of<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    line.trim().strip_prefix("// ")?.strip_prefix(mark).map(str::trim)
}

#[test]
fn anchors_pair_up_and_each_is_shown() {
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    for page in pages(&mut faults) {
        used.extend(page.includes(&mut faults).into_iter().filter_map(|include| Some((include.file, include.anchor?))));
    }
    let programs = files(&root().join("tests/tests/guide"), "rs");
    assert!(programs.len() > 5, "the guide's programs have moved");
    for path in programs {
        let text = fs::read_to_string(&path).unwrap();
        let (mut open, mut closed) = (BTreeSet::new(), BTreeSet::new());
        for (index, line) in text.lines().enumerate() {
            let place = format!("{}:{}", shown(&path), index + 1);
            if let Some(anchor) = anchor_of(line, "ANCHOR: ") {
                if closed.contains(anchor) || !open.insert(anchor) {
                    faults.push(format!("{place}: the anchor `{anchor}` stands twice"));
                }
                if !used.contains(&(path.clone(), anchor.to_owned())) {
                    faults.push(format!("{place}: no page shows the anchor `{anchor}`"));
                }
            } else if let Some(anchor) = anchor_of(line, "ANCHOR_END: ") {
                if !open.remove(anchor) {
                    faults.push(format!("{place}: the anchor `{anchor}` ends without a start"));
                }
                closed.insert(anchor);
            } else if line.contains("ANCHOR") {
                faults.push(format!("{place}: an anchor is written `// ANCHOR: name` or `// ANCHOR_END: name`"));
            }
        }
        faults.extend(open.iter().map(|anchor| format!("{}: the anchor `{anchor}` has no end", shown(&path))));
    }
    assert_none(&faults);
}

#[test]
fn every_text_that_a_program_prints_is_shown() {
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    for page in pages(&mut faults) {
        used.extend(page.includes(&mut faults).into_iter().map(|include| include.file));
    }
    for extension in ["txt", "json"] {
        for path in files(&root().join("tests/tests/guide/expected"), extension) {
            if !used.contains(&path) {
                faults.push(format!("{}: no page shows it", shown(&path)));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn no_program_is_typed_in_the_guide() {
    let mut faults = Vec::new();
    for page in pages(&mut faults).iter().filter(|page| is_in_guide(page)) {
        for line in &page.lines {
            let Some(fence) = &line.fence else { continue };
            let place = page.at(line.number);
            match fence.as_str() {
                "rust,ignore" | "json" if !line.text.trim().is_empty() && !line.text.starts_with("{{#include ") => {
                    faults.push(format!("{place}: this is typed; include it from a file that the build runs"));
                }
                "rust,ignore" | "json" | "text" | "toml" | "console" => {}
                other => faults.push(format!("{place}: a fence `{other}`; write `rust,ignore`, or what it holds")),
            }
        }
    }
    assert_none(&faults);
}

/// What a program shows is a file that cargo builds, and what it prints is a text that a test compares.
#[test]
fn includes_are_of_files_that_the_build_runs() {
    let mut faults = Vec::new();
    for page in pages(&mut faults).iter().filter(|page| is_in_guide(page)) {
        for include in page.includes(&mut faults) {
            let (file, place) = (shown(&include.file), page.at(include.line));
            let (rust, fence) = (file.ends_with(".rs"), include.fence.as_deref());
            if rust != (fence == Some("rust,ignore")) {
                faults.push(format!("{place}: {file} in a fence `{}`", fence.unwrap_or("(none)")));
            }
            let homes = ["tests/tests/guide/", "tests/tests/ui/", "examples/src/bin/"];
            if !homes.iter().any(|home| file.starts_with(home)) {
                faults.push(format!("{place}: {file} is not run by a test"));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn each_mistake_is_shown_with_what_the_compiler_says() {
    let mut faults = Vec::new();
    let page = Page::read(pages_dir().join("compile-errors.md"), &mut faults);
    let includes = page.includes(&mut faults);
    assert!(includes.len() >= 40, "the page lost its cases");
    for pair in includes.chunks(2) {
        let [case, golden] = pair else {
            faults.push(format!("{}: a case without its golden", page.at(pair[0].line)));
            break;
        };
        if case.anchor.is_some() || golden.file != case.file.with_extension("stderr") {
            faults.push(format!("{}: the case and the golden are not of one mistake", page.at(golden.line)));
        }
    }
    assert_none(&faults);
}

#[test]
fn every_link_resolves() {
    let mut faults = Vec::new();
    let pages = pages(&mut faults);
    let ids: BTreeMap<&Path, BTreeSet<String>> = pages.iter().map(|page| (page.path.as_path(), page.ids())).collect();
    for page in &pages {
        for (line, target) in page.links() {
            if target.starts_with("https://") {
                continue;
            }
            let place = page.at(line);
            let (file, fragment) = target.split_once('#').map_or((target.as_str(), None), |(f, id)| (f, Some(id)));
            let path = match file {
                "" => page.path.clone(),
                file => normalised(&page.path.parent().unwrap().join(file)),
            };
            if !path.starts_with(root()) || !path.exists() {
                faults.push(format!("{place}: {target} is not in the repository"));
            } else if is_in_guide(page) && !ids.contains_key(path.as_path()) {
                faults.push(format!("{place}: {target} is no page of the guide"));
            } else if fragment.is_some_and(|id| !ids.get(path.as_path()).is_some_and(|ids| ids.contains(id))) {
                faults.push(format!("{place}: {target} names no heading"));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn no_page_speaks_of_places_outside_the_repository() {
    let mut faults = Vec::new();
    for page in pages(&mut faults) {
        for line in &page.lines {
            for outside in ["/home/", "/tmp/", "/root/", "/work/", "/Users/", "C:\\", "../shared"] {
                if line.text.contains(outside) {
                    faults.push(format!("{}: it speaks of {outside}", page.at(line.number)));
                }
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn the_table_of_codes_is_the_framework_s() {
    let mut faults = Vec::new();
    let page = Page::read(pages_dir().join("errors.md"), &mut faults);
    let is_row = |line: &&Line| line.fence.is_none() && line.text.starts_with("| `");
    let shown: Vec<&str> = page.lines.iter().filter(is_row).map(|line| line.text.as_str()).collect();
    let table: Vec<String> = Code::TABLE
        .iter()
        .map(|(name, meaning)| {
            let (stage, meaning) = meaning.trim().split_once(": ").unwrap();
            format!("| `{name}` | {stage} | {meaning} |")
        })
        .collect();
    assert_eq!(shown, table, "the table is:\n{}", table.join("\n"));
    assert_none(&faults);
}

/// In the README, a comment above a fence names the file that the fence is a copy of.
#[test]
fn the_readme_s_copies_are_up_to_date() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (mut fresh, mut copies) = (String::new(), 0);
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        fresh.push_str(line);
        fresh.push('\n');
        let source = line.strip_prefix("<!-- copy of ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some(source) = source else { continue };
        let file = root().join(source);
        let fence = lines.next().unwrap_or_default();
        assert!(fence.starts_with("```"), "a fence follows {line}");
        let old: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{source}: {error}"));
        fresh.push_str(&format!("{fence}\n{}\n```\n", text.trim_end()));
        copies += 1;
        drop(old);
    }
    assert!(copies >= 2, "the README shows the quickstart, and what the compiler says");
    if std::env::var_os("BOOK").is_some_and(|mode| mode == "overwrite") {
        fs::write(&path, fresh).unwrap();
        return;
    }
    assert!(readme == fresh, "the README's copies are stale; write them anew with BOOK=overwrite");
}

/// Every Rust fence of the README is such a copy.
#[test]
fn the_readme_types_no_program() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let lines: Vec<&str> = readme.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        if line.starts_with("```rust") {
            assert!(lines[index - 1].starts_with("<!-- copy of "), "line {}: a program that no test runs", index + 1);
        }
    }
}
