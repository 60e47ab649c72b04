//! A denial and a restriction hold on every way to a body: whoever calls it, under whatever name, and whatever was done to the
//! arguments before.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tests::{code, verdicts};
use tool_runtime::prelude::*;
use tool_runtime::{Overrides, Repairs, Verdict, serde_json};

/// How often a body was entered.
#[derive(Clone, Default)]
struct Entered(Arc<AtomicUsize>);

impl Entered {
    fn times(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Erase a disk.
#[derive(Tool, serde::Serialize)]
#[tool(output = String, render = display)]
struct Erase {
    disk: u32,
}

impl Execute<Entered> for Erase {
    async fn execute(&self, cx: &Context<Entered>) -> Result<String, ToolError> {
        cx.state().0.fetch_add(1, Ordering::Relaxed);
        Ok(format!("erased {}", self.disk))
    }
}

/// Call a tool from a body.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Nest {
    function: String,
    name: String,
    arguments: String,
}

impl Execute for Nest {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        let outcome = match self.function.as_str() {
            "call" => outcome(&cx.call(&self.name, &self.arguments).await),
            "run" => outcome(&cx.run([(&self.name, &self.arguments)]).await[0]),
            _ => outcome_of(cx.invoke(Erase { disk: 1 }).await),
        };
        Ok(serde_json::to_string(&outcome)?)
    }
}

const NAMES: [&str; 3] = ["erase", "renamed", "dynamic"];

fn register(own: &mut Registry, entered: &Entered) -> Result<(), RegistrationError> {
    let of_dynamic = entered.clone();
    own.tool::<Nest>()?.with(entered.clone()).tool::<Erase>()?.tool_as::<Erase>(Overrides::new().name("renamed"))?;
    let dynamic = DynamicTool::new("dynamic", "Erase a disk, too.", move |_, _| {
        of_dynamic.0.fetch_add(1, Ordering::Relaxed);
        async { Ok(json!("erased")) }
    });
    let input = json!({"type": "object", "properties": {"disk": {"type": "integer"}}, "required": ["disk"]});
    own.dynamic(dynamic.input_schema(input).output_schema(json!({"type": "string"})))?;
    Ok(())
}

/// What came of a call: the code, the sentence, and what was decided where that is told.
type Outcome = (String, String, Option<Vec<String>>);

fn outcome(result: &ToolResult) -> Outcome {
    let message = result.failure().map_or("", |failure| failure.error().message());
    let decided = verdicts(result).into_iter().map(|(policy, verdict)| format!("{policy}: {verdict}")).collect();
    (code(result).to_owned(), message.to_owned(), Some(decided))
}

fn outcome_of(invoked: Result<String, Failure>) -> Outcome {
    match invoked {
        Ok(_) => ("OK".to_owned(), String::new(), None),
        Err(failure) => outcome(&ToolResult::Failure(failure)),
    }
}

async fn nested(function: &str, dispatcher: &Dispatcher, name: &str, arguments: &str) -> Outcome {
    let arguments = json!({"function": function, "name": name, "arguments": arguments}).to_string();
    let result = dispatcher.call(a_call("nest", &arguments)).await;
    let Some(success) = result.success() else { panic!("{result:?}") };
    serde_json::from_str(success.canonical().to_json().as_str().unwrap()).unwrap()
}

type Calling<'a> = Pin<Box<dyn Future<Output = Outcome> + 'a>>;

/// One public way to call a tool.
struct Way {
    function: &'static str,
    /// Whether the tool is found by its type instead of a name.
    is_typed: bool,
    call: for<'a> fn(&'a Dispatcher, &'a str, &'a str) -> Calling<'a>,
}

fn a_call<'a>(name: &'a str, arguments: &'a str) -> ToolCall<'a> {
    ToolCall::new("call-1", name, arguments)
}

/// Every one of them: a new one is added here, or `every_way_to_call_is_tried` fails.
const WAYS: &[Way] = &[
    Way {
        function: "call",
        is_typed: false,
        call: |dispatcher, name, arguments| {
            Box::pin(async move { outcome(&dispatcher.call(a_call(name, arguments)).await) })
        },
    },
    Way {
        function: "call_with",
        is_typed: false,
        call: |dispatcher, name, arguments| {
            Box::pin(
                async move { outcome(&dispatcher.call_with(a_call(name, arguments), CallOptions::default()).await) },
            )
        },
    },
    Way {
        function: "run",
        is_typed: false,
        call: |dispatcher, name, arguments| {
            Box::pin(async move {
                let results = dispatcher.run(vec![a_call(name, arguments), a_call(name, arguments)]).await;
                assert_eq!(outcome(&results[0]), outcome(&results[1]));
                outcome(&results[0])
            })
        },
    },
    Way {
        function: "batch",
        is_typed: false,
        call: |dispatcher, name, arguments| {
            Box::pin(async move {
                let mut batch = dispatcher.batch(vec![a_call(name, arguments)], CallOptions::default());
                outcome(&batch.next().await.expect("one result a call"))
            })
        },
    },
    Way {
        function: "invoke",
        is_typed: true,
        call: |dispatcher, _, _| Box::pin(async move { outcome_of(dispatcher.invoke(Erase { disk: 1 }).await) }),
    },
    Way {
        function: "nested call",
        is_typed: false,
        call: |dispatcher, name, arguments| Box::pin(nested("call", dispatcher, name, arguments)),
    },
    Way {
        function: "nested invoke",
        is_typed: true,
        call: |dispatcher, name, arguments| Box::pin(nested("invoke", dispatcher, name, arguments)),
    },
    Way {
        function: "nested run",
        is_typed: false,
        call: |dispatcher, name, arguments| Box::pin(nested("run", dispatcher, name, arguments)),
    },
];

#[test]
fn every_way_to_call_is_tried() {
    let mut public = Vec::new();
    for (file, prefix) in [("calls.rs", ""), ("nested.rs", "nested ")] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tool-runtime/src/dispatch").join(file);
        for line in std::fs::read_to_string(source).unwrap().lines() {
            let line = line.trim_start();
            if let Some(rest) = line.strip_prefix("pub fn ").or(line.strip_prefix("pub async fn ")) {
                public.push(format!("{prefix}{}", rest.split(['(', '<']).next().unwrap_or_default()));
            }
        }
    }
    // One stands beside its type. Of that file's functions it is the one whose future is a call.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tool-runtime/src/dispatch.rs");
    let source = std::fs::read_to_string(source).unwrap();
    let functions = source.split("pub fn ").skip(1).filter_map(|rest| rest.split_once('{'));
    let calls = functions.filter(|(signature, _)| signature.contains("dyn Future<"));
    let names = calls.map(|(signature, _)| signature.split(['(', '<']).next().unwrap_or_default().to_owned());
    let at = public.iter().position(|name| name.starts_with("nested ")).unwrap();
    public.splice(at..at, names);
    assert_eq!(
        public,
        WAYS.iter().map(|way| way.function).collect::<Vec<_>>(),
        "each public function is a way to call"
    );
}

/// Calls every tool in every way on every kind of dispatcher, and tells what came of it.
async fn everywhere(dispatcher: &Dispatcher, arguments: &str, check: impl Fn(&str, Outcome)) {
    let scope = dispatcher.scoped();
    let nested = scope.scoped();
    for (kind, dispatcher) in [("root", dispatcher), ("scope", &scope), ("nested", &nested), ("clone", &nested.clone())]
    {
        for way in WAYS {
            for name in if way.is_typed { &NAMES[..1] } else { &NAMES[..] } {
                let outcome = (way.call)(dispatcher, name, arguments).await;
                check(&format!("{kind}.{} {name}", way.function), outcome);
            }
        }
    }
}

struct Against;

const REASON: &str = "no disk is erased here";

impl PrePolicy for Against {
    fn name(&self) -> &'static str {
        "against"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        Ok(if call.tool_name() == "nest" { PreDecision::allow() } else { PreDecision::deny(REASON) })
    }
}

impl Guard for Against {
    fn name(&self) -> &'static str {
        "against"
    }

    fn denies(&self, call: &PolicyCall<'_>) -> Option<String> {
        if call.tool_name() == "nest" {
            return None;
        }
        let disk = call.arguments().map(|arguments| arguments["disk"].clone());
        assert!(disk == Some(json!(1)) || disk == Some(json!(2)), "it sees what would run: {disk:?}");
        Some(REASON.to_owned())
    }
}

struct Rewrites;

impl PrePolicy for Rewrites {
    fn name(&self) -> &'static str {
        "rewrites"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let disk = json!({"disk": 2});
        Ok(if call.tool_name() == "nest" { PreDecision::allow() } else { PreDecision::rewrite(disk) })
    }
}

const EXACT: &str = r#"{"disk": 1}"#;
const REPAIRED: &str = r#"{"disk": "1"}"#;

#[tokio::test]
async fn what_is_not_denied_runs_on_every_way() {
    for arguments in [EXACT, REPAIRED] {
        let entered = Entered::default();
        let root = Dispatcher::new(Registry::new()).repairs(Repairs::all());
        root.change_registry(|own| register(own, &entered)).unwrap();
        everywhere(&root, arguments, |way, (code, ..)| assert_eq!(code, "OK", "{way}")).await;
        assert!(entered.times() > 60, "the ways end in a body, so that a denial is what keeps them from it");
    }
}

#[tokio::test]
async fn a_denial_holds_on_every_way() {
    type Denying = fn(Dispatcher) -> Dispatcher;
    let denying: [(&str, Denying); 4] = [
        ("policy", |root| root.pre_policy(Against)),
        ("guard", |root| root.guard(Against)),
        ("policy after a rewrite", |root| root.pre_policy(Rewrites).pre_policy(Against)),
        ("guard after a rewrite", |root| root.pre_policy(Rewrites).guard(Against)),
    ];
    let rewrote = format!("rewrites: {}", Verdict::Rewrote);
    let denied = format!("against: {}", Verdict::Denied);
    for (by, denying) in denying {
        let before = by.ends_with("rewrite").then(|| rewrote.clone());
        let decided: Vec<_> = before.into_iter().chain([denied.clone()]).collect();
        for (arguments, in_scope) in [(EXACT, false), (REPAIRED, false), (EXACT, true), (REPAIRED, true)] {
            let entered = Entered::default();
            let root = denying(Dispatcher::new(Registry::new()).repairs(Repairs::all()));
            // Whoever registers in a scope of its own is judged by its parent's policies all the same.
            let dispatcher = if in_scope { root.scoped() } else { root };
            dispatcher.change_registry(|own| register(own, &entered)).unwrap();
            everywhere(&dispatcher, arguments, |way, (code, message, told)| {
                assert_eq!((code.as_str(), message.as_str()), ("DENIED", REASON), "{by}: {way}");
                assert_eq!(told.as_ref(), Some(&decided), "{by}: {way}: one record of the denial");
            })
            .await;
            assert_eq!(entered.times(), 0, "{by}");
        }
    }
}

#[tokio::test]
async fn a_restriction_holds_on_every_way() {
    for (restriction, arguments) in
        [(Restriction::deny(NAMES), EXACT), (Restriction::deny(NAMES), REPAIRED), (Restriction::allow(["nest"]), EXACT)]
    {
        let entered = Entered::default();
        let root = Dispatcher::new(Registry::new()).repairs(Repairs::all()).pre_policy(Rewrites);
        root.change_registry(|own| register(own, &entered)).unwrap();
        let agent = root.scoped();
        agent.restrict(restriction).unwrap();
        everywhere(&agent, arguments, |way, (code, message, told)| {
            assert_eq!(code, "UNKNOWN_TOOL", "{way}");
            assert!(NAMES.iter().all(|name| !message.replacen(name, "", 1).contains(name)), "{way}: {message}");
            assert_eq!(told, Some(Vec::new()), "{way}: nobody judges what can't run");
        })
        .await;
        assert_eq!(entered.times(), 0);
    }
}

#[tokio::test]
async fn a_renamed_copy_is_not_restricted_by_the_name_of_the_first() {
    // Restrictions go by name, as the model calls; who means the tool whatever its name denies its type.
    let entered = Entered::default();
    let root = Dispatcher::new(Registry::new());
    root.change_registry(|own| register(own, &entered)).unwrap();
    let agent = root.scoped().guard(NoErase);
    agent.restrict(Restriction::deny(["erase"])).unwrap();
    for name in ["erase", "renamed"] {
        assert!(!agent.call(a_call(name, EXACT)).await.is_success());
    }
    assert_eq!(agent.invoke(Erase { disk: 1 }).await.unwrap_err().code(), &Code::DENIED);
    assert_eq!(entered.times(), 0);
}

struct NoErase;

impl Guard for NoErase {
    fn name(&self) -> &'static str {
        "no-erase"
    }

    fn denies(&self, call: &PolicyCall<'_>) -> Option<String> {
        call.arguments_as::<Erase>().map(|erase| format!("disk {} stays", erase.disk))
    }
}
