//! The required part of the [JSON Schema Test Suite](https://github.com/json-schema-org/JSON-Schema-Test-Suite).
//!
//! A schema of it is either one of [`refused::REFUSED`], and refused for the reason that stands there, or the verdict on each
//! of its values is the suite's: of the value as a tree, while it is written, and by the walk that explains.

mod refused;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use self::refused::REFUSED;
use super::super::{SchemaError, Side, Validator};

/// Why a schema of the suite is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// It refers to another document, or makes one within itself with an `$id`.
    AnotherDocument,
    /// Its `$schema` is neither draft-07 nor 2020-12.
    AnotherMetaSchema,
    /// It needs the general validator of the feature `foreign-schemas`, and with it is not refused.
    GeneralValidator,
}

impl Reason {
    /// What is told of a keyword in one of these places.
    fn words(self) -> (&'static [&'static str], &'static str) {
        match self {
            Self::AnotherDocument => (&["$ref", "$id"], "document"),
            Self::AnotherMetaSchema => (&["$schema"], "must be \"https://json-schema.org/draft/2020-12/schema\" or"),
            Self::GeneralValidator => (&["$dynamicRef", "unevaluatedItems"], "foreign-schemas"),
        }
    }

    fn refuses(self) -> bool {
        self != Self::GeneralValidator || cfg!(not(feature = "foreign-schemas"))
    }

    fn is_told_by(self, error: &SchemaError) -> bool {
        let (keywords, words) = self.words();
        error.violations().iter().any(|violation| {
            let keyword = violation.pointer().segments().next_back().unwrap_or_default();
            let is_outside = self == Self::AnotherDocument && violation.message().contains("outside of the schema");
            keywords.contains(&&*keyword) && (is_outside || violation.message().contains(words))
        })
    }
}

/// What was tried, so that nothing falls out unseen.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    groups: usize,
    verdicts: usize,
    refused: usize,
}

#[test]
fn draft_2020_12_is_checked_as_its_suite_says() {
    let (verdicts, refused) = if cfg!(feature = "foreign-schemas") { (1149, 51) } else { (1079, 80) };
    assert_eq!(tried("draft2020-12"), Counts { groups: 368, verdicts, refused });
}

#[test]
fn draft_07_is_checked_as_its_suite_says() {
    assert_eq!(tried("draft7"), Counts { groups: 254, verdicts: 864, refused: 23 });
}

#[test]
fn every_refusal_is_of_a_group_that_is_there() {
    let mut listed = BTreeSet::new();
    for &(file, _, descriptions) in REFUSED {
        let groups = groups(&data().join(file));
        for description in descriptions {
            assert!(groups.iter().any(|group| group["description"] == *description), "{file}: {description}");
            assert!(listed.insert((file, description)), "{file} lists {description:?} twice");
        }
    }
}

fn data() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests-data/json-schema-test-suite"))
}

fn groups(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn tried(draft: &str) -> Counts {
    let entries = fs::read_dir(data().join(draft)).expect("the suite is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    for path in &files {
        let file = format!("{draft}/{}", path.file_name().expect("a file has a name").display());
        for group in groups(path) {
            let description = group["description"].as_str().expect("a group has a description");
            counts.groups += 1;
            let reason = reason_of(&file, description);
            // The walk has words for what programs know; the rest it leaves to the general validator.
            let is_explained = reason.is_none();
            let reason = reason.filter(|reason| reason.refuses());
            try_group(&group, reason, is_explained, &mut counts, &mut |what| {
                wrong.push(format!("{file}: {description}: {what}"));
            });
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    counts
}

fn reason_of(file: &str, description: &str) -> Option<Reason> {
    let of_group =
        |&&(known, _, descriptions): &&(&str, Reason, &[&str])| known == file && descriptions.contains(&description);
    REFUSED.iter().find(of_group).map(|&(_, reason, _)| reason)
}

fn try_group(
    group: &Value,
    reason: Option<Reason>,
    is_explained: bool,
    counts: &mut Counts,
    wrong: &mut dyn FnMut(String),
) {
    let schema = with_dialect(&group["schema"]);
    let validator = match (Validator::foreign(&schema, Side::Output), reason) {
        (Ok((_, validator)), None) => validator,
        (Ok(_), Some(reason)) => return wrong(format!("is not refused as {reason:?}")),
        (Err(error), Some(reason)) if reason.is_told_by(&error) => return counts.refused += 1,
        (Err(error), reason) => return wrong(format!("is refused, and not as {reason:?}: {error}")),
    };
    for case in group["tests"].as_array().expect("a group has tests") {
        let (value, valid) = (&case["data"], case["valid"].as_bool().expect("a test has a verdict"));
        let (tree, written) = (validator.check(value), validator.accept(value));
        if tree.is_ok() != valid || written.is_ok() != valid {
            let tree = tree.err().map(|violations| told(&violations));
            let written = written.err().map(|violations| told(&violations));
            wrong(format!("{value} is valid: {valid}, but {tree:?} as a tree, {written:?} while it is written"));
        }
        if is_explained && validator.explained(value).is_empty() != valid {
            wrong(format!("{value} is valid: {valid}, and the walk that explains says otherwise"));
        }
        counts.verdicts += 1;
    }
}

fn told(violations: &[super::super::Violation]) -> String {
    violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The suite leaves it to the place of its older files which draft they are of.
fn with_dialect(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(node) = &mut schema
        && !node.contains_key("$schema")
    {
        node.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    }
    schema
}
