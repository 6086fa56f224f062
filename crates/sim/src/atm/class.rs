//! Service classes at an output port: a cell of an earlier class is sent first.

/// Service classes in the order in which a port serves them (TM 4.0 section 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Constant and variable bit rate.
    Vbr,
    /// Available bit rate.
    Abr,
    /// Unspecified bit rate, and packets.
    #[default]
    Ubr,
}

impl Class {
    /// Word of the scenario language.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Vbr => "vbr",
            Self::Abr => "abr",
            Self::Ubr => "ubr",
        }
    }
}
