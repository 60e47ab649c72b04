//! The first of many items.

use super::Omission;

/// Keeps the first items of a stream, and counts the others.
///
/// ```
/// use tool_runtime::retain::ItemRetainer;
///
/// let mut matches = ItemRetainer::new(2);
/// for line in ["a", "b", "c"] {
///     matches.push(line);
/// }
/// let matches = matches.finish();
/// assert_eq!(matches.items(), ["a", "b"]);
/// assert_eq!(matches.omission().sentence("matches"), "Omitted 1 matches.");
/// ```
#[derive(Clone, Debug)]
pub struct ItemRetainer<T> {
    most: usize,
    items: Vec<T>,
    seen: u64,
}

impl<T> ItemRetainer<T> {
    /// Keeps so many at most.
    pub const fn new(most: usize) -> Self {
        Self { most, items: Vec::new(), seen: 0 }
    }

    /// Takes one more; it is kept or counted.
    pub fn push(&mut self, item: T) {
        self.push_with(|| item);
    }

    /// Takes one more, and makes it only if it is kept.
    pub fn push_with(&mut self, item: impl FnOnce() -> T) {
        self.seen += 1;
        if self.items.len() < self.most {
            self.items.push(item());
        }
    }

    /// Whether the next one would only be counted.
    pub fn is_full(&self) -> bool {
        self.items.len() >= self.most
    }

    /// What was kept, and how many there were.
    pub fn finish(self) -> RetainedItems<T> {
        RetainedItems { items: self.items, seen: self.seen }
    }
}

impl<T> Extend<T> for ItemRetainer<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.push(item);
        }
    }
}

/// The first items of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetainedItems<T> {
    items: Vec<T>,
    seen: u64,
}

impl<T> RetainedItems<T> {
    /// Those that were kept, in their order.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The same, to own.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// How many there were.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// How many were kept.
    pub fn kept(&self) -> usize {
        self.items.len()
    }

    /// How many were left out.
    pub fn omitted(&self) -> u64 {
        self.seen - self.items.len() as u64
    }

    /// Whether any was left out.
    pub fn is_truncated(&self) -> bool {
        self.omitted() > 0
    }

    /// What was left out, for the sentence that says so.
    pub fn omission(&self) -> Omission {
        Omission::of(self.omitted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_fit_are_kept_and_the_others_are_counted() {
        for most in 0..5 {
            let mut retainer = ItemRetainer::new(most);
            retainer.extend(0..3);
            let kept = retainer.finish();
            assert_eq!(kept.items(), (0..most.min(3)).collect::<Vec<_>>());
            assert_eq!((kept.seen(), kept.kept() as u64 + kept.omitted()), (3, 3));
            assert_eq!(kept.is_truncated(), most < 3);
        }
    }

    #[test]
    fn what_is_only_counted_is_not_made() {
        let mut retainer = ItemRetainer::new(1);
        retainer.push_with(|| 1);
        assert!(retainer.is_full());
        retainer.push_with(|| unreachable!("it is not kept"));
        assert_eq!(retainer.finish().omission(), Omission::Exactly(1));
    }
}
