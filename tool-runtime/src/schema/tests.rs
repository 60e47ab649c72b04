//! What the parts of this module do together.

// Of most types here, only the schemas are looked at.
#![allow(dead_code, clippy::items_after_statements, clippy::struct_field_names)]

mod contracts;
mod hostile;
mod instances;
mod messages;
mod places;
mod plain;
mod published;
mod refused;
mod suite;
mod values;
pub(in crate::schema) mod verdicts;

use serde_json::Value;

use super::{Schema, SchemaError, Side, Validator};

fn input<T: schemars::JsonSchema>() -> Value {
    super::input_schema::<T>(false).unwrap_or_else(|error| panic!("{error}")).to_value()
}

fn output<T: schemars::JsonSchema>() -> Value {
    super::output_schema::<T>().unwrap_or_else(|error| panic!("{error}")).to_value()
}

fn refused(result: Result<Schema, SchemaError>) -> String {
    result.expect_err("the schema is refused").to_string()
}

fn checker<T: schemars::JsonSchema>() -> Validator {
    let schema = super::input_schema::<T>(false).unwrap_or_else(|error| panic!("{error}"));
    Validator::derived(&schema, Side::Input).unwrap_or_else(|error| panic!("{error}\n{schema}"))
}

/// The sentences about a value, a line each.
fn told(validator: &Validator, value: &Value) -> String {
    let violations = validator.check(value).expect_err("the value is refused");
    violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
