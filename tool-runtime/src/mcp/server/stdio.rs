//! Standard input and output as the two streams.
//!
//! Whatever prints would break the protocol, be it a tool, a library or a child. So while the server runs, the process's
//! standard output is its standard error, and its standard input is empty; the server alone has the streams.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::thread;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{ServeError, ServerOptions, serve};
use crate::dispatch::Dispatcher;

/// What is read at a time, and what may wait between a thread and the server.
const BUFFER: usize = 64 * 1024;

/// Serves the dispatcher's tools to the client that started this process, until it closes the input.
///
/// It is [`serve_stdio_with`] the default options.
///
/// ```no_run
/// use tool_runtime::prelude::*;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let dispatcher = Dispatcher::new(Registry::new());
/// tool_runtime::mcp::serve_stdio(dispatcher).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`serve_stdio_with`].
pub async fn serve_stdio(dispatcher: Dispatcher) -> Result<(), ServeError> {
    serve_stdio_with(dispatcher, ServerOptions::default()).await
}

/// Serves the dispatcher's tools to the client that started this process, until it closes the input and its calls are
/// answered.
///
/// While it runs, the process's standard output is its standard error and its standard input is empty, on Unix: what a tool
/// prints, or a library or a child of its, goes to the log and not into the protocol, and no child reads a client's messages.
/// Both are put back when it ends. On Windows nothing is diverted, and a tool must not print.
///
/// # Errors
/// The streams can't be set up; otherwise those of [`serve`].
pub async fn serve_stdio_with(dispatcher: Dispatcher, options: ServerOptions) -> Result<(), ServeError> {
    let (streams, diverted) = Diverted::begin()?;
    let (input, output, written) = threads(streams)?;
    let served = serve(dispatcher, input, output, options).await;
    // What was answered is written before the process may end.
    let _ = written.await;
    drop(diverted);
    served
}

/// The streams of the process, as the server alone has them.
struct Streams {
    input: File,
    output: File,
}

/// The process's streams lead elsewhere until this is dropped.
struct Diverted {
    #[cfg(unix)]
    kept: Streams,
}

#[cfg(unix)]
impl Diverted {
    fn begin() -> io::Result<(Streams, Self)> {
        use std::os::fd::AsFd;

        let copy = |stream: &dyn AsFd| stream.as_fd().try_clone_to_owned().map(File::from);
        let streams = Streams { input: copy(&io::stdin())?, output: copy(&io::stdout())? };
        let kept = Streams { input: streams.input.try_clone()?, output: streams.output.try_clone()? };
        let nothing = File::open("/dev/null")?;
        rustix::stdio::dup2_stdout(io::stderr())?;
        let diverted = Self { kept };
        rustix::stdio::dup2_stdin(nothing)?;
        // What was printed and not written yet goes to the log too.
        io::stdout().flush()?;
        Ok((streams, diverted))
    }
}

#[cfg(unix)]
impl Drop for Diverted {
    fn drop(&mut self) {
        let _ = io::stdout().flush();
        let back = rustix::stdio::dup2_stdout(&self.kept.output).and(rustix::stdio::dup2_stdin(&self.kept.input));
        if let Err(error) = back {
            tracing::warn!(%error, "standard input and output could not be put back");
        }
    }
}

#[cfg(windows)]
impl Diverted {
    fn begin() -> io::Result<(Streams, Self)> {
        use std::os::windows::io::AsHandle;

        let copy = |stream: &dyn AsHandle| stream.as_handle().try_clone_to_owned().map(File::from);
        Ok((Streams { input: copy(&io::stdin())?, output: copy(&io::stdout())? }, Self {}))
    }
}

/// Reads and writes on threads of their own: a pending read of a terminal or a pipe would keep a runtime from ending, and
/// whether a stream can be polled is its other end's business.
fn threads(streams: Streams) -> io::Result<(DuplexStream, DuplexStream, oneshot::Receiver<()>)> {
    let Streams { mut input, mut output } = streams;
    let runtime = Handle::current();
    let (mut read, to_server) = duplex(BUFFER);
    let reader = runtime.clone();
    thread::Builder::new().name("mcp-input".to_owned()).spawn(move || {
        let mut buffer = vec![0; BUFFER];
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return,
                Ok(bytes) => {
                    if reader.block_on(read.write_all(buffer.get(..bytes).unwrap_or_default())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return tracing::error!(%error, "standard input can't be read"),
            }
        }
    })?;
    let (from_server, mut written) = duplex(BUFFER);
    let (done, is_done) = oneshot::channel();
    thread::Builder::new().name("mcp-output".to_owned()).spawn(move || {
        let mut buffer = vec![0; BUFFER];
        while let Ok(bytes @ 1..) = runtime.block_on(written.read(&mut buffer)) {
            if let Err(error) = output.write_all(buffer.get(..bytes).unwrap_or_default()) {
                // The server sees it by its own next write.
                tracing::debug!(%error, "standard output can't be written");
                break;
            }
        }
        let _ = done.send(());
    })?;
    Ok((to_server, from_server, is_done))
}
