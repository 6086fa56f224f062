//! The parameters of an ABR source, in the standard's names (TM 4.0 table 5-3).

use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::units::{CellRate, Rate, Span};

/// Parameters signalled for one direction of an ABR VC, with defaults filled in.
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
    /// Time without a forward RM cell after which ACR falls to ICR.
    pub adtf: Span,
    /// Rate of out-of-rate cells.
    pub tcr: CellRate,
    /// Rule for a rate that is not used.
    pub use_it_or_lose_it: UseItOrLoseIt,
    /// True if rates in RM cells are rounded down to the sixteen bits of the standard's format.
    pub quantised: bool,
}

variants! {
    /// Source rule 13: a source may lower ACR towards the rate at which it really sends.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum UseItOrLoseIt {
        /// ACR is kept until ADTF.
        Retain = "retain",
        /// ACR falls to the rate used when a forward RM cell is late.
        TimeBased(TimeBased) = "time_based",
        /// ACR falls to the rate used plus ICR when it is far above the rate used.
        CountBased(CountBased) = "count_based",
    }
}

part! {
    /// Time-based rule: if a forward RM cell comes more than `tof` times later than Nrm cells at
    /// ACR would, ACR falls to the rate of the cells since the last one, not below ICR.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct TimeBased {
        /// Factor by which a forward RM cell must be later than Nrm cells at ACR.
        tof: f64 = default("4", "2") as FACTOR,
    }
}

part! {
    /// Count-based rule: if ACR at a forward RM cell is more than `headroom` above the rate of the
    /// cells since the last one, ACR falls to that rate plus ICR, not below TCR, and the next
    /// increase by rule 8 is skipped.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CountBased {
        /// Unused rate that is left to the source.
        headroom: Rate = required("\"10 Mbit/s of cell\""),
    }
}

const FACTOR: Kind = Kind::Number(Interval { min: Bound::From(1.0), max: Bound::From(1000.0) });
