//! Tools made by `macro_rules`, whose types, literals and docs come in invisible groups.

use tool_runtime::prelude::*;

macro_rules! lookup {
    ($name:ident, $output:ty, $field:ty, $doc:expr, $tool:literal, $limit:literal) => {
        #[doc = $doc]
        #[derive(Tool)]
        #[tool(output = $output, render = json, name = $tool, timeout = $limit)]
        struct $name {
            key: $field,
            more: Option<$field>,
        }

        impl Execute for $name {
            async fn execute(&self, _: &Context<()>) -> Result<$output, ToolError> {
                let _ = (&self.key, &self.more);
                Ok(<$output>::default())
            }
        }
    };
}

lookup!(ByName, String, String, "Look up by name.", "by_name", "5s");
lookup!(ByNumber, Vec<u32>, u32, concat!("Look up", " by number."), "by_number", "500ms");

#[test]
fn it_works() {
    assert_eq!(ByName::NAME, "by_name");
    assert_eq!(ByNumber::DESCRIPTION, "Look up by number.");
}
