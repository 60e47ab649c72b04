//! What a change changed, hunk by hunk.

use similar::{ChangeTag, TextDiff};

/// Lines around a change that are shown with it.
const CONTEXT_LINES: usize = 3;

/// A run of changed lines with the lines around it, as they were and as they are, line breaks included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    /// Nothing if no line was here before.
    pub(crate) old: Option<String>,
    pub(crate) new: String,
}

/// The hunks from one text to another, in order. Changes whose contexts touch are one hunk.
pub(crate) fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    let diff = TextDiff::from_lines(before, after);
    let groups = diff.grouped_ops(CONTEXT_LINES);
    let hunk = |group: &Vec<_>| {
        let (mut old, mut new) = (None, String::new());
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            if change.tag() != ChangeTag::Insert {
                old.get_or_insert_with(String::new).push_str(change.value());
            }
            if change.tag() != ChangeTag::Delete {
                new.push_str(change.value());
            }
        }
        Hunk { old, new }
    };
    groups.iter().map(hunk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hunk(old: Option<&str>, new: &str) -> Hunk {
        Hunk { old: old.map(str::to_owned), new: new.to_owned() }
    }

    fn numbers(range: std::ops::RangeInclusive<u32>) -> String {
        range.flat_map(|number| [number.to_string(), "\n".to_owned()]).collect()
    }

    #[test]
    fn a_change_comes_with_three_lines_around_it() {
        let before = numbers(1..=20);
        let after = before.replace("10\n", "ten\n");
        assert_eq!(hunks(&before, &after), [hunk(Some("7\n8\n9\n10\n11\n12\n13\n"), "7\n8\n9\nten\n11\n12\n13\n")]);
    }

    #[test]
    fn changes_far_apart_are_hunks_of_their_own_and_close_ones_are_not() {
        let before = numbers(1..=20);
        assert_eq!(hunks(&before, &before.replace("\n2\n", "\ntwo\n").replace("19\n", "x\n")).len(), 2);
        assert_eq!(hunks(&before, &before.replace("\n5\n", "\nfive\n").replace("12\n", "x\n")).len(), 1);
    }

    #[test]
    fn insertions_and_deletions() {
        assert_eq!(hunks("a\nc\n", "a\nb\nc\n"), [hunk(Some("a\nc\n"), "a\nb\nc\n")]);
        assert_eq!(hunks("a\nb\nc\n", "a\nc\n"), [hunk(Some("a\nb\nc\n"), "a\nc\n")]);
        assert_eq!(hunks("", "a\n"), [hunk(None, "a\n")], "nothing was here before");
        assert_eq!(hunks("a\n", ""), [hunk(Some("a\n"), "")]);
    }

    proptest! {
        #[test]
        fn the_hunks_turn_the_one_text_into_the_other(before in "([ab]{0,2}\n){0,40}", after in "([ab]{0,2}\n){0,40}") {
            // Each hunk in its turn, behind the one before it. Text between hunks is the same on both sides.
            let (mut rest, mut made) = (before.as_str(), String::new());
            let (mut aim, hunks) = (after.as_str(), hunks(&before, &after));
            for hunk in &hunks {
                let old = hunk.old.as_deref().unwrap_or_default();
                let same = rest.match_indices(old).map(|(at, _)| at);
                let at = same.clone().find(|&at| aim.get(..at) == rest.get(..at) && aim[at..].starts_with(&hunk.new));
                let at = at.expect("a hunk stands in both texts at one place");
                made.push_str(&rest[..at]);
                made.push_str(&hunk.new);
                rest = &rest[at + old.len()..];
                aim = &aim[at + hunk.new.len()..];
            }
            made.push_str(rest);
            prop_assert_eq!(made, after);
        }
    }

    #[test]
    fn no_change_no_hunk_and_a_line_break_at_the_end_is_a_change() {
        assert_eq!(hunks("a\nb\n", "a\nb\n"), []);
        assert_eq!(hunks("a\nb", "a\nb\n"), [hunk(Some("a\nb"), "a\nb\n")]);
        assert_eq!(hunks("a\nb\n", "a\r\nb\n"), [hunk(Some("a\nb\n"), "a\r\nb\n")]);
    }
}
