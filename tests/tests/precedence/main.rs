//! What a call ends as when several things happen to it: cancelling, time that runs out, a denial, a failure.
//!
//! The rows are run, and they are the guide's table: `GUIDE=overwrite cargo test -p tests --test precedence` writes it anew.

mod rows;
mod scene;

use std::fmt::Write as _;

use rows::rows;
use tests::{assert_shown, code, quiet_panics};
use tool_runtime::Effects;
use tool_runtime::prelude::*;

/// One row: what happens, and what the call ends as.
struct Row {
    stage: &'static str,
    happens: &'static str,
    plan: scene::Plan,
    ends: Ends,
}

#[derive(Debug, PartialEq, Eq)]
struct Ends {
    /// `OK` for a success.
    code: String,
    /// `None` for a success, which says in its value what it did.
    effects: Option<Effects>,
    entered: bool,
    /// Whether policies after execution ran.
    judged: bool,
}

impl Ends {
    fn of(result: &ToolResult, scene: &scene::Scene) -> Self {
        Self {
            code: code(result).to_owned(),
            effects: result.failure().map(|failure| failure.error().known_effects()),
            entered: scene.was_entered(),
            judged: scene.was_judged(),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn each_row_of_the_table_is_what_happens() {
    quiet_panics();
    for row in rows() {
        let scene = scene::Scene::new(row.plan);
        let result = scene.call().await;
        assert_eq!(Ends::of(&result, &scene), row.ends, "{}: {}\n{result:?}", row.stage, row.happens);
        assert_eq!(scene.seen(), [code(&result)], "{}: {}: published once", row.stage, row.happens);
        model_reads(&row, &result);
    }
}

/// What may have changed is said to the model once, unless the author or a policy speaks.
fn model_reads(row: &Row, result: &ToolResult) {
    let note = "may have changed something: check before you call it again";
    let of_ours = ["TIMEOUT", "ABORTED", "PANICKED", "LAYER_FAILED", "INVALID_TOOL_OUTPUT", "POLICY_FAILED"];
    let wanted = of_ours.contains(&code(result)) && row.ends.effects == Some(Effects::Possible);
    let said = result.content().to_text().matches(note).count();
    assert_eq!(said, usize::from(wanted), "{}: {}: {}", row.stage, row.happens, result.content().to_text());
}

#[tokio::test(start_paused = true)]
async fn what_only_reads_has_changed_nothing_and_is_not_said_to_have() {
    quiet_panics();
    for row in rows().into_iter().filter(|row| row.ends.effects == Some(Effects::Possible)) {
        let scene = scene::Scene::of(row.plan, Behaviour::new().read_only(true));
        let result = scene.call().await;
        assert_eq!(code(&result), row.ends.code);
        let failure = result.failure().unwrap();
        assert_eq!(failure.error().known_effects(), Effects::None, "{}: {}", row.stage, row.happens);
        assert!(!result.content().to_text().contains("changed"), "{}", result.content().to_text());
    }
}

#[test]
fn the_guide_shows_these_rows() {
    let mut table = String::from(
        "| stage | what happens | the call ends as | body entered | changed something | policies after |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    let mut stage = "";
    for Row { stage: at, happens, ends, .. } in &rows() {
        let shown = if *at == stage { "" } else { at };
        let code = if ends.code == "OK" { "success".to_owned() } else { format!("`{}`", ends.code) };
        let effects = match ends.effects {
            None => "–",
            Some(Effects::None) => "no",
            Some(Effects::Possible) => "possible",
            Some(Effects::Unknown) => "unknown",
        };
        let yes = |yes| if yes { "yes" } else { "no" };
        let (entered, judged) = (yes(ends.entered), yes(ends.judged));
        writeln!(table, "| {shown} | {happens} | {code} | {entered} | {effects} | {judged} |").unwrap();
        stage = at;
    }
    assert_shown("precedence.md", &table);
}
