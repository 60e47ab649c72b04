//! Which half of a result a client gets.

/// Which of a result's two forms a client gets: the content that [`render`](crate::Render) made, the value, or both.
///
/// The protocol has a place for each, and leaves to the host which of the two its model reads. Hosts differ: some show the
/// structured value alone and drop the content, others the content alone. So this is a decision of who serves, and no detail.
///
/// | | `content` | `structuredContent` | `outputSchema` |
/// | --- | --- | --- | --- |
/// | [`Both`](Self::Both) | the rendering | the value | yes |
/// | [`ContentOnly`](Self::ContentOnly) | the rendering | none | none |
/// | [`StructuredOnly`](Self::StructuredOnly) | the value as JSON text | the value | yes |
///
/// A schema is published exactly if values are sent: a client that has one throws away a result without its value. Revisions
/// before 2025-06-18 have no structured content; those up to 2025-11-25 have it for objects alone, and get other values as
/// JSON in the first block of the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Exposure {
    /// Each form in its place. Either alone is enough to answer: what a host does not show is nothing that its model needs.
    #[default]
    Both,
    /// For hosts that show a model the value in place of the rendering, where the rendering is what it should read.
    ContentOnly,
    /// For programs, and for models that should read the same JSON in every host.
    StructuredOnly,
}

impl Exposure {
    pub(super) fn shows_value(self) -> bool {
        self != Self::ContentOnly
    }

    pub(super) fn shows_rendering(self) -> bool {
        self != Self::StructuredOnly
    }
}
