//! CUBIC on a long fat path with one loss: cwnd over time, against RFC 9438 and another simulator.

use cellway_sim::tcp::{
    AckRule, Config, CongestionLaw, Connection, CubicPlan, FastRetransmitGuard, Recovery, Segment,
    TickPhases,
};
use cellway_sim::units::{Bytes, Span, Time};

use crate::pair::{End, Fate, Pair, Path};

const MSS: u64 = 1000;

/// Loses one transmission, by its number.
struct Loses {
    number: u64,
    sent: u64,
}

impl Path for Loses {
    fn fate(&mut self, from: End, _segment: &Segment) -> Fate {
        self.sent += u64::from(from == End::A);
        if from == End::A && self.sent == self.number { Fate::Lost } else { Fate::Arrives }
    }
}

/// ns-3 3.44, `TcpCubic` over SACK without `HyStart`: 10 Gbit/s, 50 ms, segments of 1000 bytes, ten
/// at first, every one acknowledged; packet 402 is lost, which is data segment 401. Seconds and
/// segments; ssthresh became 287 of 410 at 0.700 s. Its data start 0.1 s later, after a handshake.
const ELSEWHERE: [(f64, f64); 11] = [
    (1.0, 296.0),
    (2.0, 340.0),
    (3.0, 372.0),
    (4.0, 392.0),
    (5.0, 404.0),
    (7.0, 410.0),
    (9.0, 411.0),
    (11.0, 426.0),
    (13.0, 474.0),
    (14.0, 517.0),
    (15.5, 607.0),
];

#[test]
fn cwnd_after_a_loss_is_that_of_ns3() {
    for recovery in [Recovery::Sack, Recovery::NewReno] {
        let config = Config {
            mss: Bytes(MSS),
            window: Bytes(10_000_000),
            congestion: CongestionLaw::Cubic(CubicPlan::default()),
            recovery,
            ack: AckRule::EverySegment,
            initial_window: 10,
            limited_transmit: true,
            fast_retransmit_guard: FastRetransmitGuard::Always,
            ..Config::default()
        };
        let path = Loses { number: 401, sent: 0 };
        let delay = Span::from_milliseconds(50);
        let mut pair = Pair::open(&config, TickPhases::default(), delay, path);
        pair.act(End::A, Connection::write_forever);
        for (seconds, expected) in ELSEWHERE {
            let handshake = 0.1;
            let picoseconds = ((seconds - handshake) * 1e12) as i64;
            pair.drive_until(Time::from_picoseconds(picoseconds));
            let cwnd = pair.a.cwnd() as f64 / MSS as f64;
            let apart = (cwnd / expected - 1.0).abs();
            assert!(apart < 0.015, "{recovery:?} at {seconds} s: {cwnd}, {expected}");
        }
        let sender = pair.a.counters();
        assert_eq!((sender.retransmitted_segments, sender.timeouts), (1, 0));
        assert_eq!(pair.a.ssthresh(), 287 * MSS);
    }
}
