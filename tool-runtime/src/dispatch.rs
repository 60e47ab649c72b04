//! One call's way through the pipeline, a stage a file: admit, decode, authorise, execute (which accepts), project, decide,
//! bound, publish.
//!
//! A failure at any stage up to project goes on to decide, bound and publish. There is one way out, and one result.

mod admit;
mod around;
mod authorise;
mod batch;
mod bound;
mod call;
mod calls;
mod cards;
mod decide;
mod decode;
mod effects;
mod execute;
mod follows;
mod hide;
mod host_code;
mod journaled;
pub mod layer;
mod limits;
mod nested;
mod pipeline;
mod profile;
mod project;
mod publish;
mod recorded;
mod refusal;
mod schedule;
mod scopes;
mod span;
mod spill;
mod spoken;
mod under_way;

pub use batch::Batch;
pub use call::{CallOptions, ToolCall};
pub use follows::Follows;
pub use limits::{Limits, ToolLimits};
pub use nested::CallArguments;
pub use profile::TextProfile;
pub use recorded::Recorded;
pub use spill::SpillFile;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use tower_layer::Layer;
use tower_service::Service;

use crate::policy::{Chain, ErasedPolicy, Guard, OnlyFor, PolicyFor, PrePolicy, Repeats};
use crate::registry::{Registry, Scope};
use crate::repair::Repairs;
use crate::result::Failure;
use crate::seam::{Approver, ArgumentDecoder, Observer};
use crate::tool::{Invoke, Tool};
use authorise::Authority;
use layer::{BoxError, Stack, ToolRequest, ToolResponse, ToolService};
use spill::Spills;
use under_way::Dispatch;

/// A registry with policies and limits: what everything calls.
///
/// A clone is the same dispatcher. It is safe to call from many tasks.
#[derive(Clone)]
pub struct Dispatcher(Arc<Parts>);

/// What a dispatcher is made of. Those that share a registry, and differ in something else, have parts of their own.
#[derive(Clone)]
struct Parts {
    registry: Arc<Scope>,
    authority: Authority,
    policies: Vec<Arc<dyn ErasedPolicy>>,
    observers: Vec<Arc<dyn Observer>>,
    limits: Limits,
    repairs: Repairs,
    profile: TextProfile,
    dialect: Option<Arc<dyn ArgumentDecoder>>,
    /// What is around the bodies, if anything is.
    stack: Option<Arc<dyn Stack>>,
    /// Shared by all that were made of the dispatcher that it was set for.
    repeats: Option<Arc<Chain>>,
    recorded: Recorded,
    /// Where what is too large is kept, and what is different for single tools.
    spills: Option<Arc<Spills>>,
}

impl Dispatcher {
    /// A dispatcher over these tools, with no policy and the default limits.
    pub fn new(registry: Registry) -> Self {
        Self(Arc::new(Parts {
            registry: Scope::root(registry),
            authority: Authority::default(),
            policies: Vec::new(),
            observers: Vec::new(),
            limits: Limits::default(),
            repairs: Repairs::none(),
            profile: TextProfile::default(),
            dialect: None,
            stack: None,
            repeats: None,
            recorded: Recorded::nothing(),
            spills: None,
        }))
    }

    /// The same dispatcher with one more policy that judges calls before they run.
    #[must_use]
    pub fn pre_policy(mut self, policy: impl PrePolicy) -> Self {
        self.parts().authority.policies.push(Arc::new(policy));
        self
    }

    /// The same dispatcher with one more guard, which can only deny, and has the last word.
    #[must_use]
    pub fn guard(mut self, guard: impl Guard) -> Self {
        self.parts().authority.guards.push(Arc::new(guard));
        self
    }

    /// The same dispatcher with this approver, which asks a person when a policy wants that; it takes the place of an
    /// earlier one. Without one, such calls fail.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.parts().authority.approver = Some(Arc::new(approver));
        self
    }

    /// The same dispatcher with one more policy over results, which sees what those before it left.
    #[must_use]
    #[rustfmt::skip] // On one line, since the compiler shows the lines of the name and of the bound.
    pub fn policy<P>(self, policy: P) -> Self where Self: Follows<P> {
        self.follow(policy)
    }

    /// The same dispatcher with one more policy, for the tool `T` under whatever name it is registered.
    #[must_use]
    pub fn policy_for<T: Tool>(self, policy: impl PolicyFor<T>) -> Self {
        self.add_policy(Arc::new(OnlyFor::<T, _>::new(policy)))
    }

    /// The same dispatcher with a layer around its bodies, after calls were authorised and before results are judged: one
    /// of tower's, or of your own, whose service takes a [`ToolRequest`] and gives a [`ToolResponse`].
    ///
    /// Several that are given at once, as a tuple or as a `ServiceBuilder`, cost one allocation together; the first is the
    /// outermost. What is given later goes around what is there. All calls share one instance of the stack, which need not be
    /// `Clone`, and must be ready before it takes one.
    ///
    /// [`ToolRequest`]: layer::ToolRequest
    /// [`ToolResponse`]: layer::ToolResponse
    #[must_use]
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<ToolService>,
        L::Service: Service<ToolRequest, Response = ToolResponse> + Send + 'static,
        <L::Service as Service<ToolRequest>>::Error: Into<BoxError>,
        <L::Service as Service<ToolRequest>>::Future: Send + 'static,
    {
        let parts = self.parts();
        let inside = ToolService::new(parts.stack.take());
        parts.stack = Some(Arc::new(layer::shared(layer.layer(inside))));
        self
    }

    /// The same dispatcher with one more observer.
    #[must_use]
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.parts().observers.push(Arc::new(observer));
        self
    }

    /// The same dispatcher with these limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.parts().limits = limits;
        self
    }

    /// The same dispatcher with these repairs of arguments; without them, what is nearly right is refused.
    #[must_use]
    pub fn repairs(mut self, repairs: Repairs) -> Self {
        self.parts().repairs = repairs;
        self
    }

    /// The same dispatcher with this form of error text.
    #[must_use]
    pub fn text_profile(mut self, profile: TextProfile) -> Self {
        self.parts().profile = profile;
        self
    }

    /// The same dispatcher for the calls of a model that was told of the tools in a provider's dialect: what it sends is
    /// decoded by what was sent to it. A host with several providers has a dispatcher for each; they share the registry.
    ///
    /// Calls of programs ([`invoke`](Self::invoke)) and arguments that policies put in place are in the tools' own form, as
    /// ever.
    #[must_use]
    pub fn dialect(mut self, tools: impl ArgumentDecoder) -> Self {
        self.parts().dialect = Some(Arc::new(tools));
        self
    }

    /// The same dispatcher, which notices when a model makes the same call again and again. It counts for itself and for
    /// what is made of it from here on, clones included: who has calls of several models sets it for each anew.
    #[must_use]
    pub fn repeats(mut self, repeats: Repeats) -> Self {
        self.parts().repeats = Some(Arc::new(Chain::new(repeats)));
        self
    }

    /// Begins to count repeated calls anew: for when the user said something, so that a repeat may be wanted.
    pub fn reset_repeats(&self) {
        if let Some(repeats) = &self.0.repeats {
            repeats.reset();
        }
    }

    /// The same dispatcher, whose spans hold this much of what is called with and returned.
    #[must_use]
    pub fn record(mut self, recorded: Recorded) -> Self {
        self.parts().recorded = recorded;
        self
    }

    /// Calls a typed tool from a program: the same pipeline and the same policies, which see the arguments as JSON.
    ///
    /// # Errors
    /// The failure, with its code. The tool is unknown if its type was not registered.
    // Here, beside its type, since the compiler names the module of an `impl` that stands in another; boxed, since an opaque future would repeat the bound: a missing `Serialize` would be told of the argument, of the
    // call and of the await.
    pub fn invoke<T: Invoke>(
        &self,
        arguments: T,
    ) -> Pin<Box<dyn Future<Output = Result<T::Output, Failure>> + Send + '_>> {
        Box::pin(self.invoked(arguments, call::program_call_id(), CallOptions::default(), None))
    }

    /// The parts, to change them: of this dispatcher alone, whoever else has a clone of it.
    fn parts(&mut self) -> &mut Parts {
        Arc::make_mut(&mut self.0)
    }

    /// What is registered here, over what is inherited.
    fn registered(&self) -> &Scope {
        &self.0.registry
    }

    fn add_policy(mut self, policy: Arc<dyn ErasedPolicy>) -> Self {
        self.parts().policies.push(policy);
        self
    }
}

impl fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policies: Vec<_> = self.0.policies.iter().map(|policy| policy.name()).collect();
        let observers: Vec<_> = self.0.observers.iter().map(|observer| observer.name()).collect();
        f.debug_struct("Dispatcher")
            .field("registry", &self.registry())
            .field("authority", &self.0.authority)
            .field("policies", &policies)
            .field("observers", &observers)
            .field("limits", &self.0.limits)
            .field("repairs", &self.0.repairs)
            .field("profile", &self.0.profile)
            .field("dialect", &self.0.dialect.is_some())
            .field("layered", &self.0.stack.is_some())
            .field("repeats", &self.0.repeats)
            .field("recorded", &self.0.recorded)
            .field("spills", &self.0.spills)
            .finish()
    }
}
