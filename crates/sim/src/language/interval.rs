//! Intervals of numbers that a key takes.

/// The numbers between two bounds, each of which may be excluded.
#[derive(Clone, Copy)]
pub(crate) struct Interval {
    pub(crate) min: Bound,
    pub(crate) max: Bound,
}

#[derive(Clone, Copy)]
pub(crate) enum Bound {
    From(f64),
    Beyond(f64),
}

impl Interval {
    pub(crate) fn contains(self, number: f64) -> bool {
        let is_above = match self.min {
            Bound::From(min) => number >= min,
            Bound::Beyond(min) => number > min,
        };
        let is_below = match self.max {
            Bound::From(max) => number <= max,
            Bound::Beyond(max) => number < max,
        };
        is_above && is_below
    }

    /// Text such as "above 1, at most 100".
    pub(crate) fn in_words(self) -> String {
        let min = match self.min {
            Bound::From(min) => format!("at least {min}"),
            Bound::Beyond(min) => format!("above {min}"),
        };
        let max = match self.max {
            Bound::From(max) => format!("at most {max}"),
            Bound::Beyond(max) => format!("below {max}"),
        };
        format!("{min}, {max}")
    }
}
