//! A command with all that it starts.

use std::convert::Infallible;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;

use super::{ShellFailure, signal};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::{ChildStderr, ChildStdout};
use tokio::sync::oneshot;
use tool_runtime::present::Exit;

/// A process group whose leader is bash. It is killed when this is dropped, whatever of it still runs.
///
/// Its leader is not reaped before that: until then the system gives its number to nobody else, so that no signal reaches a
/// group of strangers.
pub(super) struct Group {
    id: Pid,
    ended: oneshot::Receiver<io::Result<Exit>>,
    /// Dropped after the last signal, which lets the leader be reaped.
    _unreaped: mpsc::Sender<Infallible>,
}

/// What a command prints.
pub(super) struct Pipes {
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

impl Group {
    /// Starts bash with a command, in this directory and without input.
    pub(super) fn start(command: &str, directory: &Path) -> Result<(Self, Pipes), ShellFailure> {
        let started = Command::new("bash")
            .args(["-c", "--", command])
            .current_dir(directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn();
        let mut child = started.map_err(|error| not_started(&error))?;
        let pipes = child.stdout.take().zip(child.stderr.take());
        let ((tell, ended), (unreaped, let_go)) = (oneshot::channel(), mpsc::channel());
        let group = Self { id: Pid::from_child(&child), ended, _unreaped: unreaped };
        let watching = thread::Builder::new().name("bash".to_owned()).spawn(move || watch(child, tell, &let_go));
        watching.map_err(|error| not_started(&error))?;
        let (stdout, stderr) = pipes.ok_or_else(|| not_started(&io::ErrorKind::BrokenPipe.into()))?;
        let stdout = ChildStdout::from_std(stdout).map_err(|error| not_started(&error))?;
        let stderr = ChildStderr::from_std(stderr).map_err(|error| not_started(&error))?;
        Ok((group, Pipes { stdout, stderr }))
    }

    /// The end of its leader. To be asked until it has answered, and not again.
    pub(super) async fn ended(&mut self) -> Result<Exit, ShellFailure> {
        let lost = |error: &dyn ToString| ShellFailure::Lost { error: error.to_string() };
        (&mut self.ended).await.map_err(|gone| lost(&gone))?.map_err(|error| lost(&error))
    }

    /// Sends a signal to all that is left of it.
    pub(super) fn signal(&self, signal: Signal) {
        // It fails only if nobody is left.
        let _ = kill_process_group(self.id, signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

fn not_started(error: &io::Error) -> ShellFailure {
    ShellFailure::NotStarted { error: error.to_string() }
}

/// Tells the end of a process, and reaps it when it is let go. On a thread of its own, since waiting without reaping blocks.
fn watch(mut child: Child, tell: oneshot::Sender<io::Result<Exit>>, let_go: &mpsc::Receiver<Infallible>) {
    let _ = tell.send(end_of(&child));
    let _ = let_go.recv();
    let _ = child.wait();
}

fn end_of(child: &Child) -> io::Result<Exit> {
    loop {
        match waitid(WaitId::Pid(Pid::from_child(child)), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
            Ok(Some(status)) => {
                if let Some(code) = status.exit_status() {
                    return Ok(Exit::Code(code));
                }
                if let Some(number) = status.terminating_signal() {
                    return Ok(Exit::Signal(signal::name(number)));
                }
            }
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
