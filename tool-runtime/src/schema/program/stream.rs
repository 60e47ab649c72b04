//! The verdict on a value while it is written.

use super::openings::Opening;
use super::rules::{Items, Kinds, Properties};
use super::scalar::Scalar;
use super::{Node, NodeId, Program};
use crate::json::{Check, Key, MAX_DEPTH, ParseLimits, parse};
use crate::schema::graph::deeper_than;

/// Checks a value against a program in the pass that writes it.
///
/// It accepts only what [`Program::holds`] accepts, but leaves some of that in doubt: then the text decides.
pub(in crate::schema) struct OnePass<'p> {
    program: &'p Program,
    next: Next<'p>,
    /// The branch of the last tag that was written.
    chosen: Option<NodeId>,
    /// How many levels of a part that is read back the stack is trusted with.
    levels: usize,
    in_doubt: bool,
}

/// What the next value must satisfy.
#[derive(Clone, Copy)]
enum Next<'p> {
    Node(&'p Node),
    /// It is a tag of these.
    Tag(usize),
}

impl<'p> OnePass<'p> {
    pub(in crate::schema) fn new(program: &'p Program, levels: usize) -> Self {
        Self { program, next: Next::Node(program.node(program.root)), chosen: None, levels, in_doubt: false }
    }

    /// Whether all that was written satisfies the schema for sure.
    pub(in crate::schema) fn accepts(&self) -> bool {
        !self.in_doubt
    }

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        match self.next {
            Next::Node(node) => self.in_doubt |= !self.program.node_takes(node, value),
            Next::Tag(tags) => {
                self.chosen = match value {
                    Scalar::String(tag) => self.program.tags[tags].by_tag(tag),
                    _ => None,
                };
            }
        }
    }

    fn opening(&self, of: impl Fn(&Node) -> Opening) -> Opening {
        match self.next {
            Next::Node(node) => of(node),
            // A tag is a string.
            Next::Tag(_) => Opening::Refused,
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

    fn expect(&mut self, id: NodeId) {
        self.next = Next::Node(self.program.node(id));
    }

    fn node(&self) -> &'p Node {
        match self.next {
            Next::Node(node) => node,
            Next::Tag(_) => self.program.node(NodeId::ANY),
        }
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
        if again { Key::Again(&property.key) } else { Key::First(&property.key) }
    }

    /// The first key of an object whose branch is not known yet.
    fn first_key(&mut self, node: &'p Node, tags: usize, start: usize, name: &str) -> (Object<'p>, Key<'p>) {
        let union = &self.program.tags[tags];
        if union.tag() == Some(name) {
            self.next = Next::Tag(tags);
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
        self.scalar(Scalar::Unsigned(value));
    }

    fn negative(&mut self, value: i64) {
        self.scalar(Scalar::Negative(value));
    }

    fn float(&mut self, value: f64) {
        self.scalar(Scalar::Float(value));
    }

    #[inline]
    fn string(&mut self, text: &str) {
        self.scalar(Scalar::String(text));
    }

    fn wants_text(&self) -> bool {
        match self.next {
            Next::Node(node) => !node.plain.has(Kinds::STRING),
            Next::Tag(_) => true,
        }
    }

    fn open_array(&mut self, start: usize) -> Array<'p> {
        let node = self.node();
        match self.opening(|node| node.array) {
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
        let node = self.node();
        let object = match self.opening(|node| node.object) {
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
        match object {
            Object::Own(fields) => self.field(fields, name),
            Object::Untold { node, tags, start } => {
                let (told, key) = self.first_key(node, *tags, *start, name);
                *object = told;
                key
            }
            Object::TagSent(tags) => {
                *object = self.tagged(*tags);
                self.key(object, name)
            }
            Object::Any | Object::Whole { .. } => {
                self.expect(NodeId::ANY);
                Key::Unknown
            }
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
