//! Which policies a dispatcher takes.

use std::sync::Arc;

use super::Dispatcher;
use crate::policy::{Everything, PostPolicy};

/// A dispatcher that can follow the policy `P` for all tools: it holds of every `P` with an `impl PostPolicy`.
///
/// Asked of the dispatcher for the reason of [`Registers`](crate::bounds::Registers).
#[diagnostic::on_unimplemented(
    message = "`{P}` is not a policy",
    label = "no `impl PostPolicy for {P}`",
    note = "a policy for all tools implements `PostPolicy`; one for a single tool implements `TypedPolicy<Tool>` and is added with `policy_for::<Tool>(…)`"
)]
pub trait Follows<P> {
    #[doc(hidden)]
    #[must_use]
    fn follow(self, policy: P) -> Self;
}

#[diagnostic::do_not_recommend]
impl<P: PostPolicy> Follows<P> for Dispatcher {
    fn follow(self, policy: P) -> Self {
        self.add_policy(Arc::new(Everything(policy)))
    }
}
