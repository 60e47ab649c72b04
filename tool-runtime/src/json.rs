//! Lossless JSON: reading what a model sent, writing what a tool returned, and turning a tree into a type.
//!
//! Three functions, each strict where a silent change would hide:
//!
//! - [`parse()`] reads text within limits and refuses what other parsers guess at: a key given twice, an integer that
//!   would be rounded, text that was cut off.
//! - [`write()`] serialises a value to [`JsonText`] and refuses what JSON cannot say: NaN, a key that is no text, an
//!   integer beyond 64 bits.
//! - [`decode()`] turns a [`JsonValue`] into a type. A whole float is taken where an integer is wanted, and nothing else
//!   is converted.
//!
//! All three are this crate's own code, so that no cargo feature which another crate of the build turns on in
//! `serde_json` changes what they do.
//!
//! ```
//! use tool_runtime::json::{ParseLimits, decode, parse, write};
//!
//! let arguments = parse(r#"{"lines": [1, 2.0]}"#, &ParseLimits::default())?;
//! let lines: Vec<u32> = decode(&arguments["lines"])?;
//! assert_eq!(lines, [1, 2]);
//! assert_eq!(write(&lines)?.as_str(), "[1,2]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Numbers
//!
//! | text | value | as an integer | as a float |
//! | --- | --- | --- | --- |
//! | `12` | the integer 12 | 12 | 12.0 |
//! | `12.0`, `12e0` | the float 12 | 12 | 12.0 |
//! | `-0` | the integer 0 | 0 | 0.0 |
//! | `-0.0` | the float -0 | 0 | -0.0 |
//! | `12.5` | the float 12.5 | refused | 12.5 |
//! | `18446744073709551616` (2^64) | refused | – | – |
//! | `1e20` | the float 1e20 | refused | 1e20 |
//! | `1e400`, `1e-400` | refused | – | – |
//!
//! A float is 64 bits wide and keeps every bit on its way through text; the text is the shortest that does.

mod check;
mod compare;
mod decode;
mod equal;
mod excerpt;
mod number;
mod parse;
mod pointer;
mod scan;
mod skim;
mod text;
mod write;

pub(crate) use self::check::{Check, Key};
pub(crate) use self::compare::{compare, whole};
pub use self::decode::{DecodeError, Decoder, decode, decode_with};
pub(crate) use self::decode::{attempt, attempt_text};
pub use self::equal::equal;
pub use self::parse::{ParseError, ParseErrorKind, ParseLimits, parse};
pub(crate) use self::parse::{SoFar, follow, so_far};
pub use self::pointer::Pointer;
pub(crate) use self::skim::Skim;
pub use self::text::JsonText;
pub(crate) use self::write::write_checked;
pub use self::write::{LossyKind, LossyValue, write};
/// A JSON tree. The type is `serde_json`'s, so that it works with everything else that speaks JSON.
pub use serde_json::Value as JsonValue;

/// How many containers (arrays and objects) may be nested, the outermost counted as 1: 128.
///
/// One bound for reading, writing and decoding: what one of them accepts, the others accept. It is what keeps recursion
/// over a value, dropping it included, far from the end of the stack.
pub const MAX_DEPTH: usize = 128;
