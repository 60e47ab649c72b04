//! Which tools a dispatcher has: scopes, restrictions, and changes of what is registered.

use super::Dispatcher;
use crate::registry::{RegistrationError, Registry, Restriction, RestrictionError, RestrictionKey};

impl Dispatcher {
    /// A scope of this dispatcher, for one agent, session or subagent: a dispatcher with tools of its own, over everything
    /// that is visible here.
    ///
    /// - What this dispatcher gains or loses later, the scope gains or loses. A name means the tool of the nearest scope that
    ///   has it, in whatever order they were registered; two of one name in one scope are refused.
    /// - [`change_registry`](Self::change_registry) registers tools for the scope alone, [`restrict`](Self::restrict) keeps
    ///   inherited ones from it.
    /// - Policies, guards, approver, observers, layers, limits, repairs and profile are those that this dispatcher has now.
    ///   What is added to the scope comes after them (a layer, around them), and holds for the scope alone.
    /// - Scopes nest. This dispatcher knows nothing of its scopes: once a scope, its clones and the scopes in it are dropped,
    ///   so are its own tools and their states.
    ///
    /// ```
    /// # use tool_runtime::prelude::*;
    /// # /// Read.
    /// # #[derive(Tool)] #[tool(output = String, render = display)] struct Read {}
    /// # impl Execute for Read { async fn execute(&self, _: &Context) -> Result<String, ToolError> { Ok(String::new()) } }
    /// # /// Write.
    /// # #[derive(Tool)] #[tool(output = String, render = display)] struct Write {}
    /// # impl Execute for Write { async fn execute(&self, _: &Context) -> Result<String, ToolError> { Ok(String::new()) } }
    /// # /// Report.
    /// # #[derive(Tool)] #[tool(output = String, render = display)] struct Report {}
    /// # impl Execute for Report { async fn execute(&self, _: &Context) -> Result<String, ToolError> { Ok(String::new()) } }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let dispatcher = Dispatcher::new(toolset! { () => [Read, Write] }?);
    /// let agent = dispatcher.scoped();
    /// agent.restrict(Restriction::deny(["write"]))?;
    /// agent.change_registry(|own| {
    ///     own.tool::<Report>()?;
    ///     Ok(())
    /// })?;
    /// assert_eq!(agent.registry().names().collect::<Vec<_>>(), ["read", "report"]);
    /// assert_eq!(dispatcher.registry().names().collect::<Vec<_>>(), ["read", "write"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn scoped(&self) -> Self {
        let mut scope = self.clone();
        let parts = scope.parts();
        parts.registry = parts.registry.nested();
        scope
    }

    /// The visible tools as they are now: what a model may be told of, and what a call finds. Later changes don't reach the
    /// copy.
    pub fn registry(&self) -> Registry {
        self.registered().visible()
    }

    /// Changes the dispatcher's own tools in one step, for all clones of it and all scopes in it: no call sees a part of the
    /// change.
    ///
    /// The closure gets a copy of what is registered here, without what is inherited, which is put in place if it returns `Ok`. Concurrent changes
    /// wait for each other, so none is lost; that goes for all scopes of one dispatcher, so the closure should do nothing
    /// but register and remove. A call that is under way keeps the tool that it was admitted with.
    ///
    /// # Errors
    /// Those of the closure, and a `NESTED_CHANGE` if the closure itself has changed the same tools in another way than
    /// through its argument. The change is then not made.
    ///
    /// # Panics
    /// If the closure does. The tools are then as they were, and can be changed again.
    pub fn change_registry<R>(
        &self,
        change: impl FnOnce(&mut Registry) -> Result<R, RegistrationError>,
    ) -> Result<R, RegistrationError> {
        self.registered().change(change)
    }

    /// Puts another registry in the place of the dispatcher's own, in one step, for all clones of this dispatcher and all
    /// scopes in it. A call that is under way keeps the tool that it was admitted with.
    ///
    /// What was changed since the registry was read is gone; [`change_registry`](Self::change_registry) loses nothing.
    pub fn replace_registry(&self, registry: Registry) {
        self.registered().replace(registry);
    }

    /// Keeps tools from a scope, all clones of it and all scopes in it: what it inherits is filtered, what it has registered
    /// itself is not.
    ///
    /// It holds for tools that are registered later, too. Of several restrictions all hold, until each is
    /// [lifted](Self::lift). A tool that is restricted away is absent: it is not listed or suggested, and a call of it is an
    /// `UNKNOWN_TOOL`.
    ///
    /// # Errors
    /// If this is no scope, if the restriction denies nothing, or if it names a tool that no scope above it has now, or a
    /// reserved name. Nothing is restricted then.
    pub fn restrict(&self, restriction: Restriction) -> Result<RestrictionKey, RestrictionError> {
        self.registered().restrict(restriction)
    }

    /// Lifts exactly this restriction. If it was lifted already, or is one of another scope, the answer is `false`.
    pub fn lift(&self, key: &RestrictionKey) -> bool {
        self.registered().lift(key)
    }

    /// Tells of changes of what is registered, here or in a scope above; not each changes what is visible.
    #[cfg(feature = "mcp-server")]
    pub(crate) fn registry_changes(&self) -> tokio::sync::watch::Receiver<u64> {
        self.registered().watch()
    }

    /// How long a body that was told to stop may take.
    #[cfg(feature = "mcp-server")]
    pub(crate) fn grace(&self) -> std::time::Duration {
        self.0.limits.grace
    }

    /// The same dispatcher with one more repair of arguments.
    #[cfg(feature = "mcp-server")]
    pub(crate) fn repairing(mut self, repair: crate::repair::Repair) -> Self {
        let parts = self.parts();
        parts.repairs = parts.repairs.with(repair);
        self
    }
}
