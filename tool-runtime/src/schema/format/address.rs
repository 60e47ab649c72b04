//! Host names and mail addresses.

/// A name of labels ([RFC 1123](https://www.rfc-editor.org/rfc/rfc1123#section-2.1)). Two hyphens in the third and fourth
/// place are left to `xn--` ([RFC 5891](https://www.rfc-editor.org/rfc/rfc5891#section-4.2.3.1)).
pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let reserved = bytes.get(2..4) == Some(b"--") && !label.starts_with("xn--");
    (1..=63).contains(&bytes.len())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
        && !reserved
}

/// An `addr-spec` ([RFC 5321](https://www.rfc-editor.org/rfc/rfc5321#section-4.1.2)).
pub(super) fn is_email(text: &str) -> bool {
    // A quoted local part may hold the sign, a domain never does.
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let local_holds = match local.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"').is_some_and(is_quoted),
        None => local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom)),
    };
    let domain_holds = match domain.strip_prefix('[').and_then(|literal| literal.strip_suffix(']')) {
        Some(literal) => match literal.get(..5) {
            Some(tag) if tag.eq_ignore_ascii_case("IPv6:") => literal[5..].parse::<std::net::Ipv6Addr>().is_ok(),
            _ => literal.parse::<std::net::Ipv4Addr>().is_ok(),
        },
        None => is_hostname(domain),
    };
    local.len() <= 64 && local_holds && domain_holds
}

fn is_atom(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

fn is_quoted(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let holds = match byte {
            b'\\' => bytes.next().is_some_and(|next| matches!(next, b' '..=b'~' | b'\t')),
            b'"' => false,
            other => matches!(other, b' '..=b'~' | b'\t'),
        };
        if !holds {
            return false;
        }
    }
    true
}
