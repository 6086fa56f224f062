//! States, with their gains of the pacing rate and of cwnd (section 5.6.1 of the draft).

/// Gain that doubles the rate in every round: 4 ln 2.
pub(super) const STARTUP_GAIN: f64 = 4.0 * std::f64::consts::LN_2;
const CWND_GAIN: f64 = 2.0;
pub(super) const PROBE_RTT_GAIN: f64 = 0.5;

/// A state; its number is that of the series `state`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// Acceleration until the pipe is full.
    #[default]
    Startup,
    /// Deceleration until the queue of Startup has drained.
    Drain,
    /// `ProbeBW_DOWN`: deceleration until a queue has drained and headroom is left.
    Down,
    /// `ProbeBW_CRUISE`: the rate of the path.
    Cruise,
    /// `ProbeBW_REFILL`: the rate of the path for a round, without short-term bounds.
    Refill,
    /// `ProbeBW_UP`: acceleration until the rate no longer grows, or losses.
    Up,
    /// Few bytes in flight, so that the round trip is that of empty queues.
    ProbeRtt,
}

impl State {
    /// Factor of the pacing rate.
    pub(super) fn pacing_gain(self) -> f64 {
        match self {
            Self::Startup => STARTUP_GAIN,
            Self::Drain => 0.5,
            Self::Down => 0.9,
            Self::Up => 1.25,
            Self::Cruise | Self::Refill | Self::ProbeRtt => 1.0,
        }
    }

    /// Factor of the bandwidth-delay product in cwnd.
    pub(super) fn cwnd_gain(self) -> f64 {
        match self {
            Self::Up => 2.25,
            Self::ProbeRtt => PROBE_RTT_GAIN,
            Self::Startup | Self::Drain | Self::Down | Self::Cruise | Self::Refill => CWND_GAIN,
        }
    }

    /// True in the four states of `ProbeBW`.
    pub(super) fn is_probe_bw(self) -> bool {
        matches!(self, Self::Down | Self::Cruise | Self::Refill | Self::Up)
    }

    /// True in states that seek more bandwidth: a loss is then no short-term signal.
    pub(super) fn is_probing(self) -> bool {
        matches!(self, Self::Startup | Self::Refill | Self::Up)
    }
}
