//! The definitions as files, for the providers' own libraries to judge: see `tests/oracles/README.md`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tool_runtime::dialect::Dialect;

use super::{lowered, opened};
use crate::shape::Shape;

/// Writes one file for each dialect, with every shape that it can say.
pub(crate) fn write(shapes: &[Shape], directory: &Path) {
    let opened: Vec<_> = opened(shapes).collect();
    for dialect in Dialect::ALL {
        let tools: Vec<Value> = opened
            .iter()
            .filter_map(|(shape, subject)| {
                let spoken = lowered(subject, dialect).ok()?;
                Some(json!({"tool": shape.name, "definition": spoken.lowered.definition()}))
            })
            .collect();
        let name = format!("{dialect:?}").replace('(', "-").replace(')', "");
        let text = serde_json::to_string_pretty(&tools).expect("JSON");
        fs::write(directory.join(format!("{name}.corpus.json")), text).expect("a file in the directory");
    }
}
