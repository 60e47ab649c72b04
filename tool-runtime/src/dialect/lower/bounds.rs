//! What narrows a type: said as it is where the dialect can, and in the description where it can't.

use serde_json::{Map, Value};

use super::words::{Words, shown};
use super::{Kept, Lowering};
use crate::dialect::rules::{Patterns, Vocabulary};
use crate::dialect::shape::{Limit, Shape};

/// Whole numbers up to here are told; what lies beyond is the width of a machine word and no news to a model.
const TOLD: f64 = 9_007_199_254_740_992.0;

/// The greatest number of repetitions in a pattern that counts as simple.
const FEW: u32 = 100;

impl Lowering<'_> {
    /// Says the limits of a place of one kind, each as a keyword or in the description.
    pub(super) fn limits(&mut self, shape: &Shape, kind: &str, wire: &mut Map<String, Value>, words: &mut Words) {
        let mut lost: Vec<&Limit> = Vec::new();
        for limit in shape.limits.iter().filter(|limit| concerns(&limit.keyword, kind)) {
            if self.says(limit) && !wire.contains_key(&limit.keyword) {
                wire.insert(limit.keyword.clone(), limit.value.clone());
            } else if wire.get(&limit.keyword) != Some(&limit.value) {
                lost.push(limit);
            }
        }
        for limit in &lost {
            let is_told = is_told(limit);
            let sent = if is_told { "a sentence" } else { "nothing" };
            let kept = match limit.keyword.as_str() {
                keyword if keyword.starts_with("x-") => Kept::Nowhere,
                _ if is_told => Kept::InDescription,
                _ => Kept::OnlyChecked,
            };
            self.lose(&limit.at, format!("`{}: {}`", limit.keyword, shown(&limit.value)), sent, kept);
        }
        lost.retain(|limit| is_told(limit));
        tell(&lost, words);
    }

    fn says(&self, limit: &Limit) -> bool {
        let rules = self.rules;
        if !rules.keywords.holds(&limit.keyword) {
            return false;
        }
        match (limit.keyword.as_str(), &limit.value) {
            ("format", Value::String(format)) => rules.formats.holds(format),
            ("pattern", Value::String(pattern)) => suits(pattern, rules.patterns),
            // A decoder that compiles schemas to grammars fails at the edges of wide types, and Gemini reads bounds as doubles.
            ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", _) => {
                rules.keywords == Vocabulary::All || is_told(limit)
            }
            ("minItems", value) => value.as_u64().is_some_and(|least| least <= rules.least_items),
            // A word of draft-07, which the lowered schema is not.
            ("dependencies", _) => false,
            // Schemas inside refer to a document that is not sent.
            (_, value) => rules.keywords != Vocabulary::All || !holds_reference(value),
        }
    }
}

fn concerns(keyword: &str, kind: &str) -> bool {
    let kinds: &[&str] = match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => &["integer", "number", "any"],
        "pattern" | "minLength" | "maxLength" | "contentEncoding" | "contentMediaType" | "contentSchema" => {
            &["string", "any"]
        }
        "format" => &["string", "integer", "number", "any"],
        "minItems" | "maxItems" | "uniqueItems" | "contains" | "minContains" | "maxContains" | "unevaluatedItems" => {
            &["array", "any"]
        }
        "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "patternProperties"
        | "unevaluatedProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies" => &["object", "any"],
        "x-tuple" => &[],
        _ => return true,
    };
    kinds.contains(&kind)
}

fn holds_reference(value: &Value) -> bool {
    match value {
        Value::Object(entries) => entries.contains_key("$ref") || entries.values().any(holds_reference),
        Value::Array(items) => items.iter().any(holds_reference),
        _ => false,
    }
}

/// Whether a grammar of this kind reads a pattern.
fn suits(pattern: &str, patterns: Patterns) -> bool {
    let looks_around = ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|mark| pattern.contains(mark));
    match patterns {
        Patterns::All => true,
        Patterns::WithoutLookaround => !looks_around,
        Patterns::Simple => {
            let refers = |digit: char| pattern.contains(&format!("\\{digit}"));
            let is_bounded = [r"\b", r"\B"].iter().any(|mark| pattern.contains(mark));
            !looks_around && !is_bounded && !('1'..='9').any(refers) && repetitions(pattern) <= FEW
        }
    }
}

/// The greatest number in braces.
fn repetitions(pattern: &str) -> u32 {
    let inside = pattern.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(inside, _)| inside);
    inside.flat_map(|inside| inside.split(',')).filter_map(|number| number.parse().ok()).max().unwrap_or(0)
}

fn is_told(limit: &Limit) -> bool {
    match limit.keyword.as_str() {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            limit.value.as_f64().is_some_and(|bound| bound.abs() < TOLD)
        }
        keyword => !keyword.starts_with("x-"),
    }
}

/// A number of things; of one, in the singular.
fn counted(count: &Value, unit: &str) -> String {
    let one = if unit == "entries" { "entry" } else { unit.trim_end_matches('s') };
    match unit {
        "" => count.to_string(),
        _ if count == 1 => format!("1 {one}"),
        _ => format!("{count} {unit}"),
    }
}

/// One sentence for what belongs together.
fn tell(lost: &[&Limit], words: &mut Words) {
    let value = |keyword: &str| lost.iter().find(|limit| limit.keyword == keyword).map(|limit| &limit.value);
    let mut both = |least: &str, most: &str, unit: &str| match (value(least), value(most)) {
        (Some(least), Some(most)) if least == most => words.add(&format!("Exactly {}.", counted(most, unit))),
        (Some(least), Some(most)) => words.add(&format!("Between {least} and {}.", counted(most, unit))),
        (Some(least), None) => words.add(&format!("At least {}.", counted(least, unit))),
        (None, Some(most)) => words.add(&format!("At most {}.", counted(most, unit))),
        (None, None) => {}
    };
    both("minimum", "maximum", "");
    both("minLength", "maxLength", "characters");
    both("minItems", "maxItems", "items");
    both("minProperties", "maxProperties", "entries");
    for limit in lost {
        let told = shown(&limit.value);
        match limit.keyword.as_str() {
            "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" => {}
            "exclusiveMinimum" => words.add(&format!("More than {told}.")),
            "exclusiveMaximum" => words.add(&format!("Less than {told}.")),
            "multipleOf" => words.add(&format!("A multiple of {told}.")),
            "uniqueItems" => words.add("No item twice."),
            "format" => words.add(&format!("Format: {}.", limit.value.as_str().unwrap_or(&told))),
            "pattern" => {
                let pattern = limit.value.as_str().unwrap_or(&told);
                words.add(&format!("Matches the regular expression `{pattern}`."));
            }
            "examples" => words.add(&format!("For example: {told}.")),
            "not" => words.add(&format!("Not: {told}.")),
            keyword => words.add(&format!("By JSON Schema, `{keyword}`: {told}.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_sent_to_grammars_that_read_them() {
        assert!(suits("^a+$", Patterns::Simple));
        assert!(suits(r"^\d{3}-\d{2}$", Patterns::Simple));
        for pattern in [r"\bword", r"(a)\1", "a{2,1000}", "a(?=b)"] {
            assert!(!suits(pattern, Patterns::Simple), "{pattern}");
        }
        assert!(suits(r"\bword", Patterns::WithoutLookaround));
        assert!(!suits("(?<!a)b", Patterns::WithoutLookaround));
    }
}
