use proptest::prelude::*;
use serde_json::json;

use super::*;

/// The frames of a text that comes in pieces of so many bytes.
async fn frames(text: &[u8], piece: usize, most: usize) -> Vec<Frame> {
    let (mut write, read) = tokio::io::duplex(piece);
    let text = text.to_vec();
    let writer = tokio::spawn(async move {
        use tokio::io::AsyncWriteExt as _;
        write.write_all(&text).await.unwrap();
    });
    let mut frames = Frames::new(read, most);
    let mut found = Vec::new();
    while let Some(frame) = frames.next().await {
        found.push(frame);
        assert!(frames.line.capacity() <= most * 2 + 4 * CHUNK, "{}", frames.line.capacity());
    }
    writer.await.unwrap();
    found
}

fn unreadable(id: i64, problem: &str) -> Frame {
    Frame::Unreadable(NumberOrString::Number(id), problem.to_owned())
}

#[tokio::test]
async fn a_message_is_a_line_however_it_comes() {
    let text = b"{\"id\":1}\r\n\n  {\"id\":2}\n\xef\xbb\xbf{\"id\":3}\n[{\"id\":4},{\"id\":5}]\n{\"id\":6}";
    for piece in [1, 2, 7, 1000] {
        let found = frames(text, piece, 1000).await;
        let expected: Vec<_> = (1..=5).map(|id| Frame::Message(json!({"id": id}))).collect();
        assert_eq!(found, expected, "the sixth has no end");
    }
}

#[tokio::test]
async fn what_is_no_message_is_noise() {
    let found = frames(b"Server started\n\xff\xfe\n\"text\"\n{broken\n{\"id\":1}\n", 9, 1000).await;
    let noise = ["Server started", "\u{fffd}\u{fffd}", "\"text\"", "{broken"].map(|line| Frame::Noise(line.to_owned()));
    assert_eq!(found[..4], noise);
    assert_eq!(found[4], Frame::Message(json!({"id": 1})));
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_told_to_its_request_and_the_next_is_read() {
    let long = "x".repeat(5000);
    for (answer, id) in [
        (format!(r#"{{"id":7,"result":"{long}"}}"#), NumberOrString::Number(7)),
        (format!(r#"{{"result":{{"id":1,"a":["{long}"]}},"jsonrpc":"2.0","id":7}}"#), NumberOrString::Number(7)),
        (format!(r#"{{"result":"\"id\":3,{long}", "id" : "seven" }}"#), NumberOrString::String("seven".into())),
    ] {
        let text = format!("{answer}\n{{\"id\":8}}\n");
        for piece in [1, 64, 100_000] {
            let found = frames(text.as_bytes(), piece, 100).await;
            let problem = "its answer is longer than 100 bytes".to_owned();
            assert_eq!(found, [Frame::Unreadable(id.clone(), problem), Frame::Message(json!({"id": 8}))], "{piece}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_no_lossless_json_is_told_to_its_request() {
    let deep = format!(r#"{{"result":{}1{},"id":1}}"#, "[".repeat(500), "]".repeat(500));
    for (text, says) in [
        (deep.as_str(), "nested"),
        (r#"{"id":1,"result":{"a":1,"a":2}}"#, "twice"),
        (r#"{"id":1,"result":99999999999999999999}"#, "99999999999999999999"),
        (r#"{"id":1,"result":{"a":"#, "its answer can't be read"),
    ] {
        let found = frames(format!("{text}\n").as_bytes(), 50, 10_000).await;
        let [Frame::Unreadable(NumberOrString::Number(1), problem)] = &found[..] else { panic!("{text}: {found:?}") };
        assert!(problem.contains(says), "{problem}");
    }
    let invalid = [b"{\"id\":1,\"result\":\"".as_slice(), b"\xff\xfe", b"\"}\n"].concat();
    assert_eq!(frames(&invalid, 50, 1000).await, [unreadable(1, "its answer can't be read: it is no UTF-8")]);
}

#[tokio::test]
async fn a_request_that_can_t_be_read_answers_nobody() {
    let text = format!("{{\"method\":\"ping\",\"id\":1,\"params\":\"{}\"}}\n", "x".repeat(500));
    assert_eq!(frames(text.as_bytes(), 50, 100).await, [Frame::Noise(String::new())]);
}

proptest! {
    #[test]
    fn whatever_comes_is_taken_without_a_panic(
        lines in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..60),
            "[\\[\\]{}\":,\\\\ id1x]{0,60}".prop_map(String::into_bytes),
        ], 0..8),
        piece in 1_usize..40,
    ) {
        let text = lines.join(&b'\n');
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(frames(&text, piece, 40));
    }

    #[test]
    fn the_id_is_found_wherever_it_stands(id in any::<i64>(), before in "\\PC{0,20}", after in "\\PC{0,20}") {
        let text = json!({"before": {"id": before}, "id": id, "after": [after, {"method": 1}]}).to_string();
        let mut scan = Scan::default();
        scan.feed(text.as_bytes());
        prop_assert_eq!(scan.unreadable(String::new(), &[]), Frame::Unreadable(NumberOrString::Number(id), String::new()));
    }
}
