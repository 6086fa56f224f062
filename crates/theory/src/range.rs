//! Range checks for the numbers of formulas.

/// A number out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}; expected {expected}")]
pub struct OutOfRange {
    /// Name of the number.
    pub name: String,
    /// Value of the number.
    pub value: f64,
    /// Values that would be accepted.
    pub expected: &'static str,
}

/// Checks one number; NaN is never accepted.
pub(crate) fn within(
    name: &str,
    value: f64,
    expected: &'static str,
    accepts: impl Fn(f64) -> bool,
) -> Result<(), OutOfRange> {
    if value.is_finite() && accepts(value) {
        return Ok(());
    }
    Err(OutOfRange { name: name.to_owned(), value, expected })
}

/// Checks that a number is above zero.
pub(crate) fn positive(name: &str, value: f64) -> Result<(), OutOfRange> {
    within(name, value, "above 0", |value| value > 0.0)
}
