//! The content blocks of the Model Context Protocol (revision 2025-06-18 and later), in its wire form.
//!
//! What is rare is boxed, so that a text costs no more than it must.

use serde::{Deserialize, Serialize};

use super::base64::base64;

/// One block of [`Content`](super::Content), as the Model Context Protocol defines it; serialises to its wire form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Block {
    /// Text.
    Text(Text),
    /// A picture.
    Image(Image),
    /// Sound.
    Audio(Audio),
    /// A resource with its content.
    Resource(Box<Resource>),
    /// A resource that the reader may fetch.
    ResourceLink(Box<ResourceLink>),
}

/// A text block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// The text.
    pub text: String,
    /// For whom it is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Box<Annotations>>,
}

/// A picture, encoded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// The bytes, in base64 (standard alphabet, padded).
    pub data: String,
    /// Their media type, `image/png` for one.
    pub mime_type: String,
    /// For whom it is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Box<Annotations>>,
}

/// A sound, encoded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Audio {
    /// The bytes, in base64 (standard alphabet, padded).
    pub data: String,
    /// Their media type, `audio/wav` for one.
    pub mime_type: String,
    /// For whom it is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Box<Annotations>>,
}

/// A resource with its content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// What it holds.
    pub resource: ResourceBody,
    /// For whom it is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Box<Annotations>>,
}

/// The content of an embedded [`Resource`]: text or bytes, never both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum ResourceBody {
    /// Text.
    Text {
        /// Where the resource lives.
        uri: String,
        /// Its media type.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// The text.
        text: String,
    },
    /// Bytes.
    Blob {
        /// Where the resource lives.
        uri: String,
        /// Its media type.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// The bytes, in base64.
        blob: String,
    },
}

/// A resource that the reader may fetch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceLink {
    /// Where it lives.
    pub uri: String,
    /// Its name, for programs.
    pub name: String,
    /// Its name, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// For whom it is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Box<Annotations>>,
}

/// Hints to a reader of a block; they bind nobody.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// For whom the block is meant; `None` says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Vec<Audience>>,
    /// How much it matters, from 0 (may be left out) to 1 (needed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When the thing that it shows was last changed, as an ISO 8601 time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// Who a block is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Block {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text { text: text.into(), annotations: None })
    }

    /// A picture from its encoded bytes (those of a PNG file, say) and their media type.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Image(Image { data: base64(bytes.as_ref()), mime_type: mime_type.into(), annotations: None })
    }

    /// A sound from its encoded bytes and their media type.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Audio(Audio { data: base64(bytes.as_ref()), mime_type: mime_type.into(), annotations: None })
    }

    /// A text resource with its content.
    pub fn text_resource(uri: impl Into<String>, text: impl Into<String>) -> Self {
        let resource = ResourceBody::Text { uri: uri.into(), mime_type: None, text: text.into() };
        Self::Resource(Box::new(Resource { resource, annotations: None }))
    }

    /// A link to a resource.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        let link = ResourceLink { uri: uri.into(), name: name.into(), ..ResourceLink::default() };
        Self::ResourceLink(Box::new(link))
    }

    /// The same block with these hints.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        let place = match &mut self {
            Self::Text(block) => &mut block.annotations,
            Self::Image(block) => &mut block.annotations,
            Self::Audio(block) => &mut block.annotations,
            Self::Resource(block) => &mut block.annotations,
            Self::ResourceLink(block) => &mut block.annotations,
        };
        *place = Some(Box::new(annotations));
        self
    }

    /// The block's `type` on the wire: `text`, `image`, `audio`, `resource` or `resource_link`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Image(_) => "image",
            Self::Audio(_) => "audio",
            Self::Resource(_) => "resource",
            Self::ResourceLink(_) => "resource_link",
        }
    }

    /// How many bytes of payload it carries: text, or base64 data as it stands on the wire.
    pub(crate) fn payload_bytes(&self) -> usize {
        match self {
            Self::Text(block) => block.text.len(),
            Self::Image(block) => block.data.len(),
            Self::Audio(block) => block.data.len(),
            Self::Resource(block) => match &block.resource {
                ResourceBody::Text { uri, text, .. } => uri.len() + text.len(),
                ResourceBody::Blob { uri, blob, .. } => uri.len() + blob.len(),
            },
            Self::ResourceLink(block) => {
                block.uri.len() + block.name.len() + block.description.as_deref().map_or(0, str::len)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_the_protocol_s_wire_form() {
        let blocks = [
            Block::text("hi").annotated(Annotations {
                audience: Some(vec![Audience::User]),
                priority: Some(0.5),
                last_modified: None,
            }),
            Block::image([1, 2, 3], "image/png"),
            Block::audio([255], "audio/wav"),
            Block::text_resource("file:///a", "A"),
            Block::resource_link("file:///b", "b"),
        ];
        let wire: Vec<String> = blocks.iter().map(|block| serde_json::to_string(block).unwrap()).collect();
        assert_eq!(
            wire,
            [
                r#"{"type":"text","text":"hi","annotations":{"audience":["user"],"priority":0.5}}"#,
                r#"{"type":"image","data":"AQID","mimeType":"image/png"}"#,
                r#"{"type":"audio","data":"/w==","mimeType":"audio/wav"}"#,
                r#"{"type":"resource","resource":{"uri":"file:///a","text":"A"}}"#,
                r#"{"type":"resource_link","uri":"file:///b","name":"b"}"#,
            ]
        );
        for (block, wire) in blocks.iter().zip(&wire) {
            assert_eq!(&serde_json::from_str::<Block>(wire).unwrap(), block);
        }
    }
}
