//! What is too large for a model is kept elsewhere, with a preview inline; nothing that goes wrong there fails a call.

use std::future::{Future, pending};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tests::{Decided, add, code, says};
use tool_runtime::prelude::*;
use tool_runtime::testing::{MemorySpill, MemoryWriter};
use tool_runtime::{
    Block, JsonValue, Limits, SpillError, SpillSource, SpillStore, SpillWriter, Spilled, ToolLimits, serde_json::json,
};

const WHOLE: usize = 5000;

fn limits() -> Limits {
    Limits { spill_bytes: 400, ..Limits::default() }
}

fn whole() -> String {
    format!("first {} last", "é".repeat((WHOLE - 11) / 2))
}

/// Tools that say much and little, whatever the store makes of it.
fn dispatcher() -> Dispatcher {
    let mut registry = Registry::new();
    for name in ["big", "read"] {
        let tool = says(name, &whole()).render(|_, value| Content::text(value.as_str().unwrap_or_default()));
        registry.dynamic(tool).unwrap();
    }
    registry.dynamic(says("small", "little")).unwrap();
    Dispatcher::new(registry).limits(limits())
}

fn call(name: &str) -> ToolCall<'_> {
    ToolCall::without_arguments("call-1", name)
}

#[tokio::test]
async fn an_oversized_text_becomes_a_preview_with_a_locator_and_the_exact_count() {
    let store = MemorySpill::new();
    let result = dispatcher().spill(store.clone(), "session-1").call(call("big")).await;
    let shown = result.content().to_text();
    assert!(shown.len() <= 400, "{}", shown.len());
    let [Block::Text(text)] = result.content().blocks() else { panic!("{shown}") };
    let (head, tail) = text.text.split_once("\n…\n").unwrap();
    assert!(head.starts_with("first é") && tail.ends_with("é last"));
    let (before, total) = (head.len(), whole().len());
    assert_eq!(
        result.content().notice().unwrap(),
        format!(
            "Omitted {} of {total} bytes, after the first {before}. Full formatted result stored at: \
             memory:session-1/0-big.txt.",
            total - before - tail.len()
        )
    );
    assert_eq!(store.text("memory:session-1/0-big.txt"), Some(whole()));
    assert_eq!(result.success().unwrap().canonical().to_json(), json!(whole()), "the value is whole");
    let said = format!("the content had {total} bytes and was spilled to memory:session-1/0-big.txt");
    assert_eq!(result.trace().warnings(), [said]);
}

#[tokio::test]
async fn without_a_store_nothing_is_spilled_and_the_limit_of_spilling_means_nothing() {
    let result = dispatcher().call(call("big")).await;
    assert_eq!((result.content().to_text(), result.trace().warnings().len()), (whole(), 0));
}

#[tokio::test]
async fn the_same_call_gets_the_same_bytes_and_leaves_nothing_new() {
    let store = MemorySpill::new();
    let dispatcher = dispatcher().spill(store.clone(), "s");
    let first = dispatcher.call(call("big")).await;
    let again = dispatcher.call(ToolCall::without_arguments("call-2", "big")).await;
    assert_eq!(first.content(), again.content());
    assert_eq!(store.len(), 1);
    // What a log kept is what a model reads after a resume: it is content like any other, and within the limit.
    let replayed = dispatcher.policy(Decided(PostDecision::replace_content(first.content().clone())));
    assert_eq!(replayed.call(call("small")).await.content(), first.content());
    assert_eq!(store.len(), 1);
}

#[tokio::test]
async fn what_is_small_paged_withheld_or_for_a_program_is_not_spilled() {
    let store = MemorySpill::new();
    let dispatcher = dispatcher().spill(store.clone(), "s").limits_for("read", ToolLimits::new().pages());
    assert_eq!(dispatcher.call(call("small")).await.content().to_text(), r#""little""#);
    assert_eq!(dispatcher.call(call("read")).await.content().to_text(), whole(), "it pages by itself");
    let blocked = dispatcher.clone().policy(Decided(PostDecision::block("no ".repeat(1000))));
    let result = blocked.call(call("big")).await;
    assert_eq!((code(&result), result.content().to_text()), ("BLOCKED", "no ".repeat(1000)));
    let nothing_kept = store.is_empty();
    assert!(nothing_kept);
    // The hard limit holds for a tool that pages, too.
    let limits = Limits { content_bytes: 300, ..limits() };
    assert!(dispatcher.limits(limits).call(call("read")).await.content().to_text().len() <= 300);
    assert!(store.is_empty());
}

#[tokio::test]
async fn what_policies_put_in_is_spilled_like_the_rest_and_their_contexts_stay() {
    let replaced = "r".repeat(2000);
    for decision in [
        PostDecision::replace_content(replaced.as_str()).with_context("noted"),
        PostDecision::replace_value(json!(replaced)).with_context("noted"),
    ] {
        let store = MemorySpill::new();
        // In either order of building: the store comes after all policies.
        let spilling = dispatcher().spill(store.clone(), "s").policy(Decided(decision));
        let result = spilling.call(call("big")).await;
        assert!(result.content().to_text().len() <= 400);
        assert_eq!(store.text("memory:s/0-big.txt"), Some(replaced.clone()));
        assert_eq!(result.contexts(), [Content::text("noted")]);
    }
}

#[tokio::test]
async fn of_mixed_content_the_text_is_spilled_and_what_else_does_not_fit_is_named() {
    let content = Content::text("a".repeat(1000))
        .with(Block::image(vec![0; 300], "image/png"))
        .with(Block::image(vec![0; 30_000], "image/png"))
        .with(Block::text("z".repeat(1000)));
    let store = MemorySpill::new();
    let limits = Limits { content_bytes: 2000, ..limits() };
    let dispatcher = dispatcher().limits(limits).spill(store.clone(), "s");
    let result = dispatcher.policy(Decided(PostDecision::replace_content(content))).call(call("small")).await;
    let kinds: Vec<_> = result.content().blocks().iter().map(Block::kind).collect();
    assert_eq!(kinds, ["text", "image", "text"]);
    let notice = result.content().notice().unwrap();
    assert!(notice.ends_with("stored at: memory:s/0-small.txt. Left out and not stored: 1 image block."), "{notice}");
    let kept = format!("{}\n[image content]\n[image content]\n{}", "a".repeat(1000), "z".repeat(1000));
    assert_eq!(store.text("memory:s/0-small.txt"), Some(kept));
}

#[tokio::test]
async fn json_is_spilled_whole_and_its_preview_is_said_to_be_none() {
    let rows: Vec<JsonValue> = (0..500).map(|row| json!({"row": row})).collect();
    let content = Content::json(&rows).unwrap();
    let store = MemorySpill::new();
    let dispatcher = dispatcher().spill(store.clone(), "s").policy(Decided(PostDecision::replace_content(content)));
    let result = dispatcher.call(call("small")).await;
    let notice = result.content().notice().unwrap();
    assert!(notice.contains("what is left is a preview of JSON, and no JSON. Full formatted"), "{notice}");
    let kept = store.text("memory:s/0-small.txt").unwrap();
    assert_eq!(serde_json::from_str::<Vec<JsonValue>>(&kept).unwrap(), rows);
}

#[tokio::test]
async fn the_whole_text_of_an_error_is_kept_and_the_model_reads_both_ends() {
    let mut registry = Registry::new();
    let message = format!("make failed: {} error: no rule", "x".repeat(20_000));
    let told = message.clone();
    let tool = DynamicTool::new("build", "Build.", move |_, _| {
        let message = message.clone();
        async move { Err::<JsonValue, _>(ToolError::msg(message)) }
    });
    registry.dynamic(tool.output_schema(json!({"type": "string"}))).unwrap();
    let store = MemorySpill::new();
    let limits = Limits { error_bytes: 200, ..Limits::default() };
    let result = Dispatcher::new(registry).limits(limits).spill(store.clone(), "s").call(call("build")).await;
    assert_eq!(code(&result), "EXECUTION_ERROR");
    let shown = result.content().to_text();
    assert!(
        shown.starts_with("Error [EXECUTION_ERROR]: make failed: x") && shown.contains("error: no rule"),
        "{shown}"
    );
    assert_eq!(result.content().notice(), Some("Full formatted result stored at: memory:s/0-build.txt."));
    assert_eq!(store.text("memory:s/0-build.txt"), Some(format!("Error [EXECUTION_ERROR]: {told}")));
    assert!(result.failure().unwrap().error().message().len() <= 200);
}

/// A store that does what the test says, and counts how often it was asked.
#[derive(Clone)]
struct Faulty {
    fault: Fault,
    asked: Arc<AtomicUsize>,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    Fails,
    Panics,
    FailsToWrite,
    FailsToFinish,
    Hangs,
    IsFarAway,
}

impl Faulty {
    fn new(fault: Fault) -> Self {
        Self { fault, asked: Arc::default() }
    }
}

struct FaultyWriter(Fault);

impl SpillStore for Faulty {
    type Writer = FaultyWriter;

    fn name(&self) -> &'static str {
        "faulty"
    }

    async fn open(&self, _: &SpillSource<'_>) -> Result<FaultyWriter, SpillError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        match self.fault {
            Fault::Fails => Err(SpillError::Failed("disk on fire at /secret".to_owned())),
            Fault::Panics => panic!("on purpose"),
            Fault::Hangs => pending().await,
            fault => Ok(FaultyWriter(fault)),
        }
    }
}

impl SpillWriter for FaultyWriter {
    async fn write(&mut self, _: &[u8]) -> Result<(), SpillError> {
        if matches!(self.0, Fault::FailsToWrite) { Err(SpillError::Full { quota: 1 }) } else { Ok(()) }
    }

    async fn finish(self) -> Result<Spilled, SpillError> {
        match self.0 {
            Fault::IsFarAway => Ok(Spilled::new("x".repeat(1000), "", 1)),
            _ => Err(SpillError::Refused("it is not what it was".to_owned())),
        }
    }
}

#[tokio::test]
async fn a_store_that_fails_leaves_the_result_inline_with_a_warning() {
    tests::quiet_panics();
    for (fault, why) in [
        (Fault::Fails, "disk on fire at /secret"),
        (Fault::Panics, "on purpose"),
        (Fault::FailsToWrite, "the spill store is full: it holds at most 1 bytes"),
        (Fault::FailsToFinish, "it is not what it was"),
        (Fault::IsFarAway, "the notice of where it is has no room"),
    ] {
        let result = dispatcher().spill(Faulty::new(fault), "s").call(call("big")).await;
        assert!(result.is_success(), "{fault:?}");
        assert_eq!(result.content(), &Content::text(whole()), "{fault:?}");
        assert_eq!(result.trace().warnings(), [format!("the content was not kept by \"faulty\": {why}")]);
        // Beyond the hard limit it is cut, and the reader knows that the rest is nowhere; why is for the host.
        let limits = Limits { content_bytes: 1000, ..limits() };
        let result = dispatcher().limits(limits).spill(Faulty::new(fault), "s").call(call("big")).await;
        let notice = result.content().notice().unwrap();
        assert!(notice.ends_with(", to stay within 1000 bytes; the whole could not be stored"), "{notice}");
        assert!(result.content().to_text().len() <= 1000 && !notice.contains("secret"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_store_is_waited_for_no_longer_than_its_time() {
    let limits = Limits { spill_time: Duration::from_millis(250), ..limits() };
    let begun = tokio::time::Instant::now();
    let result = dispatcher().limits(limits).spill(Faulty::new(Fault::Hangs), "s").call(call("big")).await;
    assert_eq!(begun.elapsed(), Duration::from_millis(250));
    assert_eq!(result.content(), &Content::text(whole()));
    assert_eq!(result.trace().warnings(), ["the content was not kept by \"faulty\": it took longer than 250ms"]);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_cancels_or_is_in_a_hurry_does_not_wait_for_a_store() {
    let dispatcher = dispatcher().spill(Faulty::new(Fault::Hangs), "s");
    let deadline = tokio::time::Instant::now() + Duration::from_millis(40);
    let options = CallOptions { deadline: Some(deadline.into_std()), ..CallOptions::default() };
    let late = dispatcher.call_with(call("big"), options).await;
    assert!(late.is_success() && tokio::time::Instant::now() <= deadline + Duration::from_millis(5));
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(40)).await;
        cancellation.cancel();
    };
    let (result, ()) = tokio::join!(dispatcher.call_with(call("big"), options), cancel);
    assert_eq!(code(&result), "ABORTED");
    // One that had cancelled before is not kept at all.
    let store = Faulty::new(Fault::Fails);
    let options = CallOptions { cancellation, ..CallOptions::default() };
    let result = dispatcher.spill(store.clone(), "s").call_with(call("big"), options).await;
    assert_eq!((code(&result), store.asked.load(Ordering::Relaxed)), ("ABORTED_BEFORE_DISPATCH", 0));
}

/// A store that is slow for one call, and notes who came when.
struct Slow {
    memory: MemorySpill,
    running: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl SpillStore for Slow {
    type Writer = MemoryWriter;

    fn name(&self) -> &'static str {
        "slow"
    }

    fn open(&self, source: &SpillSource<'_>) -> impl Future<Output = Result<MemoryWriter, SpillError>> + Send {
        let opened = self.memory.open(source);
        async move {
            let running = self.running.fetch_add(1, Ordering::Relaxed) + 1;
            self.most.fetch_max(running, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(100)).await;
            self.running.fetch_sub(1, Ordering::Relaxed);
            opened.await
        }
    }
}

#[tokio::test(start_paused = true)]
async fn bodies_of_a_batch_go_on_while_a_result_is_spilled() {
    let mut registry = Registry::new();
    for (name, text, time) in [("first", whole(), 0), ("second", "short".to_owned(), 90)] {
        let tool = DynamicTool::new(name, "Say.", move |_, _| {
            let text = text.clone();
            async move {
                tokio::time::sleep(Duration::from_millis(time)).await;
                Ok(JsonValue::from(text))
            }
        });
        let tool = tool.output_schema(json!({"type": "string"})).behaviour(Behaviour::new().parallel(true));
        registry.dynamic(tool).unwrap();
    }
    let slow = Slow { memory: MemorySpill::new(), running: Arc::default(), most: Arc::default() };
    let begun = tokio::time::Instant::now();
    let dispatcher = Dispatcher::new(registry).limits(limits()).spill(slow, "s");
    let results = dispatcher.run(vec![call("first"), call("second")]).await;
    assert!(results[0].content().notice().is_some());
    assert!(begun.elapsed() <= Duration::from_millis(110), "the second body ran meanwhile: {:?}", begun.elapsed());
}

/// Write a stream as it comes.
#[derive(Tool)]
#[tool(output = Written)]
struct Stream {
    chunks: usize,
}

#[tool_output]
struct Written {
    locator: Option<String>,
    bytes: u64,
}

impl Execute for Stream {
    async fn execute(&self, cx: &Context) -> Result<Written, ToolError> {
        let mut file = match cx.open_spill("stdout.txt").await {
            Ok(file) => file,
            Err(SpillError::NoStore) => return Ok(Written { locator: None, bytes: 0 }),
            Err(error) => return Err(error.into()),
        };
        for _ in 0..self.chunks {
            file.write("chunk ").await?;
        }
        let spilled = file.finish().await?;
        Ok(Written { locator: Some(spilled.locator().to_owned()), bytes: spilled.bytes() })
    }
}

impl Render for Stream {
    fn render(&self, written: &Written) -> Content {
        Content::text(format!("{} bytes at {:?}", written.bytes, written.locator))
    }
}

#[tokio::test]
async fn a_body_writes_a_stream_into_the_store_as_it_comes() {
    let dispatcher = tests::dispatcher_of::<Stream>();
    let call = || ToolCall::new("call-1", "stream", r#"{"chunks":3}"#);
    assert_eq!(dispatcher.call(call()).await.content().to_text(), "0 bytes at None");
    let store = MemorySpill::new();
    let result = dispatcher.spill(store.clone(), "s").call(call()).await;
    assert_eq!(result.content().to_text(), r#"18 bytes at Some("memory:s/0-stdout.txt")"#);
    assert_eq!(store.text("memory:s/0-stdout.txt").as_deref(), Some("chunk chunk chunk "));
}

#[tokio::test]
async fn scopes_share_the_store_unless_they_have_one_of_their_own() {
    let (root, own) = (MemorySpill::new(), MemorySpill::new());
    let dispatcher = dispatcher().spill(root.clone(), "root");
    let scoped = dispatcher.scoped();
    add(&scoped, "extra", &whole()).unwrap();
    let _ = scoped.call(call("big")).await;
    assert_eq!((root.len(), own.len()), (1, 0));
    let _ = scoped.spill(own.clone(), "agent").call(call("big")).await;
    assert_eq!((root.len(), own.text("memory:agent/0-big.txt")), (1, Some(whole())));
}

#[tokio::test]
async fn observers_see_what_the_model_reads() {
    let seen = tests::Seen::default();
    let store = MemorySpill::new();
    let result = dispatcher().spill(store, "s").observer(seen.clone()).call(call("big")).await;
    assert_eq!(seen.codes(), ["OK"]);
    assert!(result.content().notice().is_some());
}
