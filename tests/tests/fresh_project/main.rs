//! What an author meets who starts from nothing: a new cargo project, with what the README says and no more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The text of the first fence of this language.
fn fence(readme: &str, language: &str) -> String {
    let mut lines = readme.lines().skip_while(|line| *line != format!("```{language}"));
    assert!(lines.next().is_some(), "the README has a block of {language}");
    lines.take_while(|line| *line != "```").flat_map(|line| [line, "\n"]).collect()
}

/// A project outside the workspace, with the versions that are tested here, so that it is built without a network.
struct Project {
    directory: PathBuf,
}

impl Project {
    fn new(name: &str, dependencies: &str, program: &str) -> Self {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fresh-projects").join(name);
        fs::create_dir_all(directory.join("src")).unwrap();
        let package =
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n");
        // In a TOML string, a backslash of a path on Windows begins an escape.
        let here = root().display().to_string().replace('\\', "/");
        let dependencies = dependencies.replace("path/to/this/repository", &here);
        fs::write(directory.join("Cargo.toml"), package + &dependencies).unwrap();
        fs::write(directory.join("src/main.rs"), program).unwrap();
        fs::copy(root().join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
        Self { directory }
    }

    /// What the program prints.
    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--offline"])
            .args(arguments)
            .current_dir(&self.directory)
            .env("CARGO_TARGET_DIR", self.directory.with_file_name("target"))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            // What cargo and its wrappers say of this build is not for that one.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()
            .unwrap();
        let (printed, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{told}");
        assert_eq!(told, "", "it builds without a warning");
        printed
    }
}

#[test]
fn the_readme_s_program_runs_in_a_new_project_with_the_readme_s_dependencies() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let program = fence(&readme, "rust");
    let project = Project::new("bill", &fence(&readme, "toml"), &program);
    assert_eq!(project.run(&[]), fence(&readme, "text"), "the README shows what it prints");
}

/// Another crate in an author's build may turn on features of `serde_json` that change what a number or a map is inside.
#[test]
fn the_same_bytes_come_of_every_feature_that_an_author_s_build_turns_on() {
    let dependencies = "\
        [dependencies]\n\
        tool-runtime = { path = \"path/to/this/repository/tool-runtime\" }\n\
        tokio = { version = \"1\", features = [\"macros\", \"rt\"] }\n\
        serde_json = \"1\"\n\n\
        [features]\n\
        more = [\"serde_json/arbitrary_precision\", \"serde_json/raw_value\", \"serde_json/unbounded_depth\"]\n";
    let project = Project::new("numbers", dependencies, include_str!("numbers.rs"));
    let expected = project.run(&[]);
    assert!(expected.contains("18446744073709551615") && expected.lines().count() > 40, "{expected}");
    let printed = project.run(&["--features", "more"]);
    for (ours, theirs) in expected.lines().zip(printed.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(expected, printed);
}
