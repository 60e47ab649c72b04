//! One table of codes: the framework gives no other, and each of it somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tool_runtime::Code;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The lines of the library's sources, without comments and tests.
fn lines_of(directory: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            lines.extend(lines_of(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            lines.extend(code.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned));
        }
    }
    lines
}

#[test]
fn every_code_of_the_table_is_given_and_no_other_is_made_up() {
    let lines = lines_of(&root().join("tool-runtime/src"));
    assert!(lines.len() > 5_000, "the sources have moved");
    for (name, _) in Code::TABLE {
        let constant = format!("Code::{name}");
        let is_given = |line: &String| {
            line.split(&constant).skip(1).any(|rest| !rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_'))
        };
        assert!(lines.iter().any(is_given), "nothing gives {name}");
    }
    let made_up: Vec<&String> = lines.iter().filter(|line| line.contains("Code::new(\"")).collect();
    assert_eq!(made_up, Vec::<&String>::new(), "codes that the table does not have");
}

/// The derive runs without the runtime, so it has a copy of the names.
#[test]
fn the_derive_refuses_the_codes_of_the_table() {
    let source = fs::read_to_string(root().join("tool-derive/src/failure/code.rs")).unwrap();
    let (_, list) = source.split_once("const FRAMEWORK: &[&str] = &[").unwrap();
    let (list, _) = list.split_once("];").unwrap();
    let copied: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    let table: BTreeSet<&str> = Code::TABLE.iter().map(|(name, _)| *name).collect();
    assert_eq!(copied, table, "`FRAMEWORK` in tool-derive/src/failure/code.rs is a copy of `Code::TABLE`");
}
