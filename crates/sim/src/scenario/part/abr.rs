//! `service.abr`; names, ranges and defaults of TM 4.0 table 5-3.

use std::fmt::Display;

use crate::atm::abr::{self, PowerFraction, UseItOrLoseIt};
use crate::host::SegmentationBuffer;
use crate::language::part::prelude::*;
use crate::units::{CellRate, Cells, Rate, Span};

/// Inverse powers of two from 1 to 1/2^15.
const RATE_FACTOR: Kind = Kind::PowerFraction { deepest: 15, or_zero: false };
const CUTOFF_FACTOR: Kind = Kind::PowerFraction { deepest: 6, or_zero: true };

part! {
    /// `service.abr`, for both directions.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Abr {
        /// Peak cell rate.
        pcr: Option<Rate> = absent(
            "the rate of the first link, for each direction", "\"149.76 Mbit/s of cell\""
        ),
        /// Minimum cell rate, which is guaranteed.
        mcr: Option<Rate> = absent("0", "\"1 Mbit/s of cell\""),
        /// Initial cell rate, also after a pause of ADTF.
        icr: Option<Rate> = absent("PCR", "\"10 Mbit/s of cell\""),
        /// Transient buffer exposure: ICR is at most TBE per FRTT.
        tbe: Cells = default("16777215 cell", "\"1024 cell\""),
        /// Fixed round-trip time.
        frtt: Option<Span> = absent(
            "the propagation delay of the path, there and back", "\"30 ms\""
        ) as POSITIVE_TIME,
        /// Rate increase factor, of PCR.
        rif: PowerFraction = default("1/16", "\"1/32\"") as RATE_FACTOR,
        /// Rate decrease factor, of ACR.
        rdf: PowerFraction = default("1/16", "\"1/32768\"") as RATE_FACTOR,
        /// Most cells per forward RM cell.
        nrm: u32 = default("32", "64") as Kind::PowerOfTwo { min: 2, max: 256 },
        /// Longest time between forward RM cells of an active source.
        trm: Span = default("100 ms", "\"50 ms\"") as POSITIVE_TIME,
        /// Forward RM cells without an answer after which ACR is cut.
        crm: Option<u64> = absent("TBE/Nrm", "32") as Kind::Integer { min: 1, max: 16_777_215 },
        /// Cutoff decrease factor, of ACR; 0 switches the cut off.
        cdf: PowerFraction = default("1/16", "\"0\"") as CUTOFF_FACTOR,
        /// ACR decrease time factor: after this long without a forward RM cell ACR falls to ICR.
        adtf: Span = default("500 ms", "\"1 s\"") as POSITIVE_TIME,
        /// Rate of out-of-rate RM cells.
        tcr: Rate = default("10 cell/s", "\"20 cell/s\""),
        /// Treatment of a rate that is not used.
        use_it_or_lose_it: UseItOrLoseIt = default("retain", "{ time_based = { tof = 4 } }"),
        /// True if rates in RM cells are cut to the standard's 16 bits.
        quantised: bool = default("false", "true"),
        /// Cells of the VC that may wait at its source, for each direction.
        buffer: SegmentationBuffer = default("infinite", "{ tail = \"1000 cell\" }"),
    }
    finish Abr::checked;
}

impl Abr {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        self.check_ranges(section)?;
        self.check_order(section)?;
        Ok(self)
    }

    /// Ranges of TM 4.0 table 5-3, for which the coding of a signalling message has bits.
    fn check_ranges(&self, section: &Section<'_>) -> Result<(), Fault> {
        const MAX_TBE: Cells = Cells(16_777_215);
        let milliseconds = Span::from_milliseconds;
        if self.tbe > MAX_TBE {
            return Err(outside(section, "tbe", &self.tbe, &format!("`1 cell` to `{MAX_TBE}`")));
        }
        // 100 ms times 2^-7 to 2^0.
        if !(Span::from_microseconds(781)..=milliseconds(100)).contains(&self.trm) {
            return Err(outside(section, "trm", &self.trm, "`0.78125 ms` to `100 ms`"));
        }
        if !(milliseconds(10)..=milliseconds(10_230)).contains(&self.adtf) {
            return Err(outside(section, "adtf", &self.adtf, "`10 ms` to `10230 ms`"));
        }
        Ok(())
    }

    /// Checks MCR ≤ ICR ≤ PCR, as far as they are written.
    fn check_order(&self, section: &Section<'_>) -> Result<(), Fault> {
        let pairs = [
            ("icr", self.icr, "pcr", self.pcr),
            ("mcr", self.mcr, "pcr", self.pcr),
            ("mcr", self.mcr, "icr", self.icr),
        ];
        for (low_key, low, high_key, high) in pairs {
            let (Some(low), Some(high)) = (low, high) else { continue };
            if low <= high {
                continue;
            }
            let message = format!(
                "`{0}.{low_key}` of {1} bit/s of cell is above the {high_key} of {2}; expected at \
                 most that",
                section.place(),
                low.bits_per_second(),
                high.bits_per_second()
            );
            return Err(Fault::new(&section.spanned::<Rate>(low_key)?.at, message));
        }
        Ok(())
    }

    /// The guaranteed rate, MCR.
    pub fn min_rate(&self) -> Rate {
        self.mcr.unwrap_or(Rate::from_bits_per_second(0))
    }

    /// The parameters of one direction, every default filled in, for the rate `link` of its first
    /// link and the `propagation` of both directions.
    pub(crate) fn parameters(&self, link: CellRate, propagation: Span) -> abr::Abr {
        let pcr = self.pcr.map_or(link, |pcr| CellRate::of(pcr).min(link));
        let frtt = self.frtt.unwrap_or(propagation).seconds_f64();
        let exposure = if frtt > 0.0 { CellRate(self.tbe.0 as f64 / frtt) } else { pcr };
        let mcr = CellRate::of(self.min_rate());
        abr::Abr {
            pcr,
            mcr,
            icr: self.icr.map_or(pcr, CellRate::of).min(exposure).min(pcr).max(mcr),
            rif: self.rif.value(),
            rdf: self.rdf.value(),
            nrm: self.nrm,
            mrm: 2,
            trm: self.trm,
            crm: self.crm.unwrap_or_else(|| self.tbe.0.div_ceil(u64::from(self.nrm))),
            cdf: self.cdf.value(),
            adtf: self.adtf,
            tcr: CellRate::of(self.tcr),
            use_it_or_lose_it: self.use_it_or_lose_it,
            quantised: self.quantised,
        }
    }
}

fn outside<T: Read + Display>(section: &Section<'_>, key: &str, value: &T, range: &str) -> Fault {
    let at = section.spanned::<T>(key).map_or_else(|_| section.at().clone(), |found| found.at);
    Fault::new(
        &at,
        format!("`{}.{key}`: `{value}` is out of range; expected {range}", section.place()),
    )
}
