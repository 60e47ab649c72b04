//! What a call touches, so that a batch knows which calls may overlap.

use std::fmt;

use super::Tool;

/// What the calls of a tool touch, taken from their arguments: two edits of different files may overlap, and two of one file
/// may not.
///
/// Asked for with `#[tool(resources)]`, and in a [`Batch`](crate::Batch) only, of the arguments that are about to run, when
/// the call has been judged. A call runs beside all that it does not conflict with, and waits until those before it that it
/// conflicts with have their results. One that touches nothing conflicts with none.
///
/// A pure function of the arguments, without I/O. A panic in it makes the call run alone, and the trace says so.
///
/// ```
/// use tool_runtime::prelude::*;
///
/// /// Add a line to a file.
/// #[derive(Tool)]
/// #[tool(output = u64, render = display, resources)]
/// struct Append {
///     /// The file, from the root of the workspace.
///     path: String,
///     /// The line.
///     line: String,
/// }
///
/// impl Resources for Append {
///     fn resources(&self) -> Vec<Access> {
///         vec![Access::write(format!("files/{}", self.path))]
///     }
/// }
/// # impl Execute for Append {
/// #     async fn execute(&self, _: &Context) -> Result<u64, ToolError> { Ok(1) }
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` asks for `resources`, but does not say what its calls touch",
    label = "no `impl Resources for {Self}`",
    note = "write `impl Resources for {Self}`, or drop `resources` from `#[tool(…)]` to let its calls run alone"
)]
pub trait Resources: AsksForResources {
    /// What a call with these arguments touches.
    fn resources(&self) -> Vec<Access>;
}

/// A tool that asks for its resources: `#[derive(Tool)]` implements it where `#[tool(…)]` has `resources`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says what its calls touch, but does not ask for it",
    label = "`resources` is missing in `#[tool(…)]`",
    note = "add `resources` to `#[tool(…)]` of `{Self}`, or drop this `impl`: without the word nothing calls it"
)]
pub trait AsksForResources: Tool {}

/// That a call reads or writes a resource.
///
/// A resource is told by its key, which all tools of a registry share: begin it with a word of its kind, as in
/// `files/src/main.rs`. A key names all that lies below it, too: who reads `files/src` conflicts with who writes
/// `files/src/main.rs`, and not with who writes `files/src.txt`. Keys are compared as they are written, so one resource needs
/// one spelling. The empty key is above all others.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Access {
    key: String,
    writes: bool,
}

impl Access {
    /// The call only looks at this resource. Calls that read one resource don't conflict.
    pub fn read(key: impl Into<String>) -> Self {
        Self { key: key.into(), writes: false }
    }

    /// The call may change this resource.
    pub fn write(key: impl Into<String>) -> Self {
        Self { key: key.into(), writes: true }
    }

    /// The resource's key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether the call may change the resource.
    pub fn is_write(&self) -> bool {
        self.writes
    }

    /// Whether two calls with these accesses may not overlap: one writes what the other reads or writes.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        (self.writes || other.writes) && (covers(&self.key, &other.key) || covers(&other.key, &self.key))
    }
}

/// Whether a key names the other, or something above it.
fn covers(key: &str, other: &str) -> bool {
    let key = key.trim_end_matches('/');
    key.is_empty() || other.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", if self.writes { "write" } else { "read" }, self.key)
    }
}

/// A tool whose calls say what they touch: every type with an `impl Resources`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` asks for `resources`, but does not say what its calls touch",
    label = "no `impl Resources for {Self}`",
    note = "write `impl Resources for {Self}`, or drop `resources` from `#[tool(…)]` to let its calls run alone"
)]
pub trait HasResources: Tool {
    /// Named by generated code, which so asks for the trait in the fewest words.
    #[doc(hidden)]
    const RESOURCES: fn(&Self) -> Vec<Access>;
}

#[diagnostic::do_not_recommend]
impl<T: Resources> HasResources for T {
    const RESOURCES: fn(&Self) -> Vec<Access> = T::resources;
}

/// How a tool's calls say what they touch.
pub struct Claim<T> {
    pub(crate) resources: fn(&T) -> Vec<Access>,
}

impl<T: HasResources> Claim<T> {
    /// The type's own [`Resources`].
    pub const fn of() -> Self {
        Self { resources: T::RESOURCES }
    }
}

impl<T> fmt::Debug for Claim<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Claim")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(one: &Access, other: &Access) -> bool {
        assert_eq!(one.conflicts_with(other), other.conflicts_with(one), "{one:?} and {other:?}");
        one.conflicts_with(other)
    }

    #[test]
    fn what_is_only_read_conflicts_with_nothing_that_reads() {
        assert!(!conflict(&Access::read("a"), &Access::read("a")));
        assert!(conflict(&Access::read("a"), &Access::write("a")));
        assert!(conflict(&Access::write("a"), &Access::write("a")));
        assert!(!conflict(&Access::write("a"), &Access::write("b")));
    }

    #[test]
    fn a_key_names_what_lies_below_it_and_not_what_begins_alike() {
        let below = ["files/src", "files/src/", "files/src/main.rs", "files/src/a/b", "files", "files/", "", "/"];
        for key in below {
            assert!(conflict(&Access::read("files/src"), &Access::write(key)), "{key}");
        }
        for key in ["files/srcs", "files/src.txt", "files/a", "file", "tables/src"] {
            assert!(!conflict(&Access::write("files/src"), &Access::write(key)), "{key}");
        }
    }
}
