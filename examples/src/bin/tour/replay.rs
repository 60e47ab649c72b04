//! A session, shown again from its log alone.

use std::io;
use std::path::Path;

use examples::tools::file_tools;
use examples::workspace::Workspace;
use tool_runtime::Cards;
use tool_runtime::session::{
    CallRecord, Entry, Event, FileStore, Message, Replay, ReplayedCall, RequestedCall, ResultRecord, SessionLog,
    StoreErrorKind, repairs,
};

use crate::exchange::{cards_of, reading_of};
use crate::page::Page;
use crate::{Done, Fault};

/// Shows a log: what is damaged in it, what was said and seen, and what is open at its end. Nothing of the file is changed.
pub(crate) fn replay(page: &mut Page, path: &Path) -> Done {
    let log = opened(path)?;
    let cards = cards()?;
    let mut replayed = Replay::default();
    // What leans on a record that is damaged is refused by itself; the rest is shown.
    let refused: Vec<_> = log.entries().iter().filter_map(|entry| replayed.add(entry).err()).collect();

    let (events, calls, damaged) = (log.entries().len(), replayed.calls().len(), log.damage().len());
    page.title(
        "A session, from its log alone.",
        &format!(
            "{}. Events: {events}. Calls: {calls}. Damaged places: {damaged}. No body is run, and no file is read but the log.",
            path.display()
        ),
    )?;
    if damaged + refused.len() > 0 {
        page.gap()?;
    }
    for damage in log.damage() {
        page.labelled("damaged", &damage.to_string())?;
    }
    for error in refused {
        page.labelled("passed over", &error.to_string())?;
    }
    Conversation { page: &mut *page, cards: &cards, replayed: &replayed, shown: vec![false; calls], turn: None }
        .show()?;
    open(page, &log)
}

/// What is seen of each call in a log that has its result.
pub(crate) fn seen(page: &Page, path: &Path) -> Result<Vec<String>, Fault> {
    let cards = cards()?;
    let replayed = tool_runtime::session::replay(&opened(path)?)?;
    let calls = replayed.calls().iter();
    Ok(calls
        .filter_map(|call| Some((call, call.result()?)))
        .map(|(call, result)| {
            let ReplayedText { name, arguments } = ReplayedText::of(call.call());
            cards_of(page, &cards, name, arguments, Some(&result.durable())) + &reading_of(page, &result.content)
        })
        .collect())
}

fn opened(path: &Path) -> Result<SessionLog, Fault> {
    let place = path.display();
    let bytes = FileStore::read(path).map_err(|error| match error.kind() {
        StoreErrorKind::Missing => format!("cannot replay {place}: there is no such file"),
        _ => format!("cannot replay it: {error}"),
    })?;
    let log = SessionLog::parse(&bytes).and_then(|log| log.understood().map(|()| log));
    Ok(log.map_err(|error| format!("cannot replay {place}: {error}"))?)
}

/// What draws the cards: the tools, without a file, since a log is enough.
fn cards() -> Result<Cards, Fault> {
    let nowhere = tempfile::tempdir()?;
    Ok(file_tools(Workspace::open(nowhere.path())?)?.cards())
}

/// What of a call a card is drawn from.
#[derive(Clone, Copy)]
struct ReplayedText<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> ReplayedText<'a> {
    fn of(call: &'a CallRecord) -> Self {
        Self { name: &call.name, arguments: &call.arguments }
    }

    fn requested(call: &'a RequestedCall) -> Self {
        Self { name: &call.name, arguments: &call.arguments }
    }
}

struct Conversation<'a> {
    page: &'a mut Page,
    cards: &'a Cards,
    replayed: &'a Replay,
    /// Which calls were shown.
    shown: Vec<bool>,
    turn: Option<u64>,
}

impl Conversation<'_> {
    fn show(mut self) -> io::Result<()> {
        for message in self.replayed.messages() {
            match message {
                Message::User(said) => {
                    self.in_turn(said.turn)?;
                    self.page.gap()?;
                    self.page.labelled("user", &said.content.to_text())?;
                }
                Message::Assistant(said) => {
                    self.in_turn(said.turn)?;
                    if !said.content.is_empty() {
                        self.page.gap()?;
                        self.page.labelled("model", &said.content.to_text())?;
                    }
                }
                Message::ToolResult(result) => {
                    self.in_turn(result.turn)?;
                    self.answered(result)?;
                }
                _ => {}
            }
        }
        self.unanswered(None)
    }

    fn in_turn(&mut self, turn: u64) -> io::Result<()> {
        if self.turn == Some(turn) {
            return Ok(());
        }
        if let Some(before) = self.turn.replace(turn) {
            self.unanswered(Some(before))?;
        }
        self.page.gap()?;
        self.page.title(&if turn == 0 { "Outside of a turn".to_owned() } else { format!("Turn {turn}") }, "")
    }

    fn answered(&mut self, result: &ResultRecord) -> io::Result<()> {
        let replayed = self.replayed;
        let is_its_call = |(at, call): &(usize, &ReplayedCall)| {
            let record = call.call();
            !self.shown[*at]
                && call.result().is_some()
                && (record.turn, record.step, &record.call_id) == (result.turn, result.step, &result.call_id)
        };
        let found = replayed.calls().iter().enumerate().find(is_its_call);
        if let Some((at, _)) = found {
            self.shown[at] = true;
        }
        // The record of the call may be damaged; what the model asked for says the same.
        let text = match found {
            Some((_, call)) => Some(ReplayedText::of(call.call())),
            None => requested(replayed, result).map(ReplayedText::requested),
        };
        // What a person saw stays as it was when the model's copy is pruned.
        let seen = found.and_then(|(_, call)| call.result()).unwrap_or(result);
        self.page.gap()?;
        match text {
            Some(text) => self.call(text, Some(seen))?,
            None => self.page.labelled("call", &format!("{}: what it was is lost", result.call_id))?,
        }
        let read = reading_of(self.page, &result.content);
        self.page.card(&read)
    }

    fn call(&mut self, text: ReplayedText<'_>, result: Option<&ResultRecord>) -> io::Result<()> {
        let ReplayedText { name, arguments } = text;
        self.page.labelled("call", &format!("{name} {arguments}"))?;
        let durable = result.map(ResultRecord::durable);
        let drawn = cards_of(self.page, self.cards, name, arguments, durable.as_ref());
        self.page.card(&drawn)
    }

    /// The calls of a turn, or of all that are left, whose results the log does not have.
    fn unanswered(&mut self, turn: Option<u64>) -> io::Result<()> {
        for (at, call) in self.replayed.calls().iter().enumerate() {
            if self.shown[at] || turn.is_some_and(|turn| call.call().turn != turn) {
                continue;
            }
            self.shown[at] = true;
            self.page.gap()?;
            self.call(ReplayedText::of(call.call()), call.result())?;
            self.page.labelled("result", "the log has none")?;
        }
        Ok(())
    }
}

/// What the model asked for, of which this is the result.
fn requested<'a>(replayed: &'a Replay, result: &ResultRecord) -> Option<&'a RequestedCall> {
    let asked = replayed.messages().iter().filter_map(|message| match message {
        Message::Assistant(said) if (said.turn, said.step) == (result.turn, result.step) => Some(&said.calls),
        _ => None,
    });
    asked.flatten().find(|call| call.call_id == result.call_id)
}

/// What a resumed session would append, if the log ends within a turn.
fn open(page: &mut Page, log: &SessionLog) -> Done {
    let repairs = repairs(log)?;
    if repairs.is_empty() {
        return Ok(());
    }
    page.gap()?;
    page.title(
        "The log ends within a turn",
        "A session that goes on from here would first append, and run no body again:",
    )?;
    for entry in &repairs {
        page.labelled(entry.kind(), &told(entry))?;
    }
    Ok(())
}

fn told(entry: &Entry) -> String {
    match entry.event() {
        Event::ToolResult(result) => format!("{}: {}", result.call_id, result.content.to_text()),
        Event::StepEnd { turn, step } => format!("step {step} of turn {turn}"),
        Event::TurnEnd { turn, reason } => format!("turn {turn}: {}", reason.kind()),
        _ => entry.payload().to_owned(),
    }
}
