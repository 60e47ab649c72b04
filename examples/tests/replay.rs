//! `cargo run -- replay`: a session from its log alone, as it was live.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tool_runtime::session::{Durability, FileStore, Pruning, Session};

fn run(arguments: &[&str]) -> Output {
    let temporary = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tour"));
    command.args(arguments).env("TMPDIR", temporary.path()).output().expect("it starts")
}

/// What it shows, if all went well.
fn shown(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one sentence that it fails with.
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

/// A tour of a small project that is gone again, and its log.
struct Toured {
    directory: tempfile::TempDir,
    printed: String,
}

impl Toured {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let project = tempfile::tempdir().unwrap();
        fs::write(project.path().join("Cargo.toml"), "[package]\nname = \"demo\"\nlicense = \"MIT\"\n").unwrap();
        let log = directory.path().join("a log.txt");
        let printed = shown(&[text(project.path()), "--log", text(&log)]);
        Self { directory, printed }
    }

    fn log(&self) -> std::path::PathBuf {
        self.directory.path().join("a log.txt")
    }

    /// The log with other bytes, beside it.
    fn changed(&self, bytes: &[u8]) -> std::path::PathBuf {
        let path = self.directory.path().join("changed");
        fs::write(&path, bytes).unwrap();
        path
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What was shown of each call: its line, and all beneath that is further in.
fn calls(shown: &str) -> Vec<String> {
    let mut calls: Vec<String> = Vec::new();
    let mut within = false;
    for line in shown.lines() {
        if line.starts_with("call ") {
            within = true;
            calls.push(String::new());
        } else if !line.is_empty() && !line.starts_with("  ") {
            within = false;
        }
        if let Some(call) = calls.last_mut().filter(|_| within) {
            call.push_str(line);
            call.push('\n');
        }
    }
    calls.iter().map(|call| call.trim_end().to_owned()).collect()
}

#[test]
fn cards_and_what_the_model_read_are_those_of_the_tour_to_the_last_byte() {
    let toured = Toured::new();
    let cards =
        toured.printed.split_once("4. The cards of a call").unwrap().1.split_once("5. A failed call").unwrap().0;
    let replayed = shown(&["replay", text(&toured.log())]);
    let turn = replayed.split_once("Turn 3\n").unwrap().1.split_once("Turn 4\n").unwrap().0;
    let live = calls(cards);
    assert_eq!(live.len(), 4, "{cards}");
    assert!(live.iter().all(|call| call.contains("• The model reads")), "{cards}");
    assert!(live[0].ends_with("</content>"), "the call is compared to its end: {}", live[0]);
    assert_eq!(calls(turn), live);
    // The calls of which the tour shows no card: its own check holds that they are drawn as they would have been.
    let count = calls(&replayed).len();
    assert!(toured.printed.contains(&format!("all {count} calls")), "{count} calls are replayed");
    assert!(!replayed.contains("damaged ") && !replayed.contains("ends within a turn"), "{replayed}");
}

#[test]
fn the_command_that_it_prints_replays_it() {
    let toured = Toured::new();
    let command = format!("replay       cargo run -- replay '{}'", toured.log().display());
    assert_eq!(toured.printed.lines().last(), Some(command.as_str()));
    let before = fs::read(toured.log()).unwrap();
    assert_eq!(shown(&["replay", text(&toured.log())]), shown(&["replay", text(&toured.log())]));
    assert_eq!(fs::read(toured.log()).unwrap(), before, "a replay changes nothing");
}

#[test]
fn what_is_damaged_is_named_and_the_rest_is_shown() {
    let toured = Toured::new();
    let whole = shown(&["replay", text(&toured.log())]);
    let mut bytes = fs::read(toured.log()).unwrap();
    // The record of the first call, whose result is whole.
    let log = String::from_utf8(bytes.clone()).unwrap();
    let at = log.find(r#""type":"tool/call""#).unwrap();
    bytes[at] ^= 1;
    let line = log[..at].lines().count();
    let offset = log[..at].rfind('\n').unwrap() + 1;
    let replayed = shown(&["replay", text(&toured.changed(&bytes))]);
    let words = replayed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Damaged places: 1."), "{replayed}");
    assert!(words.contains(&format!("damaged line {line}, at byte {offset}, ")), "{replayed}");
    assert!(words.contains("the length or the checksum does not fit what it holds"), "{replayed}");
    assert_eq!(calls(&replayed), calls(&whole), "what the model asked for tells what the call was");
}

#[test]
fn a_log_that_was_cut_tells_what_a_resumed_session_would_append() {
    let toured = Toured::new();
    let bytes = fs::read(toured.log()).unwrap();
    let log = String::from_utf8(bytes.clone()).unwrap();
    let at = log.find(r#""type":"tool/result""#).unwrap();
    let path = toured.changed(&bytes[..at]);
    let replayed = shown(&["replay", text(&path)]);
    let words = replayed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("the log ends within the record"), "{replayed}");
    assert!(words.contains("± Edit shopping.txt") && words.contains("result the log has none"), "{replayed}");
    let (_, open) = words.split_once("The log ends within a turn").unwrap();
    assert!(open.contains("tool/result call-1: Error [TOOL_OUTCOME_UNKNOWN]"), "{open}");
    assert!(open.ends_with("step/end step 1 of turn 1 turn/end turn 1: interrupted"), "{open}");
    assert_eq!(fs::read(path).unwrap(), bytes[..at], "and appends nothing itself");
}

/// The session goes on: what was pruned of it is short for the model alone.
#[tokio::test]
async fn what_was_pruned_is_short_for_the_model_and_whole_for_a_person() {
    let toured = Toured::new();
    let whole = calls(&shown(&["replay", text(&toured.log())]));
    let resumed = Session::resume(FileStore::open(toured.log(), Durability::Buffered).unwrap()).await.unwrap();
    assert_eq!(resumed.repaired, 0);
    let pruning = Pruning::new(150, 40, 40).unwrap();
    assert!(resumed.session.prune(&pruning, resumed.log.next_seq()).await.unwrap() > 0);
    resumed.session.close().await;

    let pruned = calls(&shown(&["replay", text(&toured.log())]));
    let halves = |calls: &[String]| -> (Vec<String>, Vec<String>) {
        calls
            .iter()
            .map(|call| call.split_once("• The model reads").unwrap())
            .map(|(a, b)| (a.into(), b.into()))
            .unzip()
    };
    assert_eq!(halves(&pruned).0, halves(&whole).0);
    assert_ne!(halves(&pruned).1, halves(&whole).1);

    // What was pruned is lost; what is left of it can't be told for whole.
    let mut bytes = fs::read(toured.log()).unwrap();
    let log = String::from_utf8(bytes.clone()).unwrap();
    let replacing = log.lines().find(|line| line.contains(r#""surfaceOp":"replace""#)).unwrap();
    let (_, cited) = replacing.rsplit_once("\"sourceEventSeqs\":[").unwrap();
    let cited = format!("\"seq\":{},", cited.split_once(']').unwrap().0);
    bytes[log.find(&cited).unwrap()] ^= 1;
    let words = shown(&["replay", text(&toured.changed(&bytes))]);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("passed over") && words.contains("replaces no tool result that came before it"), "{words}");
    assert!(words.contains("result the log has none"), "{words}");
}

#[test]
fn what_is_no_log_is_refused_in_one_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("note");
    assert!(refused(&["replay", text(&path)]).ends_with("there is no such file\n"));
    fs::write(&path, "milk\n").unwrap();
    assert!(refused(&["replay", text(&path)]).contains("this is no session log"));
    fs::write(&path, "0000002a 43f01938 {\"format\":\"tool-session-log\",\"version\":99}\n").unwrap();
    assert!(refused(&["replay", text(&path)]).contains("has format 99"));
    assert!(refused(&["replay", text(directory.path())]).contains("cannot replay"));
}

#[test]
fn a_file_that_is_there_is_not_logged_to() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("note.txt");
    fs::write(&path, "milk, and no newline").unwrap();
    assert!(refused(&[text(directory.path()), "--log", text(&path)]).contains("name a new file for the log"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "milk, and no newline");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    let nowhere = directory.path().join("no/such/place");
    assert!(refused(&[text(directory.path()), "--log", text(&nowhere)]).contains("opening the session log"));
}

#[test]
fn who_names_no_log_reads_the_usage() {
    for arguments in [&["replay"][..], &["replay", "a", "b"], &["replay", "--x"], &["--log"]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("usage: cargo run"));
    }
}
