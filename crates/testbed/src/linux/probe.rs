//! Counters and series of a measured connection, read from the kernel at computed instants: all
//! packets that had arrived by then have been handed over, and none of a later instant.

use std::io;

use cellway_sim::result::{FlowCounters, Recorder, Sampling, Series};
use cellway_sim::scenario::{Flow, Quantity, Scenario};
use cellway_sim::tcp::{Counters, EcnCounters, RttSamples};
use cellway_sim::units::{Span, Time};

use super::ends::Ends;
use super::tcp_info::TcpInfo;

/// Longest time between two looks at a connection.
pub(super) const LOOK: Span = Span::from_milliseconds(10);
/// Least threshold that stands for none.
const NO_THRESHOLD: u64 = 0x7fff_ffff;

/// A recorded value of a connection.
#[derive(Clone, Copy, Debug)]
enum Value {
    Cwnd,
    Ssthresh,
    InFlight,
    Rtt,
    Acked,
}

impl Value {
    const ALL: [(Quantity, Self, &'static str, &'static str); 5] = [
        (Quantity::Cwnd, Self::Cwnd, "cwnd", "byte"),
        (Quantity::Ssthresh, Self::Ssthresh, "ssthresh", "byte"),
        (Quantity::InFlight, Self::InFlight, "in_flight", "byte"),
        (Quantity::Rtt, Self::Rtt, "rtt", "second"),
        (Quantity::Acked, Self::Acked, "acked", "byte"),
    ];

    /// The value; not a number before there is one. The kernel counts a FIN as a byte beyond those
    /// that are `written`.
    fn of(self, info: &TcpInfo, written: u64) -> f64 {
        match self {
            Self::Cwnd => (info.cwnd * info.mss) as f64,
            Self::Ssthresh if info.ssthresh >= NO_THRESHOLD => f64::NAN,
            Self::Ssthresh => (info.ssthresh * info.mss) as f64,
            Self::InFlight => info.in_flight() as f64,
            Self::Rtt if info.rtt_us == 0 => f64::NAN,
            Self::Rtt => info.rtt_us as f64 * 1e-6,
            Self::Acked => info.acked().min(written) as f64,
        }
    }
}

/// Observation of one connection.
#[derive(Debug)]
pub(super) struct Probe {
    recorders: Vec<(Value, Recorder)>,
    has_ecn: bool,
    /// Window of the scenario.
    window: u64,
    /// Largest window offered since the warm-up.
    offered_window: u64,
    /// Looks at a connection with data since the warm-up, and those at which another window
    /// counted.
    looks: [u64; 2],
    was_in_recovery: bool,
    recoveries: u64,
    rtt: RttSamples,
}

/// Interval of the series: that of the scenario, or where it records changes a thousandth of the
/// run. `None` if nothing is recorded.
pub(super) fn interval_of(scenario: &Scenario) -> Option<Span> {
    let observe = scenario.observe.as_ref()?;
    match observe.sampling(scenario.run.duration) {
        Sampling::Every(interval) => Some(interval),
        Sampling::OnChange => Some((scenario.run.duration / 1000).max(Span::from_milliseconds(1))),
    }
}

impl Probe {
    /// Makes an observation of a flow whose receiver is to offer `window`.
    pub(super) fn new(scenario: &Scenario, flow: &Flow, window: u64) -> Self {
        let recorders = interval_of(scenario).zip(scenario.observe.as_ref());
        let recorders = recorders.map_or(Vec::new(), |(interval, observe)| {
            let is_recorded =
                |(quantity, ..): &&(Quantity, _, _, _)| observe.series.contains(quantity);
            let recorder = |&(_, value, name, unit): &(_, Value, &str, _)| {
                let name = format!("{}.{name}", flow.name);
                (value, Recorder::new(name, unit, Sampling::Every(interval), observe.limit))
            };
            Value::ALL.iter().filter(is_recorded).map(recorder).collect()
        });
        Self {
            recorders,
            has_ecn: flow.tcp.as_ref().is_some_and(|tcp| tcp.ecn),
            window,
            offered_window: 0,
            looks: [0; 2],
            was_in_recovery: false,
            recoveries: 0,
            rtt: RttSamples::default(),
        }
    }

    /// Looks at a connection. The time of the connection's own last round trip is not told, only a
    /// mean; each look at it counts as a sample. The writer has `written` so many bytes.
    pub(super) fn look(&mut self, at: Time, ends: &Ends, written: u64) -> io::Result<()> {
        let info = TcpInfo::of(ends.sender())?;
        let mut is_other = self.is_other(&info);
        let mut counts = info.acked() > 0;
        if ends.has_responses() {
            let back = ends.receiver().map_or(Ok(TcpInfo::default()), TcpInfo::of)?;
            let is_other_back = self.is_other(&back);
            // Between messages, with a segment under way at most, no window counts.
            let is_used = [info, back].map(|info| info.in_flight() > info.mss);
            is_other = is_used[0] && is_other || is_used[1] && is_other_back;
            counts &= is_used.contains(&true);
        }
        // Before it carries data, a connection has no window.
        if counts {
            self.looks = [self.looks[0] + 1, self.looks[1] + u64::from(is_other)];
        }
        self.recoveries += u64::from(info.is_in_recovery && !self.was_in_recovery);
        self.was_in_recovery = info.is_in_recovery;
        if info.rtt_us > 0 {
            let of = |microseconds: u64| Span::from_microseconds(microseconds as i64);
            let rtt = of(info.rtt_us);
            self.rtt = RttSamples {
                count: self.rtt.count + 1,
                sum: self.rtt.sum + rtt,
                min: of(info.min_rtt_us),
                max: self.rtt.max.max(rtt),
                last: Some(rtt),
            };
        }
        for (value, recorder) in &mut self.recorders {
            if recorder.due() <= at {
                recorder.sample(recorder.due(), value.of(&info, written));
            }
        }
        Ok(())
    }

    /// True if another window counts than that of the scenario.
    fn is_other(&mut self, info: &TcpInfo) -> bool {
        self.offered_window = self.offered_window.max(info.offered_window);
        info.is_offered_more(self.window) || info.is_held_below(self.window)
    }

    /// Forgets the windows offered so far: the warm-up is over.
    pub(super) fn begin_measurement(&mut self) {
        (self.offered_window, self.looks) = (0, [0; 2]);
    }

    /// Largest window offered since the warm-up.
    pub(super) fn offered_window(&self) -> u64 {
        self.offered_window
    }

    /// Part of the looks since the warm-up at which another window counted.
    pub(super) fn other_window(&self) -> f64 {
        self.looks[1] as f64 / self.looks[0].max(1) as f64
    }

    /// Counters of a flow whose writer has `written` this number of bytes, and whose sender and
    /// receiver got so many packets with `marks`. The kernel counts a FIN as a byte.
    pub(super) fn counters(
        &self,
        ends: &Ends,
        written: u64,
        marks: [u64; 2],
    ) -> io::Result<FlowCounters> {
        let sent = TcpInfo::of(ends.sender())?;
        let received = ends.receiver().map_or(Ok(TcpInfo::default()), TcpInfo::of)?;
        let [ecn_sent, ecn_received] = marks.map(|marks_received| {
            self.has_ecn.then_some(EcnCounters { marks_received, reductions: 0 })
        });
        Ok(FlowCounters {
            acked_bytes: sent.acked().min(written),
            delivered_bytes: received.bytes_received.min(written),
            read_bytes: ends.read_bytes(),
            sender: Counters {
                segments_sent: sent.data_segments_out,
                retransmitted_segments: sent.retransmissions,
                retransmitted_bytes: sent.bytes_retransmitted,
                timeouts: sent.timeouts.unwrap_or(0),
                fast_retransmits: self.recoveries,
                rtt: self.rtt,
                ecn: ecn_sent,
                ..Counters::default()
            },
            receiver: Counters {
                segments_sent: received.data_segments_out,
                retransmitted_segments: received.retransmissions,
                retransmitted_bytes: received.bytes_retransmitted,
                timeouts: received.timeouts.unwrap_or(0),
                acks_sent: received.segments_out.saturating_sub(received.data_segments_out),
                ecn: ecn_received,
                ..Counters::default()
            },
            ..FlowCounters::default()
        })
    }

    /// The finished series.
    pub(super) fn finish(self) -> impl Iterator<Item = Series> {
        self.recorders.into_iter().map(|(_, recorder)| recorder.finish())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread;
    use std::time::Duration;

    use cellway_sim::scenario::Source;

    use super::super::ends::stream;
    use super::super::ends::tests::ends;
    use super::*;

    const TEXT: &str = r#"
        run = { duration = "1 s" }
        host = { a = {}, b = {} }
        link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
        flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp = {} }
    "#;

    /// A probe, and the sockets of a connection to a listener of this host.
    fn probe(to: &TcpListener) -> (Probe, Ends) {
        let scenario = Scenario::parse(Source { origin: "wire", text: TEXT }, &[]).expect("parsed");
        let probe = Probe::new(&scenario, &scenario.flows[0], 65_536);
        (probe, ends(to, stream().expect("a socket")))
    }

    fn listener() -> TcpListener {
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port")
    }

    #[test]
    fn a_flow_without_data_has_no_other_window() {
        let other = listener();
        let (mut probe, ends) = probe(&other);
        probe.look(Time::ZERO, &ends, 0).expect("a socket");
        ends.connect(false).expect("it connects");
        let _accepted = other.accept().expect("a connection");
        probe.look(Time::ZERO, &ends, 0).expect("a connection");
        assert_eq!((probe.looks, probe.other_window().to_bits()), ([0, 0], 0));
    }

    #[test]
    fn a_fin_is_no_data() {
        let other = listener();
        let (probe, ends) = probe(&other);
        ends.connect(false).expect("it connects");
        let _accepted = other.accept().expect("a connection");
        assert_eq!(ends.outlet().write(100).expect("there is room"), 100);
        ends.outlet().close().expect("it is open");
        let acked = || TcpInfo::of(ends.sender()).expect("a connection").acked();
        for _ in 0..1000 {
            if acked() > 100 {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(acked(), 101);
        let counters = probe.counters(&ends, 100, [0, 3]).expect("a connection");
        assert_eq!(counters.acked_bytes, 100);
        let info = TcpInfo::of(ends.sender()).expect("a connection");
        assert_eq!(Value::Acked.of(&info, 100).to_bits(), 100_f64.to_bits());
    }
}
