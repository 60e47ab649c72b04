//! What the model is told of a result, in the parts that a provider takes.

use std::borrow::Cow;

use crate::content::{Block, Resource, ResourceBody, ResourceLink};
use crate::result::{Failure, ToolResult};

/// For content that has nothing to read.
pub(super) const NOTHING: &str = "(no output)";

const PDF: &str = "application/pdf";

/// What a provider takes of a result, beside text.
pub(super) struct Takes {
    /// The types of images.
    pub(super) images: &'static [&'static str],
    pub(super) pdf: bool,
    /// Whether it has a word for failures. Otherwise the text says so.
    pub(super) failures: bool,
}

/// A part of what is said.
#[derive(Clone)]
pub(super) enum Part<'a> {
    Text(Cow<'a, str>),
    Image(File<'a>),
    Pdf(File<'a>),
}

/// Bytes that a provider takes as they are.
#[derive(Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) mime: &'a str,
    /// In base64.
    pub(super) data: &'a str,
    uri: Option<&'a str>,
}

/// A result in parts, of which there is at least one.
pub(super) struct Said<'a> {
    parts: Vec<Part<'a>>,
    notice: Option<&'a str>,
}

impl<'a> Said<'a> {
    /// # Errors
    /// The failure, if it is fatal: of it nothing is said.
    pub(super) fn of(result: &'a ToolResult, takes: &Takes) -> Result<Self, &'a Failure> {
        let content = result.for_model()?;
        let parts = content.blocks().iter().map(|block| part(block, takes)).filter(|part| !part.is_blank()).collect();
        let mut said = Self { parts, notice: content.notice() };
        if let Some(failure) = result.failure().filter(|_| !takes.failures) {
            said.begin_with_the_error(failure);
        }
        if said.parts.is_empty() && said.notice.is_none() {
            said.parts.push(Part::Text(NOTHING.into()));
        }
        Ok(said)
    }

    /// Without a flag, nothing else tells a failure from a success.
    fn begin_with_the_error(&mut self, failure: &Failure) {
        match self.parts.first_mut() {
            Some(Part::Text(text)) if text.starts_with("Error [") || text.starts_with("Error: ") => {}
            Some(Part::Text(text)) => *text = format!("Error [{}]: {text}", failure.code()).into(),
            _ => self.parts.insert(0, Part::Text(format!("Error [{}]", failure.code()).into())),
        }
    }

    /// The parts in order, the notice as the last.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'a>> {
        let notice = self.notice.map(|notice| Part::Text(format!("[{notice}]").into()));
        self.parts.iter().cloned().chain(notice)
    }

    /// Images and documents.
    pub(super) fn files(&self) -> impl Iterator<Item = &File<'a>> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Image(file) | Part::Pdf(file) => Some(file),
        })
    }

    /// All as one text; a file is a line that says where it is.
    pub(super) fn text(&self, of_files: &str) -> String {
        let lines: Vec<Cow<'_, str>> = self
            .parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => Cow::Borrowed(&**text),
                Part::Image(file) => format!("[image content, {}: {of_files}]", file.mime).into(),
                Part::Pdf(file) => format!("[document, {}: {of_files}]", file.mime).into(),
            })
            .collect();
        let text = lines.join("\n");
        match self.notice {
            Some(notice) if text.is_empty() => format!("[{notice}]"),
            Some(notice) => format!("{text}\n\n[{notice}]"),
            None => text,
        }
    }
}

impl Part<'_> {
    fn is_blank(&self) -> bool {
        matches!(self, Part::Text(text) if text.trim().is_empty())
    }
}

impl File<'_> {
    /// As a URL that holds the bytes.
    pub(super) fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.mime, self.data)
    }

    /// The last segment of its address.
    pub(super) fn name(&self) -> &str {
        let name = self.uri.and_then(|uri| uri.rsplit('/').next()).filter(|name| !name.is_empty());
        name.unwrap_or("document.pdf")
    }
}

fn part<'a>(block: &'a Block, takes: &Takes) -> Part<'a> {
    match block {
        Block::Text(text) => Part::Text(Cow::Borrowed(&text.text)),
        Block::Image(image) => file(&image.data, &image.mime_type, None, takes)
            .unwrap_or_else(|| named(block.kind(), &image.mime_type, &image.data)),
        Block::Audio(audio) => named(block.kind(), &audio.mime_type, &audio.data),
        Block::Resource(resource) => embedded(resource, takes),
        Block::ResourceLink(link) => linked(link),
    }
}

fn embedded<'a>(resource: &'a Resource, takes: &Takes) -> Part<'a> {
    match &resource.resource {
        ResourceBody::Text { uri, text, .. } => Part::Text(format!("[resource content, {uri}]\n{text}").into()),
        ResourceBody::Blob { uri, mime_type, blob } => {
            let mime = mime_type.as_deref().unwrap_or("application/octet-stream");
            file(blob, mime, Some(uri), takes).unwrap_or_else(|| named("resource", &format!("{uri}, {mime}"), blob))
        }
    }
}

/// Bytes, if the provider takes their type.
fn file<'a>(data: &'a str, mime: &'a str, uri: Option<&'a str>, takes: &Takes) -> Option<Part<'a>> {
    let file = File { mime, data, uri };
    if takes.images.contains(&mime) {
        Some(Part::Image(file))
    } else {
        (takes.pdf && mime == PDF).then_some(Part::Pdf(file))
    }
}

/// What the provider doesn't take, in words.
pub(super) fn named(kind: &str, what: &str, base64: &str) -> Part<'static> {
    let bytes = base64.trim_end_matches('=').len() * 3 / 4;
    Part::Text(format!("[{kind} content, {what}, {bytes} bytes: not shown]").into())
}

pub(super) fn linked(link: &ResourceLink) -> Part<'static> {
    let ResourceLink { uri, name, description, .. } = link;
    Part::Text(match description {
        Some(description) => format!("[link to {name}, {uri}: {description}]").into(),
        None => format!("[link to {name}, {uri}]").into(),
    })
}
