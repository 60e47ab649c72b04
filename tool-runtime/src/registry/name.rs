//! Tool names: what providers and programs accept.

/// Checks a name by the rule that the derive applies at compile time.
pub(super) fn check(name: &str) -> Result<(), String> {
    let well_formed = name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_' || char == '-');
    if !well_formed {
        return Err(format!(
            "{name:?} is no tool name; it is a letter or `_`, then letters, digits, `_` or `-`, 64 characters at most"
        ));
    }
    if is_reserved(name) {
        return Err(format!("`{name}` is reserved for programs that call tools; choose another name"));
    }
    Ok(())
}

/// Whether the name is one that the framework keeps for itself.
pub(super) fn is_reserved(name: &str) -> bool {
    name == "run_code"
}

/// Names as a sentence lists them: quoted, so many at most, and how many more there are.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let mut names = names.into_iter();
    let quoted: Vec<_> = names.by_ref().take(most).map(|name| format!("{name:?}")).collect();
    match names.count() {
        0 => quoted.join(", "),
        more => format!("{} and {more} more", quoted.join(", ")),
    }
}

/// The first name that stands in the list before, for `toolset!`.
pub const fn repeated_name(names: &'static [&'static str]) -> Option<&'static str> {
    let mut later = 1;
    while later < names.len() {
        let mut earlier = 0;
        while earlier < later {
            // What has no name is no tool, which is told elsewhere.
            if !names[later].is_empty() && equal(names[earlier].as_bytes(), names[later].as_bytes()) {
                return Some(names[later]);
            }
            earlier += 1;
        }
        later += 1;
    }
    None
}

const BEFORE_NAME: &[u8] = b"two tools of this set are named `";
const AFTER_NAME: &[u8] =
    b"`; give one of them another name with `#[tool(name = \"...\")]`, or register it apart with `tool_as`";

/// How long [`repeated_name_message`] is: a constant's text needs its length first.
pub const fn repeated_name_length(name: Option<&str>) -> usize {
    match name {
        None => 0,
        Some(name) => BEFORE_NAME.len() + name.len() + AFTER_NAME.len(),
    }
}

/// The sentence that `toolset!` refuses a repeated name with; a constant can't format one.
pub const fn repeated_name_message<const LENGTH: usize>(name: Option<&str>) -> [u8; LENGTH] {
    let mut message = [0; LENGTH];
    if let Some(name) = name {
        let end = copy(BEFORE_NAME, &mut message, 0);
        let end = copy(name.as_bytes(), &mut message, end);
        copy(AFTER_NAME, &mut message, end);
    }
    message
}

/// The sentence as text.
pub const fn repeated_name_text(message: &[u8]) -> &str {
    match core::str::from_utf8(message) {
        Ok(message) => message,
        Err(_) => "two tools of this set have the same name",
    }
}

const fn copy(from: &[u8], to: &mut [u8], start: usize) -> usize {
    let mut index = 0;
    while index < from.len() {
        to[start + index] = from[index];
        index += 1;
    }
    start + from.len()
}

const fn equal(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_every_provider_accepts() {
        for good in ["a", "_", "read", "Read-2", &"a".repeat(64)] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["", "2a", "-a", "a b", "é", "a/b", "run_code", &"a".repeat(65)] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_list_of_names_says_how_many_it_leaves_out() {
        assert_eq!(listed([], 2), "");
        assert_eq!(listed(["a", "b"], 2), r#""a", "b""#);
        assert_eq!(listed(["a", "b", "c", "d"], 2), r#""a", "b" and 2 more"#);
    }

    #[test]
    fn the_first_repeated_name_is_found_and_named() {
        const TWICE: Option<&str> = repeated_name(&["a", "b", "b", "a"]);
        assert_eq!(repeated_name(&[]), None);
        assert_eq!(repeated_name(&["a", "b", "ab"]), None);
        assert_eq!(TWICE, Some("b"));
        let message: [u8; repeated_name_length(TWICE)] = repeated_name_message(TWICE);
        assert!(message.starts_with(b"two tools of this set are named `b`; give"));
    }
}
