//! What the program is asked for.

use std::ffi::{OsStr, OsString};
use std::net::SocketAddr;
use std::path::PathBuf;

pub(crate) const USAGE: &str = "usage: cargo run [-- [--log FILE] [DIR]]\n       cargo run -- replay FILE\n       cargo run -- serve [--http ADDRESS:PORT] [DIR]\n\n\
     Shows the file tools at work in DIR, or here. It writes only to a temporary directory, and a log of its calls to FILE,\n\
     or to a new file that it names at its end.\n\n\
     replay: what is in such a log: the cards as they were, and what the model read. It changes nothing.\n\n\
     serve: the file tools over DIR, as a server of the Model Context Protocol, on standard input and output or over HTTP.\n\
     \x20      With MCP_TOKEN set, requests over HTTP need it as their bearer token.";

#[derive(Debug, PartialEq)]
pub(crate) enum Request {
    Tour(Tour),
    Replay(PathBuf),
    Serve(Serve),
    Help,
    Unknown,
}

/// Which directory is toured, and where the log goes.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tour {
    pub(crate) directory: Option<PathBuf>,
    pub(crate) log: Option<PathBuf>,
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
        let mut arguments = arguments.peekable();
        match arguments.peek().map(|first| first.to_string_lossy()).as_deref() {
            Some("serve") => serve(arguments.skip(1)),
            Some("replay") => replay(arguments.skip(1)),
            _ => tour(arguments),
        }
    }
}

fn tour(mut arguments: impl Iterator<Item = OsString>) -> Request {
    let mut tour = Tour::default();
    while let Some(argument) = arguments.next() {
        match argument.to_string_lossy().as_ref() {
            "-h" | "--help" => return Request::Help,
            "--log" if tour.log.is_none() => {
                let Some(path) = arguments.next().filter(|path| !is_option(path)) else { return Request::Unknown };
                tour.log = Some(path.into());
            }
            _ if is_option(&argument) || tour.directory.is_some() => return Request::Unknown,
            _ => tour.directory = Some(argument.into()),
        }
    }
    Request::Tour(tour)
}

fn replay(mut arguments: impl Iterator<Item = OsString>) -> Request {
    match (arguments.next(), arguments.next()) {
        (Some(option), None) if option == "-h" || option == "--help" => Request::Help,
        (Some(path), None) if !is_option(&path) => Request::Replay(path.into()),
        _ => Request::Unknown,
    }
}

/// A file that is called like an option is `./-file`.
fn is_option(argument: &OsStr) -> bool {
    argument.as_encoded_bytes().starts_with(b"-")
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
        let tour = |directory: Option<&str>, log: Option<&str>| {
            Request::Tour(Tour { directory: directory.map(Into::into), log: log.map(Into::into) })
        };
        assert_eq!(read(&[]), tour(None, None));
        assert_eq!(read(&["./serve"]), tour(Some("./serve"), None));
        assert_eq!(read(&["--log", "file"]), tour(None, Some("file")));
        assert_eq!(read(&["dir", "--log", "replay"]), tour(Some("dir"), Some("replay")));
        assert_eq!(read(&["--log", "file", "dir"]), tour(Some("dir"), Some("file")));
        for wrong in [&["a", "b"][..], &["--log"], &["--log", "--log"], &["--log", "a", "--log", "b"], &["--lag", "a"]]
        {
            assert_eq!(read(wrong), Request::Unknown, "{wrong:?}");
        }
        assert_eq!(read(&["--help"]), Request::Help);
    }

    #[test]
    fn one_log_is_replayed() {
        assert_eq!(read(&["replay", "file"]), Request::Replay("file".into()));
        assert_eq!(read(&["replay", "./-file"]), Request::Replay("./-file".into()));
        assert_eq!(read(&["replay", "--help"]), Request::Help);
        for wrong in [&["replay"][..], &["replay", "a", "b"], &["replay", "--x"]] {
            assert_eq!(read(wrong), Request::Unknown, "{wrong:?}");
        }
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
