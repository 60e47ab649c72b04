use tool_runtime::prelude::*;

struct Nothing;

fn host(dispatcher: Dispatcher) -> Dispatcher {
    dispatcher.policy(Nothing)
}

fn main() {}
