//! What looks like a mistake and is none: it compiles, and without a warning.
#![deny(warnings, missing_docs, unused_qualifications, clippy::pedantic)]

/// A type alias of the output, an alias of the crate, and names of the prelude taken by something else.
mod aliases {
    use tool_runtime as tools;
    use tools::prelude::*;

    type Result<T> = std::result::Result<T, ToolError>;
    #[expect(dead_code, reason = "what the macros write must not mean this one")]
    struct Option;

    type Total = Sum;

    /// Add two integers.
    #[derive(Tool)]
    #[tool(output = Total, render = json)]
    struct Add {
        a: i64,
        b: std::option::Option<i64>,
    }

    #[tool_output]
    struct Sum {
        sum: i64,
    }

    impl Execute for Add {
        async fn execute(&self, _: &Context) -> Result<Sum> {
            Ok(Sum { sum: self.a + self.b.unwrap_or_default() })
        }
    }

    #[test]
    fn registers() {
        Registry::new().tool::<Add>().unwrap();
    }
}
