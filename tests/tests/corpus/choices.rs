//! Choices that a generator makes, as proptest draws and shrinks them.
//!
//! A generator reads numbers from a list. Where the list ends it reads zeros, and zero is always the simplest choice, so
//! that a shorter list of smaller numbers makes a simpler value: proptest shrinks the list, and the value with it.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::string::string_regex;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

#[derive(Clone, Debug)]
pub(crate) struct Choices {
    numbers: Vec<u32>,
    at: usize,
}

/// Lists of choices.
pub(crate) fn choices(most: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..most)
}

impl Choices {
    pub(crate) fn new(numbers: &[u32]) -> Self {
        Self { numbers: numbers.to_vec(), at: 0 }
    }

    pub(crate) fn next(&mut self) -> u32 {
        let number = self.numbers.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        number
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.at >= self.numbers.len()
    }

    /// A number below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    pub(crate) fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// True once in `times`, and never when the choices are spent.
    pub(crate) fn once_in(&mut self, times: u32) -> bool {
        self.next() % times == times - 1
    }

    pub(crate) fn wide(&mut self) -> u64 {
        u64::from(self.next()) << 32 | u64::from(self.next())
    }

    /// A text that matches a regular expression; anchors at its ends are what it means without them here.
    pub(crate) fn matching(&mut self, pattern: &str) -> String {
        let inner = pattern.strip_prefix('^').unwrap_or(pattern);
        let inner = inner.strip_suffix('$').unwrap_or(inner);
        // A digit of ECMAScript is one of ten, and one of proptest's is any of Unicode's.
        let inner = inner.replace(r"\d", "[0-9]");
        let seed = self.next();
        let seed: Vec<u8> = seed.to_le_bytes().repeat(8);
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
        let texts = string_regex(&inner).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        texts.new_tree(&mut runner).unwrap_or_else(|error| panic!("{pattern}: {error}")).current()
    }
}
