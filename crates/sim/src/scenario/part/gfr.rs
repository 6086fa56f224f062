//! `service.gfr`, the guaranteed frame rate; names of TM 4.1.

use crate::language::part::prelude::*;
use crate::switch::NonConforming;
use crate::units::{Cells, Rate, Span};

part! {
    /// `service.gfr`, for both directions.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Gfr {
        /// Minimum cell rate, `of cell` or `of payload`.
        mcr: Rate = required("\"20 kcell/s\""),
        /// Peak cell rate, against which cells are tested; the source may exceed it.
        pcr: Option<Rate> = absent(
            "the rate of the first link of cells, for each direction", "\"100 Mbit/s of cell\""
        ),
        /// Maximum burst size.
        mbs: Cells = flat(Burst),
        /// Maximum frame size.
        mfs: Cells = default("192 cell", "\"32 cell\""),
        /// Cell delay variation tolerance, of PCR and of MCR.
        cdvt: Span = default("0.25 ms", "\"0.5 ms\"") as ANY_TIME,
        /// Marking of whole frames by the first switch, in their CLP bits.
        tagging: Tagging = default("none", "\"f_gcra\""),
        /// Action of the first switch on cells above PCR and frames longer than MFS.
        non_conforming: NonConforming = default("pass", "\"discard\""),
        /// Z: the scale of its drop probability where `drop.dfba.z` is `per_vc`.
        z: f64 = default("1", "0.5") as Kind::Number(ZERO_TO_ONE),
    }
    finish Gfr::checked;
}

variants! {
    /// `service.gfr.tagging`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Tagging {
        /// No marking: GFR.1.
        None = "none",
        /// CLP = 1 in frames that fail the F-GCRA: GFR.2.
        FGcra = "f_gcra",
        /// CLP = 0 at random, in as many frames as give the VC its MCR, else CLP = 1.
        Pme(Pme) = "pme",
    }
}

part! {
    /// Parameters of probabilistic marking.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pme {
        /// Interval at which the probability of CLP = 0 is adapted.
        interval: Span = required("\"100 ms\"") as POSITIVE_TIME,
        /// Step by which it grows in an interval without cells.
        step: f64 = required("0.05") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
}

/// The key `mbs`, whose default is two frames.
struct Burst;

impl Part for Burst {
    type Value = Cells;

    const KEYS: &'static [Key] = &[Key::optional(
        "mbs",
        Kind::Cells,
        "two frames of `mfs`",
        "\"1000 cell\"",
        "Maximum burst size: this many cells at PCR are within the guarantee.",
    )];

    fn read(section: &Section<'_>) -> Result<Cells, Fault> {
        let Cells(mfs) = section.value("mfs")?;
        Ok(section.written("mbs")?.map_or(Cells(2 * mfs), |mbs| mbs.value))
    }

    fn write(mbs: &Cells, entries: &mut Entries) {
        entries.push(("mbs", mbs.write()));
    }
}

impl Gfr {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        self.check_peak(section)?;
        self.check_burst(section)?;
        Ok(self)
    }

    fn check_peak(&self, section: &Section<'_>) -> Result<(), Fault> {
        let Some(pcr) = self.pcr.filter(|&pcr| self.mcr > pcr) else { return Ok(()) };
        let message = format!(
            "`{}.mcr` of {} bit/s of cell is above the pcr of {}; expected at most that",
            section.place(),
            self.mcr.bits_per_second(),
            pcr.bits_per_second()
        );
        Err(Fault::new(&section.spanned::<Rate>("mcr")?.at, message))
    }

    /// Checks that a burst holds a frame; otherwise no frame would be guaranteed.
    fn check_burst(&self, section: &Section<'_>) -> Result<(), Fault> {
        if self.mbs >= self.mfs {
            return Ok(());
        }
        let message = format!(
            "`{}.mbs` of {} is below the mfs of {}; expected at least that",
            section.place(),
            self.mbs,
            self.mfs
        );
        Err(Fault::new(&section.spanned::<Cells>("mbs")?.at, message))
    }
}
