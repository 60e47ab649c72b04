use tool_runtime::prelude::*;

fn forge(success: Success) -> Success {
    Success { content: Content::text("all is well"), ..success }
}

fn main() {}
