//! The lowering: one algorithm over what a schema says and what a dialect can say.
//!
//! Each place gives a part: the words of the dialect, and the step of the way back.

mod bounds;
mod list;
mod object;
mod union;
mod values;
mod words;

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::decoder::{ARGUMENTS, Decoder, Look, Recursive, Step};
use super::loss::{Kept, Loss, Unsupported};
use super::rules::{Anything, NoArguments, Null, Recursion, Rules};
use super::shape::{Document, Form, Shape};
use crate::json::Pointer;
use words::Words;

/// A lowered input schema.
pub(super) struct Input {
    /// `None` if the dialect leaves out the schema of a tool without arguments.
    pub(super) schema: Option<Value>,
    pub(super) decoder: Decoder,
    pub(super) losses: Vec<Loss>,
}

/// Lowers the arguments of a tool.
///
/// # Errors
/// Every place that the dialect can't say.
pub(super) fn lower(document: &Document, is_foreign: bool, rules: &Rules) -> Result<Input, Vec<Unsupported>> {
    let names = document.definitions.iter().map(|definition| definition.name.clone()).collect();
    let mut lowering = Lowering {
        rules,
        document,
        is_foreign,
        names,
        own_looks: document.definitions.iter().map(|definition| Look::own(&definition.shape)).collect(),
        sent_looks: vec![Look::Any; document.definitions.len()],
        losses: Vec::new(),
        refused: Vec::new(),
        within: Within::Root,
        null_tells_apart: false,
    };
    let (mut schema, root) = lowering.root();
    let definitions = lowering.definitions(&mut schema);
    let Lowering { losses, refused, .. } = lowering;
    if !refused.is_empty() {
        return Err(refused);
    }
    let is_empty = schema["properties"].as_object().is_none_or(Map::is_empty)
        && schema.get("additionalProperties").is_none_or(|rest| rest == false);
    let schema = (!(rules.no_arguments == NoArguments::LeftOut && is_empty)).then_some(schema);
    Ok(Input { schema, decoder: Decoder::new(root, definitions), losses })
}

pub(super) struct Lowering<'a> {
    rules: &'a Rules,
    document: &'a Document,
    /// Whether somebody else wrote the schema, who may mean something by null that is not leaving it out.
    is_foreign: bool,
    /// The names of the definitions.
    names: Vec<String>,
    /// What their values look like in the tool's own form.
    own_looks: Vec<Look>,
    /// And as they are sent, which is not known while they are lowered.
    sent_looks: Vec<Look>,
    losses: Vec<Loss>,
    refused: Vec<Unsupported>,
    within: Within,
    /// Whether the variants of the enum that is being lowered are told apart by properties that are null.
    null_tells_apart: bool,
}

/// What stands around the place that is being lowered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Root,
    Definition,
    /// A property of a definition that may be left out.
    Optional,
}

/// A place as the dialect says it.
struct Part {
    wire: Map<String, Value>,
    step: Step,
}

impl Part {
    fn keep(wire: Map<String, Value>) -> Self {
        Self { wire, step: Step::Keep }
    }
}

/// An object of the given keywords.
macro_rules! keywords {
    ($($keyword:literal: $value:expr),* $(,)?) => {{
        // With room for a description and a bound or two, as most places have.
        let mut keywords = serde_json::Map::with_capacity(6);
        $(keywords.insert($keyword.to_owned(), serde_json::Value::from($value));)*
        keywords
    }};
}
use keywords;

impl Lowering<'_> {
    /// The root, which is an object in every dialect: arguments that are none stand in a property of one.
    fn root(&mut self) -> (Value, Step) {
        let document = self.document;
        let mut root = &document.root;
        loop {
            root = match &root.form {
                Form::Recursive(index) => match document.definitions.get(*index) {
                    Some(definition) => &definition.shape,
                    None => break,
                },
                Form::Union(union) if union.branches.len() == 1 && root.limits.is_empty() => &union.branches[0],
                _ => break,
            };
        }
        if self.is_plain_object(root) {
            let part = self.shape(root);
            return (Value::Object(part.wire), part.step);
        }
        let part = self.shape(root);
        let properties = Map::from_iter([(ARGUMENTS.to_owned(), Value::Object(part.wire))]);
        let wire = object::closed(self.rules, properties, vec![ARGUMENTS.into()]);
        (Value::Object(wire), Step::Unwrap(Box::new(part.step)))
    }

    fn definitions(&mut self, schema: &mut Value) -> Vec<Recursive> {
        let document = self.document;
        let mut lowered = Map::new();
        let mut steps = Vec::new();
        self.within = Within::Definition;
        for definition in &document.definitions {
            if self.rules.recursion == Recursion::Refused {
                self.refuse(
                    &definition.shape.at,
                    format!("{:?} holds itself, and this dialect takes no recursion", definition.name),
                    "end the type at a fixed depth, or send this tool without strict mode or to another provider",
                );
                continue;
            }
            let part = self.shape(&definition.shape);
            lowered.insert(definition.name.clone(), Value::Object(part.wire));
            steps.push(part.step);
        }
        if lowered.is_empty() {
            return Vec::new();
        }
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let sent = lowered.values().map(|wire| wire.as_object().map_or(Look::Any, |wire| Look::sent(wire, &names)));
        let sent: Vec<Look> = sent.collect();
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("$defs".into(), Value::Object(lowered));
        }
        let own = self.own_looks.iter().cloned();
        steps.into_iter().zip(sent).zip(own).map(|((step, sent), own)| Recursive { step, sent, own }).collect()
    }

    fn shape(&mut self, shape: &Shape) -> Part {
        let mut words = Words::new(shape.description.as_deref());
        if shape.is_concluded {
            let said = "a schema without a type, which takes values of other types too";
            self.lose(&shape.at, said, "the type that its keywords are about", Kept::Nowhere);
        }
        let mut part = self.form(shape, &mut words);
        self.default(shape, &mut part, &mut words);
        described(&mut part.wire, words);
        part
    }

    fn form(&mut self, shape: &Shape, words: &mut Words) -> Part {
        let scalar = |name: &str| keywords! { "type": name };
        match &shape.form {
            Form::Any => self.anything(shape, words),
            Form::Never => {
                self.refuse(&shape.at, "no value is allowed here", "leave it out of the type");
                Part::keep(Map::new())
            }
            Form::Null => self.null(shape, words),
            Form::Boolean => self.bounded(shape, "boolean", scalar("boolean"), words),
            Form::Integer => self.bounded(shape, "integer", scalar("integer"), words),
            Form::Number => self.bounded(shape, "number", scalar("number"), words),
            Form::Text => self.bounded(shape, "string", scalar("string"), words),
            Form::Values(known) => self.values(shape, known, words),
            Form::List(items) => self.list(shape, items, words),
            Form::Tuple(tuple) => self.tuple(shape, tuple, words),
            Form::Object(object) => self.object(shape, object, words),
            Form::Union(union) => self.union(shape, union, words),
            Form::Recursive(index) => self.recursive(shape, *index),
        }
    }

    /// A place whose type the dialect has, with what narrows it.
    fn bounded(&mut self, shape: &Shape, kind: &str, mut wire: Map<String, Value>, words: &mut Words) -> Part {
        self.limits(shape, kind, &mut wire, words);
        Part::keep(wire)
    }

    fn anything(&mut self, shape: &Shape, words: &mut Words) -> Part {
        match self.rules.any {
            Anything::Schema => self.bounded(shape, "any", Map::new(), words),
            Anything::Text => {
                words.add("Any JSON value, written as JSON text.");
                self.lose(&shape.at, "any JSON value", "JSON text in a string", Kept::InDescription);
                let mut wire = Map::new();
                self.limits(shape, "any", &mut wire, words);
                Part { wire: keywords! { "type": "string" }, step: Step::Text }
            }
        }
    }

    fn null(&mut self, shape: &Shape, words: &mut Words) -> Part {
        match self.rules.null {
            Null::Type | Null::Branch => self.bounded(shape, "null", keywords! { "type": "null" }, words),
            Null::Keyword => {
                let wire = keywords! { "type": "string", "enum": vec!["null"] };
                Part { wire, step: Step::Table(vec![("null".to_owned(), Value::Null)]) }
            }
        }
    }

    fn recursive(&mut self, shape: &Shape, index: usize) -> Part {
        let name = self.names.get(index).cloned().unwrap_or_default();
        if self.rules.recursion == Recursion::ThroughOptional && self.within == Within::Definition {
            self.refuse(
                &shape.at,
                format!("{name:?} holds itself in a part that must be there, and this dialect takes recursion only in what may be left out"),
                "make the field an `Option`, or end the type at a fixed depth",
            );
        }
        let reference = format!("#/$defs/{}", name.replace('~', "~0").replace('/', "~1"));
        Part { wire: keywords! { "$ref": reference }, step: Step::Recursive(index) }
    }

    fn default(&mut self, shape: &Shape, part: &mut Part, words: &mut Words) {
        let Some(default) = shape.default.as_ref().filter(|default| !default.is_null()) else { return };
        if self.rules.says_default && part.step.is_keep() && !part.wire.contains_key("$ref") {
            part.wire.insert("default".into(), default.clone());
            return;
        }
        let text = words::shown(default);
        words.add(&format!("Default: {text}."));
        self.lose(&shape.at, format!("`default: {text}`"), "a sentence", Kept::InDescription);
    }

    fn lose(
        &mut self,
        at: &Pointer,
        said: impl Into<Cow<'static, str>>,
        sent: impl Into<Cow<'static, str>>,
        kept: Kept,
    ) {
        let loss = Loss::new(at, said, sent, kept);
        // A type that several fields hold is told once.
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    fn refuse(&mut self, at: &Pointer, reason: impl Into<String>, remedy: impl Into<String>) {
        let refused = Unsupported::new(at, reason, remedy);
        if !self.refused.contains(&refused) {
            self.refused.push(refused);
        }
    }
}

/// Puts words in front of what they describe. A reference stands alone, as some providers refuse what is beside it.
fn described(wire: &mut Map<String, Value>, words: Words) {
    let Some(text) = words.into_text() else { return };
    if wire.contains_key("$ref") {
        let reference = std::mem::take(wire);
        wire.insert("anyOf".into(), json!([reference]));
    }
    wire.shift_insert(0, "description".into(), text.into());
}
