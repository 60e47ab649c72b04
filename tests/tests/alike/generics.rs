//! Generic tools and outputs, with associated types, defaults and parameters that only mark.

use std::marker::PhantomData;

use tool_runtime::prelude::*;
use tool_runtime::schemars::JsonSchema;
use tool_runtime::serde::de::DeserializeOwned;

trait Kind: Send + Sync + 'static {
    type Key: DeserializeOwned + JsonSchema + Send + Sync + 'static;
}

struct Photos;

impl Kind for Photos {
    type Key = u32;
}

#[tool_output]
struct Page<T> {
    items: Vec<T>,
    next: Option<Box<Page<T>>>,
}

/// Find things of a kind.
#[derive(Tool)]
#[tool(output = Page<String>, render = json)]
struct Find<K: Kind, T = u8> {
    key: K::Key,
    words: Vec<T>,
    #[serde(skip)]
    kind: PhantomData<K>,
}

impl<K: Kind, T: DeserializeOwned + JsonSchema + Send + Sync + 'static> Execute for Find<K, T> {
    async fn execute(&self, _: &Context<()>) -> Result<Page<String>, ToolError> {
        let _ = (&self.key, self.words.len(), self.kind);
        Ok(Page { items: Vec::new(), next: None })
    }
}

#[test]
fn it_works() {
    assert_eq!(Find::<Photos>::NAME, "find");
}
