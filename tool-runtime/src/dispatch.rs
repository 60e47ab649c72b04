//! One call's way through the pipeline, a stage a file: admit, decode, execute (which accepts), project, decide, bound,
//! publish.
//!
//! A failure at any stage up to project goes on to decide, bound and publish. There is one way out, and one result.

mod admit;
mod bound;
mod call;
mod decide;
mod decode;
mod execute;
mod limits;
mod profile;
mod project;
mod publish;

pub use call::{CallOptions, ToolCall};
pub use limits::Limits;
pub use profile::TextProfile;

use std::any::TypeId;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};

use crate::definition::{Arguments, Definition};
use crate::error::{Code, ToolError};
use crate::json::JsonText;
use crate::panics::{Guarded, contain};
use crate::policy::{ErasedPolicy, Everything, OnlyFor, PolicyFor, PolicyForAll};
use crate::registry::Registry;
use crate::repair::{Repaired, Repairs};
use crate::result::{CallIdentity, Failure, Success, ToolResult, Trace};
use crate::seam::Observer;
use crate::tool::{CallContext, Deferred, Invoke, Tool};

/// A registry with policies and limits: what everything calls.
///
/// A clone is the same dispatcher. It is safe to call from many tasks.
#[derive(Clone)]
pub struct Dispatcher {
    registry: Arc<RwLock<Registry>>,
    policies: Arc<Vec<Arc<dyn ErasedPolicy>>>,
    observers: Arc<Vec<Arc<dyn Observer>>>,
    limits: Limits,
    repairs: Repairs,
    profile: TextProfile,
}

/// One call while it is dispatched: what the stages after a failure still need to know of it.
struct Dispatch {
    call: CallIdentity,
    definition: Option<Arc<Definition>>,
    arguments: Option<Arguments>,
    context: Option<CallContext>,
    repaired: Vec<Repaired>,
    options: CallOptions,
}

impl Dispatcher {
    /// A dispatcher over these tools, with no policy and the default limits.
    pub fn new(registry: Registry) -> Self {
        Self {
            registry: Arc::new(RwLock::new(registry)),
            policies: Arc::default(),
            observers: Arc::default(),
            limits: Limits::default(),
            repairs: Repairs::none(),
            profile: TextProfile::default(),
        }
    }

    /// The same dispatcher with one more policy, which sees what those before it left.
    #[must_use]
    pub fn policy(self, policy: impl PolicyForAll) -> Self {
        self.add_policy(Arc::new(Everything(policy)))
    }

    /// The same dispatcher with one more policy, for the tool `T` under whatever name it is registered.
    #[must_use]
    pub fn policy_for<T: Tool>(self, policy: impl PolicyFor<T>) -> Self {
        self.add_policy(Arc::new(OnlyFor::<T, _>::new(policy)))
    }

    /// The same dispatcher with one more observer.
    #[must_use]
    pub fn observer(mut self, observer: impl Observer) -> Self {
        Arc::make_mut(&mut self.observers).push(Arc::new(observer));
        self
    }

    /// The same dispatcher with these limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same dispatcher with these repairs of arguments; without them, what is nearly right is refused.
    #[must_use]
    pub fn repairs(mut self, repairs: Repairs) -> Self {
        self.repairs = repairs;
        self
    }

    /// The same dispatcher with this form of error text.
    #[must_use]
    pub fn text_profile(mut self, profile: TextProfile) -> Self {
        self.profile = profile;
        self
    }

    /// The tools as they are now. Later changes don't reach the copy.
    pub fn registry(&self) -> Registry {
        self.registry.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another registry in the place of the present one, in one step, for all clones of this dispatcher. A call that
    /// is under way keeps the tool that it was admitted with.
    pub fn replace_registry(&self, registry: Registry) {
        *self.registry.write().unwrap_or_else(PoisonError::into_inner) = registry;
    }

    /// Dispatches a call: exactly one result, whatever happens.
    ///
    /// Timeouts, deadlines and cancelling need a tokio runtime whose timers are enabled.
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        self.call_with(call, CallOptions::default()).await
    }

    /// Dispatches a call that can be cancelled or has a deadline.
    pub async fn call_with(&self, call: ToolCall, options: CallOptions) -> ToolResult {
        let ToolCall { id, name, arguments } = call;
        let dispatch = Dispatch::new(id, name, options);
        self.dispatch(dispatch, arguments.as_deref()).await
    }

    /// Calls a typed tool from a program: the same pipeline and the same policies, which see the arguments as JSON.
    ///
    /// # Errors
    /// The failure, with its code. The tool is unknown if its type was not registered.
    // Boxed, since an opaque future would repeat the bound: a missing `Serialize` would be told of the argument, of the
    // call and of the await.
    pub fn invoke<T: Invoke>(
        &self,
        arguments: T,
    ) -> Pin<Box<dyn Future<Output = Result<T::Output, Failure>> + Send + '_>> {
        Box::pin(self.invoked(arguments))
    }

    async fn invoked<T: Invoke>(&self, arguments: T) -> Result<T::Output, Failure> {
        let definition = self.registry().definition_of(TypeId::of::<T>()).cloned();
        let name = definition.as_ref().map_or_else(|| T::NAME.into(), |definition| Arc::clone(&definition.name));
        let mut dispatch = Dispatch::new(call::program_call_id(), name, CallOptions::default());
        let outcome = match (definition, written(arguments)) {
            (None, _) => Err(admit::unknown(&dispatch.call.tool_name, None)),
            (Some(_), Err(why)) => Err(decode::invalid_arguments([why])),
            (Some(definition), Ok(text)) => self.perform(&mut dispatch, definition, Some(text.as_str())).await,
        };
        match self.finish(&mut dispatch, outcome).await {
            ToolResult::Failure(failure) => Err(failure),
            ToolResult::Success(Success { call, value, contexts, trace, .. }) => value.into_typed().ok_or_else(|| {
                let error = ToolError::new(Code::INVALID_TOOL_OUTPUT, "the value does not come back as its type");
                self.failure(call, error, contexts, trace)
            }),
        }
    }

    fn add_policy(mut self, policy: Arc<dyn ErasedPolicy>) -> Self {
        Arc::make_mut(&mut self.policies).push(policy);
        self
    }

    async fn dispatch(&self, mut dispatch: Dispatch, arguments: Option<&str>) -> ToolResult {
        let outcome = match admit::admit(&self.registry(), &dispatch) {
            Ok(definition) => self.perform(&mut dispatch, definition, arguments).await,
            Err(error) => Err(error),
        };
        self.finish(&mut dispatch, outcome).await
    }

    /// Every stage of an admitted call that can end in a failure of its own.
    async fn perform(
        &self,
        dispatch: &mut Dispatch,
        definition: Arc<Definition>,
        arguments: Option<&str>,
    ) -> Result<project::Projected, ToolError> {
        dispatch.definition = Some(Arc::clone(&definition));
        let arguments = decode::decode(&definition, arguments, &self.limits, self.repairs, &mut dispatch.repaired)?;
        dispatch.arguments = Some(arguments.clone());
        let value = execute::execute(&definition, &arguments, dispatch, &self.limits).await?;
        project::project(&definition, &arguments, value)
    }

    /// Every stage that each call goes through.
    async fn finish(&self, dispatch: &mut Dispatch, outcome: Result<project::Projected, ToolError>) -> ToolResult {
        let result = self.settle(dispatch, outcome);
        let result = decide::decide(&self.policies, dispatch, result, self.profile).await;
        let result = dispatch.abort_late(result, self.profile);
        let result = bound::bound(result, &self.limits, self.profile);
        publish::publish(&self.observers, &result);
        result
    }

    /// The result before any policy.
    fn settle(&self, dispatch: &mut Dispatch, outcome: Result<project::Projected, ToolError>) -> ToolResult {
        let Deferred { contexts, concludes_turn } =
            dispatch.context.as_ref().map(CallContext::take_deferred).unwrap_or_default();
        let trace = Trace { repairs: std::mem::take(&mut dispatch.repaired), ..Trace::default() };
        match outcome {
            Ok(project::Projected { value, content, meta }) => ToolResult::Success(Success {
                call: dispatch.call.clone(),
                value,
                content,
                meta,
                contexts,
                concludes_turn,
                trace,
            }),
            Err(error) => ToolResult::Failure(self.failure(dispatch.call.clone(), error, contexts, trace)),
        }
    }

    fn failure(
        &self,
        call: CallIdentity,
        error: ToolError,
        contexts: Vec<crate::content::Content>,
        trace: Trace,
    ) -> Failure {
        let content = self.profile.content(&error);
        Failure { call, error, content, meta: None, contexts, trace }
    }
}

impl Dispatch {
    fn new(id: Arc<str>, name: Arc<str>, options: CallOptions) -> Self {
        let call = CallIdentity { call_id: id, tool_name: name };
        Self { call, definition: None, arguments: None, context: None, repaired: Vec::new(), options }
    }

    /// A caller that cancelled after the value was accepted gets no success.
    fn abort_late(&self, result: ToolResult, profile: TextProfile) -> ToolResult {
        match (result, &self.definition) {
            (ToolResult::Success(success), Some(definition)) if self.options.cancellation.is_cancelled() => {
                let Success { call, contexts, trace, .. } = success;
                let error = execute::aborted(definition);
                let content = profile.content(&error);
                ToolResult::Failure(Failure { call, error, content, meta: None, contexts, trace })
            }
            (other, _) => other,
        }
    }
}

/// The arguments of a program as JSON, or why they are none.
fn written<T: Invoke>(arguments: T) -> Result<JsonText, String> {
    let arguments = Guarded::new(arguments);
    match contain(|| arguments.to_json()) {
        Ok(written) => written.map_err(|lossy| lossy.to_string()),
        Err(panic) => Err(format!("writing the arguments panicked: {panic}")),
    }
}

impl fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policies: Vec<_> = self.policies.iter().map(|policy| policy.name()).collect();
        let observers: Vec<_> = self.observers.iter().map(|observer| observer.name()).collect();
        f.debug_struct("Dispatcher")
            .field("registry", &self.registry())
            .field("policies", &policies)
            .field("observers", &observers)
            .field("limits", &self.limits)
            .field("repairs", &self.repairs)
            .field("profile", &self.profile)
            .finish()
    }
}
