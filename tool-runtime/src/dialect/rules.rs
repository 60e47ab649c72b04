//! What a dialect can say: one record of capabilities for each, which the one lowering algorithm reads.
//!
//! The tables are in [`table`], with the source of every rule. They follow what the providers published in the autumn of
//! 2026; where two sources disagree, the narrower one is taken.

mod table;

pub(super) use table::{
    ANTHROPIC, ANTHROPIC_STRICT, DEEPSEEK, DEEPSEEK_STRICT, GEMINI, GEMINI_OPENAPI, MCP, MISTRAL, OLLAMA, OPENAI_CHAT,
    OPENAI_CHAT_STRICT, OPENAI_RESPONSES, OPENAI_RESPONSES_STRICT, XAI,
};

/// What a dialect can say.
#[derive(Debug)]
pub(super) struct Rules {
    /// Whether it takes a published schema as it is, where that has none of `refused` and no refused name.
    pub(super) takes_published: Option<Published>,
    pub(super) optional: Optional,
    pub(super) null: Null,
    pub(super) closing: Closing,
    pub(super) maps: Maps,
    pub(super) any: Anything,
    pub(super) tuples: Tuples,
    pub(super) recursion: Recursion,
    /// Whether an object below the root may have no properties.
    pub(super) empty_objects: bool,
    /// The types of values that an `enum` may hold.
    pub(super) enums: &'static [&'static str],
    /// How many values one `enum` may hold, and how many characters if it holds more than 250.
    pub(super) enum_values: usize,
    /// Keywords that narrow a type.
    pub(super) keywords: Vocabulary,
    pub(super) formats: Vocabulary,
    pub(super) patterns: Patterns,
    /// The greatest `minItems`.
    pub(super) least_items: u64,
    pub(super) says_default: bool,
    pub(super) property_names: Names,
    pub(super) tool_names: Names,
    /// Whether the letter case of enum values is not sure to come back.
    pub(super) folds_case: bool,
    pub(super) no_arguments: NoArguments,
    /// Most characters of a tool's description.
    pub(super) description: usize,
    /// Limits of a whole request.
    pub(super) request: Request,
}

/// What keeps a published schema from being sent as it is.
#[derive(Debug)]
pub(super) struct Published {
    /// Keywords that may not stand at the root.
    pub(super) not_at_root: &'static [&'static str],
    /// Whether schemas of draft-07 are read as such.
    pub(super) draft_07: bool,
    /// Keywords that may stand nowhere.
    pub(super) nowhere: &'static [&'static str],
}

/// How a property is said that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Optional {
    /// It is required, and may be null.
    Nullable,
    /// It is not required. Where null means the same as leaving it out, only that is said.
    LeftOut,
    /// It is not required, and null is said as it is.
    LeftOutOrNull,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Null {
    /// The type null, in a list of types where that is shorter.
    Type,
    /// The type null, as a branch of its own.
    Branch,
    /// `nullable: true`, and no type for null alone.
    Keyword,
}

/// How it is said that an object has no other properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// `additionalProperties: false`.
    Said,
    /// Not at all: the provider sends declared properties only.
    Implied,
}

/// How a tool without arguments is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoArguments {
    EmptyObject,
    /// Without a schema.
    LeftOut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maps {
    /// `additionalProperties` with a schema.
    Keyword,
    /// A list of objects with a key and a value.
    Pairs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anything {
    /// The empty schema.
    Schema,
    /// A text that holds JSON.
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tuples {
    PrefixItems,
    /// An object with the properties `_0`, `_1`, …
    Object,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recursion {
    Allowed,
    /// Only inside properties that are not required.
    ThroughOptional,
    Refused,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patterns {
    All,
    /// No lookaround.
    WithoutLookaround,
    /// No lookaround, no back reference, no word boundary, no large repetition.
    Simple,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    All,
    Only(&'static [&'static str]),
}

impl Vocabulary {
    pub(super) fn holds(self, word: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(words) => words.contains(&word),
        }
    }
}

/// What names may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Names {
    /// Characters beside letters, digits and `_`; `None` if every character may stand in a name.
    pub(super) also: Option<&'static str>,
    /// Whether the first character is a letter or `_`.
    pub(super) starts_with_letter: bool,
    /// Most characters.
    pub(super) most: usize,
}

/// Limits of a whole request; `usize::MAX` where none is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) tools: usize,
    /// Properties of all schemas.
    pub(super) properties: usize,
    /// Properties that are not required.
    pub(super) optionals: usize,
    /// Properties with an `anyOf` or a list of types.
    pub(super) unions: usize,
    /// Levels of objects and arrays in one schema.
    pub(super) depth: usize,
    /// Characters of names and enum values.
    pub(super) characters: usize,
    /// Enum values.
    pub(super) enum_values: usize,
}
