//! Scopes: tools over tools, live, and gone once they are dropped; and changes of a registry in use.

use std::sync::{Arc, Mutex, Weak};
use std::task;
use std::time::Duration;

use serde_json::json;
use tests::{Decided, Seen, add, answer, code, quiet_panics, remove, says, verdicts, visible};
use tool_runtime::layer::{ToolRequest, ToolResponse, ToolService};
use tool_runtime::prelude::*;
use tool_runtime::{Verdict, serde_json};
use tower::{Layer, Service};

fn dispatcher(tools: &[(&str, &str)]) -> Dispatcher {
    let mut registry = Registry::new();
    for (name, text) in tools {
        registry.dynamic(says(name, text)).unwrap();
    }
    Dispatcher::new(registry)
}

fn codes(error: &RegistrationError) -> Vec<&str> {
    error.problems().iter().map(|problem| problem.code().as_str()).collect()
}

#[tokio::test]
async fn a_tool_of_a_scope_is_visible_there_and_in_the_scopes_in_it_alone() {
    let root = dispatcher(&[("read", "root")]);
    let (agent, other) = (root.scoped(), root.scoped());
    let subagent = agent.scoped();
    add(&agent, "report", "agent").unwrap();
    assert_eq!(visible(&root), ["read"]);
    assert_eq!(visible(&other), ["read"]);
    for scope in [&agent, &agent.clone(), &subagent] {
        assert_eq!(visible(scope), ["read", "report"]);
        assert_eq!(answer(scope, "report").await, "agent");
        assert_eq!(answer(scope, "read").await, "root");
    }
    for other in [&root, &other] {
        assert_eq!(answer(other, "report").await, "UNKNOWN_TOOL");
    }
}

#[tokio::test]
async fn the_nearest_scope_wins_in_whatever_order_tools_were_registered() {
    for scope_first in [true, false] {
        let root = dispatcher(&[]);
        let agent = root.scoped();
        let subagent = agent.scoped();
        let levels = [(&root, "root"), (&agent, "agent"), (&subagent, "subagent")];
        let in_order: Vec<_> = if scope_first { levels.into_iter().rev().collect() } else { levels.to_vec() };
        for (level, text) in in_order {
            add(level, "read", text).unwrap();
        }
        for (level, text) in levels {
            assert_eq!(answer(level, "read").await, text);
            assert_eq!(visible(level), ["read"]);
        }
        assert!(remove(&subagent, "read"));
        assert_eq!(answer(&subagent, "read").await, "agent", "what it hid is there again");
        assert!(remove(&agent, "read"));
        assert_eq!(answer(&subagent, "read").await, "root");
        assert!(!remove(&agent, "read"), "a scope removes nothing of its parent");
    }
}

#[tokio::test]
async fn what_a_parent_gains_or_loses_later_is_seen() {
    let root = dispatcher(&[("read", "root")]);
    let subagent = root.scoped().scoped();
    add(&root, "late", "root").unwrap();
    assert_eq!(answer(&subagent, "late").await, "root");
    assert!(remove(&root, "read"));
    assert_eq!(answer(&subagent, "read").await, "UNKNOWN_TOOL");
    root.replace_registry(dispatcher(&[("new", "new")]).registry());
    assert_eq!(visible(&subagent), ["new"]);
}

#[test]
fn names_are_unique_in_a_scope_and_reserved_in_each() {
    let root = dispatcher(&[("read", "root")]);
    let agent = root.scoped();
    add(&agent, "read", "shadows").unwrap();
    for level in [&root, &agent] {
        assert_eq!(codes(&add(level, "read", "twice").unwrap_err()), ["DUPLICATE_TOOL"]);
        assert_eq!(codes(&add(level, "run_code", "never").unwrap_err()), ["INVALID_NAME"]);
        assert_eq!(visible(level), ["read"]);
    }
}

#[tokio::test]
async fn what_is_listed_is_what_can_be_called_in_the_same_bytes_each_time() {
    let root = dispatcher(&[("write", "root"), ("read", "root"), ("fetch", "root")]);
    let agent = root.scoped();
    agent.restrict(Restriction::deny(["fetch"])).unwrap();
    add(&agent, "read", "agent").unwrap();
    add(&agent, "ask", "agent").unwrap();
    let listed = agent.registry();
    assert_eq!(listed.names().collect::<Vec<_>>(), ["ask", "read", "write"]);
    assert_eq!(listed.specs().map(|spec| spec.name.as_str()).collect::<Vec<_>>(), ["ask", "read", "write"]);
    assert_eq!(listed.specs_json(), agent.registry().specs_json());
    assert_eq!(listed.specs_json(), serde_json::to_string(&listed.specs().collect::<Vec<_>>()).unwrap());
    assert!(listed.spec("fetch").is_none() && listed.key("fetch").is_none());
    assert_eq!(listed.key("read").map(|key| format!("{key:?}")), Some("ToolKey(\"read\")".to_owned()));

    // A dispatcher over the list is the same tools, frozen.
    let frozen = Dispatcher::new(listed);
    for name in ["ask", "read", "write", "fetch"] {
        assert_eq!(answer(&frozen, name).await, answer(&agent, name).await, "{name}");
    }
    add(&root, "late", "root").unwrap();
    assert_eq!(visible(&frozen).len() + 1, visible(&agent).len());
    assert_eq!(format!("{agent:?}").matches("\"late\"").count(), 1);
}

/// Add one.
#[derive(Tool, serde::Serialize)]
#[tool(output = String, render = display)]
struct Who {}

impl Execute<&'static str> for Who {
    async fn execute(&self, cx: &Context<&'static str>) -> Result<String, ToolError> {
        Ok((*cx.state()).to_owned())
    }
}

fn add_who(level: &Dispatcher, name: &str, who: &'static str) {
    let overrides = tool_runtime::Overrides::new().name(name);
    level.change_registry(|own| own.with(who).tool_as::<Who>(overrides).map(|_| ())).unwrap();
}

#[tokio::test]
async fn a_program_calls_the_tool_of_its_type_that_is_visible_first_by_name() {
    let root = dispatcher(&[]);
    let agent = root.scoped();
    let who = async |dispatcher: &Dispatcher| match dispatcher.invoke(Who {}).await {
        Ok(who) => who,
        Err(failure) => failure.code().to_string(),
    };
    assert_eq!(who(&agent).await, "UNKNOWN_TOOL");
    add_who(&root, "m", "root m");
    add_who(&root, "z", "root z");
    assert_eq!(who(&agent).await, "root m");
    add_who(&agent, "n", "agent n");
    assert_eq!((who(&agent).await, who(&root).await), ("root m".into(), "root m".into()));
    add_who(&agent, "a", "agent a");
    assert_eq!((who(&agent).await, who(&root).await), ("agent a".into(), "root m".into()));
    assert!(remove(&agent, "a"));

    // A tool of another type that has the name hides it; so does a restriction.
    add(&agent, "m", "another type").unwrap();
    assert_eq!((who(&agent).await, who(&root).await), ("agent n".into(), "root m".into()));
    assert!(remove(&agent, "n"));
    assert_eq!(who(&agent).await, "root z");
    let key = agent.restrict(Restriction::deny(["z"])).unwrap();
    assert_eq!((who(&agent).await, who(&root).await), ("UNKNOWN_TOOL".into(), "root m".into()));
    assert!(agent.lift(&key));
    assert_eq!(who(&agent.scoped()).await, "root z");
}

/// Tells that it is dropped.
struct Dropped(Arc<()>);

/// Hold a state.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Hold;

impl Execute<Dropped> for Hold {
    async fn execute(&self, cx: &Context<Dropped>) -> Result<String, ToolError> {
        Ok(format!("{} hold it", Arc::strong_count(&cx.state().0)))
    }
}

fn holding(level: &Dispatcher) -> Weak<()> {
    let state = Arc::new(());
    let held = Arc::downgrade(&state);
    level.change_registry(|own| own.with(Dropped(state)).tool::<Hold>().map(|_| ())).unwrap();
    held
}

#[tokio::test]
async fn a_dropped_scope_leaves_nothing_behind() {
    let root = dispatcher(&[("read", "root")]);
    let agent = root.scoped();
    let subagent = agent.scoped();
    let (of_agent, of_subagent) = (holding(&agent), holding(&subagent));
    agent.restrict(Restriction::deny(["read"])).unwrap();
    let clone = agent.clone().guard(No("no"));
    drop(agent);
    assert!(of_agent.upgrade().is_some(), "a clone is the same scope");
    drop(clone);
    assert!(of_agent.upgrade().is_some(), "a scope in it inherits its tools");
    assert_eq!(answer(&subagent, "read").await, "UNKNOWN_TOOL", "and its restrictions");
    drop(subagent);
    assert!(of_agent.upgrade().is_none() && of_subagent.upgrade().is_none());
    assert_eq!(visible(&root), ["read"]);
    assert_eq!(answer(&root, "read").await, "root");

    let agent = root.scoped();
    let removed = holding(&agent);
    assert!(remove(&agent, "hold") && removed.upgrade().is_none(), "nor does a tool that is removed");
}

#[tokio::test]
async fn a_scope_outlives_the_handle_of_its_parent() {
    let agent = dispatcher(&[("read", "root")]).scoped();
    assert_eq!(answer(&agent, "read").await, "root");
}

#[tokio::test]
async fn scopes_nest_as_deep_as_there_is_memory() {
    let root = dispatcher(&[("read", "root")]);
    let mut deep = root.scoped();
    for _ in 0..100_000 {
        deep = deep.scoped();
    }
    assert_eq!(answer(&deep, "read").await, "root");
    assert_eq!(visible(&deep), ["read"]);
    drop(deep);
    assert_eq!(answer(&root, "read").await, "root");
}

/// Notes who was asked.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    fn note(&self, who: &str) {
        self.0.lock().unwrap().push(who.to_owned());
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

struct Notes(&'static str, Asked);

impl PrePolicy for Notes {
    fn name(&self) -> &str {
        self.0
    }

    async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        self.1.note(&format!("before {}", self.0));
        Ok(PreDecision::allow())
    }
}

impl Guard for Notes {
    fn name(&self) -> &str {
        self.0
    }

    fn denies(&self, _: &PolicyCall<'_>) -> Option<String> {
        self.1.note(&format!("guard {}", self.0));
        None
    }
}

impl PostPolicy for Notes {
    fn name(&self) -> &str {
        self.0
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        self.1.note(&format!("after {}", self.0));
        Ok(PostDecision::accept())
    }
}

/// A guard that is against everything.
struct No(&'static str);

impl Guard for No {
    fn name(&self) -> &str {
        self.0
    }

    fn denies(&self, _: &PolicyCall<'_>) -> Option<String> {
        Some(format!("{} is against it", self.0))
    }
}

#[tokio::test]
async fn what_judges_the_parent_judges_its_scopes_first_and_what_is_added_to_a_scope_judges_it_alone() {
    let asked = Asked::default();
    let judged = |dispatcher: Dispatcher, who| {
        let notes = || Notes(who, asked.clone());
        dispatcher.pre_policy(notes()).guard(notes()).policy(notes())
    };
    let root = judged(dispatcher(&[("read", "root")]), "root");
    let agent = judged(root.scoped(), "agent");
    let subagent = judged(agent.scoped(), "subagent");
    let other = judged(root.scoped(), "other");
    let expected = |names: &[&str]| -> Vec<String> {
        ["before", "guard", "after"]
            .iter()
            .flat_map(|stage| names.iter().map(move |name| format!("{stage} {name}")))
            .collect()
    };
    for (dispatcher, names) in [
        (&root, vec!["root"]),
        (&agent, vec!["root", "agent"]),
        (&subagent, vec!["root", "agent", "subagent"]),
        (&other, vec!["root", "other"]),
    ] {
        assert_eq!(answer(dispatcher, "read").await, "root");
        assert_eq!(asked.taken(), expected(&names), "farthest to nearest");
    }
    let strict = root.clone().guard(No("strict"));
    assert_eq!(answer(&strict, "read").await, "DENIED");
    assert_eq!(answer(&agent, "read").await, "root", "what is added to a parent later is not added to the scope");
}

#[tokio::test]
async fn guards_of_the_parent_come_before_those_of_the_scope() {
    let root = dispatcher(&[("read", "root")]).guard(No("parent"));
    let agent = root.scoped().guard(No("scope"));
    let result = agent.call(ToolCall::without_arguments("call-1", "read")).await;
    assert_eq!(verdicts(&result), [("parent", Verdict::Denied)]);
    assert_eq!(result.failure().unwrap().error().message(), "parent is against it");
}

struct Person(&'static str, Approval);

impl Approver for Person {
    fn name(&self) -> &str {
        self.0
    }

    async fn approve(&self, _: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        Ok(self.1.clone())
    }
}

struct Ask;

impl PrePolicy for Ask {
    fn name(&self) -> &'static str {
        "ask"
    }

    async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        Ok(PreDecision::ask("it is asked for"))
    }
}

#[tokio::test]
async fn approver_limits_profile_and_observers_start_as_those_of_the_parent() {
    let (seen, by_agent) = (Seen::default(), Seen::default());
    let mut limits = Limits::default();
    limits.content_bytes = 200;
    let root = dispatcher(&[("read", "root"), ("long", &"x".repeat(1000))])
        .pre_policy(Ask)
        .approver(Person("root", Approval::Granted))
        .observer(seen.clone())
        .limits(limits)
        .text_profile(TextProfile::Plain);
    let agent = root.scoped().observer(by_agent.clone());
    let long = agent.call(ToolCall::without_arguments("call-1", "long")).await;
    assert!(long.is_success() && long.content().to_text().len() <= 200);
    let unknown = agent.call(ToolCall::without_arguments("call-2", "rea")).await;
    assert_eq!(unknown.content().to_text(), r#"Error: unknown tool "rea"; did you mean "read"?"#);
    let rejects = agent.scoped().approver(Person("agent", Approval::Rejected { reason: None }));
    assert_eq!(answer(&rejects, "read").await, "APPROVAL_REJECTED");
    assert_eq!(answer(&agent, "read").await, "root");
    assert_eq!(by_agent.codes(), ["OK", "UNKNOWN_TOOL", "APPROVAL_REJECTED", "OK"]);
    assert_eq!(answer(&root, "read").await, "root");
    assert_eq!(
        seen.codes().len(),
        by_agent.codes().len() + 1,
        "an observer of a scope sees the calls of the scope alone"
    );
    let replaced = agent.scoped().policy(Decided(PostDecision::replace_value(json!("replaced"))));
    assert_eq!((answer(&replaced, "read").await, answer(&agent, "read").await), ("replaced".into(), "root".into()));
}

/// A layer that notes who it is of.
struct Around(&'static str, Asked);

struct Noting {
    inside: ToolService,
    who: &'static str,
    asked: Asked,
}

impl Layer<ToolService> for Around {
    type Service = Noting;

    fn layer(&self, inside: ToolService) -> Noting {
        Noting { inside, who: self.0, asked: self.1.clone() }
    }
}

impl Service<ToolRequest> for Noting {
    type Response = ToolResponse;
    type Error = <ToolService as Service<ToolRequest>>::Error;
    type Future = <ToolService as Service<ToolRequest>>::Future;

    fn poll_ready(&mut self, cx: &mut task::Context<'_>) -> task::Poll<Result<(), Self::Error>> {
        self.inside.poll_ready(cx)
    }

    fn call(&mut self, request: ToolRequest) -> Self::Future {
        self.asked.note(self.who);
        self.inside.call(request)
    }
}

#[tokio::test]
async fn a_layer_of_a_scope_goes_around_those_of_the_parent_for_the_scope_alone() {
    let asked = Asked::default();
    let root = dispatcher(&[("read", "root")]).layer(Around("root", asked.clone()));
    let agent = root.scoped().layer(Around("agent", asked.clone()));
    let subagent = agent.scoped();
    for (dispatcher, expected) in
        [(&root, vec!["root"]), (&agent, vec!["agent", "root"]), (&subagent, vec!["agent", "root"])]
    {
        assert_eq!(answer(dispatcher, "read").await, "root");
        assert_eq!(asked.taken(), expected);
    }
}

/// Call a tool from a body.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct ReadIt {}

impl Execute for ReadIt {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        Ok(cx.call("read", "{}").await.content().to_text())
    }
}

#[tokio::test]
async fn a_body_calls_what_is_visible_in_the_scope_that_it_was_called_in() {
    let root = dispatcher(&[("read", "root")]);
    root.change_registry(|own| own.tool::<ReadIt>().map(|_| ())).unwrap();
    let (shadowing, restricted) = (root.scoped(), root.scoped());
    add(&shadowing, "read", "agent").unwrap();
    restricted.restrict(Restriction::deny(["read"])).unwrap();
    for (dispatcher, expected) in
        [(&root, "\"root\""), (&shadowing, "\"agent\""), (&restricted, "Error [UNKNOWN_TOOL]: unknown tool \"read\"")]
    {
        let result = dispatcher.call(ToolCall::without_arguments("call-1", "read_it")).await;
        assert!(result.content().to_text().starts_with(expected), "{result:?}");
    }
}

#[tokio::test]
async fn an_unknown_tool_is_told_with_the_tools_that_there_are() {
    let message = async |dispatcher: &Dispatcher, name: &str| {
        let result = dispatcher.call(ToolCall::without_arguments("call-1", name)).await;
        assert_eq!(code(&result), "UNKNOWN_TOOL");
        result.failure().unwrap().error().message().to_owned()
    };
    let root = dispatcher(&[]);
    let agent = root.scoped();
    assert_eq!(message(&agent, "search").await, r#"unknown tool "search"; there are no tools"#);
    add(&root, "write", "root").unwrap();
    add(&agent, "fetch", "agent").unwrap();
    assert_eq!(message(&agent, "search").await, r#"unknown tool "search"; the tools are: "fetch", "write""#);
    assert_eq!(message(&root, "search").await, r#"unknown tool "search"; the tools are: "write""#);
    assert_eq!(message(&agent, "wirte").await, r#"unknown tool "wirte"; did you mean "write"?"#);
    for index in 0..10 {
        add(&root, &format!("tool_{index}"), "root").unwrap();
    }
    assert_eq!(
        message(&agent, "search").await,
        concat!(
            r#"unknown tool "search"; the tools are: "fetch", "tool_0", "tool_1", "tool_2", "tool_3", "tool_4", "#,
            r#""tool_5", "tool_6" and 4 more"#
        )
    );
    agent.restrict(Restriction::allow(["tool_9"])).unwrap();
    assert_eq!(message(&agent, "write").await, r#"unknown tool "write"; the tools are: "fetch", "tool_9""#);
    assert_eq!(message(&agent, "tool_8").await, r#"unknown tool "tool_8"; did you mean "tool_9"?"#);
}

#[tokio::test]
async fn a_change_is_made_as_a_whole_or_not_at_all() {
    let dispatcher = dispatcher(&[("read", "first")]);
    let error = dispatcher
        .change_registry(|own| {
            let key = own.key("read").unwrap();
            assert!(own.remove(&key));
            own.dynamic(says("new", "new"))?;
            assert_eq!(visible(&dispatcher), ["read"], "nothing of it is seen before it succeeds");
            own.dynamic(says("new", "twice"))?;
            Ok(())
        })
        .unwrap_err();
    assert_eq!(codes(&error), ["DUPLICATE_TOOL"]);
    assert_eq!(answer(&dispatcher, "read").await, "first");
    assert_eq!(visible(&dispatcher), ["read"]);

    let before = dispatcher.change_registry(|own| {
        let before = own.key("read").unwrap();
        own.remove(&before);
        own.dynamic(says("read", "second"))?;
        Ok(before)
    });
    assert_eq!(answer(&dispatcher.clone(), "read").await, "second", "a clone is the same dispatcher");
    assert!(!dispatcher.registry().remove(&before.unwrap()), "the key is that of the first");
}

#[tokio::test]
async fn a_change_that_panics_changes_nothing_and_keeps_nobody_from_changing() {
    quiet_panics();
    let dispatcher = dispatcher(&[("read", "first")]);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        dispatcher.change_registry::<()>(|own| {
            own.dynamic(says("half", "half"))?;
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(visible(&dispatcher), ["read"]);
    add(&dispatcher, "after", "after").unwrap();
    let elsewhere = dispatcher.scoped();
    std::thread::spawn(move || add(&elsewhere, "after", "after").unwrap()).join().unwrap();
    assert_eq!(visible(&dispatcher), ["after", "read"]);
}

#[test]
fn a_change_within_a_change_is_told_and_hangs_nobody() {
    let root = dispatcher(&[("read", "root")]);
    let agent = root.scoped();
    let error = root
        .change_registry(|own| {
            own.dynamic(says("outer", "outer"))?;
            add(&root, "inner", "inner")
        })
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "[NESTED_CHANGE]: the registry was changed from within a change of it, which is not put in place; change what the \
         closure gets"
    );
    assert_eq!((codes(&error), error.problems()[0].tool()), (vec!["NESTED_CHANGE"], ""));
    assert_eq!(visible(&root), ["inner", "read"]);
    let error = root.change_registry(|own| {
        own.dynamic(says("outer", "outer"))?;
        root.replace_registry(Registry::new());
        Ok(())
    });
    assert_eq!(codes(&error.unwrap_err()), ["NESTED_CHANGE"]);
    assert_eq!(visible(&root), [""; 0]);

    // Another scope is another registry.
    agent
        .change_registry(|own| {
            own.dynamic(says("mine", "agent"))?;
            add(&root, "ours", "root")
        })
        .unwrap();
    assert_eq!(
        (visible(&root), visible(&agent)),
        (vec!["ours".to_owned()], vec!["mine".to_owned(), "ours".to_owned()])
    );
}

/// Lets another thread change a dispatcher when it is dropped, and waits for it.
struct ChangesWhenDropped(Dispatcher);

impl Drop for ChangesWhenDropped {
    fn drop(&mut self) {
        let (changed, until_changed) = std::sync::mpsc::channel();
        let dispatcher = self.0.clone();
        std::thread::spawn(move || changed.send(add(&dispatcher, "dropped", "dropped")));
        let changed = until_changed.recv_timeout(Duration::from_secs(10));
        assert_eq!(changed, Ok(Ok(())), "no lock is held while a state is dropped");
    }
}

/// Never called.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Idle;

impl Execute<ChangesWhenDropped> for Idle {
    async fn execute(&self, cx: &Context<ChangesWhenDropped>) -> Result<String, ToolError> {
        Ok(visible(&cx.state().0).concat())
    }
}

#[test]
fn a_state_is_dropped_where_it_may_change_the_registry_that_it_was_in() {
    let agent = dispatcher(&[]).scoped();
    let idle = || ChangesWhenDropped(agent.clone());
    agent.change_registry(|own| own.with(idle()).tool::<Idle>().map(|_| ())).unwrap();
    assert!(remove(&agent, "idle"));
    assert_eq!(visible(&agent), ["dropped"]);
    assert!(remove(&agent, "dropped"));
    let mut registry = Registry::new();
    registry.with(idle()).tool::<Idle>().unwrap();
    agent.replace_registry(registry);
    agent.replace_registry(Registry::new());
    assert_eq!(visible(&agent), ["dropped"]);
    assert!(remove(&agent, "dropped"));
    let refused = agent.change_registry(|own| {
        own.with(idle()).tool::<Idle>()?;
        own.dynamic(says("run_code", "never")).map(|_| ())
    });
    assert_eq!(codes(&refused.unwrap_err()), ["INVALID_NAME"]);
    assert_eq!(visible(&agent), ["dropped"], "what was refused is dropped too");
    assert!(remove(&agent, "dropped"));
    quiet_panics();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        agent.change_registry::<()>(|own| {
            own.with(idle()).tool::<Idle>()?;
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(visible(&agent), ["dropped"], "and what a panic left behind");
}
