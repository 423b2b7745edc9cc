//! The shortest text that reads back as the same number.

use std::io::{self, Write};

/// Writes a number with as few digits as tell it from its neighbours, and an exponent where that is shorter.
pub(super) fn write(out: &mut impl Write, value: f64) -> io::Result<()> {
    let size = value.abs();
    if value == 0.0 || (1e-5..1e16).contains(&size) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_short_and_exact() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e15, "1000000000000000"),
            (1e300, "1e300"),
            (-5e-324, "-5e-324"),
            (f64::MAX, "1.7976931348623157e308"),
        ];
        for (value, expected) in cases {
            let mut out = Vec::new();
            super::write(&mut out, value).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert_eq!(text, expected);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }
}
