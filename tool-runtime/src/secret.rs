//! Secrets in texts: where one stands that is known, in whatever form, a fixed mark takes its place.

mod forms;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;

use crate::content::{Block, Content, ResourceBody};
use crate::json::JsonValue;

/// What stands in the place of a secret.
pub(crate) const MARK: &str = "[secret]";

/// Shorter texts are not looked for: they would be found in every other word.
const LEAST_CHARS: usize = 4;

/// Of a secret that is longer, each piece of so many bytes is found by itself, so that one that was cut is found too.
const PIECE: usize = 16;

/// Of a secret that is longer than this, not every piece is kept, but enough to find each run of twice a piece.
const LONG: usize = 4096;

/// Finds the secrets of one call in what is shown of it.
#[derive(Clone)]
pub(crate) struct Scrub {
    secrets: BTreeSet<String>,
    /// Every form of each, long ones first.
    forms: Vec<Box<[u8]>>,
    /// Indices of those that are found as a whole only.
    short: Vec<usize>,
    /// Where the pieces of the others stand: the form, and the place in it.
    pieces: HashMap<[u8; PIECE], (usize, usize)>,
}

impl Scrub {
    /// `None` if none of the texts is long enough to be looked for.
    pub(crate) fn of(secrets: impl IntoIterator<Item = String>) -> Option<Self> {
        let is_found = |secret: &String| secret.chars().nth(LEAST_CHARS - 1).is_some() && secret != MARK;
        let secrets: BTreeSet<String> = secrets.into_iter().filter(is_found).collect();
        (!secrets.is_empty()).then(|| Self::new(secrets))
    }

    fn new(secrets: BTreeSet<String>) -> Self {
        let mut forms: BTreeSet<Box<[u8]>> = BTreeSet::new();
        for secret in &secrets {
            forms.extend(forms::of(secret).into_iter().map(|form| form.into_bytes().into()));
        }
        let forms: Vec<Box<[u8]>> = forms.into_iter().collect();
        let (mut short, mut pieces) = (Vec::new(), HashMap::new());
        for (index, form) in forms.iter().enumerate() {
            if form.len() < PIECE {
                short.push(index);
                continue;
            }
            let step = if form.len() > LONG { PIECE } else { 1 };
            for (place, piece) in form.windows(PIECE).enumerate().step_by(step) {
                if let Ok(piece) = piece.try_into() {
                    pieces.entry(piece).or_insert((index, place));
                }
            }
        }
        Self { secrets, forms, short, pieces }
    }

    /// The same, and those of another.
    pub(crate) fn and(&self, other: &Self) -> Self {
        if other.secrets.is_subset(&self.secrets) {
            return self.clone();
        }
        Self::new(self.secrets.union(&other.secrets).cloned().collect())
    }

    /// The text with a mark for each secret in it. A mark stays what it is, so that doing it twice changes nothing.
    pub(crate) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let hidden = self.found_in(text);
        if hidden.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut shown = String::with_capacity(text.len());
        let mut end = 0;
        for range in hidden {
            shown.push_str(&text[end..range.start]);
            shown.push_str(MARK);
            end = range.end;
        }
        shown.push_str(&text[end..]);
        Cow::Owned(shown)
    }

    /// The same for a text that may have been cut, in the middle of a secret.
    pub(crate) fn cut_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        // Of a longer rest, the pieces are found.
        let rests =
            self.forms.iter().flat_map(|form| (LEAST_CHARS..form.len().min(PIECE)).map(|length| &form[..length]));
        match rests.filter(|rest| text.as_bytes().ends_with(rest)).map(<[u8]>::len).max() {
            Some(length) => {
                let kept = self.text(&text[..text.floor_char_boundary(text.len() - length)]);
                Cow::Owned(format!("{kept}{MARK}"))
            }
            None => self.text(text),
        }
    }

    /// Whether a secret is in the text.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        !self.found_in(text).is_empty()
    }

    /// The places of secrets, ascending and apart, from character to character.
    fn found_in(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = self.pieces_in(text.as_bytes());
        let marks: Vec<usize> = text.match_indices(MARK).map(|(at, _)| at).collect();
        let is_marked =
            |range: &Range<usize>| marks.iter().any(|at| *at <= range.start && range.end <= at + MARK.len());
        for index in &self.short {
            // Forms are texts, so that a form is found between characters.
            let Ok(form) = std::str::from_utf8(&self.forms[*index]) else { continue };
            found.extend(text.match_indices(form).map(|(at, _)| at..at + form.len()).filter(|range| !is_marked(range)));
        }
        found.sort_by_key(|range| range.start);
        let mut apart: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for range in found {
            let range = text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end);
            match apart.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => apart.push(range),
            }
        }
        apart
    }

    fn pieces_in(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        if self.pieces.is_empty() {
            return found;
        }
        let mut at = 0;
        while let Some(piece) = text.get(at..at + PIECE).and_then(|piece| <&[u8; PIECE]>::try_from(piece).ok()) {
            let Some((form, place)) = self.pieces.get(piece) else {
                at += 1;
                continue;
            };
            let form = &self.forms[*form];
            let same_before = |back: &usize| text[at - back] == form[place - back];
            let start = at - (1..=at.min(*place)).take_while(same_before).count();
            let same_after = |(one, other): &(&u8, &u8)| one == other;
            let end = at + text[at..].iter().zip(&form[*place..]).take_while(same_after).count();
            found.push(start..end);
            // The next piece may overlap this end, where it belongs to another place of the form.
            at = (end + 1 - PIECE).max(at + 1);
        }
        found
    }

    /// Puts marks into all texts of a value, and for numbers that are secrets.
    pub(crate) fn json(&self, value: &mut JsonValue) {
        match value {
            JsonValue::String(text) => self.string(text),
            JsonValue::Number(number) if self.secrets.contains(&number.to_string()) => *value = MARK.into(),
            JsonValue::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            JsonValue::Object(entries) => {
                for entry in entries.values_mut() {
                    self.json(entry);
                }
                if entries.keys().any(|key| self.is_in(key)) {
                    *entries = self.renamed(std::mem::take(entries));
                }
            }
            _ => {}
        }
    }

    /// The same entries under keys without secrets, none of them lost.
    fn renamed(&self, entries: serde_json::Map<String, JsonValue>) -> serde_json::Map<String, JsonValue> {
        let mut renamed = serde_json::Map::with_capacity(entries.len());
        for (key, entry) in entries {
            let mut shown = self.text(&key).into_owned();
            while renamed.contains_key(&shown) {
                shown.push('\'');
            }
            renamed.insert(shown, entry);
        }
        renamed
    }

    pub(crate) fn string(&self, text: &mut String) {
        if let Cow::Owned(shown) = self.text(text) {
            *text = shown;
        }
    }

    fn optional(&self, text: &mut Option<String>) {
        if let Some(text) = text {
            self.string(text);
        }
    }

    /// Puts marks into content. A picture, a sound or a file that holds a secret goes as a whole, since bytes with a mark in
    /// them would be none of their kind.
    pub(crate) fn content(&self, content: &mut Content) {
        let notice = content.notice().map(|notice| self.text(notice).into_owned());
        let mut blocks = content.take_blocks();
        for block in &mut blocks {
            self.block(block);
        }
        *content = blocks.into_iter().collect();
        if let Some(notice) = notice {
            *content = std::mem::take(content).with_notice(notice);
        }
    }

    fn block(&self, block: &mut Block) {
        let holds = |data: &str, mime_type: &str| self.is_in(data) || self.is_in(mime_type);
        match block {
            Block::Text(text) => self.string(&mut text.text),
            Block::Image(image) if holds(&image.data, &image.mime_type) => *block = Block::text(MARK),
            Block::Audio(audio) if holds(&audio.data, &audio.mime_type) => *block = Block::text(MARK),
            Block::Image(_) | Block::Audio(_) => {}
            Block::Resource(resource) => match &mut resource.resource {
                ResourceBody::Blob { blob, .. } if self.is_in(blob) => *block = Block::text(MARK),
                ResourceBody::Blob { uri, mime_type, .. } => {
                    self.string(uri);
                    self.optional(mime_type);
                }
                ResourceBody::Text { uri, mime_type, text } => {
                    self.string(uri);
                    self.optional(mime_type);
                    self.string(text);
                }
            },
            Block::ResourceLink(link) => {
                self.string(&mut link.uri);
                self.string(&mut link.name);
                self.optional(&mut link.title);
                self.optional(&mut link.description);
                self.optional(&mut link.mime_type);
            }
        }
    }
}

/// What is looked for is not told.
impl fmt::Debug for Scrub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scrub").field("secrets", &self.secrets.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn scrub(secrets: &[&str]) -> Scrub {
        Scrub::of(secrets.iter().map(|secret| (*secret).to_owned())).expect("they are long enough")
    }

    #[test]
    fn a_secret_gives_way_to_a_mark_and_a_mark_stays() {
        let scrub = scrub(&["hunter2", "secret", "1234"]);
        for (text, shown) in [
            ("it is hunter2.", "it is [secret]."),
            ("hunter2hunter2", "[secret]"),
            ("hunter2 hunter2", "[secret] [secret]"),
            ("a secret [secret]", "a [secret] [secret]"),
            ("x12345", "x[secret]5"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(scrub.text(text), shown);
            assert_eq!(scrub.text(shown), shown);
        }
        assert!(matches!(scrub.text("nothing"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_is_too_short_is_not_looked_for() {
        assert!(Scrub::of(["abc".to_owned(), String::new(), MARK.to_owned()]).is_none());
        assert!(Scrub::of(["äöü".to_owned()]).is_none());
        assert_eq!(scrub(&["äöüß"]).text("xäöüß"), "x[secret]");
    }

    #[test]
    fn a_long_secret_is_found_in_pieces() {
        let key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7\n-----END KEY-----";
        let scrub = scrub(&[key]);
        assert_eq!(scrub.text(&key[..30]), MARK);
        assert_eq!(scrub.text("line 2: MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"), "line 2: [secret]");
        assert_eq!(scrub.text(&format!("«{}…»", &key[3..60])), "«[secret]…»");
        let mut long = String::new();
        for number in 0..3000_u32 {
            let _ = write!(long, "{:x}", number.wrapping_mul(2_654_435_761));
        }
        let scrub = self::scrub(&[&long]);
        assert_eq!(scrub.text(&format!("a {} b", &long[1001..1080])), "a [secret] b");
    }

    #[test]
    fn a_text_that_was_cut_ends_before_the_secret() {
        let scrub = scrub(&["correct-horse"]);
        assert_eq!(scrub.cut_text("the word is corre"), "the word is [secret]");
        assert_eq!(scrub.cut_text("the word is cor"), "the word is cor");
        assert_eq!(scrub.cut_text("correct-horse"), MARK);
    }

    #[test]
    fn keys_numbers_and_nested_texts_of_a_value_are_looked_at() {
        let mut value = json!({"hunter2": [90210, {"a": "x hunter2"}], "[secret]": 1, "n": 902_101});
        scrub(&["hunter2", "90210"]).json(&mut value);
        assert_eq!(value, json!({"[secret]": [MARK, {"a": "x [secret]"}], "[secret]'": 1, "n": 902_101}));
    }

    #[test]
    fn a_picture_of_a_secret_goes_as_a_whole() {
        let mut content =
            Content::from(Block::image("prefix hunter2-hunter2 suffix", "image/png")).with_notice("hunter2-hunter2");
        scrub(&["hunter2-hunter2"]).content(&mut content);
        assert_eq!(content.to_text(), "[secret]\n\n[[secret]]");
    }

    /// A secret as texts quote it.
    fn quoted(secret: &str) -> Vec<String> {
        let json = serde_json::to_string(secret).unwrap();
        vec![
            secret.to_owned(),
            json.clone(),
            format!("{secret:?}"),
            format!("{json:?}"),
            serde_json::to_string(&json).unwrap(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn no_form_of_a_secret_is_left(secret in "[a-z\"\\\\\n\u{e9}\u{1f600}0-9 ]{8,60}", before in "[A-Z]{0,5}", after in "[A-Z]{0,5}") {
            let scrub = scrub(&[&secret]);
            for quoted in quoted(&secret) {
                let shown = scrub.text(&format!("{before}{quoted}{after}")).into_owned();
                let bare = shown.trim_matches(['"', '\\']);
                prop_assert!(bare.contains(MARK), "{shown:?}");
                prop_assert!(!shown.contains(&secret), "{shown:?}");
                prop_assert_eq!(scrub.text(&shown), shown.as_str());
            }
            let encoded = format!("{before}{secret}{after}");
            for encoded in [STANDARD.encode(&encoded), URL_SAFE_NO_PAD.encode(&encoded)] {
                prop_assert!(scrub.text(&encoded).contains(MARK), "{encoded}");
            }
        }

        #[test]
        fn no_text_is_split_within_a_character(secret in "\\PC{4,40}", text in "\\PC{0,80}") {
            if let Some(scrub) = Scrub::of([secret.clone()]) {
                let shown = scrub.text(&text);
                prop_assert!(secret == MARK || !shown.contains(&secret) || MARK.contains(&secret));
                let _ = scrub.cut_text(&text);
            }
        }
    }
}
