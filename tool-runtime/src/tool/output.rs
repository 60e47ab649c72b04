//! What a body may return.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json::JsonValue;

/// A type that a body may return as its tool's canonical value.
///
/// `#[tool_output]` declares one; scalars, strings, lists, options, string-keyed maps, arrays and tuples of outputs, and
/// any [`JsonValue`], are outputs as they are. Any JSON root is legal, not only objects.
///
/// It writes what it publishes and reads what it writes: a value that comes back from a program, a cache or a policy is
/// the same typed value again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared output",
    label = "not a `#[tool_output]` type",
    note = "put `#[tool_output]` above the definition of the type; of a list, an option or a map, above that of what it holds"
)]
pub trait ToolOutput: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

macro_rules! ready {
    ($($type:ty),* $(,)?) => {
        $(#[diagnostic::do_not_recommend] impl ToolOutput for $type {})*
    };
}

ready!((), bool, char, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64, String, JsonValue);

#[diagnostic::do_not_recommend]
impl<T: ToolOutput> ToolOutput for Vec<T> {}
#[diagnostic::do_not_recommend]
impl<T: ToolOutput> ToolOutput for Option<T> {}
#[diagnostic::do_not_recommend]
impl<T: ToolOutput> ToolOutput for Box<T> {}
#[diagnostic::do_not_recommend]
impl<T: ToolOutput> ToolOutput for Arc<T> {}
#[diagnostic::do_not_recommend]
impl<T: ToolOutput + Clone> ToolOutput for Cow<'static, T> {}
#[diagnostic::do_not_recommend]
impl<T: ToolOutput> ToolOutput for BTreeMap<String, T> {}
#[diagnostic::do_not_recommend]
impl<T: ToolOutput, H: BuildHasher + Default + Send + Sync + 'static> ToolOutput for HashMap<String, T, H> {}

macro_rules! arrays {
    ($($length:literal)*) => {
        $(#[diagnostic::do_not_recommend] impl<T: ToolOutput> ToolOutput for [T; $length] {})*
    };
}

// serde reads and writes arrays of up to 32 elements; an empty one never reads its element type.
arrays!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

macro_rules! tuples {
    ($($($name:ident)+;)*) => {
        $(#[diagnostic::do_not_recommend] impl<$($name: ToolOutput),+> ToolOutput for ($($name,)+) {})*
    };
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}
