//! What is visible to a dispatcher: tools of its own, over those that it inherits.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::iter;
use std::mem;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use super::changes::Changes;
use super::{RegistrationError, Registry, Restriction, RestrictionError, RestrictionKey};
use crate::definition::Definition;

/// A registry in use, and what it inherits.
///
/// A scope knows the one that it inherits from, and none that inherits from it: whoever drops one leaves nothing behind.
pub(crate) struct Scope {
    own: RwLock<Registry>,
    inherits: Option<Inherits>,
    changes: Arc<Changes>,
}

struct Inherits {
    parent: Arc<Scope>,
    restrictions: RwLock<Vec<RestrictionKey>>,
}

impl Scope {
    /// A scope that inherits nothing.
    pub(crate) fn root(registry: Registry) -> Arc<Self> {
        Arc::new(Self { own: RwLock::new(registry), inherits: None, changes: Arc::default() })
    }

    /// A scope without tools of its own, in this one.
    pub(crate) fn nested(self: &Arc<Self>) -> Arc<Self> {
        let inherits = Inherits { parent: Arc::clone(self), restrictions: RwLock::default() };
        Arc::new(Self { own: RwLock::default(), inherits: Some(inherits), changes: Arc::clone(&self.changes) })
    }

    /// The tool that a call of this name means: that of the nearest scope which has one, unless it is restricted away.
    pub(crate) fn definition(&self, name: &str) -> Option<Arc<Definition>> {
        let mut scope = self;
        loop {
            if let Some(definition) = scope.own().definition(name) {
                return Some(Arc::clone(definition));
            }
            let inherits = scope.inherits.as_ref()?;
            if !inherits.admits(name) {
                return None;
            }
            scope = &inherits.parent;
        }
    }

    /// The visible tool whose arguments are of this type; of several, the first by name.
    pub(crate) fn definition_of(&self, arguments: TypeId) -> Option<Arc<Definition>> {
        if self.inherits.is_none() {
            return self.own().definitions_of(arguments).next().cloned();
        }
        let mut first: Option<Arc<Definition>> = None;
        for scope in self.chain() {
            let own = scope.own().clone();
            let of_scope = own.definitions_of(arguments).find(|definition| {
                self.definition(&definition.name).is_some_and(|visible| Arc::ptr_eq(&visible, definition))
            });
            first = match (first, of_scope) {
                (Some(nearer), Some(other)) if nearer.name < other.name => Some(nearer),
                (nearer, other) => other.cloned().or(nearer),
            };
        }
        first
    }

    /// All that is visible, as it is now.
    pub(crate) fn visible(&self) -> Registry {
        let scopes: Vec<_> = self.chain().collect();
        let mut visible = Registry::new();
        for scope in scopes.into_iter().rev() {
            for key in scope.inherits.iter().flat_map(Inherits::restrictions) {
                Arc::make_mut(&mut visible.tools).retain(|name, _| key.admits(name));
            }
            let own = scope.own().clone();
            if visible.is_empty() {
                visible = own;
            } else if !own.is_empty() {
                let definitions = own.tools.iter().map(|(name, definition)| (Arc::clone(name), Arc::clone(definition)));
                Arc::make_mut(&mut visible.tools).extend(definitions);
            }
        }
        visible
    }

    /// Puts another registry in the place of the scope's own.
    pub(crate) fn replace(&self, registry: Registry) {
        let turn = self.changes.begin();
        let replaced = mem::replace(&mut *self.own.write().unwrap_or_else(PoisonError::into_inner), registry);
        self.changes.made();
        // Tools are dropped where no lock is held, since that may run a host's code.
        drop(turn);
        drop(replaced);
    }

    /// Changes a copy of the scope's own registry, and puts it in place if that succeeds.
    pub(crate) fn change<R>(
        &self,
        change: impl FnOnce(&mut Registry) -> Result<R, RegistrationError>,
    ) -> Result<R, RegistrationError> {
        // Declared before the turn, so that what they hold is dropped after it; also where the closure panics.
        let (before, mut copy);
        let _turn = self.changes.begin();
        before = self.own().clone();
        copy = before.clone();
        let outcome = change(&mut copy)?;
        self.put(&mut copy, &before)?;
        Ok(outcome)
    }

    /// Lets the scope inherit nothing but what the restriction admits.
    pub(crate) fn restrict(&self, restriction: Restriction) -> Result<RestrictionKey, RestrictionError> {
        let inherits = self.inherits.as_ref().ok_or_else(RestrictionError::not_scoped)?;
        let mut inherited = BTreeSet::new();
        for scope in inherits.parent.chain() {
            inherited.extend(scope.own().tools.keys().cloned());
        }
        let key = restriction.check(&inherited, &self.own().clone())?;
        inherits.restrictions.write().unwrap_or_else(PoisonError::into_inner).push(key.clone());
        self.changes.made();
        Ok(key)
    }

    /// Lifts exactly this restriction of this scope; `false` if it has no such.
    pub(crate) fn lift(&self, key: &RestrictionKey) -> bool {
        let lifted = self.inherits.as_ref().is_some_and(|inherits| {
            let mut restrictions = inherits.restrictions.write().unwrap_or_else(PoisonError::into_inner);
            let before = restrictions.len();
            restrictions.retain(|other| !other.is(key));
            restrictions.len() < before
        });
        if lifted {
            self.changes.made();
        }
        lifted
    }

    /// Tells of changes from now on, here and in every scope that this one may inherit from. Not each changes what is
    /// visible here.
    #[cfg(feature = "mcp-server")]
    pub(crate) fn watch(&self) -> tokio::sync::watch::Receiver<u64> {
        self.changes.watch()
    }

    /// Swaps in what was made of `before`, if that is still there: the change itself may have put another in its place.
    fn put(&self, registry: &mut Registry, before: &Registry) -> Result<(), RegistrationError> {
        let mut own = self.own.write().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&own.tools, &before.tools) {
            return Err(RegistrationError::changed_within_a_change());
        }
        mem::swap(&mut *own, registry);
        drop(own);
        self.changes.made();
        Ok(())
    }

    /// This scope, and all that it inherits from, nearest first.
    fn chain(&self) -> impl Iterator<Item = &Self> {
        iter::successors(Some(self), |scope| scope.inherits.as_ref().map(|inherits| &*inherits.parent))
    }

    /// For as long as one look takes.
    fn own(&self) -> RwLockReadGuard<'_, Registry> {
        self.own.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inherits {
    fn admits(&self, name: &str) -> bool {
        self.restrictions.read().unwrap_or_else(PoisonError::into_inner).iter().all(|key| key.admits(name))
    }

    fn restrictions(&self) -> Vec<RestrictionKey> {
        self.restrictions.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Scope {
    /// One after the other: a long chain would take as many stack frames.
    fn drop(&mut self) {
        let mut inherits = self.inherits.take();
        while let Some(mut scope) = inherits.and_then(|inherits| Arc::into_inner(inherits.parent)) {
            inherits = scope.inherits.take();
        }
    }
}
