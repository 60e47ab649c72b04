use super::commit::Replaced;
use super::*;
use std::fs;
use tempfile::TempDir;
use tool_runtime::ToolFailure as _;

struct Fixture {
    dir: TempDir,
    workspace: Workspace,
    stop: Stop,
}

impl Fixture {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("ws")).unwrap();
        let workspace = Workspace::open(dir.path().join("ws")).unwrap();
        Self { dir, workspace, stop: Stop::default() }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join("ws").join(path)
    }

    fn put(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn read(&self, path: &str) -> Result<String, Failure> {
        self.workspace.read(path, 1, 2000, &self.stop).map(|(name, _)| name)
    }

    fn write(&self, path: &str, text: &str) -> Result<Replaced, Failure> {
        self.workspace.replace(Action::Write, path, &self.stop, |_| Ok(text.to_owned()))
    }

    /// The code of the failure, or what the file holds.
    fn written(&self, path: &str, text: &str) -> String {
        match self.write(path, text) {
            Ok(_) => fs::read_to_string(self.path(path)).unwrap(),
            Err(failure) => failure.code().to_string(),
        }
    }
}

#[test]
fn a_file_has_one_name() {
    let fixture = Fixture::new();
    fixture.put("dir/a.txt", "a");
    let absolute = fixture.path("dir/a.txt").display().to_string();
    for path in ["dir/a.txt", "./dir/a.txt", "dir/../dir//a.txt", absolute.as_str()] {
        assert_eq!(fixture.read(path).as_deref(), Ok("dir/a.txt"), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_and_nowhere_else() {
    use std::os::unix::fs::symlink;
    let fixture = Fixture::new();
    fixture.put("dir/a.txt", "a");
    fs::write(fixture.dir.path().join("secret"), "s").unwrap();
    symlink("dir", fixture.path("inside")).unwrap();
    symlink("../secret", fixture.path("file-out")).unwrap();
    symlink("..", fixture.path("dir-out")).unwrap();
    symlink(fixture.dir.path().join("secret"), fixture.path("absolute-out")).unwrap();
    symlink("../not-there", fixture.path("dangling-out")).unwrap();
    assert_eq!(fixture.read("inside/a.txt").as_deref(), Ok("dir/a.txt"));
    let outside = fixture.dir.path().join("secret").display().to_string();
    let out = ["file-out", "dir-out/secret", "absolute-out", "dangling-out", "dir-out/new", "../secret", "/", &outside];
    for path in out {
        let failure = fixture.read(path).unwrap_err();
        assert_eq!(failure.code(), "FS_SANDBOX_DENIED", "{failure}");
        assert_eq!(fixture.written(path, "x"), "FS_SANDBOX_DENIED", "{path}");
    }
    assert_eq!(fs::read_to_string(outside).unwrap(), "s");
    assert!(!fixture.dir.path().join("new").exists() && !fixture.dir.path().join("not-there").exists());
}

#[cfg(unix)]
#[test]
fn a_root_that_is_reached_through_a_link_has_both_names() {
    let fixture = Fixture::new();
    fixture.put("a.txt", "a");
    let link = fixture.dir.path().join("link");
    std::os::unix::fs::symlink("ws", &link).unwrap();
    let workspace = Workspace::open(&link).unwrap();
    for path in [link.join("a.txt"), fixture.path("a.txt")] {
        let (name, _) = workspace.read(path.to_str().unwrap(), 1, 1, &fixture.stop).unwrap();
        assert_eq!(name, "a.txt");
    }
}

#[test]
fn what_is_no_file_is_not_read() {
    let fixture = Fixture::new();
    fixture.put("dir/a.txt", "a");
    fs::write(fixture.path("binary"), [0xff]).unwrap();
    for (path, code) in [
        ("nothing", "FS_NOT_FOUND"),
        ("nothing/../dir/a.txt", "FS_NOT_FOUND"),
        ("dir", "FS_NOT_REGULAR_FILE"),
        (".", "FS_NOT_REGULAR_FILE"),
        ("dir/a.txt/b", "FS_NOT_DIRECTORY"),
        ("binary", "FS_NOT_TEXT"),
        ("nul\0", "FS_IO_ERROR"),
    ] {
        let failure = fixture.read(path).unwrap_err();
        assert_eq!(failure.code(), code, "{failure}");
    }
    assert_eq!(fixture.written("dir", "x"), "FS_NOT_REGULAR_FILE");
    assert_eq!(fixture.written("dir/a.txt/b", "x"), "FS_NOT_DIRECTORY");
    assert_eq!(fixture.written("binary", "x"), "FS_NOT_OBSERVED");
}

#[test]
fn the_gate_knows_what_was_seen() {
    // What was read, what is there when the write comes, and what comes of it.
    let cases = [
        (None, None, "new"),
        (None, Some("a"), "FS_NOT_OBSERVED"),
        (Some(None), None, "new"),
        (Some(None), Some("a"), "FS_STALE_VERSION"),
        (Some(Some("a")), Some("a"), "new"),
        (Some(Some("a")), Some("b"), "FS_STALE_VERSION"),
        (Some(Some("a")), None, "FS_STALE_VERSION"),
    ];
    for (seen, there, expected) in cases {
        let fixture = Fixture::new();
        let set = |text: Option<&str>| match text {
            Some(text) => fixture.put("f", text),
            None => drop(fs::remove_file(fixture.path("f"))),
        };
        if let Some(seen) = seen {
            set(seen);
            assert_eq!(fixture.read("f").is_ok(), seen.is_some());
        }
        set(there);
        assert_eq!(fixture.written("f", "new"), expected, "seen {seen:?}, there {there:?}");
    }
}

#[test]
fn reading_again_opens_the_gate() {
    let fixture = Fixture::new();
    fixture.put("f", "a");
    fixture.read("f").unwrap();
    fixture.put("f", "b");
    let failure = fixture.write("f", "new").unwrap_err();
    assert_eq!(
        failure.to_string(),
        r#"cannot write "f": file changed since it was read — re-read the file, then retry"#
    );
    fixture.read("f").unwrap();
    assert_eq!(fixture.written("f", "new"), "new");
    assert_eq!(fixture.written("f", "newer"), "newer", "what was written is known");
    fs::remove_file(fixture.path("f")).unwrap();
    assert!(fixture.write("f", "x").unwrap_err().to_string().contains("file no longer exists"));
    assert_eq!(fixture.read("f").unwrap_err().code(), "FS_NOT_FOUND");
    assert_eq!(fixture.written("f", "x"), "x");
}

#[test]
fn a_write_replaces_all_or_nothing_and_leaves_no_draft() {
    let fixture = Fixture::new();
    let replaced = fixture.write("new/dir/f", "one").unwrap();
    assert_eq!(replaced, Replaced { path: "new/dir/f".into(), before: None, after: "one".into() });
    let replaced = fixture.write("new/dir/f", "two").unwrap();
    assert_eq!((replaced.before.as_deref(), replaced.after.as_str()), (Some("one"), "two"));
    fixture.stop.raise();
    assert_eq!(fixture.written("new/dir/f", "three"), "FS_ABORTED");
    assert_eq!(fs::read_to_string(fixture.path("new/dir/f")).unwrap(), "two");
    let names: Vec<_> = fs::read_dir(fixture.path("new/dir")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["f"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_survive() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let fixture = Fixture::new();
    fixture.put("run.sh", "a");
    fs::set_permissions(fixture.path("run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink("run.sh", fixture.path("link")).unwrap();
    symlink("nowhere", fixture.path("dangling")).unwrap();
    fixture.read("link").unwrap();
    assert_eq!(fixture.written("link", "b"), "b");
    assert!(fixture.path("link").is_symlink());
    assert_eq!(fs::read_to_string(fixture.path("run.sh")).unwrap(), "b");
    assert_eq!(fs::metadata(fixture.path("run.sh")).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(fixture.written("dangling", "x"), "FS_NOT_REGULAR_FILE");
    fs::set_permissions(fixture.path("run.sh"), fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(fixture.written("run.sh", "c"), "FS_PERMISSION_DENIED");
}

#[test]
fn of_two_writers_one_sees_the_other_s_file() {
    let fixture = Fixture::new();
    fixture.put("f", "0");
    fixture.read("f").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let add = |before: Option<&str>| Ok((before.unwrap().parse::<u32>().unwrap() + 1).to_string());
                    fixture.workspace.replace(Action::Edit, "f", &fixture.stop, add).unwrap();
                }
            });
        }
    });
    assert_eq!(fs::read_to_string(fixture.path("f")).unwrap(), "160");
}

#[test]
fn a_file_too_large_to_hold_is_not_replaced() {
    let fixture = Fixture::new();
    fixture.put("f", &"x\n".repeat(6 * 1024 * 1024));
    fixture.read("f").unwrap();
    assert_eq!(fixture.written("f", "x"), "FS_TOO_LARGE");
}
