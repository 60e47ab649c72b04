//! Types of other crates, which publish what they like.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};
use proptest::prelude::*;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

use crate::shape::{Shape, both, held};

fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![(any::<u64>(), 0..1_000_000_000_u32), Just((0, 0)), Just((u64::MAX, 999_999_999))]
        .prop_map(|(seconds, nanos)| Duration::new(seconds, nanos))
}

/// Times with four digits of a year, which is what the standard knows.
fn time() -> impl Strategy<Value = DateTime<Utc>> {
    (-62_167_219_200_i64..253_402_300_800, 0..1_000_000_000_u32)
        .prop_map(|(seconds, nanos)| DateTime::from_timestamp(seconds, nanos).expect("within four digits"))
}

fn delta() -> impl Strategy<Value = TimeDelta> {
    (-9_000_000_000_000_i64..9_000_000_000_000, 0..1_000_000_000_u32)
        .prop_map(|(seconds, nanos)| TimeDelta::new(seconds, nanos).expect("within its range"))
}

fn address() -> impl Strategy<Value = Url> {
    ("[a-z]{1,8}", "[a-z0-9]{0,5}", any::<Option<u16>>()).prop_map(|(host, path, port)| {
        let mut url = Url::parse(&format!("https://{host}.example/{path}?q=1#f")).expect("it is one");
        url.set_port(port).expect("it takes a port");
        url
    })
}

fn ip() -> impl Strategy<Value = IpAddr> {
    prop_oneof![
        any::<u32>().prop_map(|bits| IpAddr::V4(Ipv4Addr::from(bits))),
        any::<u128>().prop_map(|bits| IpAddr::V6(Ipv6Addr::from(bits))),
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::hash_map("[a-c]{0,2}", inner, 0..3)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

both! {
    fn times() -> Vec<Shape> {
        vec![
            held!("std Duration", Duration, duration())
                .read_as("with nanoseconds beyond a second carried over")
                .except("a second more than 64 bits hold; as an output, nanoseconds beyond a second too"),
            held!("std SystemTime", SystemTime, duration().prop_filter_map("in range", |since| {
                SystemTime::UNIX_EPOCH.checked_add(since)
            }))
            .read_as("with nanoseconds beyond a second carried over")
            .except("a time that the system does not know; as an output, nanoseconds beyond a second too"),
            held!("chrono DateTime<Utc>", DateTime<Utc>, time())
                .read_as("in UTC, with nine digits of a second at most")
                .on_output(|shape| shape.except("another spelling of the time than the one that is written")),
            held!("chrono NaiveDate", NaiveDate, time().prop_map(|time| time.date_naive())),
            held!("chrono NaiveTime", NaiveTime, time().prop_map(|time| time.time())).read_as("with nine digits of a second at most").except("text that is no time: its format `partial-time` is not one of JSON Schema, so none is published"),
            held!("chrono NaiveDateTime", NaiveDateTime, time().prop_map(|time| time.naive_utc())).read_as("with nine digits of a second at most").except("text that is no time: its format `partial-date-time` is not one of JSON Schema, so none is published"),
            held!("chrono Weekday", Weekday, prop_oneof![Just(Weekday::Mon), Just(Weekday::Sun)]),
            held!("chrono TimeDelta", TimeDelta, delta()).except("more milliseconds than 64 bits hold"),
        ]
    }

    pub(crate) fn shapes() -> Vec<Shape> {
        let mut shapes = times();
        let path = "[a-zé/. ]{0,12}".prop_map(PathBuf::from);
        shapes.extend([
            held!("Uuid", Uuid, any::<u128>().prop_map(Uuid::from_u128))
                .read_as("in small letters")
                .on_output(|shape| shape.except("capital letters, which are written small")),
            held!("Url", Url, address())
                .read_as("in the normal form of the URL standard")
                .except("a URI that is no URL, such as one without a host or with a port beyond 65535"),
            held!("PathBuf", PathBuf, path),
            held!("Ipv4Addr", Ipv4Addr, any::<u32>().prop_map(Ipv4Addr::from)),
            held!("Ipv6Addr", Ipv6Addr, any::<u128>().prop_map(Ipv6Addr::from))
                .read_as("in its shortest form")
                .on_output(|shape| shape.except("another form of the address than the shortest")),
            held!("IpAddr", IpAddr, ip())
                .read_as("in its shortest form")
                .on_output(|shape| shape.except("another form of the address than the shortest")),
            held!("SocketAddr", SocketAddr, (ip(), any::<u16>()).prop_map(SocketAddr::from))
                .read_as("in its shortest form")
                .except("text that is no address: there is no format for one, so none is published"),
            shape("serde_json::Value", any_json()),
            held!("serde_json::Map", serde_json::Map<String, Value>, any::<u8>().prop_map(|n| {
                json!({"n": n}).as_object().cloned().unwrap_or_default()
            })),
        ]);
        shapes
    }
}
