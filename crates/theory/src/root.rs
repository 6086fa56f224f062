//! Zero of a falling function, by bisection.

/// Number of bisections: they bring any interval of the crate below the rounding of an f64.
const HALVINGS: u32 = 64;

/// The point in `low..high` where `falling` passes from positive to negative; an end of the range
/// if it does not.
pub(crate) fn root(mut low: f64, mut high: f64, falling: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if falling(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_root_of_two() {
        assert!((root(0.0, 2.0, |x| 2.0 - x * x) - std::f64::consts::SQRT_2).abs() < 1e-15);
    }

    #[test]
    fn without_a_root_it_is_the_end_nearest_to_one() {
        assert!((root(0.0, 1.0, |_| 1.0) - 1.0).abs() < 1e-15);
        assert!(root(0.0, 1.0, |_| -1.0) < 1e-15);
    }
}
