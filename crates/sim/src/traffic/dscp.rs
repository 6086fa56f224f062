//! Codepoints of Differentiated Services (RFC 2474, 2597, 3246, 5865, 8622), a class for each flow.

use crate::language::part::prelude::*;

variants! {
    /// `flow.NAME.dscp`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Dscp {
        /// Default forwarding.
        Cs0 = "CS0",
        /// Lower effort.
        Le = "LE",
        /// Class selector 1.
        Cs1 = "CS1",
        /// Class selector 2.
        Cs2 = "CS2",
        /// Class selector 3.
        Cs3 = "CS3",
        /// Class selector 4.
        Cs4 = "CS4",
        /// Class selector 5.
        Cs5 = "CS5",
        /// Class selector 6.
        Cs6 = "CS6",
        /// Class selector 7.
        Cs7 = "CS7",
        /// Assured forwarding, class 1.
        Af1 = "AF1",
        /// Assured forwarding, class 2.
        Af2 = "AF2",
        /// Assured forwarding, class 3.
        Af3 = "AF3",
        /// Assured forwarding, class 4.
        Af4 = "AF4",
        /// Voice with admission control.
        Va = "VA",
        /// Expedited forwarding.
        Ef = "EF",
    }
}

impl Dscp {
    /// The six bits of the field; of a class of assured forwarding its lowest drop precedence.
    pub(crate) const fn bits(self) -> u8 {
        match self {
            Self::Cs0 => 0,
            Self::Le => 1,
            Self::Cs1 => 8,
            Self::Af1 => 10,
            Self::Cs2 => 16,
            Self::Af2 => 18,
            Self::Cs3 => 24,
            Self::Af3 => 26,
            Self::Cs4 => 32,
            Self::Af4 => 34,
            Self::Cs5 => 40,
            Self::Va => 44,
            Self::Ef => 46,
            Self::Cs6 => 48,
            Self::Cs7 => 56,
        }
    }
}

#[expect(clippy::derivable_impls, reason = "the list takes no attribute of a variant")]
impl Default for Dscp {
    fn default() -> Self {
        Self::Cs0
    }
}
