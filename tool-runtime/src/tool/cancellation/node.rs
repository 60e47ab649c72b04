//! A token in a tree of tokens.
//!
//! tokio's own is in `tokio-util`, which brings four crates to each author's build for this one type.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;

/// One token. It holds the one above it, and is only known to that: a child that nobody holds any more leaves its place.
#[derive(Default)]
pub(super) struct Node {
    cancelled: AtomicBool,
    woken: Notify,
    below: Mutex<Below>,
    above: Option<(Arc<Node>, usize)>,
}

/// The tokens that are cancelled with this one.
#[derive(Default)]
struct Below {
    /// Behind the lock too, so that no child comes after those that were told.
    cancelled: bool,
    places: Vec<Weak<Node>>,
    /// The places that children have left, to be taken by others: as many places are kept as there ever were children at
    /// one time.
    free: Vec<usize>,
}

impl Node {
    /// A token that is cancelled with this one.
    pub(super) fn child(self: &Arc<Self>) -> Arc<Self> {
        let mut below = self.below();
        if below.cancelled {
            let cancelled = Self::default();
            cancelled.mark();
            return Arc::new(cancelled);
        }
        let place = below.free.pop().unwrap_or(below.places.len());
        let mut child = Self::default();
        child.above = Some((Arc::clone(self), place));
        let child = Arc::new(child);
        let known = Arc::downgrade(&child);
        match below.places.get_mut(place) {
            Some(free) => *free = known,
            None => below.places.push(known),
        }
        child
    }

    /// Cancels it and all below it. A list of those to come, as they may hang from one another in a chain of any length.
    pub(super) fn cancel(self: &Arc<Self>) {
        let mut waiting = vec![Arc::clone(self)];
        while let Some(node) = waiting.pop() {
            waiting.extend(node.mark().iter().filter_map(Weak::upgrade));
        }
    }

    /// Cancels it alone, and hands over those below it, if nobody did so before.
    fn mark(&self) -> Vec<Weak<Self>> {
        let mut below = self.below();
        if std::mem::replace(&mut below.cancelled, true) {
            return Vec::new();
        }
        below.free = Vec::new();
        let places = std::mem::take(&mut below.places);
        // Behind the lock as well: no child is seen to be cancelled before what it hangs from.
        self.cancelled.store(true, Ordering::Release);
        drop(below);
        self.woken.notify_waiters();
        places
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    pub(super) async fn cancelled(&self) {
        // It hears of what happens from here on, so that what is seen next cannot be missed.
        let woken = self.woken.notified();
        if !self.is_cancelled() {
            woken.await;
        }
    }

    fn leave(&self, place: usize) {
        let mut below = self.below();
        if !below.cancelled {
            below.places[place] = Weak::new();
            below.free.push(place);
        }
    }

    fn below(&self) -> MutexGuard<'_, Below> {
        self.below.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Node {
    /// One after the other, as the last holder of a long chain would drop it in as many nested calls.
    fn drop(&mut self) {
        let mut above = self.above.take();
        while let Some((node, place)) = above {
            node.leave(place);
            above = Arc::into_inner(node).and_then(|mut node| node.above.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::task::{Context, Poll, Waker};
    use std::thread;

    use proptest::prelude::*;

    use super::*;

    /// What is done to a set of tokens; each number is one of those that there are, counted modulo their number.
    #[derive(Clone, Debug)]
    enum Step {
        Child(usize),
        Cancel(usize),
        Drop(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        let of = |make: fn(usize) -> Step| any::<usize>().prop_map(make);
        prop_oneof![5 => of(Step::Child), 1 => of(Step::Cancel), 3 => of(Step::Drop)]
    }

    /// The same by the definition: a token is cancelled if it, or one that it came from, was.
    #[derive(Default)]
    struct Model {
        above: Vec<Option<usize>>,
        cancelled: Vec<bool>,
    }

    impl Model {
        fn add(&mut self, above: Option<usize>) -> usize {
            self.above.push(above);
            self.cancelled.push(false);
            self.above.len() - 1
        }

        fn is_cancelled(&self, mut token: usize) -> bool {
            loop {
                match self.above[token] {
                    _ if self.cancelled[token] => return true,
                    Some(above) => token = above,
                    None => return false,
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_token_is_cancelled_with_those_above_it_and_no_others(steps in prop::collection::vec(step(), 0..60)) {
            let mut model = Model::default();
            let mut held = vec![(Arc::new(Node::default()), model.add(None))];
            for step in steps {
                let of = |index: usize| index % held.len();
                match step {
                    Step::Child(index) => {
                        let (node, token) = &held[of(index)];
                        let child = (node.child(), model.add(Some(*token)));
                        held.push(child);
                    }
                    Step::Cancel(index) => {
                        let (node, token) = &held[of(index)];
                        node.cancel();
                        model.cancelled[*token] = true;
                    }
                    // What is in the middle of the tree may go before what hangs from it; one is always held.
                    Step::Drop(index) if held.len() > 1 => drop(held.swap_remove(of(index))),
                    Step::Drop(_) => {}
                }
                for (node, token) in &held {
                    prop_assert_eq!(node.is_cancelled(), model.is_cancelled(*token));
                }
            }
        }
    }

    #[test]
    fn a_long_lived_token_does_not_grow_with_the_children_it_had() {
        let root = Arc::new(Node::default());
        let kept: Vec<_> = (0..10).map(|_| root.child()).collect();
        for _ in 0..1_000_000 {
            root.child();
        }
        assert!(root.below().places.len() <= 11, "{}", root.below().places.len());
        root.cancel();
        assert!(kept.iter().all(|child| child.is_cancelled()) && root.below().places.is_empty());
        drop(kept);
        assert!(root.child().is_cancelled(), "one that comes late");
        assert_eq!(Arc::strong_count(&root), 1, "nothing holds on to it");
    }

    #[test]
    fn a_chain_of_any_length_is_cancelled_and_dropped() {
        let root = Arc::new(Node::default());
        let mut all = vec![Arc::clone(&root)];
        for _ in 0..300_000 {
            all.push(all[all.len() - 1].child());
        }
        let last = all.pop().unwrap();
        drop(all);
        root.cancel();
        assert!(last.is_cancelled());
        drop((root, last));
    }

    #[test]
    fn a_wait_ends_when_the_token_or_one_above_it_is_cancelled() {
        let root = Arc::new(Node::default());
        let child = root.child();
        let mut waits = std::pin::pin!(child.cancelled());
        let mut cx = Context::from_waker(Waker::noop());
        assert_eq!(waits.as_mut().poll(&mut cx), Poll::Pending);
        root.cancel();
        assert_eq!(waits.as_mut().poll(&mut cx), Poll::Ready(()));
        assert_eq!(std::pin::pin!(child.cancelled()).poll(&mut cx), Poll::Ready(()));
    }

    /// Children come and go, and two wait, on several threads while the root is cancelled: each wait ends, or the test
    /// hangs.
    #[test]
    fn no_wait_is_forgotten_when_threads_race() {
        for round in 0..200 {
            let root = Arc::new(Node::default());
            let start = Barrier::new(5);
            thread::scope(|scope| {
                for waits in [true, true, false, false] {
                    let (root, start) = (&root, &start);
                    scope.spawn(move || {
                        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                        start.wait();
                        while !root.is_cancelled() {
                            let grandchild = root.child().child();
                            if waits {
                                runtime.block_on(grandchild.cancelled());
                                assert!(grandchild.is_cancelled() && root.is_cancelled());
                            }
                        }
                        assert!(root.child().is_cancelled());
                    });
                }
                start.wait();
                (0..round % 10).for_each(|_| thread::yield_now());
                root.cancel();
            });
            assert_eq!(Arc::strong_count(&root), 1);
        }
    }
}
