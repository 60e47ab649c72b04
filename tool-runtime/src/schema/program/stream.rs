//! The verdict on a value while it is written.

use super::openings::Opening;
use super::rules::{Items, Kinds, Properties};
use super::scalar::Scalar;
use super::{Node, NodeId, Program};
use crate::json::{Check, Key, MAX_DEPTH, ParseLimits, parse};
use crate::schema::graph::deeper_than;
use std::sync::atomic::Ordering;

/// Checks a value against a program in the pass that writes or reads it.
///
/// It accepts only what [`Program::holds`] accepts, but leaves some of that in doubt: then a tree decides.
pub(in crate::schema) struct OnePass<'p> {
    program: &'p Program,
    /// What the next value must satisfy.
    next: &'p Node,
    /// The next value is a tag of these; [`Self::next`] takes nothing then.
    tag: Option<usize>,
    /// The branch of the last tag that was written.
    chosen: Option<NodeId>,
    /// How many levels of a part that is read back the stack is trusted with.
    levels: usize,
    in_doubt: bool,
}

impl<'p> OnePass<'p> {
    pub(in crate::schema) fn new(program: &'p Program, levels: usize) -> Self {
        Self { program, next: program.node(program.root), tag: None, chosen: None, levels, in_doubt: false }
    }

    /// Whether all that was written satisfies the schema for sure.
    pub(in crate::schema) fn accepts(&self) -> bool {
        !self.in_doubt
    }

    fn scalar(&mut self, value: Scalar<'_>) {
        match self.tag.take() {
            None => self.in_doubt |= !self.program.node_takes(self.next, value),
            Some(tags) => {
                self.chosen = match value {
                    Scalar::String(tag) => self.program.tags[tags].by_tag(tag),
                    _ => None,
                };
            }
        }
    }

    /// Reads a part back from its text and checks it as a tree.
    fn check_whole(&mut self, node: &Node, text: &str) {
        let limits = ParseLimits { max_bytes: usize::MAX, max_depth: MAX_DEPTH };
        let holds = match parse(text, &limits) {
            Ok(value) if deeper_than(&value, self.levels).is_none() => self.program.part_holds(node, &value),
            _ => None,
        };
        self.in_doubt |= holds != Some(true);
    }

    fn doubt(&mut self) {
        self.in_doubt = true;
    }

    #[inline]
    fn expect(&mut self, id: NodeId) {
        self.next = self.program.node(id);
    }

    fn expect_tag(&mut self, tags: usize) {
        self.tag = Some(tags);
        self.expect(NodeId::NEVER);
    }
}

/// An array that is being written.
pub(in crate::schema) enum Array<'p> {
    Any,
    Own { rules: &'p Items, written: usize },
    Whole { node: &'p Node, start: usize },
}

/// An object that is being written.
pub(in crate::schema) enum Object<'p> {
    Any,
    Own(Fields<'p>),
    /// Its first key is still to come; it begins at `start`.
    Untold {
        node: &'p Node,
        tags: usize,
        start: usize,
    },
    /// Its tag was the first key, and chooses the branch.
    TagSent(usize),
    Whole {
        node: &'p Node,
        start: usize,
    },
}

/// An object whose rules are known.
pub(in crate::schema) struct Fields<'p> {
    rules: &'p Properties,
    /// The property that most likely comes next.
    expected: usize,
    /// The declared properties that were there, a bit each.
    seen: u64,
    written: usize,
}

impl<'p> Object<'p> {
    /// An object whose rules are those of a node.
    #[inline]
    fn of(node: &'p Node) -> Self {
        match &node.properties {
            Some(rules) => Self::Own(Fields { rules, expected: 0, seen: 0, written: 0 }),
            None => Self::Any,
        }
    }
}

impl<'p> OnePass<'p> {
    #[inline]
    fn field(&mut self, fields: &mut Fields<'p>, name: &str) -> Key<'p> {
        let rules = fields.rules;
        fields.written += 1;
        let Some(place) = rules.place(name, fields.expected) else {
            self.expect(rules.rest);
            self.in_doubt |= rules.rest == NodeId::NEVER;
            return Key::Unknown;
        };
        let property = &rules.known[place];
        self.expect(property.node);
        fields.expected = place + 1;
        let again = fields.seen & (1 << place) != 0;
        fields.seen |= 1 << place;
        let key = if fields.written == 1 { &property.first_key } else { &property.key };
        if again { Key::Again(key) } else { Key::First(key) }
    }

    /// A field of a struct that is not the one that most likely came next, or comes for the first time.
    #[cold]
    fn unfamiliar_field(&mut self, object: &mut Object<'p>, name: &'static str) -> Key<'p> {
        if let Object::Own(fields) = object
            && let Some(property) = fields.rules.known.get(fields.expected)
            && *property.name == *name
        {
            property.field.store(name.as_ptr().addr(), Ordering::Relaxed);
        }
        self.named(object, name)
    }

    fn named(&mut self, object: &mut Object<'p>, name: &str) -> Key<'p> {
        match object {
            Object::Own(fields) => self.field(fields, name),
            Object::Untold { node, tags, start } => {
                let (told, key) = self.first_key(node, *tags, *start, name);
                *object = told;
                key
            }
            Object::TagSent(tags) => {
                *object = self.tagged(*tags);
                self.named(object, name)
            }
            Object::Any | Object::Whole { .. } => {
                self.expect(NodeId::ANY);
                Key::Unknown
            }
        }
    }

    /// The first key of an object whose branch is not known yet.
    fn first_key(&mut self, node: &'p Node, tags: usize, start: usize, name: &str) -> (Object<'p>, Key<'p>) {
        let union = &self.program.tags[tags];
        if union.tag() == Some(name) {
            self.expect_tag(tags);
            return (Object::TagSent(tags), Key::Unknown);
        }
        let Some(branch) = union.by_key(name) else {
            self.expect(NodeId::ANY);
            return (Object::Whole { node, start }, Key::Unknown);
        };
        let mut object = Object::of(self.program.node(branch));
        let key = match &mut object {
            Object::Own(fields) => self.field(fields, name),
            _ => Key::Unknown,
        };
        (object, key)
    }

    /// The branch that the tag has chosen, with the tag as its first property.
    fn tagged(&mut self, tags: usize) -> Object<'p> {
        let program = self.program;
        let Some(branch) = self.chosen.take() else {
            self.doubt();
            return Object::Any;
        };
        let mut object = Object::of(program.node(branch));
        if let (Object::Own(fields), Some(tag)) = (&mut object, program.tags[tags].tag()) {
            fields.written = 1;
            if let Some(place) = fields.rules.place(tag, 0) {
                fields.seen |= 1 << place;
                fields.expected = place + 1;
            }
        }
        object
    }

    fn complete(&mut self, fields: &Fields<'_>) {
        let rules = fields.rules;
        let holds = fields.seen & rules.required_places == rules.required_places
            && (rules.least..=rules.most).contains(&fields.written);
        self.in_doubt |= !holds;
    }
}

impl<'p> Check for OnePass<'p> {
    type Array = Array<'p>;
    type Object = Object<'p>;

    #[inline]
    fn null(&mut self) {
        self.scalar(Scalar::Null);
    }

    #[inline]
    fn bool(&mut self, value: bool) {
        self.scalar(Scalar::Bool(value));
    }

    #[inline]
    fn unsigned(&mut self, value: u64) {
        let (least, most) = self.next.unsigned;
        if value < least || value > most {
            self.scalar(Scalar::Unsigned(value));
        }
    }

    fn negative(&mut self, value: i64) {
        self.scalar(Scalar::Negative(value));
    }

    fn float(&mut self, value: f64) {
        self.scalar(Scalar::Float(value));
    }

    #[inline]
    fn string(&mut self, text: &str) {
        if self.wants_text() {
            self.scalar(Scalar::String(text));
        }
    }

    #[inline]
    fn wants_text(&self) -> bool {
        !self.next.plain.has(Kinds::STRING)
    }

    fn open_array(&mut self, start: usize) -> Array<'p> {
        let node = self.next;
        self.tag = None;
        match node.array {
            Opening::Own(own) => match &self.program.node(own).items {
                Some(rules) => Array::Own { rules, written: 0 },
                None => Array::Any,
            },
            Opening::Whole => {
                self.expect(NodeId::ANY);
                Array::Whole { node, start }
            }
            opening => {
                self.in_doubt |= opening != Opening::Any;
                self.expect(NodeId::ANY);
                Array::Any
            }
        }
    }

    #[inline]
    fn item(&mut self, array: &mut Array<'p>) {
        let next = match array {
            Array::Own { rules, written } => {
                *written += 1;
                rules.at(*written - 1)
            }
            Array::Any | Array::Whole { .. } => NodeId::ANY,
        };
        self.expect(next);
    }

    fn close_array(&mut self, array: Array<'p>, text: &str) {
        match array {
            Array::Any => {}
            Array::Own { rules, written } => self.in_doubt |= !(rules.least..=rules.most).contains(&written),
            Array::Whole { node, start } => self.check_whole(node, &text[start..]),
        }
    }

    #[inline]
    fn open_object(&mut self, start: usize) -> Object<'p> {
        let node = self.next;
        self.tag = None;
        let object = match node.object {
            Opening::Own(own) => return Object::of(self.program.node(own)),
            Opening::Tagged(tags) => return Object::Untold { node, tags, start },
            Opening::Whole => Object::Whole { node, start },
            Opening::Any => Object::Any,
            Opening::Refused => {
                self.doubt();
                Object::Any
            }
        };
        self.expect(NodeId::ANY);
        object
    }

    #[inline]
    fn key(&mut self, object: &mut Object<'p>, name: &str) -> Key<'_> {
        self.named(object, name)
    }

    // The name of a field is the same text each time, so its address tells as much as its bytes.
    #[inline]
    fn field(&mut self, object: &mut Object<'p>, name: &'static str) -> Key<'_> {
        let Object::Own(fields) = object else { return self.named(object, name) };
        let place = fields.expected;
        match fields.rules.known.get(place) {
            Some(property) if property.is_field(name) && fields.seen >> place == 0 => {
                fields.expected += 1;
                fields.seen |= 1 << place;
                fields.written += 1;
                self.next = self.program.node(property.node);
                Key::First(if fields.written == 1 { &property.first_key } else { &property.key })
            }
            _ => self.unfamiliar_field(object, name),
        }
    }

    #[inline]
    fn close_object(&mut self, object: Object<'p>, text: &str) {
        match object {
            Object::Any => {}
            Object::Own(fields) => self.complete(&fields),
            Object::TagSent(tags) => {
                let tagged = self.tagged(tags);
                self.close_object(tagged, text);
            }
            // An empty object is told by none of its keys.
            Object::Untold { node, start, .. } | Object::Whole { node, start } => {
                self.check_whole(node, &text[start..]);
            }
        }
    }
}
