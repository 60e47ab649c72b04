//! The check of values against a schema.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;

use super::dialect::Dialect;
use super::document::Schema;
#[cfg(feature = "foreign-schemas")]
use super::engine::Engine;
use super::explain::{self, Subject};
use super::large_stack::on_large_stack;
use super::program::{OnePass, Program};
use super::projected::Projected;
use super::references::Names;
use super::secrets::Secrets;
use super::violation::{SchemaError, Side, Violation, bounded, shown};
use super::{foreign, graph, whole_floats};
use crate::json::{JsonText, JsonValue, LossyValue, ParseLimits, Pointer, follow, write_checked};

/// Deepest nesting of a value that is checked, as of one that is parsed or written.
const MAX_VALUE_DEPTH: usize = crate::json::MAX_DEPTH;

/// Levels of schemas on levels of values that the caller's stack is trusted with, in builds without optimisation too.
const MAX_LEVELS_HERE: usize = 160;

/// What is allocated for the first text; most values of tools fit.
const FIRST_BYTES: usize = 256;

/// A text that was longer is no reason to allocate as much for the next one.
const MAX_REMEMBERED_BYTES: usize = 1 << 20;

/// A schema compiled for checking: made once for a tool, used at every call from any thread.
pub(crate) struct Validator {
    schema: Schema,
    side: Side,
    /// Made at the first call for a plain schema, of which it is known that it compiles.
    compiled: OnceLock<Compiled>,
    dialect: Dialect,
    /// Whether formats are enforced.
    formats: bool,
    /// Its secret places, if it has some.
    secrets: Option<Box<Secrets>>,
    /// How long the last text was that [`Self::accept`] wrote.
    last_bytes: AtomicUsize,
}

/// What is made of a schema.
struct Compiled {
    judge: Judge,
    names: Names,
    longest_chain: usize,
}

/// What gives the verdict.
enum Judge {
    Program(Program),
    /// The walk that explains: it takes each pair of a definition and a value once, where the others follow every path to
    /// it.
    Walk,
    /// The general validator, for keywords that programs don't know.
    #[cfg(feature = "foreign-schemas")]
    Engine(Engine),
}

impl Validator {
    /// The validator of a schema that this module generated. Its formats are enforced.
    ///
    /// # Errors
    ///
    /// Patterns of the author's that the linear-time engine does not take, and what an author's `JsonSchema` implementation
    /// got wrong.
    pub(crate) fn derived(schema: &Schema, side: Side) -> Result<Self, SchemaError> {
        if schema.is_plain() {
            return Ok(Self::new(schema.clone(), side, OnceLock::new(), Dialect::Draft202012, true));
        }
        let survey = foreign::judge_generated(schema.tree()).map_err(SchemaError::new)?;
        let compiled = Compiled::of(schema, Dialect::Draft202012, survey, true)?;
        Ok(Self::new(schema.clone(), side, compiled.into(), Dialect::Draft202012, true))
    }

    /// The schema and validator of a document that a server or a host hands over. Its formats are annotations.
    ///
    /// Draft-07 and 2020-12 are told apart by `$schema`; without one, it is 2020-12. The schema is published as it is.
    ///
    /// # Errors
    ///
    /// Everything that is wrong at once: what the meta-schema refuses, references out of the document or to nowhere, endless
    /// or too long chains of references, patterns that need backtracking, an input root that is not an object, and without
    /// the feature `foreign-schemas` keywords that only the general validator knows.
    pub(crate) fn foreign(raw: &JsonValue, side: Side) -> Result<(Schema, Self), SchemaError> {
        let (dialect, survey) = foreign::judge(raw, side).map_err(SchemaError::new)?;
        let schema = Schema::foreign(raw.clone());
        let compiled = Compiled::of(&schema, dialect, survey, false)?;
        Ok((schema.clone(), Self::new(schema, side, compiled.into(), dialect, false)))
    }

    fn new(schema: Schema, side: Side, compiled: OnceLock<Compiled>, dialect: Dialect, formats: bool) -> Self {
        let secrets = schema.marked().map(|marked| Box::new(Secrets::new(marked.clone())));
        Self { schema, side, compiled, dialect, formats, secrets, last_bytes: AtomicUsize::new(FIRST_BYTES) }
    }

    #[inline]
    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Compiled::of_plain(&self.schema))
    }

    /// Whether it takes objects without properties, and nothing else.
    pub(crate) fn takes_none(&self) -> bool {
        let is_closed = |root: &serde_json::Map<String, JsonValue>| {
            ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|keyword| root.get(*keyword) == Some(&false.into()))
        };
        let names_none = |(keyword, value): (&String, &JsonValue)| match keyword.as_str() {
            "properties" => value.as_object().is_some_and(serde_json::Map::is_empty),
            "type" | "title" | "description" | "$schema" | "additionalProperties" | "unevaluatedProperties" => true,
            _ => false,
        };
        self.schema.tree().as_object().is_some_and(|root| is_closed(root) && root.iter().all(names_none))
    }

    /// The secret places of its values, if there are some.
    #[inline]
    pub(crate) fn secrets(&self) -> Option<&Secrets> {
        self.secrets.as_deref()
    }

    /// What of its values is canonical input, if something is.
    pub(crate) fn projected(&self) -> Option<&Projected> {
        self.schema.projected()
    }

    /// Turns the aliases in a value into the fields that they stand for.
    pub(crate) fn resolve_aliases(&self, value: &mut JsonValue) {
        if let Some(aliases) = self.schema.aliases() {
            aliases.resolve(value);
        }
    }

    /// Turns each whole float into an integer where the schema wants one, in a value that was checked.
    pub(crate) fn settle_whole_floats(&self, value: &mut JsonValue) {
        whole_floats::Document { root: self.schema.tree(), names: &self.compiled().names }.settle(value);
    }

    /// Checks a value; every violation in one answer, in the order of the schema.
    ///
    /// # Errors
    ///
    /// The violations, never an empty list: per object what is missing, then its properties, then undeclared keys; the
    /// number is bounded, and a last line says how many more there are.
    pub(crate) fn check(&self, value: &JsonValue) -> Result<(), Vec<Violation>> {
        if self.side == Side::Input && !value.is_object() {
            let holds_one = |text: &str| text.trim_start().starts_with('{');
            let hint = match value.as_str() {
                Some(text) if holds_one(text) => "; send the object itself, not a string that holds it",
                _ => "",
            };
            let got = if self.secrets.is_some() { explain::kind_word(value).to_owned() } else { shown(value) };
            let message = format!("arguments must be an object, got {got}{hint}");
            return Err(vec![Violation::new(Pointer::root(), message)]);
        }
        if graph::deeper_than(value, MAX_VALUE_DEPTH).is_some() {
            let message = format!("{} is nested deeper than {MAX_VALUE_DEPTH} levels", self.side.root_name());
            return Err(vec![Violation::new(Pointer::root(), message)]);
        }
        if graph::deeper_than(value, self.levels_here()).is_some() {
            return on_large_stack(|| self.check_bounded(value)).map_err(|violation| vec![violation])?;
        }
        self.check_bounded(value)
    }

    /// Whether arguments satisfy the schema for sure, and can be decoded from their text as it stands. Of others, a tree
    /// tells more.
    pub(crate) fn holds_in(&self, text: &str, limits: &ParseLimits) -> bool {
        let Judge::Program(program) = &self.compiled().judge else { return false };
        let is_object = text.trim_ascii_start().starts_with('{');
        if !is_object || self.schema.aliases().is_some() {
            return false;
        }
        let mut check = OnePass::new(program, self.levels_here());
        follow(text, limits, &mut check) && check.accepts()
    }

    /// Levels of a value that the caller's stack is trusted with.
    fn levels_here(&self) -> usize {
        MAX_LEVELS_HERE / self.compiled().longest_chain.max(1)
    }

    fn check_bounded(&self, value: &JsonValue) -> Result<(), Vec<Violation>> {
        if !matches!(self.compiled().judge, Judge::Walk) && self.is_valid(value) {
            return Ok(());
        }
        let mut violations = self.explained(value);
        if violations.is_empty() {
            if matches!(self.compiled().judge, Judge::Walk) {
                return Ok(());
            }
            violations.push(self.unexplained(value));
        }
        Err(bounded(violations))
    }

    /// The verdict alone; the value's depth is bounded.
    pub(super) fn is_valid(&self, value: &JsonValue) -> bool {
        match &self.compiled().judge {
            Judge::Program(program) => program.holds(value).unwrap_or_else(|| self.explained(value).is_empty()),
            Judge::Walk => self.explained(value).is_empty(),
            #[cfg(feature = "foreign-schemas")]
            Judge::Engine(engine) => engine.is_valid(value),
        }
    }

    /// The violations that have words; the value's depth is bounded.
    pub(super) fn explained(&self, value: &JsonValue) -> Vec<Violation> {
        let hidden = self.secrets().map(|secrets| secrets.hidden_in(value));
        let subject = Subject {
            root: self.secrets().map_or_else(|| self.schema.tree(), Secrets::marked),
            hidden: hidden.as_ref(),
            names: &self.compiled().names,
            side: self.side,
            dialect: self.dialect,
            formats: self.formats,
        };
        explain::explain(&subject, value)
    }

    /// For keywords that have no words of their own.
    fn unexplained(&self, value: &JsonValue) -> Violation {
        let (at, keyword) =
            self.compiled().judge.first_fault(value).unwrap_or_else(|| (Pointer::root(), "$schema".to_owned()));
        let message = format!("{} breaks the rule \"{keyword}\" of the schema", explain::subject(&at, self.side));
        Violation::new(at, message)
    }

    /// Writes a value without loss and checks it, in one pass where the schema is a program's.
    ///
    /// What the pass leaves in doubt, the text decides: it is read back, and why it is refused is told as for any value.
    ///
    /// # Errors
    ///
    /// Where the value cannot be written as JSON, or the violations of what was written.
    pub(crate) fn accept<T: Serialize + ?Sized>(&self, value: &T) -> Result<JsonText, Vec<Violation>> {
        self.accept_any(&value)
    }

    /// The same, compiled once and not for each type that there is. A judge that knows no program
    /// follows one that asks nothing, so that each type is written by one kind of writer only.
    pub(crate) fn accept_any(&self, value: &dyn Checkable) -> Result<JsonText, Vec<Violation>> {
        let judge = if let Judge::Program(program) = &self.compiled().judge { Some(program) } else { None };
        let mut check = OnePass::new(judge.unwrap_or_else(|| Program::anything()), self.levels_here());
        let bytes = self.last_bytes.load(Ordering::Relaxed).min(MAX_REMEMBERED_BYTES);
        let text = value
            .write_checked(Checking(&mut check), bytes)
            .map_err(|lossy| vec![Violation::new(lossy.pointer().clone(), lossy.to_string())])?;
        self.last_bytes.store(text.len_bytes(), Ordering::Relaxed);
        if judge.is_none() || !check.accepts() {
            self.check(&text.to_value())?;
        }
        Ok(text)
    }
}

/// The check of one value.
pub(crate) struct Checking<'c, 'p>(&'c mut OnePass<'p>);

/// A value of any type that can be written.
pub(crate) trait Checkable {
    /// Writes it, into a text of about so many bytes, while it is checked.
    fn write_checked(&self, check: Checking<'_, '_>, bytes: usize) -> Result<JsonText, LossyValue>;
}

impl<T: Serialize> Checkable for T {
    fn write_checked(&self, check: Checking<'_, '_>, bytes: usize) -> Result<JsonText, LossyValue> {
        write_checked(self, check.0, bytes)
    }
}

impl Compiled {
    fn of(schema: &Schema, dialect: Dialect, survey: graph::Survey, formats: bool) -> Result<Self, SchemaError> {
        let graph::Survey { names, longest_chain, multiplies } = survey;
        let judge = if multiplies {
            explain::refuse_undecidable(schema.tree()).map_err(SchemaError::new)?;
            Judge::Walk
        } else {
            match Program::compile(schema.tree(), &names, dialect, formats) {
                Ok(program) => Judge::Program(program),
                Err(_) => Judge::general(schema.tree(), dialect, formats)?,
            }
        };
        Ok(Self { judge, names, longest_chain })
    }

    /// A plain schema has no name but those of definitions, and no keyword that programs don't know. The walk knows every
    /// keyword too, so that there is a judge in any case.
    fn of_plain(schema: &Schema) -> Self {
        let survey = graph::survey(schema.tree()).ok();
        let compiled = survey.and_then(|survey| Self::of(schema, Dialect::Draft202012, survey, true).ok());
        compiled.unwrap_or_else(|| Self {
            judge: Judge::Walk,
            names: Names::default(),
            longest_chain: graph::MAX_CHAIN,
        })
    }
}

impl Judge {
    #[cfg(feature = "foreign-schemas")]
    fn general(schema: &JsonValue, dialect: Dialect, formats: bool) -> Result<Self, SchemaError> {
        let compiled = on_large_stack(|| Engine::compile(schema, dialect, formats)).and_then(|compiled| compiled);
        compiled.map(Self::Engine).map_err(|violation| SchemaError::new(vec![violation]))
    }

    /// Keywords are refused where they stand before it comes to this; what is left is in places that hold no schemas.
    #[cfg(not(feature = "foreign-schemas"))]
    fn general(_: &JsonValue, _: Dialect, _: bool) -> Result<Self, SchemaError> {
        let message = "the schema refers to a place outside of its definitions whose keywords need the general validator; \
                       turn on the feature \"foreign-schemas\" of tool-runtime";
        Err(SchemaError::one(Pointer::root(), message))
    }

    /// Where a value breaks a keyword that has no words.
    #[cfg(feature = "foreign-schemas")]
    fn first_fault(&self, value: &JsonValue) -> Option<(Pointer, String)> {
        match self {
            Self::Engine(engine) => engine.first_fault(value),
            Self::Program(_) | Self::Walk => None,
        }
    }

    /// Every keyword that programs know has words.
    #[cfg(not(feature = "foreign-schemas"))]
    #[allow(clippy::unused_self)]
    fn first_fault(&self, _: &JsonValue) -> Option<(Pointer, String)> {
        None
    }
}
