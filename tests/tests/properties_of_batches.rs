//! Laws of batches, over random calls, times, policies and cancellations.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use tests::{Seen, code, quiet_panics};
use tokio::time::{Instant, sleep};
use tool_runtime::prelude::*;
use tool_runtime::seam::Observer;
use tool_runtime::serde_json;

/// How a call goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Ends,
    Fails,
    Panics,
    IgnoresCancelling,
    Denied,
    WrongArguments,
    Unknown,
}

/// What a call allows beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Beside,
    Alone,
    /// What it does not conflict with: the keys, and whether it writes them.
    Touching(Vec<(&'static str, bool)>),
    /// It cannot say what it touches, so it runs alone; which is known only when it has been judged.
    Confused,
}

impl Kind {
    fn is_alone(&self) -> bool {
        matches!(self, Self::Alone | Self::Confused)
    }

    fn conflicts_with(&self, other: &Self) -> bool {
        let (Self::Touching(ours), Self::Touching(theirs)) = (self, other) else { return false };
        let above = |key: &str, other: &str| key == other || other.starts_with(&format!("{key}/"));
        ours.iter().any(|(our, we_write)| {
            let touches = |their: &str| above(our, their) || above(their, our);
            theirs.iter().any(|(their, they_write)| (*we_write || *they_write) && touches(their))
        })
    }
}

#[derive(Clone, Debug)]
struct Planned {
    way: Way,
    kind: Kind,
    millis: u64,
}

/// Work beside others.
#[derive(Tool)]
#[tool(output = String, render = display, parallel)]
struct Beside {
    index: usize,
}

/// Work alone.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Alone {
    index: usize,
}

/// Work beside those that touch something else.
#[derive(Tool)]
#[tool(output = String, render = display, resources)]
struct Touching {
    index: usize,
    touches: Vec<Touched>,
}

#[tool_input]
struct Touched {
    key: String,
    writes: bool,
}

impl Resources for Touching {
    fn resources(&self) -> Vec<Access> {
        assert!(!self.touches.iter().any(|touched| touched.key == "panic"), "on purpose");
        let access = |touched: &Touched| {
            let key = touched.key.as_str();
            if touched.writes { Access::write(key) } else { Access::read(key) }
        };
        self.touches.iter().map(access).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// After so many milliseconds.
    Entered(u64),
    Left,
    Result,
}

/// What the calls do, and what happened, in order.
#[derive(Clone)]
struct Plan {
    calls: Arc<Vec<Planned>>,
    start: Instant,
    events: Arc<Mutex<Vec<(usize, Event)>>>,
}

/// Notes that a body is left, however it is.
struct Entered<'a>(&'a Plan, usize);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.note(self.1, Event::Left);
    }
}

impl Plan {
    fn note(&self, index: usize, event: Event) {
        self.events.lock().unwrap().push((index, event));
    }

    async fn run(&self, cx: &Context<Self>, index: usize) -> Result<String, ToolError> {
        self.note(index, Event::Entered(self.start.elapsed().as_millis().try_into().unwrap()));
        let _entered = Entered(self, index);
        let &Planned { way, millis, .. } = &self.calls[index];
        let work = sleep(Duration::from_millis(millis));
        if way == Way::IgnoresCancelling {
            work.await;
        } else {
            tokio::select! {
                () = work => {}
                () = cx.cancelled() => return Err(ToolError::msg("stopped")),
            }
        }
        match way {
            Way::Fails => Err(ToolError::msg("failed")),
            Way::Panics => panic!("on purpose"),
            _ => Ok(index.to_string()),
        }
    }
}

impl Execute<Plan> for Beside {
    async fn execute(&self, cx: &Context<Plan>) -> Result<String, ToolError> {
        cx.state().run(cx, self.index).await
    }
}

impl Execute<Plan> for Alone {
    async fn execute(&self, cx: &Context<Plan>) -> Result<String, ToolError> {
        cx.state().run(cx, self.index).await
    }
}

impl Execute<Plan> for Touching {
    async fn execute(&self, cx: &Context<Plan>) -> Result<String, ToolError> {
        cx.state().run(cx, self.index).await
    }
}

impl Observer for Plan {
    fn name(&self) -> &'static str {
        "plan"
    }

    fn on_result(&self, result: &ToolResult) {
        self.note(result.call_id().parse().expect("ids are places"), Event::Result);
    }
}

struct Denies(Plan);

impl PrePolicy for Denies {
    fn name(&self) -> &'static str {
        "denies"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let index: usize = call.call_id().parse().expect("ids are places");
        let denied = self.0.calls[index].way == Way::Denied;
        Ok(if denied { PreDecision::deny("no") } else { PreDecision::allow() })
    }
}

fn planned() -> impl Strategy<Value = Planned> {
    let way = prop_oneof![
        6 => Just(Way::Ends),
        1 => Just(Way::Fails),
        1 => Just(Way::Panics),
        1 => Just(Way::IgnoresCancelling),
        1 => Just(Way::Denied),
        1 => Just(Way::WrongArguments),
        1 => Just(Way::Unknown),
    ];
    let key = prop::sample::select(vec!["a", "b", "a/c", "a/d", "ab"]);
    let kind = prop_oneof![
        6 => Just(Kind::Beside),
        3 => Just(Kind::Alone),
        8 => prop::collection::vec((key, any::<bool>()), 0..3).prop_map(Kind::Touching),
        1 => Just(Kind::Confused),
    ];
    (way, kind, 0_u64..3000).prop_map(|(way, kind, millis)| Planned { way, kind, millis })
}

fn calls(plan: &[Planned]) -> Vec<ToolCall<'static>> {
    let json_of = |key: &str, writes: bool| serde_json::json!({"key": key, "writes": writes});
    let call = |(index, planned): (usize, &Planned)| {
        let mut arguments = serde_json::json!({"index": index});
        let tool = match &planned.kind {
            Kind::Beside => "beside",
            Kind::Alone => "alone",
            Kind::Touching(touches) => {
                arguments["touches"] = touches.iter().map(|(key, writes)| json_of(key, *writes)).collect();
                "touching"
            }
            Kind::Confused => {
                arguments["touches"] = serde_json::json!([json_of("panic", true)]);
                "touching"
            }
        };
        match planned.way {
            Way::Unknown => ToolCall::new(index.to_string(), "nobody", "{}"),
            Way::WrongArguments => ToolCall::new(index.to_string(), tool, format!("{{\"place\":{index}}}")),
            _ => ToolCall::new(index.to_string(), tool, arguments.to_string()),
        }
    };
    plan.iter().enumerate().map(call).collect()
}

/// What is said of a call that nobody cancelled.
fn expected(way: Way) -> &'static str {
    match way {
        Way::Ends | Way::IgnoresCancelling => "OK",
        Way::Fails => "EXECUTION_ERROR",
        Way::Panics => "PANICKED",
        Way::Denied => "DENIED",
        Way::WrongArguments => "INVALID_ARGS",
        Way::Unknown => "UNKNOWN_TOOL",
    }
}

fn runs(way: Way) -> bool {
    !matches!(way, Way::Denied | Way::WrongArguments | Way::Unknown)
}

/// No more bodies at a time than there may be, none beside one that runs alone or conflicts with it, and all in their order.
fn check_bodies(plan: &[Planned], events: &[(usize, Event)], most: usize) -> Result<(), TestCaseError> {
    let mut running = Vec::new();
    let mut without_result: Vec<usize> = Vec::new();
    let mut last = None;
    for &(index, event) in events {
        match event {
            Event::Left => running.retain(|other| *other != index),
            Event::Result => without_result.retain(|other| *other != index),
            Event::Entered(_) => {
                prop_assert!(runs(plan[index].way), "{index} was not to run");
                prop_assert!(last < Some(index), "{index} started after {last:?}");
                last = Some(index);
                running.push(index);
                prop_assert!(running.len() <= most, "{running:?}");
                let kind = &plan[index].kind;
                for other in without_result.iter().map(|other| &plan[*other].kind) {
                    let apart = kind.is_alone() || other.is_alone() || kind.conflicts_with(other);
                    prop_assert!(!apart, "{index} started before {without_result:?} had their results");
                }
                without_result.push(index);
            }
        }
    }
    prop_assert!(running.is_empty(), "{running:?} still run");
    Ok(())
}

/// When each body is entered, in milliseconds, if nobody cancels: as soon as it may be.
fn expected_starts(plan: &[Planned], most: usize) -> Vec<(usize, u64)> {
    struct Ran {
        index: usize,
        start: u64,
        end: u64,
    }
    let mut ran: Vec<Ran> = Vec::new();
    let mut results: Vec<u64> = Vec::new();
    let mut now = 0;
    for (index, planned) in plan.iter().enumerate() {
        let all_before = results.last().copied().unwrap_or_default();
        let alone_before = ran.iter().filter(|ran| plan[ran.index].kind.is_alone()).map(|ran| results[ran.index]).max();
        now = now.max(alone_before.unwrap_or_default());
        if planned.kind == Kind::Alone && planned.way != Way::Unknown {
            now = now.max(all_before);
        }
        let full = |now: u64| ran.iter().filter(|ran| ran.start <= now && now < ran.end).count() >= most;
        while full(now) {
            now = ran.iter().map(|ran| ran.end).filter(|end| *end > now).min().expect("a body that runs ends");
        }
        let mut end = now;
        if runs(planned.way) {
            if planned.kind == Kind::Confused {
                now = now.max(all_before);
            }
            let conflicting = ran.iter().filter(|ran| planned.kind.conflicts_with(&plan[ran.index].kind));
            now = now.max(conflicting.map(|ran| results[ran.index]).max().unwrap_or_default());
            end = now + planned.millis;
            ran.push(Ran { index, start: now, end });
        }
        results.push(all_before.max(end));
    }
    ran.iter().map(|ran| (ran.index, ran.start)).collect()
}

fn check(plan: &[Planned], most: usize, cancel_after: Option<u64>) -> Result<(), TestCaseError> {
    quiet_panics();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let state = Plan { calls: Arc::new(plan.to_vec()), start: Instant::now(), events: Arc::default() };
        let (seen, mut limits) = (Seen::default(), Limits::default());
        limits.parallel_calls = most;
        let mut registry = Registry::new();
        registry.with(state.clone()).tool::<Beside>().unwrap().tool::<Alone>().unwrap().tool::<Touching>().unwrap();
        let dispatcher = Dispatcher::new(registry)
            .limits(limits)
            .pre_policy(Denies(state.clone()))
            .observer(seen.clone())
            .observer(state.clone());
        let cancellation = Cancellation::new();
        let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
        let cancel = async {
            if let Some(millis) = cancel_after {
                sleep(Duration::from_millis(millis)).await;
                cancellation.cancel();
            }
        };
        let (results, ()) = tokio::join!(dispatcher.batch(calls(plan), options).all(), cancel);

        let ids: Vec<String> = results.iter().map(|result| result.call_id().to_owned()).collect();
        prop_assert_eq!(ids, (0..plan.len()).map(|index| index.to_string()).collect::<Vec<_>>(), "one each, in order");
        let codes: Vec<&str> = results.iter().map(code).collect();
        prop_assert_eq!(&seen.codes(), &codes, "each was published once, in order");
        let events = state.events.lock().unwrap().clone();
        check_bodies(plan, &events, most)?;
        let started = events.iter().filter_map(|(index, event)| match event {
            Event::Entered(millis) => Some((*index, *millis)),
            _ => None,
        });
        let started: Vec<(usize, u64)> = started.collect();
        if cancel_after.is_none() {
            prop_assert_eq!(&started, &expected_starts(plan, most), "each starts as soon as it may");
        }
        for (index, (result, planned)) in results.iter().zip(plan).enumerate() {
            let entered = started.iter().any(|(started, _)| *started == index);
            let code = code(result);
            if cancel_after.is_none() {
                prop_assert_eq!(code, expected(planned.way), "{}", index);
                prop_assert_eq!(entered, runs(planned.way), "{}", index);
            } else if code == "ABORTED_BEFORE_DISPATCH" {
                prop_assert!(!entered, "{index} ran");
            } else {
                prop_assert!(code == expected(planned.way) || entered, "{index}: {code}");
            }
            prop_assert!(!result.is_success() || entered, "{index} succeeded without a body");
        }
        Ok(())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn each_call_has_one_result_in_order_and_bodies_keep_their_distance(
        plan in prop::collection::vec(planned(), 0..14),
        most in 1_usize..5,
        cancel_after in prop::option::of(0_u64..9000),
    ) {
        check(&plan, most, cancel_after)?;
    }
}
