//! Scopes: tools for one agent, and tools kept from one.

use tool_runtime::prelude::*;
use tool_runtime::{RestrictionError, ToolKey};

use super::assert_shown;

macro_rules! tool {
    ($(#[$doc:meta])* $tool:ident) => {
        $(#[$doc])*
        #[derive(Tool)]
        #[tool(output = String, render = display)]
        struct $tool {}

        impl Execute for $tool {
            async fn execute(&self, _: &Context) -> Result<String, ToolError> {
                Ok(stringify!($tool).to_lowercase())
            }
        }
    };
}

tool!(
    /// Read a file.
    Read
);
tool!(
    /// Write a file.
    Write
);
tool!(
    /// Fetch a page.
    Fetch
);
tool!(
    /// Search the files, this agent's way.
    Search
);

// ANCHOR: findings
/// What one agent has found.
#[derive(Default)]
struct Findings(std::sync::Mutex<Vec<String>>);

/// Write down what you have found.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct Note {
    text: String,
}

impl Execute<Findings> for Note {
    async fn execute(&self, cx: &Context<Findings>) -> Result<usize, ToolError> {
        let mut findings = cx.state().0.lock().unwrap();
        findings.push(self.text.clone());
        Ok(findings.len())
    }
}
// ANCHOR_END: findings

// ANCHOR: scope
fn researcher(dispatcher: &Dispatcher) -> Result<Dispatcher, RegistrationError> {
    let agent = dispatcher.scoped();
    agent.change_registry(|own| {
        own.with(Findings::default()).tool::<Note>()?; // a state of its own
        Ok(())
    })?;
    Ok(agent.guard(OfficeHours)) // in addition to the guards of `dispatcher`
}
// ANCHOR_END: scope

struct OfficeHours;

impl Guard for OfficeHours {
    fn name(&self) -> &'static str {
        "office-hours"
    }

    fn denies(&self, _: &PolicyCall<'_>) -> Option<String> {
        None
    }
}

// ANCHOR: restrict
fn without_network(agent: &Dispatcher) -> Result<(), RestrictionError> {
    agent.restrict(Restriction::deny(["fetch"]))?;
    Ok(())
}

async fn while_reading_only(agent: &Dispatcher) -> Result<ToolResult, RestrictionError> {
    let reading = agent.restrict(Restriction::allow(["read"]))?;
    let result = agent.call(ToolCall::without_arguments("call-1", "write")).await;
    assert!(agent.lift(&reading));
    Ok(result)
}
// ANCHOR_END: restrict

// ANCHOR: change
fn update(dispatcher: &Dispatcher, old: &ToolKey) -> Result<bool, RegistrationError> {
    dispatcher.change_registry(|own| {
        let was_there = own.remove(old);
        own.tool::<Search>()?; // if this is refused, `old` is still there
        Ok(was_there)
    })
}
// ANCHOR_END: change

fn dispatcher() -> Dispatcher {
    Dispatcher::new(toolset! { () => [Read, Write, Fetch] }.unwrap())
}

// ANCHOR: seen
fn seen_by(who: &str, dispatcher: &Dispatcher) -> String {
    let tools = dispatcher.registry();
    format!("{who:<12}{}\n", tools.names().collect::<Vec<_>>().join(" "))
}
// ANCHOR_END: seen

#[tokio::test]
async fn a_scope_has_tools_of_its_own_and_not_all_of_its_parent() {
    let dispatcher = dispatcher();
    let agent = researcher(&dispatcher).unwrap();
    let subagent = agent.scoped();
    let mut shown = seen_by("dispatcher", &dispatcher) + &seen_by("agent", &agent);
    without_network(&agent).unwrap();
    shown += &seen_by("restricted", &agent);
    shown += &seen_by("subagent", &subagent);
    assert_shown("scopes.txt", &shown);

    let refused = while_reading_only(&agent).await.unwrap();
    assert_shown("restricted.txt", &refused.content().to_text());
    assert!(agent.call(ToolCall::without_arguments("call-2", "write")).await.is_success());
    let noted = subagent.call(ToolCall::new("call-3", "note", r#"{"text": "It works."}"#)).await;
    assert_eq!(noted.content().to_text(), "1");
}

#[test]
fn a_registry_in_use_is_changed_in_one_step() {
    let dispatcher = dispatcher();
    let fetch = dispatcher.registry().key("fetch").unwrap();
    assert!(update(&dispatcher, &fetch).unwrap());
    assert_eq!(dispatcher.registry().names().collect::<Vec<_>>(), ["read", "search", "write"]);
    let read = dispatcher.registry().key("read").unwrap();
    assert!(update(&dispatcher, &read).is_err());
    assert_eq!(dispatcher.registry().len(), 3);
}

#[test]
fn a_mistake_in_a_restriction_is_told() {
    let agent = dispatcher().scoped();
    // ANCHOR: mistake
    let error = agent.restrict(Restriction::deny(["fetsch"])).unwrap_err();
    // ANCHOR_END: mistake
    assert_shown("restriction_mistake.txt", &error.to_string());
}
