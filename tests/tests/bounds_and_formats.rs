//! What a schema says of numbers and texts is a promise: it is enforced before the body, with the range in the message.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use serde_json::{Value, json};
use tests::{code, echo, faults, input_schema, told};
use tool_runtime::prelude::*;

macro_rules! widths {
    ($($width:ident: $least:literal to $greatest:literal, not $below:literal or $above:literal;)*) => {
        /// An integer of each width, alone, in a list and in a map.
        #[derive(Tool, Serialize)]
        #[tool(output = String, render = display)]
        struct Widths {
            $(
                #[serde(skip_serializing_if = "Option::is_none")]
                $width: Option<$width>,
            )*
            #[serde(default)]
            nested: Nested,
        }

        #[tool_input]
        #[derive(Default, Serialize)]
        struct Nested {
            $(
                #[serde(default, skip_serializing_if = "Vec::is_empty")]
                $width: Vec<std::collections::BTreeMap<String, $width>>,
            )*
        }

        #[tokio::test]
        async fn an_integer_is_within_the_range_of_its_width_wherever_it_stands() {
            $(
                let name = stringify!($width);
                for fits in [$least, $greatest] {
                    let arguments = format!(r#"{{"{name}":{fits},"nested":{{"{name}":[{{"k":{fits}}}]}}}}"#);
                    assert_eq!(told::<Widths>(&arguments).await, arguments);
                }
                for (over, bound) in [($below, $least), ($above, $greatest)] {
                    out_of_range(&format!(r#"{{"{name}":{over}}}"#), &format!("/{name}"), bound).await;
                    let nested = format!(r#"{{"nested":{{"{name}":[{{"k":{over}}}]}}}}"#);
                    out_of_range(&nested, &format!("/nested/{name}/0/k"), bound).await;
                }
                let schema = input_schema::<Widths>();
                let property = &schema["properties"][name];
                let said = (property["minimum"].to_string(), property["maximum"].to_string());
                assert_eq!(said, ($least.to_owned(), $greatest.to_owned()), "{property}");
            )*
        }
    };
}

widths! {
    u8: "0" to "255", not "-1" or "256";
    i8: "-128" to "127", not "-129" or "128";
    u16: "0" to "65535", not "-1" or "65536";
    i16: "-32768" to "32767", not "-32769" or "32768";
    u32: "0" to "4294967295", not "-1" or "4294967296";
    i32: "-2147483648" to "2147483647", not "-2147483649" or "2147483648";
    u64: "0" to "18446744073709551615", not "-1" or "18446744073709551616";
    i64: "-9223372036854775808" to "9223372036854775807", not "-9223372036854775809" or "9223372036854775808";
    usize: "0" to "18446744073709551615", not "-1" or "18446744073709551616";
    isize: "-9223372036854775808" to "9223372036854775807", not "-9223372036854775809" or "9223372036854775808";
}

echo!(Widths);

/// Refused with its place and the bound; what no integer of 64 bits holds is refused while the text is read.
async fn out_of_range(arguments: &str, place: &str, bound: &str) {
    let found = faults::<Widths>(arguments).await;
    let [fault] = found.as_slice() else { panic!("{arguments}: {found:?}") };
    assert!(fault.contains(&format!("\"{place}\"")), "{arguments}: {fault}");
    assert!(fault.contains(bound) || fault.contains("64 bits"), "{arguments}: {fault}");
}

/// Invite people.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Invite {
    #[schemars(range(min = 1, max = 10))]
    n: u32,
    #[schemars(length(min = 1))]
    tags: Vec<String>,
    #[schemars(email)]
    to: String,
    at: chrono::DateTime<chrono::Utc>,
}

impl Execute<AtomicUsize> for Invite {
    async fn execute(&self, cx: &Context<AtomicUsize>) -> Result<String, ToolError> {
        cx.state().fetch_add(1, Ordering::SeqCst);
        Ok(self.at.to_rfc3339())
    }
}

#[tokio::test]
async fn one_answer_tells_every_broken_bound_and_format_and_the_body_is_not_reached() {
    let runs = Arc::new(AtomicUsize::new(0));
    let mut registry = Registry::new();
    registry.with_shared(Arc::clone(&runs)).tool::<Invite>().unwrap();
    let dispatcher = Dispatcher::new(registry);
    let call = |arguments: Value| dispatcher.call(ToolCall::new("call-1", "invite", arguments.to_string()));

    let bad = call(json!({"n": 11, "tags": [], "to": "nope", "at": "yesterday"})).await;
    assert_eq!(code(&bad), "INVALID_ARGS");
    let told = bad.content().to_text();
    for fault in [
        r#""/n" must be at most 10, got 11"#,
        r#""/tags" must have at least 1 item, has 0"#,
        r#""/to" must be in the format "email", got "nope""#,
        r#""/at" must be in the format "date-time", got "yesterday""#,
    ] {
        assert!(told.contains(fault), "{fault}: {told}");
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);

    let good = call(json!({"n": 10, "tags": ["t"], "to": "a@b.org", "at": "2026-03-01T10:00:00Z"})).await;
    assert_eq!(good.content().to_text(), "2026-03-01T10:00:00+00:00");
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

macro_rules! formats {
    ($($field:ident: $format:tt,)*) => {
        /// A text of each format of the 2020-12 vocabulary, and of words that are none.
        #[derive(Tool, Serialize)]
        #[tool(output = String, render = display)]
        struct Formats {
            $(
                #[schemars(extend("format" = $format))]
                $field: Option<String>,
            )*
        }

        const FORMATS: &[(&str, &str)] = &[$((stringify!($field), $format)),*];
    };
}

formats! {
    date: "date",
    date_time: "date-time",
    duration: "duration",
    email: "email",
    hostname: "hostname",
    idn_email: "idn-email",
    idn_hostname: "idn-hostname",
    ipv4: "ipv4",
    ipv6: "ipv6",
    iri: "iri",
    iri_reference: "iri-reference",
    json_pointer: "json-pointer",
    relative_json_pointer: "relative-json-pointer",
    time: "time",
    uri: "uri",
    uri_reference: "uri-reference",
    uri_template: "uri-template",
    uuid: "uuid",
    byte: "byte",
    binary: "binary",
    password: "password",
    int32: "int32",
    double: "double",
    phone: "phone",
}

echo!(Formats);

/// No format holds of it.
const OF_NO_FORMAT: &str = "\u{7} {<}% not @ of any : format [";

/// What stands in backticks after these words, up to the end of the sentence.
fn listed(words: &str) -> BTreeSet<String> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/arguments.md");
    let guide = fs::read_to_string(guide).unwrap().replace('\n', " ");
    let (_, rest) = guide.split_once(words).unwrap_or_else(|| panic!("the guide says {words:?}"));
    let (sentence, _) = rest.split_once(['.', ';']).unwrap();
    sentence.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[tokio::test]
async fn the_formats_that_are_enforced_and_published_are_those_of_the_guide() {
    let schema = input_schema::<Formats>();
    let (mut enforced, mut notes) = (BTreeSet::new(), BTreeSet::new());
    for (field, format) in FORMATS {
        let published = schema["properties"][field].get("format").is_some();
        let result = tests::call::<Formats>(&json!({*field: OF_NO_FORMAT}).to_string()).await;
        match (result.is_success(), published) {
            (false, true) => enforced.insert((*format).to_owned()),
            (true, true) => notes.insert((*format).to_owned()),
            (true, false) => false,
            (false, false) => panic!("{format} is enforced and not published"),
        };
    }
    assert_eq!(enforced, listed("These formats are enforced:"));
    assert_eq!(notes, listed("A derived schema publishes these too, as notes to readers:"));
}

/// In the newest draft a format is a note unless a validator says otherwise. For a foreign server's schema it stays one, and
/// bounds stay bounds, whatever the schema's first line says.
#[tokio::test]
async fn what_is_enforced_of_a_foreign_schema_does_not_hang_on_the_dialect_that_it_names() {
    let dialects = [
        json!(null),
        json!("https://json-schema.org/draft/2020-12/schema"),
        json!("http://json-schema.org/draft-07/schema#"),
    ];
    for dialect in dialects {
        let mut schema = json!({"type": "object", "properties": {
            "to": {"type": "string", "format": "email"}, "n": {"type": "integer", "maximum": 10},
            "tags": {"type": "array", "minItems": 1}, "id": {"type": "string", "pattern": "^[a-z]+$"},
        }});
        if dialect.is_string() {
            schema["$schema"] = dialect.clone();
        }
        let tool = DynamicTool::new("check", "Check.", |_, _| async { Ok(Value::Null) })
            .input_schema(schema)
            .output_schema(json!({}));
        let mut registry = Registry::new();
        registry.dynamic(tool).unwrap();
        let dispatcher = Dispatcher::new(registry);
        let call = |arguments: Value| dispatcher.call(ToolCall::new("call-1", "check", arguments.to_string()));
        assert_eq!(code(&call(json!({"to": "nope", "n": 10, "tags": [1], "id": "a"})).await), "OK", "{dialect}");
        for bad in [json!({"n": 11}), json!({"tags": []}), json!({"id": "A"})] {
            assert_eq!(code(&call(bad.clone()).await), "INVALID_ARGS", "{dialect}: {bad}");
        }
    }
}
