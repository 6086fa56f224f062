//! `drop` as a scenario says it: which policy, and its thresholds in cells, packets or parts of the buffer.

use super::resolved::Room;
use crate::units::{Bytes, Span};

/// `switch.drop` and `edge.drop`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drop {
    /// A cell is lost when there is no room.
    Tail,
    /// Partial packet discard.
    Ppd,
    /// Early packet discard.
    Epd {
        /// Above it no new frame is admitted.
        threshold: Threshold,
    },
    /// Selective Drop.
    SelectiveDrop(FairShare),
    /// Fair Buffer Allocation.
    Fba(FairShare),
    /// Random Early Detection.
    Red(Red),
    /// Flow Random Early Drop.
    Fred {
        /// As of RED.
        red: Red,
        /// What every VC may have in the buffer.
        min_per_vc: Threshold,
    },
    /// Virtual Queuing.
    VirtualQueuing {
        /// Of each virtual queue.
        threshold: Threshold,
    },
    /// Virtual Queuing with Dynamic EPD.
    VqDynamicEpd {
        /// Of the whole queue.
        threshold: Threshold,
    },
    /// Virtual Queuing with MCR scheduling.
    VqMcr {
        /// Of each virtual queue.
        threshold: Threshold,
        /// T: how often credit is given.
        interval: Span,
    },
    /// Enhanced RED: another lottery for marked frames.
    Ered {
        /// Of unmarked frames, CLP = 1.
        unmarked: Red,
        /// Of marked frames, CLP = 0.
        marked: Lottery,
    },
    /// Priority drop.
    Priority {
        /// Above it frames with CLP = 1 are dropped.
        low: Threshold,
        /// Above it all frames are.
        high: Threshold,
    },
    /// Differential Fair Buffer Allocation.
    Dfba {
        /// L.
        low: Threshold,
        /// H.
        high: Threshold,
        /// Weight of fairness in the drop probability.
        alpha: f64,
        /// Scale of the drop probability.
        z: DropScale,
    },
}

/// A filling of the buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// So many.
    Units(Room),
    /// This part of the buffer.
    OfBuffer(f64),
}

/// Parameters of Selective Drop and Fair Buffer Allocation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FairShare {
    /// R: above it a VC may not have more than its share.
    pub threshold: Threshold,
    /// Z: how much of the share.
    pub z: f64,
}

/// Parameters of RED.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Red {
    /// Thresholds and greatest probability.
    pub lottery: Lottery,
    /// wq: of the newest sample in the average.
    pub weight: f64,
    /// A typical frame, by whose transmission times an idle line ages the average.
    pub mean_frame: Bytes,
}

/// Where chance begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lottery {
    /// Below it nothing is dropped.
    pub min_threshold: Threshold,
    /// From it on everything is.
    pub max_threshold: Threshold,
    /// Probability just below the upper one.
    pub max_probability: f64,
}

/// `drop.dfba.z`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DropScale {
    /// Z is the same for all.
    Constant(f64),
    /// Z is `1 - W_i/W`.
    OneMinusShare,
    /// Z is `(1 - W_i/W)^2`.
    OneMinusShareSquared,
    /// Z is what each VC's service says.
    PerVc,
}

/// Keys below `drop` that lead to a threshold.
pub(super) type ThresholdKeys = &'static [&'static str];

impl Drop {
    /// The word of the language for it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Tail => "tail",
            Self::Ppd => "ppd",
            Self::Epd { .. } => "epd",
            Self::SelectiveDrop(_) => "selective_drop",
            Self::Fba(_) => "fba",
            Self::Red(_) => "red",
            Self::Fred { .. } => "fred",
            Self::VirtualQueuing { .. } => "virtual_queuing",
            Self::VqDynamicEpd { .. } => "vq_dynamic_epd",
            Self::VqMcr { .. } => "vq_mcr",
            Self::Ered { .. } => "ered",
            Self::Priority { .. } => "priority",
            Self::Dfba { .. } => "dfba",
        }
    }

    /// What it does that makes no sense with a buffer for each VC.
    pub(super) const fn of_common_buffer(&self) -> Option<&'static str> {
        match self {
            Self::Tail | Self::Ppd | Self::Epd { .. } | Self::Priority { .. } => None,
            Self::Red(_) | Self::Ered { .. } => Some("averages one queue of all VCs"),
            _ => Some("compares VCs that share a buffer"),
        }
    }

    /// Lists of thresholds, each in the order in which they must grow, with their keys.
    pub(super) fn thresholds(&self) -> Vec<Vec<(ThresholdKeys, Threshold)>> {
        match *self {
            Self::Tail | Self::Ppd => Vec::new(),
            Self::Epd { threshold } => vec![vec![(&["epd", "threshold"], threshold)]],
            Self::SelectiveDrop(FairShare { threshold, .. }) => {
                vec![vec![(&["selective_drop", "threshold"], threshold)]]
            }
            Self::Fba(FairShare { threshold, .. }) => vec![vec![(&["fba", "threshold"], threshold)]],
            Self::Red(Red { lottery, .. }) => {
                vec![lottery.in_order([&["red", "min_threshold"], &["red", "max_threshold"]])]
            }
            Self::Fred { red, min_per_vc } => vec![
                red.lottery.in_order([&["fred", "min_threshold"], &["fred", "max_threshold"]]),
                vec![(&["fred", "min_per_vc"], min_per_vc)],
            ],
            Self::VirtualQueuing { threshold } => vec![vec![(&["virtual_queuing", "threshold"], threshold)]],
            Self::VqDynamicEpd { threshold } => vec![vec![(&["vq_dynamic_epd", "threshold"], threshold)]],
            Self::VqMcr { threshold, .. } => vec![vec![(&["vq_mcr", "threshold"], threshold)]],
            Self::Ered { unmarked, marked } => vec![
                unmarked.lottery.in_order([&["ered", "min_threshold"], &["ered", "max_threshold"]]),
                marked.in_order([&["ered", "marked_min_threshold"], &["ered", "marked_max_threshold"]]),
            ],
            Self::Priority { low, high } => {
                vec![vec![(&["priority", "low"], low), (&["priority", "high"], high)]]
            }
            Self::Dfba { low, high, .. } => {
                vec![vec![(&["dfba", "low"], low), (&["dfba", "high"], high)]]
            }
        }
    }
}

impl Lottery {
    fn in_order(&self, [min, max]: [ThresholdKeys; 2]) -> Vec<(ThresholdKeys, Threshold)> {
        vec![(min, self.min_threshold), (max, self.max_threshold)]
    }
}

impl Threshold {
    /// In units, of a buffer of `room`; a part of an unlimited one is never reached.
    pub fn of(self, room: Option<u64>) -> u64 {
        match (self, room) {
            (Self::Units(Room::Cells(cells)), _) => cells.0,
            (Self::Units(Room::Packets(packets)), _) => packets.0,
            (Self::OfBuffer(part), Some(room)) => (part * room as f64 + 0.5) as u64,
            (Self::OfBuffer(_), None) => u64::MAX,
        }
    }
}
