//! A call whose every stage follows a script.

use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use tests::Seen;
use tokio::time::{Instant, advance, sleep};
use tool_runtime::layer::{BoxError, ToolRequest, ToolResponse, ToolService};
use tool_runtime::prelude::*;
use tool_runtime::serde_json::json;
use tower::{Layer, Service};

/// The time of a call that has a deadline, and of a tool that has a time limit.
const TIME: Duration = Duration::from_secs(10);

/// What happens in a stage before it answers.
#[derive(Clone, Copy)]
pub(super) enum Event {
    /// The caller cancels.
    Cancels,
    /// More time passes than the call has, without an await.
    TimePasses,
    /// It waits for so many milliseconds.
    Sleeps(u64),
    /// It waits until it is told to stop.
    IsStopped,
    /// It waits for ever.
    Hangs,
}

#[derive(Clone, Copy)]
pub(super) enum Answer {
    /// Allowed, granted, accepted; the body's value.
    Yes,
    /// Denied, rejected, blocked.
    No,
    /// It fails.
    Fails,
    /// The body fails, and says that nothing was changed.
    FailsUnchanged,
    /// The body says that it was aborted.
    SaysAborted,
    Panics,
    /// A policy wants a person to decide.
    Asks,
    /// The approver's prompt was closed.
    Closed,
    /// A value that the schema refuses.
    Invalid,
    /// A value that can't be rendered.
    Unrenderable,
    /// The layer gives a value of its own.
    Given,
    /// The layer enters the body, and drops it.
    Drops,
}

#[derive(Clone, Copy)]
pub(super) struct Script(pub(super) &'static [Event], pub(super) Answer);

const YES: Script = Script(&[], Answer::Yes);

#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) tool: &'static str,
    pub(super) arguments: &'static str,
    /// Cancelled before the call.
    pub(super) cancelled: bool,
    /// Its deadline: in a while, or past.
    pub(super) deadline: Option<Duration>,
    pub(super) has_time_limit: bool,
    pub(super) policy: Script,
    pub(super) approver: Script,
    pub(super) guard: Script,
    /// Whether there is a layer, and what it does.
    pub(super) layer: Option<Script>,
    pub(super) body: Script,
    pub(super) after: Script,
}

/// Nothing happens.
pub(super) const PLAN: Plan = Plan {
    tool: "act",
    arguments: "{}",
    cancelled: false,
    deadline: None,
    has_time_limit: false,
    policy: YES,
    approver: YES,
    guard: YES,
    layer: None,
    body: YES,
    after: YES,
};

impl Plan {
    pub(super) const fn in_time(mut self) -> Self {
        self.deadline = Some(TIME);
        self
    }

    pub(super) const fn too_late(mut self) -> Self {
        self.deadline = Some(Duration::ZERO);
        self
    }

    pub(super) const fn limited(mut self) -> Self {
        self.has_time_limit = true;
        self
    }
}

/// The stages' common ground.
#[derive(Clone)]
struct Stages {
    plan: Plan,
    options: CallOptions,
    entered: Arc<AtomicBool>,
    judged: Arc<AtomicBool>,
}

impl Stages {
    async fn play(&self, Script(events, answer): Script, stopped: impl Future<Output = ()>) -> Answer {
        let mut stopped = pin!(stopped);
        for event in events {
            match event {
                Event::Sleeps(millis) => sleep(Duration::from_millis(*millis)).await,
                Event::IsStopped => stopped.as_mut().await,
                Event::Hangs => pending().await,
                Event::Cancels | Event::TimePasses => self.happens(*event),
            }
        }
        answer
    }

    /// What happens without an await.
    fn happens(&self, event: Event) {
        match event {
            Event::Cancels => self.options.cancellation.cancel(),
            Event::TimePasses => {
                let before = Instant::now();
                // The clock is moved when this is polled first.
                let _ = pin!(advance(2 * TIME)).poll(&mut TaskContext::from_waker(Waker::noop()));
                assert_eq!(before.elapsed(), 2 * TIME);
            }
            _ => unreachable!("a guard can't wait"),
        }
    }

    async fn run(&self, cx: Context) -> Result<JsonValue, ToolError> {
        self.entered.store(true, Ordering::SeqCst);
        match self.play(self.plan.body, cx.cancelled()).await {
            Answer::Yes => Ok(json!("done")),
            Answer::Invalid => Ok(json!(1)),
            Answer::Unrenderable => Ok(json!("unrenderable")),
            Answer::FailsUnchanged => Err(ToolError::msg("half done").effects(Effects::None)),
            Answer::SaysAborted => Err(ToolError::aborted()),
            Answer::Panics => panic!("on purpose"),
            _ => Err(ToolError::msg("half done")),
        }
    }

    async fn after(&self) -> Answer {
        self.judged.store(true, Ordering::SeqCst);
        self.play(self.plan.after, pending()).await
    }
}

impl PrePolicy for Stages {
    fn name(&self) -> &'static str {
        "before"
    }

    async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        match self.play(self.plan.policy, pending()).await {
            Answer::Yes => Ok(PreDecision::allow()),
            Answer::No => Ok(PreDecision::deny("no")),
            Answer::Asks => Ok(PreDecision::ask("may it?")),
            _ => Err(ToolError::msg("out of order")),
        }
    }
}

impl Approver for Stages {
    fn name(&self) -> &'static str {
        "approver"
    }

    async fn approve(&self, _: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        match self.play(self.plan.approver, pending()).await {
            Answer::Yes => Ok(Approval::Granted),
            Answer::No => Ok(Approval::Rejected { reason: None }),
            Answer::Closed => Ok(Approval::Cancelled),
            _ => Err(ToolError::msg("out of order")),
        }
    }
}

impl Guard for Stages {
    fn name(&self) -> &'static str {
        "guard"
    }

    fn denies(&self, _: &PolicyCall<'_>) -> Option<String> {
        let Script(events, answer) = self.plan.guard;
        for event in events {
            self.happens(*event);
        }
        match answer {
            Answer::No => Some("no".into()),
            _ => None,
        }
    }
}

impl Layer<ToolService> for Stages {
    type Service = Around;

    fn layer(&self, inner: ToolService) -> Around {
        Around(self.clone(), inner)
    }
}

/// The layer of the script.
struct Around(Stages, ToolService);

impl Service<ToolRequest> for Around {
    type Response = ToolResponse;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<ToolResponse, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut TaskContext<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: ToolRequest) -> Self::Future {
        let (stages, mut inner) = (self.0.clone(), self.1.clone());
        let script = stages.plan.layer.unwrap_or(YES);
        Box::pin(async move {
            match stages.play(script, pending()).await {
                Answer::Yes => inner.call(request).await,
                Answer::Given => Ok(ToolResponse::value(json!("given"))),
                Answer::Drops => {
                    let mut body = inner.call(request);
                    assert!(poll_once(&mut body).await.is_none(), "the body waits");
                    Err("dropped".into())
                }
                _ => Err("out of order".into()),
            }
        })
    }
}

async fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    poll_fn(|cx| match Pin::new(&mut *future).poll(cx) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

impl PostPolicy for Stages {
    fn name(&self) -> &'static str {
        "after"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        match self.after().await {
            Answer::Yes => Ok(PostDecision::accept()),
            Answer::No => Ok(PostDecision::block("withheld")),
            _ => Err(ToolError::msg("out of order")),
        }
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        match self.after().await {
            Answer::Yes => Ok(FailureDecision::accept()),
            Answer::No => Ok(FailureDecision::block("withheld")),
            _ => Err(ToolError::msg("out of order")),
        }
    }
}

pub(super) struct Scene {
    stages: Stages,
    dispatcher: Dispatcher,
    seen: Seen,
}

impl Scene {
    pub(super) fn new(plan: Plan) -> Self {
        Self::of(plan, Behaviour::new())
    }

    pub(super) fn of(plan: Plan, behaviour: Behaviour) -> Self {
        let options = CallOptions {
            deadline: plan.deadline.map(|time| (Instant::now() + time).into_std()),
            ..CallOptions::default()
        };
        if plan.cancelled {
            options.cancellation.cancel();
        }
        let stages = Stages { plan, options, entered: Arc::default(), judged: Arc::default() };
        let body = stages.clone();
        let act = DynamicTool::new("act", "Follow the script.", move |_, cx| {
            let body = body.clone();
            async move { body.run(cx).await }
        })
        .output_schema(json!({"type": "string"}))
        .behaviour(if plan.has_time_limit { behaviour.timeout(TIME) } else { behaviour })
        .render(|_, value| {
            assert_ne!(value, "unrenderable", "on purpose");
            Content::text("done")
        });
        let (mut registry, mut limits, seen) = (Registry::new(), Limits::default(), Seen::default());
        registry.dynamic(act).unwrap();
        limits.grace = Duration::from_secs(2);
        let dispatcher = Dispatcher::new(registry)
            .limits(limits)
            .pre_policy(stages.clone())
            .approver(stages.clone())
            .guard(stages.clone())
            .policy(stages.clone())
            .observer(seen.clone());
        let dispatcher = if plan.layer.is_some() { dispatcher.layer(stages.clone()) } else { dispatcher };
        Self { stages, dispatcher, seen }
    }

    pub(super) async fn call(&self) -> ToolResult {
        let Plan { tool, arguments, .. } = self.stages.plan;
        self.dispatcher.call_with(ToolCall::new("call-1", tool, arguments), self.stages.options.clone()).await
    }

    pub(super) fn was_entered(&self) -> bool {
        self.stages.entered.load(Ordering::SeqCst)
    }

    pub(super) fn was_judged(&self) -> bool {
        self.stages.judged.load(Ordering::SeqCst)
    }

    pub(super) fn seen(&self) -> Vec<String> {
        self.seen.codes()
    }
}
