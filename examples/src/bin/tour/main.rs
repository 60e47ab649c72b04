//! The tour: real tools on real files, from their schemas to the compile error of one that returns the wrong type.
//!
//! `cargo run` walks over the present directory, `cargo run -- DIR` over another. It writes only to a temporary directory.
//! `cargo run -- serve DIR` serves the same tools to clients of the Model Context Protocol.

mod page;
mod policies;
mod request;
mod serve;
mod stops;

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use examples::workspace::Workspace;
use page::Page;
use request::{Request, Serve, USAGE};

#[tokio::main]
async fn main() -> ExitCode {
    match Request::read(std::env::args_os().skip(1)) {
        Request::Tour(directory) => tour(&directory).await,
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

async fn tour(directory: &Path) -> ExitCode {
    let Some(workspace) = opened("tour", directory, "cargo run -- DIR") else { return ExitCode::FAILURE };
    let mut page = Page::of_stdout();
    match stops::all(&mut page, workspace).await {
        Ok(()) => ExitCode::SUCCESS,
        // Who reads has seen enough: `cargo run | head`.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = io::stdout().flush();
            eprintln!("the tour ends here: {error}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
