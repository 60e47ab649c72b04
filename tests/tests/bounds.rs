//! The laws of what is cut: never over the limit, exact counts, both ends, and one way for all that a result holds.

use std::sync::Mutex;

use proptest::prelude::*;
use tests::{Decided, add, says};
use tool_runtime::prelude::*;
use tool_runtime::testing::MemorySpill;
use tool_runtime::{Annotations, Audience, Block, JsonValue, Limits, ToolLimits, serde_json::json};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

fn saying(text: &str) -> Dispatcher {
    let mut registry = Registry::new();
    registry.dynamic(says("say", text)).unwrap();
    Dispatcher::new(registry)
}

fn call() -> ToolCall<'static> {
    ToolCall::without_arguments("call-1", "say")
}

/// A dispatcher whose tool's content is this, put in place by a policy.
fn showing(content: Content) -> Dispatcher {
    saying("").policy(Decided(PostDecision::replace_content(content)))
}

/// What is written around a gap, and the bytes that it says it left out after how many.
fn gap(content: &Content) -> (&str, &str, usize, usize) {
    let [Block::Text(text)] = content.blocks() else { panic!("{content:?}") };
    let (head, tail) = text.text.split_once("\n…\n").unwrap();
    let numbers: Vec<usize> = content
        .notice()
        .unwrap()
        .split(|char: char| !char.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    (head, tail, numbers[0], numbers[1])
}

proptest! {
    #[test]
    fn no_content_is_over_its_limit_and_the_count_is_exact(text in "[a é固😀\n]{0,400}", limit in 0_usize..600) {
        let limits = Limits { content_bytes: limit, ..Limits::default() };
        let result = runtime().block_on(showing(Content::text(text.as_str())).limits(limits).call(call()));
        let content = result.content();
        let shown = content.to_text();
        prop_assert!(shown.len() <= limit, "{} > {limit}: {shown:?}", shown.len());
        if text.len() <= limit {
            prop_assert_eq!(shown, text);
        } else if limit > 200 {
            let (head, tail, cut, before) = gap(content);
            prop_assert_eq!(head.len() + cut + tail.len(), text.len());
            prop_assert_eq!(before, head.len());
            prop_assert!(text.starts_with(head) && text.ends_with(tail));
            prop_assert!(shown.len() + 16 >= limit, "{} of {limit} bytes are used", shown.len());
        }
    }

    #[test]
    fn a_preview_is_never_over_the_limit_whatever_the_locator_and_the_whole_is_kept(
        text in "[a é固😀\n]{0,400}",
        session in "[a-zé/]{0,80}",
        limit in 0_usize..600,
    ) {
        let store = MemorySpill::new();
        let limits = Limits { spill_bytes: limit, ..Limits::default() };
        let dispatcher = showing(Content::text(text.as_str())).limits(limits).spill(store.clone(), session.as_str());
        let result = runtime().block_on(dispatcher.call(call()));
        let shown = result.content().to_text();
        if shown == text {
            let notice = format!(
                "Omitted {0} of {0} bytes, after the first {0}. Full formatted result stored at: memory:{session}/0-say.txt.",
                text.len()
            );
            // The notice with its brackets has no room, or nothing had to go.
            prop_assert!(text.len() <= limit || notice.len() > limit.saturating_sub(10), "{limit}: {notice}");
        } else {
            prop_assert!(shown.len() <= limit, "{} > {limit}: {shown:?}", shown.len());
            let locator = format!("memory:{session}/0-say.txt");
            prop_assert!(result.content().notice().unwrap().contains(&locator));
            prop_assert_eq!(store.text(&locator), Some(text.clone()));
            if let [Block::Text(_)] = result.content().blocks() {
                let (head, tail, cut, total) = gap(result.content());
                prop_assert_eq!((head.len() + cut + tail.len(), total), (text.len(), text.len()));
                prop_assert!(text.starts_with(head) && text.ends_with(tail));
            }
        }
    }

    #[test]
    fn mixed_content_of_many_blocks_stays_within_its_limit_in_its_order(
        blocks in prop::collection::vec((0_usize..60, any::<bool>()), 0..20),
        limit in 0_usize..800,
    ) {
        let content: Content = blocks
            .iter()
            .map(|(size, is_text)| if *is_text { Block::text("é".repeat(*size)) } else { Block::image(vec![0; *size], "image/png") })
            .collect();
        let limits = Limits { content_bytes: limit, ..Limits::default() };
        let result = runtime().block_on(showing(content.clone()).limits(limits).call(call()));
        let bounded = result.content();
        let payload = |block: &Block| match block {
            Block::Text(text) => text.text.len(),
            Block::Image(image) => image.data.len(),
            _ => unreachable!(),
        };
        let size: usize = bounded.blocks().iter().map(payload).sum();
        prop_assert!(size + bounded.blocks().len().saturating_sub(1) + bounded.notice().map_or(0, str::len) <= limit);
        let images = |content: &Content| content.blocks().iter().filter(|block| matches!(block, Block::Image(_))).count();
        let gone = images(&content) - images(bounded);
        if let (true, Some(notice)) = (gone > 0 && limit > 200, bounded.notice()) {
            let named = format!("{gone} image block{}", if gone == 1 { "" } else { "s" });
            prop_assert!(notice.contains(&named), "{notice}");
        }
    }
}

#[tokio::test]
async fn exactly_the_limit_stays_and_one_byte_more_does_not() {
    let limits = Limits { content_bytes: 200, ..Limits::default() };
    let whole = showing(Content::text("x".repeat(200))).limits(limits.clone()).call(call()).await;
    assert_eq!((whole.content().to_text(), whole.trace().warnings().len()), ("x".repeat(200), 0));
    let over = showing(Content::text("x".repeat(201))).limits(limits).call(call()).await;
    assert!(over.content().notice().is_some());
}

#[tokio::test]
async fn the_end_survives_since_that_is_where_an_error_is() {
    let text = format!("start\n{}\nerror: build failed", "noise ".repeat(5000));
    let limits = Limits { content_bytes: 300, ..Limits::default() };
    let result = showing(Content::text(text)).limits(limits).call(call()).await;
    let (head, tail, ..) = gap(result.content());
    assert!(head.starts_with("start\n") && tail.ends_with("\nerror: build failed"), "{head} … {tail}");
}

#[tokio::test]
async fn what_a_block_is_for_stays_with_what_is_left_of_it() {
    let for_user = Annotations { audience: Some(vec![Audience::User]), ..Annotations::default() };
    let content = Content::from(Block::text("a".repeat(500)).annotated(for_user.clone()))
        .with(Block::text("middle"))
        .with(Block::text("z".repeat(500)));
    let limits = Limits { content_bytes: 400, ..Limits::default() };
    let result = showing(content).limits(limits).call(call()).await;
    let [Block::Text(head), Block::Text(tail)] = result.content().blocks() else { panic!("{:?}", result.content()) };
    assert_eq!(head.annotations.as_deref(), Some(&for_user));
    assert_eq!(tail.annotations, None);
    assert!(head.text.ends_with("a\n…\n") && tail.text.chars().all(|char| char == 'z'));
}

#[tokio::test]
async fn json_that_is_cut_is_said_to_be_no_json() {
    let rows: Vec<JsonValue> = (0..100).map(|row| json!({"row": row})).collect();
    let limits = Limits { content_bytes: 300, ..Limits::default() };
    let cut = showing(Content::json(&rows).unwrap()).limits(limits.clone()).call(call()).await;
    let notice = cut.content().notice().unwrap();
    assert!(notice.contains("what is left is a preview of JSON, and no JSON"), "{notice}");
    assert!(cut.content().to_text().len() <= 300);
    let whole = showing(Content::json(&rows).unwrap()).call(call()).await;
    assert_eq!(whole.content(), &Content::json(&rows).unwrap(), "what fits is JSON, to the last byte");
    let prose = showing(Content::text(format!("[note] {}", "x".repeat(500)))).limits(limits).call(call()).await;
    assert!(!prose.content().notice().unwrap().contains("JSON"));
}

#[tokio::test]
async fn one_call_may_have_limits_of_its_own_through_a_clone_of_the_dispatcher() {
    let dispatcher = showing(Content::text("x".repeat(1000)));
    let limits = Limits { content_bytes: 400, ..Limits::default() };
    let less = dispatcher.clone().limits(limits).call(call()).await;
    assert!(less.content().to_text().len() <= 400);
    assert_eq!(dispatcher.call(call()).await.content().to_text().len(), 1000);
}

#[tokio::test]
async fn a_tool_may_have_limits_of_its_own() {
    let dispatcher = showing(Content::text("x".repeat(1000))).limits_for("say", ToolLimits::new().content_bytes(300));
    add(&dispatcher, "other", "").unwrap();
    assert!(dispatcher.call(call()).await.content().to_text().len() <= 300);
    let other = dispatcher.call(ToolCall::without_arguments("call-2", "other")).await;
    assert_eq!(other.content().to_text().len(), 1000);
}

fn batch_of(sizes: &[usize]) -> (Dispatcher, Vec<ToolCall<'static>>) {
    let mut registry = Registry::new();
    for (index, size) in sizes.iter().enumerate() {
        let text = "x".repeat(*size);
        let tool = DynamicTool::new(format!("say_{index}"), "Say.", move |_, _| {
            let text = text.clone();
            async move {
                // Later calls are done first.
                for _ in 0..(20 - index) {
                    tokio::task::yield_now().await;
                }
                Ok(JsonValue::from(text))
            }
        });
        let tool = tool
            .output_schema(json!({"type": "string"}))
            .render(|_, value| Content::text(value.as_str().unwrap_or_default()));
        registry.dynamic(tool.behaviour(Behaviour::new().parallel(true))).unwrap();
    }
    let calls =
        (0..sizes.len()).map(|index| ToolCall::without_arguments(format!("call-{index}"), format!("say_{index}")));
    (Dispatcher::new(registry), calls.collect())
}

fn sizes(results: &[ToolResult]) -> Vec<usize> {
    results.iter().map(|result| result.content().to_text().len()).collect()
}

#[tokio::test]
async fn a_batch_has_a_limit_of_its_own_that_small_results_do_not_feel() {
    let (dispatcher, calls) = batch_of(&[10, 2000, 10, 2000, 10]);
    let limits = Limits { batch_bytes: 1500, ..Limits::default() };
    let results = dispatcher.limits(limits).run(calls).await;
    let sizes = sizes(&results);
    assert_eq!((sizes[0], sizes[2], sizes[4]), (10, 10, 10));
    assert!(sizes[1] > 300 && sizes[3] > 500, "what the small ones leave is for the large ones: {sizes:?}");
    assert!(sizes.iter().sum::<usize>() <= 1500, "{sizes:?}");
}

#[tokio::test]
async fn extra_contexts_are_part_of_what_a_batch_may_be() {
    for context in [10, 200, 5000] {
        let (dispatcher, calls) = batch_of(&[3000, 20, 3000]);
        let limits = Limits { batch_bytes: 2000, ..Limits::default() };
        let noting = PostDecision::accept().with_context("c".repeat(context));
        let results = dispatcher.limits(limits).policy(Decided(noting)).run(calls).await;
        let of_contexts =
            |result: &ToolResult| result.contexts().iter().map(|note| note.to_text().len()).sum::<usize>();
        let read: usize = results.iter().map(|result| result.content().to_text().len() + of_contexts(result)).sum();
        assert!(read <= 2000, "{context}: {read}");
        assert_eq!(results[1].content().to_text().len(), 20);
        assert!(
            results.iter().all(|result| of_contexts(result) >= context.min(200)),
            "a note is not lost to a long text"
        );
    }
}

#[test]
fn what_a_batch_cuts_hangs_on_no_timing() {
    let sizes_of = |threads: Option<usize>| {
        let runtime = match threads {
            None => runtime(),
            Some(threads) => tokio::runtime::Builder::new_multi_thread().worker_threads(threads).build().unwrap(),
        };
        runtime.block_on(async {
            let (dispatcher, calls) = batch_of(&[900, 700, 10, 3000, 500, 40]);
            let limits = Limits { batch_bytes: 3000, ..Limits::default() };
            let results = dispatcher.limits(limits).run(calls).await;
            results.iter().map(|result| result.content().to_text()).collect::<Vec<_>>()
        })
    };
    let first = sizes_of(None);
    assert!(first.iter().any(|text| text.contains("left out")));
    for _ in 0..5 {
        assert_eq!(sizes_of(None), first);
        assert_eq!(sizes_of(Some(2)), first);
    }
}

#[tokio::test]
async fn a_batch_of_many_large_results_is_bounded_also_with_a_store() {
    let (dispatcher, calls) = batch_of(&[5000; 8]);
    let store = MemorySpill::new();
    let limits = Limits { spill_bytes: 4000, batch_bytes: 4000, ..Limits::default() };
    let results = dispatcher.limits(limits).spill(store.clone(), "s").run(calls).await;
    assert!(sizes(&results).iter().sum::<usize>() <= 4000);
    assert_eq!(store.len(), 8, "each is kept, in the name of its tool");
    assert!(results.iter().all(|result| result.content().notice().unwrap().contains("stored at: memory:s/")));
}

/// Call `say`, and tell what came of it.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct Program {}

static SEEN_BY_PROGRAM: Mutex<Option<ToolResult>> = Mutex::new(None);

impl Execute for Program {
    async fn execute(&self, cx: &Context) -> Result<usize, ToolError> {
        let result = cx.call("say", "{}").await;
        let size = result.content().to_text().len();
        *SEEN_BY_PROGRAM.lock().unwrap() = Some(result);
        Ok(size)
    }
}

#[tokio::test]
async fn a_program_gets_the_whole_content_and_a_log_a_copy_that_is_cut() {
    let store = MemorySpill::new();
    let limits = Limits { content_bytes: 300, spill_bytes: 200, ..Limits::default() };
    let mut registry = Registry::new();
    registry.dynamic(says("say", &"x".repeat(1000))).unwrap().tool::<Program>().unwrap();
    let dispatcher = Dispatcher::new(registry).limits(limits).spill(store.clone(), "s");
    let result = dispatcher.call(ToolCall::without_arguments("call-1", "program")).await;
    assert_eq!(result.content().to_text(), "1002", "it is JSON, with its quotes");
    assert!(store.is_empty(), "what a program reads is not spilled");
    let nested = SEEN_BY_PROGRAM.lock().unwrap().take().unwrap();
    let logged = nested.logged_content(250).to_text();
    assert!(logged.len() <= 250 && logged.contains("left out after the first"), "{logged}");
    assert_eq!(nested.logged_content(1002).as_ref(), nested.content());
    // What a model reads is what a log keeps, whatever the log's own limit.
    let direct = dispatcher.call(call()).await;
    assert_eq!(direct.logged_content(0).as_ref(), direct.content());
    assert_eq!(store.len(), 1);
}

/// Call two tools that leave much, and a note.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct Programs {}

impl Execute for Programs {
    async fn execute(&self, cx: &Context) -> Result<usize, ToolError> {
        let results = cx.run([("noted", "{}"), ("noted", "{}")]).await;
        Ok(results.iter().map(|result| result.content().to_text().len()).sum())
    }
}

#[tokio::test]
async fn what_a_program_reads_takes_nothing_of_the_batch_and_its_contexts_stay() {
    let mut registry = Registry::new();
    let noted = DynamicTool::new("noted", "Say much.", |_, cx| async move {
        cx.add_context("a note");
        Ok(JsonValue::from("x".repeat(2000)))
    });
    registry.dynamic(noted.output_schema(json!({"type": "string"}))).unwrap().tool::<Programs>().unwrap();
    let limits = Limits { content_bytes: 500, batch_bytes: 1000, ..Limits::default() };
    let results = Dispatcher::new(registry)
        .limits(limits)
        .run(vec![ToolCall::without_arguments("call-1", "programs"), ToolCall::without_arguments("call-2", "noted")])
        .await;
    assert_eq!(results[0].content().to_text(), "4004");
    assert_eq!(results[0].contexts(), [Content::text("a note"), Content::text("a note")]);
    assert!(results[1].content().to_text().len() <= 500);
}
