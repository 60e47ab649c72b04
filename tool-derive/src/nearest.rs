//! Suggestions for misspelt keys.

/// The candidate that `word` was probably meant to be: at most two edits away, and less than half of the word.
pub(crate) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let limit = 2.min(word.chars().count() / 2);
    let (distance, best) = candidates.iter().map(|candidate| (distance(word, candidate), *candidate)).min()?;
    (distance <= limit).then_some(best)
}

/// Edits between two words: insertion, deletion, replacement, and swapping two neighbours.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut before_last = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let replace = last[j] + usize::from(a != b);
            let mut edits = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                edits = edits.min(before_last[j - 1] + 1);
            }
            row.push(edits);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn counts_edits_and_swaps() {
        assert_eq!(distance("output", "output"), 0);
        assert_eq!(distance("ouput", "output"), 1);
        assert_eq!(distance("otuput", "output"), 1);
        assert_eq!(distance("readonly", "read_only"), 1);
        assert_eq!(distance("", "open"), 4);
    }

    #[test]
    fn suggests_only_what_is_close() {
        let keys = ["name", "open", "output", "parallel"];
        assert_eq!(nearest("ouptut", &keys), Some("output"));
        assert_eq!(nearest("nmae", &keys), Some("name"));
        assert_eq!(nearest("xy", &keys), None);
        assert_eq!(nearest("colour", &keys), None);
        assert_eq!(nearest("", &keys), None);
    }
}
