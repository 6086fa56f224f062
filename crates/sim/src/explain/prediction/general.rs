//! Numbers in sentences.

/// Writes a number with so many significant digits as `%g` of C does: without zeros at the end, and
/// with an exponent where it is small or large.
pub(super) fn general(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    match exponent.parse::<i32>().expect("an exponent is a number") {
        power @ -4.. if power < digits as i32 => {
            trimmed(&format!("{value:.*}", (digits as i32 - 1 - power) as usize)).to_owned()
        }
        power => {
            let sign = if power < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(mantissa), power.abs())
        }
    }
}

/// Writes a fraction in whole percent.
pub(super) fn percent(fraction: f64) -> String {
    format!("{:.0}%", 100.0 * fraction)
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn numbers_are_those_of_printf() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (9.9996, "10"),
            (9999.6, "1e+04"),
            (123.456, "123.5"),
            (0.000_123_456, "0.0001235"),
            (0.000_012_345, "1.234e-05"),
            (-2.5e120, "-2.5e+120"),
            (f64::INFINITY, "inf"),
        ];
        for (value, expected) in cases {
            assert_eq!(general(value, 4), expected);
        }
    }
}
