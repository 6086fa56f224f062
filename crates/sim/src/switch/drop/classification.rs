//! Where a policy stands in the classification of Goyal, Jain, Fahmy, Vandalore (ATM Forum 98-0405,
//! 1998, table 7).

/// One row of the table. The name of the group is made of the first two: SA-ST, MA-ST, SA-MT or
/// MA-MT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classification {
    /// What is counted.
    pub accounting: Accounting,
    /// How many thresholds the count is compared with.
    pub thresholds: Thresholds,
    /// Whether they move.
    pub threshold_type: ThresholdType,
    /// Whether chance has a say.
    pub drop_type: DropType,
    /// Whether frames with CLP = 1 are treated worse.
    pub is_tag_sensitive: bool,
}

/// Single accounting: the queue as a whole. Multiple accounting: each VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accounting {
    /// SA.
    Single,
    /// MA.
    Multiple,
}

/// One threshold for all, or one for each class or VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thresholds {
    /// ST.
    Single,
    /// MT.
    Multiple,
}

/// Whether a threshold follows the state of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdType {
    /// It is a parameter.
    Static,
    /// It is computed from the queue.
    Dynamic,
}

/// Whether two runs that differ in their random numbers alone drop the same frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropType {
    /// They do.
    Deterministic,
    /// They do not.
    Probabilistic,
}

impl Classification {
    /// The group's name in the table.
    pub const fn group(&self) -> &'static str {
        match (self.accounting, self.thresholds) {
            (Accounting::Single, Thresholds::Single) => "SA-ST",
            (Accounting::Multiple, Thresholds::Single) => "MA-ST",
            (Accounting::Multiple, Thresholds::Multiple) => "MA-MT",
            (Accounting::Single, Thresholds::Multiple) => "SA-MT",
        }
    }
}
