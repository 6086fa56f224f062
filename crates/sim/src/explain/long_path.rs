//! Facts of long paths: the window that fills the path, the time in which slow start opens it, and
//! the loss that halves the throughput.
//!
//! **Slow start**: rounds of `cellway_theory::tcp::slow_start`. A lone first segment is
//! acknowledged by the timer of delayed acknowledgements. Each round takes an unloaded round trip;
//! the window is open when the last acknowledgement that it needs has arrived.
//!
//! **Loss that halves the throughput**: the loss at which a formula of `cellway-theory` gives half
//! of the throughput without loss. The timeout of PFTK is the shortest one allowed, or the round
//! trip and a tick (granularity) if that is longer, as if round trips did not vary.
//!
//! Departures: queues that slow start fills, `HyStart++` and processors that are slower than the
//! line are not included; the simulator models them.

use cellway_theory::tcp::slow_start::Acknowledged::{Every, Second};
use cellway_theory::tcp::slow_start::rounds;
use cellway_theory::tcp::{cubic, inverse, pftk, square_root};
use serde::Serialize;

use crate::result::Shaped;
use crate::scenario::resolved::{AckRule, CongestionLaw, FixedRto, Tcp, Timers};

/// Facts of a flow with a transport on a long path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct LongPathFacts {
    /// The fewest whole segments that fill the path for an unloaded round trip, bytes.
    pub window_needed_bytes: u64,
    /// Slow start to that window, or to the receiver's, or to the initial slow-start threshold if
    /// these are smaller; absent if the initial window is as large, or the law opens otherwise.
    pub slow_start: Option<SlowStartFacts>,
    /// Losses per segment at which half of the throughput remains.
    pub halving_loss: HalvingLossFacts,
}

/// Duration of slow start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct SlowStartFacts {
    /// Window at the end of slow start, whole segments.
    pub segments: u64,
    /// Duration of slow start with the flow's own rule of acknowledgements.
    pub seconds: f64,
    /// Round trips with an acknowledgement for every segment.
    pub round_trips_every_segment: u32,
    /// Round trips with delayed acknowledgements.
    pub round_trips_delayed: u32,
    /// Wait for the acknowledgement of a lone first segment, part of `seconds`.
    pub first_ack_wait_seconds: f64,
}

/// Halving loss by formula; absent where no loss between 1e-16 and 0.5 gives it, and with laws
/// other than Reno's and CUBIC.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct HalvingLossFacts {
    /// Half of the throughput without loss.
    pub bits_per_second: f64,
    /// Halving loss by the square-root law: each loss halves the window, and nothing times out.
    #[unit("1")]
    pub square_root: Option<f64>,
    /// Halving loss by PFTK: Reno with timeouts and the receiver's window.
    #[unit("1")]
    pub pftk: Option<f64>,
    /// Halving loss by RFC 9438; absent with other laws than CUBIC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[unit("1")]
    pub cubic: Option<f64>,
}

/// Facts of a flow with the numbers of its path, and `expected` bits per second without loss.
pub(super) fn facts(tcp: &Tcp, rtt: f64, ceiling: f64, expected: f64) -> LongPathFacts {
    let mss = tcp.full_segment();
    let needed = (ceiling * rtt / 8.0 / mss as f64).ceil().max(1.0) as u64;
    let window = (tcp.largest_advertised() / mss).max(1);
    let threshold = tcp.initial_ssthresh.map_or(u64::MAX, |bytes| bytes.0.div_ceil(mss));
    LongPathFacts {
        window_needed_bytes: needed * mss,
        slow_start: slow_start(tcp, rtt, needed.min(window).min(threshold)),
        halving_loss: halving_loss(tcp, rtt, window, expected / 2.0),
    }
}

fn slow_start(tcp: &Tcp, rtt: f64, segments: u64) -> Option<SlowStartFacts> {
    let first = u64::from(tcp.initial_window);
    // Vegas doubles its window in every other round trip, and Hybla by another power.
    let differs = matches!(tcp.congestion, CongestionLaw::Vegas(_) | CongestionLaw::Hybla(_));
    if segments <= first || differs {
        return None;
    }
    let (every, delayed) = (rounds(first, segments, Every), rounds(first, segments, Second));
    let is_delayed = tcp.ack != AckRule::EverySegment;
    let wait =
        if tcp.ack == AckRule::Delayed && first == 1 { mean_ack_delay(tcp.timers) } else { 0.0 };
    let rounds = if is_delayed { delayed } else { every };
    Some(SlowStartFacts {
        segments,
        seconds: f64::from(rounds) * rtt + wait,
        round_trips_every_segment: every,
        round_trips_delayed: delayed,
        first_ack_wait_seconds: wait,
    })
}

/// Mean delay of an ACK in seconds; half a period of a free-running tick.
pub(super) fn mean_ack_delay(timers: Timers) -> f64 {
    match timers {
        Timers::Bsd(bsd) => bsd.fast.seconds_f64() / 2.0,
        Timers::Fine(fine) => fine.ack_delay.seconds_f64(),
        Timers::Fixed(fixed) => fixed.ack_delay.seconds_f64(),
    }
}

fn halving_loss(tcp: &Tcp, rtt: f64, window: u64, half: f64) -> HalvingLossFacts {
    let segments_per_second = half / (8.0 * tcp.full_segment() as f64);
    let segments_per_ack = match tcp.ack {
        AckRule::Delayed | AckRule::Quick(_) => 2.0,
        AckRule::EverySegment => 1.0,
    };
    let path = pftk::Connection {
        round_trip: rtt,
        timeout: timeout(tcp.timers, rtt),
        segments_per_ack,
        max_window: window as f64,
    };
    let at = |formula: &dyn Fn(f64) -> Option<f64>| {
        inverse::loss_of_rate(segments_per_second, |loss| formula(loss).unwrap_or(f64::NAN))
    };
    let is_cubic = matches!(tcp.congestion, CongestionLaw::Cubic(_));
    let has_formula = is_cubic || tcp.congestion == CongestionLaw::Reno;
    let by_square_root = |loss| square_root::rate(loss, rtt, segments_per_ack).ok();
    let by_pftk = |loss| pftk::rates(&path, loss).ok().map(|rates| rates.received);
    let by_cubic = |loss| cubic::rate(loss, rtt, cubic::C, cubic::BETA).ok();
    HalvingLossFacts {
        bits_per_second: half,
        square_root: has_formula.then(|| at(&by_square_root)).flatten(),
        pftk: has_formula.then(|| at(&by_pftk)).flatten(),
        cubic: is_cubic.then(|| at(&by_cubic)).flatten(),
    }
}

/// Shortest timeout that is allowed, or the round trip and a tick if that is longer, in seconds.
pub(super) fn timeout(timers: Timers, rtt: f64) -> f64 {
    let (shortest, tick) = match timers {
        Timers::Bsd(bsd) => (bsd.min_rto, bsd.slow),
        Timers::Fine(fine) => (fine.min_rto, fine.granularity),
        Timers::Fixed(fixed) => {
            return match fixed.rto {
                FixedRto::Span(rto) => rto.seconds_f64(),
                FixedRto::RoundTrips(trips) => trips as f64 * rtt,
            };
        }
    };
    shortest.seconds_f64().max(rtt + tick.seconds_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 134.5 Mbit/s over 534 ms are 983 segments of 9140 bytes; 1.5/(491 segments)² by the
    /// square-root law with every segment acknowledged.
    #[test]
    fn a_satellite_by_hand() {
        let tcp = Tcp {
            window: crate::units::Bytes(10 << 20),
            ack: AckRule::EverySegment,
            ..Tcp::default()
        };
        let found = facts(&tcp, 0.534, 134.508e6, 134.508e6);
        assert_eq!(found.window_needed_bytes, 983 * 9140);
        let slow_start = found.slow_start.expect("the initial window is one");
        assert_eq!((slow_start.segments, slow_start.round_trips_every_segment), (983, 10));
        assert!((slow_start.seconds - 5.34).abs() < 1e-9);
        let half = 134.508e6 / 2.0 / 8.0 / 9140.0 * 0.534;
        let law = found.halving_loss.square_root.expect("a loss gives it");
        assert!((law / (1.5 / (half * half)) - 1.0).abs() < 1e-9);
        let with_timeouts = found.halving_loss.pftk.expect("a loss gives it");
        assert!(with_timeouts < law && with_timeouts > 0.5 * law, "{with_timeouts} {law}");
        assert_eq!(found.halving_loss.cubic, None);
    }
}
