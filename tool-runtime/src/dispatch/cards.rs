//! The cards of a dispatcher's tools.

use super::Dispatcher;
use crate::registry::{Cards, Reading};

impl Dispatcher {
    /// What draws the cards of the tools that are visible now, from arguments as this dispatcher reads them: within its
    /// limits, with its repairs, in its dialect or in the tools' own form.
    pub fn cards(&self) -> Cards {
        let parts = &self.0;
        let reading =
            Reading { limits: parts.limits.arguments, repairs: parts.repairs, dialect: parts.dialect.clone() };
        self.registry().cards_with(reading)
    }
}
