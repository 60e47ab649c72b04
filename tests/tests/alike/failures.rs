//! Failures that look like a mistake and are none.

use tool_runtime::prelude::*;
use tool_runtime::serde;

/// Names that generated code could use, keywords, and every style of variants.
#[derive(Clone, Debug, PartialEq, Eq, ToolFailure)]
#[non_exhaustive]
enum Odd {
    #[failure(code = "ODD_KEYWORD", "{type} and {self_:>width$.precision$} {{braces}} {f} {error} {details}")]
    Ok { r#type: u8, self_: String, width: usize, precision: usize, f: u8, error: u8, details: u8 },
    #[failure(code = "ODD_NONE", "nothing")]
    None {},
    #[failure(code = "ODD_SOME", "{0} and {1:?}, {0:>2$}")]
    Some(u8, Option<u8>, usize),
    #[failure("the sentence may stand first", code = "ODD_ERR")]
    #[deprecated = "not thrown any more"]
    Err(),
    #[failure(code = "ODD_2")]
    #[failure("two attributes", fatal)]
    Self_,
    #[failure(code = "ODD_SHOWN", "{0:?} {0:#x} {0}")]
    Shown(u8),
}

/// Another type may have the codes of the first.
#[derive(ToolFailure)]
#[failure(code = "ODD_2", "a struct without fields")]
struct Unit;

/// A field that is not shown and not sent, and a sentence of another language.
#[derive(ToolFailure)]
#[failure(code = "ODD_TUPLE", "größer als {0} ist nichts")]
struct Tuple(u64, #[expect(dead_code, reason = "it stands for what a failure carries along")] std::cell::Cell<u8>);

mod nested {
    pub(super) use std::io::Error as Cause;
}

/// A conversion, a boxed source, a cause of another name.
#[derive(ToolFailure)]
enum Caused<E: std::error::Error + Send + Sync + 'static> {
    #[failure(code = "CAUSED_IO", "{0}")]
    Io(#[failure(from)] nested::Cause),
    #[failure(code = "CAUSED_BOXED", "boxed")]
    Boxed { source: Box<dyn std::error::Error + Send + Sync + 'static> },
    #[failure(code = "CAUSED_NAMED", "{why}")]
    Named {
        #[failure(source)]
        why: E,
    },
}

macro_rules! failures {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $code:literal $sentence:literal ($field:ident: $ty:ty),)* }) => {
        $(#[$meta])*
        #[derive(ToolFailure)]
        enum $name {
            $(#[failure(code = $code, $sentence, details)] $variant { $field: $ty },)*
        }
    };
}

failures! {
    /// Made by a macro.
    Made {
        One "MADE_ONE" "one {n}" (n: u8),
        Two "MADE_TWO" "two {text}" (text: String),
    }
}

/// What stands in details may come from anywhere.
#[derive(serde::Serialize)]
#[serde(crate = "tool_runtime::serde")]
struct Place {
    row: u8,
}

/// All of it but one field.
#[derive(ToolFailure)]
#[failure(retry = corrected, effects = none)]
enum Placed {
    #[failure(code = "PLACED", "there")]
    At {
        #[failure(details)]
        place: Place,
    },
    #[failure(code = "ENDED", "the end", fatal)]
    End,
}

/// Fail.
#[derive(Tool)]
#[tool(output = u8, render = json, failure = (Odd, Unit, Tuple, Caused<std::fmt::Error>, Made, Placed))]
struct Fail {}

impl Execute for Fail {
    async fn execute(&self, _: &Context) -> Result<u8, ToolError> {
        Err(Odd::Some(1, None, 3))?
    }
}

#[tokio::test]
async fn it_works() {
    let dispatcher = Dispatcher::new(toolset! { () => [Fail] }.unwrap());
    assert_eq!(dispatcher.registry().spec("fail").unwrap().failures.len(), 6 + 1 + 1 + 3 + 2 + 2);
    let result = dispatcher.call(ToolCall::without_arguments("call", "fail")).await;
    assert_eq!(result.content().to_text(), "Error [ODD_SOME]: 1 and None,   1");
    let odd = Odd::Ok { r#type: 1, self_: "long".into(), width: 5, precision: 2, f: 3, error: 4, details: 5 };
    assert_eq!(odd.to_string(), "1 and    lo {braces} 3 4 5");
    assert_eq!(Odd::Shown(16).to_string(), "16 0x10 16");
    assert_eq!(ToolError::from(Unit).code(), ToolError::from(Odd::Self_).code());
    assert_eq!(ToolError::from(Tuple(u64::MAX, 1.into())).message(), "größer als 18446744073709551615 ist nichts");
    let named: Caused<std::fmt::Error> = Caused::Named { why: std::fmt::Error };
    assert!(ToolError::from(named).source().is_some());
    assert!(Made::One { n: 1 }.into_error().structured_details().is_some());
    let placed = ToolError::from(Placed::At { place: Place { row: 1 } });
    assert_eq!((placed.retry_advice(), placed.known_effects()), (Retry::Corrected, Effects::None));
    let end = ToolError::from(Placed::End);
    assert_eq!((end.retry_advice(), end.known_effects()), (Retry::Unspecified, Effects::None));
}
