//! The parameters of an ABR source, in the standard's names (TM 4.0 table 5-3).

use crate::units::{CellRate, Span};

/// What is signalled for one direction of an ABR VC, every default filled in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Abr {
    /// Peak cell rate.
    pub pcr: CellRate,
    /// Minimum cell rate: the source may always send this fast.
    pub mcr: CellRate,
    /// Initial cell rate, already no more than TBE per FRTT.
    pub icr: CellRate,
    /// Rate increase factor: ACR grows by RIF · PCR.
    pub rif: f64,
    /// Rate decrease factor: ACR shrinks by RDF · ACR.
    pub rdf: f64,
    /// Most cells per forward RM cell.
    pub nrm: u32,
    /// Least cells between forward RM cells that are sent because of Trm.
    pub mrm: u32,
    /// Longest time between forward RM cells of an active source.
    pub trm: Span,
    /// Forward RM cells without an answer after which ACR is cut.
    pub crm: u64,
    /// Cutoff decrease factor; 0 switches the cut off.
    pub cdf: f64,
    /// After this long without a forward RM cell ACR falls to ICR.
    pub adtf: Span,
    /// Rate of out-of-rate cells.
    pub tcr: CellRate,
    /// What becomes of a rate that is not used.
    pub use_it_or_lose_it: UseItOrLoseIt,
    /// Whether rates in RM cells are cut to the sixteen bits of the standard's format.
    pub quantised: bool,
}

/// Source rule 13: a source may lower ACR towards the rate at which it really sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UseItOrLoseIt {
    /// The rate is kept until ADTF.
    Retain,
    /// At a forward RM cell that comes more than `tof` times later than Nrm cells at ACR would: ACR
    /// falls to the rate of the cells since the last one, not below ICR.
    TimeBased {
        /// How many times later.
        tof: f64,
    },
    /// At a forward RM cell at which ACR is more than `headroom` above the rate of the cells since
    /// the last one: ACR falls to that rate plus ICR, not below TCR, and the next increase by rule
    /// 8 is skipped.
    CountBased {
        /// How much of an unused rate is left alone.
        headroom: CellRate,
    },
}
