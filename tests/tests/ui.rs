//! Compile-fail cases with their goldens. What looks alike and compiles is in `alike.rs`.
//!
//! The goldens belong to one compiler. With another, the fail cases are not judged: the test says so, and in CI it fails,
//! so that nobody takes it for a pass.

use std::path::{Path, PathBuf};
use std::process::Command;

const COMPILER: &str = "rustc 1.95.0 ";

#[test]
fn mistakes_are_named_by_the_compiler() {
    if !is_the_golden_compiler() {
        return;
    }
    // Without a case that passes among them, trybuild compiles all of these together.
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}

/// Where serde, schemars or rustc speak after us or for themselves, once each, and nothing of it can be taken away.
const SPOKEN_BY_OTHERS: [&str; 6] = [
    "body/without_derive",              // rustc asks for the supertrait at the impl and at the method
    "calling/invoke_without_serialize", // rustc asks for the argument, the call and the await
    "input/field_not_readable",         // serde and schemars each miss their own trait, on the author's field
    "input/nested_field_not_readable",  // the same
    "output_type/below_its_attributes", // rustc reads them before the macro, and knows none of them
    "output_type/field_not_annotated",  // the same as of fields of arguments
];

/// The measure of a good message, over every golden.
#[test]
fn each_golden_is_one_error_on_the_author_s_tokens() {
    let mut faults = Vec::new();
    let goldens = goldens();
    assert!(goldens.len() >= 100, "only {} goldens", goldens.len());
    for path in goldens {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = format!("{}/{}", topic(&path), path.file_stem().unwrap().to_string_lossy());
        let errors = text.lines().filter(|line| line.starts_with("error")).count();
        let place = text.lines().find(|line| line.trim_start().starts_with("-->")).unwrap_or_default();
        if !place.contains(&format!("tests/ui/{name}.rs:")) {
            faults.push(format!("{name}: the first place is not the author's file"));
        }
        if SPOKEN_BY_OTHERS.contains(&name.as_str()) {
            let first = text.lines().next().unwrap_or_default();
            if first.contains("trait bound") {
                faults.push(format!("{name}: the first line is not ours: {first}"));
            }
            continue;
        }
        if errors != 1 {
            faults.push(format!("{name}: {errors} errors"));
        }
        if text.contains("tool_private") || text.contains("Arguments`") || text.contains("ToolOutputContract") {
            faults.push(format!("{name}: shows a name of ours that the author never wrote"));
        }
        if text.contains("other types implement") {
            faults.push(format!("{name}: lists other implementors"));
        }
        if text.lines().count() > 25 {
            faults.push(format!("{name}: {} lines", text.lines().count()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn goldens() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let topics = std::fs::read_dir(root).unwrap();
    let mut goldens: Vec<PathBuf> = topics
        .flat_map(|topic| std::fs::read_dir(topic.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "stderr"))
        .collect();
    goldens.sort();
    goldens
}

fn topic(path: &Path) -> String {
    path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned()
}

fn is_the_golden_compiler() -> bool {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(rustc).arg("--version").output().expect("the compiler says its version").stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    if version.starts_with(COMPILER) {
        return true;
    }
    let note = format!(
        "the compile-fail goldens belong to {COMPILER}and this is {}; they are not judged here",
        version.trim()
    );
    assert!(std::env::var_os("CI").is_none(), "{note}");
    println!("{note}");
    false
}
