use tool_runtime::prelude::*;

fn decide() -> PostDecision<i64> {
    PostDecision::replace_content("hidden").replace_value(0)
}

fn main() {}
