//! The tools, policies, people and layers that act out a plan, and the log of what they saw.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{self, Poll};
use std::time::Duration;

use tokio::time::sleep;
use tool_runtime::Limits;
use tool_runtime::layer::{BoxError, ToolRequest, ToolResponse, ToolService};
use tool_runtime::prelude::*;
use tool_runtime::seam::Observer;
use tower::{Layer, Service};

use crate::plan::{After, ApprovalPlan, Before, Body, CallPlan, GuardPlan, LayerPlan, Plan};

/// How long what is late takes.
const LATE: Duration = Duration::from_millis(10);

pub(crate) struct Stage {
    plan: Plan,
    pub(crate) cancellation: Cancellation,
    log: Mutex<Log>,
}

#[derive(Default)]
pub(crate) struct Log {
    pub(crate) judged_before: Vec<usize>,
    pub(crate) entered: Vec<usize>,
    pub(crate) judged_after: Vec<usize>,
    pub(crate) observed: Vec<usize>,
    pub(crate) running: usize,
    alone: bool,
    pub(crate) overlapped: bool,
    pub(crate) success_after_abort: bool,
}

impl Stage {
    pub(crate) fn new(plan: Plan) -> Self {
        Self { plan, cancellation: Cancellation::new(), log: Mutex::default() }
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap()
    }

    fn call(&self, id: &str) -> (usize, &CallPlan) {
        let index = id.strip_prefix("call-").and_then(|index| index.parse().ok()).expect("an id of the plan");
        (index, &self.plan.calls[index])
    }
}

/// The same stage, for a trait of the framework that a shared one can't have.
#[derive(Clone)]
struct On(Arc<Stage>);

/// A dispatcher that acts out the plan of a stage.
pub(crate) fn dispatcher(stage: &Arc<Stage>) -> Dispatcher {
    let mut registry = Registry::new();
    registry.with_shared(Arc::clone(stage)).tool::<Parallel>().unwrap().tool::<Alone>().unwrap();
    let on = || On(Arc::clone(stage));
    let mut limits = Limits::default();
    limits.grace = Duration::from_millis(5);
    Dispatcher::new(registry)
        .limits(limits)
        .pre_policy(on())
        .approver(on())
        .guard(on())
        .layer(on())
        .policy(on())
        .observer(on())
}

/// Act out a plan, beside others.
#[derive(Tool)]
#[tool(output = i64, render = display, parallel, timeout = "30ms")]
struct Parallel {
    index: usize,
}

/// Act out a plan alone.
#[derive(Tool)]
#[tool(output = i64, render = display, timeout = "30ms")]
struct Alone {
    index: usize,
}

impl Execute<Stage> for Parallel {
    async fn execute(&self, cx: &Context<Stage>) -> Result<i64, ToolError> {
        act(self.index, false, cx).await
    }
}

impl Execute<Stage> for Alone {
    async fn execute(&self, cx: &Context<Stage>) -> Result<i64, ToolError> {
        act(self.index, true, cx).await
    }
}

/// A body that runs, until this is dropped.
struct Running<'a>(&'a Stage, bool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut log = self.0.log();
        log.running -= 1;
        log.alone &= !self.1;
    }
}

async fn act(index: usize, alone: bool, cx: &Context<Stage>) -> Result<i64, ToolError> {
    const OWN: Code = Code::new("OWN");
    let stage = cx.state();
    {
        let mut log = stage.log();
        log.entered.push(index);
        log.overlapped |= log.alone || (alone && log.running > 0);
        log.running += 1;
        log.alone |= alone;
    }
    let _running = Running(stage, alone);
    let body = stage.plan.calls[index].body;
    match body {
        Body::Return | Body::Fail => {}
        Body::ReturnLate | Body::FailLate => sleep(LATE).await,
        Body::Panic => panic!("on purpose"),
        Body::Obey => {
            cx.cancelled().await;
            return Err(ToolError::aborted());
        }
        Body::Ignore => std::future::pending().await,
    }
    if matches!(body, Body::Fail | Body::FailLate) { Err(ToolError::new(OWN, "no")) } else { Ok(1) }
}

impl PrePolicy for On {
    fn name(&self) -> &'static str {
        "before"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let (index, plan) = self.0.call(call.call_id());
        self.0.log().judged_before.push(index);
        Ok(match plan.before {
            Before::Allow => PreDecision::Allow,
            Before::AllowLate => {
                sleep(LATE).await;
                PreDecision::Allow
            }
            Before::Deny => PreDecision::Deny { reason: "no".into() },
            Before::Ask => PreDecision::Ask { reason: None },
            Before::Cancel => PreDecision::Cancel,
            Before::Rewrite => PreDecision::Rewrite { arguments: serde_json::json!({ "index": index }) },
            Before::RewriteBadly => PreDecision::Rewrite { arguments: serde_json::json!({ "index": "none" }) },
            Before::Fail => return Err(ToolError::msg("no")),
            Before::Panic => panic!("on purpose"),
        })
    }
}

impl Approver for On {
    fn name(&self) -> &'static str {
        "person"
    }

    async fn approve(&self, request: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        Ok(match self.0.call(request.call_id()).1.approval {
            ApprovalPlan::Grant => Approval::Granted,
            ApprovalPlan::GrantLate => {
                sleep(LATE).await;
                Approval::Granted
            }
            ApprovalPlan::Reject => Approval::Rejected { reason: None },
            ApprovalPlan::Cancelled => Approval::Cancelled,
            ApprovalPlan::Unavailable => Approval::Unavailable,
            ApprovalPlan::Fail => return Err(ToolError::msg("no")),
            ApprovalPlan::Panic => panic!("on purpose"),
        })
    }
}

impl Guard for On {
    fn name(&self) -> &'static str {
        "guard"
    }

    fn denies(&self, call: &PolicyCall<'_>) -> Option<String> {
        match self.0.call(call.call_id()).1.guard {
            GuardPlan::Abstain => None,
            GuardPlan::Deny => Some("no".into()),
            GuardPlan::Panic => panic!("on purpose"),
        }
    }
}

impl Layer<ToolService> for On {
    type Service = Around;

    fn layer(&self, inner: ToolService) -> Around {
        Around(Arc::clone(&self.0), inner)
    }
}

struct Around(Arc<Stage>, ToolService);

impl Service<ToolRequest> for Around {
    type Response = ToolResponse;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<ToolResponse, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: ToolRequest) -> Self::Future {
        let layer = self.0.call(request.call_id()).1.layer;
        let mut inner = self.1.clone();
        Box::pin(async move {
            match layer {
                LayerPlan::Through => inner.call(request).await,
                LayerPlan::Retry => {
                    let response = inner.call(request.clone()).await?;
                    if response.is_success() { Ok(response) } else { inner.call(request).await }
                }
                LayerPlan::OwnValue => Ok(ToolResponse::value(serde_json::json!(2))),
                LayerPlan::OwnBadValue => Ok(ToolResponse::value(serde_json::json!("two"))),
                LayerPlan::Fail => Err("no".into()),
                LayerPlan::Panic => panic!("on purpose"),
                LayerPlan::Drop => {
                    let mut running = inner.call(request);
                    let first = std::future::poll_fn(|cx| match Pin::new(&mut running).poll(cx) {
                        Poll::Ready(response) => Poll::Ready(Some(response)),
                        Poll::Pending => Poll::Ready(None),
                    });
                    first.await.unwrap_or_else(|| Err("dropped".into()))
                }
            }
        })
    }
}

impl PostPolicy for On {
    fn name(&self) -> &'static str {
        "after"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(match self.after(call.call_id()).await? {
            After::ReplaceContent => PostDecision::replace_content("other words"),
            After::ReplaceValue => PostDecision::replace_value(serde_json::json!(3)),
            After::ReplaceValueBadly => PostDecision::replace_value(serde_json::json!("three")),
            After::Block => PostDecision::block("no"),
            _ => PostDecision::accept(),
        })
    }

    async fn on_failure(&self, call: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        Ok(match self.after(call.call_id()).await? {
            After::ReplaceContent => FailureDecision::replace_content("other words"),
            After::Block => FailureDecision::block("no"),
            _ => FailureDecision::accept(),
        })
    }
}

impl On {
    async fn after(&self, id: &str) -> Result<After, ToolError> {
        let (index, plan) = self.0.call(id);
        self.0.log().judged_after.push(index);
        match plan.after {
            After::AcceptLate => sleep(LATE).await,
            After::Fail => return Err(ToolError::msg("no")),
            After::Panic => panic!("on purpose"),
            _ => {}
        }
        Ok(plan.after)
    }
}

impl Observer for On {
    fn name(&self) -> &'static str {
        "observer"
    }

    fn on_result(&self, result: &ToolResult) {
        let index = self.0.call(result.call_id()).0;
        let mut log = self.0.log();
        log.observed.push(index);
        log.success_after_abort |= result.is_success() && self.0.cancellation.is_cancelled();
    }
}
