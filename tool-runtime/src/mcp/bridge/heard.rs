//! What a server says that is not of the protocol.

use std::fmt::Display;
use std::sync::OnceLock;

use super::line::one_line;

/// So much of a line is kept, in bytes.
pub(super) const MAX_HEARD: usize = 200;

/// What came on a connection that is not of the protocol, for who asks why it can't be made.
#[derive(Debug, Default)]
pub(super) struct Heard {
    noise: OnceLock<String>,
    echo: OnceLock<String>,
}

impl Heard {
    /// Takes a line that is no message. A server may yet answer after it.
    pub(super) fn noise(&self, line: &impl Display) {
        self.noise.get_or_init(|| one_line(&line.to_string(), MAX_HEARD));
    }

    /// Takes our own question, which came back: this is no server.
    pub(super) fn echo(&self, line: &impl Display) {
        self.echo.get_or_init(|| one_line(&line.to_string(), MAX_HEARD));
    }

    /// Our own question.
    pub(super) fn echoed(&self) -> Option<&str> {
        self.echo.get().map(String::as_str)
    }

    /// The first line that was no message.
    pub(super) fn first(&self) -> Option<&str> {
        self.noise.get().map(String::as_str)
    }
}
