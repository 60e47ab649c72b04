//! The capabilities of each dialect.
//!
//! The words behind a rule say how it is known: documented by the vendor, read in the source of the vendor's own library,
//! told by an error of the live API, or measured by others, which only ever narrows a rule.

use super::{
    Anything, Closing, Maps, Names, NoArguments, Null, Optional, Patterns, Published, Recursion, Request, Rules,
    Tuples, Vocabulary,
};

const NO_LIMIT: usize = usize::MAX;

const NO_LIMITS: Request = Request {
    tools: NO_LIMIT,
    properties: NO_LIMIT,
    optionals: NO_LIMIT,
    unions: NO_LIMIT,
    depth: NO_LIMIT,
    characters: NO_LIMIT,
    enum_values: NO_LIMIT,
};

const ANY_NAME: Names = Names { also: None, starts_with_letter: false, most: NO_LIMIT };

const SCALARS: &[&str] = &["string", "number", "boolean"];

/// Letters, digits, `_` and `-`, at most 64: `OpenAI`'s library says so, and `DeepSeek`'s documentation.
const OPENAI_NAMES: Names = Names { also: Some("-"), starts_with_letter: false, most: 64 };

/// `OpenAI`'s documentation of structured outputs: 5000 properties, 10 levels, 120 000 characters of names and values, 1000
/// values of enums. At most 128 tools, by an error of the API.
const OPENAI_REQUEST: Request =
    Request { tools: 128, properties: 5000, depth: 10, characters: 120_000, enum_values: 1000, ..NO_LIMITS };

/// Every keyword; what a provider without strict mode reads as a hint.
const HINTS: Rules = Rules {
    takes_published: Some(Published { not_at_root: &[], draft_07: true, nowhere: &[] }),
    optional: Optional::LeftOutOrNull,
    null: Null::Type,
    closing: Closing::Said,
    maps: Maps::Keyword,
    any: Anything::Schema,
    tuples: Tuples::PrefixItems,
    recursion: Recursion::Allowed,
    empty_objects: true,
    enums: SCALARS,
    enum_values: NO_LIMIT,
    keywords: Vocabulary::All,
    formats: Vocabulary::All,
    patterns: Patterns::All,
    least_items: u64::MAX,
    says_default: true,
    property_names: ANY_NAME,
    tool_names: OPENAI_NAMES,
    folds_case: false,
    no_arguments: NoArguments::EmptyObject,
    description: NO_LIMIT,
    request: NO_LIMITS,
};

/// Without strict mode the root is an object without `oneOf`, `anyOf`, `allOf`, `enum`, `const` and `not`, by an error of
/// the API. A description of at most 1024 characters, by an error of the API that may be gone; 128 tools.
pub(in super::super) const OPENAI_CHAT: Rules = Rules {
    takes_published: Some(Published { not_at_root: UNIONS_AND_VALUES, draft_07: false, nowhere: &["$schema"] }),
    description: 1024,
    request: Request { tools: 128, ..NO_LIMITS },
    ..HINTS
};

const UNIONS_AND_VALUES: &[&str] = &["oneOf", "anyOf", "allOf", "enum", "const", "not", "$ref"];

/// Responses refuses `oneOf` anywhere, even without strict mode, by an error of the API.
pub(in super::super) const OPENAI_RESPONSES: Rules = Rules {
    takes_published: Some(Published {
        not_at_root: UNIONS_AND_VALUES,
        draft_07: false,
        nowhere: &["$schema", "oneOf"],
    }),
    description: NO_LIMIT,
    ..OPENAI_CHAT
};

/// `OpenAI`'s documentation of structured outputs. `minLength` and `maxLength` are not in its list, and an older error of
/// the API refuses them. A `$ref` may have no siblings and `default` is in doubt, so both are avoided. No lookaround, as
/// others measured.
pub(in super::super) const OPENAI_CHAT_STRICT: Rules = Rules {
    takes_published: None,
    optional: Optional::Nullable,
    maps: Maps::Pairs,
    any: Anything::Text,
    tuples: Tuples::Object,
    enum_values: 1000,
    keywords: Vocabulary::Only(&[
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ]),
    formats: Vocabulary::Only(&["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
    patterns: Patterns::WithoutLookaround,
    says_default: false,
    request: OPENAI_REQUEST,
    ..OPENAI_CHAT
};

/// The same schemas as in Chat Completions.
pub(in super::super) const OPENAI_RESPONSES_STRICT: Rules = Rules { description: NO_LIMIT, ..OPENAI_CHAT_STRICT };

/// JSON Schema 2020-12 with an object at the root and no `oneOf`, `allOf` or `anyOf` there, by errors of the API; keys of
/// properties by the pattern that another error quotes. Names of 128 characters; older texts say 64.
pub(in super::super) const ANTHROPIC: Rules = Rules {
    takes_published: Some(Published {
        not_at_root: &["oneOf", "allOf", "anyOf", "$ref"],
        draft_07: false,
        nowhere: &[],
    }),
    property_names: Names { also: Some(".-"), starts_with_letter: false, most: 64 },
    ..HINTS
};

/// Anthropic's documentation of strict tools: its types, formats and budgets, `minItems` of 0 or 1 only, simple patterns,
/// no recursion, and no promise about the letter case of enum values.
pub(in super::super) const ANTHROPIC_STRICT: Rules = Rules {
    takes_published: None,
    optional: Optional::LeftOut,
    null: Null::Branch, // a list of types is taken, but Anthropic's Python library fails on it
    maps: Maps::Pairs,
    any: Anything::Text,
    tuples: Tuples::Object,
    recursion: Recursion::Refused,
    keywords: Vocabulary::Only(&["pattern", "format", "minItems"]),
    formats: Vocabulary::Only(&[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    ]),
    patterns: Patterns::Simple,
    least_items: 1,
    folds_case: true,
    request: Request { tools: 20, optionals: 24, unions: 16, ..NO_LIMITS },
    ..ANTHROPIC
};

/// Letters, digits and `_`, by the source of Google's library.
const GEMINI_PROPERTIES: Names = Names { also: Some(""), starts_with_letter: true, most: 64 };

/// `_`, letters, digits, `.`, `:` and `-`; the documentation advises against all but the first three. Older texts say 64.
const GEMINI_NAMES: Names = Names { also: Some("-"), starts_with_letter: true, most: 64 };

/// The keywords that the source of Google's library lists for `parametersJsonSchema`. `const` and the exclusive bounds are
/// not among them, and `enum` holds strings and numbers. References may be cyclic inside properties that are not required.
/// At most 512 declarations, by an error of the API.
pub(in super::super) const GEMINI: Rules = Rules {
    takes_published: None,
    recursion: Recursion::ThroughOptional,
    empty_objects: false,
    enums: &["string", "number"],
    enum_values: 250,
    keywords: Vocabulary::Only(&["format", "minItems", "maxItems", "minimum", "maximum"]),
    formats: Vocabulary::Only(&["date-time"]),
    says_default: false,
    property_names: GEMINI_PROPERTIES,
    tool_names: GEMINI_NAMES,
    no_arguments: NoArguments::LeftOut,
    request: Request { tools: 512, ..NO_LIMITS },
    ..HINTS
};

/// The fields of `Schema`, the subset of `OpenAPI` 3.0 that the source of Google's library defines; any other word fails the
/// whole request, as do objects without properties, enums of anything but strings, and lists of types.
pub(in super::super) const GEMINI_OPENAPI: Rules = Rules {
    null: Null::Keyword,
    closing: Closing::Implied,
    maps: Maps::Pairs,
    any: Anything::Text,
    tuples: Tuples::Object,
    recursion: Recursion::Refused,
    enums: &["string"],
    keywords: Vocabulary::Only(&[
        "format",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
        "maximum",
    ]),
    patterns: Patterns::WithoutLookaround,
    says_default: true,
    ..GEMINI
};

/// Like `OpenAI` without strict mode.
pub(in super::super) const DEEPSEEK: Rules = Rules { description: NO_LIMIT, ..OPENAI_CHAT };

/// `DeepSeek`'s documentation of strict mode: its formats, no lengths, no numbers of items. Empty objects below the root are
/// refused, as others measured.
pub(in super::super) const DEEPSEEK_STRICT: Rules = Rules {
    empty_objects: false,
    keywords: Vocabulary::Only(&[
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
    ]),
    formats: Vocabulary::Only(&["email", "hostname", "ipv4", "ipv6", "uuid"]),
    description: NO_LIMIT,
    request: Request { tools: 128, ..NO_LIMITS },
    ..OPENAI_CHAT_STRICT
};

/// xAI's documentation lists strings without lengths, numbers, objects, arrays without numbers of items, booleans, enums and
/// `anyOf`; at most 200 tools. What it does not list is not sent.
pub(in super::super) const XAI: Rules = Rules {
    optional: Optional::LeftOutOrNull,
    empty_objects: true,
    recursion: Recursion::Refused,
    keywords: Vocabulary::Only(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    formats: Vocabulary::Only(&[]),
    request: Request { tools: 200, ..NO_LIMITS },
    ..DEEPSEEK_STRICT
};

/// Mistral publishes no subset, and some of the models that it serves never see `$defs`: what every provider takes.
pub(in super::super) const MISTRAL: Rules =
    Rules { keywords: Vocabulary::Only(&[]), request: Request { tools: 128, ..NO_LIMITS }, ..XAI };

/// The model of `parameters` in Ollama's own library: types, items, descriptions and enums; everything is inlined.
pub(in super::super) const OLLAMA: Rules = Rules { closing: Closing::Implied, request: NO_LIMITS, ..MISTRAL };

/// JSON Schema with an object at the root, at every revision of the protocol.
pub(in super::super) const MCP: Rules =
    Rules { tool_names: Names { also: Some("-."), starts_with_letter: false, most: 128 }, ..HINTS };
