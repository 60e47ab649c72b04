//! Which calls of one turn overlap.

use crate::fixture::Fixture;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Waker};
use tool_runtime::prelude::*;
use tool_runtime::serde_json::{Value, json};

/// Notes which call it judges. A call is judged once all before it have started.
#[derive(Clone, Default)]
struct Judged(Arc<Mutex<Vec<String>>>);

impl PrePolicy for Judged {
    fn name(&self) -> &'static str {
        "judged"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        self.0.lock().unwrap().push(call.call_id().to_owned());
        Ok(PreDecision::allow())
    }
}

/// Whether the second of two calls starts before the first has ended, on files `a` and `src/b` that were read.
fn overlap(calls: [(&str, Value); 2]) -> bool {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let fixture = Fixture::with(&[("a", "one"), ("src/b", "one")]);
        for path in ["a", "src/b"] {
            assert_eq!(fixture.code("read", json!({"path": path})).await, "ok");
        }
        let judged = Judged::default();
        let dispatcher = fixture.dispatcher.clone().pre_policy(judged.clone());
        let [first, second] = calls.map(|(tool, arguments)| (tool, arguments.to_string()));
        let calls = vec![
            ToolCall::new("first", first.0, first.1),
            ToolCall::new("second", second.0, second.1),
            ToolCall::new("last", "glob", r#"{"pattern":"*"}"#),
        ];
        // Nothing that touches a file ends while the only thread for that has something else to do.
        let (open, opened) = mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || opened.recv());
        let mut batch = pin!(dispatcher.run(calls));
        assert!(batch.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let judged = judged.0.lock().unwrap().len();
        open.send(()).unwrap();
        let results = batch.await;
        busy.await.unwrap().unwrap();
        assert!(results.iter().all(ToolResult::is_success), "{results:?}");
        judged == 3
    })
}

fn edit(path: &str, old: &str, new: &str) -> (&'static str, Value) {
    ("edit", json!({"path": path, "old_string": old, "new_string": new}))
}

#[test]
fn two_edits_of_different_files_overlap_and_two_of_one_file_do_not() {
    assert!(overlap([edit("a", "one", "two"), edit("src/b", "one", "two")]));
    assert!(!overlap([edit("a", "one", "two"), edit("./a", "two", "three")]));
    assert!(!overlap([edit("src/b", "one", "two"), ("write", json!({"path": "src/./b", "content": "x"}))]));
}

#[test]
fn a_search_waits_for_an_edit_of_what_it_searches_and_not_of_another_file() {
    let grep = |path: Option<&str>| ("grep", json!({"pattern": "x", "path": path}));
    assert!(!overlap([edit("src/b", "one", "two"), grep(None)]));
    assert!(!overlap([edit("src/b", "one", "two"), grep(Some("src"))]));
    assert!(overlap([edit("a", "one", "two"), grep(Some("src"))]));
    assert!(overlap([grep(None), ("read", json!({"path": "a"}))]));
    assert!(!overlap([("read", json!({"path": "a"})), edit("a", "one", "two")]));
}
