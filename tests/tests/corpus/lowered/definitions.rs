//! The definitions as files, for the providers' own libraries to judge: see `tests/oracles/README.md`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tool_runtime::dialect::Dialect;

use super::{lowered, opened};
use crate::shape::Shape;

/// Writes one file for each dialect, with every shape that it can say.
pub(crate) fn write(shapes: &[Shape], file: &str, directory: &Path) {
    let opened: Vec<_> = opened(shapes).collect();
    for dialect in Dialect::ALL {
        let tools: Vec<Value> = opened
            .iter()
            .filter_map(|(shape, subject)| {
                let spoken = lowered(subject, dialect).ok()?;
                Some(json!({"tool": shape.name, "definition": spoken.lowered.definition()}))
            })
            .collect();
        let text = serde_json::to_string_pretty(&tools).expect("JSON");
        fs::write(path(directory, dialect, file), text).expect("a file in the directory");
    }
}

/// Where what is said in a dialect stands.
pub(super) fn path(directory: &Path, dialect: Dialect, file: &str) -> PathBuf {
    let name = format!("{dialect:?}").replace('(', "-").replace(')', "");
    directory.join(format!("{name}.{file}.json"))
}
