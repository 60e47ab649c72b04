//! One call of a client.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::RequestContext;
use tokio::sync::{SemaphorePermit, TryAcquireError};

use super::answer::Answer;
use super::catalogue::Catalogue;
use super::progress;
use super::revision;
use super::shared::Shared;
use crate::dispatch::{CallOptions, ToolCall};
use crate::error::Code;
use crate::result::{Failure, Stage, ToolResult};
use crate::tool::{Cancellation, progress_channel};

/// How long the last reports of a call may take to be written before its answer.
const LAST_REPORTS: Duration = Duration::from_millis(250);

/// The code of a server that has too much to do; the range is the implementation's own.
const BUSY: ErrorCode = ErrorCode(-32000);

/// Makes a call, and hands its answer to `write`.
///
/// # Errors
/// What is not for the model: an unknown tool, too many calls, a fatal failure.
pub(super) async fn call<T>(
    shared: &Shared,
    name: &str,
    arguments: Option<&str>,
    context: &RequestContext<RoleServer>,
    write: impl FnOnce(Answer<'_>) -> T,
) -> Result<T, ErrorData> {
    let _place = shared.places().try_acquire().map_err(|_| busy(shared))?;
    let revision = revision::of(context);
    let catalogue = shared.catalogue(revision);
    let result = dispatched(shared, &catalogue, name, arguments, context).await;
    if let Some(unknown) = unknown(&catalogue, name, &result) {
        return Err(unknown);
    }
    Answer::of(&result, revision, shared.options(), shared.server_info()).map(write).map_err(fatal)
}

async fn dispatched(
    shared: &Shared,
    catalogue: &Arc<Catalogue>,
    name: &str,
    arguments: Option<&str>,
    context: &RequestContext<RoleServer>,
) -> ToolResult {
    let cancellation = shared.closing().child();
    let (progress, reports) = match context.meta.get_progress_token() {
        Some(token) => {
            let (sender, receiver) = progress_channel(progress::WAITING);
            (Some(sender), Some(progress::forward(receiver, &context.peer, token)))
        }
        None => (None, None),
    };
    let options = CallOptions { cancellation: cancellation.clone(), progress, ..CallOptions::default() };
    let call = async {
        let _turn = turn(shared, context, &cancellation).await;
        let id = id_of(&context.id);
        let call = match arguments {
            Some(arguments) => ToolCall::new(id, name, arguments),
            None => ToolCall::without_arguments(id, name),
        };
        let mut call = std::pin::pin!(catalogue.dispatcher().call_with(call, options));
        tokio::select! {
            result = &mut call => result,
            () = context.ct.cancelled() => {
                cancellation.cancel();
                // The body is given its grace, and observers their result, though nobody waits for an answer.
                call.await
            }
        }
    };
    let Some(reports) = reports else { return call.await };
    let (mut call, mut reports) = (std::pin::pin!(call), std::pin::pin!(reports));
    let result = tokio::select! {
        biased;
        () = &mut reports => return call.await,
        result = &mut call => result,
    };
    // Reports come before the answer, or not at all.
    let _ = tokio::time::timeout(LAST_REPORTS, reports).await;
    result
}

/// Waits for the turn of a call, which ends early if nobody wants it any more: it then fails before it is run.
async fn turn<'a>(
    shared: &'a Shared,
    context: &RequestContext<RoleServer>,
    cancellation: &Cancellation,
) -> Option<SemaphorePermit<'a>> {
    match shared.turns().try_acquire() {
        Ok(turn) => return Some(turn),
        Err(TryAcquireError::Closed) => return None,
        Err(TryAcquireError::NoPermits) => {}
    }
    tokio::select! {
        turn = shared.turns().acquire() => turn.ok(),
        () = context.ct.cancelled() => {
            cancellation.cancel();
            None
        }
        () = shared.closing().cancelled() => None,
    }
}

fn id_of(id: &RequestId) -> String {
    match id {
        RequestId::Number(number) => number.to_string(),
        RequestId::String(text) => text.to_string(),
    }
}

/// The error for a tool that the client was not told of.
fn unknown(catalogue: &Catalogue, name: &str, result: &ToolResult) -> Option<ErrorData> {
    let failure = result.failure().filter(|failure| failure.code() == &Code::UNKNOWN_TOOL)?;
    let is_here = failure.receipt().outcome == crate::result::Outcome::Failed(Stage::Admit) && !catalogue.lists(name);
    is_here.then(|| ErrorData::invalid_params(failure.error().message().to_owned(), None))
}

fn fatal(failure: &Failure) -> ErrorData {
    ErrorData::internal_error(failure.to_string(), None)
}

fn busy(shared: &Shared) -> ErrorData {
    let options = shared.options();
    let (running, waiting) = (options.concurrent_calls, options.waiting_calls);
    let told = format!("{running} calls run and {waiting} wait, which is all that this server takes; try again later");
    ErrorData::new(BUSY, told, None)
}
