//! A list of blocks.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Block;

/// A list of blocks, most often of one, which then needs no allocation.
#[derive(Clone)]
pub(super) enum Blocks {
    One(Block),
    Many(Vec<Block>),
}

impl Blocks {
    pub(super) const fn none() -> Self {
        Self::Many(Vec::new())
    }

    pub(super) fn as_slice(&self) -> &[Block] {
        match self {
            Self::One(block) => std::slice::from_ref(block),
            Self::Many(blocks) => blocks,
        }
    }

    pub(super) fn push(&mut self, block: Block) {
        match std::mem::take(self) {
            Self::Many(blocks) if blocks.is_empty() => *self = Self::One(block),
            blocks => {
                let mut blocks = blocks.into_vec();
                blocks.push(block);
                *self = Self::Many(blocks);
            }
        }
    }

    pub(super) fn into_vec(self) -> Vec<Block> {
        match self {
            Self::One(block) => vec![block],
            Self::Many(blocks) => blocks,
        }
    }
}

impl Default for Blocks {
    fn default() -> Self {
        Self::none()
    }
}

impl PartialEq for Blocks {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl std::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl Extend<Block> for Blocks {
    fn extend<I: IntoIterator<Item = Block>>(&mut self, blocks: I) {
        for block in blocks {
            self.push(block);
        }
    }
}

impl Serialize for Blocks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Blocks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::Many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alone_is_the_same_as_one_in_a_list() {
        let mut one = Blocks::none();
        one.push(Block::text("a"));
        let list = Blocks::Many(vec![Block::text("a")]);
        assert_eq!(one, list);
        assert_eq!(format!("{one:?}"), format!("{list:?}"));
        one.push(Block::text("b"));
        assert_eq!(one.as_slice(), [Block::text("a"), Block::text("b")]);
        assert_eq!(one.into_vec().len(), 2);
    }
}
