//! Numbers that a formula does not take.

/// A number out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}; expected {expected}")]
pub struct OutOfRange {
    /// Which.
    pub name: String,
    /// What it is.
    pub value: f64,
    /// What would be accepted.
    pub expected: &'static str,
}

/// Checks one number; NaN is within nothing.
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
