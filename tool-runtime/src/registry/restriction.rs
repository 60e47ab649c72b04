//! What a scope does not inherit.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::{Registry, name};
use crate::error::Code;

/// Which tools a scope inherits: those that are allowed, those that are not denied, or both.
///
/// It is told of by name, and holds for tools that are registered later, too. What a scope has registered itself is never
/// restricted. See [`Dispatcher::restrict`](crate::Dispatcher::restrict).
///
/// ```
/// use tool_runtime::Restriction;
///
/// let reader = Restriction::allow(["read", "grep"]); // nothing else is inherited
/// let offline = Restriction::deny(["fetch"]); // everything else is
/// let both = reader.and(offline);
/// let nothing = Restriction::allow::<&str>([]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Never empty.
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Allow(BTreeSet<String>),
    Deny(BTreeSet<String>),
}

/// Exactly one restriction of one scope. Dropping it lifts nothing.
#[derive(Clone)]
pub struct RestrictionKey(Arc<Restriction>);

/// Why a restriction was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct RestrictionError {
    code: Code,
    message: String,
}

impl Restriction {
    /// Nothing is inherited but these; of an empty list, nothing.
    pub fn allow<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { rules: vec![Rule::Allow(names.into_iter().map(Into::into).collect())] }
    }

    /// Everything is inherited but these.
    pub fn deny<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { rules: vec![Rule::Deny(names.into_iter().map(Into::into).collect())] }
    }

    /// Both at once: what is inherited is what each of them lets through.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.rules.extend(other.rules);
        self
    }

    /// The key of a restriction of what is inherited, by a scope with these tools of its own.
    pub(super) fn check(
        self,
        inherited: &BTreeSet<Arc<str>>,
        own: &Registry,
    ) -> Result<RestrictionKey, RestrictionError> {
        if self.rules.iter().all(Rule::does_nothing) {
            return Err(RestrictionError::empty());
        }
        let names: BTreeSet<&str> = self.rules.iter().flat_map(Rule::names).collect();
        if let Some(reserved) = names.iter().find(|name| name::is_reserved(name)) {
            return Err(RestrictionError::reserved(reserved));
        }
        let unknown: Vec<_> = names.into_iter().filter(|name| !inherited.contains(*name)).collect();
        if !unknown.is_empty() {
            return Err(RestrictionError::unknown(&unknown, inherited, own));
        }
        Ok(RestrictionKey(Arc::new(self)))
    }
}

impl Rule {
    fn names(&self) -> impl Iterator<Item = &str> {
        let (Self::Allow(names) | Self::Deny(names)) = self;
        names.iter().map(String::as_str)
    }

    fn does_nothing(&self) -> bool {
        matches!(self, Self::Deny(names) if names.is_empty())
    }

    fn admits(&self, name: &str) -> bool {
        match self {
            Self::Allow(names) => names.contains(name),
            Self::Deny(names) => !names.contains(name),
        }
    }
}

impl RestrictionKey {
    pub(super) fn admits(&self, name: &str) -> bool {
        self.0.rules.iter().all(|rule| rule.admits(name))
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl RestrictionError {
    /// So many names of what there is are listed.
    const LISTED: usize = 32;

    /// What kind of mistake it is.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// What is wrong, and what to do.
    pub fn message(&self) -> &str {
        &self.message
    }

    fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(super) fn not_scoped() -> Self {
        let message = "it filters what a scope inherits, and this dispatcher inherits nothing; restrict what its \
                       `scoped()` gives, or remove the tools";
        Self::new(Code::NOT_SCOPED, message)
    }

    fn empty() -> Self {
        let message = "it denies nothing, so it does nothing; name tools in `Restriction::deny`, or those that stay in \
                       `Restriction::allow`";
        Self::new(Code::EMPTY_RESTRICTION, message)
    }

    fn reserved(name: &str) -> Self {
        let message = format!("`{name}` is reserved, and never restricted; restrict the tools that its programs call");
        Self::new(Code::INVALID_NAME, message)
    }

    fn unknown(unknown: &[&str], inherited: &BTreeSet<Arc<str>>, own: &Registry) -> Self {
        let listed = |names: &[&str]| name::listed(names.iter().copied(), Self::LISTED);
        let tools = if unknown.len() == 1 { "tool" } else { "tools" };
        let known = match inherited.iter().map(AsRef::as_ref).collect::<Vec<_>>() {
            none if none.is_empty() => "there is none to inherit".to_owned(),
            known => format!("those to inherit are: {}", listed(&known)),
        };
        let local = match unknown.iter().copied().filter(|name| own.spec(name).is_some()).collect::<Vec<_>>() {
            none if none.is_empty() => String::new(),
            local => format!("; its own tools are not restricted, but can be removed: {}", listed(&local)),
        };
        let message = format!("the scope inherits no {tools} {}; {known}{local}", listed(unknown));
        Self::new(Code::UNKNOWN_TOOL, message)
    }
}

impl fmt::Display for RestrictionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "restriction [{}]: {}", self.code, self.message)
    }
}

impl std::error::Error for RestrictionError {}

impl fmt::Debug for RestrictionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RestrictionKey").field(&self.0.rules).finish()
    }
}
