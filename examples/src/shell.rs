//! A command that bash runs, in a process group of its own.

mod capture;
mod failure;
mod group;
mod signal;

pub(crate) use capture::{Captured, MAX_WHOLE};
pub(crate) use failure::ShellFailure;

use std::future::Future;
use std::path::Path;
use std::pin::{Pin, pin};
use std::time::Duration;

use crate::workspace::Workspace;
use capture::Capture;
use group::Group;
use rustix::process::Signal;
use tokio::time::{Instant, sleep};
use tool_runtime::present::Exit;
use tool_runtime::{Code, Context, Effects, ToolError};

/// How long what was asked to end may take to do so before it is killed.
const GRACE: Duration = Duration::from_secs(3);

/// How long what a command has started may still print after its end. A process substitution needs some of it.
const LINGER: Duration = Duration::from_millis(200);

/// How long the end of a stream is awaited once all of the group is killed. Only who has left the group keeps it open.
const DRAIN: Duration = Duration::from_secs(1);

/// A command that has ended.
pub(crate) struct Run {
    pub(crate) exit: Exit,
    /// Whether it was told to end since its time was up. It may have ended well all the same.
    pub(crate) timed_out: bool,
    pub(crate) stdout: Captured,
    pub(crate) stderr: Captured,
}

/// Runs a command in this directory for so long at most. When this returns or is dropped, the whole group is killed.
pub(crate) async fn run(
    cx: &Context<Workspace>,
    command: &str,
    directory: &Path,
    limit: Duration,
) -> Result<Run, ToolError> {
    let (mut group, pipes) = Group::start(command, directory)?;
    let (mut stdout, mut stderr) = (Capture::new(cx, "stdout.txt"), Capture::new(cx, "stderr.txt"));
    let end = {
        let mut reading = pin!(async {
            tokio::join!(stdout.read(pipes.stdout), stderr.read(pipes.stderr));
        });
        Following { cx, group: &mut group, phase: Phase::Running, stopped: None }.until_end(&mut reading, limit).await?
    };
    drop(group);
    if let Some(Stop::Cancelled) = end.stopped {
        return Err(aborted());
    }
    let (stdout, stderr) = tokio::join!(stdout.finish(), stderr.finish());
    Ok(Run { exit: end.exit, timed_out: end.stopped.is_some(), stdout, stderr })
}

fn aborted() -> ToolError {
    let message = "the command was stopped since the call was aborted; it may have changed something: check before you run \
                   it again";
    ToolError::new(Code::ABORTED, message).effects(Effects::Possible)
}

/// Why a command was told to end. The first reason is the one that is told.
#[derive(Clone, Copy)]
enum Stop {
    TimeUp,
    Cancelled,
}

/// How far a command is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// Asked to end.
    Stopping,
    /// Ended by itself; what it started may still hold its streams.
    Lingering,
    Killed,
}

/// A command on its way to its end.
struct Following<'a> {
    cx: &'a Context<Workspace>,
    group: &'a mut Group,
    phase: Phase,
    stopped: Option<Stop>,
}

struct End {
    exit: Exit,
    stopped: Option<Stop>,
}

impl Following<'_> {
    /// The end of the command and of its streams, or of what we wait for them.
    async fn until_end(
        mut self,
        reading: &mut Pin<&mut impl Future<Output = ()>>,
        limit: Duration,
    ) -> Result<End, ShellFailure> {
        let mut time = pin!(sleep(limit));
        let (mut exit, mut is_read) = (None, false);
        loop {
            if is_read && let Some(exit) = exit {
                return Ok(End { exit, stopped: self.stopped });
            }
            // Reading stands before the time, so that what was printed in time is never left in the pipe.
            let wait = tokio::select! {
                biased;
                () = self.cx.cancelled(), if self.phase == Phase::Running => self.stop(Stop::Cancelled),
                ended = self.group.ended(), if exit.is_none() => {
                    exit = Some(ended?);
                    if self.phase != Phase::Running {
                        continue;
                    }
                    self.phase = Phase::Lingering;
                    LINGER
                }
                () = &mut *reading, if !is_read => {
                    is_read = true;
                    continue;
                }
                () = time.as_mut() => match (self.phase, exit.take()) {
                    (Phase::Running, _) => self.stop(Stop::TimeUp),
                    (Phase::Killed, Some(exit)) => return Ok(End { exit, stopped: self.stopped }),
                    (_, ended) => {
                        exit = ended;
                        self.kill()
                    }
                },
            };
            time.as_mut().reset(Instant::now() + wait);
        }
    }

    /// Asks all of the group to end; how long it may take.
    fn stop(&mut self, why: Stop) -> Duration {
        self.group.signal(Signal::TERM);
        (self.phase, self.stopped) = (Phase::Stopping, Some(why));
        GRACE
    }

    /// Kills all of the group. Should its leader not be gone after so long, it is done once more.
    fn kill(&mut self) -> Duration {
        self.group.signal(Signal::KILL);
        self.phase = Phase::Killed;
        DRAIN
    }
}
