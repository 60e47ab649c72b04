//! Laws of batches, over random calls, times, policies and cancellations.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use tests::{Seen, code, quiet_panics};
use tokio::time::sleep;
use tool_runtime::prelude::*;
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

#[derive(Clone, Copy, Debug)]
struct Planned {
    way: Way,
    parallel: bool,
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

/// What the calls do, and which bodies were entered and left, in order.
#[derive(Clone)]
struct Plan {
    calls: Arc<Vec<Planned>>,
    bodies: Arc<Mutex<Vec<(usize, bool)>>>,
}

/// Notes that a body is left, however it is.
struct Entered<'a>(&'a Plan, usize);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.note(self.1, false);
    }
}

impl Plan {
    fn note(&self, index: usize, entered: bool) {
        self.bodies.lock().unwrap().push((index, entered));
    }

    async fn run(&self, cx: &Context<Self>, index: usize) -> Result<String, ToolError> {
        self.note(index, true);
        let _entered = Entered(self, index);
        let Planned { way, millis, .. } = self.calls[index];
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
    (way, prop::bool::weighted(0.7), 0_u64..3000).prop_map(|(way, parallel, millis)| Planned { way, parallel, millis })
}

fn calls(plan: &[Planned]) -> Vec<ToolCall<'static>> {
    let call = |(index, planned): (usize, &Planned)| {
        let tool = match (planned.way, planned.parallel) {
            (Way::Unknown, _) => "nobody",
            (_, true) => "beside",
            (_, false) => "alone",
        };
        let arguments = match planned.way {
            Way::WrongArguments => serde_json::json!({"place": index}),
            _ => serde_json::json!({"index": index}),
        };
        ToolCall::new(index.to_string(), tool, arguments.to_string())
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

/// No more bodies at a time than there may be, none beside one that runs alone, and those of one kind in their order.
fn check_bodies(plan: &[Planned], bodies: &[(usize, bool)], most: usize) -> Result<(), TestCaseError> {
    let mut running = Vec::new();
    let mut last = None;
    for &(index, entered) in bodies {
        if !entered {
            running.retain(|other| *other != index);
            continue;
        }
        prop_assert!(runs(plan[index].way), "{index} was not to run");
        prop_assert!(last < Some(index), "{index} started after {last:?}");
        last = Some(index);
        running.push(index);
        prop_assert!(running.len() <= most, "{running:?}");
        let alone = running.iter().any(|index| !plan[*index].parallel);
        prop_assert!(!alone || running.len() == 1, "{running:?}");
    }
    prop_assert!(running.is_empty(), "{running:?} still run");
    Ok(())
}

fn check(plan: &[Planned], most: usize, cancel_after: Option<u64>) -> Result<(), TestCaseError> {
    quiet_panics();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let state = Plan { calls: Arc::new(plan.to_vec()), bodies: Arc::default() };
        let (seen, mut limits) = (Seen::default(), Limits::default());
        limits.parallel_calls = most;
        let mut registry = Registry::new();
        registry.with(state.clone()).tool::<Beside>().unwrap().tool::<Alone>().unwrap();
        let dispatcher =
            Dispatcher::new(registry).limits(limits).pre_policy(Denies(state.clone())).observer(seen.clone());
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
        let bodies = state.bodies.lock().unwrap().clone();
        check_bodies(plan, &bodies, most)?;
        for (index, (result, planned)) in results.iter().zip(plan).enumerate() {
            let entered = bodies.contains(&(index, true));
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
