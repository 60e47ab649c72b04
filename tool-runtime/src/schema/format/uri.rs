//! URIs ([RFC 3986](https://www.rfc-editor.org/rfc/rfc3986)), IRIs ([RFC 3987](https://www.rfc-editor.org/rfc/rfc3987)) and
//! URI templates ([RFC 6570](https://www.rfc-editor.org/rfc/rfc6570)).

/// Which letters an identifier is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    Ascii,
    /// Those of all languages.
    All,
}

/// Whether the text is an identifier; `absolute` says that a scheme must be there.
pub(super) fn is_uri(text: &str, letters: Letters, absolute: bool) -> bool {
    let scheme = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme));
    let rest = match scheme {
        Some((_, rest)) => rest,
        None if absolute => return false,
        None => text,
    };
    let (rest, fragment) = rest.split_once('#').map_or((rest, ""), |(rest, fragment)| (rest, fragment));
    let (hierarchy, query) = rest.split_once('?').map_or((rest, ""), |(rest, query)| (rest, query));
    let path = match hierarchy.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !is_authority(authority, letters) {
                return false;
            }
            path
        }
        // `a:b` without a legal scheme would read as one.
        None if scheme.is_none() && hierarchy.split('/').next().is_some_and(|first| first.contains(':')) => {
            return false;
        }
        None => hierarchy,
    };
    let private = |character| letters == Letters::All && is_private(character);
    consists_of(path, letters, |character| matches!(character, ':' | '@' | '/'))
        && consists_of(query, letters, |character| matches!(character, ':' | '@' | '/' | '?') || private(character))
        && consists_of(fragment, letters, |character| matches!(character, ':' | '@' | '/' | '?'))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn is_authority(text: &str, letters: Letters) -> bool {
    let (user, host_and_port) = text.split_once('@').unwrap_or(("", text));
    let literal = host_and_port.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (host_holds, port) = if let Some((literal, port)) = literal {
        (is_ip_literal(literal), port)
    } else {
        let (host, port) = host_and_port.split_at(host_and_port.find(':').unwrap_or(host_and_port.len()));
        (consists_of(host, letters, |_| false), port)
    };
    let port_holds =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    consists_of(user, letters, |character| character == ':') && host_holds && port_holds
}

fn is_ip_literal(text: &str) -> bool {
    let future = text.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')).is_some_and(|(version, rest)| {
        let digits = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits && !rest.is_empty() && !rest.contains('%') && consists_of(rest, Letters::Ascii, |c| c == ':')
    });
    future || text.parse::<std::net::Ipv6Addr>().is_ok()
}

/// Whether the text is made of unreserved characters, sub-delimiters, percent-encodings and what else is allowed.
fn consists_of(text: &str, letters: Letters, also: impl Fn(char) -> bool) -> bool {
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let holds = match character {
            '%' => is_percent_encoding(&mut rest),
            _ if character.is_ascii() => {
                character.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(character) || also(character)
            }
            _ => (letters == Letters::All && is_letter(character)) || also(character),
        };
        if !holds {
            return false;
        }
    }
    true
}

fn is_percent_encoding(rest: &mut std::str::Chars<'_>) -> bool {
    [rest.next(), rest.next()].iter().all(|digit| digit.is_some_and(|digit| digit.is_ascii_hexdigit()))
}

/// `ucschar`.
fn is_letter(character: char) -> bool {
    match u32::from(character) {
        code @ 0..0x1_0000 => matches!(code, 0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF),
        code @ 0xE_0000..0xF_0000 => (0xE_1000..=0xE_FFFD).contains(&code),
        code => code < 0xF_0000 && code & 0xFFFF <= 0xFFFD,
    }
}

/// `iprivate`, which a query may hold.
fn is_private(character: char) -> bool {
    matches!(u32::from(character), 0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD)
}

/// Whether the text is a template of any level.
pub(super) fn is_template(text: &str) -> bool {
    let mut rest = text;
    while let Some((literal, expression)) = rest.split_once('{') {
        let Some((expression, after)) = expression.split_once('}') else { return false };
        if !is_literal(literal) || !is_expression(expression) {
            return false;
        }
        rest = after;
    }
    is_literal(rest)
}

fn is_literal(text: &str) -> bool {
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let holds = match character {
            '%' => is_percent_encoding(&mut rest),
            '\0'..=' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' | '\u{7f}' => false,
            _ => true,
        };
        if !holds {
            return false;
        }
    }
    true
}

fn is_expression(text: &str) -> bool {
    let variables = text.strip_prefix(|first| "+#./;?&=,!@|".contains(first)).unwrap_or(text);
    variables.split(',').all(|variable| {
        let name = match variable.split_once(':') {
            Some((name, length)) => {
                let digits = (1..=4).contains(&length.len()) && length.bytes().all(|byte| byte.is_ascii_digit());
                if !digits || length.starts_with('0') {
                    return false;
                }
                name
            }
            None => variable.strip_suffix('*').unwrap_or(variable),
        };
        name.split('.').all(|part| {
            let mut rest = part.chars();
            let mut holds = !part.is_empty();
            while let Some(character) = rest.next() {
                holds &= character.is_ascii_alphanumeric()
                    || character == '_'
                    || (character == '%' && is_percent_encoding(&mut rest));
            }
            holds
        })
    })
}
