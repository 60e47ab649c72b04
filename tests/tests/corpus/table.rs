//! The table of all shapes with their verdicts.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::shape::{Shape, Side, Verdict};

/// Shapes that the compiler refuses, with the case that proves it under `tests/ui`.
const BY_THE_COMPILER: &[(&str, &str)] = &[
    ("a 128-bit integer", "input/wide_integer"),
    ("a 128-bit integer", "output_type/wide_integer"),
    ("a map by tuples", "input/map_keyed_by_tuple"),
    ("a map by tuples", "output_type/map_keyed_by_tuple"),
    ("a map by arrays", "output_type/map_keyed_by_array"),
    ("a union", "input/union"),
    ("a union", "output_type/union"),
    ("a reference", "input/static_reference"),
    ("a reference", "output_type/borrowed_static"),
    ("a lifetime", "input/lifetime"),
    ("a lifetime", "output_type/borrowed"),
    ("tag on a struct", "input/tag_on_a_struct"),
    ("tag on a struct", "output_type/tag_on_a_struct"),
    ("an attribute for the schema alone", "input/schema_only_default"),
    ("an attribute for the schema alone", "output_type/schema_only_rename"),
    ("alias on a variant", "input/alias_of_variant"),
    ("deserialize_with without its schema", "input/deserialize_with_alone"),
    ("a flattened list", "input/flattened_list"),
    ("arguments: newtype struct", "input/newtype"),
    ("arguments: tuple struct", "input/tuple_struct"),
    ("arguments: transparent struct", "input/transparent"),
    ("arguments: union", "input/union"),
    ("arguments: recursive struct", "input/recursive"),
    ("arguments: enum without variants", "input/empty_enum"),
    ("arguments: externally tagged unit variant", "input/unit_variants"),
    ("arguments: untagged scalar", "input/untagged_scalar"),
    ("arguments: untagged attribute on a struct", "input/untagged_struct"),
    ("arguments: internally tagged tuple variant", "input/tagged_tuple"),
    ("Option<Option<T>>", "output_type/option_of_option"),
    ("skip on a field", "output_type/skipped_field"),
    ("skip on a variant", "output_type/skipped_variant"),
    ("skip_serializing", "output_type/skipped_when_written"),
    ("skip_deserializing", "output_type/skipped_when_read"),
    ("skip_serializing_if without default", "output_type/skipped_at_times_without_default"),
    ("skip_serializing_if in a tuple", "output_type/skipped_in_a_tuple"),
    ("rename with two names", "output_type/two_names"),
    ("rename_all with two styles", "output_type/two_styles"),
    ("serialize_with without deserialize_with", "output_type/serialize_with_alone"),
    ("into without from", "output_type/one_way_conversion"),
    ("into and from of two types", "output_type/two_conversions"),
];

/// The table as it should stand in `shapes.md`.
pub(crate) fn written(shapes: &[Shape]) -> String {
    let mut text = String::from(
        "# Shapes\n\nWritten by `CORPUS=overwrite cargo test -p tests --test corpus`; do not edit.\n\n\
         An integer of more than 53 bits where a float is meant is rounded in arguments, and refused where it comes back as a\n\
         value.\n\n\
         What an alias hides, and which untagged variants overlap, is seen in types with `#[tool_output]`, `#[tool_input]` or\n\
         `#[derive(Tool)]`. In types without them, only samples show it: `testing::assert_output_contract`.\n\n\
         | shape | in arguments | as an output |\n| --- | --- | --- |\n",
    );
    let mut names: Vec<&str> = Vec::new();
    for shape in shapes {
        if !names.contains(&shape.name) {
            names.push(shape.name);
        }
    }
    for name in names {
        let verdict = |side: Side| {
            let shape = shapes.iter().find(|shape| shape.name == name && shape.side == side);
            shape.map_or_else(String::new, verdict)
        };
        let (arguments, output) = (verdict(Side::Arguments), verdict(Side::Output));
        line(&mut text, &format!("| {} | {arguments} | {output} |", escaped(name)));
    }
    text.push_str("\n## Refused by the compiler\n\n| shape | message | case |\n| --- | --- | --- |\n");
    for (name, case) in BY_THE_COMPILER {
        line(&mut text, &format!("| {} | {} | `ui/{case}.rs` |", escaped(name), escaped(&message(case))));
    }
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes every text");
}

fn verdict(shape: &Shape) -> String {
    let mut text = match shape.verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::HoldsExcept(what) => format!("holds, except: {what}"),
        Verdict::Refused(words) => format!("refused at registration: {words}"),
    };
    if let (Some(why), Side::Arguments) = (shape.read_as, shape.side) {
        let verb = if shape.is_read_only { "" } else { "read " };
        write!(text, "; {verb}{why}").expect("a string takes every text");
    }
    if !shape.aliases.is_empty() {
        text.push_str("; aliases are read and not published");
    }
    escaped(&text)
}

/// A bar would end the cell, and a pair of angle brackets would be HTML.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// The first line of a golden.
fn message(case: &str) -> String {
    let path = here().join("../ui").join(case).with_extension("stderr");
    let golden = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let first = golden.lines().next().unwrap_or_default();
    first.strip_prefix("error: ").unwrap_or(first).to_owned()
}

pub(crate) fn here() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus"))
}
