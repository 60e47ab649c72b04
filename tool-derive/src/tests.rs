//! Whole expansions, at the level of tokens.
