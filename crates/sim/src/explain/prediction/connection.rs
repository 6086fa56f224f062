//! Flows with a transport.

use crate::explain::{FlowFacts, TcpFacts};
use crate::scenario::resolved::{AckRule, CongestionLaw, Flow, Recovery, Tcp};

use super::answer::{Assumption, Predicted};
use super::port::{Port, Ports};

/// A flow with a transport.
pub(super) struct Connection<'a> {
    pub(super) ports: &'a Ports<'a>,
    pub(super) flow: &'a Flow,
    pub(super) facts: &'a FlowFacts,
    /// Parameters of its transport.
    pub(super) said: &'a Tcp,
    /// Facts of its transport.
    pub(super) tcp: &'a TcpFacts,
}

impl<'a> Connection<'a> {
    /// `None` for a flow without a transport.
    pub(super) fn new(ports: &'a Ports<'a>, index: usize) -> Option<Self> {
        let (flow, facts) = (&ports.scenario.flows[index], &ports.explained.flows[index]);
        Some(Self { ports, flow, facts, said: flow.tcp.as_ref()?, tcp: facts.tcp.as_ref()? })
    }

    /// True if the window of its law grows until it is limited or a loss or a mark reduces it.
    pub(super) fn grows_on(&self) -> bool {
        use CongestionLaw::{Cubic, Dctcp, Hybla, Prague, Reno, Westwood};
        let law = self.said.congestion;
        matches!(law, Reno | Cubic(_) | Westwood(_) | Hybla(_) | Dctcp(_) | Prague(_))
    }

    /// Seconds of a round trip with empty queues.
    pub(super) fn round_trip(&self) -> f64 {
        self.tcp.unloaded_rtt_seconds
    }

    /// Bits of data of a segment.
    pub(super) fn segment(&self) -> f64 {
        8.0 * self.tcp.mss_bytes as f64
    }

    /// Bits of data of the whole segments of the window.
    pub(super) fn window(&self) -> f64 {
        self.tcp.window_segments as f64 * self.segment()
    }

    /// Segments that one acknowledgement covers.
    pub(super) fn segments_per_ack(&self) -> f64 {
        if self.said.ack == AckRule::EverySegment { 1.0 } else { 2.0 }
    }

    /// Cells or packets of a segment at a port.
    pub(super) fn units_at(&self, port: &Port<'_>) -> f64 {
        let cells = self.tcp.cells_per_segment.filter(|_| port.facts.unit == "cell");
        cells.unwrap_or(1) as f64
    }

    /// The port at its bottleneck; `None` if that is an interface or a pace.
    pub(super) fn bottleneck_port(&self) -> Option<Port<'a>> {
        let at = &self.facts.bottleneck.at;
        let links = self.flow.path.iter();
        let mut links = links.filter(|&&link| self.ports.scenario.links[link].name == *at);
        links.find_map(|&link| self.ports.before(link))
    }

    /// Seconds of a run before its measurement.
    pub(super) fn warm_up(&self) -> f64 {
        self.ports.scenario.run.warm_up.seconds_f64()
    }

    /// Seconds of a run after its warm-up.
    pub(super) fn measured(&self) -> f64 {
        self.ports.scenario.run.duration.seconds_f64() - self.warm_up()
    }

    /// Reason why no formula of a connection alone applies; `None` if one does.
    pub(super) fn outside(&self) -> Option<String> {
        let is_slow = |end: &str| Some(format!("the CPU of the {end} takes time; expected none"));
        self.not_greedy()
            .or_else(|| self.not_alone())
            .or_else(|| self.beside_classes())
            .or_else(|| self.tcp.sender_cpu_limit_bits_per_second.and(is_slow("sender")))
            .or_else(|| self.tcp.receiver_cpu_limit_bits_per_second.and(is_slow("receiver")))
    }

    /// Reason if its traffic is not greedy.
    pub(super) fn not_greedy(&self) -> Option<String> {
        let word = self.flow.traffic.word();
        (word != "greedy").then(|| format!("its traffic is {word}; expected greedy"))
    }

    fn not_alone(&self) -> Option<String> {
        let mut links = self.flow.path.iter().map(|&link| &self.ports.explained.links[link]);
        let shared = links.find(|link| {
            link.flows != 1 || link.raw_offered_bits_per_second > 0.0 || link.ack_flows > 0
        });
        if let Some(link) = shared {
            return Some(format!("it shares {} with other flows; expected it alone", link.name));
        }
        self.facts.abr.as_ref().map(|_| "it is paced by ABR; expected ubr".to_owned())
    }

    fn beside_classes(&self) -> Option<String> {
        let port = self.bottleneck_port().filter(|port| port.facts.queues.len() != 1)?;
        Some(format!("service classes wait apart at {}; expected one class", port.facts.name))
    }

    /// Assumption on the rule that repairs losses: one of these.
    pub(super) fn assumed_recovery(&self, text: &str, rules: &[Recovery]) -> Assumption {
        let rule = self.said.recovery;
        Assumption::new(text, rules.contains(&rule), format!("recovery is {}", rule.word()))
    }
}

/// Path of the throughput below the entry of a flow.
pub(super) const THROUGHPUT: &str = "throughput_bits_per_second";

/// The throughput, which a run has, too.
pub(super) fn throughput_of(value: f64) -> Predicted {
    Predicted::new("throughput", value, "bit/s").at(THROUGHPUT)
}
