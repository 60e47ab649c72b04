//! The rows, stage by stage.

use tool_runtime::Effects;

use super::scene::Answer::{
    Asks, Closed, Drops, Fails, FailsUnchanged, Given, Invalid, No, Panics, SaysAborted, Unrenderable, Yes,
};
use super::scene::Event::{Cancels, Hangs, IsStopped, Sleeps, TimePasses};
use super::scene::{PLAN, Plan, Script};
use super::{Ends, Row};

/// A call that ends before its body is entered: nothing has changed.
fn before(stage: &'static str, happens: &'static str, plan: Plan, code: &str) -> Row {
    let ends = Ends { code: code.to_owned(), effects: Some(Effects::None), entered: false, judged: true };
    Row { stage, happens, plan, ends }
}

/// A call whose body was entered. It ends as a success if nothing is said of effects.
fn after(stage: &'static str, happens: &'static str, plan: Plan, code: &str, effects: Option<Effects>) -> Row {
    Row { stage, happens, plan, ends: Ends { code: code.to_owned(), effects, entered: true, judged: true } }
}

pub(super) fn rows() -> Vec<Row> {
    [
        admit(),
        decode(),
        policies(),
        approval(),
        guards(),
        layer(),
        body(),
        cancelled_body(),
        timed_body(),
        project(),
        decide(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn admit() -> Vec<Row> {
    let row = |happens, plan, code| before("admit", happens, plan, code);
    let cancelled = Plan { cancelled: true, ..PLAN };
    vec![
        row("the caller had cancelled", cancelled, "ABORTED_BEFORE_DISPATCH"),
        row("the same, and the tool is unknown", Plan { tool: "none", ..cancelled }, "ABORTED_BEFORE_DISPATCH"),
        row("the same, and the arguments are wrong", Plan { arguments: "{", ..cancelled }, "ABORTED_BEFORE_DISPATCH"),
        row("the same, and the deadline had passed", cancelled.too_late(), "ABORTED_BEFORE_DISPATCH"),
        row(
            "the tool is unknown, and the deadline had passed",
            Plan { tool: "none", ..PLAN }.too_late(),
            "UNKNOWN_TOOL",
        ),
        row("the deadline had passed", PLAN.too_late(), "TIMEOUT"),
    ]
}

fn decode() -> Vec<Row> {
    let row = |happens, plan, code| before("decode", happens, plan, code);
    let wrong = Plan { arguments: r#"{"x": 1}"#, ..PLAN };
    vec![
        row("the arguments are wrong", wrong, "INVALID_ARGS"),
        row("the same, and the deadline had passed", wrong.too_late(), "INVALID_ARGS"),
    ]
}

fn policies() -> Vec<Row> {
    let row = |happens, policy, code| before("policy before", happens, Plan { policy, ..PLAN }.in_time(), code);
    vec![
        row("it denies", Script(&[], No), "DENIED"),
        row("it fails", Script(&[], Fails), "POLICY_FAILED"),
        row("the caller cancels; it allows", Script(&[Cancels], Yes), "ABORTED_BEFORE_DISPATCH"),
        row("the caller cancels; it denies", Script(&[Cancels], No), "DENIED"),
        row("the caller cancels; it fails", Script(&[Cancels], Fails), "POLICY_FAILED"),
        row("the caller cancels; it goes on waiting", Script(&[Cancels, Hangs], Yes), "ABORTED_BEFORE_DISPATCH"),
        row("the deadline passes; it allows", Script(&[TimePasses], Yes), "TIMEOUT"),
        row("the deadline passes; it denies", Script(&[TimePasses], No), "DENIED"),
        row("the deadline passes; it goes on waiting", Script(&[Hangs], Yes), "TIMEOUT"),
        row(
            "the caller cancels, and the deadline passes; it allows",
            Script(&[Cancels, TimePasses], Yes),
            "ABORTED_BEFORE_DISPATCH",
        ),
        before("policy before", "its own time is up", Plan { policy: Script(&[Hangs], Yes), ..PLAN }, "POLICY_FAILED"),
    ]
}

fn approval() -> Vec<Row> {
    const ASKED: Plan = Plan { policy: Script(&[], Asks), ..PLAN };
    let row = |happens, approver, code| before("approval", happens, Plan { approver, ..ASKED }.in_time(), code);
    let never_asked = Plan { policy: Script(&[Cancels], Asks), approver: Script(&[], No), ..PLAN };
    vec![
        row("the person rejects", Script(&[], No), "APPROVAL_REJECTED"),
        row("nobody answers: the prompt is closed", Script(&[], Closed), "APPROVAL_UNAVAILABLE"),
        before("approval", "the caller had cancelled: nobody is asked", never_asked, "ABORTED_BEFORE_DISPATCH"),
        row("the caller cancels; the person grants", Script(&[Cancels], Yes), "ABORTED_BEFORE_DISPATCH"),
        row("the caller cancels; the person rejects", Script(&[Cancels], No), "APPROVAL_REJECTED"),
        row("the caller cancels; the prompt is closed", Script(&[Cancels], Closed), "ABORTED_BEFORE_DISPATCH"),
        row("the caller cancels; nobody answers", Script(&[Cancels, Hangs], Yes), "ABORTED_BEFORE_DISPATCH"),
        row("the deadline passes; the person grants", Script(&[TimePasses], Yes), "TIMEOUT"),
        row("the deadline passes; nobody answers", Script(&[Hangs], Yes), "TIMEOUT"),
        before(
            "approval",
            "its own time is up",
            Plan { approver: Script(&[Hangs], Yes), ..ASKED },
            "APPROVAL_UNAVAILABLE",
        ),
    ]
}

fn guards() -> Vec<Row> {
    let row = |happens, guard, code| before("guard", happens, Plan { guard, ..PLAN }.in_time(), code);
    let in_a_policy = Plan { policy: Script(&[Cancels], Yes), guard: Script(&[], No), ..PLAN };
    vec![
        row("it denies", Script(&[], No), "DENIED"),
        row("the caller cancels; it says nothing", Script(&[Cancels], Yes), "ABORTED_BEFORE_DISPATCH"),
        row("the caller cancels; it denies", Script(&[Cancels], No), "DENIED"),
        before("guard", "the caller cancelled in a policy that allowed; it denies", in_a_policy, "DENIED"),
        row("the deadline passes; it says nothing", Script(&[TimePasses], Yes), "TIMEOUT"),
        row("the deadline passes; it denies", Script(&[TimePasses], No), "DENIED"),
    ]
}

fn layer() -> Vec<Row> {
    let row = |happens, layer, code| before("layer", happens, Plan { layer: Some(layer), ..PLAN }.in_time(), code);
    let drops = Plan { layer: Some(Script(&[], Drops)), body: Script(&[Hangs], Yes), ..PLAN };
    vec![
        row("it fails", Script(&[], Fails), "LAYER_FAILED"),
        row("the caller cancels; it goes on to the body", Script(&[Cancels], Yes), "ABORTED_BEFORE_DISPATCH"),
        row("the caller cancels; it gives a value of its own", Script(&[Cancels], Given), "ABORTED_BEFORE_DISPATCH"),
        row("the caller cancels; it fails", Script(&[Cancels], Fails), "LAYER_FAILED"),
        row("the caller cancels; it goes on waiting", Script(&[Cancels, Hangs], Yes), "ABORTED_BEFORE_DISPATCH"),
        row("the deadline passes; it goes on to the body", Script(&[TimePasses], Yes), "TIMEOUT"),
        row("the deadline passes; it goes on waiting", Script(&[Hangs], Yes), "TIMEOUT"),
        after("layer", "it drops the body", drops, "LAYER_FAILED", POSSIBLE),
    ]
}

const BODY: &str = "body";
const POSSIBLE: Option<Effects> = Some(Effects::Possible);
const UNKNOWN: Option<Effects> = Some(Effects::Unknown);
const NONE: Option<Effects> = Some(Effects::None);

fn body() -> Vec<Row> {
    let row = |happens, body, code, effects| after(BODY, happens, Plan { body, ..PLAN }.in_time(), code, effects);
    vec![
        row("it returns a value", Script(&[], Yes), "OK", None),
        row("it fails", Script(&[], Fails), "EXECUTION_ERROR", UNKNOWN),
        row("it fails, and says that nothing was changed", Script(&[], FailsUnchanged), "EXECUTION_ERROR", NONE),
        row("it panics", Script(&[], Panics), "PANICKED", POSSIBLE),
        row("the deadline passes without an await; it returns a value", Script(&[TimePasses], Yes), "OK", None),
    ]
}

fn cancelled_body() -> Vec<Row> {
    let row = |happens, body, code, effects| after(BODY, happens, Plan { body, ..PLAN }.limited(), code, effects);
    let told = |answer| Script(&[Cancels, IsStopped, Sleeps(1000)], answer);
    vec![
        row("the caller cancels; it returns a value at once", Script(&[Cancels], Yes), "ABORTED", POSSIBLE),
        row("the caller cancels; it returns a value within the grace", told(Yes), "ABORTED", POSSIBLE),
        row("the caller cancels; its value is refused", told(Invalid), "INVALID_TOOL_OUTPUT", POSSIBLE),
        row("the caller cancels; it fails within the grace", told(Fails), "EXECUTION_ERROR", UNKNOWN),
        row("the caller cancels; it returns `ToolError::aborted()`", told(SaysAborted), "ABORTED", UNKNOWN),
        row("the caller cancels; it panics within the grace", told(Panics), "PANICKED", POSSIBLE),
        row("the caller cancels; it is dropped after the grace", Script(&[Cancels, Hangs], Yes), "ABORTED", POSSIBLE),
        row(
            "the caller cancels, then the time is up; it returns a value within the grace",
            Script(&[Sleeps(9500), Cancels, IsStopped, Sleeps(1000)], Yes),
            "ABORTED",
            POSSIBLE,
        ),
    ]
}

fn timed_body() -> Vec<Row> {
    let row = |happens, body, code, effects| after(BODY, happens, Plan { body, ..PLAN }.limited(), code, effects);
    let told = |answer| Script(&[IsStopped, Sleeps(1000)], answer);
    let at_the_deadline = Plan { body: Script(&[Hangs], Yes), ..PLAN }.in_time();
    vec![
        row("its time is up; it returns a value within the grace", told(Yes), "TIMEOUT", POSSIBLE),
        row("its time is up; its value is refused", told(Invalid), "TIMEOUT", POSSIBLE),
        row("its time is up; it fails within the grace", told(Fails), "TIMEOUT", POSSIBLE),
        row("its time is up; it fails, and says that nothing was changed", told(FailsUnchanged), "TIMEOUT", NONE),
        row("its time is up; it returns `ToolError::aborted()`", told(SaysAborted), "TIMEOUT", POSSIBLE),
        row("its time is up; it panics within the grace", told(Panics), "TIMEOUT", POSSIBLE),
        row("its time is up; it is dropped after the grace", Script(&[Hangs], Yes), "TIMEOUT", POSSIBLE),
        row(
            "its time is up, then the caller cancels; it returns a value within the grace",
            Script(&[IsStopped, Cancels, Sleeps(1000)], Yes),
            "TIMEOUT",
            POSSIBLE,
        ),
        after(BODY, "the deadline passes; as if its own time were up", at_the_deadline, "TIMEOUT", POSSIBLE),
    ]
}

fn project() -> Vec<Row> {
    let row = |happens, body| after("accept, project", happens, Plan { body, ..PLAN }, "INVALID_TOOL_OUTPUT", POSSIBLE);
    vec![
        row("the value is refused", Script(&[], Invalid)),
        row("the rendering panics", Script(&[], Unrenderable)),
        row("the rendering panics, and the caller had cancelled", Script(&[Cancels], Unrenderable)),
    ]
}

fn decide() -> Vec<Row> {
    let stage = "policy after";
    let row = |happens, decides, code, effects| {
        after(stage, happens, Plan { after: decides, ..PLAN }.in_time(), code, effects)
    };
    let failed = |happens, decides, code, effects| {
        let plan = Plan { body: Script(&[], Fails), after: decides, ..PLAN };
        after(stage, happens, plan, code, effects)
    };
    let denied = Plan { guard: Script(&[], No), after: Script(&[Cancels], Fails), ..PLAN };
    vec![
        row("it blocks", Script(&[], No), "BLOCKED", POSSIBLE),
        row("it fails", Script(&[], Fails), "POLICY_FAILED", POSSIBLE),
        row("its own time is up", Script(&[Hangs], Yes), "POLICY_FAILED", POSSIBLE),
        row("the caller cancels; it accepts a success", Script(&[Cancels], Yes), "ABORTED", POSSIBLE),
        row("the caller cancels; it blocks", Script(&[Cancels], No), "BLOCKED", POSSIBLE),
        row("the caller cancels; it fails", Script(&[Cancels], Fails), "POLICY_FAILED", POSSIBLE),
        row("the deadline passes; it accepts a success", Script(&[TimePasses], Yes), "OK", None),
        failed(
            "the caller cancels; it accepts a failure of the body",
            Script(&[Cancels], Yes),
            "EXECUTION_ERROR",
            UNKNOWN,
        ),
        failed("the caller cancels; it blocks a failure of the body", Script(&[Cancels], No), "BLOCKED", UNKNOWN),
        before(stage, "it fails on a call that was denied", denied, "POLICY_FAILED"),
    ]
}
