//! Formats of strings that are enforced.
//!
//! `hostname` takes an internationalised label in its ASCII form as it stands, without decoding it; `email` is an address
//! alone, without a name before it.

mod address;
mod time;
mod uri;

/// A format that is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Date,
    DateTime,
    Duration,
    Email,
    Hostname,
    Ipv4,
    Ipv6,
    Iri,
    IriReference,
    JsonPointer,
    RelativeJsonPointer,
    Time,
    Uri,
    UriReference,
    UriTemplate,
    Uuid,
}

/// Formats that have a rule which is not ours: the feature `foreign-schemas` brings it.
pub(super) const FOREIGN: &[&str] = &["regex"];

impl Format {
    /// The format of this name, unless it is a note to readers.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "date" => Self::Date,
            "date-time" => Self::DateTime,
            "duration" => Self::Duration,
            "email" => Self::Email,
            "hostname" => Self::Hostname,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "iri" => Self::Iri,
            "iri-reference" => Self::IriReference,
            "json-pointer" => Self::JsonPointer,
            "relative-json-pointer" => Self::RelativeJsonPointer,
            "time" => Self::Time,
            "uri" => Self::Uri,
            "uri-reference" => Self::UriReference,
            "uri-template" => Self::UriTemplate,
            "uuid" => Self::Uuid,
            _ => return None,
        })
    }

    pub(super) fn holds(self, text: &str) -> bool {
        match self {
            Self::Date => time::is_date(text),
            Self::DateTime => time::is_date_time(text),
            Self::Duration => time::is_duration(text),
            Self::Email => address::is_email(text),
            Self::Hostname => address::is_hostname(text),
            Self::Ipv4 => text.parse::<std::net::Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<std::net::Ipv6Addr>().is_ok(),
            Self::Iri => uri::is_uri(text, uri::Letters::All, true),
            Self::IriReference => uri::is_uri(text, uri::Letters::All, false),
            Self::JsonPointer => crate::json::Pointer::parse(text).is_some(),
            Self::RelativeJsonPointer => is_relative_pointer(text),
            Self::Time => time::is_time(text),
            Self::Uri => uri::is_uri(text, uri::Letters::Ascii, true),
            Self::UriReference => uri::is_uri(text, uri::Letters::Ascii, false),
            Self::UriTemplate => uri::is_template(text),
            Self::Uuid => is_uuid(text),
        }
    }
}

/// [RFC 9562](https://www.rfc-editor.org/rfc/rfc9562#section-4), any version.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A number of levels to go up, then a pointer or `#`.
fn is_relative_pointer(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let is_number = number == "0" || (!number.is_empty() && !number.starts_with('0'));
    is_number && (rest == "#" || crate::json::Pointer::parse(rest).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::engine::string_check;

    const NAMES: &[&str] = &[
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "iri",
        "iri-reference",
        "json-pointer",
        "relative-json-pointer",
        "time",
        "uri",
        "uri-reference",
        "uri-template",
        "uuid",
    ];

    #[rustfmt::skip]
    const TEXTS: &[&str] = &[
        "", " ", "a", "A.b", "-", "0", "1#", "01", "0/a", "12/~0~1", "/a/b", "/~2", "~", "#", "#a", "/", "//", "?q=1", "é", "/é",
        "2024-02-29", "2023-02-29", "2024-13-01", "2024-1-1", "0000-01-01", "1900-02-29", "2000-02-29",
        "12:00:00Z", "12:00:00.5z", "23:59:60Z", "22:59:60-01:00", "00:59:60+01:00", "12:00:60Z", "24:00:00Z", "12:00:00", "12:00:00+24:00",
        "12:00:00.Z", "12:00Z", "2024-02-29T12:00:00Z", "2024-02-29t12:00:00+01:30", "2024-02-29 12:00:00Z", "2024-02-30T12:00:00Z",
        "P1D", "PT1S", "P", "PT", "P1Y2M3DT4H5M6S", "P1W", "P1W1D", "P1YT", "P1Y1D", "PT1H1S", "P1M1Y", "P0.5D", "p1D", "PT1H1M", "P1DT1H",
        "a@b", "a@b.cd", "a.b@c.de", ".a@b.c", "a.@b.c", "a..b@c.d", "\"a b\"@c.d", "\"\"@c.d", "a b@c.d", "a@[127.0.0.1]", "a@[IPv6:::1]",
        "a@-b.c", "@b.c", "a@", "ä@b.c", "a+b@c.d", "\"a\\\"b\"@c.d",
        "example.com", "-a.b", "a-.b", "a..b", "a.", "ab--cd.e", "localhost", "a_b.c", "1.2.3.4", "256.1.1.1", "1.2.3", "01.2.3.4", "::1", "fe80::1",
        "::ffff:1.2.3.4", "1::2::3", ":::", "http://a.b/c?d#e", "http://a.b:80/", "http://a.b:x/", "http://u:p@h/%20", "http://h/%2", "http://h/ a",
        "mailto:a@b.c", "urn:isbn:1", "1http://a", "a:b", "http://[::1]/x", "http://[::1", "http://é.fr/", "http://a/{b}", "http://a/\\", "http://a?\u{e000}",
        "//a/b", "a/b:c", "a:b/c", ":a", "http://", "file:///etc", "x{a}", "{a,b*}", "{+a:3}", "{a", "a}", "{}", "{a:0}", "{a b}", "a%2z", "{?x,y}",
        "67e55044-10b1-426f-9247-bb680e5fe0c8", "67E55044-10b1-426f-9247-bb680e5fe0c8", "67e5504410b1426f9247bb680e5fe0c8", "67e55044-10b1-426f-9247-bb680e5fe0cg",
    ];

    #[test]
    fn hold_where_the_oracle_holds() {
        for name in NAMES {
            let (own, oracle) = (Format::named(name).unwrap(), string_check("format", name).unwrap());
            for text in TEXTS {
                assert_eq!(own.holds(text), oracle.is_valid(&(*text).into()), "{name} on {text:?}");
            }
        }
    }

    #[test]
    fn an_email_is_an_address_alone() {
        assert!(!Format::Email.holds("Ada <ada@example.com>"));
    }
}
