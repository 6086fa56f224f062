//! Settings of the kernel's TCP for a flow: which key of the scenario is which knob, and which the
//! kernel cannot follow.
//!
//! | key | knob |
//! |---|---|
//! | `mtu`, `mss` | MTU of the device |
//! | `window` | `TCP_WINDOW_CLAMP` of the receiver, set again while data arrive; `initrwnd` |
//! | `send_buffer` | `SO_SNDBUF`, which counts memory rather than bytes |
//! | `congestion` | `TCP_CONGESTION` |
//! | `recovery` | `tcp_sack`, `tcp_recovery`, `tcp_early_retrans`, `tcp_frto`, `tcp_dsack` |
//! | `timers` | `rto_min` of the route |
//! | `ack` | `quickack` of the route, `tcp_comp_sack_nr` |
//! | `initial_window` | `initcwnd` of the route |
//! | `window_scaling`, `timestamps`, `ecn`, `restart_after_idle` | sysctls of the namespace |
//! | `nagle`, `pacing` | `TCP_NODELAY`, `SO_MAX_PACING_RATE` |
//!
//! Sysctls and routes are those of a namespace of the measurement, never the host's.

use cellway_sim::pdu::IpVersion;
use cellway_sim::scenario::{AckRule, CongestionLaw, Flow, Scenario, Tcp, Timers, Traffic};
use cellway_sim::tcp::ReaderPlan;
use cellway_sim::units::Span;

use crate::differences::differences;
use crate::record::MeasureError;
use crate::sysctls::Sysctls;
use crate::writing::Writing;

/// Largest window without scaling (RFC 9293 §3.1).
const UNSCALED: u64 = 65_535;
/// Bytes of IP and TCP headers in a packet besides its segment.
pub(crate) const HEADERS: u64 = 40;

/// Number of flows for which there are addresses.
const MOST_FLOWS: usize = 250 * 190;

/// Flows with `tcp`, each with the settings of the kernel. Fails with the keys for which it has
/// nothing.
pub fn plans_of(scenario: &Scenario) -> Result<Vec<(&Flow, KernelPlan)>, MeasureError> {
    plans_with(scenario, |_| false)
}

/// The same, where programs make the traffic of the flows that are `left` to them.
pub(crate) fn plans_with(
    scenario: &Scenario,
    left: impl Fn(&Flow) -> bool,
) -> Result<Vec<(&Flow, KernelPlan)>, MeasureError> {
    let flows = || scenario.flows.iter().filter(|flow| flow.tcp.is_some() && flow.is_in_file());
    let number = flows().count();
    if !(1..=MOST_FLOWS).contains(&number) {
        let said = format!("{number} flows with `tcp`; expected 1 to {MOST_FLOWS}");
        return Err(MeasureError::Refused(vec![said]));
    }
    let (mut plans, mut refused) = (Vec::new(), Vec::new());
    for flow in flows() {
        let traffic = if left(flow) { Vec::new() } else { refusals_of_traffic(flow) };
        match KernelPlan::with(flow, traffic) {
            Ok(plan) => plans.push((flow, plan)),
            Err(keys) => refused.extend(keys),
        }
    }
    if refused.is_empty() { Ok(plans) } else { Err(MeasureError::Refused(refused)) }
}

/// Settings of the kernel for one flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelPlan {
    /// Settings of the namespaces of both ends.
    pub sysctls: Sysctls,
    /// Name of the congestion control, as the kernel lists it.
    pub congestion: &'static str,
    /// MTU of the devices, bytes.
    pub mtu: u64,
    /// Largest window that the receiver offers, bytes.
    pub window: u64,
    /// Send buffer, bytes; without one there is always room.
    pub send_buffer: Option<u64>,
    /// Congestion window at the start, segments.
    pub initial_window: u32,
    /// Shortest retransmission timeout, milliseconds, if it is not the kernel's.
    pub min_rto_ms: Option<i64>,
    /// Rule by which the receiver acknowledges.
    pub ack: AckRule,
    /// True if small segments leave at once.
    pub sends_at_once: bool,
    /// True if segments leave evenly, whatever the congestion control.
    pub paces: bool,
    /// Ends that write.
    pub writing: Writing,
    /// Keys that the kernel follows only in part, or not at all, with the difference.
    pub differs: Vec<String>,
}

impl KernelPlan {
    /// Settings for a flow, or the keys for which there is nothing like it in the kernel.
    pub fn of(flow: &Flow) -> Result<Self, Vec<String>> {
        Self::with(flow, refusals_of_traffic(flow))
    }

    /// Settings for a flow of which keys are `refused` already.
    fn with(flow: &Flow, mut refused: Vec<String>) -> Result<Self, Vec<String>> {
        let Some(tcp) = &flow.tcp else {
            return Err(vec![format!("`flow.{}` has no `tcp`", flow.name)]);
        };
        let key = |name: &str| format!("`flow.{}.tcp.{name}`", flow.name);
        let congestion = congestion_of(tcp.congestion);
        if congestion.is_none() {
            refused.push(format!("{}: Linux has no such law", key("congestion")));
        }
        let sysctls = Sysctls::of(tcp);
        if sysctls.is_none() {
            refused.push(format!(
                "{}: Linux has no such rule; expected `new_reno`, `new_reno_steady`, `sack`, \
                 `thresholds` or `rack`",
                key("recovery")
            ));
        }
        match (congestion, sysctls) {
            (Some(congestion), Some(sysctls)) if refused.is_empty() => {
                let plan = Self::of_tcp(tcp, congestion, sysctls);
                Ok(Self { writing: Writing::of(flow), ..plan })
            }
            _ => Err(refused),
        }
    }

    fn of_tcp(tcp: &Tcp, congestion: &'static str, sysctls: Sysctls) -> Self {
        let longest = if tcp.window_scaling { tcp.window.0 } else { tcp.window.0.min(UNSCALED) };
        Self {
            sysctls,
            congestion,
            mtu: tcp.mss.0 + HEADERS,
            window: longest,
            send_buffer: tcp.send_buffer.map(|bytes| bytes.0),
            initial_window: tcp.initial_window,
            min_rto_ms: least_variance(&tcp.timers).map(whole_milliseconds),
            ack: tcp.ack,
            sends_at_once: !tcp.nagle,
            paces: tcp.pacing,
            writing: Writing::Sender,
            differs: differences(tcp),
        }
    }
}

/// Keys of the traffic of a flow for which the driver has nothing.
fn refusals_of_traffic(flow: &Flow) -> Vec<String> {
    let mut refused = Vec::new();
    if matches!(flow.traffic, Traffic::Relay(_)) {
        refused.push(format!(
            "`flow.{}.traffic`: relays are not measured; expected traffic of the flow's own hosts",
            flow.name
        ));
    }
    if matches!(&flow.traffic, Traffic::Page(pages) if pages.connections > Some(1)) {
        let key = format!("`flow.{}.traffic.page.connections`", flow.name);
        refused.push(format!("{key}: a flow is measured on one connection; expected none or 1"));
    }
    if flow.ip == IpVersion::V6 {
        let key = format!("`flow.{}.ip`", flow.name);
        refused.push(format!("{key}: packets are measured over IPv4; expected none or `ipv4`"));
    }
    if flow.tcp.as_ref().is_some_and(|tcp| tcp.reader != ReaderPlan::AtOnce) {
        refused.push(format!("`flow.{}.tcp.reader`: the receiver reads at once", flow.name));
    }
    refused
}

/// The least that the kernel adds to the smoothed round trip for a timeout: `rto_min`.
fn least_variance(timers: &Timers) -> Option<Span> {
    match timers {
        Timers::Bsd(timers) => Some(timers.min_rto),
        Timers::Fine(timers) => Some(timers.granularity.max(timers.min_rto)),
        Timers::Fixed(_) => None,
    }
}

/// Milliseconds of a timeout, rounded up: a route takes whole ones, and zero for none of its own.
fn whole_milliseconds(timeout: Span) -> i64 {
    const MILLISECOND: i64 = Span::from_milliseconds(1).picoseconds();
    (timeout.picoseconds() + MILLISECOND - 1) / MILLISECOND
}

/// Name of a law in the kernel's list of congestion controls.
fn congestion_of(law: CongestionLaw) -> Option<&'static str> {
    match law {
        CongestionLaw::Reno => Some("reno"),
        CongestionLaw::Cubic(_) => Some("cubic"),
        CongestionLaw::Vegas(_) => Some("vegas"),
        CongestionLaw::Westwood(_) => Some("westwood"),
        CongestionLaw::Hybla(_) => Some("hybla"),
        CongestionLaw::Dctcp(_) => Some("dctcp"),
        CongestionLaw::Bbr1(_) => Some("bbr"),
        CongestionLaw::Xcp
        | CongestionLaw::Rcp
        | CongestionLaw::Abc(_)
        | CongestionLaw::Copa(_)
        | CongestionLaw::Bbr3(_)
        | CongestionLaw::Prague(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use cellway_sim::scenario::Source;

    use super::*;

    fn flow(tcp: &str, more: &str) -> Flow {
        let text = format!(
            "run.duration = \"1 s\"
            host = {{ a = {{}}, b = {{}} }}
            link.wire = {{ between = [\"a\", \"b\"], rate = \"OC-3c\", delay = \"1 ms\" }}
            flow.bulk = {{ from = \"a\", to = \"b\", tcp = {{ {tcp} }}, {more} }}"
        );
        let source = Source { origin: "wire", text: &text };
        Scenario::parse(source, &[]).expect("a scenario").flows.remove(0)
    }

    fn plan(tcp: &str) -> KernelPlan {
        KernelPlan::of(&flow(tcp, "traffic = \"greedy\"")).expect("the kernel has it")
    }

    #[test]
    fn keys_become_knobs() {
        let found = plan(
            "mtu = \"1500 B\", window = \"1 MiB\", recovery = \"rack\", congestion = \"cubic\",
            timers = { fine = { min_rto = \"200 ms\" } }, ack = \"every_segment\",
            initial_window = 10, ecn = true, timestamps = true, pacing = true, nagle = true",
        );
        assert_eq!((found.mtu, found.window, found.congestion), (1500, 1 << 20, "cubic"));
        assert_eq!((found.initial_window, found.min_rto_ms), (10, Some(200)));
        assert!(found.paces && !found.sends_at_once);
        assert_eq!(found.ack, AckRule::EverySegment);
        let value = |name| found.sysctls.get(name);
        assert_eq!(["tcp_sack", "tcp_recovery", "tcp_ecn"].map(value), [Some(1); 3]);
        assert_eq!(
            ["tcp_early_retrans", "tcp_frto", "tcp_dsack"].map(value),
            [Some(3), Some(2), Some(1)]
        );
        assert_eq!(["tcp_timestamps", "tcp_window_scaling"].map(value), [Some(1); 2]);
    }

    #[test]
    fn the_preset_of_linux_is_the_kernel_itself() {
        let found = plan("preset = \"linux\"");
        assert_eq!((found.congestion, found.mtu, found.min_rto_ms), ("cubic", 1500, Some(200)));
        assert_eq!(found.sysctls.get("tcp_comp_sack_nr"), Some(44));
        let first_words = found.differs.iter().map(|said| said.split(':').next().unwrap());
        assert_eq!(first_words.collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn new_reno_is_the_kernel_without_selective_acknowledgements() {
        let found = plan("recovery = \"new_reno\", window_scaling = false, window = \"128 KiB\"");
        for name in ["tcp_sack", "tcp_recovery", "tcp_early_retrans", "tcp_frto", "tcp_dsack"] {
            assert_eq!(found.sysctls.get(name), Some(0), "{name}");
        }
        assert_eq!((found.window, found.min_rto_ms), (65_535, Some(1000)));
        let first_words = found.differs.iter().map(|said| said.split(':').next().unwrap());
        assert_eq!(
            first_words.collect::<Vec<_>>(),
            [
                "handshake",
                "timers",
                "ack",
                "recovery",
                "avoidance",
                "recovery",
                "full_ack",
                "short_segments",
                "restart_after_idle"
            ]
        );
    }

    /// Repairs of the kernel without selective ACKs, which were seen to restart the timer at each
    /// partial ACK and to leave ssthresh, and its growth for data rather than ACKs.
    #[test]
    fn the_nearest_new_reno_is_not_told_of() {
        let of = |recovery: &str, more: &str| {
            let tcp = format!("preset = \"linux\", recovery = \"{recovery}\", {more}");
            let found =
                plan(&format!("{tcp}, congestion = \"reno\", hystart = false, tso_defer = false"))
                    .differs;
            let first_words = found.iter().map(|said| said.split(':').next().unwrap().to_owned());
            first_words.collect::<Vec<_>>()
        };
        assert_eq!(of("new_reno_steady", "full_ack = \"ssthresh\""), ["recovery"]);
        assert_eq!(of("new_reno_steady", "full_ack = \"flight\""), ["recovery", "full_ack"]);
        let told = of("new_reno", "avoidance = \"standard\"");
        assert_eq!(told, ["recovery", "avoidance", "recovery", "full_ack"]);
    }

    #[test]
    fn parameters_that_the_kernel_does_not_take_are_told() {
        let told =
            |tcp: &str, start: &str| plan(tcp).differs.iter().any(|said| said.starts_with(start));
        for law in ["vegas.alpha = 1", "cubic.beta = 0.8", "westwood.gain = 0.8"] {
            let tcp = format!("recovery = \"sack\", congestion = {{ {law} }}");
            assert!(told(&tcp, "congestion: "), "{law}");
        }
        assert!(!told("recovery = \"sack\", congestion = \"vegas\"", "congestion: "));
        assert!(told("recovery = \"sack\", ack.quick.segments = 8", "ack: "));
        assert!(!told("recovery = \"sack\", ack = \"quick\"", "ack: "));
        let delay = |delay: &str| {
            format!("preset = \"linux\", recovery.rack = {{ max_ack_delay = \"{delay}\" }}")
        };
        assert!(told(&delay("100 ms"), "recovery: ") && !told(&delay("200 ms"), "recovery: "));
        let timers = |max_rto: &str| {
            format!(
                "recovery = \"sack\", ack = \"every_segment\",
                timers.fine = {{
                    granularity = \"1 s\", max_rto = \"{max_rto}\", samples = \"each\"
                }}"
            )
        };
        assert!(told(&timers("60 s"), "timers: ") && !told(&timers("120 s"), "timers: "));
    }

    #[test]
    fn responses_are_measured_and_relays_are_not() {
        let response = "traffic.request_response = { request = \"1 kB\", response = \"1 kB\" }";
        for traffic in ["traffic = \"www\"", response] {
            let found = KernelPlan::of(&flow("preset = \"linux\"", traffic)).expect("a plan");
            assert_eq!(found.writing, Writing::Both, "{traffic}");
        }
        assert_eq!(plan("preset = \"linux\"").writing, Writing::Endless);
        let relay = "traffic.relay.of = \"near\" }
            flow.near = { from = \"b\", to = \"a\", traffic = \"greedy\", tcp = {}";
        let refused = KernelPlan::of(&flow("preset = \"linux\"", relay)).expect_err("refused");
        assert!(refused[0].starts_with("`flow.bulk.traffic`: relays are"), "{refused:?}");
        let pages = "traffic.page = { connections = 6 }";
        let refused = KernelPlan::of(&flow("preset = \"linux\"", pages)).expect_err("refused");
        assert!(refused[0].contains("page.connections`: a flow is measured on one"), "{refused:?}");
        let over_v6 = "traffic = \"greedy\", ip = \"ipv6\"";
        let refused = KernelPlan::of(&flow("preset = \"linux\"", over_v6)).expect_err("refused");
        assert!(
            refused[0].contains("`flow.bulk.ip`: packets are measured over IPv4"),
            "{refused:?}"
        );
    }

    #[test]
    fn timeouts_of_a_route_are_never_zero() {
        for (timeout, expected) in [("1 us", 1), ("1 ms", 1), ("1.5 ms", 2), ("200 ms", 200)] {
            let fine = format!("granularity = \"1 us\", min_rto = \"{timeout}\"");
            let found = plan(&format!("recovery = \"sack\", timers.fine = {{ {fine} }}"));
            assert_eq!(found.min_rto_ms, Some(expected), "{timeout}");
        }
    }

    #[test]
    fn keys_without_a_knob_are_refused_together() {
        let refused = KernelPlan::of(&flow(
            "recovery = \"reno\", congestion = \"reno\",
            reader.periodic = { block = \"1 kB\", period = \"1 s\" }",
            "traffic = \"greedy\"",
        ));
        let refused = refused.expect_err("refused");
        assert_eq!(refused.len(), 2, "{refused:?}");
        assert!(refused[0].starts_with("`flow.bulk.tcp.reader`"), "{refused:?}");
        assert!(refused[1].starts_with("`flow.bulk.tcp.recovery`"), "{refused:?}");
        for rule in ["vanilla", "tahoe", "hoe", "sack_pipe"] {
            let flow = flow(&format!("recovery = \"{rule}\""), "traffic = \"greedy\"");
            assert_eq!(KernelPlan::of(&flow).expect_err("refused").len(), 1);
        }
    }
}
