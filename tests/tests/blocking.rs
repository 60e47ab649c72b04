//! Work that blocks a thread: it stalls nobody, and is told to stop.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use tests::{code, quiet_panics};
use tokio::sync::Semaphore;
use tool_runtime::prelude::*;
use tool_runtime::{Effects, Retry};

/// The most that a test waits for what never comes if it fails; nothing is measured by it.
const LONG: Duration = Duration::from_mins(1);

/// What the work of this file shares with the tests.
struct Gate {
    entered: Semaphore,
    /// What was sent opens it for one.
    opened: Mutex<mpsc::Receiver<()>>,
    /// What the work that could go on saw of its cancellation.
    saw: mpsc::Sender<bool>,
}

struct Scene {
    gate: Arc<Gate>,
    open: mpsc::Sender<()>,
    saw: mpsc::Receiver<bool>,
    dispatcher: Dispatcher,
}

/// Keep a thread busy until the test opens the gate.
#[derive(Tool)]
#[tool(output = String, render = display, parallel)]
struct Block {}

impl Execute<Arc<Gate>> for Block {
    async fn execute(&self, cx: &Context<Arc<Gate>>) -> Result<String, ToolError> {
        cx.blocking(|cx| {
            let gate = cx.state();
            gate.entered.add_permits(1);
            let opened = gate.opened.lock().unwrap().recv_timeout(LONG);
            let _ = gate.saw.send(cx.is_cancelled());
            opened?;
            cx.add_context("left by the work");
            Ok(format!("{} by {}", cx.call_id(), cx.tool_name()))
        })
        .await
    }
}

/// The same, within ten seconds.
#[derive(Tool)]
#[tool(output = String, render = display, timeout = "10s")]
struct BlockShortly {}

impl Execute<Arc<Gate>> for BlockShortly {
    async fn execute(&self, cx: &Context<Arc<Gate>>) -> Result<String, ToolError> {
        Block {}.execute(cx).await
    }
}

/// End at once.
#[derive(Tool)]
#[tool(output = String, render = display, parallel)]
struct Quick {}

impl Execute<Arc<Gate>> for Quick {
    async fn execute(&self, _: &Context<Arc<Gate>>) -> Result<String, ToolError> {
        tokio::task::yield_now().await;
        Ok("quick".into())
    }
}

/// Work until it is told to stop.
#[derive(Tool)]
#[tool(output = String, render = display, timeout = "10s")]
struct Obey {}

impl Execute<Arc<Gate>> for Obey {
    async fn execute(&self, cx: &Context<Arc<Gate>>) -> Result<String, ToolError> {
        cx.blocking(|cx| {
            cx.state().entered.add_permits(1);
            while !cx.is_cancelled() {
                std::thread::yield_now();
            }
            Err(ToolError::aborted())
        })
        .await
    }
}

fn scene() -> Scene {
    let ((open, opened), (saw, seen)) = (mpsc::channel(), mpsc::channel());
    let gate = Arc::new(Gate { entered: Semaphore::new(0), opened: Mutex::new(opened), saw });
    let registry = toolset! { Arc::clone(&gate) => [Block, BlockShortly, Quick, Obey] }.unwrap();
    let mut limits = Limits::default();
    limits.grace = Duration::from_secs(2);
    Scene { gate, open, saw: seen, dispatcher: Dispatcher::new(registry).limits(limits) }
}

impl Scene {
    async fn entered(&self, how_many: u32) {
        self.gate.entered.acquire_many(how_many).await.unwrap().forget();
    }

    async fn call(&self, tool: &str, options: CallOptions) -> ToolResult {
        self.dispatcher.call_with(ToolCall::new("call-1", tool, "{}"), options).await
    }

    /// Lets the work that is left behind end, and tells whether it knew that it should.
    fn saw(&self) -> bool {
        self.open.send(()).unwrap();
        self.saw.recv_timeout(LONG).expect("the work goes on")
    }
}

/// Lets so much time pass, and a little more. While work blocks, this clock moves only by hand.
async fn pass(seconds: u64) {
    tokio::task::yield_now().await;
    tokio::time::advance(Duration::from_secs(seconds) + Duration::from_millis(100)).await;
    tokio::task::yield_now().await;
}

fn effects(result: &ToolResult) -> Effects {
    result.failure().unwrap().error().known_effects()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_block_stall_no_other_on_as_many_threads() {
    let scene = scene();
    let spawn = |tool: &'static str| {
        let dispatcher = scene.dispatcher.clone();
        tokio::spawn(async move { dispatcher.call(ToolCall::new("call-1", tool, "{}")).await })
    };
    let blocked = [spawn("block"), spawn("block")];
    scene.entered(2).await;
    let quick = tokio::time::timeout(LONG, spawn("quick")).await.unwrap().unwrap();
    assert_eq!(code(&quick), "OK");
    assert!(blocked.iter().all(|call| !call.is_finished()));
    scene.open.send(()).unwrap();
    scene.open.send(()).unwrap();
    for call in blocked {
        let result = tokio::time::timeout(LONG, call).await.unwrap().unwrap();
        assert_eq!(result.content().to_text(), "call-1 by block");
        assert_eq!(result.contexts(), [Content::text("left by the work")]);
    }
}

#[tokio::test]
async fn in_a_batch_of_one_thread_the_calls_overlap() {
    let scene = scene();
    let calls = ["block", "quick", "block"].map(|tool| ToolCall::new(tool, tool, "{}"));
    let both_entered = async {
        scene.entered(2).await;
        scene.open.send(()).unwrap();
        scene.open.send(()).unwrap();
    };
    let (results, ()) = tokio::join!(scene.dispatcher.run(calls.into()), both_entered);
    assert_eq!(results.iter().map(code).collect::<Vec<_>>(), ["OK"; 3]);
}

#[tokio::test(start_paused = true)]
async fn work_that_obeys_the_caller_ends_the_call() {
    let scene = scene();
    let options = CallOptions::default();
    let cancel = async {
        scene.entered(1).await;
        options.cancellation.cancel();
    };
    let (result, ()) = tokio::join!(scene.call("obey", options.clone()), cancel);
    assert_eq!(code(&result), "ABORTED");
}

#[tokio::test(start_paused = true)]
async fn work_that_obeys_the_time_limit_ends_the_call() {
    let scene = scene();
    let wait = async {
        scene.entered(1).await;
        pass(10).await;
    };
    let (result, ()) = tokio::join!(scene.call("obey", CallOptions::default()), wait);
    assert_eq!(code(&result), "TIMEOUT");
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_work_ignores_the_caller_ends_after_the_grace_and_the_work_by_itself() {
    let scene = scene();
    let options = CallOptions::default();
    let cancel = async {
        scene.entered(1).await;
        options.cancellation.cancel();
        pass(2).await;
    };
    let (result, ()) = tokio::join!(scene.call("block", options.clone()), cancel);
    assert_eq!((code(&result), effects(&result)), ("ABORTED", Effects::Possible));
    assert!(scene.saw());
    assert!(result.contexts().is_empty(), "what it leaves now is gone");
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_work_ignores_the_time_limit_ends_after_the_grace() {
    let scene = scene();
    let wait = async {
        scene.entered(1).await;
        pass(10).await;
        pass(2).await;
    };
    let (result, ()) = tokio::join!(scene.call("block_shortly", CallOptions::default()), wait);
    assert_eq!((code(&result), effects(&result)), ("TIMEOUT", Effects::Possible));
    assert!(scene.saw());
}

#[tokio::test]
async fn work_that_nobody_waits_for_any_more_is_told() {
    let scene = scene();
    let call = scene.call("block", CallOptions::default());
    tokio::select! {
        result = call => panic!("{result:?}"),
        () = scene.entered(1) => {}
    }
    assert!(scene.saw());
}

#[test]
fn work_that_has_not_begun_when_nobody_waits_for_it_never_does() {
    let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
    let scene = scene();
    runtime.block_on(async {
        let (first, second) =
            (scene.call("block", CallOptions::default()), scene.call("block", CallOptions::default()));
        let mut first = pin!(first);
        tokio::select! {
            _ = &mut first => panic!("the gate is closed"),
            () = scene.entered(1) => {}
        }
        {
            let mut second = pin!(second);
            let mut cx = TaskContext::from_waker(Waker::noop());
            assert!(second.as_mut().poll(&mut cx).is_pending(), "its work is in line behind the first's");
        }
        assert!(!scene.saw(), "the first is still waited for");
        assert_eq!(code(&first.await), "OK");
    });
    drop(runtime);
    assert_eq!(scene.gate.entered.available_permits(), 0, "the second was never entered");
}

/// Break.
#[derive(Tool)]
#[tool(output = u8, render = display)]
struct Break {
    panic: bool,
}

impl Execute for Break {
    async fn execute(&self, cx: &Context) -> Result<u8, ToolError> {
        let panic = self.panic;
        cx.blocking(move |_| {
            assert!(!panic, "on purpose");
            Ok("x".parse()?)
        })
        .await
    }
}

#[tokio::test]
async fn a_panic_in_the_work_is_the_call_s_and_so_is_an_error() {
    quiet_panics();
    let result = tests::call::<Break>(r#"{"panic":true}"#).await;
    assert_eq!(code(&result), "PANICKED");
    let message = result.failure().unwrap().error().message();
    assert!(message.starts_with(r#"tool "break" panicked: on purpose"#), "{message}");

    let result = tests::call::<Break>(r#"{"panic":false}"#).await;
    assert_eq!(code(&result), "EXECUTION_ERROR");
    assert_eq!(result.failure().unwrap().error().message(), "invalid digit found in string");
}

#[test]
fn without_a_runtime_the_error_says_so() {
    let call = tests::call::<Break>(r#"{"panic":false}"#);
    let Poll::Ready(result) = pin!(call).poll(&mut TaskContext::from_waker(Waker::noop())) else {
        panic!("there is nothing to wait for");
    };
    let error = result.failure().unwrap().error();
    assert_eq!((error.code(), error.retry_advice()), (&Code::EXECUTION_ERROR, Retry::Never));
    assert_eq!(
        error.message(),
        "this tool blocks a thread, and needs a tokio runtime for that; the host called it outside of one"
    );
}
