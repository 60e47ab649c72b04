//! A card in the place of a view.

use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, GenericCall};

/// Find.
#[derive(Tool)]
#[tool(output = String, render = display, present)]
struct Find {}

impl Present for Find {
    type Meta = String;

    fn meta(&self, value: &String) -> String {
        value.clone()
    }

    fn call_view(&self) -> Option<CallView> {
        Some(GenericCall::new("Find"))
    }
}

fn main() {}
