//! Numbers and texts at the edges of what a schema allows, and between them.

use serde_json::{Map, Value, json};

use crate::choices::Choices;

type Node = Map<String, Value>;

/// What texts without a pattern are made of: characters of every length, and those that JSON escapes.
const LETTERS: [char; 12] = ['a', 'b', '0', ' ', '"', '\\', '\n', '/', 'é', '😀', '\u{301}', '\0'];

pub(super) fn integer(nodes: &[&Node], choices: &mut Choices) -> Value {
    let (least, greatest) = whole_bounds(nodes);
    let span = greatest.abs_diff(least).saturating_add(1);
    let drawn = match choices.below(8) {
        0 => 0_i128.clamp(least, greatest),
        1 => least,
        2 => greatest,
        3 => least + 1,
        4 => greatest - 1,
        5 => least.saturating_add(i128::from(choices.next() % 8)),
        6 => i128::from(choices.next() % 300).clamp(least, greatest),
        _ => least + i128::try_from(u128::from(choices.wide()) % span).unwrap_or(0),
    };
    let step = nodes.iter().filter_map(|node| node.get("multipleOf")?.as_i64()).map(i128::from).next().unwrap_or(1);
    let drawn = (drawn / step * step).clamp(least, greatest);
    let not_zero = nodes.iter().any(|node| node.get("not").is_some_and(|not| not == &json!({"const": 0})));
    let drawn = if not_zero && drawn == 0 { 1 } else { drawn };
    let value = i64::try_from(drawn).map_or_else(|_| json!(u64::try_from(drawn).unwrap_or(0)), |n| json!(n));
    #[expect(clippy::cast_precision_loss, reason = "only where no digit is lost")]
    match value.as_i64() {
        // A whole float is an integer to a schema.
        Some(whole) if whole.unsigned_abs() < 1 << 53 && choices.once_in(6) => json!(whole as f64),
        _ => value,
    }
}

pub(super) fn number(nodes: &[&Node], choices: &mut Choices) -> Value {
    let (least, greatest) = bounds(nodes);
    let inside = |float: f64| float.clamp(least.max(f64::MIN), greatest.min(f64::MAX));
    match choices.below(8) {
        0 => json!(inside(0.0)),
        1 => json!(inside(f64::MIN)),
        2 => json!(inside(f64::MAX)),
        3 => json!(inside(f64::from(choices.next()) / 1000.0)),
        4 => json!(inside(-f64::from(choices.next()) * 1e-9)),
        5 if inside(-0.0) == 0.0 => json!(-0.0),
        // An integer is a number.
        6 if inside(1.0).to_bits() == 1.0_f64.to_bits() => json!(1),
        _ => {
            let float = f64::from_bits(choices.wide());
            json!(inside(if float.is_finite() { float } else { 0.5 }))
        }
    }
}

fn bounds(nodes: &[&Node]) -> (f64, f64) {
    let all = |keyword: &'static str| nodes.iter().filter_map(move |node| node.get(keyword)?.as_f64());
    let least = all("minimum").chain(all("exclusiveMinimum").map(f64::next_up));
    let greatest = all("maximum").chain(all("exclusiveMaximum").map(f64::next_down));
    (least.fold(f64::NEG_INFINITY, f64::max), greatest.fold(f64::INFINITY, f64::min))
}

/// Within what JSON holds: from the least of `i64` to the greatest of `u64`.
fn whole_bounds(nodes: &[&Node]) -> (i128, i128) {
    let all = |keyword: &'static str| nodes.iter().filter_map(move |node| whole(node.get(keyword)?));
    let least = all("minimum").chain(all("exclusiveMinimum").map(|bound| bound + 1));
    let greatest = all("maximum").chain(all("exclusiveMaximum").map(|bound| bound - 1));
    let least = least.fold(i64::MIN.into(), i128::max);
    (least, greatest.fold(u64::MAX.into(), i128::min).max(least))
}

fn whole(bound: &Value) -> Option<i128> {
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let float = || bound.as_f64().map(|float| float as i128);
    bound.as_i64().map(i128::from).or_else(|| bound.as_u64().map(i128::from)).or_else(float)
}

pub(super) fn text(nodes: &[&Node], choices: &mut Choices) -> String {
    let keyword = |name: &str| nodes.iter().find_map(|node| node.get(name)?.as_str());
    if let Some(format) = keyword("format") {
        let known = of_format(format);
        if !known.is_empty() {
            return (*choices.one_of(known)).to_owned();
        }
    }
    if let Some(pattern) = keyword("pattern") {
        return choices.matching(pattern);
    }
    let length = |name: &'static str| {
        nodes.iter().filter_map(move |node| node.get(name)?.as_u64()).map(|n| usize::try_from(n).unwrap_or(0))
    };
    let least = length("minLength").max().unwrap_or(0);
    let most = length("maxLength").min().unwrap_or(least + 6).max(least);
    let count = match choices.below(4) {
        0 => least,
        1 => most.min(least + 20),
        _ => least + choices.below(most.min(least + 6) - least + 1),
    };
    (0..count).map(|_| *choices.one_of(&LETTERS)).collect()
}

/// Texts of each format that is published, from plain ones to the edges of what its standard allows.
pub(crate) fn of_format(format: &str) -> &'static [&'static str] {
    match format {
        "date-time" => &[
            "2024-02-29T12:30:00Z",
            "1970-01-01T00:00:00+00:00",
            "9999-12-31T23:59:59.999999999Z",
            "0000-01-01T00:00:00Z",
            "2024-01-01T00:00:00.123-23:59",
            "1998-12-31T23:59:60Z",
            "2024-01-01t00:00:00z",
            "2024-01-01T00:00:00.1234567890123Z",
        ],
        "date" => &["2024-02-29", "1970-01-01", "9999-12-31", "0000-01-01"],
        "time" => &["12:30:00Z", "00:00:00+00:00", "23:59:59.999-23:59"],
        "duration" => &["P1D", "PT1H30M", "P1Y2M3DT4H5M6S", "P2W"],
        "email" => &["a@b.org", "first.last+tag@example.com"],
        "hostname" => &["localhost", "a.example.org"],
        "ipv4" => &["127.0.0.1", "0.0.0.0", "255.255.255.255"],
        "ipv6" => &["::1", "2001:db8::ff00:42:8329", "::ffff:192.0.2.128", "::"],
        "uri" => &[
            "https://example.org/",
            "https://example.org:8080/a/b?q=1#f",
            "mailto:a@example.org",
            "urn:isbn:0451450523",
            "file:///etc/hosts",
            "http://[::1]/",
            "a:",
            "https://",
            "http://example.org:99999/",
        ],
        "uuid" => &[
            "67e55044-10b1-426f-9247-bb680e5fe0c8",
            "00000000-0000-0000-0000-000000000000",
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        ],
        "regex" => &["^a+$", ""],
        "json-pointer" => &["", "/a/0"],
        _ => &[],
    }
}

/// Whether a pattern finds a name, as the oracle says.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    jsonschema::is_valid(&json!({"pattern": pattern}), &json!(name))
}
