//! States of version 1, with their gains of the pacing rate and of cwnd.

use crate::units::Time;

/// Gain that doubles the rate in every round: 2/ln 2.
pub(super) const HIGH_GAIN: f64 = 2.0 / std::f64::consts::LN_2;
/// Gains of the phases of `ProbeBW`.
pub(super) const CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum State {
    #[default]
    Startup,
    Drain,
    ProbeBw {
        phase: usize,
        since: Time,
    },
    ProbeRtt {
        /// The instant at which it may end, once few bytes are in flight.
        until: Option<Time>,
        round_done: bool,
    },
}

impl State {
    pub(super) fn pacing_gain(self) -> f64 {
        match self {
            Self::Startup => HIGH_GAIN,
            Self::Drain => 1.0 / HIGH_GAIN,
            Self::ProbeBw { phase, .. } => CYCLE[phase],
            Self::ProbeRtt { .. } => 1.0,
        }
    }

    pub(super) fn cwnd_gain(self) -> f64 {
        match self {
            Self::Startup | Self::Drain => HIGH_GAIN,
            Self::ProbeBw { .. } => 2.0,
            Self::ProbeRtt { .. } => 1.0,
        }
    }

    pub(super) fn is_probe_bw(self) -> bool {
        matches!(self, Self::ProbeBw { .. })
    }

    /// Its number in the series `state`.
    pub(super) fn number(self) -> f64 {
        match self {
            Self::Startup => 0.0,
            Self::Drain => 1.0,
            Self::ProbeBw { .. } => 2.0,
            Self::ProbeRtt { .. } => 3.0,
        }
    }
}
