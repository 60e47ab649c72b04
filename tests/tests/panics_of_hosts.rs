//! Panics of a host's code: a policy that panics never means yes, and neither it nor an observer takes a result away.

use tests::{Seen, code, dispatcher_of, quiet_panics};
use tool_runtime::prelude::*;
use tool_runtime::seam::Observer;

/// Work, or fail.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Work {
    fail: bool,
}

impl Execute for Work {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        if self.fail { Err(ToolError::msg("it failed")) } else { Ok("done".into()) }
    }
}

fn call(fail: bool) -> ToolCall<'static> {
    ToolCall::new("call-1", "work", format!("{{\"fail\":{fail}}}"))
}

/// A policy that panics where it is told to.
#[derive(Clone, Copy, PartialEq)]
enum Judge {
    BeforeFuture,
    AfterAwait,
    Errs,
    DropOfFuture,
    DropOfErrorSource,
    Name,
}

/// A future that is ready at once, and panics when it is dropped.
struct Ready<T>(Option<T>);

impl<T: Unpin> Future for Ready<T> {
    type Output = T;

    fn poll(mut self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<T> {
        std::task::Poll::Ready(self.0.take().expect("it is polled once"))
    }
}

impl<T> Drop for Ready<T> {
    fn drop(&mut self) {
        panic!("future dropped on purpose");
    }
}

#[derive(Debug)]
struct Explosive;

impl std::fmt::Display for Explosive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("explosive")
    }
}

impl std::error::Error for Explosive {}

impl Drop for Explosive {
    fn drop(&mut self) {
        panic!("error dropped on purpose");
    }
}

impl Judge {
    fn judge<T: Send + Unpin + 'static>(
        self,
        accept: T,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send>> {
        assert!(self != Self::BeforeFuture, "judged on purpose");
        match self {
            Self::DropOfFuture => Box::pin(Ready(Some(Ok(accept)))),
            Self::DropOfErrorSource => Box::pin(async { Err(Explosive.into()) }),
            Self::Errs => Box::pin(async { Err(ToolError::msg("a secret")) }),
            _ => Box::pin(async move {
                tokio::task::yield_now().await;
                assert!(self != Self::AfterAwait, "judged on purpose");
                Ok(accept)
            }),
        }
    }
}

impl PostPolicy for Judge {
    fn name(&self) -> &'static str {
        assert!(*self != Self::Name, "named on purpose");
        "judge"
    }

    fn on_success(
        &self,
        _: &PolicyCall<'_>,
        _: &Success,
    ) -> impl Future<Output = Result<PostDecision, ToolError>> + Send {
        self.judge(PostDecision::accept())
    }

    fn on_failure(
        &self,
        _: &PolicyCall<'_>,
        _: &Failure,
    ) -> impl Future<Output = Result<FailureDecision, ToolError>> + Send {
        self.judge(FailureDecision::accept())
    }
}

#[tokio::test]
async fn a_policy_that_panics_never_means_yes_and_never_means_no_result() {
    quiet_panics();
    for judge in [
        Judge::BeforeFuture,
        Judge::AfterAwait,
        Judge::Errs,
        Judge::DropOfErrorSource,
        Judge::DropOfFuture,
        Judge::Name,
    ] {
        for fail in [false, true] {
            let seen = Seen::default();
            let dispatcher = dispatcher_of::<Work>().observer(seen.clone()).policy(judge);
            let result = dispatcher.call(call(fail)).await;
            assert_eq!(seen.codes(), [code(&result)]);
            if matches!(judge, Judge::BeforeFuture | Judge::AfterAwait | Judge::Errs | Judge::DropOfErrorSource) {
                assert_eq!(code(&result), "POLICY_FAILED");
                assert!(
                    result.content().to_text().contains("\"judge\"") && !result.content().to_text().contains("secret"),
                    "{}",
                    result.content().to_text()
                );
            }
        }
    }
}

/// An observer that panics, each time.
struct Blind;

impl Observer for Blind {
    fn name(&self) -> &'static str {
        "blind"
    }

    fn on_result(&self, _: &ToolResult) {
        panic!("observed on purpose");
    }
}

#[tokio::test]
async fn an_observer_that_panics_changes_nothing_and_the_others_still_see() {
    quiet_panics();
    let (before, after) = (Seen::default(), Seen::default());
    let dispatcher = dispatcher_of::<Work>().observer(before.clone()).observer(Blind).observer(after.clone());
    for (fail, expected) in [(false, "OK"), (true, "EXECUTION_ERROR")] {
        assert_eq!(code(&dispatcher.call(call(fail)).await), expected);
    }
    assert_eq!(
        (before.codes(), after.codes()),
        (vec!["OK".into(), "EXECUTION_ERROR".into()], vec!["OK".into(), "EXECUTION_ERROR".into()])
    );
}
