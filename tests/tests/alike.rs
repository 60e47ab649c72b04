//! What looks like a mistake and is none: it compiles, works, and gives no warning.
#![deny(
    warnings,
    missing_docs,
    elided_lifetimes_in_paths,
    let_underscore_drop,
    single_use_lifetimes,
    unreachable_pub,
    unused_qualifications,
    clippy::pedantic
)]
// Most of these are compiled and never called.
#![allow(dead_code)]

mod alike {
    mod aliases;
    mod all_in_scope;
    mod cfg;
    mod enums;
    mod failures;
    mod generics;
    mod macro_rules;
    mod other_schemars;
    mod own_derives;
    mod raw_identifiers;
    mod shadowed_names;
}
