//! Restrictions: what a scope does not inherit. A tool that is restricted away reads as absent.

use tests::{add, answer, code, remove, says, visible};
use tool_runtime::prelude::*;
use tool_runtime::{RestrictionError, RestrictionKey};

fn root() -> Dispatcher {
    let mut registry = Registry::new();
    for name in ["fetch", "grep", "read", "write"] {
        registry.dynamic(says(name, "root")).unwrap();
    }
    Dispatcher::new(registry)
}

fn restrict(scope: &Dispatcher, restriction: Restriction) -> RestrictionKey {
    scope.restrict(restriction).unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn what_is_not_allowed_or_is_denied_reads_as_absent() {
    let root = root();
    for (restriction, left) in [
        (Restriction::allow(["read", "grep"]), vec!["grep", "read"]),
        (Restriction::deny(["read", "grep"]), vec!["fetch", "write"]),
        (Restriction::allow(["read", "grep"]).and(Restriction::deny(["grep"])), vec!["read"]),
        (Restriction::allow(["read", "grep"]).and(Restriction::allow(["grep", "write"])), vec!["grep"]),
        (Restriction::allow(["read"]).and(Restriction::deny::<String>([])), vec!["read"]),
        (Restriction::allow::<&str>([]), vec![]),
    ] {
        let scope = root.scoped();
        restrict(&scope, restriction);
        assert_eq!(visible(&scope), left);
        assert_eq!(scope.registry().specs().count(), left.len());
        for name in ["fetch", "grep", "read", "write"] {
            let expected = if left.contains(&name) { "root" } else { "UNKNOWN_TOOL" };
            assert_eq!(answer(&scope, name).await, expected, "{name}");
            assert!(left.contains(&name) || !scope.registry().specs_json().contains(&format!("{name:?}")));
        }
    }
    assert_eq!(visible(&root).len(), 4, "nothing is kept from the parent");
}

#[tokio::test]
async fn a_tool_that_is_restricted_away_is_told_of_like_one_that_never_was() {
    let root = root();
    let scope = root.scoped();
    restrict(&scope, Restriction::deny(["fetch", "read"]));
    let message = async |dispatcher: &Dispatcher, name: &str| {
        let result = dispatcher.call(ToolCall::without_arguments("call-1", name)).await;
        assert_eq!(code(&result), "UNKNOWN_TOOL");
        result.content().to_text()
    };
    assert_eq!(
        message(&scope, "read").await,
        r#"Error [UNKNOWN_TOOL]: unknown tool "read"; the tools are: "grep", "write""#
    );
    assert_eq!(
        message(&scope, "fetcb").await,
        r#"Error [UNKNOWN_TOOL]: unknown tool "fetcb"; the tools are: "grep", "write""#
    );
    assert!(message(&root, "fetcb").await.contains(r#"did you mean "fetch"?"#));
}

#[tokio::test]
async fn a_scope_s_own_tools_are_not_restricted_and_those_of_its_parent_are() {
    let root = root();
    let agent = root.scoped();
    restrict(&agent, Restriction::allow(["grep"]));
    add(&agent, "write", "agent").unwrap();
    add(&agent, "own", "agent").unwrap();
    assert_eq!(visible(&agent), ["grep", "own", "write"]);
    assert_eq!(answer(&agent, "write").await, "agent", "its own, not the one that is kept from it");

    let subagent = agent.scoped();
    assert_eq!(visible(&subagent), ["grep", "own", "write"], "the scopes in it inherit what it has");
    restrict(&subagent, Restriction::deny(["own", "write"]));
    assert_eq!(visible(&subagent), ["grep"], "unless they are restricted themselves");
    assert_eq!(answer(&subagent, "write").await, "UNKNOWN_TOOL", "what is hidden does not uncover what it hides");
    assert_eq!(visible(&agent), ["grep", "own", "write"]);
}

#[tokio::test]
async fn a_restriction_reaches_every_scope_in_the_scope_and_no_other() {
    let root = root();
    let (agent, other) = (root.scoped(), root.scoped());
    let deep = agent.scoped().scoped().scoped();
    restrict(&agent, Restriction::deny(["fetch"]));
    restrict(&deep, Restriction::deny(["write"]));
    assert_eq!(visible(&agent), ["grep", "read", "write"]);
    assert_eq!(visible(&agent.clone().repairs(tool_runtime::Repairs::none())), ["grep", "read", "write"]);
    assert_eq!(visible(&deep), ["grep", "read"]);
    assert_eq!((visible(&other).len(), visible(&root).len()), (4, 4));
}

#[test]
fn a_restriction_holds_for_tools_that_are_registered_later() {
    let root = root();
    let (allowed, denied) = (root.scoped(), root.scoped());
    restrict(&allowed, Restriction::allow(["read"]));
    restrict(&denied, Restriction::deny(["read"]));
    add(&root, "late", "root").unwrap();
    assert_eq!(visible(&allowed), ["read"]);
    assert_eq!(visible(&denied), ["fetch", "grep", "late", "write"]);
    assert!(remove(&root, "read"));
    add(&root, "read", "another").unwrap();
    assert_eq!(visible(&allowed), ["read"]);
    assert_eq!(visible(&denied), ["fetch", "grep", "late", "write"]);
}

#[test]
fn each_restriction_is_lifted_exactly_and_for_itself() {
    let root = root();
    let agent = root.scoped();
    let first = restrict(&agent, Restriction::deny(["read", "write"]));
    let same = restrict(&agent, Restriction::deny(["read", "write"]));
    let other = restrict(&agent, Restriction::deny(["write", "fetch"]));
    assert_eq!(visible(&agent), ["grep"]);
    assert!(agent.lift(&same));
    assert!(!agent.lift(&same), "it is lifted already");
    assert_eq!(visible(&agent), ["grep"], "another of the same words holds on");
    assert!(agent.clone().lift(&first));
    assert_eq!(visible(&agent), ["grep", "read"]);
    for elsewhere in [&root, &root.scoped(), &agent.scoped()] {
        assert!(!elsewhere.lift(&other), "it is a restriction of the agent");
    }
    assert_eq!(visible(&agent), ["grep", "read"]);
    assert!(agent.lift(&other));
    assert_eq!(visible(&agent).len(), 4);
}

#[test]
fn dropping_the_key_lifts_nothing() {
    let agent = root().scoped();
    drop(restrict(&agent, Restriction::allow(["read"])));
    assert_eq!(visible(&agent), ["read"]);
}

fn refused(scope: &Dispatcher, restriction: Restriction) -> RestrictionError {
    let before = visible(scope);
    let error = scope.restrict(restriction).expect_err("it is a mistake");
    assert_eq!(visible(scope), before, "nothing is restricted");
    error
}

#[test]
fn mistakes_are_told_with_a_code_and_what_to_do() {
    let root = root();
    let agent = root.scoped();
    add(&agent, "own", "agent").unwrap();
    let unscoped = refused(&root, Restriction::deny(["read"]));
    assert_eq!((unscoped.code(), unscoped.message().contains("`scoped()`")), (&Code::NOT_SCOPED, true), "{unscoped}");
    for nothing in [Restriction::deny::<&str>([]), Restriction::deny::<&str>([]).and(Restriction::deny::<&str>([]))] {
        let error = refused(&agent, nothing);
        assert_eq!((error.code(), error.message().contains("`Restriction::deny`")), (&Code::EMPTY_RESTRICTION, true));
    }
    for (restriction, code, text) in [
        (
            Restriction::allow(["read", "run_code"]),
            Code::INVALID_NAME,
            "restriction [INVALID_NAME]: `run_code` is reserved, and never restricted; restrict the tools that its programs \
             call",
        ),
        (
            Restriction::deny(["reed"]),
            Code::UNKNOWN_TOOL,
            r#"restriction [UNKNOWN_TOOL]: the scope inherits no tool "reed"; those to inherit are: "fetch", "grep", "read", "write""#,
        ),
        (
            Restriction::allow(["z", "read"]).and(Restriction::deny(["a b"])),
            Code::UNKNOWN_TOOL,
            r#"restriction [UNKNOWN_TOOL]: the scope inherits no tools "a b", "z"; those to inherit are: "fetch", "grep", "read", "write""#,
        ),
        (
            Restriction::deny(["own", "read"]),
            Code::UNKNOWN_TOOL,
            concat!(
                r#"restriction [UNKNOWN_TOOL]: the scope inherits no tool "own"; those to inherit are: "fetch", "grep", "#,
                r#""read", "write"; its own tools are not restricted, but can be removed: "own""#
            ),
        ),
    ] {
        let error = refused(&agent, restriction);
        assert_eq!((error.code(), error.to_string().as_str()), (&code, text));
    }
    let none = refused(&Dispatcher::new(Registry::new()).scoped(), Restriction::deny(["read"]));
    assert!(none.message().ends_with("there is none to inherit"), "{none}");
}

#[test]
fn a_scope_may_name_what_is_kept_from_its_parent_or_what_its_parent_has_registered() {
    let root = root();
    let agent = root.scoped();
    add(&agent, "own", "agent").unwrap();
    let key = restrict(&agent, Restriction::deny(["fetch"]));
    let subagent = agent.scoped();
    restrict(&subagent, Restriction::deny(["fetch", "own"]));
    assert!(agent.lift(&key));
    assert_eq!((visible(&agent).len(), visible(&subagent)), (5, vec!["grep".into(), "read".into(), "write".into()]));
}

#[test]
fn the_names_in_an_error_are_bounded() {
    let mut registry = Registry::new();
    for index in 0..200 {
        registry.dynamic(says(&format!("tool_{index:03}"), "root")).unwrap();
    }
    let agent = Dispatcher::new(registry).scoped();
    let unknown = (0..200).map(|index| format!("none_{index:03}"));
    let error = refused(&agent, Restriction::deny(unknown));
    assert!(error.message().contains(r#""none_031" and 168 more; those"#), "{error}");
    assert!(error.message().ends_with(r#""tool_031" and 168 more"#), "{error}");
}
