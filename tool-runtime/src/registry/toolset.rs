//! Several tools at once, their names compared by the compiler.

use std::marker::PhantomData;

use super::{RegistrationError, Registry};
use crate::tool::Tool;

/// Registers tools with their states in a new registry: `toolset! { workspace => [Read, Write], () => [Add] }`.
///
/// It evaluates to `Result<Registry, RegistrationError>`, with the problems of every tool, not only of the first. Two
/// tools of one name are a compile error. A state is any expression; `()` is for tools without one.
///
/// ```
/// use tool_runtime::prelude::*;
/// # /// One.
/// # #[derive(Tool)] #[tool(output = i64, render = display)] struct One {}
/// # impl Execute for One { async fn execute(&self, _: &Context) -> Result<i64, ToolError> { Ok(1) } }
/// # /// Two.
/// # #[derive(Tool)] #[tool(output = i64, render = display)] struct Two {}
/// # impl Execute<i64> for Two { async fn execute(&self, cx: &Context<i64>) -> Result<i64, ToolError> { Ok(*cx.state()) } }
///
/// let registry: Registry = toolset! { () => [One], 2_i64 => [Two] }?;
/// assert_eq!(registry.len(), 2);
/// # Ok::<(), RegistrationError>(())
/// ```
#[macro_export]
macro_rules! toolset {
    ($($state:expr => [$($tool:ty),* $(,)?]),* $(,)?) => {{
        const _: () = {
            // What is no tool has no name, and is told where it is registered.
            #[allow(unused_imports)]
            use $crate::__private::Unnamed as _;
            const NAMES: &[&str] = &[$($($crate::__private::NameOf::<$tool>::NAME,)*)*];
            const TWICE: ::core::option::Option<&str> = $crate::__private::repeated_name(NAMES);
            const MESSAGE: [u8; $crate::__private::repeated_name_length(TWICE)] = $crate::__private::repeated_name_message(TWICE);
            ::core::assert!(TWICE.is_none(), "{}", $crate::__private::repeated_name_text(&MESSAGE));
        };
        let mut toolset = $crate::__private::Toolset::new();
        $({
            let state = ::std::sync::Arc::new($state);
            $(toolset.add(|registry| registry.with_shared(::std::sync::Arc::clone(&state)).of_set::<$tool>(&state));)*
        })*
        toolset.finish()
    }};
}

/// The name of the tool `T`, if it is one.
#[derive(Debug)]
pub struct NameOf<T>(PhantomData<T>);

impl<T: Tool> NameOf<T> {
    /// The name.
    pub const NAME: &str = T::NAME;
}

/// What stands in for the name where there is none.
pub trait Unnamed {
    /// No name.
    const NAME: &str = "";
}

impl<T> Unnamed for NameOf<T> {}

/// The registry that `toolset!` fills.
#[derive(Debug, Default)]
pub struct Toolset {
    registry: Registry,
    error: Option<RegistrationError>,
}

impl Toolset {
    /// No tool.
    pub fn new() -> Self {
        Self::default()
    }

    /// One tool more; if it is refused, the others go on.
    pub fn add(&mut self, register: impl FnOnce(&mut Registry) -> Result<(), RegistrationError>) {
        if let Err(error) = register(&mut self.registry) {
            self.error = Some(match self.error.take() {
                Some(earlier) => earlier.and(error),
                None => error,
            });
        }
    }

    /// The registry, or all that was wrong.
    ///
    /// # Errors
    /// If any tool was refused.
    pub fn finish(self) -> Result<Registry, RegistrationError> {
        match self.error {
            None => Ok(self.registry),
            Some(error) => Err(error),
        }
    }
}
