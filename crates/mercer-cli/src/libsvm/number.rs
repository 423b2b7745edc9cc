//! Numbers as C prints them.

/// `%.{digits}g`
pub fn general(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return "0".into();
    }
    if !x.is_finite() {
        return x.to_string().to_lowercase();
    }
    let digits = digits.max(1);
    // Rounded to as many digits, which may change the exponent.
    let scientific = format!("{x:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    trimmed(&format!("{x:.*}", (digits as i32 - 1 - exponent) as usize)).to_string()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_c_does() {
        for (x, digits, text) in [
            (0.0, 6, "0"),
            (1.0, 6, "1"),
            (-0.5, 6, "-0.5"),
            (0.0001, 6, "0.0001"),
            (0.00001234, 6, "1.234e-05"),
            (123456.0, 6, "123456"),
            (1234567.0, 6, "1.23457e+06"),
            (999999.5, 6, "1e+06"),
            (0.1 + 0.2, 6, "0.3"),
            (0.1, 17, "0.10000000000000001"),
            (86.6666666667, 6, "86.6667"),
            (1e100, 6, "1e+100"),
        ] {
            assert_eq!(general(x, digits), text);
        }
    }
}
