//! The sentence of a failure: a format string whose arguments are the fields.

use std::collections::BTreeSet;

/// A sentence that was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The format string, with `{_0}` for `{0}`: arguments that are numbered must be given all or none.
    pub(crate) format: String,
    /// The fields that it names: `path`, `0`.
    pub(crate) fields: BTreeSet<String>,
}

/// What is wrong with a format string: the mistake, and how to mend it.
pub(crate) type Mistake = (String, String);

/// Reads a format string.
pub(crate) fn read(text: &str) -> Result<Template, Mistake> {
    let (mut format, mut fields) = (String::new(), BTreeSet::new());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        format.push_str(before);
        if let Some(doubled) = ["{{", "}}"].into_iter().find(|doubled| from.starts_with(doubled)) {
            format.push_str(doubled);
            rest = &from[2..];
            continue;
        }
        let Some((argument, after)) = from.strip_prefix('{').and_then(|inside| inside.split_once('}')) else {
            let brace = &from[..1];
            let mistake = format!("a `{brace}` in the sentence has no other half");
            return Err((mistake, format!("write `{brace}{brace}` for the brace itself")));
        };
        format.push('{');
        format.push_str(&placeholder(argument, &mut fields)?);
        format.push('}');
        rest = after;
    }
    format.push_str(rest);
    Ok(Template { format, fields })
}

/// What stands between two braces: `path:?`.
fn placeholder(argument: &str, fields: &mut BTreeSet<String>) -> Result<String, Mistake> {
    let (name, spec) = match argument.split_once(':') {
        Some((name, spec)) => (name.trim(), Some(spec)),
        None => (argument.trim(), None),
    };
    if name.is_empty() {
        let mistake = format!("`{{{argument}}}` names no field");
        return Err((mistake, "write `{field}`, or `{0}` for the first of unnamed ones".to_owned()));
    }
    if !is_name(name) {
        let mistake = format!("`{{{argument}}}` is no field of the failure");
        return Err((mistake, "keep what it is worked out from in a field, or write `{{` for a brace".to_owned()));
    }
    fields.insert(name.to_owned());
    let name = argument_name(name);
    match spec {
        None => Ok(name),
        Some(spec) => Ok(format!("{name}:{}", widths(spec, fields)?)),
    }
}

/// The widths and precisions of a spec that are fields: `>width$.digits$`.
fn widths(spec: &str, fields: &mut BTreeSet<String>) -> Result<String, Mistake> {
    if spec.contains(".*") {
        let mistake = format!("`{{:{spec}}}` takes its precision from a list of arguments, and there is none");
        return Err((mistake, "write the number, or the field: `.digits$`".to_owned()));
    }
    let mut written = String::new();
    let mut rest = spec;
    while let Some((before, after)) = rest.split_once('$') {
        let start = before
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let (between, name) = before.split_at(start);
        written.push_str(between);
        // A fill that is a letter is left to rustc.
        if is_name(name) {
            fields.insert(name.to_owned());
            written.push_str(&argument_name(name));
        } else {
            written.push_str(name);
        }
        written.push('$');
        rest = after;
    }
    written.push_str(rest);
    Ok(written)
}

/// The name under which a field is handed over.
pub(crate) fn argument_name(field: &str) -> String {
    if field.starts_with(|c: char| c.is_ascii_digit()) { format!("_{field}") } else { field.to_owned() }
}

fn is_name(text: &str) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut chars = text.chars();
    let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    is_number || (starts && chars.all(|c| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<String> {
        read(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}")).fields.into_iter().collect()
    }

    #[test]
    fn the_fields_of_a_sentence_are_found_wherever_they_stand() {
        assert_eq!(fields("no field, {{not}} one }}"), [""; 0]);
        assert_eq!(fields("{path:?} and {path} and { kind }"), ["kind", "path"]);
        assert_eq!(fields("{0:>5} of {1:.2}"), ["0", "1"]);
        assert_eq!(fields("{size:>width$.digits$}"), ["digits", "size", "width"]);
        assert_eq!(fields("{größe}"), ["größe"]);
    }

    #[test]
    fn unnamed_fields_get_a_name() {
        assert_eq!(read("{0:>1$} {{0}} {a:?}").unwrap().format, "{_0:>_1$} {{0}} {a:?}");
        assert_eq!(read("plain").unwrap().format, "plain");
    }

    #[test]
    fn what_names_no_field_is_refused() {
        for text in ["{}", "{:?}", "a { b", "a } b", "{path", "{a.b}", "{path.display()}", "{x:.*}", "{-}"] {
            let (mistake, remedy) = read(text).expect_err(text);
            assert!(!mistake.is_empty() && remedy.starts_with(['w', 'k']), "{text}: {mistake} {remedy}");
        }
    }
}
