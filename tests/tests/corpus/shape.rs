//! A shape, and what is expected of it.

use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::Value;
use tool_runtime::prelude::*;

use crate::subject::{self, Argument, Subject};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Arguments,
    Output,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    Holds,
    /// The law holds but for values that the parser of a type refuses, with their path: which, and why the schema does not
    /// say so.
    HoldsExcept(&'static str),
    /// A registration is refused with a message that holds these words.
    Refused(&'static str),
}

pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) side: Side,
    pub(crate) verdict: Verdict,
    /// Why what was sent and what was read look different, if they may.
    pub(crate) read_as: Option<&'static str>,
    /// Whether what it writes is another thing than what it reads, as arguments may.
    pub(crate) is_read_only: bool,
    /// Names that are read and not published, with those that they stand for.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    pub(crate) open: Box<dyn Fn() -> Result<Subject, String>>,
}

impl Shape {
    fn new(name: &'static str, side: Side, open: impl Fn() -> Result<Subject, String> + 'static) -> Self {
        Self {
            name,
            side,
            verdict: Verdict::Holds,
            read_as: None,
            is_read_only: false,
            aliases: &[],
            open: Box::new(open),
        }
    }

    fn judged(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }

    pub(crate) fn except(self, what: &'static str) -> Self {
        self.judged(Verdict::HoldsExcept(what))
    }

    pub(crate) fn refused(self, words: &'static str) -> Self {
        self.judged(Verdict::Refused(words))
    }

    pub(crate) fn read_as(self, why: &'static str) -> Self {
        Self { read_as: Some(why), ..self }
    }

    /// Arguments that write something else than they read.
    pub(crate) fn read_only(self, why: &'static str) -> Self {
        Self { is_read_only: true, ..self.read_as(why) }
    }

    pub(crate) fn aliases(self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        Self { aliases, ..self }
    }

    /// What holds of the shape as an output only.
    pub(crate) fn on_output(self, change: impl FnOnce(Self) -> Self) -> Self {
        if self.side == Side::Output { change(self) } else { self }
    }

    /// What holds of the shape in arguments only.
    pub(crate) fn in_arguments(self, change: impl FnOnce(Self) -> Self) -> Self {
        if self.side == Side::Arguments { change(self) } else { self }
    }
}

/// Arguments as somebody else publishes them, with a value that they may be.
pub(crate) fn foreign(name: &'static str, schema: Value, value: Value) -> Shape {
    Shape::new(name, Side::Arguments, move || subject::foreign(&schema, value.clone()))
}

/// A shape that is a field of arguments.
pub(crate) fn argument<T: Argument>(name: &'static str, values: impl Strategy<Value = T> + 'static) -> Shape {
    let values = values.boxed();
    Shape::new(name, Side::Arguments, move || subject::field(values.clone()))
}

/// A shape that is the arguments of a tool.
pub(crate) fn arguments<T>(name: &'static str, values: impl Strategy<Value = T> + 'static) -> Shape
where
    T: Execute + Debug + Serialize,
{
    let values = values.boxed();
    Shape::new(name, Side::Arguments, move || subject::root(values.clone()))
}

/// A shape that is an output.
pub(crate) fn output<T>(name: &'static str, values: impl Strategy<Value = T> + 'static) -> Shape
where
    T: ToolOutput + Debug + PartialEq,
{
    let values = values.boxed();
    Shape::new(name, Side::Output, move || subject::output(values.clone()))
}

/// Types of arguments, as the corpus writes them.
macro_rules! argument_types {
    ($($item:item)*) => {$(
        #[tool_runtime::tool_input]
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        $item
    )*};
}

/// The same as types of outputs.
macro_rules! output_types {
    ($($item:item)*) => {$(
        #[tool_runtime::tool_output]
        #[derive(Clone, Debug, PartialEq)]
        $item
    )*};
}

/// Shapes that stand in arguments and in outputs: the same items, once with the one `types!` and `shape`, once with the
/// other.
macro_rules! both {
    ($($item:item)*) => {
        pub(crate) mod arguments {
            #[allow(unused_imports, reason = "what one file needs, another does not")]
            use super::*;
            #[allow(unused_imports, reason = "what one file needs, another does not")]
            use crate::shape::{argument as shape, argument_types as types};
            $($item)*
        }
        pub(crate) mod outputs {
            #[allow(unused_imports, reason = "what one file needs, another does not")]
            use super::*;
            #[allow(unused_imports, reason = "what one file needs, another does not")]
            use crate::shape::{output as shape, output_types as types};
            $($item)*
        }

        pub(crate) fn all() -> Vec<crate::shape::Shape> {
            let mut all = arguments::shapes();
            all.extend(outputs::shapes());
            all
        }
    };
}

/// The shape of a type that is no declared output itself, as the one field of a type that is.
macro_rules! held {
    ($name:literal, $type:ty, $values:expr) => {{
        types! {
            struct Held {
                it: $type,
            }
        }
        shape($name, $values.prop_map(|it| Held { it }))
    }};
}

pub(crate) use {argument_types, both, held, output_types};
