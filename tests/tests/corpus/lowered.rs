//! The laws of dialects: what a provider's model may send for a shape is what the shape takes, but for what the lowering
//! names.
//!
//! * Instances are drawn from the *lowered* schema. Each is taken, or refused for something that a loss names with its place.
//! * Values of the type, and every variant of every enum, have a form in which they may be sent, and come back from it as
//!   they were, so that no variant, no key and no state of an option is lost.
//! * The lowered schema has no word that its provider refuses.

pub(crate) mod definitions;
pub(crate) mod drawn;
mod words;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use proptest::strategy::{Strategy as _, ValueTree as _};
use serde_json::Value;
use tool_runtime::dialect::{Dialect, GeminiForm, Kept, McpRevision, Mode, Unsupported};

use crate::choices::choices;
use crate::instances::{branches, instance};
use crate::laws::{run, runner};
use crate::shape::{Shape, Side, Verdict};
use crate::subject::{Outcome, Sample, Spoken, Subject};

/// Dialects whose schemas differ.
const DIALECTS: [Dialect; 13] = [
    Dialect::OpenAiChat(Mode::Strict),
    Dialect::OpenAiChat(Mode::Lenient),
    Dialect::OpenAiResponses(Mode::Lenient),
    Dialect::Anthropic(Mode::Strict),
    Dialect::Anthropic(Mode::Lenient),
    Dialect::Gemini(GeminiForm::OpenApi),
    Dialect::Gemini(GeminiForm::JsonSchema),
    Dialect::DeepSeek(Mode::Strict),
    Dialect::DeepSeek(Mode::Lenient),
    Dialect::Xai,
    Dialect::Mistral,
    Dialect::Ollama,
    Dialect::Mcp(McpRevision::V2025_11_25),
];

pub(crate) const STRICT: [Dialect; 3] = [DIALECTS[0], DIALECTS[3], DIALECTS[7]];
pub(crate) const LENIENT: [Dialect; 5] = [DIALECTS[1], DIALECTS[2], DIALECTS[4], DIALECTS[8], DIALECTS[12]];
pub(crate) const OTHERS: [Dialect; 5] = [DIALECTS[5], DIALECTS[6], DIALECTS[9], DIALECTS[10], DIALECTS[11]];

/// How many values each law tries of a shape in a dialect.
const CASES: u32 = 12;

/// How many instances are drawn at most until every variant was among them.
const DRAWS: u32 = 3000;

/// Tries the shapes in some of the dialects.
pub(crate) fn hold(shapes: &[Shape], dialects: &[Dialect]) {
    let mut faults = String::new();
    for (shape, subject) in opened(shapes) {
        for dialect in dialects {
            let Ok(spoken) = lowered(&subject, *dialect) else { continue };
            if let Err(fault) = tried(shape, &subject, *dialect, &spoken) {
                let definition = spoken.lowered.definition();
                writeln!(faults, "{} in {dialect:?}: {fault}\n    {}\n    {definition}", shape.name, subject.schema)
                    .expect("a string takes every text");
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// The table of what each dialect says of each shape.
pub(crate) fn table(shapes: &[Shape]) -> String {
    let mut text = String::from(
        "# Shapes in the words of providers\n\nWritten by `CORPUS=overwrite cargo test -p tests --test corpus`; do not \
         edit.\n\n`=` nothing is lost; a number: so many things are said in the description, or only checked when a call \
         comes back;\n`x` it is refused, with the reasons below.\n\n| shape |",
    );
    let mut refused = String::from("\n## Refused\n\n| shape | in | why |\n| --- | --- | --- |\n");
    for dialect in DIALECTS {
        push(&mut text, format_args!(" {} |", name(dialect)));
    }
    push(&mut text, format_args!("\n| --- |{}\n", " --- |".repeat(DIALECTS.len())));
    for (shape, subject) in opened(shapes) {
        let shape_name = shape.name.replace('|', "\\|").replace('<', "&lt;");
        push(&mut text, format_args!("| {shape_name} |"));
        let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for dialect in DIALECTS {
            match lowered(&subject, dialect) {
                Ok(spoken) if spoken.lowered.losses().is_empty() => text.push_str(" = |"),
                Ok(spoken) => push(&mut text, format_args!(" {} |", spoken.lowered.losses().len())),
                Err(why) => {
                    text.push_str(" x |");
                    let why = why.iter().map(|why| format!("{}; {}", why.reason(), why.remedy()));
                    let why: Vec<String> = why.collect::<BTreeSet<String>>().into_iter().collect();
                    reasons.entry(why.join(". ")).or_default().push(name(dialect));
                }
            }
        }
        for (why, dialects) in reasons {
            push(&mut refused, format_args!("| {shape_name} | {} | {why} |\n", dialects.join("; ")));
        }
        text.push('\n');
    }
    text + &refused
}

fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).expect("a string takes every text");
}

fn name(dialect: Dialect) -> String {
    format!("{dialect:?}").replace("(Strict)", ", strict").replace(['(', ')'], " ").trim_end().to_owned()
}

fn opened(shapes: &[Shape]) -> impl Iterator<Item = (&Shape, Subject)> {
    let arguments = shapes.iter().filter(|shape| shape.side == Side::Arguments);
    arguments.filter_map(|shape| Some((shape, (shape.open)().ok()?)))
}

fn lowered(subject: &Subject, dialect: Dialect) -> Result<Spoken, Vec<Unsupported>> {
    subject.lowered.as_ref().expect("arguments are sent to models")(dialect)
}

fn tried(shape: &Shape, subject: &Subject, dialect: Dialect, spoken: &Spoken) -> Result<(), String> {
    let wire = arguments(spoken.lowered.definition());
    words::are_known(&wire, dialect)?;
    let again =
        subject.lowered.as_ref().expect("arguments are sent to models")(dialect).expect("it was lowered before");
    // As text: two trees are equal whatever the order of their keys.
    let text = |spoken: &Spoken| spoken.lowered.definition().to_string();
    if text(&again) != text(spoken) {
        return Err("is lowered to another text the next time".to_owned());
    }
    // Then the law is that of the published schema, which the corpus holds anyway.
    if wire == subject.schema && spoken.lowered.decoder().is_identity() {
        return Ok(());
    }
    let is_closed = matches!(dialect, Dialect::Gemini(GeminiForm::OpenApi) | Dialect::Ollama);
    let trial = Trial::new(shape, subject, spoken, as_json_schema(wire, is_closed));
    trial.what_may_be_sent_is_taken()?;
    trial.what_the_type_can_be_is_sent()?;
    trial.every_variant_is_sent()
}

struct Trial<'a> {
    shape: &'a Shape,
    subject: &'a Subject,
    spoken: &'a Spoken,
    /// The lowered schema as JSON Schema.
    schema: Value,
    oracle: jsonschema::Validator,
    own: jsonschema::Validator,
}

impl<'a> Trial<'a> {
    fn new(shape: &'a Shape, subject: &'a Subject, spoken: &'a Spoken, schema: Value) -> Self {
        Self { shape, subject, spoken, oracle: oracle(&schema), own: subject.oracle(), schema }
    }

    fn what_may_be_sent_is_taken(&self) -> Result<(), String> {
        let (drawn, valid) = (Cell::new(0), Cell::new(0));
        run(&mut runner(CASES), &choices(60), |made| Ok(made.clone()), &mut |made: Vec<u32>| {
            let (sent, _) = instance(&self.schema, &made);
            drawn.set(drawn.get() + 1);
            if !self.oracle.is_valid(&sent) {
                return Ok(());
            }
            valid.set(valid.get() + 1);
            self.is_taken_or_named(&sent, &self.spoken.call(&sent))
        })?;
        if valid.get() * 2 < drawn.get() {
            return Err(format!("only {} of {} instances are valid", valid.get(), drawn.get()));
        }
        Ok(())
    }

    fn is_taken_or_named(&self, sent: &Value, outcome: &Outcome) -> Result<(), String> {
        match outcome {
            Outcome::Taken { debug, .. } => self.is_meant(sent, debug),
            Outcome::Refused { code, violations } if code == "INVALID_ARGS" => self.is_named(sent, violations),
            Outcome::Refused { code, violations } => Err(format!("{sent} is refused with {code}: {violations:?}")),
        }
    }

    /// What is taken is what the tool's own schema takes.
    fn is_meant(&self, sent: &Value, debug: &str) -> Result<(), String> {
        let own = self.spoken.lowered.decoder().decode(sent).map_err(|wrong| format!("{sent}: {wrong:?}"))?;
        if self.own.is_valid(&own) || !self.shape.aliases.is_empty() {
            return Ok(());
        }
        Err(format!("{sent} is decoded as {own} and {debug}, and the schema refuses it"))
    }

    /// What is refused is refused for something that a loss names.
    fn is_named(&self, sent: &Value, violations: &[String]) -> Result<(), String> {
        let own = match self.spoken.lowered.decoder().decode(sent) {
            Ok(own) => own,
            Err(wrong) => {
                let is_named = |what: &str| self.spoken.lowered.losses().iter().any(|loss| loss.sent().contains(what));
                let is_known = wrong.iter().all(|violation| {
                    (violation.message().contains("repeats the key") && is_named("a list of entries"))
                        || (violation.message().contains("holds JSON") && is_named("JSON text"))
                        || (violation.message().contains("left out") && is_named("an object with"))
                });
                return if is_known { Ok(()) } else { Err(format!("{sent} is not decoded: {wrong:?}")) };
            }
        };
        let errors: Vec<ValidationError<'_>> = self.own.iter_errors(&own).collect();
        if errors.is_empty() {
            return match self.shape.verdict {
                Verdict::HoldsExcept(_) => Ok(()),
                _ => Err(format!("{sent} is decoded as {own}, which the schema takes, and is refused: {violations:?}")),
            };
        }
        match errors.iter().find(|error| !self.is_lost(error, "", &own)) {
            None => Ok(()),
            Some(error) => Err(format!("{sent} is decoded as {own}, and refused at {}: {error}", error.schema_path())),
        }
    }

    /// Whether an error comes from something that a loss names. `before` is where the schema stands that found it.
    fn is_lost(&self, error: &ValidationError<'_>, before: &str, whole: &Value) -> bool {
        let path = error.schema_path().as_str();
        let path = if path.starts_with("/$defs") { path.to_owned() } else { format!("{before}{path}") };
        let place = canonical(&self.subject.schema, &path);
        let (node, _) = place.rsplit_once('/').unwrap_or(("", ""));
        let losses = self.spoken.lowered.losses();
        if losses.iter().any(|loss| loss.path().as_str() == node && loss.kept() != Kept::Nowhere) {
            return true;
        }
        match error.kind() {
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                context.iter().any(|branch| branch.iter().all(|error| self.is_lost(error, before, whole)))
            }
            ValidationErrorKind::UnevaluatedProperties { .. } => {
                let value = whole.pointer(error.instance_path().as_str()).unwrap_or(whole);
                self.breaks_a_branch_by_losses(node, value)
            }
            _ => false,
        }
    }

    /// A branch that does not hold leaves its properties unevaluated.
    fn breaks_a_branch_by_losses(&self, node: &str, value: &Value) -> bool {
        let root = &self.subject.schema;
        ["anyOf", "oneOf", "allOf"].into_iter().any(|keyword| {
            let place = format!("{node}/{keyword}");
            let branches = root.pointer(&place).and_then(Value::as_array).into_iter().flatten();
            branches.enumerate().any(|(index, branch)| {
                let mut document = branch.clone();
                if let Some(definitions) = root.get("$defs") {
                    document["$defs"] = definitions.clone();
                }
                let (oracle, before) = (oracle(&document), format!("{place}/{index}"));
                let errors: Vec<ValidationError<'_>> = oracle.iter_errors(value).collect();
                !errors.is_empty() && errors.iter().all(|error| self.is_lost(error, &before, value))
            })
        })
    }

    /// Instances of the tool's own schema, until every branch of every union was among them: each has a form that may be
    /// sent, and is read from it as it is read in its own form.
    fn every_variant_is_sent(&self) -> Result<(), String> {
        let lowered = &self.spoken.lowered;
        let mut missing = branches(&self.subject.schema);
        // What can't be sent at all is a loss that says so.
        if missing.is_empty() || lowered.losses().iter().any(|loss| loss.kept() == Kept::Nowhere) {
            return Ok(());
        }
        let (made, mut runner) = (choices(60), runner(1));
        for _ in 0..DRAWS {
            let drawn = made.new_tree(&mut runner).map_err(|error| error.to_string())?.current();
            let (own, taken) = instance(&self.subject.schema, &drawn);
            if !self.own.is_valid(&own) || missing.is_disjoint(&taken) {
                continue;
            }
            let Outcome::Taken { json: read, .. } = (self.subject.call)(&own) else { continue };
            let sent = lowered.decoder().encode(&own);
            if let Err(error) = self.oracle.validate(&sent) {
                return Err(format!("{own} is sent as {sent}, which may not be sent: {error}"));
            }
            match self.spoken.call(&sent) {
                Outcome::Taken { json, .. } if json == read => {}
                outcome => return Err(format!("{own} is sent as {sent}, and read as {outcome:?}, not {read}")),
            }
            missing = missing.difference(&taken).cloned().collect();
            if missing.is_empty() {
                return Ok(());
            }
        }
        match missing.first() {
            Some((union, index)) => Err(format!("nothing is sent that takes branch {index} of {union}")),
            None => Ok(()),
        }
    }

    /// Each value of the type has a form that may be sent, and comes back from it.
    fn what_the_type_can_be_is_sent(&self) -> Result<(), String> {
        if self.shape.is_read_only {
            return Ok(());
        }
        run(&mut runner(CASES), &self.subject.samples, |sample: &Sample| sample.json.clone(), &mut |own| {
            let decoder = self.spoken.lowered.decoder();
            let sent = decoder.encode(&own);
            if let Err(error) = self.oracle.validate(&sent) {
                return Err(format!("{own} is sent as {sent}, which may not be sent: {error}"));
            }
            match self.spoken.call(&sent) {
                Outcome::Taken { json: read, .. } if read == own => Ok(()),
                outcome => Err(format!("{own} is sent as {sent}, and read as {outcome:?}")),
            }
        })
    }
}

/// The schema in a definition.
fn arguments(definition: &Value) -> Value {
    let function = definition.get("function").unwrap_or(definition);
    ["parameters", "parametersJsonSchema", "input_schema", "inputSchema"]
        .into_iter()
        .find_map(|key| function.get(key).cloned())
        .unwrap_or_else(|| serde_json::json!({"type": "object", "properties": {}, "additionalProperties": false}))
}

/// A lowered schema as JSON Schema: with null where Gemini says `nullable`, and closed where a dialect does not say so, as
/// providers send declared properties only.
fn as_json_schema(mut schema: Value, is_closed: bool) -> Value {
    let Value::Object(node) = &mut schema else { return schema };
    for (keyword, value) in node.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                named.values_mut().for_each(|schema| *schema = as_json_schema(schema.take(), is_closed));
            }
            ("items" | "additionalProperties" | "not", schema) => *schema = as_json_schema(schema.take(), is_closed),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    *schema = as_json_schema(schema.take(), is_closed);
                }
            }
            _ => {}
        }
    }
    if is_closed && node.contains_key("properties") {
        node.insert("additionalProperties".into(), false.into());
    }
    if node.shift_remove("nullable").is_some() {
        return serde_json::json!({"anyOf": [{"type": "null"}, Value::Object(std::mem::take(node))]});
    }
    schema
}

fn oracle(schema: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(schema)
        .unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// A place in a schema without the references on the way to it.
fn canonical(root: &Value, path: &str) -> String {
    let mut place = String::new();
    for segment in path.split('/').skip(1) {
        let next = format!("{place}/{segment}");
        place = match (segment, root.pointer(&next)) {
            ("$ref", Some(Value::String(reference))) => reference.trim_start_matches('#').to_owned(),
            _ => next,
        };
    }
    place
}
