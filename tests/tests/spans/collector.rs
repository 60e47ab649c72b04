//! A subscriber that keeps everything.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_core::span::Current;

/// What a thread told, down to a level. A clone keeps the same.
#[derive(Clone)]
pub(crate) struct Collector {
    level: Level,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    spans: Vec<Line>,
    events: Vec<Line>,
    /// The spans that are entered, the innermost last.
    entered: Vec<u64>,
    /// How many hold each span.
    held: BTreeMap<u64, usize>,
}

/// A span or an event.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// A span's own.
    pub(crate) id: u64,
    /// What a span is called, or what an event says.
    pub(crate) name: String,
    metadata: &'static Metadata<'static>,
    pub(crate) level: Level,
    /// The span that it is in.
    pub(crate) span_id: Option<u64>,
    pub(crate) in_span: Option<&'static str>,
    pub(crate) is_closed: bool,
    fields: BTreeMap<&'static str, String>,
}

impl Collector {
    pub(crate) fn new() -> Self {
        Self::at(Level::TRACE)
    }

    pub(crate) fn at(level: Level) -> Self {
        Self { level, kept: Arc::default() }
    }

    /// Collects on this thread until the guard is dropped.
    pub(crate) fn collecting(&self) -> DefaultGuard {
        tracing::subscriber::set_default(self.clone())
    }

    /// The spans of this name, in the order in which they were opened.
    pub(crate) fn spans(&self, name: &str) -> Vec<Line> {
        self.kept().spans.iter().filter(|span| span.name == name).cloned().collect()
    }

    /// The events that say this.
    pub(crate) fn events(&self, message: &str) -> Vec<Line> {
        self.kept().events.iter().filter(|event| event.name == message).cloned().collect()
    }

    #[track_caller]
    pub(crate) fn event(&self, message: &str) -> Line {
        self.events(message).into_iter().next().unwrap_or_else(|| panic!("{message:?} was not told: {}", self.all()))
    }

    /// Whether some thread is in such a span.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        let kept = self.kept();
        kept.entered.iter().any(|id| kept.spans.iter().any(|span| span.id == *id && span.name == name))
    }

    /// The events directly in such a span.
    pub(crate) fn in_span(&self, name: &str) -> Vec<Line> {
        self.kept().events.iter().filter(|event| event.in_span == Some(name)).cloned().collect()
    }

    /// Everything that was told.
    pub(crate) fn all(&self) -> String {
        let kept = self.kept();
        kept.spans.iter().chain(&kept.events).map(Line::told).collect::<Vec<_>>().join("\n")
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap()
    }
}

impl Line {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// The fields, in the order of their names.
    pub(crate) fn fields(&self) -> Vec<(&str, &str)> {
        self.fields.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }

    /// As one line.
    pub(crate) fn told(&self) -> String {
        let mut text = format!("{} {}", self.level, self.name);
        for (name, value) in &self.fields {
            write!(text, " {name}={value}").unwrap();
        }
        text
    }
}

impl Kept {
    fn line(&self, metadata: &'static Metadata<'static>) -> Line {
        let span_id = self.entered.last().copied();
        let parent = span_id.and_then(|id| self.spans.iter().find(|span| span.id == id));
        let in_span = parent.map(|span| span.metadata.name());
        Line {
            id: 0,
            name: metadata.name().to_owned(),
            metadata,
            level: *metadata.level(),
            span_id,
            in_span,
            is_closed: false,
            fields: BTreeMap::new(),
        }
    }
}

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.level
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut kept = self.kept();
        let mut line = kept.line(attributes.metadata());
        attributes.record(&mut line);
        line.id = kept.spans.len() as u64 + 1;
        let id = line.id;
        kept.held.insert(id, 1);
        kept.spans.push(line);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut kept = self.kept();
        if let Some(span) = kept.spans.iter_mut().find(|line| line.id == span.into_u64()) {
            values.record(span);
        }
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut kept = self.kept();
        let mut line = kept.line(event.metadata());
        event.record(&mut line);
        line.name = line.fields.remove("message").unwrap_or_default();
        kept.events.push(line);
    }

    fn enter(&self, span: &Id) {
        self.kept().entered.push(span.into_u64());
    }

    fn exit(&self, span: &Id) {
        let left = self.kept().entered.pop();
        assert_eq!(left, Some(span.into_u64()), "spans are left in the order in which they were entered");
    }

    fn current_span(&self) -> Current {
        let kept = self.kept();
        let current = kept.entered.last().and_then(|id| kept.spans.iter().find(|span| span.id == *id));
        current.map_or_else(Current::none, |span| Current::new(Id::from_u64(span.id), span.metadata))
    }

    fn clone_span(&self, span: &Id) -> Id {
        *self.kept().held.entry(span.into_u64()).or_default() += 1;
        span.clone()
    }

    fn try_close(&self, span: Id) -> bool {
        let mut kept = self.kept();
        let held = kept.held.entry(span.into_u64()).or_default();
        *held -= 1;
        if *held > 0 {
            return false;
        }
        if let Some(span) = kept.spans.iter_mut().find(|line| line.id == span.into_u64()) {
            span.is_closed = true;
        }
        true
    }
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name(), format!("{value:?}"));
    }
}
