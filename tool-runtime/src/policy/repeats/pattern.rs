//! Names of tools with `*` in them.

use super::InvalidRepeats;

/// A name in which `*` stands for any characters, none included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(String);

impl Pattern {
    pub(super) fn new(pattern: &str) -> Result<Self, InvalidRepeats> {
        let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'*');
        if pattern.is_empty() || !pattern.bytes().all(is_legal) {
            return Err(InvalidRepeats::BadPattern(pattern.to_owned()));
        }
        Ok(Self(pattern.to_owned()))
    }

    /// Each piece is looked for behind the one before: the first place is as good as any, so that nothing is tried twice.
    pub(super) fn matches(&self, name: &str) -> bool {
        let Some((first, rest)) = self.0.split_once('*') else { return self.0 == name };
        let Some(mut name) = name.strip_prefix(first) else { return false };
        let mut pieces = rest.split('*');
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            match name.find(piece) {
                Some(at) => name = &name[at + piece.len()..],
                None => return false,
            }
        }
        name.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name, matches) in [
            ("read", "read", true),
            ("read", "reads", false),
            ("*", "", true),
            ("*", "anything", true),
            ("a*", "a", true),
            ("*a", "ba", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("a**c", "abc", true),
            ("*ab*ab*", "ab", false),
            ("*ab*ab*", "xabyabz", true),
            ("fs_*", "é", false),
        ] {
            assert_eq!(Pattern::new(pattern).unwrap().matches(name), matches, "{pattern} {name}");
        }
    }
}
