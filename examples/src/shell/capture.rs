//! What a command prints: both ends of it, and all of it in the spill store.

use std::io;
use std::mem;
use std::time::Duration;

use crate::workspace::Workspace;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;
use tool_runtime::retain::{Keep, TextRetainer};
use tool_runtime::{Context, SpillFile};

/// How many bytes of one stream are kept inline.
const MAX_INLINE: usize = 64_000;

/// How many bytes of one stream are kept in the spill store.
pub(crate) const MAX_WHOLE: u64 = 64 << 20;

/// As much as a pipe holds.
const CHUNK: usize = 64 * 1024;

/// How long the spill store may take to end a stream.
const STORE_TIME: Duration = Duration::from_secs(10);

/// One stream of a command, on its way.
pub(super) struct Capture<'a> {
    cx: &'a Context<Workspace>,
    /// How a person would name it.
    name: &'static str,
    ends: TextRetainer,
    whole: Whole,
}

/// Where all of a stream is.
enum Whole {
    /// Here, as long as it may be inline.
    Held(Vec<u8>),
    /// In the spill store, which takes so many bytes more.
    Stored(SpillFile, u64),
    /// Nowhere: there is no store, or it has failed.
    Nowhere,
}

/// One stream of a command that has ended.
pub(crate) struct Captured {
    /// All of it; or both ends, with a line between them that says how much is missing.
    pub(crate) text: String,
    /// How many bytes it had.
    pub(crate) bytes: u64,
    /// How many of them are not in the text.
    pub(crate) omitted: u64,
    /// Where the spill store has it: all of it, or its first [`MAX_WHOLE`] bytes.
    pub(crate) path: Option<String>,
}

impl<'a> Capture<'a> {
    pub(super) fn new(cx: &'a Context<Workspace>, name: &'static str) -> Self {
        let ends = TextRetainer::new(Keep::both_ends(MAX_INLINE));
        Self { cx, name, ends, whole: Whole::Held(Vec::new()) }
    }

    /// Takes in a stream to its end. What was read until this is dropped is kept.
    pub(super) async fn read(&mut self, mut stream: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; CHUNK];
        loop {
            match stream.read(&mut chunk).await {
                Ok(0) => return,
                Ok(count) => self.push(&chunk[..count]).await,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Nothing more comes of it, as at its end.
                Err(_) => return,
            }
        }
    }

    async fn push(&mut self, chunk: &[u8]) {
        self.ends.push(chunk);
        // Taken out for as long as it is written to: should this be dropped meanwhile, no file with a gap stays.
        self.whole = match mem::replace(&mut self.whole, Whole::Nowhere) {
            Whole::Held(mut bytes) if bytes.len() + chunk.len() <= MAX_INLINE => {
                bytes.extend_from_slice(chunk);
                Whole::Held(bytes)
            }
            Whole::Held(bytes) => match self.cx.open_spill(self.name).await {
                Ok(file) => Whole::Stored(file, MAX_WHOLE).and(&bytes).await.and(chunk).await,
                Err(_) => Whole::Nowhere,
            },
            whole => whole.and(chunk).await,
        };
    }

    pub(super) async fn finish(self) -> Captured {
        let path = match self.whole {
            Whole::Stored(file, _) => timeout(STORE_TIME, file.finish()).await.ok().and_then(Result::ok),
            Whole::Held(_) | Whole::Nowhere => None,
        };
        let ends = self.ends.finish();
        let (bytes, omitted) = (ends.seen(), ends.omitted());
        let text = ends.into_text(&format!("\n[… {omitted} bytes omitted …]\n"));
        Captured { text, bytes, omitted, path: path.map(|spilled| spilled.locator().to_owned()) }
    }
}

impl Whole {
    /// With these bytes at the end, as far as the store takes them.
    async fn and(self, bytes: &[u8]) -> Self {
        let Self::Stored(mut file, room) = self else { return self };
        let taken = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        if taken == 0 {
            return Self::Stored(file, room);
        }
        match file.write(&bytes[..taken]).await {
            Ok(()) => Self::Stored(file, room - taken as u64),
            Err(_) => Self::Nowhere,
        }
    }
}
