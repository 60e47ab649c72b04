//! The tour: real tools on real files, from their schemas to the compile error of one that returns the wrong type.
//!
//! `cargo run` walks over the present directory, `cargo run -- DIR` over another. It writes only to a temporary directory.

mod page;
mod policies;
mod stops;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use examples::workspace::Workspace;
use page::Page;

const USAGE: &str = "usage: cargo run [-- DIR]\n\nShows the file tools at work in DIR, or here. It writes only to a temporary \
                     directory.";

#[tokio::main]
async fn main() -> ExitCode {
    let directory = match request() {
        Request::Tour(directory) => directory,
        Request::Help => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Request::Unknown => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let workspace = match Workspace::open(&directory) {
        Ok(workspace) => workspace,
        Err(error) => {
            eprintln!("cannot tour {}: {error}; name a directory: cargo run -- DIR", directory.display());
            return ExitCode::FAILURE;
        }
    };
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

enum Request {
    Tour(PathBuf),
    Help,
    Unknown,
}

fn request() -> Request {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next().unwrap_or_else(|| ".".into());
    match first.to_string_lossy().as_ref() {
        "-h" | "--help" => Request::Help,
        option if option.starts_with('-') => Request::Unknown,
        _ if arguments.next().is_some() => Request::Unknown,
        _ => Request::Tour(first.into()),
    }
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
