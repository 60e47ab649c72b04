//! What the projections of any value have in common.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
#[cfg(unix)]
use tool_runtime::present::Exit;
use tool_runtime::present::SearchResult;
use tool_runtime::{Present, Render, serde_json};

fn found_lines() -> impl Strategy<Value = FoundLines> {
    let line = (0..4_u8, 1..=u64::MAX, "[a\"é]{0,40}", 1..120_usize).prop_map(|(file, line_number, text, times)| {
        LineFound { path: format!("file-{file}"), line_number, line: text.repeat(times) }
    });
    vec(line, 0..400).prop_map(|matches| FoundLines { matches })
}

#[cfg(unix)]
fn ran() -> impl Strategy<Value = Ran> {
    // Output that looks like a marker is what a marker must not be mistaken for.
    let line = prop_oneof![
        "[a\\]\\[\n]{0,9}",
        Just("\n[exit code: 1]".to_owned()),
        Just("[killed by signal: S]\n".to_owned())
    ];
    let text = vec(line, 0..4).prop_map(|lines| lines.concat());
    let stream = (text, 0..2_u64).prop_map(|(text, omitted)| RanStream { text, omitted, ..RanStream::default() });
    let exit = prop_oneof![(-1..2_i32).prop_map(RanExit::Code), Just(RanExit::Signal("S".into()))];
    (exit, any::<bool>(), stream.clone(), stream).prop_map(|(exit, timed_out, stdout, stderr)| Ran {
        exit,
        timed_out,
        stdout,
        stderr,
    })
}

fn long_path() -> impl Strategy<Value = String> {
    ("[a\"é/]{1,10}", 1..150_usize).prop_map(|(part, times)| part.repeat(times))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lines_of_the_card_are_lines_of_the_text(found in found_lines()) {
        let grep = Grep { pattern: "x".into(), path: None, include: None, respect_gitignore: None };
        let text = grep.render(&found).to_text();
        let meta = grep.meta(&found);
        prop_assert!(serde_json::to_string(&meta).unwrap().len() <= 65_536);
        let Some(SearchResult::Matches(card)) = meta else { panic!("a search for lines has a card of lines") };
        let kept: usize = card.files().iter().map(|file| file.matches().len()).sum();
        prop_assert_eq!(usize::try_from(card.total()), Ok(found.matches.len()));
        prop_assert_eq!(card.truncated(), kept < found.matches.len());
        prop_assert!(kept > 0 || found.matches.is_empty());
        for file in card.files() {
            let lines = file.matches().iter().map(|found| format!("\nLine {}: {}", found.line_number(), found.line()));
            let group = format!("\n\n{}{}", file.path(), lines.collect::<String>());
            prop_assert!(text.contains(&group), "{group} is not in {text}");
        }
    }

    #[test]
    fn paths_of_the_card_are_paths_of_the_text(paths in vec(long_path(), 0..150)) {
        let glob = Glob { pattern: "*".into(), path: None, respect_gitignore: None };
        let found = FoundFiles { root: ".".into(), paths };
        let text = glob.render(&found).to_text();
        let meta = glob.meta(&found);
        prop_assert!(serde_json::to_string(&meta).unwrap().len() <= 65_536);
        let Some(SearchResult::Paths(card)) = meta else { panic!("a search for paths has a card of paths") };
        prop_assert_eq!(usize::try_from(card.total()), Ok(found.paths.len()));
        prop_assert_eq!(card.truncated(), card.paths().len() < found.paths.len());
        prop_assert!(!card.paths().is_empty() || found.paths.is_empty());
        prop_assert!(text.starts_with(&card.paths().join("\n")));
    }

    #[cfg(unix)]
    #[test]
    fn the_card_of_a_command_is_its_text_without_the_line_that_says_how_it_ended(ran in ran()) {
        let bash = Bash { command: "true".into(), description: None, timeout_ms: None };
        let (content, meta) = (bash.render(&ran), bash.meta(&ran));
        let Some(ResultView::Terminal(card)) = bash.result_view(&Durable::success(&content, Some(&meta))) else {
            panic!("a command has the card of a terminal")
        };
        let (exit, line) = match &ran.exit {
            RanExit::Code(0) => (Exit::Code(0), String::new()),
            RanExit::Code(code) => (Exit::Code(*code), format!("\n[exit code: {code}]")),
            RanExit::Signal(name) => (Exit::Signal(name.clone()), format!("\n[killed by signal: {name}]")),
        };
        prop_assert_eq!(card.exit(), Some(&exit));
        prop_assert_eq!(format!("{}{line}", card.output().unwrap()), content.to_text());
    }

    #[test]
    fn any_window_can_be_shown(offset: u32, limit: Option<u32>, numbers: Vec<u32>, total_lines: u32) {
        // A policy may replace the value with any other that fits the schema.
        let lines = numbers.into_iter().map(|number| FileLine { number, text: "x".into() }).collect();
        let read = Read { path: "f.rs".into(), offset: Some(offset), limit };
        let view = FileView { path: "f.rs".into(), offset, lines, total_lines };
        prop_assert!(read.render(&view).to_text().ends_with(")\n</content>"));
        // What is no window has no card of one, and the model reads it all the same.
        if let Some(card) = read.meta(&view) {
            prop_assert_eq!(card.lines().len(), view.lines.len());
        }
    }
}
