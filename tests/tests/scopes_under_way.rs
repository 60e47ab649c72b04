//! Changes of scopes and their parents while calls are under way: each call gets one result, and it is that of a tool which
//! was registered at some time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tests::{Seen, add, answer, code, remove, says, visible};
use tokio::sync::Notify;
use tool_runtime::prelude::*;

#[derive(Default)]
struct Gate {
    started: Notify,
    go_on: Notify,
}

/// Wait to be told.
#[derive(Tool)]
#[tool(output = String, render = display, name = "wait")]
struct Wait;

impl Execute<Gate> for Wait {
    async fn execute(&self, cx: &Context<Gate>) -> Result<String, ToolError> {
        cx.state().started.notify_one();
        cx.state().go_on.notified().await;
        Ok("waited".into())
    }
}

#[tokio::test]
async fn a_call_under_way_keeps_the_tool_that_it_was_admitted_with() {
    let gate = Arc::new(Gate::default());
    let root = Dispatcher::new(Registry::new());
    root.change_registry(|own| own.with_shared(Arc::clone(&gate)).tool::<Wait>().map(|_| ())).unwrap();
    let agent = root.scoped();
    let changes: [&dyn Fn(); 3] = [
        &|| assert!(agent.restrict(Restriction::deny(["wait"])).is_ok()),
        &|| add(&agent, "wait", "another").unwrap(),
        &|| assert!(remove(&root, "wait")),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let caller = if index == 0 { agent.clone() } else { root.scoped() };
        let change = async {
            gate.started.notified().await;
            change();
            gate.go_on.notify_one();
        };
        assert_eq!(tokio::join!(answer(&caller, "wait"), change).0, "waited");
    }
    assert_eq!(answer(&root.scoped(), "wait").await, "UNKNOWN_TOOL");
    assert_eq!(answer(&agent, "wait").await, "another");
}

/// Which texts were ever registered, written down before they were.
#[derive(Clone, Default)]
struct Registered(Arc<(AtomicUsize, Mutex<BTreeSet<String>>)>);

impl Registered {
    fn next(&self, level: &str) -> String {
        let text = format!("{level} {}", self.0.0.fetch_add(1, Ordering::Relaxed));
        self.0.1.lock().unwrap().insert(text.clone());
        text
    }

    fn has(&self, text: &str) -> bool {
        self.0.1.lock().unwrap().contains(text)
    }
}

const NAMES: [&str; 3] = ["a", "b", "c"];

fn change_about(level: &Dispatcher, of: &str, registered: &Registered) {
    for round in 0..150 {
        let name = NAMES[round % NAMES.len()];
        match round % 5 {
            0 | 1 => {
                let text = registered.next(of);
                let _ = add(level, name, &text);
            }
            2 => {
                remove(level, name);
            }
            3 => {
                // The one in the place of the other, in one step.
                let text = registered.next(of);
                let swap = level.change_registry(|own| {
                    if let Some(key) = own.key(name) {
                        own.remove(&key);
                    }
                    own.dynamic(says(name, &text)).map(|_| ())
                });
                swap.unwrap();
            }
            _ => {
                if let Ok(key) = level.restrict(Restriction::deny([name])) {
                    assert!(level.lift(&key));
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_call_gets_one_result_of_a_tool_that_was_registered_at_some_time() {
    let (seen, registered) = (Seen::default(), Registered::default());
    let root = Dispatcher::new(Registry::new()).observer(seen.clone());
    let agent = root.scoped();
    let subagent = agent.scoped();
    let levels = [(root.clone(), "root"), (agent.clone(), "agent"), (subagent.clone(), "subagent")];
    let changes: Vec<_> = levels
        .iter()
        .cloned()
        .map(|(level, of)| {
            let registered = registered.clone();
            tokio::task::spawn_blocking(move || change_about(&level, of, &registered))
        })
        .collect();
    let calls: Vec<_> = levels
        .iter()
        .cloned()
        .map(|(level, _)| {
            tokio::spawn(async move {
                let mut answers = Vec::new();
                for round in 0..200 {
                    answers.push(answer(&level, NAMES[round % NAMES.len()]).await);
                    let short_lived = level.scoped();
                    let calls = NAMES.map(|name| ToolCall::without_arguments(name, name)).into();
                    let results = short_lived.run(calls).await;
                    assert_eq!(results.iter().map(ToolResult::call_id).collect::<Vec<_>>(), NAMES);
                    assert!(results.iter().all(|result| ["OK", "UNKNOWN_TOOL"].contains(&code(result))), "{results:?}");
                    assert!(visible(&short_lived).is_sorted());
                    tokio::task::yield_now().await;
                }
                answers
            })
        })
        .collect();
    let mut called = 0;
    for call in calls {
        for answer in call.await.unwrap() {
            assert!(answer == "UNKNOWN_TOOL" || registered.has(&answer), "{answer}");
            called += 1 + NAMES.len();
        }
    }
    for change in changes {
        change.await.unwrap();
    }
    assert_eq!(seen.codes().len(), called, "one result each");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_concurrent_change_is_lost() {
    let root = Dispatcher::new(Registry::new());
    let agent = root.scoped();
    let tasks: Vec<_> = (0..40)
        .map(|index| {
            let level = if index % 2 == 0 { root.clone() } else { agent.clone() };
            tokio::task::spawn_blocking(move || {
                let name = format!("tool_{index}");
                add(&level, &name, "added").unwrap();
                add(&level, &format!("{name}_twice"), "added").unwrap();
                assert!(remove(&level, &name));
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!((visible(&root).len(), visible(&agent).len()), (20, 40));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_change_is_seen_as_a_whole() {
    let dispatcher = Dispatcher::new(Registry::new());
    let pair = |dispatcher: &Dispatcher, there: bool| {
        let change = dispatcher.change_registry(|own| {
            for name in ["one", "two"] {
                match own.key(name) {
                    Some(key) if !there => assert!(own.remove(&key)),
                    _ => own.dynamic(says(name, name)).map(|_| ())?,
                }
            }
            Ok(())
        });
        change.unwrap();
    };
    let changing = dispatcher.clone();
    let changes = tokio::task::spawn_blocking(move || {
        for round in 0..200 {
            pair(&changing, round % 2 == 0);
        }
    });
    let scope = dispatcher.scoped();
    while !changes.is_finished() {
        assert!([0, 2].contains(&scope.registry().len()), "both or neither");
        tokio::task::yield_now().await;
    }
    changes.await.unwrap();
}
