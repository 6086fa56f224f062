//! Service classes at an output port: a cell of an earlier class is sent first.

/// The order in which a port serves (TM 4.0 section 2): what is guaranteed, what is controlled,
/// what is left.
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
    /// The word of the language for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Vbr => "vbr",
            Self::Abr => "abr",
            Self::Ubr => "ubr",
        }
    }
}
