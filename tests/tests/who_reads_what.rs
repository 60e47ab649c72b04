//! Which part of a result reaches whom: the model, a program, a user interface, a policy, an observer.

use std::sync::{Arc, Mutex};

use serde::Serialize;
use serde_json::json;
use tests::{Decided, code, dispatcher_of};
use tool_runtime::prelude::*;
use tool_runtime::seam::Observer;
use tool_runtime::{Limits, Retry};

/// Fetch a page.
#[derive(Tool, Serialize)]
#[tool(output = Page, present)]
struct Fetch {
    url: String,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Page {
    url: String,
    status: u16,
    body: String,
}

/// What a user interface draws from: a token that nobody else may see.
#[tool_output]
struct Widget {
    kind: String,
    row_token: String,
    length: usize,
    ratio: f64,
}

impl Execute for Fetch {
    async fn execute(&self, cx: &Context) -> Result<Page, ToolError> {
        cx.add_context("cached until noon");
        if self.url == "gone" {
            let why = std::io::Error::other("src-789: connection reset");
            let error = ToolError::new(Code::new("GONE"), "the page is gone; try the archive")
                .retry(Retry::Corrected)
                .details(json!({"host": "det-456"}));
            return Err(error.with_source(why));
        }
        Ok(Page { url: self.url.clone(), status: 200, body: "Hello <b>you</b>".into() })
    }
}

impl Render for Fetch {
    fn render(&self, page: &Page) -> Content {
        Content::text(format!("# {}\n\n{}", page.url, page.body.replace("<b>", "**").replace("</b>", "**")))
            .with_notice("fetched just now")
    }
}

impl Present for Fetch {
    type Meta = Widget;

    fn meta(&self, page: &Page) -> Widget {
        let ratio = if page.body.is_empty() { f64::NAN } else { 1.0 };
        let row_token = format!("tok-123-{}", "x".repeat(page.body.len()));
        Widget { kind: "table".into(), row_token, length: page.body.len(), ratio }
    }
}

fn fetch(url: &str) -> ToolCall<'_> {
    ToolCall::new("call-1", "fetch", json!({ "url": url }).to_string())
}

fn page(body: &str) -> serde_json::Value {
    json!({"url": "a", "status": 200, "body": body})
}

/// Everything of a result that is not for a user interface.
fn beside_the_meta(result: &ToolResult) -> String {
    let value = result.success().map(|success| success.value().as_str());
    let error = result.failure().map(Failure::error);
    format!("{:?} {:?} {:?} {value:?} {error:?}", result.content(), result.contexts(), result.trace())
}

#[tokio::test]
async fn value_and_content_each_answer_alone() {
    let result = dispatcher_of::<Fetch>().call(fetch("a")).await;
    let success = result.success().unwrap();
    assert_eq!(success.value().as_str(), r#"{"url":"a","status":200,"body":"Hello <b>you</b>"}"#);
    assert_eq!(result.content().to_text(), "# a\n\nHello **you**\n\n[fetched just now]");
    for half in [success.value().as_str().to_owned(), result.content().to_text()] {
        assert!(half.contains("Hello") && half.contains("you"), "{half}");
    }
}

#[tokio::test]
async fn the_value_stays_whole_and_exact_whatever_becomes_of_the_content() {
    let whole = r#"{"url":"a","status":200,"body":"Hello <b>you</b>"}"#;
    let limits = Limits { content_bytes: 4, ..Limits::default() };
    let cut = dispatcher_of::<Fetch>().limits(limits).call(fetch("a")).await;
    assert!(!cut.content().to_text().contains("Hello"));
    assert_eq!(cut.success().unwrap().value().as_str(), whole);
    let replaced = dispatcher_of::<Fetch>().policy(Decided(PostDecision::replace_content("a summary")));
    let result = replaced.call(fetch("a")).await;
    assert_eq!((result.content().to_text().as_str(), result.success().unwrap().value().as_str()), ("a summary", whole));
    assert_eq!(replaced.invoke(Fetch { url: "a".into() }).await.unwrap().body, "Hello <b>you</b>");
}

#[tokio::test]
async fn meta_is_for_the_user_interface_alone() {
    let result = dispatcher_of::<Fetch>().call(fetch("a")).await;
    assert_eq!(result.meta().unwrap()["row_token"], "tok-123-xxxxxxxxxxxxxxxx");
    assert!(!beside_the_meta(&result).contains("tok-123"), "{}", beside_the_meta(&result));
    let registry = dispatcher_of::<Fetch>().registry();
    let spec = serde_json::to_string(registry.spec("fetch").unwrap()).unwrap();
    assert!(!spec.contains("row_token") && !spec.contains("ratio"), "{spec}");
}

#[tokio::test]
async fn meta_that_is_left_out_or_refused_leaks_into_no_warning_and_no_error() {
    let limits = Limits { meta_bytes: 20, ..Limits::default() };
    let too_large = dispatcher_of::<Fetch>().limits(limits).call(fetch("a")).await;
    assert_eq!(too_large.meta(), None);
    assert_eq!(too_large.trace().warnings().len(), 1);
    let lossy = dispatcher_of::<Fetch>().policy(Decided(PostDecision::replace_value(page("")))).call(fetch("a")).await;
    assert_eq!(code(&lossy), "INVALID_TOOL_OUTPUT");
    assert!(lossy.content().to_text().contains("\"/ratio\" is NaN"), "{}", lossy.content().to_text());
    let failed = dispatcher_of::<Fetch>().call(fetch("gone")).await;
    for result in [too_large, lossy, failed] {
        assert_eq!(result.meta(), None);
        assert!(!format!("{result:?}").contains("tok-123"), "{result:?}");
    }
}

#[tokio::test]
async fn meta_is_made_of_what_the_policies_left() {
    let decided = |decision| async { dispatcher_of::<Fetch>().policy(Decided(decision)).call(fetch("a")).await };
    let replaced = decided(PostDecision::replace_value(page("***"))).await;
    assert_eq!(
        (&replaced.meta().unwrap()["length"], &replaced.meta().unwrap()["row_token"]),
        (&json!(3), &json!("tok-123-xxx"))
    );
    let blocked = decided(PostDecision::block("not for you")).await;
    assert_eq!(blocked.meta(), None);
    assert!(!format!("{blocked:?}").contains("tok-123"), "{blocked:?}");
    // What the model reads and what the interface draws from are replaced apart.
    let content = decided(PostDecision::replace_content("tok-less")).await;
    assert_eq!(content.meta().unwrap()["length"], 16);
}

#[tokio::test]
async fn of_an_error_the_model_reads_the_sentence_and_the_host_the_rest() {
    let result = dispatcher_of::<Fetch>().call(fetch("gone")).await;
    let told = result.content().to_text();
    assert_eq!(told, "Error [GONE]: the page is gone; try the archive");
    let error = result.failure().unwrap().error();
    assert_eq!(error.structured_details(), Some(&json!({"host": "det-456"})));
    assert_eq!(error.retry_advice(), Retry::Corrected);
    assert!(error.source().unwrap().to_string().contains("src-789"));
    assert!(result.success().is_none());
    for context in result.contexts() {
        assert!(!context.to_text().contains("det-456") && !context.to_text().contains("src-789"));
    }
}

#[tokio::test]
async fn contexts_stand_beside_the_content_and_never_in_it() {
    let result = dispatcher_of::<Fetch>()
        .policy(Decided(PostDecision::accept().with_context("by a policy")))
        .call(fetch("a"))
        .await;
    let contexts: Vec<_> = result.contexts().iter().map(Content::to_text).collect();
    assert_eq!(contexts, ["cached until noon", "by a policy"]);
    assert!(!result.content().to_text().contains("cached") && !result.content().to_text().contains("by a policy"));
}

/// Keeps what it sees of a result.
#[derive(Clone, Default)]
struct Sees(Arc<Mutex<Vec<String>>>);

impl Sees {
    fn note(&self, by: &str, success: &Success) {
        let meta = success.meta().map(|meta| meta["length"].to_string()).unwrap_or_default();
        let arguments = success.content().to_text();
        self.0.lock().unwrap().push(format!("{by}: {} {meta} {}", success.value(), arguments.lines().next().unwrap()));
    }
}

impl PostPolicy for Sees {
    fn name(&self) -> &'static str {
        "sees"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
        self.note("policy", success);
        Ok(PostDecision::accept())
    }
}

impl Observer for Sees {
    fn name(&self) -> &'static str {
        "sees"
    }

    fn on_result(&self, result: &ToolResult) {
        if let Some(success) = result.success() {
            self.note("observer", success);
        }
    }
}

#[tokio::test]
async fn policies_and_observers_see_every_part_as_the_earlier_policies_left_it() {
    let sees = Sees::default();
    let dispatcher = dispatcher_of::<Fetch>()
        .policy(sees.clone())
        .policy(Decided(PostDecision::replace_value(page("***"))))
        .policy(sees.clone())
        .observer(sees.clone());
    let result = dispatcher.call(fetch("a")).await;
    assert!(result.is_success());
    let after = r#"{"url":"a","status":200,"body":"***"} 3 # a"#;
    assert_eq!(
        *sees.0.lock().unwrap(),
        [
            r#"policy: {"url":"a","status":200,"body":"Hello <b>you</b>"} 16 # a"#.to_owned(),
            format!("policy: {after}"),
            format!("observer: {after}"),
        ]
    );
}
