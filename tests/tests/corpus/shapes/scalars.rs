//! Booleans, numbers, texts.

use std::num::{NonZeroI8, NonZeroI64, NonZeroU8, NonZeroU64};

use proptest::prelude::*;

use crate::shape::{Shape, both, held};

pub(crate) fn finite() -> impl Strategy<Value = f64> + Clone {
    any::<f64>().prop_filter("finite", |float| float.is_finite())
}

fn single() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("finite", |float| float.is_finite())
}

/// The edges of 64 bits, and what lies between.
pub(crate) fn unsigned() -> impl Strategy<Value = u64> + Clone {
    prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), Just(1 << 53), Just((1 << 53) + 1)]
}

fn signed() -> impl Strategy<Value = i64> {
    prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX), Just(-1)]
}

both! {
    pub(crate) fn shapes() -> Vec<Shape> {
        vec![
            shape("bool", any::<bool>()),
            shape("unit", Just(())),
            shape("u8", any::<u8>()),
            shape("i8", any::<i8>()),
            shape("u16", any::<u16>()),
            shape("i32", any::<i32>()),
            shape("u64, to its edges", unsigned()),
            shape("i64, to its edges", signed()),
            shape("usize", any::<usize>()),
            held!("NonZeroU8", NonZeroU8, any::<NonZeroU8>()),
            held!("NonZeroU64", NonZeroU64, any::<NonZeroU64>()),
            held!("NonZeroI8", NonZeroI8, any::<NonZeroI8>()),
            held!("NonZeroI64", NonZeroI64, any::<NonZeroI64>()),
            shape("f64", finite()),
            shape("f32", single())
                .read_as("rounded to the nearest of 32 bits")
                .on_output(|shape| shape.except("a number that 32 bits do not hold would not be the same again")),
            shape("char", any::<char>()),
            shape("String", any::<String>()),
            held!("Box<str>", Box<str>, any::<String>().prop_map(String::into_boxed_str)),
        ]
    }
}
