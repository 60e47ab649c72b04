//! Shapes that cannot hold the laws, and that only their types show: refused when the tool is registered.

use std::collections::BTreeMap;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::prelude::*;

use crate::shape::{Shape, both};
use crate::subject::Echo;

/// What an alias hides from the macro.
type Wide = u128;

/// The same of a map, whose keys schemars publishes as any text.
type Grid = BTreeMap<(u8, u8), u8>;

mod only_arguments {
    use super::*;

    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub(super) struct Text(String);

    /// A text by another name.
    #[derive(Tool, Clone, Debug, Serialize)]
    #[tool(output = Echo, render = json)]
    #[serde(untagged)]
    pub(super) enum Hidden {
        Text(Text),
        Fine { a: u8 },
    }

    /// Any JSON by another name.
    #[derive(Tool, Clone, Debug, Serialize)]
    #[tool(output = Echo, render = json)]
    pub(super) struct OfAnything(pub(super) Anything);

    pub(super) type Anything = serde_json::Value;

    impl Execute for OfAnything {
        async fn execute(&self, _: &Context) -> Result<Echo, ToolError> {
            Echo::of(self)
        }
    }

    impl Execute for Hidden {
        async fn execute(&self, _: &Context) -> Result<Echo, ToolError> {
            Echo::of(self)
        }
    }
}

mod only_outputs {
    use super::*;

    macro_rules! by_hand {
        ($($item:item)*) => {$(
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
            $item
        )*};
    }

    by_hand! {
        pub(super) struct TwoNames {
            #[serde(rename(serialize = "written", deserialize = "read"))]
            pub(super) n: u8,
        }
        pub(super) struct LeftOut {
            #[serde(skip_serializing_if = "String::is_empty")]
            pub(super) text: String,
        }
    }

    impl ToolOutput for TwoNames {}
    impl ToolOutput for LeftOut {}
}

both! {
    types! {
        struct TooWide {
            nested: Vec<Option<Wide>>,
        }
        struct Cells {
            nested: Vec<Grid>,
        }
        struct Words(Vec<String>);
        struct FlatWords {
            ok: bool,
            #[serde(flatten)]
            words: Words,
        }
        #[serde(tag = "by")]
        enum TaggedWords {
            Words(Words),
            Other { n: u8 },
        }
        struct Inner {
            n: u8,
        }
        struct Repeated {
            n: u8,
            #[serde(flatten)]
            inner: Inner,
        }
    }

    pub(crate) fn shapes() -> Vec<Shape> {
        let words = || Words(vec!["a".into()]);
        vec![
            shape("a 128-bit integer behind an alias", Just(TooWide { nested: Vec::new() })).refused("128-bit integer"),
            shape("a map by tuples, behind an alias", Just(Cells { nested: Vec::new() }))
                .refused("the keys of a JSON object are strings"),
            shape("a flattened list", Just(FlatWords { ok: true, words: words() }))
                .refused("only an object can be joined into an object"),
            shape("a list beside a tag", Just(TaggedWords::Words(words())))
                .refused("only an object can be joined into an object"),
            shape("a field that a flattened field repeats", Just(Repeated { n: 1, inner: Inner { n: 2 } }))
                .refused("is there twice, by two fields or through a flattened one"),
        ]
    }
}

pub(crate) fn more() -> Vec<Shape> {
    use crate::shape::{arguments, output};
    vec![
        arguments("a variant that is no object", Just(only_arguments::Hidden::Fine { a: 1 }))
            .refused("the arguments of a tool are an object"),
        arguments("arguments: newtype of any JSON, behind an alias", Just(only_arguments::OfAnything(true.into())))
            .refused("the arguments of a tool are an object, but this type reads any JSON value"),
        output("two names, by hand", Just(only_outputs::TwoNames { n: 1 })).refused("is not read"),
        output("skip_serializing_if without default, by hand", Just(only_outputs::LeftOut { text: String::new() }))
            .refused("must be there to be read"),
    ]
}
