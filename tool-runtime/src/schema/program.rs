//! A schema as a program: its nodes in one flat list, its names and limits read once, references followed once.
//!
//! The program gives the verdict on a value, as a tree ([`Program::holds`]) or while it is written
//! ([`OnePass`](stream::OnePass)); the walk in [`explain`](super::explain) says why. Both follow the same rules, and tests
//! hold them, and the `jsonschema` crate, against one another.
//!
//! What one pass decides is settled when the program is made, for each schema and each kind of value: a struct is checked
//! field by field, an option or an enum by what the value turns out to be, a tagged enum by its tag or its first key. What
//! only the whole array or object shows (unique items, patterns of keys, properties beside a flattened enum, untagged
//! objects) is read back from its own text once that is complete, and checked as a tree.

mod check;
mod compile;
mod openings;
mod rules;
mod scalar;
mod stream;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

pub(super) use self::stream::OnePass;

use self::openings::{Opening, Tags};
use self::rules::{Fixed, Items, Kinds, Numbers, Parts, Properties, Strings};

/// A compiled schema.
pub(super) struct Program {
    nodes: Vec<Node>,
    tags: Vec<Tags>,
    root: NodeId,
}

/// A node's place in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The schema that takes everything.
    const ANY: Self = Self(0);
    /// The schema that takes nothing.
    const NEVER: Self = Self(1);
}

/// One schema. Rules for a kind of value are absent if there are none.
pub(super) struct Node {
    kinds: Kinds,
    /// Of these kinds, the ones of scalars of which nothing more is asked.
    plain: Kinds,
    /// Integers of 0 and more that hold, whatever else there is to say; none if the least is above the most.
    unsigned: (u64, u64),
    fixed: Option<Box<Fixed>>,
    numbers: Option<Box<Numbers>>,
    strings: Option<Box<Strings>>,
    items: Option<Box<Items>>,
    properties: Option<Box<Properties>>,
    parts: Option<Box<Parts>>,
    /// How an array, and how an object, is checked while it is written.
    array: Opening,
    object: Opening,
}

const NO_INTEGERS: (u64, u64) = (1, 0);

impl Node {
    fn new(kinds: Kinds) -> Self {
        Self {
            kinds,
            plain: Kinds::NONE,
            unsigned: NO_INTEGERS,
            fixed: None,
            numbers: None,
            strings: None,
            items: None,
            properties: None,
            parts: None,
            array: Opening::Any,
            object: Opening::Any,
        }
    }
}

impl Program {
    /// The program of the schema that takes everything.
    pub(super) fn anything() -> &'static Self {
        static ANYTHING: LazyLock<Program> = LazyLock::new(|| Program {
            nodes: vec![Node { plain: Kinds::ALL, ..Node::new(Kinds::ALL) }],
            tags: Vec::new(),
            root: NodeId::ANY,
        });
        &ANYTHING
    }

    #[inline]
    fn node(&self, id: NodeId) -> &Node {
        // A `u32` fits, and ids are only made for nodes that are there.
        &self.nodes[id.0 as usize]
    }
}
