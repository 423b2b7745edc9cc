//! Numbers as text: one quick path for what files are full of, one complete path for the rest.

use super::problem::{excerpt, not_text};

/// Longest piece of text that is taken for a number or a label.
pub(super) const LONGEST_TOKEN: usize = 4096;

/// Why a piece of text is not a usable number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Refusal {
    /// It is no number at all.
    NotANumber,
    /// It spells NaN or an infinity.
    NotFinite,
    /// It is beyond the largest f64.
    TooLarge,
    /// It has more than [`LONGEST_TOKEN`] bytes.
    TooLong,
}

impl Refusal {
    /// The sentence for the user.
    #[cold]
    pub(super) fn problem(self, token: &[u8]) -> String {
        match self {
            Refusal::NotANumber => not_text(token)
                .map(|(_, problem)| problem)
                .unwrap_or_else(|| format!("`{}` is not a number", excerpt(token))),
            Refusal::NotFinite => format!("`{}` is not a finite number", excerpt(token)),
            Refusal::TooLarge => format!("`{}` is too large for a 64-bit number", excerpt(token)),
            Refusal::TooLong => {
                format!("a single value of {} bytes; at most {LONGEST_TOKEN} are read", token.len())
            }
        }
    }
}

/// Powers of ten that are exact in f64 and that a quotient may be taken with.
const POWERS: [f64; 20] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
];

/// The plain decimal number that `text` starts with, and its length in bytes.
///
/// Answers only where one rounding gives the nearest f64: at most 19 digits with a value (without the point)
/// of at most 2⁵³, divided by an exact power of ten. `None` says nothing: [`parse`] decides.
#[inline(always)]
pub(super) fn leading(text: &[u8]) -> Option<(f64, usize)> {
    // Many files hold little else than single digits.
    if let [first, second, ..] = text
        && first.wrapping_sub(b'0') < 10
        && second.wrapping_sub(b'0') >= 10
        && *second != b'.'
    {
        return Some((f64::from(first - b'0'), 1));
    }
    let digit = |at: usize| match text.get(at) {
        Some(byte) if byte.wrapping_sub(b'0') < 10 => Some(u64::from(byte - b'0')),
        _ => None,
    };
    let negative = text.first() == Some(&b'-');
    let mut at = usize::from(negative || text.first() == Some(&b'+'));
    let mut mantissa = 0u64;
    let start = at;
    while let Some(d) = digit(at) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(d);
        at += 1;
    }
    let mut digits = at - start;
    let mut fraction = 0;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let point = at;
        while let Some(d) = digit(at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(d);
            at += 1;
        }
        fraction = at - point;
        digits += fraction;
    }
    if digits == 0 || digits > 19 || mantissa > 1 << 53 {
        return None;
    }
    let mut value = mantissa as f64;
    if fraction > 0 {
        value /= POWERS[fraction];
    }
    Some((if negative { -value } else { value }, at))
}

/// The number that a piece of text spells, as files are read; or a sentence that says why it is none.
///
/// ```
/// use mercer::data::parse_number;
/// assert_eq!(parse_number("-2.5e3"), Ok(-2500.0));
/// assert_eq!(parse_number("two"), Err("`two` is not a number".into()));
/// ```
///
/// # Errors
/// The sentence, for what is no number or not finite.
pub fn parse_number(text: &str) -> Result<f64, String> {
    parse(text.as_bytes()).map_err(|refusal| refusal.problem(text.as_bytes()))
}

/// The number that all of `token` spells.
pub(super) fn parse(token: &[u8]) -> Result<f64, Refusal> {
    if let Some((value, used)) = leading(token)
        && used == token.len()
    {
        return Ok(value);
    }
    if token.len() > LONGEST_TOKEN {
        return Err(Refusal::TooLong);
    }
    match fast_float2::parse::<f64, _>(token) {
        Ok(value) if value.is_finite() => Ok(value),
        // "inf" and "nan" have no digits.
        Ok(_) if token.iter().any(u8::is_ascii_digit) => Err(Refusal::TooLarge),
        Ok(_) => Err(Refusal::NotFinite),
        Err(_) => Err(Refusal::NotANumber),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_paths_agree_with_the_standard_library() {
        let texts = [
            "0",
            "-0",
            "+1",
            "1.",
            ".5",
            "-.25",
            "007",
            "0.1",
            "123456789012345678",
            "9007199254740992",
            "9007199254740993",
            "0.000000000000000001",
            "1e5",
            "-1E-5",
            "2.2250738585072014e-308",
            "5e-324",
            "1.7976931348623157e308",
            "0.30000000000000004",
            "3.14159265358979323846264338327950288",
            "99999999999999999999",
            "1e-999",
        ];
        for text in texts {
            let expected: f64 = text.parse().unwrap();
            let found = parse(text.as_bytes()).unwrap();
            assert_eq!(found.to_bits(), expected.to_bits(), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_refused_for_the_right_reason() {
        for text in
            ["", "-", "+", ".", "e5", "1e", "1e+", "0x10", "1_000", "1,5", "--1", "+-1", "1 ", " 1", "1f"]
        {
            assert_eq!(parse(text.as_bytes()), Err(Refusal::NotANumber), "{text:?}");
        }
        for text in ["nan", "NaN", "-nan", "inf", "-INF", "Infinity"] {
            assert_eq!(parse(text.as_bytes()), Err(Refusal::NotFinite), "{text:?}");
        }
        assert_eq!(parse(b"1e999"), Err(Refusal::TooLarge));
        assert_eq!(parse(&[b'1'; 309]).map(f64::is_finite), Ok(true));
        assert_eq!(parse(&[b'1'; 5000]), Err(Refusal::TooLong));
    }
}
