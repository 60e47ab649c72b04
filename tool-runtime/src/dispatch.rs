//! One call's way through the pipeline, a stage a file: admit, decode, authorise, execute (which accepts), project, decide,
//! bound, publish.
//!
//! A failure at any stage up to project goes on to decide, bound and publish. There is one way out, and one result.

mod admit;
mod authorise;
mod batch;
mod bound;
mod call;
mod decide;
mod decode;
mod execute;
mod follows;
mod host_code;
mod limits;
mod profile;
mod project;
mod publish;
mod schedule;
mod under_way;

pub use batch::Batch;
pub use call::{CallOptions, ToolCall};
pub use follows::Follows;
pub use limits::Limits;
pub use profile::TextProfile;

use std::any::TypeId;
use std::fmt;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use crate::definition::Definition;
use crate::error::{Code, ToolError};
use crate::json::JsonText;
use crate::panics::{Guarded, contain};
use crate::policy::{ErasedPolicy, Guard, OnlyFor, PolicyFor, PrePolicy};
use crate::registry::Registry;
use crate::repair::Repairs;
use crate::result::{Failure, Success, ToolResult, Trace};
use crate::seam::{Approver, Observer};
use crate::tool::{Call, CallHead, CanonicalValue, Deferred, Invoke, Tool};
use authorise::Authority;
use project::Projected;
use schedule::Turn;
use under_way::Dispatch;

/// A registry with policies and limits: what everything calls.
///
/// A clone is the same dispatcher. It is safe to call from many tasks.
#[derive(Clone)]
pub struct Dispatcher {
    registry: Arc<RwLock<Registry>>,
    authority: Authority,
    policies: Arc<Vec<Arc<dyn ErasedPolicy>>>,
    observers: Arc<Vec<Arc<dyn Observer>>>,
    limits: Limits,
    repairs: Repairs,
    profile: TextProfile,
}

impl Dispatcher {
    /// A dispatcher over these tools, with no policy and the default limits.
    pub fn new(registry: Registry) -> Self {
        Self {
            registry: Arc::new(RwLock::new(registry)),
            authority: Authority::default(),
            policies: Arc::default(),
            observers: Arc::default(),
            limits: Limits::default(),
            repairs: Repairs::none(),
            profile: TextProfile::default(),
        }
    }

    /// The same dispatcher with one more policy that judges calls before they run.
    #[must_use]
    pub fn pre_policy(mut self, policy: impl PrePolicy) -> Self {
        Arc::make_mut(&mut self.authority.policies).push(Arc::new(policy));
        self
    }

    /// The same dispatcher with one more guard, which can only deny, and has the last word.
    #[must_use]
    pub fn guard(mut self, guard: impl Guard) -> Self {
        Arc::make_mut(&mut self.authority.guards).push(Arc::new(guard));
        self
    }

    /// The same dispatcher with this approver, which asks a person when a policy wants that; it takes the place of an
    /// earlier one. Without one, such calls fail.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.authority.approver = Some(Arc::new(approver));
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
        self.registered().clone()
    }

    /// Puts another registry in the place of the present one, in one step, for all clones of this dispatcher. A call that
    /// is under way keeps the tool that it was admitted with.
    pub fn replace_registry(&self, registry: Registry) {
        *self.registry.write().unwrap_or_else(PoisonError::into_inner) = registry;
    }

    /// Dispatches a call: exactly one result, whatever happens.
    ///
    /// Timeouts, deadlines and cancelling need a tokio runtime whose timers are enabled.
    pub async fn call(&self, call: ToolCall<'_>) -> ToolResult {
        self.call_with(call, CallOptions::default()).await
    }

    /// Dispatches a call that can be cancelled or has a deadline.
    pub async fn call_with(&self, call: ToolCall<'_>, options: CallOptions) -> ToolResult {
        let ToolCall { id, name, arguments } = call;
        let admitted = admit::admit(&self.registered(), &name, &options);
        self.dispatch(id.into_owned(), &name, arguments.as_deref(), admitted, options, None).await
    }

    /// Dispatches the calls of one turn of a model; the results, in the order of the calls.
    ///
    /// Which calls overlap, and which run alone, is told at [`Batch`].
    pub async fn run(&self, calls: Vec<ToolCall<'_>>) -> Vec<ToolResult> {
        self.batch(calls, CallOptions::default()).all().await
    }

    /// The same, for who wants each result as soon as it and all before it are there, or to cancel what is left: a call
    /// that has not started then gets its result without its body being entered.
    pub fn batch<'a>(&'a self, calls: Vec<ToolCall<'a>>, options: CallOptions) -> Batch<'a> {
        Batch::new(self, calls, options)
    }

    /// One call of a batch.
    async fn in_turn(&self, call: ToolCall<'_>, options: CallOptions, turn: Turn) -> ToolResult {
        let ToolCall { id, name, arguments } = call;
        let is_parallel = || self.registered().definition(&name).is_none_or(|tool| tool.spec.behaviour.is_parallel());
        turn.to_start(is_parallel).await;
        let admitted = admit::admit(&self.registered(), &name, &options);
        self.dispatch(id.into_owned(), &name, arguments.as_deref(), admitted, options, Some(&turn)).await
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
        let definition = self.registered().definition_of(TypeId::of::<T>()).cloned();
        let written = written(arguments);
        let admitted = match (definition, &written) {
            (None, _) => Err(admit::unknown(T::NAME, None)),
            (Some(_), Err(why)) => Err(decode::invalid_arguments([why.clone()])),
            (Some(definition), Ok(_)) => Ok(definition),
        };
        let text = written.as_ref().ok().map(JsonText::as_str);
        let id = call::program_call_id();
        match self.dispatch(id, T::NAME, text, admitted, CallOptions::default(), None).await {
            ToolResult::Failure(failure) => Err(failure),
            ToolResult::Success(Success { call, value, contexts, trace, .. }) => value.into_typed().ok_or_else(|| {
                let error = ToolError::new(Code::INVALID_TOOL_OUTPUT, "the value does not come back as its type");
                self.failure(call, error, contexts, trace)
            }),
        }
    }

    /// The registry for as long as one look takes.
    fn registered(&self) -> RwLockReadGuard<'_, Registry> {
        self.registry.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn add_policy(mut self, policy: Arc<dyn ErasedPolicy>) -> Self {
        Arc::make_mut(&mut self.policies).push(policy);
        self
    }

    /// Every stage after a call was admitted, or refused: one way out.
    async fn dispatch(
        &self,
        id: String,
        name: &str,
        text: Option<&str>,
        admitted: Result<Arc<Definition>, ToolError>,
        options: CallOptions,
        turn: Option<&Turn>,
    ) -> ToolResult {
        let (definition, refused) = match admitted {
            Ok(definition) => (Some(definition), None),
            Err(error) => (None, Some(error)),
        };
        // The name of a registered tool is shared, and that of another is what was sent.
        let tool_name = definition.as_ref().map_or_else(|| name.into(), |definition| Arc::clone(&definition.name));
        let head = CallHead { id, tool_name, cancellation: options.cancellation.for_call() };
        let definition = definition.as_deref();
        let mut dispatch = Dispatch::new(head, definition, text, options);
        let outcome = match (definition, refused) {
            (Some(definition), None) => self.perform(definition, &mut dispatch, turn).await,
            (_, refused) => Err(refused.unwrap_or_else(|| admit::unknown(name, None))),
        };
        if let Some(turn) = turn {
            turn.pass();
            turn.to_commit().await;
        }
        let mut result = self.settle(&mut dispatch, outcome);
        if !self.policies.is_empty() {
            // Boxed, like whatever else not every call needs, so that the future of a call stays small.
            let decide = decide::decide(&self.policies, &dispatch, result, self.profile, self.limits.policy_time);
            result = Box::pin(decide).await;
        }
        dispatch.abort_late(&mut result, self.profile);
        bound::bound(&mut result, &self.limits, self.profile);
        publish::publish(&self.observers, &result);
        if let Some(turn) = turn {
            turn.commit();
        }
        result
    }

    /// The stages that can end in a failure of their own.
    async fn perform(
        &self,
        definition: &Definition,
        dispatch: &mut Dispatch<'_>,
        turn: Option<&Turn>,
    ) -> Result<CanonicalValue, ToolError> {
        let call = decode::decode(definition, dispatch, &self.limits, self.repairs)?;
        dispatch.call = Some(call);
        if !self.authority.is_empty() {
            Box::pin(self.authority.authorise(definition, dispatch, &self.limits)).await?;
        }
        let Some(call) = &dispatch.call else { return Err(admit::unknown(&dispatch.head.tool_name, None)) };
        let _running = match turn {
            Some(turn) => Some(turn.to_run(definition.spec.behaviour.is_parallel()).await),
            None => None,
        };
        if dispatch.options.cancellation.is_cancelled() {
            return Err(admit::aborted_before_dispatch());
        }
        if dispatch.deadline_has_passed() {
            return Err(execute::too_late());
        }
        call.set_progress(dispatch.options.progress.take());
        dispatch.started = true;
        execute::execute(definition, call, &dispatch.options, &self.limits).await
    }

    /// The result before any policy.
    fn settle(&self, dispatch: &mut Dispatch<'_>, outcome: Result<CanonicalValue, ToolError>) -> ToolResult {
        let call = dispatch.call.get_or_insert_with(|| Call::without_arguments(mem::take(&mut dispatch.head)));
        let Deferred { contexts, concludes_turn } = call.take_deferred();
        let trace = Trace {
            repairs: mem::take(&mut dispatch.repaired),
            decisions: mem::take(&mut dispatch.decisions),
            rewritten: mem::take(&mut dispatch.rewritten),
            warnings: mem::take(&mut dispatch.warnings),
        };
        let call = call.clone();
        // Only a definition makes a value.
        let projected = match (outcome, dispatch.definition) {
            (Ok(value), Some(definition)) => project::project(definition, &call, &value).map(|shown| (value, shown)),
            (Ok(_), None) => Err(admit::unknown(call.tool_name(), None)),
            (Err(error), _) => Err(error),
        };
        match projected {
            Ok((value, Projected { content, meta })) => {
                ToolResult::Success(Success { call, value, content, meta, contexts, concludes_turn, trace })
            }
            Err(error) => ToolResult::Failure(self.failure(call, error, contexts, trace)),
        }
    }

    fn failure(&self, call: Call, error: ToolError, contexts: Vec<crate::content::Content>, trace: Trace) -> Failure {
        let content = self.profile.content(&error);
        Failure { call, error, content, meta: None, contexts, trace }
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
            .field("authority", &self.authority)
            .field("policies", &policies)
            .field("observers", &observers)
            .field("limits", &self.limits)
            .field("repairs", &self.repairs)
            .field("profile", &self.profile)
            .finish()
    }
}
