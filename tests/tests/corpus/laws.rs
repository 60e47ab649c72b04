//! The laws: what is published is what is accepted, in both directions.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Debug;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};
use serde_json::Value;

use crate::choices::{Choices, choices};
use crate::instances::{Branch, branches, instance};
use crate::misses::{miss, words};
use crate::published;
use crate::shape::{Shape, Side, Verdict};
use crate::subject::{Outcome, Sample, Subject};

/// How many values each law tries of a shape. `PROPTEST_CASES=N` tries N, and others in each run.
const CASES: u32 = 48;

/// How many instances are drawn at most until every branch of every union was among them.
const DRAWS: u32 = 3000;

/// Tries the shapes, and says of each whether it is what is expected of it.
///
/// # Panics
/// With what is not as expected, of all shapes at once.
pub(crate) fn hold(shapes: &[Shape]) {
    let faults: Vec<String> = shapes
        .iter()
        .filter_map(|shape| judged(shape).err().map(|fault| format!("{} ({:?}): {fault}", shape.name, shape.side)))
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {} shapes are not as expected:\n{}",
        faults.len(),
        shapes.len(),
        faults.join("\n")
    );
}

fn judged(shape: &Shape) -> Result<(), String> {
    let subject = match (&shape.verdict, (shape.open)()) {
        (Verdict::Refused(words), Err(message)) if message.contains(words) => return Ok(()),
        (Verdict::Refused(words), Err(message)) => {
            return Err(format!("is refused with {message:?}, not with {words:?}"));
        }
        (Verdict::Refused(_), Ok(subject)) => return Err(format!("is not refused: {}", subject.schema)),
        (_, Err(message)) => return Err(format!("is refused: {message}")),
        (_, Ok(subject)) => subject,
    };
    tried(shape, &subject).map_err(|fault| format!("{fault}\n    {}", subject.schema))
}

fn tried(shape: &Shape, subject: &Subject) -> Result<(), String> {
    let trial = Trial { shape, subject, oracle: subject.oracle(), excepted: Cell::new(0) };
    published::is_well_formed(&subject.schema, shape.side)?;
    // As text: two trees are equal whatever the order of their keys.
    let (first, next) = (subject.schema.to_string(), (shape.open)()?.schema.to_string());
    if first != next {
        return Err("what is published is another text the next time".to_owned());
    }
    trial.what_is_published_is_taken()?;
    trial.what_the_type_can_be_is_taken()?;
    trial.what_is_written_comes_back()?;
    match shape.verdict {
        Verdict::HoldsExcept(what) if trial.excepted.get() == 0 => Err(format!("is never refused for {what}")),
        _ => Ok(()),
    }
}

struct Trial<'a> {
    shape: &'a Shape,
    subject: &'a Subject,
    oracle: jsonschema::Validator,
    /// How many values the schema accepts and the type does not.
    excepted: Cell<u32>,
}

impl Trial<'_> {
    /// Instances of the schema, and near misses of them: the schema and the pipeline say the same.
    fn what_is_published_is_taken(&self) -> Result<(), String> {
        let words = words(&self.subject.schema);
        let missing = RefCell::new(branches(&self.subject.schema));
        let (drawn, valid) = (Cell::new(0), Cell::new(0));
        let mut draw = |(made, missed): (Vec<u32>, Vec<u32>)| {
            let (mut value, taken) = instance(&self.subject.schema, &made);
            let accepted = self.agree(&value)?;
            drawn.set(drawn.get() + 1);
            if accepted {
                valid.set(valid.get() + 1);
                let mut missing = missing.borrow_mut();
                *missing = missing.difference(&taken).cloned().collect::<BTreeSet<Branch>>();
            }
            let mut misses = Choices::new(&missed);
            for _ in 0..=misses.below(2) {
                miss(&mut value, &words, &mut misses);
                self.agree(&value)?;
            }
            Ok(())
        };
        let both = (choices(60), choices(24));
        run(&mut runner(cases()), &both, |both| Ok(both.clone()), &mut draw)?;
        let mut more = runner(1);
        for _ in 0..DRAWS {
            if missing.borrow().is_empty() {
                break;
            }
            let next = both.new_tree(&mut more).map_err(|error| error.to_string())?.current();
            draw(next)?;
        }
        if let Some((union, index)) = missing.borrow().first() {
            return Err(format!("no instance takes branch {index} of {union}"));
        }
        if valid.get() * 4 < drawn.get() * 3 {
            return Err(format!("only {} of {} instances are valid", valid.get(), drawn.get()));
        }
        Ok(())
    }

    /// Values of the type: the schema accepts what they are written as, and they are decoded as they were.
    fn what_the_type_can_be_is_taken(&self) -> Result<(), String> {
        if self.shape.is_read_only {
            return Ok(());
        }
        run(&mut runner(cases()), &self.subject.samples, |sample: &Sample| sample.json.clone(), &mut |json| {
            if !self.agree(&json)? {
                return Err(format!("the schema refuses {json}"));
            }
            match (self.subject.call)(&json) {
                Outcome::Taken { json: read, .. } if read == json => Ok(()),
                outcome => Err(format!("{json} is decoded as {outcome:?}")),
            }
        })
    }

    fn what_is_written_comes_back(&self) -> Result<(), String> {
        let Some(comes_back) = &self.subject.comes_back else { return Ok(()) };
        run(&mut runner(cases()), &self.subject.samples, |sample: &Sample| Ok(sample.clone()), &mut |sample: Sample| {
            comes_back(&sample)
        })
    }

    /// The schema's verdict about a value, if the pipeline's is the same.
    fn agree(&self, value: &Value) -> Result<bool, String> {
        // Nothing stands for no arguments.
        let nothing = Value::Object(serde_json::Map::new());
        let is_nothing = self.shape.side == Side::Arguments && value.is_null();
        let value = if is_nothing { &nothing } else { value };
        let accepted = self.oracle.is_valid(value);
        match (self.subject.call)(value) {
            Outcome::Taken { debug, json } => {
                if !accepted && !self.oracle.is_valid(&self.without_aliases(value)) {
                    return Err(format!("{value} is decoded as {debug}, and the schema refuses it"));
                }
                if self.shape.read_as.is_none() && !kept(&self.without_aliases(value), &json) {
                    return Err(format!("{value} is decoded as {debug}, which is something else"));
                }
                if self.shape.is_read_only {
                    return Ok(accepted);
                }
                match (self.subject.call)(&json) {
                    Outcome::Taken { json: again, .. } if again == json => Ok(accepted),
                    outcome => Err(format!("{value} is decoded as {debug}, and {json} as {outcome:?}")),
                }
            }
            Outcome::Refused { code, violations } => {
                let expected = if self.shape.side == Side::Arguments { "INVALID_ARGS" } else { "INVALID_TOOL_OUTPUT" };
                if code != expected {
                    return Err(format!("{value} is refused with {code}: {violations:?}"));
                }
                if let Some(lost) = violations.iter().find(|violation| !tells_where(violation, value)) {
                    return Err(format!("{value} is refused without a place in it: {lost}"));
                }
                let changes = violations.iter().any(|violation| violation.contains("does not stay the same"));
                // Where a float is meant, an integer of more than 53 bits would come back as another.
                let is_rounded = changes && holds_rounded_integer(value);
                if accepted && !is_rounded {
                    self.excepted.set(self.excepted.get() + 1);
                    if !matches!(self.shape.verdict, Verdict::HoldsExcept(_)) {
                        return Err(format!("the schema accepts {value}, which is refused: {violations:?}"));
                    }
                }
                Ok(accepted)
            }
        }
    }

    fn without_aliases(&self, value: &Value) -> Value {
        match value {
            Value::Object(entries) => {
                let name = |name: &str| self.shape.aliases.iter().find(|(alias, _)| *alias == name);
                let entries = entries.iter().map(|(key, value)| {
                    // An alias beside its field is no alias but one key too many.
                    let field = name(key).map(|(_, field)| *field).filter(|field| !entries.contains_key(*field));
                    (field.unwrap_or(key).to_owned(), self.without_aliases(value))
                });
                Value::Object(entries.collect())
            }
            Value::Array(items) => items.iter().map(|item| self.without_aliases(item)).collect(),
            other => other.clone(),
        }
    }
}

/// Whether a refusal names a place that is in the value, or beside what is in it.
fn tells_where(violation: &str, value: &Value) -> bool {
    let Some(at) = violation.find("\"/") else {
        // The root has a name of its own.
        return violation.contains("arguments ") || violation.contains("value ");
    };
    let mut texts = serde_json::Deserializer::from_str(&violation[at..]).into_iter::<String>();
    let Some(Ok(pointer)) = texts.next() else { return false };
    let parent = pointer.rfind('/').map_or("", |end| &pointer[..end]);
    // A pointer that is too long to be told is cut in the middle.
    pointer.contains('…') || value.pointer(parent).is_some()
}

fn holds_rounded_integer(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            let edge = 1 << 53;
            number.as_u64().is_some_and(|n| n > edge) || number.as_i64().is_some_and(|n| n.unsigned_abs() > edge)
        }
        Value::Array(items) => items.iter().any(holds_rounded_integer),
        Value::Object(entries) => entries.values().any(holds_rounded_integer),
        _ => false,
    }
}

/// Whether nothing of what was sent is lost or changed; what was left out may have been added.
fn kept(sent: &Value, read: &Value) -> bool {
    match (sent, read) {
        (Value::Object(sent), Value::Object(read)) => sent.iter().all(|(name, value)| match read.get(name) {
            Some(read) => kept(value, read),
            None => value.is_null(),
        }),
        (Value::Array(sent), Value::Array(read)) => {
            sent.len() == read.len() && sent.iter().zip(read).all(|(sent, read)| kept(sent, read))
        }
        // A whole float is the same number as an integer. Two integers are compared to their last digit.
        (Value::Number(sent), Value::Number(read)) => {
            sent == read || ((sent.is_f64() || read.is_f64()) && sent.as_f64() == read.as_f64())
        }
        (sent, read) => sent == read,
    }
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES)
}

/// The same values in each run, unless somebody asks for more of them.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let config =
        ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 2000, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return TestRunner::new(config);
    }
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Runs a law over what a strategy draws, and shrinks what breaks it.
pub(crate) fn run<S: Strategy, T: Debug>(
    runner: &mut TestRunner,
    strategy: &S,
    read: impl Fn(&S::Value) -> Result<T, String>,
    law: &mut dyn FnMut(T) -> Result<(), String>,
) -> Result<(), String> {
    let law = RefCell::new(law);
    let result = runner.run(strategy, |drawn| {
        let value = read(&drawn).map_err(TestCaseError::fail)?;
        (*law.borrow_mut())(value).map_err(TestCaseError::fail)
    });
    match result {
        Ok(()) => Ok(()),
        Err(TestError::Fail(why, _) | TestError::Abort(why)) => Err(why.message().to_owned()),
    }
}
