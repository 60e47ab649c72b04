//! Logs in files: one writer, owner only, and what a disk refuses.

use std::path::Path;
use std::process::Command;

use tool_runtime::ToolCall;
use tool_runtime::session::{Durability, FileStore, Session, StoreErrorKind};

use crate::scene::{dispatcher, finish, read, step, told};

/// Names the log that a child writes; without it, the tests that are children do nothing.
const LOG: &str = "SESSION_TEST_LOG";

async fn turn(session: &Session) {
    session.start_turn().await.unwrap();
    session.start_step().await.unwrap();
    // One after the other: what overlaps may be logged in another order.
    let alone = |id: &str, how: &str| ToolCall::new(id.to_owned(), "alone", format!(r#"{{"how": "{how}"}}"#));
    let _ = step(session, &dispatcher(), vec![alone("a", "x"), alone("b", "fail")]).await;
    finish(session).await;
}

#[tokio::test]
async fn a_file_holds_what_memory_holds_whatever_is_promised_of_it() {
    let memory = tool_runtime::session::MemoryStore::new();
    turn(&crate::scene::session(memory.clone()).await).await;
    let directory = tempfile::tempdir().unwrap();
    for durability in [Durability::EachEvent, Durability::EachBatch, Durability::Buffered] {
        let path = directory.path().join(format!("{durability:?}.jsonl"));
        let session = crate::scene::session(FileStore::open(&path, durability).unwrap()).await;
        turn(&session).await;
        session.close().await;
        assert_eq!(FileStore::read(&path).unwrap(), memory.bytes(), "{durability:?}");
    }
}

#[tokio::test]
async fn a_second_writer_is_refused_until_the_first_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log.jsonl");
    let session = crate::scene::session(FileStore::open(&path, Durability::EachBatch).unwrap()).await;
    let refused = FileStore::open(&path, Durability::EachBatch).unwrap_err();
    assert_eq!(refused.kind(), StoreErrorKind::SecondWriter);
    turn(&session).await;
    // Readers are not writers.
    assert_eq!(read(&FileStore::read(&path).unwrap()).entries().len(), 9);
    let clone = session.clone();
    session.close().await;
    assert!(matches!(clone.user("x").await, Err(tool_runtime::session::SessionError::Closed)));
    let resumed = Session::resume(FileStore::open(&path, Durability::EachBatch).unwrap()).await.unwrap();
    assert_eq!(resumed.repaired, 0);
}

#[tokio::test]
async fn a_session_is_begun_only_in_an_empty_store() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log.jsonl");
    let session = crate::scene::session(FileStore::open(&path, Durability::Buffered).unwrap()).await;
    session.start_turn().await.unwrap();
    session.close().await;
    let refused = Session::create(FileStore::open(&path, Durability::Buffered).unwrap()).await.unwrap_err();
    assert_eq!(refused.to_string(), "the store holds a session already; resume it, or use another store");
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_its_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log.jsonl");
    let session = crate::scene::session(FileStore::open(&path, Durability::EachEvent).unwrap()).await;
    turn(&session).await;
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_directory_that_is_not_there_and_one_that_is_no_directory_are_named() {
    let missing = FileStore::open("/nowhere/at/all/log.jsonl", Durability::EachBatch).unwrap_err();
    assert_eq!(missing.kind(), StoreErrorKind::Missing);
    assert!(missing.to_string().starts_with("opening the session log /nowhere/at/all/log.jsonl: "), "{missing}");
    let directory = tempfile::tempdir().unwrap();
    assert!(FileStore::open(directory.path(), Durability::EachBatch).is_err());
}

#[cfg(unix)]
#[test]
fn a_directory_that_may_not_be_written_is_refused_with_its_cause() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let closed = directory.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o500)).unwrap();
    // The superuser may write everywhere; there is nothing to see then.
    if std::fs::write(closed.join("probe"), "").is_err() {
        let refused = FileStore::open(closed.join("log.jsonl"), Durability::EachBatch).unwrap_err();
        assert_eq!(refused.kind(), StoreErrorKind::ReadOnly);
    }
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_log_that_is_read_only_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log.jsonl");
    std::fs::write(&path, "").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o400)).unwrap();
    // The superuser may write it all the same; there is nothing to see then.
    if std::fs::OpenOptions::new().append(true).open(&path).is_err() {
        let refused = FileStore::open(&path, Durability::EachBatch).unwrap_err();
        assert_eq!(refused.kind(), StoreErrorKind::ReadOnly);
    }
}

/// Where not even the superuser makes a file.
#[cfg(target_os = "linux")]
#[test]
fn a_file_system_that_may_not_be_written_is_refused_with_its_cause() {
    let refused = FileStore::open("/sys/session-log.jsonl", Durability::EachBatch).unwrap_err();
    assert_eq!(refused.kind(), StoreErrorKind::ReadOnly, "{refused}");
    assert!(refused.to_string().starts_with("opening the session log /sys/session-log.jsonl: "), "{refused}");
}

/// Runs one test of this binary in a process of its own, under a shell's settings.
pub(crate) fn child(settings: &str, test: &str, log: &Path) -> Command {
    let mut command = Command::new("sh");
    let run = format!("{settings} exec \"$0\" --exact {test} --nocapture");
    command.args(["-c", &run]).arg(std::env::current_exe().unwrap()).env(LOG, log);
    command
}

pub(crate) fn log_of_the_child() -> Option<std::path::PathBuf> {
    std::env::var_os(LOG).map(Into::into)
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_that_was_acknowledged() {
    for durability in ["EachEvent", "EachBatch", "Buffered"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        // A file may have 8 blocks of 512 or 1024 bytes; the signal that would end the process is ignored, as hosts do.
        let mut child = child("trap '' XFSZ; ulimit -f 8;", "files::fill_the_disk", &path);
        let output = child.env("DURABILITY", durability).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let acknowledged: u64 =
            printed.lines().find_map(|line| line.strip_prefix("acknowledged ")).unwrap().parse().unwrap();
        assert!(acknowledged > 10, "{printed}");
        let log = read(&FileStore::read(&path).unwrap());
        assert_eq!(log.entries().len() as u64, acknowledged, "{durability}: {printed}");
        assert!(printed.contains("kind Full"), "{printed}");
        assert!(printed.contains("after Halted"), "{printed}");
    }
}

/// A child of the test above.
#[test]
fn fill_the_disk() {
    let (Some(path), Ok(durability)) = (log_of_the_child(), std::env::var("DURABILITY")) else { return };
    let durability = match durability.as_str() {
        "EachEvent" => Durability::EachEvent,
        "EachBatch" => Durability::EachBatch,
        _ => Durability::Buffered,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let session = crate::scene::session(FileStore::open(path, durability).unwrap()).await;
        for number in 0_u64.. {
            if session.host_event("n", &"x".repeat(50)).await.is_err() {
                println!("\nacknowledged {number}");
                println!("kind {:?}", session.trouble().unwrap().kind());
                println!("after {:?}", session.host_event("n", &1).await.unwrap_err());
                break;
            }
        }
    });
}

#[tokio::test]
async fn a_log_goes_on_after_it_was_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log.jsonl");
    for round in 1..=3 {
        let resumed = Session::resume(FileStore::open(&path, Durability::EachBatch).unwrap()).await.unwrap();
        assert_eq!(resumed.repaired, 0);
        assert_eq!(resumed.session.start_turn().await.unwrap(), round);
        resumed.session.end_turn(tool_runtime::session::EndReason::completed()).await.unwrap();
        resumed.session.close().await;
    }
    assert_eq!(told(&read(&FileStore::read(&path).unwrap())), ["turn/start", "turn/end"].repeat(3));
}
