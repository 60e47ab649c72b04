//! The tour, as a reader of a pipe sees it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tour.golden");
const COMPILE_ERROR: &str = include_str!("../../tests/tests/ui/body/returns_other_type.stderr");

/// The tour, whose temporary files, its log among them, go away with the test.
fn tour(arguments: &[&Path]) -> Output {
    let temporary = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tour"));
    command.args(arguments).env("TMPDIR", temporary.path()).output().expect("the tour starts")
}

/// A small project, its files written one after the other as far as their times tell.
fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let files = [
        ("Cargo.toml", "[package]\nname = \"demo\"\nlicense = \"MIT\"\n\n[dependencies]\n"),
        ("README.md", "# Demo\n\nThe licence is in `Cargo.toml`.\n"),
        ("src/main.rs", "fn main() {\n    println!(\"hi\");\n}\n"),
    ];
    fs::create_dir(directory.path().join("src")).unwrap();
    for (age, (path, text)) in files.iter().enumerate() {
        let path = directory.path().join(path);
        fs::write(&path, text).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + 60 * age as u64);
        File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }
    directory
}

/// `BLESS=1 cargo test -p examples --test tour` writes the golden anew; then read it.
#[test]
fn it_shows_each_stop_on_real_files() {
    let project = project();
    let output = tour(&[project.path()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let root = project.path().canonicalize().unwrap();
    let printed = printed.replace(&root.display().to_string(), "DIR");

    let (stops, compile_error) = printed.split_once("12. A tool that returns the wrong type").expect("the last stop");
    let (compile_error, log) = compile_error.split_once("13. The log of the tour").expect("the log is told");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(compile_error).ends_with(&words(COMPILE_ERROR)), "{compile_error}");
    assert!(compile_error.lines().all(|line| line.chars().count() <= 110), "{compile_error}");
    let replay = log.lines().last().and_then(|line| line.strip_prefix("replay       cargo run -- replay "));
    assert!(replay.is_some_and(|path| path.contains("tool-tour-") && path.ends_with("session.log")), "{log}");
    assert!(!printed.contains('\x1b'), "a pipe gets plain text");
    if std::env::var_os("BLESS").is_some() {
        fs::write(GOLDEN, stops).unwrap();
    }
    let golden = fs::read_to_string(GOLDEN).unwrap();
    for (number, (line, expected)) in stops.lines().zip(golden.lines()).enumerate() {
        assert_eq!(line, expected, "line {} of the tour", number + 1);
    }
    assert_eq!(stops.len(), golden.len(), "the tour and its golden end together");
}

#[test]
fn it_changes_nothing_in_the_directory() {
    let project = project();
    let listing = |path: &Path| {
        let mut names: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = listing(project.path());
    assert!(tour(&[project.path()]).status.success());
    assert_eq!(listing(project.path()), before);
}

#[test]
fn a_directory_without_text_or_that_is_none_is_told_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    let output = tour(&[empty.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "nothing is shown of a tour that can't be made");
    assert!(String::from_utf8_lossy(&output.stderr).contains("name another: cargo run -- DIR"));

    let output = tour(&[&empty.path().join("missing")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("name a directory: cargo run -- DIR"));

    let output = tour(&[Path::new("--hlep")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("usage: cargo run"));
}

#[test]
fn help_is_no_mistake() {
    let output = tour(&[Path::new("--help")]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("usage: cargo run"));
}
