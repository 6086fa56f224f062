//! The source end system (TM 4.0 section 5.10.4), rules 1 to 13.
//!
//! Choices that the standard leaves: rates are doubles, the time to the next in-rate cell is 1/ACR
//! rounded up to the picosecond and counts from the last in-rate cell, so a change of ACR moves the
//! next cell at once. Trm fires only after Mrm cells, so a source without cells to send is silent.
//! Out-of-rate RM cells are sent only while ACR is below TCR and something waits. The first in-rate
//! cell of a silent source is a forward RM cell (rule 2).

use super::{Abr, CountBased, TimeBased, Turnaround, UseItOrLoseIt};
use crate::pdu::{Direction, RmCell};
use crate::units::{CellRate, Span, Time};

/// The next cell of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Emission {
    /// A data cell.
    Data,
    /// A forward RM cell, or a returned one, in rate (CLP = 0).
    InRate(RmCell),
    /// A forward RM cell, or a returned one, out of rate (CLP = 1).
    OutOfRate(RmCell),
}

/// The source of one direction of a VC, and the returner of the RM cells of the other.
#[derive(Clone, Debug)]
pub struct Source {
    abr: Abr,
    acr: CellRate,
    /// 1/ACR.
    spacing: Span,
    last_in_rate: Option<Time>,
    last_forward: Option<Time>,
    last_out_of_rate: Option<Time>,
    /// In-rate cells since the last in-rate forward RM cell.
    cells_since_forward: u32,
    /// True if one of these cells was a backward RM cell.
    has_returned: bool,
    /// In-rate forward RM cells since a backward one with BN = 0 arrived.
    unanswered: u64,
    /// The count-based rule has just lowered ACR: the next increase is skipped.
    skips_increase: bool,
    /// RM cells that the destination of the other direction returns.
    pub turnaround: Turnaround,
}

impl Source {
    /// A source that has sent nothing; ACR = ICR (rule 2).
    pub fn new(abr: Abr) -> Self {
        Self {
            abr,
            acr: abr.icr,
            spacing: abr.icr.spacing(),
            last_in_rate: None,
            last_forward: None,
            last_out_of_rate: None,
            cells_since_forward: 0,
            has_returned: false,
            unanswered: 0,
            skips_increase: false,
            turnaround: Turnaround::default(),
        }
    }

    /// Allowed cell rate.
    pub fn acr(&self) -> CellRate {
        self.acr
    }

    /// Earliest instant for the next cell, if a data cell waits since `data_since`. An instant in
    /// the past means at once, [`Time::MAX`] that there is nothing to send.
    #[inline]
    pub fn next_time(&self, data_since: Time) -> Time {
        if self.turnaround.has_out_of_rate() {
            return Time::ZERO;
        }
        let has_data = data_since < Time::MAX;
        let in_rate =
            self.last_in_rate.map_or(Time::ZERO, |last| last.saturating_add(self.spacing));
        let wanted = if self.turnaround.has_in_rate() {
            Time::ZERO
        } else if has_data {
            data_since
        } else if self.cells_since_forward >= self.abr.mrm {
            self.last_forward.map_or(Time::MAX, |last| last + self.abr.trm)
        } else {
            return Time::MAX;
        };
        let in_rate = in_rate.max(wanted);
        if self.acr >= self.abr.tcr {
            in_rate
        } else {
            in_rate.min(self.next_out_of_rate().max(wanted))
        }
    }

    /// Rule 11: at most TCR, counted from the last forward RM cell of either kind.
    fn next_out_of_rate(&self) -> Time {
        let last = self.last_out_of_rate.max(self.last_forward);
        last.map_or(Time::ZERO, |last| last.saturating_add(self.abr.tcr.spacing()))
    }

    /// Sends the cell that leaves at `now`, not before [`next_time`](Self::next_time); `has_data`
    /// if a data cell waits.
    pub fn emit(&mut self, now: Time, has_data: bool) -> Emission {
        if let Some(rm) = self.turnaround.take_out_of_rate() {
            return Emission::OutOfRate(rm);
        }
        let in_rate =
            self.last_in_rate.map_or(Time::ZERO, |last| last.saturating_add(self.spacing));
        if now < in_rate {
            self.last_out_of_rate = Some(now);
            return Emission::OutOfRate(self.forward_rm());
        }
        let emission = self.choose(now, has_data);
        self.last_in_rate = Some(now);
        emission
    }

    /// Rule 3: a forward RM cell if it is due, else a backward one in its turn, else data.
    fn choose(&mut self, now: Time, has_data: bool) -> Emission {
        if self.is_forward_due(now) {
            self.before_forward(now);
            self.last_forward = Some(now);
            self.cells_since_forward = 0;
            self.has_returned = false;
            self.unanswered += 1;
            return Emission::InRate(self.forward_rm());
        }
        self.cells_since_forward += 1;
        let has_turn = !self.has_returned || !has_data;
        if has_turn && let Some(rm) = self.turnaround.take_in_rate() {
            self.has_returned = true;
            return Emission::InRate(rm);
        }
        Emission::Data
    }

    fn is_forward_due(&self, now: Time) -> bool {
        let Some(last) = self.last_forward else { return true };
        self.cells_since_forward >= self.abr.nrm - 1
            || (self.cells_since_forward >= self.abr.mrm && now - last >= self.abr.trm)
    }

    /// Rules 5, 6 and 13, in the standard's order.
    fn before_forward(&mut self, now: Time) {
        let Some(last) = self.last_forward else { return };
        let since = now - last;
        if since > self.abr.adtf && self.acr > self.abr.icr {
            self.set_acr(self.abr.icr);
        } else {
            self.lose_unused(since);
        }
        if self.abr.cdf > 0.0 && self.unanswered >= self.abr.crm {
            self.set_acr(CellRate(self.acr.0 - self.acr.0 * self.abr.cdf));
        }
    }

    fn lose_unused(&mut self, since: Span) {
        let seconds = since.seconds_f64();
        let used = CellRate(f64::from(self.cells_since_forward + 1) / seconds);
        match self.abr.use_it_or_lose_it {
            UseItOrLoseIt::Retain => {}
            UseItOrLoseIt::TimeBased(TimeBased { tof }) => {
                let expected = f64::from(self.abr.nrm) / self.acr.0;
                if self.acr > self.abr.icr && seconds > tof * expected {
                    self.set_acr(used.max(self.abr.icr).min(self.acr));
                }
            }
            UseItOrLoseIt::CountBased(CountBased { headroom }) => {
                if self.acr.0 - used.0 > CellRate::of(headroom).0 {
                    let lowered = CellRate(used.0 + self.abr.icr.0).max(self.abr.tcr);
                    self.skips_increase |= lowered < self.acr;
                    self.set_acr(lowered.min(self.acr));
                }
            }
        }
    }

    /// Forward RM cell by rule 10, with the rates that rules 5 and 6 left (rule 7).
    fn forward_rm(&self) -> RmCell {
        RmCell {
            direction: Direction::Forward,
            is_notification: false,
            ci: false,
            ni: false,
            er: self.coded(self.abr.pcr),
            ccr: self.coded(self.acr),
            mcr: self.coded(self.abr.mcr),
        }
    }

    fn coded(&self, rate: CellRate) -> CellRate {
        if self.abr.quantised { rate.quantised() } else { rate }
    }

    /// A backward RM cell arrived: rules 8 and 9.
    pub fn on_backward_rm(&mut self, rm: &RmCell) {
        if !rm.is_notification {
            self.unanswered = 0;
        }
        let acr = if rm.ci {
            CellRate(self.acr.0 - self.acr.0 * self.abr.rdf)
        } else if rm.ni || std::mem::take(&mut self.skips_increase) {
            self.acr
        } else {
            CellRate(self.acr.0 + self.abr.rif * self.abr.pcr.0)
        };
        self.set_acr(acr.min(self.coded(rm.er)));
    }

    /// Rule 1: MCR ≤ ACR ≤ PCR.
    fn set_acr(&mut self, acr: CellRate) {
        self.acr = acr.min(self.abr.pcr).max(self.abr.mcr);
        self.spacing = self.acr.spacing();
    }
}
