//! The shapes, by what they are made of.

pub(crate) mod constrained;
pub(crate) mod containers;
pub(crate) mod enums;
pub(crate) mod fields;
pub(crate) mod foreign;
pub(crate) mod maps;
pub(crate) mod one_sided;
pub(crate) mod recursion;
pub(crate) mod refused;
pub(crate) mod roots;
pub(crate) mod scalars;
