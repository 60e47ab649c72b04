//! What looks like a mistake and is none: it compiles, works, and gives no warning.
#![deny(warnings, missing_docs, unused_qualifications, clippy::pedantic)]
// Most of these are compiled and never called.
#![allow(dead_code)]

mod alike {
    mod aliases;
    mod cfg;
    mod enums;
    mod generics;
    mod macro_rules;
    mod own_derives;
    mod raw_identifiers;
    mod shadowed_names;
}
