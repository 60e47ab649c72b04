//! Names that a provider takes for names that it refuses, without collisions.

use super::rules::Names;

impl Names {
    /// Whether a name may be sent as it is.
    pub(super) fn takes(&self, name: &str) -> bool {
        let Some(also) = self.also else { return true };
        let starts = name
            .chars()
            .next()
            .is_some_and(|first| !self.starts_with_letter || first.is_ascii_alphabetic() || first == '_');
        let is_taken = |char: char| char.is_ascii_alphanumeric() || char == '_' || also.contains(char);
        starts && name.len() <= self.most && name.chars().all(is_taken)
    }

    /// The names to send for names that differ, in their order: those that may be sent stay, and others never become one
    /// of them, nor each other.
    pub(super) fn fitted(&self, names: &[&str]) -> Vec<String> {
        let mut sent: Vec<String> = Vec::with_capacity(names.len());
        for name in names {
            let is_free = |candidate: &str, sent: &[String]| {
                !names.contains(&candidate) && !sent.iter().any(|other| other == candidate)
            };
            if self.takes(name) {
                sent.push((*name).to_owned());
                continue;
            }
            let plain = self.plain(name);
            let mut candidate = plain.clone();
            let mut number = 2_usize;
            while !is_free(&candidate, &sent) {
                candidate = self.with_suffix(&plain, &format!("_{number}"));
                number += 1;
            }
            sent.push(candidate);
        }
        sent
    }

    /// A name to send for a name that stands alone: another name never becomes the same.
    pub(super) fn marked(&self, name: &str) -> String {
        if self.takes(name) {
            name.to_owned()
        } else {
            self.with_suffix(&self.plain(name), &format!("_{:08x}", hash(name)))
        }
    }

    fn plain(&self, name: &str) -> String {
        let also = self.also.unwrap_or_default();
        let keep = |char: char| char.is_ascii_alphanumeric() || char == '_' || also.contains(char);
        let mut plain: String = name.chars().map(|char| if keep(char) { char } else { '_' }).collect();
        let starts = plain
            .chars()
            .next()
            .is_some_and(|first| !self.starts_with_letter || first.is_ascii_alphabetic() || first == '_');
        if !starts {
            plain.insert(0, '_');
        }
        plain.truncate(self.most);
        plain
    }

    /// Every character of a plain name is one byte.
    fn with_suffix(&self, plain: &str, suffix: &str) -> String {
        let kept = plain.len().min(self.most.saturating_sub(suffix.len()));
        format!("{}{suffix}", &plain[..kept])
    }
}

/// FNV-1a, so that a name is sent as the same name in every process.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::super::rules::GEMINI;
    use super::*;

    const NAMES: Names = GEMINI.property_names;

    #[test]
    fn names_that_may_be_sent_stay_and_others_do_not_become_one_of_them() {
        let long = "a".repeat(70);
        let sent = NAMES.fitted(&["a b", "a_b", "a-b", "2", "", "é", &long, "$meta"]);
        let cut = "a".repeat(64);
        assert_eq!(sent, ["a_b_2", "a_b", "a_b_3", "_2", "_", "__2", &cut, "_meta"]);
        assert!(sent.iter().all(|name| NAMES.takes(name)));
    }

    #[test]
    fn two_long_names_differ_in_what_is_sent() {
        let (one, other) = (format!("{}1", "a".repeat(70)), format!("{}2", "a".repeat(70)));
        let sent = NAMES.fitted(&[&one, &other]);
        assert_ne!(sent[0], sent[1]);
        assert_ne!(NAMES.marked(&one), NAMES.marked(&other));
        assert!(sent.iter().all(|name| NAMES.takes(name)));
        assert!(NAMES.takes(&NAMES.marked(&one)));
    }

    #[test]
    fn where_every_name_may_be_sent_all_stay() {
        let any = Names { also: None, starts_with_letter: false, most: usize::MAX };
        assert_eq!(any.fitted(&["", "a b/~"]), ["", "a b/~"]);
    }
}
