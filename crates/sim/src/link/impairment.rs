//! What a line does to the units on it besides delaying them.
//!
//! The sending end decides, unit by unit in the order in which they are sent. An impairment has its
//! own random stream, so one link's losses change no other draw; what it did is counted by its
//! name. A link without impairments asks one question per unit; the impairments of a link that has
//! some are dispatched dynamically, which a random draw per unit outweighs, and so one from outside
//! the crate costs no more than one of ours.
//!
//! A bit error in a data cell spoils its AAL5 frame, which the receiver's CRC-32 notices: the cell
//! travels on. A packet fails the frame check of its link, and a resource-management cell its
//! CRC-10, at the next node: both are lost.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::engine::LinkId;
use crate::pdu::{CellHead, Frame};
use crate::result::{ImpairmentCounters, Ledger, Window};
use crate::units::Time;

/// What becomes of a unit on its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives as it was sent.
    Delivered,
    /// It arrives with bit errors in its payload.
    Corrupted,
    /// It does not arrive.
    Lost,
}

/// A unit as its last bit is sent.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'f> {
    /// When.
    pub at: Time,
    /// The cell, or the packet.
    pub head: CellHead,
    /// On the wire.
    pub bits: u64,
    /// The packet, or the frame that ends with the cell.
    pub frame: Option<&'f Frame>,
}

/// One way in which a link spoils units.
pub trait Impairment: Debug {
    /// The name that its counters have; no other impairment of the link has it.
    fn name(&self) -> &'static str;
    /// What becomes of the next unit. Units come in the order in which they are sent, each once,
    /// but for those that an earlier impairment of the link has lost.
    fn judge(&mut self, unit: &Sent<'_>) -> Fate;
}

/// Counts of three periods: up to the end of the warm-up, up to the end of the run, and beyond:
/// senders know ahead what they send, and put it on the link early.
type Periods<T> = [T; 3];

/// The impairments of one direction of a link, and what they did.
#[derive(Debug)]
pub(super) struct Impaired {
    window: Window,
    sent: Periods<u64>,
    impairments: Vec<(Box<dyn Impairment>, Periods<ImpairmentCounters>)>,
    lost_of_vc: BTreeMap<u32, Periods<u64>>,
}

impl Impaired {
    pub(super) fn new(impairments: Vec<Box<dyn Impairment>>, window: Window) -> Self {
        let counted = impairments.into_iter().map(|one| (one, Periods::default()));
        Self {
            window,
            sent: Periods::default(),
            impairments: counted.collect(),
            lost_of_vc: BTreeMap::new(),
        }
    }

    /// The unit as it arrives; `None` if it does not. One that is checked at the next node arrives
    /// without errors or not at all.
    pub(super) fn pass(&mut self, unit: &Sent<'_>, is_checked: bool) -> Option<CellHead> {
        let period =
            usize::from(unit.at > self.window.from) + usize::from(unit.at > self.window.until);
        self.sent[period] += 1;
        let mut arriving = unit.head;
        for (impairment, counters) in &mut self.impairments {
            let counters = &mut counters[period];
            counters.units += 1;
            match impairment.judge(unit) {
                Fate::Delivered => {}
                Fate::Corrupted if !is_checked => {
                    counters.corrupted += 1;
                    arriving = arriving.with_bit_error();
                }
                Fate::Corrupted | Fate::Lost => {
                    counters.lost += 1;
                    self.lost_of_vc.entry(unit.head.vc()).or_default()[period] += 1;
                    return None;
                }
            }
        }
        Some(arriving)
    }

    /// What was sent by `at`, the end of the warm-up or of the run. What is sent later and will be
    /// lost is still inside the network.
    pub(super) fn report(&self, link: LinkId, at: Time, ledger: &mut Ledger) {
        let past = if at < self.window.until { 1 } else { 2 };
        let counted = self.impairments.iter().map(|(impairment, counters)| {
            (impairment.name(), ImpairmentCounters::sum(&counters[..past]))
        });
        let counters = &mut ledger.links[link.0 as usize];
        counters.impairments = counted.collect();
        counters.sent = Some(self.sent[..past].iter().sum());
        for (&vc, lost) in &self.lost_of_vc {
            let vc = &mut ledger.vcs[vc as usize];
            vc.lost_on_links += lost[..past].iter().sum::<u64>();
            vc.queued += lost[past..].iter().sum::<u64>();
        }
    }
}
