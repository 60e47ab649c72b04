//! Globs as ripgrep's `--glob` reads them.

use ignore::overrides::{Override, OverrideBuilder};
use std::path::Path;

/// One glob. Without a slash it matches the last name of a path, at any depth; with one, the path from the directory
/// that is searched. After `!` it matches everything else.
#[derive(Debug)]
pub(crate) struct Filter(Override);

impl Filter {
    /// Fails with the parser's words.
    pub(crate) fn new(root: &Path, pattern: &str) -> Result<Self, String> {
        let mut builder = OverrideBuilder::new(root);
        // The syntax is that of a line in a `.gitignore`, where `#` starts a comment; here nothing does. A path's `./`
        // means nothing to it, and would match nothing.
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let escape = if pattern.starts_with('#') { "\\" } else { "" };
        builder.add(&format!("{escape}{pattern}")).map_err(|error| error.to_string())?;
        let globs = builder.build().map_err(|error| error.to_string())?;
        // What says nothing, such as a lone `!`, is skipped; a filter without globs would let everything through.
        if globs.is_empty() {
            return Err(format!("error parsing glob '{pattern}': nothing to match"));
        }
        Ok(Self(globs))
    }

    /// Whether a file passes. The path is absolute.
    pub(crate) fn passes(&self, file: &Path) -> bool {
        let matched = self.0.matched(file, false);
        matched.is_whitelist() || (matched.is_none() && self.0.num_whitelists() == 0)
    }
}
