//! Which tools a registry takes.

use std::borrow::BorrowMut;
use std::sync::Arc;

use super::{Overrides, RegistrationError, Registry, typed_definition};
use crate::tool::Execute;

/// A registry that can register the tool `T` with a state `S`: it holds of every `T` with an `impl Execute<S>`.
///
/// Asked of the registry and not of the tool, since the compiler then says less: it does not show the tool's definition.
#[diagnostic::on_unimplemented(
    message = "`{T}` has no body for the state `{S}`",
    label = "no `impl Execute<{S}> for {T}`",
    note = "write `impl Execute<{S}> for {T}` (of a type with `#[derive(Tool)]`), or register it with the state that its body takes: `registry.with(state).tool::<{T}>()?`, or with `with_shared` if that is an `Arc` of it"
)]
pub trait Registers<T, S> {
    #[doc(hidden)]
    fn register(&mut self, state: Arc<S>, overrides: Overrides) -> Result<(), RegistrationError>;
}

// Of whatever is a registry, since the compiler would tell that one which is named takes the same tool with another state.
#[diagnostic::do_not_recommend]
impl<R: BorrowMut<Registry>, T: Execute<S>, S: Send + Sync + 'static> Registers<T, S> for R {
    fn register(&mut self, state: Arc<S>, overrides: Overrides) -> Result<(), RegistrationError> {
        self.borrow_mut().add(typed_definition::<T, S>(state, overrides))?;
        Ok(())
    }
}
