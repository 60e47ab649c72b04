//! What a command prints: bounded inline, whole in the spill store.

use std::fs;

use crate::fixture::{Fixture, ran};
use examples::tools::RanStream;
use tool_runtime::spill::FileSpill;
use tool_runtime::testing::MemorySpill;

/// Two streams of 10 MiB, in turns of 256 KiB: four times what a pipe holds, so that who reads one after the other gets stuck.
const TEN_MIB_EACH: &str = r#"
out=$(printf '%262144s' '' | tr ' ' o); err=$(printf '%262144s' '' | tr ' ' e)
echo first; echo FIRST >&2
for turn in {1..40}; do printf %s "$out"; printf %s "$err" >&2; done
echo; echo last; echo >&2; echo LAST >&2
"#;

fn ten_mib(of: &str, first: &str, last: &str) -> String {
    format!("{first}\n{}\n{last}\n", of.repeat(10 << 20))
}

fn ends(of: &str, first: &str, last: &str) -> RanStream {
    let whole = ten_mib(of, first, last);
    let (head, tail) = (&whole[..32_000], &whole[whole.len() - 32_000..]);
    let (bytes, omitted) = (whole.len() as u64, whole.len() as u64 - 64_000);
    RanStream { text: format!("{head}\n[… {omitted} bytes omitted …]\n{tail}"), bytes, omitted, path: None }
}

#[tokio::test]
async fn two_huge_streams_at_a_time_are_kept_at_both_ends_and_whole_in_the_store() {
    let mut fixture = Fixture::new();
    let store = FileSpill::open(fixture.path("spill")).unwrap();
    fixture.dispatcher = fixture.dispatcher.clone().spill(store, "session-1");
    let result = fixture.run(TEN_MIB_EACH).await;
    let ran = ran(&result);
    for (stream, of, first, last) in [(&ran.stdout, "o", "first", "last"), (&ran.stderr, "e", "FIRST", "LAST")] {
        let path = stream.path.as_ref().expect("it is in the store");
        assert!(fs::read_to_string(path).unwrap() == ten_mib(of, first, last), "{path} holds all of it");
        assert!(RanStream { path: None, ..stream.clone() } == ends(of, first, last), "both ends are kept");
        let marker = format!("[output truncated; full output: {path}]");
        assert!(result.content().to_text().contains(&marker), "the model reads where it is");
    }
}

#[tokio::test]
async fn without_a_store_the_model_reads_that_the_rest_is_gone() {
    let result = Fixture::new().run(TEN_MIB_EACH).await;
    let ran = ran(&result);
    assert!(ran.stdout == ends("o", "first", "last") && ran.stderr == ends("e", "FIRST", "LAST"));
    let marker = "[output truncated; full output: (unavailable)]";
    assert!(result.content().to_text().ends_with(&format!("\nLAST\n{marker}\n{marker}")));
}

#[tokio::test]
async fn what_fits_is_whole_and_leaves_no_file() {
    let mut fixture = Fixture::new();
    let store = FileSpill::open(fixture.path("spill")).unwrap();
    fixture.dispatcher = fixture.dispatcher.clone().spill(store, "session-1");
    let result = fixture.run("printf '%64000s' '' | tr ' ' x").await;
    let stdout = &ran(&result).stdout;
    assert_eq!((stdout.text.as_str(), stdout.omitted, &stdout.path), ("x".repeat(64_000).as_str(), 0, &None));
    let result = fixture.run("printf '%64001s' '' | tr ' ' x").await;
    let stdout = &ran(&result).stdout;
    assert_eq!((stdout.bytes, stdout.omitted), (64_001, 1));
    assert_eq!(fs::read_to_string(stdout.path.as_ref().unwrap()).unwrap(), "x".repeat(64_001));
}

#[tokio::test]
async fn of_what_is_larger_than_64_mib_the_beginning_is_stored() {
    let mut fixture = Fixture::new();
    let store = MemorySpill::new();
    fixture.dispatcher = fixture.dispatcher.clone().spill(store.clone(), "session-1");
    let result = fixture.run("head -c 67108864 /dev/zero; printf more").await;
    let stdout = &ran(&result).stdout;
    assert_eq!(stdout.bytes, 67_108_868);
    assert!(stdout.text.ends_with("\0more"), "the end is read all the same");
    let path = stdout.path.as_ref().expect("it is in the store");
    let stored = store.text(path).expect("a text");
    assert!(stored.len() == 67_108_864 && !stored.contains("more"));
    let marker = format!("[output truncated; its first 67108864 bytes: {path}]");
    assert!(result.content().to_text().contains(&marker));
}

#[tokio::test]
async fn a_store_that_is_full_fails_no_command() {
    let mut fixture = Fixture::new();
    let store = FileSpill::open(fixture.path("spill")).unwrap().quota(100_000);
    fixture.dispatcher = fixture.dispatcher.clone().spill(store, "session-1");
    let result = fixture.run("printf '%200000s' ''").await;
    let stdout = &ran(&result).stdout;
    assert_eq!((stdout.bytes, stdout.omitted, &stdout.path), (200_000, 136_000, &None));
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown_as_such() {
    let result = Fixture::new().run(r"printf 'a\xff\xfeb\xc3'").await;
    let stdout = &ran(&result).stdout;
    assert_eq!((stdout.text.as_str(), stdout.bytes), ("a\u{FFFD}\u{FFFD}b\u{FFFD}", 5));
}
