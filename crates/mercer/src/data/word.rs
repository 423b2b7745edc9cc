//! Words that are numbers.

/// A whole number without its fraction of zeros, `1` for `1.0`; everything else stays. Tables write the same number in both ways: a column
/// of whole numbers in which one is missing comes back from other programs with fractions.
pub(super) fn without_zeros(text: &str) -> &str {
    match text.split_once('.') {
        Some((whole, zeros)) if is_whole(whole) && !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => {
            whole
        }
        _ => text,
    }
}

fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_zeros_go() {
        for (text, expected) in [
            ("1.0", "1"),
            ("-12.000", "-12"),
            ("007.0", "007"),
            ("1.5", "1.5"),
            ("1.", "1."),
            (".0", ".0"),
            ("v1.0", "v1.0"),
        ] {
            assert_eq!(without_zeros(text), expected);
        }
    }
}
