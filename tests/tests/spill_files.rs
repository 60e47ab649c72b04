//! Spilled texts as files: for their owner alone, whole or not there, never over or through what somebody planted.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::future::Future;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::Command;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use tests::{dispatcher_of, says};
use tool_runtime::prelude::*;
use tool_runtime::spill::FileSpill;
use tool_runtime::{Limits, SpillError, SpillSource, SpillStore, SpillWriter, Spilled};

fn store() -> (TempDir, FileSpill) {
    let directory = TempDir::new().unwrap();
    let store = FileSpill::open(directory.path().join("spill")).unwrap();
    (directory, store)
}

fn source(name: &str) -> SpillSource<'_> {
    SpillSource::new("session-1", "tool", "call-1", name)
}

/// Saving without a runtime is done at once.
fn save(store: &FileSpill, name: &str, text: &str) -> Result<Spilled, SpillError> {
    ready(store.save(&source(name), text))
}

fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

/// All files and links below a directory, in order.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found.sort();
    found
}

fn mode(path: impl AsRef<Path>) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

fn age(path: impl AsRef<Path>, age: Duration) {
    File::options().write(true).open(path).unwrap().set_modified(SystemTime::now() - age).unwrap();
}

#[test]
fn a_text_is_a_file_for_its_owner_alone_named_by_its_content() {
    let (_directory, store) = store();
    let spilled = save(&store, "grep.txt", "all matches").unwrap();
    let path = Path::new(spilled.locator());
    assert_eq!(fs::read_to_string(path).unwrap(), "all matches");
    assert_eq!((spilled.bytes(), spilled.hint()), (11, "Any part of this file can be read by itself."));
    assert_eq!((mode(path), mode(path.parent().unwrap()), mode(store.root())), (0o600, 0o700, 0o700));
    let name = path.file_name().unwrap().to_str().unwrap();
    let (digest, rest) = name.split_at(40);
    assert!(digest.chars().all(|char| char.is_ascii_hexdigit()) && rest == "-grep.txt", "{name}");
    let session = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
    assert!(session.starts_with("session-") && session.len() == "session-".len() + 12, "{session}");
}

#[test]
fn the_same_content_is_there_once_also_for_a_store_that_is_opened_anew() {
    let (_directory, store) = store();
    let first = save(&store, "a.txt", "text").unwrap();
    let again = FileSpill::open(store.root()).unwrap();
    assert_eq!(save(&again, "a.txt", "text").unwrap(), first);
    assert_eq!(files(store.root()).len(), 1);
    assert_ne!(save(&store, "a.txt", "other text").unwrap().locator(), first.locator());
    assert_ne!(save(&store, "b.txt", "text").unwrap().locator(), first.locator());
    let elsewhere = ready(store.save(&SpillSource::new("session-2", "tool", "call-1", "a.txt"), "text")).unwrap();
    assert_ne!(Path::new(elsewhere.locator()).parent(), Path::new(first.locator()).parent());
}

#[test]
fn no_name_leaves_its_directory() {
    let (_directory, store) = store();
    let mut places = Vec::new();
    for name in ["..", ".", "", "~", "/etc/passwd", "../../x", "a\0b", "é", "con:aux", &"long".repeat(500)] {
        let spilled = save(&store, name, "text").unwrap();
        let path = fs::canonicalize(spilled.locator()).unwrap();
        assert_eq!(path.parent().unwrap().parent().unwrap(), store.root(), "{name:?}");
        places.push(path);
    }
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 10, "different names stay different");
    for session in ["..", "/", "\0"] {
        let spilled = ready(store.save(&SpillSource::new(session, "tool", "call-1", "a"), "text")).unwrap();
        assert!(fs::canonicalize(spilled.locator()).unwrap().starts_with(store.root()));
    }
}

#[test]
fn a_planted_file_or_link_is_refused_and_nothing_is_written_through_it() {
    let (directory, store) = store();
    let place = PathBuf::from(save(&store, "a.txt", "text").unwrap().locator());
    let target = directory.path().join("target");
    fs::write(&target, "text").unwrap();
    // A link is refused whatever it leads to, also if that is the very text, or nowhere.
    for leads_to in [target.clone(), directory.path().join("nowhere")] {
        fs::remove_file(&place).unwrap();
        symlink(&leads_to, &place).unwrap();
        let refused = save(&store, "a.txt", "text").unwrap_err();
        assert!(
            matches!(&refused, SpillError::Refused(why) if why.ends_with("holds something else, which was not written here"))
        );
        assert!(fs::symlink_metadata(&place).unwrap().is_symlink(), "it stays as it is");
    }
    assert_eq!(fs::read_to_string(&target).unwrap(), "text");
    assert!(!directory.path().join("nowhere").exists());
    for planted in ["evil", "longer than the text"] {
        fs::remove_file(&place).unwrap();
        fs::write(&place, planted).unwrap();
        assert!(matches!(save(&store, "a.txt", "text"), Err(SpillError::Refused(_))));
        assert_eq!(fs::read_to_string(&place).unwrap(), planted);
    }
    assert_eq!(files(store.root()), [place], "nothing is left behind");
}

#[test]
fn a_planted_directory_of_a_session_is_refused() {
    let (directory, store) = store();
    let session = PathBuf::from(save(&store, "a.txt", "text").unwrap().locator()).parent().unwrap().to_owned();
    fs::remove_dir_all(&session).unwrap();
    let elsewhere = directory.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, &session).unwrap();
    assert!(matches!(save(&store, "a.txt", "text"), Err(SpillError::Refused(_))));
    assert!(files(&elsewhere).is_empty());
    fs::remove_file(&session).unwrap();
    fs::create_dir(&session).unwrap();
    fs::set_permissions(&session, Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(save(&store, "a.txt", "text"), Err(SpillError::Refused(_))), "others may read it");
    fs::remove_dir(&session).unwrap();
    fs::write(&session, "a file").unwrap();
    assert!(matches!(save(&store, "a.txt", "text"), Err(SpillError::Refused(_))));
}

#[test]
fn a_root_that_is_not_fit_is_refused_when_it_is_opened() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let error = FileSpill::open(file.join("below")).unwrap_err();
    assert!(matches!(&error, SpillError::Failed(why) if why.starts_with("can't make the directory ")), "{error}");
    let why = format!("the spill store's root {} is a file, not a directory", file.display());
    assert_eq!(FileSpill::open(&file).unwrap_err(), SpillError::Failed(why));
    let open_to_all = directory.path().join("open");
    fs::create_dir(&open_to_all).unwrap();
    fs::set_permissions(&open_to_all, Permissions::from_mode(0o777)).unwrap();
    let error = FileSpill::open(&open_to_all).unwrap_err();
    assert!(error.to_string().starts_with("others may write to "), "{error}");
    // Nobody can write here, the superuser neither.
    assert!(matches!(FileSpill::open("/proc/self/spill"), Err(SpillError::Failed(_))));
}

#[test]
fn the_quota_refuses_and_deletes_nothing_that_is_not_expired() {
    let (_directory, store) = store();
    let store = store.quota(250).expiry(Duration::from_hours(1));
    let first = save(&store, "1", &"a".repeat(100)).unwrap();
    let second = save(&store, "2", &"b".repeat(100)).unwrap();
    assert_eq!(save(&store, "3", &"c".repeat(100)), Err(SpillError::Full { quota: 250 }));
    assert_eq!(files(store.root()).len(), 2);
    // What is there already takes no more room, and is kept anew.
    age(first.locator(), Duration::from_hours(2));
    age(second.locator(), Duration::from_hours(2));
    assert_eq!(save(&store.clone().quota(350), "1", &"a".repeat(100)), Ok(first.clone()));
    let third = save(&store, "3", &"c".repeat(100)).unwrap();
    assert!(Path::new(first.locator()).exists() && Path::new(third.locator()).exists());
    assert!(!Path::new(second.locator()).exists(), "it was expired, and in the way");
    assert_eq!(store.sweep(), Ok(200));
}

#[test]
fn what_is_refused_midway_gives_its_room_back() {
    let (_directory, store) = store();
    let store = store.quota(1000).text_bytes(100);
    let mut writer = ready(store.open(&source("a"))).unwrap();
    ready(writer.write(&[b'x'; 60])).unwrap();
    assert_eq!(ready(writer.write(&[b'x'; 60])), Err(SpillError::TooLarge { limit: 100 }));
    assert!(matches!(ready(writer.write(b"more")), Err(SpillError::Failed(_))));
    assert!(matches!(ready(writer.finish()), Err(SpillError::Failed(_))));
    for _ in 0..50 {
        let mut dropped = ready(store.open(&source("a"))).unwrap();
        ready(dropped.write(&[b'x'; 90])).unwrap();
    }
    assert!(files(store.root()).is_empty());
    for index in 0..10 {
        save(&store, "a", &format!("{index}").repeat(100)).unwrap();
    }
    assert_eq!(save(&store, "a", "one more"), Err(SpillError::Full { quota: 1000 }));
}

#[test]
fn what_is_expired_goes_when_a_store_is_opened_and_links_are_not_followed() {
    let (directory, store) = store();
    let kept = save(&store, "a", "kept").unwrap();
    let old = save(&store, "b", "old").unwrap();
    age(old.locator(), Duration::from_hours(24 * 8));
    let outside = directory.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "not ours").unwrap();
    age(outside.join("file"), Duration::from_hours(24 * 8));
    symlink(&outside, store.root().join("session-planted")).unwrap();
    fs::write(store.root().join("not-ours"), "").unwrap();
    age(store.root().join("not-ours"), Duration::from_hours(24 * 8));
    FileSpill::open(store.root()).unwrap();
    assert!(Path::new(kept.locator()).exists() && !Path::new(old.locator()).exists());
    assert!(outside.join("file").exists() && store.root().join("not-ours").exists());
}

#[test]
fn many_that_save_one_content_at_once_get_one_file() {
    let (_directory, store) = store();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().unwrap();
    let text = "x".repeat(3 << 20);
    let locators: Vec<_> = (0..16)
        .map(|_| {
            let (store, text) = (store.clone(), text.clone());
            runtime.spawn(async move { store.save(&source("a"), &text).await.unwrap() })
        })
        .collect();
    let locators: Vec<_> = locators.into_iter().map(|saved| runtime.block_on(saved).unwrap()).collect();
    assert!(locators.iter().all(|spilled| *spilled == locators[0]));
    assert_eq!(files(store.root()), [PathBuf::from(locators[0].locator())]);
    assert_eq!(fs::read_to_string(locators[0].locator()).unwrap(), text);
    assert_eq!(store.sweep(), Ok(3 << 20));
}

const ROOT_OF_CHILD: &str = "SPILL_ROOT_OF_CHILD";

/// This test once more, in a process of its own, with the shell's words before it.
fn child(test: &str, root: &Path, before: &str) -> std::process::Output {
    let this = std::env::current_exe().unwrap();
    Command::new("sh")
        .args(["-c", &format!("{before} exec \"$0\" --exact \"$1\" --nocapture"), this.to_str().unwrap(), test])
        .env(ROOT_OF_CHILD, root)
        .output()
        .unwrap()
}

fn root_of_child() -> Option<PathBuf> {
    std::env::var_os(ROOT_OF_CHILD).map(PathBuf::from)
}

#[test]
fn a_process_that_is_killed_while_it_writes_leaves_no_text_that_is_not_whole() {
    if let Some(root) = root_of_child() {
        let store = FileSpill::open(root).unwrap();
        let mut writer = ready(store.open(&source("a"))).unwrap();
        ready(writer.write(b"the first half of")).unwrap();
        std::process::abort();
    }
    let (_directory, store) = store();
    let died = child("a_process_that_is_killed_while_it_writes_leaves_no_text_that_is_not_whole", store.root(), "");
    assert!(!died.status.success());
    let [part] = &files(store.root())[..] else { panic!("{:?}", files(store.root())) };
    assert_eq!(part.extension().unwrap(), "part", "nothing has a text's name: {part:?}");
    let spilled = save(&store, "a", "the first half of it, and the second").unwrap();
    assert_eq!(fs::read_to_string(spilled.locator()).unwrap(), "the first half of it, and the second");
    store.sweep().unwrap();
    assert!(part.exists(), "somebody may still write to it");
    age(part, Duration::from_hours(25));
    store.sweep().unwrap();
    assert_eq!(files(store.root()), [PathBuf::from(spilled.locator())]);
}

#[test]
fn a_disk_without_room_keeps_the_result_inline_and_leaves_nothing_behind() {
    if let Some(root) = root_of_child() {
        let store = FileSpill::open(root).unwrap();
        let error = save(&store, "a", &"x".repeat(1 << 20)).unwrap_err();
        assert!(matches!(&error, SpillError::Failed(why) if why.starts_with("can't write ")), "{error}");
        assert!(files(store.root()).is_empty());
        let mut registry = Registry::new();
        registry.dynamic(says("say", &"x".repeat(1 << 20))).unwrap();
        let limits = Limits { content_bytes: 1000, spill_bytes: 500, ..Limits::default() };
        let dispatcher = Dispatcher::new(registry).limits(limits).spill(store, "s");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let result = runtime.block_on(dispatcher.call(ToolCall::without_arguments("call-1", "say")));
        assert!(result.is_success());
        assert!(result.content().to_text().len() <= 1000);
        assert!(result.content().notice().unwrap().ends_with("; the whole could not be stored"));
        assert!(result.trace().warnings()[0].contains("can't write "));
        return;
    }
    let (_directory, store) = store();
    let test = "a_disk_without_room_keeps_the_result_inline_and_leaves_nothing_behind";
    // No file may grow beyond 64 blocks: to write more fails, as on a disk that is full.
    let child = child(test, store.root(), "trap '' XFSZ; ulimit -f 64;");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"));
}

/// Say a lot.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Lot {}

impl Execute for Lot {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("lots ".repeat(20_000))
    }
}

#[tokio::test]
async fn the_model_is_told_the_path_of_the_file_and_how_to_read_it() {
    let (_directory, store) = store();
    let store = store.hint("Use read with offset and limit.");
    let limits = Limits { spill_bytes: 2000, ..Limits::default() };
    let dispatcher = dispatcher_of::<Lot>().limits(limits).spill(store.clone(), "session-1");
    let result = dispatcher.call(ToolCall::without_arguments("call-1", "lot")).await;
    let [file] = &files(store.root())[..] else { panic!("{:?}", files(store.root())) };
    let told = format!("Full formatted result stored at: {}. Use read with offset and limit.", file.display());
    assert!(result.content().notice().unwrap().ends_with(&told));
    assert_eq!(fs::read_to_string(file).unwrap(), "lots ".repeat(20_000));
    // Deleted, it is saved again at the same place.
    fs::remove_file(file).unwrap();
    assert_eq!(dispatcher.call(ToolCall::without_arguments("call-2", "lot")).await.content(), result.content());
    assert!(file.exists());
}
