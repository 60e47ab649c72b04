use super::walk::Files;
use super::*;
use std::fs;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tool_runtime::ToolFailure as _;

struct Fixture {
    dir: TempDir,
    workspace: Workspace,
    stop: Stop,
    respect_gitignore: bool,
    max_raw_bytes: u64,
}

impl Fixture {
    /// Files with their texts, each modified a minute before the one after it.
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = TempDir::new().unwrap();
        for (age, (path, text)) in files.iter().rev().enumerate() {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let time = SystemTime::now() - Duration::from_mins(u64::try_from(age).unwrap());
            fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        }
        let workspace = Workspace::open(dir.path()).unwrap();
        Self { dir, workspace, stop: Stop::default(), respect_gitignore: false, max_raw_bytes: MAX_RAW_BYTES }
    }

    fn search(&self, action: Action) -> Search<'_> {
        let search = Search::new(&self.workspace, action, &self.stop, self.respect_gitignore);
        Search { max_raw_bytes: self.max_raw_bytes, ..search }
    }

    fn glob(&self, pattern: &str, path: Option<&str>) -> Result<Files, Failure> {
        glob(&self.search(Action::Glob), pattern, path)
    }

    fn paths(&self, pattern: &str, path: Option<&str>) -> Vec<String> {
        self.glob(pattern, path).unwrap().paths
    }

    fn grep(&self, pattern: &str, path: Option<&str>, include: Option<&str>) -> Result<Vec<Line>, Failure> {
        grep(&self.search(Action::Grep), pattern, path, include).map(|(lines, _)| lines)
    }

    /// `path:number:text` of each line.
    fn lines(&self, pattern: &str, path: Option<&str>, include: Option<&str>) -> Vec<String> {
        let lines = self.grep(pattern, path, include).unwrap();
        lines.iter().map(|line| format!("{}:{}:{}", line.path, line.number, line.text)).collect()
    }
}

const TREE: &[(&str, &str)] = &[
    ("src/z.rs", "fn z() {}\n"),
    ("src/deep/a.rs", "fn a() {}\n"),
    ("b.rs", "fn b() {}\n"),
    (".hidden/h.rs", "fn h() {}\n"),
    ("target/t.rs", "fn t() {}\n"),
    ("README.md", "fn in prose\n"),
    (".git/g.rs", "fn g() {}\n"),
    ("src/.jj/j.rs", "fn j() {}\n"),
    (".gitignore", "target\n"),
];

#[test]
fn files_come_in_the_order_of_their_modification() {
    let fixture = Fixture::new(TREE);
    let all = ["src/z.rs", "src/deep/a.rs", "b.rs", ".hidden/h.rs", "target/t.rs"];
    assert_eq!(fixture.paths("*.rs", None), all, "hidden and ignored ones too, version control's not");
    assert_eq!(fixture.paths("**/*.rs", None), all);
    assert_eq!(fixture.paths("./**/*.rs", None), all);
    assert_eq!(fixture.paths("/*.rs", None), ["b.rs"]);
    assert_eq!(fixture.paths("src/*.rs", None), ["src/z.rs"]);
    assert_eq!(fixture.paths("{b.rs,*.md}", None), ["b.rs", "README.md"]);
    assert_eq!(fixture.paths("!*.rs", None), ["README.md", ".gitignore"]);
    assert!(fixture.paths("*.py", None).is_empty());
}

#[test]
fn a_search_starts_where_it_is_told() {
    let fixture = Fixture::new(TREE);
    let files = fixture.glob("deep/*.rs", Some("./src")).unwrap();
    assert_eq!((files.root.as_str(), &files.paths[..]), ("src", &["src/deep/a.rs".to_owned()][..]));
    assert_eq!(fixture.glob("*", None).unwrap().root, ".");
    assert!(fixture.paths("*", Some(".git")).is_empty());
    for (path, code) in
        [("b.rs", "FS_NOT_DIRECTORY"), ("nothing", "FS_NOT_FOUND"), ("..", "FS_SANDBOX_DENIED"), (" ", "INVALID_ARGS")]
    {
        assert_eq!(fixture.glob("*", Some(path)).unwrap_err().code(), code, "{path}");
    }
}

#[test]
fn ignored_files_are_left_out_on_request() {
    let mut fixture = Fixture::new(TREE);
    fs::write(fixture.dir.path().join("src/.gitignore"), "/deep\n!t.rs\n").unwrap();
    fixture.respect_gitignore = true;
    assert_eq!(fixture.paths("*.rs", None), ["src/z.rs", "b.rs", ".hidden/h.rs"]);
    assert_eq!(fixture.paths("*.rs", Some("src")), ["src/z.rs"]);
    assert!(fixture.paths("*.rs", Some("src/deep")).is_empty(), "the file in `src` counts below it");
    assert_eq!(fixture.lines("fn", None, Some("*.rs")).len(), 3);
}

#[test]
fn hostile_patterns_are_patterns() {
    let fixture = Fixture::new(&[("-rf", "--help\n"), ("#a#", "x\n"), ("$(touch y)", "x\n"), ("[a", "x\n")]);
    assert_eq!(fixture.paths("-rf", None), ["-rf"]);
    assert_eq!(fixture.paths("#a#", None), ["#a#"]);
    assert_eq!(fixture.paths("$(touch y)", None), ["$(touch y)"]);
    assert_eq!(fixture.lines("--help", None, None), ["-rf:1:--help"]);
    assert_eq!(fixture.lines("--help", Some("-rf"), Some("-*")), ["-rf:1:--help"]);
    for pattern in ["[a", "{a", "!", "/", "a**[", "\\"] {
        if let Err(failure) = fixture.glob(pattern, None) {
            assert_eq!(failure.code(), "SEARCH_INVALID_PATTERN", "{pattern}");
        } else {
            assert!(fixture.paths(pattern, None).len() < 4, "{pattern} lets everything through");
        }
    }
    assert_eq!(fixture.glob(" ", None).unwrap_err().code(), "INVALID_ARGS");
    assert!(fixture.glob("{a", None).unwrap_err().to_string().starts_with("glob pattern rejected by ripgrep: "));
}

#[test]
fn lines_come_by_file_name_and_whole() {
    let long = format!("fn {}\n", "x".repeat(5000));
    let fixture = Fixture::new(&[("b", "fn 1\r\nno\nfn 2"), ("a", &long), ("c/d", "fn\t\u{1f980}\n")]);
    assert_eq!(
        fixture.lines("^fn", None, None),
        [format!("a:1:{}", long.trim_end()), "b:1:fn 1".into(), "b:3:fn 2".into(), "c/d:1:fn\t\u{1f980}".into()]
    );
    assert_eq!(fixture.lines("1$", None, None), ["b:1:fn 1"], "the end of a line is before its line break");
    assert_eq!(fixture.lines("fn", Some("b"), None), ["b:1:fn 1", "b:3:fn 2"]);
    assert!(fixture.lines("nothing", None, None).is_empty());
}

#[test]
fn include_says_which_files() {
    let fixture = Fixture::new(TREE);
    let of = |include| fixture.lines("fn", None, Some(include));
    assert_eq!(of("*.md"), ["README.md:1:fn in prose"]);
    assert_eq!(of("{b.rs,*.md}").len(), 2);
    assert_eq!(of("src/**"), ["src/deep/a.rs:1:fn a() {}", "src/z.rs:1:fn z() {}"]);
    for (include, sentence) in [
        (" ", "include must be a non-empty glob when given"),
        ("!*.rs", "include must be a positive glob filter; negated patterns (\"!…\") are not supported"),
        ("*.rs,*.md", "include must be one glob, not a comma-separated list (use {a,b} alternation instead)"),
    ] {
        assert_eq!(fixture.grep("fn", None, Some(include)).unwrap_err().to_string(), sentence);
    }
}

#[test]
fn what_is_no_text_is_said_or_skipped() {
    let fixture = Fixture::new(&[("latin", ""), ("binary", "")]);
    fs::write(fixture.dir.path().join("latin"), b"caf\xe9\ncafe\n").unwrap();
    fs::write(fixture.dir.path().join("binary"), b"\0\ncafe\n").unwrap();
    assert_eq!(fixture.lines("caf", None, None), ["latin:1:(line is not valid UTF-8)", "latin:2:cafe"]);
}

#[test]
fn a_pattern_that_is_no_regular_expression_is_refused() {
    let fixture = Fixture::new(TREE);
    for pattern in ["(", "[z-a]", "a\nb", "\\p{Nope}"] {
        let failure = fixture.grep(pattern, None, None).unwrap_err();
        assert_eq!(failure.code(), "SEARCH_INVALID_PATTERN", "{failure}");
        assert!(failure.to_string().starts_with("grep pattern rejected by ripgrep: "), "{failure}");
    }
    assert_eq!(fixture.grep("fn", None, Some("{a")).unwrap_err().code(), "SEARCH_INVALID_PATTERN");
}

#[test]
fn too_much_is_a_failure_and_so_is_a_stop() {
    let mut fixture = Fixture::new(TREE);
    fixture.max_raw_bytes = 20;
    for failure in [fixture.glob("*", None).unwrap_err(), fixture.grep("fn", None, None).unwrap_err()] {
        assert_eq!(failure.code(), "SEARCH_RAW_OUTPUT_OVERFLOW");
        assert!(
            failure
                .to_string()
                .ends_with("bytes of raw output, over the 20-byte cap; narrow pattern, path, or include and retry")
        );
    }
    fixture.stop.raise();
    for failure in [fixture.glob("*", None).unwrap_err(), fixture.grep("fn", None, None).unwrap_err()] {
        assert_eq!(failure.code(), "SEARCH_ABORTED");
    }
    assert_eq!(fixture.grep("fn", Some("b.rs"), None).unwrap_err().code(), "SEARCH_ABORTED");
}

#[test]
fn a_workspace_that_is_gone_is_no_empty_result() {
    let fixture = Fixture::new(TREE);
    fs::rename(fixture.dir.path(), fixture.dir.path().with_extension("moved")).unwrap();
    let failure = fixture.glob("*", None).unwrap_err();
    fs::rename(fixture.dir.path().with_extension("moved"), fixture.dir.path()).unwrap();
    assert_eq!(failure.code(), "SEARCH_FAILED", "{failure}");
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_not_searched() {
    let fixture = Fixture::new(&[("a", "fn\n")]);
    std::os::unix::fs::symlink("a", fixture.dir.path().join("link")).unwrap();
    std::os::unix::fs::symlink("/", fixture.dir.path().join("out")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(fixture.dir.path().join("pipe")).status().unwrap();
    assert!(made.success());
    assert_eq!(fixture.paths("*", None), ["a"]);
    assert_eq!(fixture.lines("fn", None, None), ["a:1:fn"]);
    assert_eq!(fixture.grep("fn", Some("out"), None).unwrap_err().code(), "FS_SANDBOX_DENIED");
    assert_eq!(fixture.grep("fn", Some("pipe"), None).unwrap_err().code(), "FS_NOT_REGULAR_FILE");
}
