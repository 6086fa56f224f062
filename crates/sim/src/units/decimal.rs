//! Exact decimal numbers: integers and a power of ten, never a float.
//!
//! `0.1 us` must be 100 000 ps and not 99 999.999…, so the digits are kept and the unit multiplies
//! them.

/// A non-negative decimal number as written: `mantissa / 10^places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    mantissa: u128,
    places: u32,
}

/// Reason why a number is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// Missing digits where a number should begin.
    NotANumber,
    /// A minus sign.
    Negative,
    /// `1e6`.
    Exponent,
    /// More digits than any quantity needs.
    TooLong,
}

/// Digits that leave room in 128 bits for every unit: 1e20 days are 8.64e36 ps.
const MOST_DIGITS: usize = 20;

impl Decimal {
    /// Splits `text` into the number it begins with and the rest.
    pub(super) fn split(text: &str) -> Result<(Self, &str), Flaw> {
        if text.starts_with('-') {
            return Err(Flaw::Negative);
        }
        let (whole, rest) = split_digits(text);
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(after) => split_digits(after),
            None => ("", rest),
        };
        let dangling_point = fraction.is_empty() && text[whole.len()..].starts_with('.');
        if whole.is_empty() || dangling_point {
            return Err(Flaw::NotANumber);
        }
        if is_exponent(rest) {
            return Err(Flaw::Exponent);
        }
        Ok((Self::from_digits(whole, fraction)?, rest))
    }

    /// This many units of `scale` base units each: `None` if that is not a whole number of base
    /// units.
    pub(super) fn times(self, scale: u64) -> Option<u128> {
        let product = self.mantissa * u128::from(scale);
        let divisor = 10_u128.pow(self.places);
        product.is_multiple_of(divisor).then_some(product / divisor)
    }

    /// The whole number of base units that is nearest to this many times 10 to the `exponent` units
    /// of `scale`; `None` beyond 128 bits.
    pub(super) fn nearest(self, scale: u64, exponent: i32) -> Option<u128> {
        let product = self.mantissa * u128::from(scale);
        let power = exponent - self.places as i32;
        if power >= 0 {
            return 10_u128.checked_pow(power as u32)?.checked_mul(product);
        }
        let divisor = 10_u128.checked_pow(power.unsigned_abs());
        Some(divisor.map_or(0, |divisor| {
            product / divisor + u128::from(product % divisor >= divisor.div_ceil(2))
        }))
    }

    fn from_digits(whole: &str, fraction: &str) -> Result<Self, Flaw> {
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        if whole.len() + fraction.len() > MOST_DIGITS {
            return Err(Flaw::TooLong);
        }
        let digits = whole.bytes().chain(fraction.bytes());
        let mantissa = digits.fold(0, |sum, digit| sum * 10 + u128::from(digit - b'0'));
        Ok(Self { mantissa, places: fraction.len() as u32 })
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(end)
}

fn is_exponent(rest: &str) -> bool {
    let after = rest.strip_prefix(['e', 'E']).map(|after| after.trim_start_matches(['+', '-']));
    after.is_some_and(|after| after.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_are_exact() {
        let (number, rest) = Decimal::split("0.1us").expect("a number");
        assert_eq!((number.times(1_000_000), rest), (Some(100_000), "us"));
    }

    #[test]
    fn a_fraction_of_a_base_unit_is_refused() {
        let (number, _) = Decimal::split("0.0005").expect("a number");
        assert_eq!(number.times(1_000), None);
    }

    #[test]
    fn zeros_do_not_count_as_digits() {
        let (number, _) =
            Decimal::split("000000000000000000000001.500000000000000000000").expect("a number");
        assert_eq!(number.times(2), Some(3));
    }

    #[test]
    fn each_flaw_has_its_name() {
        assert_eq!(Decimal::split("-1 s"), Err(Flaw::Negative));
        assert_eq!(Decimal::split("1e6 s"), Err(Flaw::Exponent));
        assert_eq!(Decimal::split("1. s"), Err(Flaw::NotANumber));
        assert_eq!(Decimal::split(".5 s"), Err(Flaw::NotANumber));
        assert_eq!(Decimal::split("123456789012345678901 s"), Err(Flaw::TooLong));
    }
}
