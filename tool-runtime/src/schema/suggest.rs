//! The nearest known name.

/// The name that `wrong` most likely stands for, if one is near enough.
///
/// Names that differ only in case and separators (`maxResults`, `max_results`) come first, then the one with the
/// smallest edit distance, at most a third of the length.
pub(crate) fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Longer names are not compared: the distance takes time with the product of both lengths.
    const MAX_LENGTH: usize = 64;
    if wrong.len() > MAX_LENGTH {
        return None;
    }
    let folded = fold(wrong);
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        if name.len() > MAX_LENGTH {
            continue;
        }
        let distance = distance(&folded, &fold(name));
        let near = distance <= folded.len().max(fold(name).len()) / 3;
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ' | '.')).flat_map(char::to_lowercase).collect()
}

/// The number of insertions, deletions, substitutions and swaps of neighbours between two names.
fn distance(left: &[char], right: &[char]) -> usize {
    let width = right.len() + 1;
    let mut rows = vec![(0..width).collect::<Vec<usize>>()];
    for (i, &a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let substituted = rows[i][j] + usize::from(a != b);
            let mut least = substituted.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_spellings_and_typos() {
        let known = ["query", "max_results", "limit"];
        assert_eq!(nearest("maxResults", known), Some("max_results"));
        assert_eq!(nearest("MAX-RESULTS", known), Some("max_results"));
        assert_eq!(nearest("qurey", known), Some("query"));
        assert_eq!(nearest("limits", known), Some("limit"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("_meta", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("c", ["a", "b"]), None);
        assert_eq!(nearest("ids", ["id"]), Some("id"));
    }
}
