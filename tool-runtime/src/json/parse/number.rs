use super::word::not_finite;
use super::{Floats, ParseErrorKind, Parser, Problem};
use crate::json::excerpt::Clipped;
use crate::json::number::Numeric;

/// A decimal of at most this many significant digits names a 64-bit float that its shortest text names too.
const FLOAT_DIGITS: usize = 17;

impl Parser<'_> {
    pub(super) fn number(&mut self) -> Result<Numeric, Problem> {
        let start = self.at;
        if let Some((number, end)) = Numeric::short(self.bytes, start) {
            self.at = end;
            return Ok(number);
        }
        if self.bytes[start] == b'-' {
            self.at += 1;
        }
        self.integer_part(start)?;
        let mut is_float = false;
        if self.bytes.get(self.at) == Some(&b'.') {
            is_float = true;
            self.at += 1;
            self.digits(start, "after the decimal point")?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            is_float = true;
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits(start, "in the exponent")?;
        }
        let text = &self.text[start..self.at];
        if is_float { self.float(text, start) } else { integer(text, start) }
    }

    fn integer_part(&mut self, start: usize) -> Result<(), Problem> {
        match self.bytes.get(self.at) {
            Some(b'0') => {
                self.at += 1;
                match self.bytes.get(self.at) {
                    Some(b'0'..=b'9') => Err(bad_number(start, "a number has no leading zero; remove it")),
                    _ => Ok(()),
                }
            }
            Some(b'I') => Err(not_finite(start)),
            _ => self.digits(start, "after the minus sign"),
        }
    }

    /// One digit or more.
    fn digits(&mut self, start: usize, place: &str) -> Result<(), Problem> {
        let length = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += length;
        match (length, self.at == self.bytes.len()) {
            (0, true) => Err(Problem::ends_early(self.at, "inside a number")),
            (0, false) => Err(bad_number(start, format!("a number needs a digit {place}"))),
            _ => Ok(()),
        }
    }

    fn float(&self, text: &str, start: usize) -> Result<Numeric, Problem> {
        // Correctly rounded, whatever the number of digits.
        let nearest = text.parse().ok().filter(|float: &f64| float.is_finite());
        let Some(number) = nearest else {
            return Err(float_range(text, start, "is greater than a 64-bit float holds (about 1.8e308)"));
        };
        let digits = significant_digits(text);
        if digits > 0 && number == 0.0 {
            return Err(float_range(text, start, "is closer to 0 than a 64-bit float can be (about 4.9e-324)"));
        }
        if self.floats == Floats::Exact && digits > FLOAT_DIGITS {
            return Err(float_range(text, start, "has more digits than a 64-bit float holds (17)"));
        }
        Ok(Numeric::Float(number))
    }
}

fn integer(text: &str, start: usize) -> Result<Numeric, Problem> {
    let number = match text.parse() {
        Ok(number) => Some(Numeric::Unsigned(number)),
        // `-0` comes here, and is the integer 0.
        Err(_) => {
            text.parse().ok().map(|number| u64::try_from(number).map_or(Numeric::Negative(number), Numeric::Unsigned))
        }
    };
    number.ok_or_else(|| {
        let message = format!(
            "the integer {} is beyond 64 bits, which are not supported; send it as a string, or as a float such as \
             1e20 if it may be rounded",
            Clipped(text)
        );
        Problem::new(ParseErrorKind::IntegerOutOfRange, start, message)
    })
}

/// How many digits of a number's text say something: none of its leading zeros, its trailing zeros and its exponent.
fn significant_digits(text: &str) -> usize {
    let mantissa = text.find(['e', 'E']).map_or(text, |exponent| &text[..exponent]);
    let leading = mantissa.trim_start_matches(['-', '0', '.']);
    let digits =
        if mantissa.contains('.') { leading.trim_end_matches(['0', '.']) } else { leading.trim_end_matches('0') };
    digits.bytes().filter(u8::is_ascii_digit).count()
}

fn bad_number(start: usize, message: impl Into<std::borrow::Cow<'static, str>>) -> Problem {
    Problem::new(ParseErrorKind::BadNumber, start, message)
}

fn float_range(text: &str, start: usize, why: &str) -> Problem {
    Problem::new(ParseErrorKind::FloatOutOfRange, start, format!("the number {} {why}", Clipped(text)))
}

#[cfg(test)]
mod tests {
    use super::significant_digits;

    #[test]
    fn counts_the_digits_that_say_something() {
        let cases = [
            ("0.0", 0),
            ("-0e5", 0),
            ("1.0", 1),
            ("-1200e3", 2),
            ("0.001230", 3),
            ("10.01", 4),
            ("1e300", 1),
            ("100.0", 1),
        ];
        for (text, digits) in cases {
            assert_eq!(significant_digits(text), digits, "{text}");
        }
    }
}
