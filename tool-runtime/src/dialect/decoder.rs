//! The way back: arguments in a provider's form become those of the tool.
//!
//! A decoder is a record of what the lowering did, place by place. It undoes that and nothing else: it looks at a value
//! only to tell which branch of a union it is, and never changes a text that is meant as one.

mod agree;
mod back;
mod forth;
mod look;
mod place;
mod text;

pub(super) use look::Look;

use std::borrow::Cow;

use serde_json::Value;

use crate::json::{JsonValue, Pointer};
use crate::schema::Violation;

/// Turns the arguments that a provider sends for a lowered tool back into the tool's own form.
///
/// What it gives is not yet checked: the tool's schema has the last word, as for every call.
#[derive(Clone, Debug)]
pub struct Decoder {
    root: Step,
    /// The types that hold themselves.
    definitions: Vec<Recursive>,
    /// Whether there is nothing to undo, ever.
    undoes_nothing: bool,
    /// Whether arguments that the tool's schema accepts as they are mean just that.
    settles_for_accepted: bool,
    /// Whether a text can be decoded without a tree.
    decodes_text: bool,
}

/// A type that holds itself.
#[derive(Clone, Debug)]
pub(super) struct Recursive {
    pub(super) step: Step,
    /// What its values look like as they are sent, and in the tool's own form.
    pub(super) sent: Look,
    pub(super) own: Look,
}

/// What the lowering did at one place.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Keep,
    /// Arguments that are no plain object stand in a property of one.
    Unwrap(Box<Step>),
    List(Box<Step>),
    /// The items of a tuple that is a list, one by one.
    Items(Vec<Step>),
    /// An object with one property for each item.
    Tuple(Tuple),
    Object(Object),
    /// A list of keys and values.
    Pairs(Box<Step>),
    /// A text that holds JSON.
    Text,
    /// Texts that stand for other values.
    Table(Vec<(String, Value)>),
    /// Texts whose letter case may come back changed.
    Folded(Vec<String>),
    Choice(Vec<Branch>),
    Recursive(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Tuple {
    pub(super) items: Vec<Step>,
    /// Whether null stands for the end, item by item.
    pub(super) ends: Vec<bool>,
    pub(super) rest: Option<Box<Step>>,
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) fields: Vec<Field>,
    /// The property that holds the entries of a map beside the fields, and what is done to their values.
    pub(super) rest: Option<(String, Box<Step>)>,
    /// What is done to the values of other properties.
    pub(super) others: Box<Step>,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) sent: String,
    pub(super) name: String,
    pub(super) step: Step,
    pub(super) null: NullMeans,
}

/// What null means in a property, as it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NullMeans {
    /// Null, if it may stand there.
    Null,
    /// Leaving it out, for the tool takes no null there.
    Absent,
    /// Null; it is sent for what is left out too, as the property must be there.
    NullOrAbsent,
    /// It is not sent: leaving it out is the same to the tool.
    Unsent,
}

#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// What its values look like as they are sent, and in the tool's own form.
    pub(super) sent: Look,
    pub(super) own: Look,
    pub(super) step: Step,
}

/// The property that holds arguments which are no plain object.
pub(super) const ARGUMENTS: &str = "arguments";

/// The property for what follows the items of a tuple.
pub(super) const REST_OF_TUPLE: &str = "_rest";

/// The properties of an entry of a map.
pub(super) const KEY: &str = "key";
pub(super) const VALUE: &str = "value";

/// The property for an item of a tuple. A bare digit is no name for every provider.
pub(super) fn item_name(index: usize) -> String {
    format!("_{index}")
}

impl Decoder {
    pub(super) fn new(root: Step, definitions: Vec<Recursive>) -> Self {
        let settles_for_accepted =
            root.settles_for_accepted() && definitions.iter().all(|definition| definition.step.settles_for_accepted());
        let undoes_nothing =
            root.undoes_nothing() && definitions.iter().all(|definition| definition.step.undoes_nothing());
        let decodes_text =
            text::is_enough(&root) && definitions.iter().all(|definition| text::is_enough(&definition.step));
        Self { root, definitions, undoes_nothing, settles_for_accepted, decodes_text }
    }

    pub(super) fn identity() -> Self {
        Self::new(Step::Keep, Vec::new())
    }

    /// Whether it changes nothing, ever.
    pub fn is_identity(&self) -> bool {
        self.undoes_nothing
    }

    /// Whether arguments that the tool's schema accepts as they are mean just that.
    pub(super) fn settles_for_accepted(&self) -> bool {
        self.settles_for_accepted
    }

    /// The arguments in the tool's own form.
    ///
    /// # Errors
    /// What the provider's own form forbids, with places in it: a key that a list of entries repeats, a text that is no
    /// JSON. What the tool's schema forbids is not looked at.
    pub fn decode(&self, sent: &JsonValue) -> Result<JsonValue, Vec<Violation>> {
        back::decode(self, sent)
    }

    /// The same for the text of arguments, where that takes no tree; `None` where it does, and of some texts with something
    /// wrong in them.
    pub(super) fn decode_text<'t>(&self, sent: &'t str) -> Option<Cow<'t, str>> {
        if !self.decodes_text {
            return None;
        }
        // Then nothing is renamed, and nothing can be cut out.
        if self.settles_for_accepted && !sent.contains("null") {
            return Some(Cow::Borrowed(sent));
        }
        text::decode(self, sent)
    }

    /// The way forth: arguments in the tool's own form as the provider's model would send them. For examples, and for the
    /// calls of an earlier model in a history.
    ///
    /// ```
    /// # use tool_runtime::{dialect::{Dialect, Mode}, prelude::*};
    /// # /// Wait.
    /// # #[derive(Tool)] #[tool(output = String, render = display)]
    /// # struct Wait {
    /// #     /// Milliseconds.
    /// #     #[serde(default)]
    /// #     millis: u32,
    /// # }
    /// # impl Execute for Wait {
    /// #     async fn execute(&self, _: &Context) -> Result<String, ToolError> { Ok(String::new()) }
    /// # }
    /// # let mut registry = Registry::new();
    /// # registry.tool::<Wait>().unwrap();
    /// let lowered = Dialect::OpenAiChat(Mode::Strict).lower(registry.spec("wait").unwrap()).unwrap();
    /// assert_eq!(lowered.decoder().encode(&serde_json::json!({})).to_string(), r#"{"millis":null}"#);
    /// ```
    pub fn encode(&self, arguments: &JsonValue) -> JsonValue {
        forth::encode(self, arguments)
    }

    /// Where something stands in what was sent that stands here in the tool's own form.
    pub fn place(&self, sent: &JsonValue, here: &Pointer) -> Pointer {
        place::sent(self, sent, here)
    }
}

impl Step {
    pub(super) fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// Whether everything is sent in the tool's own form.
    pub(super) fn undoes_nothing(&self) -> bool {
        match self {
            Self::Keep | Self::Recursive(_) => true,
            Self::List(step) => step.undoes_nothing(),
            Self::Items(steps) => steps.iter().all(Self::undoes_nothing),
            Self::Choice(branches) => branches.iter().all(|branch| branch.step.undoes_nothing()),
            Self::Object(object) => {
                let is_kept = |field: &Field| {
                    field.sent == field.name && field.null != NullMeans::Absent && field.step.undoes_nothing()
                };
                object.rest.is_none() && object.others.undoes_nothing() && object.fields.iter().all(is_kept)
            }
            Self::Unwrap(_) | Self::Tuple(_) | Self::Pairs(_) | Self::Text | Self::Table(_) | Self::Folded(_) => false,
        }
    }

    /// Whether a value that the tool's schema accepts as it is means just that: what this step changes, the schema refuses
    /// as it is.
    fn settles_for_accepted(&self) -> bool {
        match self {
            Self::Keep | Self::Table(_) | Self::Folded(_) | Self::Recursive(_) => true,
            Self::List(step) | Self::Pairs(step) => step.settles_for_accepted(),
            Self::Items(steps) => steps.iter().all(Self::settles_for_accepted),
            Self::Tuple(tuple) => {
                let rest = tuple.rest.as_deref().is_none_or(Self::settles_for_accepted);
                rest && tuple.items.iter().all(Self::settles_for_accepted)
            }
            Self::Object(object) => {
                object.rest.is_none()
                    && object.others.is_keep()
                    && object.fields.iter().all(|field| field.sent == field.name && field.step.settles_for_accepted())
            }
            Self::Text | Self::Choice(_) | Self::Unwrap(_) => false,
        }
    }
}

impl Object {
    pub(super) fn field(&self, sent: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.sent == sent)
    }

    /// Whether nothing is done to anything.
    pub(super) fn changes_nothing(&self) -> bool {
        self.rest.is_none() && self.others.is_keep() && self.fields.iter().all(Field::changes_nothing)
    }
}

impl Field {
    fn changes_nothing(&self) -> bool {
        self.sent == self.name && self.null == NullMeans::Null && self.step.is_keep()
    }
}
