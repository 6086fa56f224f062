//! Impairments of a line: losses, errors, extra delays and copies of the units on it.
//!
//! The sending end decides, unit by unit in the order in which they are sent. An impairment has its
//! own random stream, so one link's losses change no other draw; its effects are counted under its
//! name. A link without impairments asks one question per unit. Impairments are dispatched
//! dynamically, which costs less than a random draw per unit; so an impairment from outside the
//! crate costs no more than one of ours.
//!
//! A bit error in a data cell spoils its AAL5 frame, which the receiver's CRC-32 detects: the cell
//! is forwarded. A packet fails the frame check of its link, and a resource-management cell its
//! CRC-10, at the next node: both are lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::CellRun;
use super::delay::Excess;
use crate::engine::LinkId;
use crate::pdu::{CellHead, Frame};
use crate::result::{ImpairmentCounters, Ledger, Window};
use crate::units::{Span, Time};

/// The outcome of a unit on its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives as it was sent.
    Delivered,
    /// It arrives with bit errors in its payload.
    Corrupted,
    /// It does not arrive.
    Lost,
    /// It is sent anew, its last bit at this instant; units behind it in order stay behind it.
    Waits(Time),
    /// It arrives so much later, and units behind it overtake it; for packets.
    Delayed(Span),
    /// It arrives twice; for packets.
    Duplicated,
}

/// A unit as its last bit is sent.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'f> {
    /// The instant at which the last bit is sent.
    pub at: Time,
    /// The cell, or the packet.
    pub head: CellHead,
    /// Bits on the wire.
    pub bits: u64,
    /// The packet, or the frame that ends with the cell.
    pub frame: Option<&'f Frame>,
}

/// An impairment of one direction of a link.
pub trait Impairment: Debug {
    /// The name of its counters; no other impairment of the link has it.
    fn name(&self) -> &'static str;
    /// Decides the outcome of the next unit. Units come in the order in which they are sent, each
    /// once, except those that an earlier impairment of the link has lost.
    fn judge(&mut self, unit: &Sent<'_>) -> Fate;

    /// True if every cell that arrives does so at the time at which it would without the
    /// impairment; only then may the link carry trains.
    fn keeps_time(&self) -> bool {
        false
    }

    /// True if it delivers every cell of the next run unchanged. Called only if the impairment
    /// keeps time; false where it cannot tell, and then each cell is judged.
    fn delivers_all(&mut self, _cells: &CellRun) -> bool {
        false
    }

    /// Updates the state for a run of cells that it delivers unchanged, as judging each would have
    /// done.
    fn pass(&mut self, _cells: &CellRun) {}
}

/// Counts of three periods: up to the end of the warm-up, up to the end of the run, and beyond:
/// senders know ahead what they will send, and put it on the link early.
type Periods<T> = [T; 3];

/// Impairments of one direction of a link, and counts of their effects.
#[derive(Debug)]
pub(super) struct Impaired {
    window: Window,
    impairments: Vec<(Box<dyn Impairment>, Periods<ImpairmentCounters>)>,
    /// Time by which the propagation exceeds its shortest value.
    excess: Option<Excess>,
    /// The latest arrival of a unit that keeps its order, less the shortest propagation.
    last: Time,
    sent: Periods<u64>,
    lost_of_vc: BTreeMap<u32, Periods<u64>>,
    copies_of_vc: BTreeMap<u32, Periods<u64>>,
}

/// A unit, or a copy of it, that arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arriving {
    /// The arrival, less the shortest propagation.
    pub(super) at: Time,
    pub(super) head: CellHead,
}

/// A unit, or its copy, on its way past the impairments.
#[derive(Clone, Copy)]
struct OnLine {
    head: CellHead,
    /// The instant at which its last bit is sent.
    at: Time,
    extra: Span,
    /// Number of impairments that it has met.
    met: usize,
}

/// Conditions under which a unit is judged.
#[derive(Clone, Copy)]
struct Judging {
    period: usize,
    is_checked: bool,
}

impl Impaired {
    pub(super) fn new(
        impairments: Vec<Box<dyn Impairment>>,
        excess: Option<Excess>,
        window: Window,
    ) -> Self {
        let counted = impairments.into_iter().map(|one| (one, Periods::default()));
        Self {
            window,
            impairments: counted.collect(),
            excess,
            last: Time::ZERO,
            sent: Periods::default(),
            lost_of_vc: BTreeMap::new(),
            copies_of_vc: BTreeMap::new(),
        }
    }

    /// Index of the period of an instant.
    fn period(&self, at: Time) -> usize {
        let Window { from, until } = self.window;
        usize::from(at > from) + usize::from(at > until)
    }

    /// True if every unit that arrives does so at the time at which it would without impairments.
    pub(super) fn keeps_time(&self) -> bool {
        self.excess.is_none() && self.impairments.iter().all(|(one, _)| one.keeps_time())
    }

    /// True if every cell of a run arrives unchanged; the run is then counted as sent.
    /// Called only if all impairments keep time.
    pub(super) fn delivers_all(&mut self, cell_run: &CellRun) -> bool {
        let period = self.period(cell_run.first);
        let is_exempt = period == self.period(cell_run.last)
            && self.impairments.iter_mut().all(|(one, _)| one.delivers_all(cell_run));
        if is_exempt {
            self.sent[period] += cell_run.cells;
            for (impairment, counters) in &mut self.impairments {
                counters[period].units += cell_run.cells;
                impairment.pass(cell_run);
            }
        }
        is_exempt
    }

    /// Passes a unit through the impairments and returns the arrivals, copies last. A unit that the
    /// next node checks arrives without errors or not at all.
    pub(super) fn pass(
        &mut self,
        unit: &Sent<'_>,
        is_checked: bool,
    ) -> impl Iterator<Item = Arriving> + use<> {
        let period = self.period(unit.at);
        self.sent[period] += 1;
        let passing = OnLine { head: unit.head, at: unit.at, extra: Span::ZERO, met: 0 };
        let judging = Judging { period, is_checked };
        let (first, copy) = self.pass_from(unit, passing, judging);
        // A link has duplication only once, so that no copy has copies.
        let second = copy.and_then(|copy| self.pass_from(unit, copy, judging).0);
        first.into_iter().chain(second)
    }

    /// Passes a unit, or a copy, through the impairments that it has not met; returns its arrival
    /// and a copy of it.
    fn pass_from(
        &mut self,
        unit: &Sent<'_>,
        mut passing: OnLine,
        Judging { period, is_checked }: Judging,
    ) -> (Option<Arriving>, Option<OnLine>) {
        let vc = unit.head.vc();
        let mut copy = None;
        let first = passing.met;
        for (impairment, counters) in &mut self.impairments[first..] {
            let counters = &mut counters[period];
            counters.units += 1;
            passing.met += 1;
            match impairment.judge(unit) {
                Fate::Delivered => {}
                Fate::Corrupted if !is_checked => {
                    counters.corrupted += 1;
                    passing.head = passing.head.with_bit_error();
                }
                Fate::Corrupted | Fate::Lost => {
                    counters.lost += 1;
                    self.lost_of_vc.entry(vc).or_default()[period] += 1;
                    return (None, copy);
                }
                Fate::Waits(until) => {
                    counters.delayed += 1;
                    passing.at = passing.at.max(until);
                }
                Fate::Delayed(extra) => {
                    counters.delayed += 1;
                    passing.extra += extra;
                }
                Fate::Duplicated => {
                    counters.duplicated += 1;
                    self.copies_of_vc.entry(vc).or_default()[period] += 1;
                    copy = Some(passing);
                }
            }
        }
        (Some(self.arrival(passing)), copy)
    }

    /// The arrival of a unit; if it is not held back, no earlier than units sent before it.
    fn arrival(&mut self, passing: OnLine) -> Arriving {
        let excess = self.excess.as_mut().map_or(Span::ZERO, |excess| excess.at(passing.at));
        self.last = self.last.max(passing.at + excess);
        Arriving { at: self.last + passing.extra, head: passing.head }
    }

    /// Reports the counts up to `at`, the end of the warm-up or of the run. A unit that is sent
    /// later and will be lost is still inside the network.
    pub(super) fn report(&self, link: LinkId, at: Time, ledger: &mut Ledger) {
        let past = if at < self.window.until { 1 } else { 2 };
        let counted = self.impairments.iter().map(|(impairment, counters)| {
            (impairment.name(), ImpairmentCounters::sum(&counters[..past]))
        });
        let counters = &mut ledger.links[link.0 as usize];
        counters.impairments = counted.collect();
        counters.sent = Some(self.sent[..past].iter().sum());
        for (&vc, lost) in &self.lost_of_vc {
            ledger.vcs[vc as usize].lost_on_links += lost[..past].iter().sum::<u64>();
        }
        for (&vc, copies) in &self.copies_of_vc {
            ledger.vcs[vc as usize].duplicated += copies[..past].iter().sum::<u64>();
        }
        self.report_ahead(past, ledger);
    }

    /// Reports losses and copies after the periods that are `past`. A unit that will be copied and
    /// lost, once or twice, is one unit inside: losses and copies cancel each other, also beyond
    /// the units on the link.
    fn report_ahead(&self, past: usize, ledger: &mut Ledger) {
        let ahead = |counts: Option<&Periods<u64>>| {
            counts.map_or(0, |counts| counts[past..].iter().sum::<u64>())
        };
        let vcs: BTreeSet<u32> =
            self.lost_of_vc.keys().chain(self.copies_of_vc.keys()).copied().collect();
        for vc in vcs {
            let lost = ahead(self.lost_of_vc.get(&vc));
            let copies = ahead(self.copies_of_vc.get(&vc));
            let vc = &mut ledger.vcs[vc as usize];
            vc.queued += lost - lost.min(copies);
            vc.copies_to_come += copies - lost.min(copies);
        }
    }
}
