//! What the program is asked for.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

pub(crate) const USAGE: &str = "usage: cargo run [-- DIR]\n       cargo run -- serve [--http ADDRESS:PORT] [DIR]\n\n\
     Shows the file tools at work in DIR, or here. It writes only to a temporary directory.\n\n\
     serve: the file tools over DIR, as a server of the Model Context Protocol, on standard input and output or over HTTP.\n\
     \x20      With MCP_TOKEN set, requests over HTTP need it as their bearer token.";

#[derive(Debug, PartialEq)]
pub(crate) enum Request {
    Tour(PathBuf),
    Serve(Serve),
    Help,
    Unknown,
}

/// Which directory is served, and how.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Serve {
    pub(crate) directory: Option<PathBuf>,
    pub(crate) http: Option<SocketAddr>,
}

impl Request {
    /// Reads what stands behind the program's name. A directory that is called like a command is `./serve`.
    pub(crate) fn read(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut arguments = arguments;
        let first = arguments.next().unwrap_or_else(|| ".".into());
        match first.to_string_lossy().as_ref() {
            "-h" | "--help" => Self::Help,
            "serve" => serve(arguments),
            option if option.starts_with('-') => Self::Unknown,
            _ if arguments.next().is_some() => Self::Unknown,
            _ => Self::Tour(first.into()),
        }
    }
}

fn serve(mut arguments: impl Iterator<Item = OsString>) -> Request {
    let mut serve = Serve::default();
    while let Some(argument) = arguments.next() {
        match argument.to_string_lossy().as_ref() {
            "-h" | "--help" => return Request::Help,
            "--http" if serve.http.is_none() => {
                let address = arguments.next().and_then(|address| address.to_string_lossy().parse().ok());
                let Some(address) = address else { return Request::Unknown };
                serve.http = Some(address);
            }
            option if option.starts_with('-') => return Request::Unknown,
            _ if serve.directory.is_some() => return Request::Unknown,
            _ => serve.directory = Some(argument.into()),
        }
    }
    Request::Serve(serve)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Request {
        Request::read(arguments.iter().map(OsString::from))
    }

    #[test]
    fn without_a_command_it_is_the_tour() {
        assert_eq!(read(&[]), Request::Tour(".".into()));
        assert_eq!(read(&["./serve"]), Request::Tour("./serve".into()));
        assert_eq!(read(&["a", "b"]), Request::Unknown);
        assert_eq!(read(&["--help"]), Request::Help);
    }

    #[test]
    fn what_is_served_and_how_may_stand_in_any_order() {
        let http = "127.0.0.1:0".parse().ok();
        assert_eq!(read(&["serve"]), Request::Serve(Serve::default()));
        let both = Request::Serve(Serve { directory: Some("dir".into()), http });
        assert_eq!(read(&["serve", "dir", "--http", "127.0.0.1:0"]), both);
        assert_eq!(read(&["serve", "--http", "127.0.0.1:0", "dir"]), both);
        for wrong in [&["serve", "--http"][..], &["serve", "--http", "here"], &["serve", "a", "b"], &["serve", "--x"]] {
            assert_eq!(read(wrong), Request::Unknown, "{wrong:?}");
        }
    }
}
