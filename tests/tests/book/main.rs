//! Checks the guide and the README: what they include exists, what they link to resolves, and no program is typed in
//! them. mdBook itself mentions some of these mistakes and passes over the others.
//!
//! `BOOK=overwrite cargo test -p tests --test book` writes the README's copies of files anew.

mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use page::{
    Line, Page, anchor_of, anchored, files, first_cell, is_in_guide, normalised, pages, pages_dir, root, shown,
};
use tool_runtime::Code;

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
            let rust = include.file.extension().is_some_and(|extension| extension == "rs");
            let fence = include.fence.as_deref();
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
            for outside in ["/home/", "/tmp/", "/root/", "/Users/", "C:\\"] {
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
    let is_row = |line: &&Line| first_cell(line).is_some_and(|cell| Code::try_from(cell.to_owned()).is_ok());
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

/// A page that says who holds a claim names a test that there is.
#[test]
fn every_test_that_a_page_names_exists() {
    let mut faults = Vec::new();
    let mut named = 0;
    for page in pages(&mut faults) {
        for line in page.lines.iter().filter(|line| line.fence.is_none()) {
            let spans = line.text.split('`').skip(1).step_by(2);
            for (file, test) in spans.filter_map(|span| span.split_once("::")) {
                let path = root().join(format!("tests/tests/{file}.rs"));
                let Ok(text) = fs::read_to_string(path) else { continue };
                named += 1;
                if !text.contains(&format!("fn {test}(")) {
                    faults.push(format!("{}: {file} has no test {test}", page.at(line.number)));
                }
            }
        }
    }
    assert!(named >= 11, "{named} tests are named");
    assert_none(&faults);
}

#[test]
fn every_feature_that_a_page_names_exists() {
    let manifest = fs::read_to_string(root().join("tool-runtime/Cargo.toml")).unwrap();
    let (_, features) = manifest.split_once("[features]\n").unwrap();
    let (features, _) = features.split_once("\n[").unwrap();
    let features: BTreeSet<&str> = features.lines().filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
    let (mut faults, mut named) = (Vec::new(), 0);
    for page in pages(&mut faults) {
        for line in &page.lines {
            for marker in ["feature `", "--features "] {
                for rest in line.text.split(marker).skip(1) {
                    let name = rest.split(|char: char| !char.is_ascii_alphanumeric() && char != '-').next().unwrap();
                    if !features.contains(name) {
                        faults.push(format!("{}: there is no feature {name}", page.at(line.number)));
                    }
                    named += 1;
                }
            }
        }
    }
    assert!(named > 0, "no page names a feature");
    assert_none(&faults);
}

/// The macro itself lists its keys, in what it says to an unknown one.
#[test]
fn the_reference_has_every_key() {
    let mut faults = Vec::new();
    let golden = fs::read_to_string(root().join("tests/tests/ui/keys/unknown.stderr")).unwrap();
    let keys = golden.lines().find(|line| line.contains("the keys are")).unwrap();
    let keys: BTreeSet<&str> = keys.split('`').skip(1).step_by(2).collect();
    let page = Page::read(pages_dir().join("attributes.md"), &mut faults);
    let on_a_tool = page.lines.iter().take_while(|line| line.text != "## On an output");
    let is_key = |cell: &&str| cell.chars().all(|char| char.is_ascii_lowercase() || char == '_');
    let named: BTreeSet<&str> =
        on_a_tool.filter_map(first_cell).filter_map(|cell| cell.split([' ', ',']).next()).filter(is_key).collect();
    assert_eq!(named, keys);
    assert_none(&faults);
}

#[test]
fn the_reference_has_every_key_of_a_failure() {
    let mut faults = Vec::new();
    let golden = fs::read_to_string(root().join("tests/tests/ui/failure/unknown_key.stderr")).unwrap();
    let keys = golden.lines().find(|line| line.contains("the keys are")).unwrap();
    let page = Page::read(pages_dir().join("attributes.md"), &mut faults);
    let on_a_failure = page.lines.iter().skip_while(|line| line.text != "## On a failure").skip(1);
    let rows = on_a_failure.take_while(|line| !line.text.starts_with("## ")).filter_map(first_cell);
    let named: BTreeSet<&str> = rows.filter_map(|cell| cell.split(' ').next()).collect();
    for key in keys.split('`').skip(1).step_by(2).chain(["source", "from"]) {
        assert!(named.contains(key), "{key} is not in {named:?}");
    }
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
        write!(fresh, "{fence}\n{}\n```\n", text.trim_end()).unwrap();
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
