//! What a schema says, with its references followed and its parts joined: what every dialect is told in its own words.

use std::rc::Rc;

use serde_json::Value;

use crate::json::Pointer;

/// One place of the arguments.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Where the tool's schema says it.
    pub(super) at: Pointer,
    pub(super) description: Option<String>,
    pub(super) default: Option<Value>,
    pub(super) form: Form,
    /// What narrows the form. Branches of a union share what narrows the whole.
    pub(super) limits: Vec<Rc<Limit>>,
    /// Whether the schema names no type, and it was concluded from the keywords.
    pub(super) is_concluded: bool,
}

/// A keyword that narrows a form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limit {
    pub(super) keyword: String,
    pub(super) value: Value,
    /// The schema that says it.
    pub(super) at: Pointer,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    Any,
    Never,
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    /// These values and no others; none of them is null.
    Values(Vec<Known>),
    List(Box<Shape>),
    Tuple(Tuple),
    Object(Object),
    Union(Union),
    /// A type that holds itself: its place in the definitions.
    Recursive(usize),
}

/// A value of an enum, with the words of its variant.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) value: Value,
    pub(super) note: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Tuple {
    pub(super) items: Vec<Shape>,
    /// How many of them must be there.
    pub(super) least: usize,
    /// What may follow; `None` if nothing may.
    pub(super) rest: Option<Box<Shape>>,
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) properties: Vec<Property>,
    pub(super) rest: Rest,
}

#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) is_required: bool,
}

/// What may stand beside the declared properties.
#[derive(Clone, Debug)]
pub(super) enum Rest {
    /// Nothing.
    Closed,
    /// Anything, as nothing is said.
    Unsaid,
    /// Entries of a map.
    Map(Box<Entry>),
}

/// An entry of a map.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: Shape,
    pub(super) value: Shape,
}

#[derive(Clone, Debug)]
pub(super) struct Union {
    pub(super) branches: Vec<Shape>,
    /// Whether exactly one branch must hold, and not one or more.
    pub(super) is_exclusive: bool,
}

/// A type that holds itself.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) shape: Shape,
}

/// A whole schema.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) root: Shape,
    pub(super) definitions: Vec<Definition>,
}

impl Shape {
    pub(super) fn new(at: &Pointer, form: Form) -> Self {
        Self { at: at.clone(), description: None, default: None, form, limits: Vec::new(), is_concluded: false }
    }

    /// Whether it says nothing at all.
    pub(super) fn is_any(&self) -> bool {
        matches!(self.form, Form::Any) && self.limits.is_empty()
    }

    /// The same without null, if null is one of several things that it may be.
    pub(super) fn without_null(&self) -> Option<Self> {
        let Form::Union(union) = &self.form else { return None };
        let others: Vec<Self> =
            union.branches.iter().filter(|branch| !matches!(branch.form, Form::Null)).cloned().collect();
        if others.is_empty() || others.len() == union.branches.len() {
            return None;
        }
        let mut rest = Self { form: Form::Any, ..self.clone() };
        rest.form = Form::Union(Union { branches: others, is_exclusive: union.is_exclusive });
        Some(rest)
    }
}
