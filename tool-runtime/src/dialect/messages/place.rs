//! A response, read place by place: what is missing or of another type is an error that names the place.

use super::UnreadResponse;
use crate::json::{JsonValue, Pointer};

/// A value in a response, and where it stands.
pub(super) struct Place<'a> {
    value: &'a JsonValue,
    at: Pointer,
}

impl<'a> Place<'a> {
    pub(super) fn root(value: &'a JsonValue) -> Self {
        Self { value, at: Pointer::root() }
    }

    pub(super) fn value(&self) -> &'a JsonValue {
        self.value
    }

    pub(super) fn at(&self) -> &Pointer {
        &self.at
    }

    /// An entry of an object; null is the same as none.
    pub(super) fn entry(&self, key: &str) -> Result<Option<Self>, UnreadResponse> {
        let entries = self.value.as_object().ok_or_else(|| self.is_no("an object"))?;
        let value = entries.get(key).filter(|value| !value.is_null());
        Ok(value.map(|value| Self { value, at: self.at.child(key) }))
    }

    pub(super) fn needed(&self, key: &str, wanted: &'static str) -> Result<Self, UnreadResponse> {
        let missing = || UnreadResponse::Shape { at: self.at.child(key), wanted };
        self.entry(key)?.ok_or_else(missing)
    }

    pub(super) fn text(&self) -> Result<&'a str, UnreadResponse> {
        self.value.as_str().ok_or_else(|| self.is_no("a string"))
    }

    /// The text of an entry that has to be there, and that is not empty.
    pub(super) fn text_at(&self, key: &str) -> Result<&'a str, UnreadResponse> {
        let entry = self.needed(key, "a string")?;
        let text = entry.text()?;
        if text.is_empty() { Err(entry.is_no("a string that is not empty")) } else { Ok(text) }
    }

    /// The text of an entry; empty text is the same as none.
    pub(super) fn any_text_at(&self, key: &str) -> Result<Option<&'a str>, UnreadResponse> {
        let text = self.entry(key)?.map(|entry| entry.text()).transpose()?;
        Ok(text.filter(|text| !text.is_empty()))
    }

    pub(super) fn items(&self) -> Result<impl Iterator<Item = Place<'a>>, UnreadResponse> {
        let items = self.value.as_array().ok_or_else(|| self.is_no("a list"))?;
        let at = self.at.clone();
        Ok(items.iter().enumerate().map(move |(index, value)| Place { value, at: at.index(index) }))
    }

    /// The items of a list that may be left out.
    pub(super) fn items_at(&self, key: &str) -> Result<Vec<Place<'a>>, UnreadResponse> {
        self.entry(key)?.map_or_else(|| Ok(Vec::new()), |list| Ok(list.items()?.collect()))
    }

    /// The one item of a list that has to be there.
    pub(super) fn only_at(&self, key: &str) -> Result<Place<'a>, UnreadResponse> {
        let list = self.needed(key, "a list with one item")?;
        let mut items = list.items()?;
        match (items.next(), items.count()) {
            (Some(item), 0) => Ok(item),
            (Some(_), more) => Err(UnreadResponse::Alternatives { count: more + 1 }),
            (None, _) => Err(list.is_no("a list with one item")),
        }
    }

    /// The provider's word for why it stopped, which has to be one of those that it says of a whole response.
    pub(super) fn ended(&self, key: &str, whole: &[&str]) -> Result<(), UnreadResponse> {
        let reason = self.any_text_at(key)?.unwrap_or("no reason is given");
        if whole.contains(&reason) { Ok(()) } else { Err(UnreadResponse::unfinished(reason)) }
    }

    pub(super) fn is_no(&self, wanted: &'static str) -> UnreadResponse {
        UnreadResponse::Shape { at: self.at.clone(), wanted }
    }
}
