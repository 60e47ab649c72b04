//! The log of the tour: each stop that calls tools is a turn of a session, in a file.

use std::path::{Path, PathBuf};

use tool_runtime::prelude::*;
use tool_runtime::session::{AssistantMessage, Durability, EndReason, FileStore, RequestedCall, Session, SessionError};

use crate::Fault;

/// What is said in a turn, around its calls.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    pub(crate) user: &'static str,
    pub(crate) model: &'static str,
}

pub(crate) struct Log {
    session: Session,
    path: PathBuf,
    calls: usize,
    /// What the model says at the end of the turn that is open.
    answer: Option<&'static str>,
}

impl Log {
    /// A log in a new file: at this path, or in a temporary directory that stays.
    pub(crate) async fn begin(place: Option<&Path>) -> Result<Self, Fault> {
        let path = match place {
            // Opening a store sets apart what is torn at the end of a file, which may be none of ours.
            Some(path) if path.symlink_metadata().is_ok() => {
                return Err(format!("{} is there already; name a new file for the log", path.display()).into());
            }
            Some(path) => path.to_owned(),
            None => tempfile::Builder::new().prefix("tool-tour-").tempdir()?.keep().join("session.log"),
        };
        // It outlives the process; a tour need not outlive a loss of power.
        let store = FileStore::open(&path, Durability::Buffered)?;
        Ok(Self { session: Session::create(store).await?, path, calls: 0, answer: None })
    }

    /// Begins a turn, after the one that is open.
    pub(crate) async fn turn(&mut self, said: Said) -> Result<(), SessionError> {
        self.end_turn().await?;
        self.session.start_turn().await?;
        self.session.user(said.user).await?;
        self.answer = Some(said.model);
        Ok(())
    }

    /// A step: the model asks for a call, and gets its result.
    pub(crate) async fn call(
        &mut self,
        dispatcher: &Dispatcher,
        tool: &str,
        arguments: &str,
    ) -> Result<ToolResult, SessionError> {
        self.calls += 1;
        let call = ToolCall::new(format!("call-{}", self.calls), tool, arguments);
        self.session.start_step().await?;
        self.session
            .assistant(AssistantMessage::new(Content::empty(), vec![RequestedCall::of(&call, dispatcher)]))
            .await?;
        let options = CallOptions { journal: Some(self.session.journal()), ..CallOptions::default() };
        let result = dispatcher.call_with(call, options).await;
        self.session.end_step().await?;
        Ok(result)
    }

    /// Ends the last step and turn, and the session; then the file is complete.
    pub(crate) async fn end(mut self) -> Result<PathBuf, SessionError> {
        self.end_turn().await?;
        self.session.close().await;
        Ok(self.path)
    }

    async fn end_turn(&mut self) -> Result<(), SessionError> {
        let Some(answer) = self.answer.take() else { return Ok(()) };
        self.session.start_step().await?;
        self.session.assistant(AssistantMessage::new(Content::text(answer), Vec::new())).await?;
        self.session.end_step().await?;
        self.session.end_turn(EndReason::completed()).await
    }
}
