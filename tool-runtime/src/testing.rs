//! For the tests of those who write tools.

mod memory_spill;

pub use memory_spill::{MemorySpill, MemoryWriter};

use std::fmt;
use std::thread;

use serde::Serialize;

use crate::card::{CallView, DurableResult, ResultView};
use crate::content::Content;
use crate::json;
use crate::schema::{Side, Validator, output_schema};
use crate::tool::{Tool, ToolOutput};

/// Checks that an output type keeps its contract on these samples: its schema can be published, each sample is written
/// losslessly, is what the schema says, and comes back as what writes the same JSON again.
///
/// The compiler and registration refuse what they can see. This finds the rest: hand-written serde code, variants of
/// an `untagged` enum without `#[tool_output]` that overlap, skipped fields whose default is another value.
///
/// ```
/// use tool_runtime::prelude::*;
///
/// #[tool_output]
/// struct Page {
///     title: String,
///     #[serde(default, skip_serializing_if = "Vec::is_empty")]
///     links: Vec<String>,
/// }
///
/// tool_runtime::testing::assert_output_contract([
///     Page { title: "Home".into(), links: vec![] },
///     Page { title: "Away".into(), links: vec!["/".into()] },
/// ]);
/// ```
///
/// # Panics
/// If a sample breaks the contract, with all that is wrong.
#[track_caller]
pub fn assert_output_contract<T: ToolOutput>(samples: impl IntoIterator<Item = T>) {
    let faults = output_contract_faults(samples);
    assert!(faults.is_empty(), "{} breaks the output contract:\n{}", std::any::type_name::<T>(), faults.join("\n"));
}

/// What [`assert_output_contract`] finds.
fn output_contract_faults<T: ToolOutput>(samples: impl IntoIterator<Item = T>) -> Vec<String> {
    let validator = match output_schema::<T>().and_then(|schema| Validator::derived(&schema, Side::Output)) {
        Ok(validator) => validator,
        Err(error) => return error.violations().iter().map(|violation| format!("schema: {violation}")).collect(),
    };
    let mut faults = Vec::new();
    for (index, sample) in samples.into_iter().enumerate() {
        if let Err(fault) = check_sample(&validator, &sample) {
            faults.push(format!("sample {index}: {fault}"));
        }
    }
    faults
}

fn check_sample<T: ToolOutput + Serialize>(validator: &Validator, sample: &T) -> Result<(), String> {
    let written = validator
        .accept(sample)
        .map_err(|violations| violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let back: T =
        json::decode(&written.to_value()).map_err(|error| format!("{written} does not come back: {error}"))?;
    let again =
        json::write(&back).map_err(|lossy| format!("{written} comes back as what can't be written: {lossy}"))?;
    if again == written { Ok(()) } else { Err(format!("{written} comes back as {again}")) }
}

/// How often a projection is made anew.
const REPEATS: usize = 8;

/// Checks that what the model reads and what a user interface draws are functions of the arguments and the value alone.
///
/// They are made again and again, on other threads, of the value and of copies that were read back from its JSON. A copy has
/// maps of its own, so their entries stand in another order. What comes from a clock, a counter, a random source or the
/// order of a hash map differs, and is told.
///
/// ```
/// use tool_runtime::prelude::*;
///
/// /// Greet.
/// #[derive(Tool)]
/// #[tool(output = String)]
/// struct Greet {
///     name: String,
/// }
/// # impl Execute for Greet {
/// #     async fn execute(&self, _: &Context) -> Result<String, ToolError> {
/// #         Ok(format!("Hello, {}", self.name))
/// #     }
/// # }
///
/// impl Render for Greet {
///     fn render(&self, greeting: &String) -> Content {
///         Content::text(greeting.as_str())
///     }
/// }
///
/// tool_runtime::testing::assert_pure_projections(&Greet { name: "Ada".into() }, ["Hello, Ada".to_owned()]);
/// ```
///
/// # Panics
/// If a projection of a sample (content, meta or a card) differs from the one before, with both; or if a sample does not come back from its JSON.
#[track_caller]
pub fn assert_pure_projections<T: Tool>(arguments: &T, samples: impl IntoIterator<Item = T::Output>) {
    let faults: Vec<String> = samples
        .into_iter()
        .enumerate()
        .filter_map(|(index, sample)| Some(format!("sample {index}: {}", impure_projection(arguments, &sample)?)))
        .collect();
    assert!(
        faults.is_empty(),
        "{} has projections that are not pure:\n{}",
        std::any::type_name::<T>(),
        faults.join("\n")
    );
}

/// What differs between two projections of one value, if anything does.
fn impure_projection<T: Tool>(arguments: &T, sample: &T::Output) -> Option<String> {
    let first = projections(arguments, sample);
    let text = match json::write(sample) {
        Ok(text) => text.to_value(),
        Err(lossy) => return Some(format!("it can't be written: {lossy}")),
    };
    (0..REPEATS).find_map(|_| {
        let anew = thread::scope(|scope| {
            let made = scope.spawn(|| {
                let copy: T::Output = json::decode(&text).map_err(|error| format!("it does not come back: {error}"))?;
                Ok([projections(arguments, sample), projections(arguments, &copy)])
            });
            made.join().unwrap_or_else(|_| Err("a projection panicked".to_owned()))
        });
        match anew {
            Ok(anew) => {
                anew.into_iter().find(|again| *again != first).map(|again| format!("{first}, and then {again}"))
            }
            Err(fault) => Some(fault),
        }
    })
}

/// What is made of one value.
#[derive(PartialEq)]
struct Projections {
    content: Content,
    meta: Option<Result<String, String>>,
    call_view: Option<CallView>,
    result_view: Option<ResultView>,
}

fn projections<T: Tool>(arguments: &T, value: &T::Output) -> Projections {
    let content = (T::PROJECTION.render)(arguments, value);
    let Some(presentation) = T::PRESENTATION else {
        return Projections { content, meta: None, call_view: None, result_view: None };
    };
    let written = (presentation.meta)(arguments, value);
    // The card is drawn as on replay: from the meta's text.
    let result_view = written.as_ref().ok().and_then(|text| {
        let meta = text.to_value();
        let kept = DurableResult::success(&content).with_meta(&meta, presentation.version);
        (presentation.result_view)(arguments, &kept)
    });
    let meta = Some(written.map(|text| text.to_string()).map_err(|lossy| lossy.to_string()));
    Projections { content, meta, call_view: (presentation.call_view)(arguments), result_view }
}

impl fmt::Display for Projections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.content.to_text())?;
        match &self.meta {
            Some(Ok(meta)) => write!(f, " with the meta {meta}")?,
            Some(Err(lossy)) => write!(f, " with meta that can't be written: {lossy}")?,
            None => {}
        }
        match (&self.call_view, &self.result_view) {
            (None, None) => Ok(()),
            (call, result) => write!(f, " and the cards {call:?} and {result:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::JsonSchema;
    use serde::Deserialize;

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Overlapping {
        Small { a: u8 },
        Large { a: u8, b: Option<u8> },
    }
    impl ToolOutput for Overlapping {}

    #[test]
    fn overlapping_variants_are_found_on_the_sample_that_shows_them() {
        let faults = output_contract_faults([Overlapping::Small { a: 1 }, Overlapping::Large { a: 1, b: Some(2) }]);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with(r#"sample 1: {"a":1,"b":2} comes back as {"a":1}"#), "{faults:?}");
    }

    #[test]
    #[should_panic(expected = "is NaN")]
    fn a_lossy_sample_is_found() {
        assert_output_contract([f64::NAN]);
    }
}
