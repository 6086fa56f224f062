//! `drop` as a scenario says it: which policy, and its thresholds in cells, packets or parts of the
//! buffer.

use crate::language::part::prelude::*;
use crate::scenario::part::threshold::Threshold;
use crate::units::{Bytes, Span};

variants! {
    /// `switch.drop` and `edge.drop`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Drop {
        /// A cell is lost when there is no room.
        Tail = "tail",
        /// Partial packet discard: after a loss the rest of the frame goes too, but its last cell.
        Ppd = "ppd",
        /// Early packet discard: above a threshold new frames are dropped whole.
        Epd(Epd) = "epd",
        /// Selective Drop: above a threshold, frames of VCs with more than their equal share of the
        /// queue.
        SelectiveDrop(FairShare) = "selective_drop",
        /// Fair Buffer Allocation: as Selective Drop, more strictly the fuller the buffer.
        Fba(FairShare) = "fba",
        /// Random Early Detection: by lottery, between two thresholds of the mean queue.
        Red(Red) = "red",
        /// Flow Random Early Drop: RED that looks at what each VC has in the buffer.
        Fred(Fred) = "fred",
        /// Virtual Queuing: frames of VCs that a round robin would have queued up beyond a
        /// threshold.
        VirtualQueuing(VirtualQueuing) = "virtual_queuing",
        /// Virtual Queuing with Dynamic EPD: above a threshold, frames of VCs beyond their max-min
        /// share.
        VqDynamicEpd(VqDynamicEpd) = "vq_dynamic_epd",
        /// Virtual Queuing with MCR scheduling: credit for the minimum cell rate admits first.
        VqMcr(VqMcr) = "vq_mcr",
        /// Enhanced RED: a milder lottery for marked frames, CLP = 0.
        Ered(Ered) = "ered",
        /// Frames with CLP = 1 go above one threshold, all above another.
        Priority(Priority) = "priority",
        /// Differential Fair Buffer Allocation: each VC is held to its share of the minimum cell
        /// rates.
        Dfba(Dfba) = "dfba",
    }
}

part! {
    /// Parameters of early packet discard.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Epd {
        /// Cells in the buffer, or part of it, above which no new frame is admitted.
        threshold: Threshold = required("\"200 cell\""),
    }
}

part! {
    /// Parameters of Selective Drop and Fair Buffer Allocation.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FairShare {
        /// R: up to so many in the buffer every frame is admitted.
        threshold: Threshold = required("0.8"),
        /// Z: how much of its equal share a VC may have above the threshold.
        z: f64 = default("0.8", "0.5") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
}

part! {
    /// Where chance begins and ends.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Lottery {
        /// Mean queue below which nothing is dropped.
        min_threshold: Threshold = required("0.2"),
        /// Mean queue from which on everything is dropped.
        max_threshold: Threshold = required("0.6"),
        /// Drop probability of a frame just below `max_threshold`.
        max_probability: f64 = default("0.1", "0.02") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
}

part! {
    /// Parameters of RED.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Red {
        /// Thresholds and greatest probability.
        lottery: Lottery = flat(Lottery),
        /// Weight of the newest sample in the mean queue.
        weight: f64 = default("0.002", "0.01") as Kind::Number(ABOVE_ZERO_TO_ONE),
        /// A typical packet: an idle line lowers the mean queue by one sample of zero in each of
        /// its transmission times.
        mean_frame: Bytes = default("1500 B", "\"9180 B\"") as Kind::Size { least: 1, most: LARGEST_PACKET },
    }
}

part! {
    /// Parameters of FRED.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Fred {
        /// As of RED.
        red: Red = flat(Red),
        /// What every VC may have in the buffer without taking part in the lottery.
        min_per_vc: Threshold = required("0.04"),
    }
}

part! {
    /// Parameters of Virtual Queuing.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct VirtualQueuing {
        /// Virtual queue of a VC above which its frames are dropped.
        threshold: Threshold = required("0.2"),
    }
}

part! {
    /// Parameters of Virtual Queuing with Dynamic EPD.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct VqDynamicEpd {
        /// Queue up to which every frame is admitted.
        threshold: Threshold = required("0.8"),
    }
}

part! {
    /// Parameters of Virtual Queuing with MCR scheduling.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct VqMcr {
        /// Virtual queue of a VC above which its frames need credit.
        threshold: Threshold = required("0.2"),
        /// T: how often a VC is given credit, for the cells that its minimum cell rate sends in
        /// that time.
        interval: Span = default("1 ms", "\"5 ms\"") as POSITIVE_TIME,
    }
}

part! {
    /// Parameters of Enhanced RED: those of RED are for unmarked frames, CLP = 1.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Ered {
        /// Of unmarked frames.
        unmarked: Red = flat(Red),
        /// The same for marked frames.
        marked_min_threshold: Option<Threshold> = absent("as `min_threshold`", "0.4"),
        /// The same for marked frames.
        marked_max_threshold: Option<Threshold> = absent("as `max_threshold`", "0.8"),
        /// The same for marked frames.
        marked_max_probability: f64 = default("0.02", "0.05") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
    finish Ered::complete;
}

part! {
    /// Parameters of priority drop.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Priority {
        /// Queue above which frames with CLP = 1 are dropped.
        low: Threshold = required("0.5"),
        /// Queue above which all frames are dropped.
        high: Threshold = required("0.8"),
    }
}

part! {
    /// Parameters of Differential Fair Buffer Allocation.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Dfba {
        /// L: queue below which every frame is admitted.
        low: Threshold = required("0.5"),
        /// H: queue above which every frame is dropped.
        high: Threshold = required("0.8"),
        /// Weight of fairness in the drop probability; that of efficiency is the rest.
        alpha: f64 = default("0.5", "0.8") as Kind::Number(ZERO_TO_ONE),
        /// Z: the scale of the drop probability of each VC.
        z: DropScale = default("one", "\"one_minus_share\""),
    }
    finish Dfba::complete;
}

variants! {
    /// `drop.dfba.z`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[expect(clippy::doc_markdown, reason = "the reference shows the text as it is")]
    pub enum DropScale {
        /// 1 for all.
        One = "one",
        /// The same for all.
        Constant(f64) = "constant" value("0.5") as Kind::Number(ZERO_TO_ONE),
        /// 1 - W_i/W: less for VCs with much of the minimum cell rates.
        OneMinusShare = "one_minus_share",
        /// (1 - W_i/W)^2.
        OneMinusShareSquared = "one_minus_share_squared",
        /// The `z` of each VC's `service.gfr`.
        PerVc = "per_vc",
    }
}

impl Ered {
    /// Marked frames have the thresholds of the others, unless they are given their own.
    #[expect(clippy::unnecessary_wraps, reason = "what finishes a part may refuse it")]
    fn complete(self, _: &Section<'_>) -> Result<Self, Fault> {
        let Lottery { min_threshold, max_threshold, .. } = self.unmarked.lottery;
        Ok(Self {
            marked_min_threshold: self.marked_min_threshold.or(Some(min_threshold)),
            marked_max_threshold: self.marked_max_threshold.or(Some(max_threshold)),
            ..self
        })
    }

    /// Of marked frames, CLP = 0.
    pub fn marked(&self) -> Lottery {
        let unmarked = self.unmarked.lottery;
        Lottery {
            min_threshold: self.marked_min_threshold.unwrap_or(unmarked.min_threshold),
            max_threshold: self.marked_max_threshold.unwrap_or(unmarked.max_threshold),
            max_probability: self.marked_max_probability,
        }
    }
}

impl Dfba {
    /// Two ways to say one thing are one scenario.
    #[expect(clippy::unnecessary_wraps, reason = "what finishes a part may refuse it")]
    fn complete(self, _: &Section<'_>) -> Result<Self, Fault> {
        let z = if self.z == DropScale::One { DropScale::Constant(1.0) } else { self.z };
        Ok(Self { z, ..self })
    }
}

/// Keys below `drop` that lead to a threshold.
pub(crate) type ThresholdKeys = &'static [&'static str];

impl Drop {
    /// What it does that makes no sense with a buffer for each VC.
    pub(crate) const fn of_common_buffer(&self) -> Option<&'static str> {
        match self {
            Self::Tail | Self::Ppd | Self::Epd(_) | Self::Priority(_) => None,
            Self::Red(_) | Self::Ered(_) => Some("averages one queue of all VCs"),
            Self::SelectiveDrop(_)
            | Self::Fba(_)
            | Self::Fred(_)
            | Self::VirtualQueuing(_)
            | Self::VqDynamicEpd(_)
            | Self::VqMcr(_)
            | Self::Dfba(_) => Some("compares VCs that share a buffer"),
        }
    }

    /// Lists of thresholds, each in the order in which they must grow, with their keys.
    pub(crate) fn thresholds(&self) -> Vec<Vec<(ThresholdKeys, Threshold)>> {
        match *self {
            Self::Tail | Self::Ppd => Vec::new(),
            Self::Epd(Epd { threshold }) => vec![vec![(&["epd", "threshold"], threshold)]],
            Self::SelectiveDrop(FairShare { threshold, .. }) => {
                vec![vec![(&["selective_drop", "threshold"], threshold)]]
            }
            Self::Fba(FairShare { threshold, .. }) => {
                vec![vec![(&["fba", "threshold"], threshold)]]
            }
            Self::Red(Red { lottery, .. }) => {
                vec![lottery.in_order([&["red", "min_threshold"], &["red", "max_threshold"]])]
            }
            Self::Fred(Fred { red, min_per_vc }) => vec![
                red.lottery.in_order([&["fred", "min_threshold"], &["fred", "max_threshold"]]),
                vec![(&["fred", "min_per_vc"], min_per_vc)],
            ],
            Self::VirtualQueuing(VirtualQueuing { threshold }) => {
                vec![vec![(&["virtual_queuing", "threshold"], threshold)]]
            }
            Self::VqDynamicEpd(VqDynamicEpd { threshold }) => {
                vec![vec![(&["vq_dynamic_epd", "threshold"], threshold)]]
            }
            Self::VqMcr(VqMcr { threshold, .. }) => {
                vec![vec![(&["vq_mcr", "threshold"], threshold)]]
            }
            Self::Ered(ered) => vec![
                ered.unmarked
                    .lottery
                    .in_order([&["ered", "min_threshold"], &["ered", "max_threshold"]]),
                ered.marked().in_order([
                    &["ered", "marked_min_threshold"],
                    &["ered", "marked_max_threshold"],
                ]),
            ],
            Self::Priority(Priority { low, high }) => {
                vec![vec![(&["priority", "low"], low), (&["priority", "high"], high)]]
            }
            Self::Dfba(Dfba { low, high, .. }) => {
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
