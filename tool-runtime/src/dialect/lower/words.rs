//! Descriptions: the author's words, and sentences for what the schema can no longer say.

use serde_json::Value;

/// A value that is told in a sentence is cut after this many bytes.
const MAX_SHOWN: usize = 200;

/// The words at one place.
pub(super) struct Words {
    own: Option<String>,
    added: Vec<String>,
}

impl Words {
    pub(super) fn new(own: Option<&str>) -> Self {
        Self { own: own.map(str::to_owned), added: Vec::new() }
    }

    /// Words of the author, where there are none yet.
    pub(super) fn or_own(&mut self, own: &str) {
        self.own.get_or_insert_with(|| own.to_owned());
    }

    pub(super) fn add(&mut self, sentence: &str) {
        if !self.added.iter().any(|other| other == sentence) {
            self.added.push(sentence.to_owned());
        }
    }

    pub(super) fn into_text(self) -> Option<String> {
        let mut text = self.own.unwrap_or_default();
        for sentence in self.added {
            if !text.is_empty() {
                if !text.trim_end().ends_with(['.', '!', '?', ':', ';', ',']) {
                    text.truncate(text.trim_end().len());
                    text.push('.');
                }
                text.push(' ');
            }
            text.push_str(&sentence);
        }
        (!text.is_empty()).then_some(text)
    }
}

/// A value as JSON, cut if it is long.
pub(super) fn shown(value: &Value) -> String {
    let mut text = value.to_string();
    if text.len() > MAX_SHOWN {
        let mut end = MAX_SHOWN;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}
