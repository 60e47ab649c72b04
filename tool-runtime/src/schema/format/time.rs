//! Dates, times and durations of [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339).

/// `full-date`.
pub(super) fn is_date(text: &str) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else { return false };
    let (Some(century), Some(year), Some(month), Some(day)) =
        (number(*y1, *y2), number(*y3, *y4), number(*m1, *m2), number(*d1, *d2))
    else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year != 0 || century % 4 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// `full-time`: a leap second only at the end of a day of UTC.
pub(super) fn is_time(text: &str) -> bool {
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = text.as_bytes() else { return false };
    let (Some(hour), Some(minute), Some(second)) = (number(*h1, *h2), number(*m1, *m2), number(*s1, *s2)) else {
        return false;
    };
    let rest = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
        rest => rest,
    };
    let offset = match rest {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (Some(hours @ 0..24), Some(minutes @ 0..60)) = (number(*h1, *h2), number(*m1, *m2)) else {
                return false;
            };
            let offset = hours * 60 + minutes;
            if *sign == b'+' { offset } else { -offset }
        }
        _ => return false,
    };
    let utc = (hour * 60 + minute - offset).rem_euclid(24 * 60);
    hour < 24 && minute < 60 && (second < 60 || (second == 60 && utc == 24 * 60 - 1))
}

/// `date-time`.
pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// `duration`, as appendix A has it: units from great to small, and none left out between two.
pub(super) fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    let (date, time) = match rest.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (rest, None),
    };
    match time {
        None => units(date, "W") == Some(1) || units(date, "YMD").is_some_and(|count| count > 0),
        Some(time) => units(date, "YMD").is_some() && units(time, "HMS").is_some_and(|count| count > 0),
    }
}

/// How many numbers with units there are, if each is in its place.
fn units(mut text: &str, order: &str) -> Option<usize> {
    let mut count = 0;
    let mut next: Option<usize> = None;
    while !text.is_empty() {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let place = order.find(text[digits..].chars().next()?)?;
        if digits == 0 || next.is_some_and(|next| place != next) {
            return None;
        }
        next = Some(place + 1);
        count += 1;
        text = &text[digits + 1..];
    }
    Some(count)
}

fn number(tens: u8, ones: u8) -> Option<i32> {
    let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
    digits.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
}
