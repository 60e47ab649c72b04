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

/// A golden that is longer than the measure allows, or has more errors, with what it has exactly: it cannot grow.
struct Exception {
    case: &'static str,
    errors: usize,
    lines: usize,
    /// Why nothing of ours can shorten it.
    why: &'static str,
}

const fn longer(case: &'static str, lines: usize, why: &'static str) -> Exception {
    Exception { case, errors: 1, lines, why }
}

const BOUND: &str = "below our message, rustc shows the bound that asks for the trait, in five lines";
const TWICE: &str = "rustc asks for the supertrait at the impl and at its method";

const EXCEPTIONS: &[Exception] = &[
    longer("beside_others/no_output", 17, BOUND),
    Exception { case: "beside_others/no_tool_for_a_body", errors: 2, lines: 30, why: TWICE },
    longer("body/not_send", 19, "rustc speaks: of the value, of the await and of the bound"),
    Exception { case: "body/without_derive", errors: 2, lines: 30, why: TWICE },
    longer("calling/invoke_without_serialize", 17, BOUND),
    longer(
        "failure/field_without_display",
        18,
        "rustc speaks: of the field, of its place in the sentence and of its type",
    ),
    longer("failure/without_conversion", 21, "rustc speaks: of the error, of the `Err` around it and of the remedy"),
    Exception {
        case: "input/generic_without_bounds",
        errors: 2,
        lines: 48,
        why: "rustc asks for the supertrait at the impl and at its method, and shows how it hangs on the parameter",
    },
    Exception {
        case: "input/lifetime_with_body",
        errors: 4,
        lines: 69,
        why: "after ours, rustc asks of the author's own impl that the tool be `'static`, as its supertraits are",
    },
    longer("output/not_annotated", 17, BOUND),
    Exception {
        case: "output_type/below_its_attributes",
        errors: 2,
        lines: 21,
        why: "rustc reads attributes above a macro before the macro runs, and knows none of them",
    },
    Exception {
        case: "output_type/unknown_type",
        errors: 2,
        lines: 16,
        why: "rustc looks the name up in the type, where it could be a parameter, and in the derived impls",
    },
    longer("policy/content_then_value", 18, "rustc speaks: there is no such method"),
    longer("policy/typed_for_another_tool", 17, BOUND),
    longer("projection/meta_without_serde", 17, BOUND),
    longer("projection/present_not_asked_for", 17, BOUND),
    longer("registry/wrong_state", 17, BOUND),
    longer("resources/not_asked_for", 17, BOUND),
];

/// Where rustc's first line says it all: what is wrong, and no more is to be said.
const WITHOUT_REMEDY: [&str; 5] = [
    "input/unknown_type",
    "output/unknown_type",
    "policy/forged_result",
    "policy/value_on_a_failure",
    "projection/ready_and_own",
];

/// The measure of a good message, over every golden.
#[test]
fn each_golden_is_one_error_on_the_author_s_tokens() {
    let mut faults = Vec::new();
    let goldens = goldens();
    assert!(goldens.len() >= 150, "only {} goldens", goldens.len());
    for path in &goldens {
        let text = std::fs::read_to_string(path).unwrap();
        let name = name_of(path);
        let exception = EXCEPTIONS.iter().find(|exception| exception.case == name);
        faults.extend(faults_of(&name, &text, exception).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    let names: Vec<String> = goldens.iter().map(|path| name_of(path)).collect();
    for case in EXCEPTIONS.iter().map(|exception| exception.case).chain(WITHOUT_REMEDY) {
        if !names.iter().any(|name| name == case) {
            faults.push(format!("{case}: there is no such case"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn faults_of(name: &str, text: &str, exception: Option<&Exception>) -> Vec<String> {
    let mut faults = Vec::new();
    let errors = text.lines().filter(|line| line.starts_with("error")).count();
    let lines = text.lines().count();
    match exception {
        None if errors != 1 => faults.push(format!("{errors} errors")),
        None if lines > 15 => faults.push(format!("{lines} lines")),
        Some(Exception { errors: 1, lines: ..=15, .. }) => faults.push("it is no exception".to_owned()),
        Some(Exception { errors: e, lines: l, why, .. }) if (errors, lines) != (*e, *l) => {
            faults.push(format!("{errors} errors in {lines} lines, not {e} in {l} ({why})"));
        }
        _ => {}
    }
    let first = text.lines().next().unwrap_or_default();
    if first.contains("trait bound") {
        faults.push(format!("the first line is not in the author's words: {first}"));
    }
    let place = text.lines().find(|line| line.trim_start().starts_with("-->")).unwrap_or_default();
    if !place.contains(&format!("tests/ui/{name}.rs:")) {
        faults.push("the first place is not the author's file".to_owned());
    }
    let has_remedy = text.contains("help:") || text.contains("note:") || text.contains("suggest");
    if has_remedy == WITHOUT_REMEDY.contains(&name) {
        faults.push(format!("a remedy is {}", if has_remedy { "named after all" } else { "not named" }));
    }
    for internal in ["__", "::<impl", "Arguments`", "Reader`", "ToolOutputContract`", "Assumed", "Unread"] {
        if text.contains(internal) && name != "output_type/below_its_attributes" {
            faults.push(format!("shows `{internal}`, which the author never wrote"));
        }
    }
    for listed in ["other types implement", "is implemented for"] {
        if text.contains(listed) {
            faults.push("lists other implementors".to_owned());
        }
    }
    faults
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

/// `topic/mistake`
fn name_of(path: &Path) -> String {
    let topic = path.parent().unwrap().file_name().unwrap().to_string_lossy();
    format!("{topic}/{}", path.file_stem().unwrap().to_string_lossy())
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
