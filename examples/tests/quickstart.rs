//! The README's program says what it says it does, and stays short.

use std::process::Command;

#[test]
fn the_program_shows_both_sides_of_one_call() {
    let output = Command::new(env!("CARGO_BIN_EXE_quickstart")).output().expect("a program");
    assert_eq!(
        String::from_utf8(output.stdout).expect("text"),
        "the model reads: 3 people pay 3333 cents each; 1 left over.\na program gets:  {\"each\":3333,\"left\":1}\n"
    );
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn the_program_is_under_forty_lines() {
    assert!(include_str!("../src/bin/quickstart.rs").lines().count() < 40);
}
