//! The law of the fold, on random sequences of decisions, against a model of a few lines.

use proptest::prelude::*;
use tool_runtime::prelude::*;
use tool_runtime::serde_json;

/// Count.
#[derive(Tool)]
#[tool(output = Count, present)]
struct Counter {
    fails: bool,
}

#[tool_output]
struct Count {
    #[schemars(range(max = 9))]
    n: u8,
}

impl Execute for Counter {
    async fn execute(&self, cx: &Context) -> Result<Count, ToolError> {
        cx.add_context("of the tool");
        cx.conclude_turn();
        if self.fails { Err(ToolError::msg("it failed")) } else { Ok(Count { n: 0 }) }
    }
}

impl Render for Counter {
    fn render(&self, count: &Count) -> Content {
        Content::text(format!("n = {}", count.n))
    }
}

impl Present for Counter {
    type Meta = u8;

    fn meta(&self, count: &Count) -> u8 {
        count.n
    }
}

/// What one policy of a sequence does.
#[derive(Clone, Debug)]
enum Step {
    Accept,
    Content(String),
    /// A value, which the schema refuses from 10 on.
    Value(u8),
    Block(String),
    Err,
    Panic,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => Just(Step::Accept),
        3 => "[a-z]{1,4}".prop_map(Step::Content),
        3 => (0_u8..13).prop_map(Step::Value),
        1 => "[a-z]{0,4}".prop_map(Step::Block),
        1 => Just(Step::Err),
        1 => Just(Step::Panic),
    ]
}

struct Policy {
    name: String,
    step: Step,
}

impl PostPolicy for Policy {
    fn name(&self) -> &str {
        &self.name
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        let decision = match &self.step {
            Step::Accept => PostDecision::accept(),
            Step::Content(text) => PostDecision::replace_content(text.as_str()),
            Step::Value(n) => PostDecision::replace_value(serde_json::json!({ "n": n })),
            Step::Block(text) => PostDecision::block(text.as_str()),
            Step::Err => return Err(ToolError::msg("the policy's secret")),
            Step::Panic => std::panic::panic_any("the policy's secret"),
        };
        Ok(decision.with_context(self.name.as_str()))
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        let decision = match &self.step {
            // A failure has no value to replace; a policy that wants to can only accept it.
            Step::Accept | Step::Value(_) => FailureDecision::accept(),
            Step::Content(text) => FailureDecision::replace_content(text.as_str()),
            Step::Block(text) => FailureDecision::block(text.as_str()),
            Step::Err => return Err(ToolError::msg("the policy's secret")),
            Step::Panic => std::panic::panic_any("the policy's secret"),
        };
        Ok(decision.with_context(self.name.as_str()))
    }
}

/// What must come of it.
#[derive(Clone, Debug, PartialEq)]
struct State {
    value: Option<u8>,
    content: String,
    contexts: Vec<String>,
    concludes: bool,
    code: Option<&'static str>,
}

const MAY_HAVE_CHANGED: &str = "; the tool has run and may have changed something: check before you call it again";

fn model(fails: bool, steps: &[Step]) -> State {
    let mut state = State {
        value: (!fails).then_some(0),
        content: if fails { "Error [EXECUTION_ERROR]: it failed".into() } else { "n = 0".into() },
        contexts: vec!["of the tool".into()],
        concludes: !fails,
        code: fails.then_some("EXECUTION_ERROR"),
    };
    let fail = |state: &mut State, code| {
        (state.value, state.concludes, state.code) = (None, false, Some(code));
    };
    for (index, step) in steps.iter().enumerate() {
        let own = format!("policy {index}");
        match step {
            Step::Err | Step::Panic => {
                fail(&mut state, "POLICY_FAILED");
                state.contexts.clear();
                state.content = format!(
                    "Error [POLICY_FAILED]: the policy \"{own}\" failed, so the result is withheld{MAY_HAVE_CHANGED}"
                );
                continue;
            }
            Step::Block(text) => {
                fail(&mut state, "BLOCKED");
                state.contexts.clear();
                state.content.clone_from(text);
            }
            Step::Content(text) => state.content.clone_from(text),
            Step::Value(n) if state.value.is_some() && *n < 10 => {
                state.value = Some(*n);
                state.content = format!("n = {n}");
            }
            Step::Value(n) if state.value.is_some() => {
                fail(&mut state, "INVALID_TOOL_OUTPUT");
                state.content = format!(
                    "Error [INVALID_TOOL_OUTPUT]: tool \"counter\" returned invalid output: \"/n\" must be at most 9, got \
                     {n}{MAY_HAVE_CHANGED}"
                );
            }
            Step::Accept | Step::Value(_) => {}
        }
        state.contexts.push(own);
    }
    state
}

fn observed(result: &ToolResult) -> State {
    State {
        value: result.success().map(|success| success.value_as::<Count>().unwrap().n),
        content: result.content().to_text(),
        contexts: result.contexts().iter().map(Content::to_text).collect(),
        concludes: result.success().is_some_and(Success::concludes_turn),
        code: result.failure().map(|failure| {
            tool_runtime::Code::TABLE.iter().find(|(name, _)| *name == failure.code().as_str()).unwrap().0
        }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn policies_fold_by_the_law(fails: bool, steps in prop::collection::vec(step(), 0..7)) {
        // The panics are part of the test; their reports are not.
        static QUIET: std::sync::Once = std::sync::Once::new();
        QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));

        let mut registry = Registry::new();
        registry.tool::<Counter>().unwrap();
        let mut dispatcher = Dispatcher::new(registry);
        for (index, step) in steps.iter().enumerate() {
            dispatcher = dispatcher.policy(Policy { name: format!("policy {index}"), step: step.clone() });
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let arguments = format!("{{\"fails\":{fails}}}");
        let result = runtime.block_on(dispatcher.call(ToolCall::new("call", "counter", arguments)));

        prop_assert_eq!(observed(&result), model(fails, &steps));
        // Each policy ran exactly once, in order, and the trace has it by name.
        let names: Vec<_> = result.trace().decisions().iter().map(|decision| decision.policy().to_owned()).collect();
        prop_assert_eq!(names, (0..steps.len()).map(|index| format!("policy {index}")).collect::<Vec<_>>());
        // The meta belongs to the value; a failure has neither.
        let meta = result.meta().and_then(tool_runtime::JsonValue::as_u64);
        prop_assert_eq!(meta, observed(&result).value.map(u64::from));
        // What a failed policy said is not shown.
        prop_assert!(!result.content().to_text().contains("secret"));
    }
}
