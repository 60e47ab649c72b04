//! The tour: real tools on real files, from their schemas to the compile error of one that returns the wrong type.
//!
//! `cargo run` walks over the present directory, `cargo run -- DIR` over another. It writes only to a temporary directory, and
//! a session log to where `--log FILE` says; `cargo run -- replay FILE` shows the session again from the log alone.
//! `cargo run -- serve DIR` serves the same tools to clients of the Model Context Protocol.

mod exchange;
mod log;
mod page;
mod policies;
mod replay;
mod request;
mod serve;
mod stops;

use std::error::Error;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use examples::workspace::Workspace;
use page::Page;
use request::{Request, Serve, Tour, USAGE};

/// What ends a tour or a replay early.
type Fault = Box<dyn Error>;
type Done = Result<(), Fault>;

#[tokio::main]
async fn main() -> ExitCode {
    match Request::read(std::env::args_os().skip(1)) {
        Request::Tour(asked) => tour(asked).await,
        Request::Replay(path) => ended("", replay::replay(&mut Page::of_stdout(), &path)),
        Request::Serve(Serve { directory, http }) => {
            let directory = directory.unwrap_or_else(|| ".".into());
            let Some(workspace) = opened("serve", &directory, "cargo run -- serve DIR") else {
                return ExitCode::FAILURE;
            };
            match serve::serve(workspace, http).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("the server ends here: {error}");
                    ExitCode::FAILURE
                }
            }
        }
        Request::Help => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Request::Unknown => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// The directory as a workspace, or word of why it is none.
fn opened(what: &str, directory: &Path, usage: &str) -> Option<Workspace> {
    let opened = Workspace::open(directory);
    opened
        .inspect_err(|error| eprintln!("cannot {what} {}: {error}; name a directory: {usage}", directory.display()))
        .ok()
}

async fn tour(Tour { directory, log }: Tour) -> ExitCode {
    let directory = directory.unwrap_or_else(|| ".".into());
    let Some(workspace) = opened("tour", &directory, "cargo run -- DIR") else { return ExitCode::FAILURE };
    ended("the tour ends here: ", stops::all(&mut Page::of_stdout(), workspace, log.as_deref()).await)
}

/// What the shell is told of what was shown on standard output.
fn ended(told: &str, done: Done) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Who reads has seen enough: `cargo run | head`.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = io::stdout().flush();
            eprintln!("{told}{error}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
