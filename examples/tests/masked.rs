//! The guide's program that hides a column prints what the guide says.

use std::process::Command;

#[test]
fn nobody_reads_a_phone_number() {
    let output = Command::new(env!("CARGO_BIN_EXE_masked")).output().expect("a program");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert_eq!(printed, include_str!("../src/bin/masked/printed.txt"));
    assert!(output.status.success() && output.stderr.is_empty() && !printed.contains("+44"));
}
