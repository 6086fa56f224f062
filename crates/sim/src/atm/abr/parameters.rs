//! The parameters of an ABR source, in the standard's names (TM 4.0 table 5-3).

use crate::language::keys::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::units::{CellRate, Rate, Span};

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

variants! {
    /// Source rule 13: a source may lower ACR towards the rate at which it really sends.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum UseItOrLoseIt {
        /// It is kept until ADTF.
        Retain = "retain",
        /// It falls to the rate used when a forward RM cell is late.
        TimeBased(TimeBased) = "time_based",
        /// It falls to the rate used plus ICR when it is far above it.
        CountBased(CountBased) = "count_based",
    }
}

part! {
    /// At a forward RM cell that comes more than `tof` times later than Nrm cells at ACR would: ACR
    /// falls to the rate of the cells since the last one, not below ICR.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct TimeBased {
        /// How many times later than Nrm cells at ACR a forward RM cell must be.
        tof: f64 = default("4", "2") as FACTOR,
    }
}

part! {
    /// At a forward RM cell at which ACR is more than `headroom` above the rate of the cells since
    /// the last one: ACR falls to that rate plus ICR, not below TCR, and the next increase by rule
    /// 8 is skipped.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CountBased {
        /// How much of an unused rate is left alone.
        headroom: Rate = required("\"10 Mbit/s of cell\""),
    }
}

const FACTOR: Kind = Kind::Number(Interval { min: Bound::From(1.0), max: Bound::From(1000.0) });
