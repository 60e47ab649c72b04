//! Old results of which the model reads less.

use proptest::prelude::*;
use tool_runtime::session::{Message, Pruning, Session, SessionLog, replay};
use tool_runtime::{Block, Content};

use crate::scene::{call, dispatcher, finish, in_a_step, read, step};

const MARKER: &str = "\n\n[... tool result middle pruned ...]\n\n";

fn texts(content: &Content) -> String {
    content
        .blocks()
        .iter()
        .filter_map(|block| if let Block::Text(text) = block { Some(&*text.text) } else { None })
        .collect()
}

#[test]
fn the_first_4096_and_the_last_1024_code_points_of_more_than_8192_stay() {
    let pruning = Pruning::default();
    let text: String = ('a'..='z').cycle().take(8192).collect();
    assert_eq!(pruning.prune(&Content::text(text.as_str())), None);
    let text = format!("{text}固");
    let pruned = pruning.prune(&Content::text(text.as_str())).unwrap();
    let chars: Vec<char> = text.chars().collect();
    let expected: String =
        chars[..4096].iter().collect::<String>() + MARKER + &chars[8193 - 1024..].iter().collect::<String>();
    assert_eq!(texts(&pruned), expected);
    assert_eq!(pruning.prune(&pruned), None);
}

#[test]
fn budgets_that_do_not_fit_are_refused() {
    let marker = MARKER.chars().count();
    assert!(Pruning::new(100, 50, 50 - marker).is_ok());
    assert_eq!(
        Pruning::new(100, 50, 51 - marker).unwrap_err().to_string(),
        "head, marker and tail are 101 code points, more than the threshold of 100"
    );
    assert!(Pruning::new(100, usize::MAX, usize::MAX).is_err());
}

fn block() -> impl Strategy<Value = Block> {
    prop_oneof![
        "[aé固👩 \n]{0,60}".prop_map(Block::text),
        prop::collection::vec(any::<u8>(), 0..9).prop_map(|bytes| Block::image(bytes, "image/png")),
    ]
}

proptest! {
    #[test]
    fn pruning_converges_in_one_pass_keeps_what_is_no_text_and_cuts_at_code_points(
        blocks in prop::collection::vec(block(), 0..8), head in 0_usize..60, tail in 0_usize..60, more in 0_usize..40
    ) {
        let threshold = head + tail + MARKER.chars().count() + more;
        let pruning = Pruning::new(threshold, head, tail).unwrap();
        let content: Content = blocks.iter().cloned().collect::<Content>().with_notice("kept");
        let text = texts(&content);
        let Some(pruned) = pruning.prune(&content) else {
            prop_assert!(text.chars().count() <= threshold);
            return Ok(());
        };
        prop_assert!(text.chars().count() > threshold);
        let chars: Vec<char> = text.chars().collect();
        let kept: String = chars[..head].iter().collect::<String>() + MARKER
            + &chars[chars.len() - tail..].iter().collect::<String>();
        prop_assert_eq!(texts(&pruned), kept);
        prop_assert_eq!(pruning.prune(&pruned), None);
        let others = |content: &Content| -> Vec<Block> {
            content.blocks().iter().filter(|block| !matches!(block, Block::Text(_))).cloned().collect()
        };
        prop_assert_eq!(others(&pruned), others(&content));
        prop_assert_eq!(pruned.notice(), Some("kept"));
    }
}

async fn with_a_long_result() -> (tool_runtime::session::MemoryStore, Session) {
    let (store, session) = in_a_step().await;
    let _ = step(&session, &dispatcher(), vec![call("a", "long"), call("b", "x")]).await;
    finish(&session).await;
    (store, session)
}

#[tokio::test]
async fn a_pruned_result_is_shorter_for_the_model_and_as_it_was_for_a_person() {
    let (store, session) = with_a_long_result().await;
    let before = replay(&read(&store.bytes())).unwrap();
    assert_eq!(session.prune(&Pruning::default(), 0).await.unwrap(), 0, "nothing is old");
    assert_eq!(session.prune(&Pruning::default(), u64::MAX).await.unwrap(), 1);
    assert_eq!(session.prune(&Pruning::default(), u64::MAX).await.unwrap(), 0, "it was pruned");
    let after = replay(&read(&store.bytes())).unwrap();
    assert_eq!(after.calls(), before.calls());
    assert_eq!(after.messages().len(), before.messages().len());
    let (Message::ToolResult(long), Message::ToolResult(short)) = (&before.messages()[2], &after.messages()[2]) else {
        panic!("the third message is the result");
    };
    assert_eq!(texts(&short.content).chars().count(), 4096 + MARKER.chars().count() + 1024);
    assert_eq!((&short.meta, &short.call_id, short.is_error), (&long.meta, &long.call_id, long.is_error));
    assert_eq!(after.messages()[3], before.messages()[3]);
}

#[tokio::test]
async fn a_replacement_of_anything_but_the_content_is_refused() {
    let (store, session) = with_a_long_result().await;
    session.prune(&Pruning::default(), u64::MAX).await.unwrap();
    let log = read(&store.bytes());
    let replacement = log.entries().last().unwrap().payload().to_owned();
    for (from, to) in [
        ("\"isError\":false", "\"isError\":true"),
        ("\"toolCallId\":\"a\"", "\"toolCallId\":\"b\""),
        ("\"length\":4", "\"length\":5"),
        ("\"turn\":1", "\"turn\":2"),
        ("\"sourceEventSeqs\":[5]", "\"sourceEventSeqs\":[0]"),
    ] {
        assert!(replacement.contains(from), "{replacement}");
        let forged = forged(&log, &replacement.replace(from, to));
        assert!(replay(&forged).is_err(), "{from} became {to}");
    }
    let other = replacement.replace("\"tool/result\"", "\"user/message\"");
    assert!(replay(&forged(&log, &other)).is_err());
}

/// The log with another last event.
fn forged(log: &SessionLog, payload: &str) -> SessionLog {
    let mut bytes = log.to_bytes();
    let last = log.entries().last().unwrap().record().line().len();
    bytes.truncate(bytes.len() - last);
    bytes.extend(crate::formats::line(payload).into_bytes());
    SessionLog::parse(&bytes).unwrap()
}
