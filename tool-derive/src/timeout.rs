//! Time limits as authors write them: `"500ms"`, `"30s"`, `"2m"`, `"1h"`.

/// The units, with their milliseconds. `ms` stands before `m` and `s`, because it ends in the one and starts with the
/// other.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// The milliseconds of a written time, or what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<u64, &'static str> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = &text[digits.len()..];
    let Some((_, factor)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err("needs a unit");
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("is no whole number and unit");
    }
    let count: u64 = digits.parse().map_err(|_| "is too long")?;
    let millis = count.checked_mul(*factor).ok_or("is too long")?;
    if millis == 0 { Err("leaves no time at all") } else { Ok(millis) }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_each_unit() {
        assert_eq!(parse("500ms"), Ok(500));
        assert_eq!(parse("30s"), Ok(30_000));
        assert_eq!(parse("2m"), Ok(120_000));
        assert_eq!(parse("1h"), Ok(3_600_000));
    }

    #[test]
    fn refuses_what_it_cannot_hold() {
        for text in ["", "30", "s", "0s", "0ms", "1.5s", "-1s", "1 s", "1d", "1S", "99999999999999999999s", "²s", "1hs"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&format!("{}h", u64::MAX)).is_err());
    }
}
