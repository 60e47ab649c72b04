//! The test kit finds projections that are no functions of arguments and value.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use tests::quiet_panics;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, GenericCall, GenericResult, ResultView};
use tool_runtime::testing::assert_pure_projections;

/// Where the text comes from that should come from the value alone.
#[derive(Clone, Copy)]
enum Origin {
    Value,
    HashOrder,
    Clock,
    Counter,
    Thread,
    Panic,
}

/// Count words.
#[derive(Tool)]
#[tool(output = Counts, present)]
struct CountWords {
    #[serde(skip, default = "value")]
    content: Origin,
    #[serde(skip, default = "value")]
    meta: Origin,
}

fn value() -> Origin {
    Origin::Value
}

#[tool_output]
struct Counts {
    words: HashMap<String, u32>,
}

static COUNTER: AtomicUsize = AtomicUsize::new(0);

impl Origin {
    fn text(self, counts: &Counts) -> String {
        match self {
            Origin::Value => format!("{:?}", counts.words.iter().collect::<BTreeMap<_, _>>()),
            Origin::HashOrder => format!("{:?}", counts.words.keys().collect::<Vec<_>>()),
            Origin::Clock => format!("{:?}", SystemTime::now()),
            Origin::Counter => COUNTER.fetch_add(1, Ordering::SeqCst).to_string(),
            Origin::Thread => format!("{:?}", std::thread::current().id()),
            Origin::Panic => panic!("on purpose"),
        }
    }
}

impl Execute for CountWords {
    async fn execute(&self, _: &Context) -> Result<Counts, ToolError> {
        Ok(counts())
    }
}

impl Render for CountWords {
    fn render(&self, counts: &Counts) -> Content {
        Content::text(self.content.text(counts))
    }
}

impl Present for CountWords {
    type Meta = String;

    fn meta(&self, counts: &Counts) -> String {
        self.meta.text(counts)
    }
}

fn counts() -> Counts {
    Counts { words: (0..20).map(|index| (format!("word{index}"), index)).collect() }
}

fn found(content: Origin, meta: Origin) -> Option<String> {
    quiet_panics();
    let check = AssertUnwindSafe(|| assert_pure_projections(&CountWords { content, meta }, [counts()]));
    let panic = catch_unwind(check).err()?;
    Some(panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "on purpose".to_owned()))
}

#[test]
fn projections_of_the_value_alone_pass() {
    assert_eq!(found(Origin::Value, Origin::Value), None);
}

#[test]
fn projections_of_anything_else_are_told() {
    for impure in [Origin::HashOrder, Origin::Clock, Origin::Counter, Origin::Thread] {
        for (content, meta) in [(impure, Origin::Value), (Origin::Value, impure)] {
            let told = found(content, meta).expect("it is found");
            assert!(told.contains("CountWords") && told.contains("sample 0") && told.contains(", and then "), "{told}");
        }
    }
    assert!(found(Origin::Panic, Origin::Value).is_some());
}

/// Draw a card that is another each time.
#[derive(Tool)]
#[tool(output = Counts, render = json, present)]
struct Restless {
    of_the_call: bool,
}

impl Execute for Restless {
    async fn execute(&self, _: &Context) -> Result<Counts, ToolError> {
        Ok(counts())
    }
}

impl Present for Restless {
    type Meta = usize;

    fn meta(&self, counts: &Counts) -> usize {
        counts.words.len()
    }

    fn call_view(&self) -> Option<CallView> {
        self.of_the_call.then(|| GenericCall::new(Origin::Counter.text(&counts())).into())
    }

    fn result_view(&self, _: &Durable<'_, usize>) -> Option<ResultView> {
        (!self.of_the_call).then(|| GenericResult::new().with_title(Origin::Counter.text(&counts())).into())
    }
}

#[test]
fn cards_of_anything_else_are_told() {
    quiet_panics();
    for of_the_call in [true, false] {
        let check = AssertUnwindSafe(|| assert_pure_projections(&Restless { of_the_call }, [counts()]));
        let panic = catch_unwind(check).expect_err("it is found");
        let told = panic.downcast_ref::<String>().expect("a sentence");
        assert!(told.contains("Restless") && told.contains("and the cards"), "{told}");
    }
}
