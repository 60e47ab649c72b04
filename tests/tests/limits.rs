//! What may leave a call: content, meta, contexts and error text have limits, and what was cut is said.

use tests::{Decided, dispatcher_of};
use tool_runtime::prelude::*;
use tool_runtime::{Block, Limits, TextProfile, serde_json};

/// Say something of some size.
#[derive(Tool)]
#[tool(output = Sizes, present)]
struct Say {
    text: usize,
    #[serde(default)]
    meta: usize,
    #[serde(default)]
    contexts: Vec<usize>,
    #[serde(default)]
    image: usize,
    #[serde(default)]
    fail: bool,
}

#[tool_output]
struct Sizes {
    text: String,
    meta: usize,
    image: usize,
}

impl Execute for Say {
    async fn execute(&self, cx: &Context) -> Result<Sizes, ToolError> {
        for size in &self.contexts {
            cx.add_context("c".repeat(*size));
        }
        if self.fail {
            return Err(ToolError::msg("é".repeat(self.text)));
        }
        Ok(Sizes { text: "é".repeat(self.text), meta: self.meta, image: self.image })
    }
}

impl Render for Say {
    fn render(&self, value: &Sizes) -> Content {
        let mut content = Content::text(value.text.as_str());
        if value.image > 0 {
            content.push(Block::image(vec![0; value.image], "image/png"));
        }
        content
    }
}

impl Present for Say {
    type Meta = String;

    fn meta(&self, value: &Sizes) -> String {
        "m".repeat(value.meta)
    }
}

fn limits(content_bytes: usize, meta_bytes: usize, error_bytes: usize) -> Limits {
    let mut limits = Limits::default();
    (limits.content_bytes, limits.meta_bytes, limits.error_bytes) = (content_bytes, meta_bytes, error_bytes);
    limits
}

async fn say(limits: Limits, arguments: &str) -> ToolResult {
    dispatcher_of::<Say>().limits(limits).call(ToolCall::new("call-1", "say", arguments)).await
}

fn size(content: &Content) -> usize {
    content.to_text().len()
}

#[tokio::test]
async fn content_is_cut_at_a_character_with_an_honest_notice_and_the_value_stays_whole() {
    for limit in 150..160 {
        let result = say(limits(limit, 1000, 1000), r#"{"text":500}"#).await;
        let content = result.content();
        let Block::Text(text) = &content.blocks()[0] else { panic!("{content:?}") };
        let (head, tail) = text.text.split_once("\n…\n").unwrap();
        let (cut, before) = (1000 - head.len() - tail.len(), head.len());
        assert_eq!(
            content.notice(),
            Some(
                format!("{cut} bytes of text left out after the first {before}, to stay within {limit} bytes").as_str()
            )
        );
        assert!(size(content) <= limit);
        assert!(head.chars().chain(tail.chars()).all(|char| char == 'é'));
        assert_eq!(result.success().unwrap().value_as::<Sizes>().unwrap().text.len(), 1000, "the value is whole");
        assert_eq!(result.trace().warnings(), [format!("the content was cut to {limit} bytes")]);
    }
    let fits = say(limits(1000, 1000, 1000), r#"{"text":500}"#).await;
    assert_eq!((fits.content().notice(), fits.trace().warnings().len()), (None, 0));
}

#[tokio::test]
async fn tiny_limits_are_limits_too() {
    for limit in 0..60 {
        let result = say(limits(limit, limit, limit), r#"{"text":50,"meta":50,"contexts":[50,50],"image":70}"#).await;
        assert!(size(result.content()) <= limit + "\n[image content]\n\n[]".len(), "{limit}: {:?}", result.content());
        assert!(result.contexts().iter().map(size).sum::<usize>() <= limit + 10, "{limit}: {:?}", result.contexts());
        let failed = say(limits(limit, limit, limit), r#"{"text":50,"fail":true}"#).await;
        assert!(failed.failure().unwrap().error().message().len() <= limit, "{limit}");
    }
}

#[tokio::test]
async fn a_picture_that_does_not_fit_goes_whole_and_is_named() {
    let result = say(limits(1000, 1000, 1000), r#"{"text":3,"image":2000}"#).await;
    let notice = "1 image block left out, to stay within 1000 bytes";
    assert_eq!(result.content().to_text(), format!("ééé\n\n[{notice}]"));
    let fits = say(limits(10_000, 1000, 1000), r#"{"text":3,"image":2000}"#).await;
    assert_eq!(fits.content().to_text(), "ééé\n[image content]");
}

#[tokio::test]
async fn meta_that_is_too_large_goes_whole_with_a_warning() {
    let fits = say(limits(1000, 12, 1000), r#"{"text":1,"meta":10}"#).await;
    assert_eq!(fits.meta(), Some(&serde_json::json!("m".repeat(10))));
    let result = say(limits(1000, 11, 1000), r#"{"text":1,"meta":10}"#).await;
    assert_eq!(result.meta(), None);
    assert_eq!(result.trace().warnings(), ["the presentation meta had 12 bytes, more than 11, and was left out"]);
    assert!(result.is_success());
}

#[tokio::test]
async fn contexts_share_the_limit_of_the_content() {
    let result = say(limits(200, 1000, 1000), r#"{"text":1,"contexts":[90,90,90,90]}"#).await;
    assert!(result.contexts().iter().map(size).sum::<usize>() <= 210, "{:?}", result.contexts());
    assert_eq!(result.contexts()[0], Content::text("c".repeat(90)), "the first ones stay");
    assert_eq!(result.trace().warnings(), ["the extra contexts were cut to 200 bytes"]);
}

#[tokio::test]
async fn the_sentence_of_an_error_is_cut_and_says_so_in_either_profile() {
    let result = say(limits(1000, 1000, 101), r#"{"text":500,"fail":true}"#).await;
    let message = result.failure().unwrap().error().message();
    assert!(message.len() <= 101 && message.contains(" bytes left out] é"), "{message}");
    assert_eq!(result.content().to_text(), format!("Error [EXECUTION_ERROR]: {message}"));
    assert_eq!(result.trace().warnings(), ["the error's message was cut to 101 bytes"]);
    let plain = dispatcher_of::<Say>().limits(limits(1000, 1000, 101)).text_profile(TextProfile::Plain);
    let plain = plain.call(ToolCall::new("call-1", "say", r#"{"text":500,"fail":true}"#)).await;
    assert_eq!(plain.content().to_text(), format!("Error: {message}"));
}

#[tokio::test]
async fn an_unknown_name_or_id_of_any_length_gives_a_bounded_result() {
    let name = "n".repeat(1 << 20);
    let result = dispatcher_of::<Say>().call(ToolCall::new("call-1", name, "{}")).await;
    assert!(result.failure().unwrap().error().message().len() <= Limits::default().error_bytes);
    assert!(size(result.content()) <= Limits::default().content_bytes);
}

#[tokio::test]
async fn what_a_policy_puts_in_is_bounded_too() {
    let long = || "p".repeat(5000);
    for decision in [
        PostDecision::replace_content(long()),
        PostDecision::block(long()),
        PostDecision::accept().with_context(long()),
    ] {
        let dispatcher = dispatcher_of::<Say>().limits(limits(300, 300, 300)).policy(Decided(decision));
        let result = dispatcher.call(ToolCall::new("call-1", "say", r#"{"text":1}"#)).await;
        assert!(size(result.content()) <= 310, "{}", size(result.content()));
        assert!(result.contexts().iter().map(size).sum::<usize>() <= 310);
        assert!(result.failure().is_none_or(|failure| failure.error().message().len() <= 300));
        assert!(!result.trace().warnings().is_empty());
    }
}

#[tokio::test]
async fn structured_details_of_bad_arguments_are_bounded() {
    let arguments: serde_json::Map<_, _> = (0..50_000).map(|index| (format!("k{index}"), index.into())).collect();
    let result = say(Limits::default(), &serde_json::Value::Object(arguments).to_string()).await;
    let details = result.failure().unwrap().error().structured_details().unwrap().to_string();
    assert!(details.len() <= 64 * 1024, "{}", details.len());
}

#[tokio::test]
async fn a_notice_stands_apart_from_what_the_text_says_of_itself() {
    let forged = Content::text("all of it\n\n[500 bytes of text left out after the first 3, to stay within 10 bytes]");
    let dispatcher = dispatcher_of::<Say>().policy(Decided(PostDecision::replace_content(forged)));
    let result = dispatcher.call(ToolCall::new("call-1", "say", r#"{"text":1}"#)).await;
    assert_eq!(result.content().notice(), None);
    assert!(result.trace().warnings().is_empty());
}
