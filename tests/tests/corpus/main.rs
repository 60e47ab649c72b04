//! The contract corpus: shapes of types, and proof that what is published is exactly what is accepted.
//!
//! Each shape is tried in arguments and as an output, by four laws:
//!
//! * what its schema accepts is decoded, and near misses that the schema refuses are refused, with their place; instances
//!   are drawn from the published schema by a [generator](instances) that sees nothing else, and the verdict is that of the
//!   `jsonschema` crate;
//! * what values of its type are written as is accepted by the schema, and decoded as they were;
//! * the published schema is JSON Schema, in words that every reader knows, and the same text each time;
//! * as an output, what is written is accepted, and comes back equal when it is put in the place of another value.
//!
//! `shapes.md` lists every shape with its verdict, and `lowered.md` what each provider's dialect says of it, by the
//! [laws of dialects](lowered). `CORPUS=overwrite cargo test -p tests --test corpus` writes it anew, and
//! `PROPTEST_CASES=1000 cargo test -p tests --test corpus` looks further than CI does.

#![allow(dead_code, reason = "variants that only a decoder makes")]

mod choices;
mod instances;
mod laws;
mod lowered;
mod misses;
mod published;
mod shape;
mod shapes;
mod subject;
mod table;

use std::collections::BTreeSet;
use std::fs;

use laws::hold;
use shape::Shape;

macro_rules! shapes_hold {
    ($($test:ident: $module:ident;)*) => {
        $(
            #[test]
            fn $test() {
                hold(&shapes::$module::all());
            }
        )*

        fn every_shape() -> Vec<Shape> {
            [$(shapes::$module::all()),*].into_iter().flatten().chain(shapes::refused::more()).collect()
        }
    };
}

shapes_hold! {
    scalars_are_what_they_publish: scalars;
    lists_sets_and_pointers_are_what_they_publish: containers;
    maps_are_what_they_publish: maps;
    enums_are_what_they_publish: enums;
    fields_are_what_they_publish: fields;
    recursive_and_generic_types_are_what_they_publish: recursion;
    constraints_are_what_they_publish: constrained;
    types_of_other_crates_are_what_they_publish: foreign;
    shapes_of_one_side_are_what_they_publish: one_sided;
    arguments_are_what_they_publish: roots;
    what_cannot_hold_is_refused: refused;
}

#[test]
fn strict_dialects_say_what_the_shapes_are_or_name_what_they_lose() {
    lowered::hold(&every_shape(), &lowered::STRICT);
}

#[test]
fn lenient_dialects_say_what_the_shapes_are_or_name_what_they_lose() {
    lowered::hold(&every_shape(), &lowered::LENIENT);
}

#[test]
fn other_dialects_say_what_the_shapes_are_or_name_what_they_lose() {
    lowered::hold(&every_shape(), &lowered::OTHERS);
}

#[test]
fn dialects_say_what_others_publish_or_name_what_they_lose() {
    for dialects in [&lowered::STRICT[..], &lowered::LENIENT, &lowered::OTHERS] {
        lowered::hold(&foreign(), dialects);
    }
}

#[test]
fn the_table_of_dialects_lists_every_shape_with_what_is_lost() {
    is_golden("lowered.md", &lowered::table(&every_shape()));
}

#[test]
#[ignore = "writes the files that tests/oracles/run gives to the providers' libraries"]
fn definitions_are_written_for_oracles() {
    let directory = std::env::var_os("ORACLES").expect("the directory to write to, in ORACLES");
    lowered::definitions::write(&every_shape(), "corpus", directory.as_ref());
    lowered::definitions::write(&foreign(), "foreign", directory.as_ref());
}

#[test]
#[ignore = "reads what a library has generated for tests/oracles/run"]
fn what_a_constrained_decoder_generates_is_taken() {
    let directory = std::env::var_os("ORACLES").expect("the directory to read from, in ORACLES");
    lowered::drawn::hold(&every_shape(), "corpus", directory.as_ref());
    lowered::drawn::hold(&foreign(), "foreign", directory.as_ref());
}

/// What others publish.
fn foreign() -> Vec<Shape> {
    tests::foreign::schemas().into_iter().map(|(name, schema, value)| shape::foreign(name, schema, value)).collect()
}

#[test]
fn what_cannot_hold_on_one_side_is_refused() {
    hold(&shapes::refused::more());
}

#[test]
fn the_table_lists_every_shape_with_its_verdict() {
    let shapes = every_shape();
    let names: BTreeSet<&str> = shapes.iter().map(|shape| shape.name).collect();
    assert!(names.len() >= 80, "{} shapes", names.len());
    let sides: BTreeSet<(&str, bool)> =
        shapes.iter().map(|shape| (shape.name, shape.side == shape::Side::Output)).collect();
    assert_eq!(sides.len(), shapes.len(), "two shapes have one name");
    is_golden("shapes.md", &table::written(&shapes));
}

#[track_caller]
fn is_golden(name: &str, table: &str) {
    let path = table::here().join(name);
    if std::env::var_os("CORPUS").is_some_and(|mode| mode == "overwrite") {
        fs::write(path, table).expect("the table can be written");
        return;
    }
    let golden = fs::read_to_string(path).unwrap_or_default();
    assert!(golden == table, "{name} is stale; write it anew with CORPUS=overwrite");
}
