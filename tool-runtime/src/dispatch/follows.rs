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
    note = "a `TypedPolicy` is added with `policy_for::<Tool>(…)`, a `PrePolicy` with `pre_policy(…)`, a `Guard` with `guard(…)`"
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
