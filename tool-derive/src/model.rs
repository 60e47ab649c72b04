//! The item as the rules and the expansions see it: borrowed from syn, with the attributes read.

use proc_macro2::Ident;
use syn::{Data, DeriveInput, Fields, Type};

use crate::serde_attrs::Attrs;

pub(crate) struct Container<'a> {
    pub(crate) original: &'a DeriveInput,
    pub(crate) ident: &'a Ident,
    pub(crate) attrs: Attrs,
    pub(crate) body: Body<'a>,
}

pub(crate) enum Body<'a> {
    Struct(Style, Vec<Field<'a>>),
    Enum(Vec<Variant<'a>>),
    Union,
}

pub(crate) struct Variant<'a> {
    pub(crate) original: &'a syn::Variant,
    pub(crate) attrs: Attrs,
    pub(crate) style: Style,
    pub(crate) fields: Vec<Field<'a>>,
}

pub(crate) struct Field<'a> {
    pub(crate) original: &'a syn::Field,
    pub(crate) ty: &'a Type,
    pub(crate) attrs: Attrs,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Unit,
    /// `{ a: A }`
    Named,
    /// `(A)`
    Newtype,
    /// `(A, B)` and `()`
    Tuple,
}

/// How serde tells the variants of an enum apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tagging {
    /// `{"Variant": ..}`
    External,
    /// `{"tag": "Variant", ..}`
    Internal,
    /// `{"tag": "Variant", "content": ..}`
    Adjacent,
    /// `..`
    Untagged,
}

impl<'a> Container<'a> {
    pub(crate) fn new(original: &'a DeriveInput) -> Self {
        let body = match &original.data {
            Data::Struct(data) => Body::Struct(style(&data.fields), fields(&data.fields)),
            Data::Enum(data) => Body::Enum(data.variants.iter().map(Variant::new).collect()),
            Data::Union(_) => Body::Union,
        };
        Self { original, ident: &original.ident, attrs: Attrs::read(&original.attrs), body }
    }

    pub(crate) fn variants(&self) -> &[Variant<'a>] {
        match &self.body {
            Body::Enum(variants) => variants,
            Body::Struct(..) | Body::Union => &[],
        }
    }

    /// Every field, each with the variant that it stands in.
    pub(crate) fn fields(&self) -> Vec<(&Field<'a>, Option<&Variant<'a>>)> {
        match &self.body {
            Body::Struct(_, fields) => fields.iter().map(|field| (field, None)).collect(),
            Body::Enum(variants) => variants
                .iter()
                .flat_map(|variant| variant.fields.iter().map(move |field| (field, Some(variant))))
                .collect(),
            Body::Union => Vec::new(),
        }
    }

    pub(crate) fn tagging(&self, variant: &Variant<'_>) -> Tagging {
        if self.attrs.serde("untagged").or_else(|| variant.attrs.serde("untagged")).is_some() {
            return Tagging::Untagged;
        }
        match (self.attrs.serde("tag"), self.attrs.serde("content")) {
            (None, _) => Tagging::External,
            (Some(_), None) => Tagging::Internal,
            (Some(_), Some(_)) => Tagging::Adjacent,
        }
    }

    /// Whether the value is read as another type and then converted, so that the fields play no part.
    pub(crate) fn is_converted(&self) -> bool {
        self.attrs.serde("from").or_else(|| self.attrs.serde("try_from")).is_some()
    }
}

impl<'a> Variant<'a> {
    fn new(original: &'a syn::Variant) -> Self {
        Self {
            original,
            attrs: Attrs::read(&original.attrs),
            style: style(&original.fields),
            fields: fields(&original.fields),
        }
    }
}

fn style(fields: &Fields) -> Style {
    match fields {
        Fields::Unit => Style::Unit,
        Fields::Named(_) => Style::Named,
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Style::Newtype,
        Fields::Unnamed(_) => Style::Tuple,
    }
}

fn fields(fields: &Fields) -> Vec<Field<'_>> {
    fields.iter().map(|original| Field { original, ty: &original.ty, attrs: Attrs::read(&original.attrs) }).collect()
}
