//! For the tests of those who write tools.

use serde::Serialize;

use crate::json;
use crate::schema::{Side, Validator, output_schema};
use crate::tool::ToolOutput;

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
