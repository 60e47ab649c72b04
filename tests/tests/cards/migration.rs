//! Meta whose type has changed since the log was written.

use serde_json::{Value, json};
use tool_runtime::prelude::*;
use tool_runtime::present::{Durable, DurableResult, GenericResult, Older, ResultView};

/// Count the words of a text.
#[derive(Tool)]
#[tool(output = u64, name = "count", render = display, present)]
struct Count {
    text: String,
}

/// Version 3. In version 1 it was a number, in version 2 it had no unit.
#[tool_output]
struct Counted {
    count: u64,
    unit: String,
}

#[tool_output]
struct Counted2 {
    count: u64,
}

impl From<Counted2> for Counted {
    fn from(older: Counted2) -> Self {
        Self { count: older.count, unit: "words".into() }
    }
}

impl Execute for Count {
    async fn execute(&self, _: &Context) -> Result<u64, ToolError> {
        Ok(self.text.split_whitespace().count() as u64)
    }
}

impl Present for Count {
    type Meta = Counted;
    const VERSION: u32 = 3;

    fn meta(&self, count: &u64) -> Counted {
        Counted { count: *count, unit: "words".into() }
    }

    fn result_view(&self, result: &Durable<'_, Counted>) -> Option<ResultView> {
        let meta = result.meta()?;
        Some(GenericResult::new().with_title(format!("{} {}", meta.count, meta.unit)).into())
    }

    fn migrate(older: Older<'_>) -> Option<Counted> {
        let second = match older.version() {
            1 => Counted2 { count: older.read()? },
            2 => older.read()?,
            _ => return None,
        };
        Some(second.into())
    }
}

fn title(meta: &Value, version: u32) -> Option<String> {
    let content = Content::text("7");
    let kept = DurableResult::success(&content).with_meta(meta, version);
    let view = tests::dispatcher_of::<Count>().cards().result("count", r#"{"text": "x"}"#, &kept);
    view.title().map(str::to_owned)
}

#[tokio::test]
async fn a_result_tells_the_version_of_its_meta() {
    let result = tests::call::<Count>(r#"{"text": "to be or not"}"#).await;
    assert_eq!((result.meta_version(), result.meta().unwrap()["count"].as_u64()), (3, Some(4)));
    assert_eq!(tests::call::<Count>("{}").await.meta_version(), 1, "there is no meta");
}

#[test]
fn meta_of_each_version_has_its_card() {
    assert_eq!(title(&json!({"count": 7, "unit": "lines"}), 3).as_deref(), Some("7 lines"));
    assert_eq!(title(&json!({"count": 7}), 2).as_deref(), Some("7 words"));
    assert_eq!(title(&json!(7), 1).as_deref(), Some("7 words"));
}

#[test]
fn meta_of_a_version_that_is_not_known_or_not_its_own_has_the_generic_card() {
    for (meta, version) in [
        (json!(7), 0),
        (json!({"count": 7, "unit": "lines"}), 4),
        (json!({"count": 7, "unit": "lines"}), u32::MAX),
        (json!({"count": "seven"}), 2),
        (json!({"count": 7}), 1),
        (json!(7), 3),
    ] {
        assert_eq!(title(&meta, version), None, "{meta} as version {version}");
    }
}
