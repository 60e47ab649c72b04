//! Publish: the observers see what the caller is about to get.

use std::sync::Arc;

use crate::panics::contain;
use crate::result::ToolResult;
use crate::seam::Observer;

pub(super) fn publish(observers: &[Arc<dyn Observer>], result: &ToolResult) {
    for observer in observers {
        if let Err(panic) = contain(|| observer.on_result(result)) {
            let panic = match result.call().scrub() {
                Some(scrub) => scrub.text(&panic).into_owned(),
                None => panic,
            };
            let name = contain(|| observer.name().to_owned()).unwrap_or_default();
            tracing::warn!(observer = name, panic, "an observer panicked; the result is unchanged");
        }
    }
}
