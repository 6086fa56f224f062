//! XCP and RCP at a port, packet by packet, by the equations of their papers.

use super::{ROOM, VCS, framewise, rcp_plan, xcp_plan};
use cellway_sim::pdu::{CellHead, RateHeader, RateProtocol};
use cellway_sim::switch::{
    Accounts, Dequeue, DropPolicy, FrameRule, Policy, QueueState, RatePacket, Rcp, Rule, Xcp,
};
use cellway_sim::units::{Span, Time};

/// Line of the tests: a packet of 1000 bits, 100 bytes of them data, in 100 us.
const LINE: f64 = 10e6;
const BITS: f64 = 1000.0;
const DATA: u16 = 100;

/// A port with a rule, packet by packet.
struct Port {
    policy: Policy,
    now: Time,
    accounts: Accounts,
}

impl Port {
    fn new(rule: impl Into<Rule>) -> Self {
        Self { policy: framewise(rule), now: Time::ZERO, accounts: Accounts::kept(VCS) }
    }

    /// A packet arrives while `backlog` bytes wait, and leaves at once, with as many behind it; its
    /// grant.
    fn pass(&mut self, header: RateHeader, data: u16, backlog: u64) -> f64 {
        let (now, head) = (self.now, CellHead::end_of_frame(0, 0));
        let packet = RatePacket { bits: BITS as u64, data, header: Some(header) };
        self.policy.on_packet(&packet);
        let state = QueueState {
            now,
            occupancy: 0,
            size: ROOM,
            slot: 0,
            active: 1,
            line_free_at: now,
            backlog,
            accounts: &self.accounts,
        };
        self.policy.on_arrival(head, &state);
        let dequeue = Dequeue { now, backlog, line_rate: LINE, ..Dequeue::default() };
        self.policy.on_dequeue(head, &dequeue);
        f64::from(self.policy.grant(&packet))
    }

    fn wait(&mut self, milliseconds: f64) {
        self.now += Span::from_picoseconds((milliseconds * 1e9) as i64);
    }
}

fn xcp(rtt: f32, window: f32) -> RateHeader {
    let (protocol, grant) = (RateProtocol::Xcp, f32::INFINITY);
    RateHeader { protocol, rtt, window, grant, returned: 0.0 }
}

fn rcp(rtt: f32) -> RateHeader {
    let (protocol, grant) = (RateProtocol::Rcp, f32::INFINITY);
    RateHeader { protocol, rtt, window: 0.0, grant, returned: 0.0 }
}

/// Grants in 100 ms, the mean of ten control intervals, to flows of `(rtt in seconds, rate in bit/s
/// on the wire)` that send evenly while `backlog` bytes wait: bytes, by flow. Their rates stay.
fn granted(flows: &[(f64, f64)], backlog: u64) -> Vec<f64> {
    let mut port = Port::new(Xcp::new(xcp_plan()));
    let mut sums = vec![0.0; flows.len()];
    let mut sends: Vec<(i64, usize)> = Vec::new();
    for (flow, (_, rate)) in flows.iter().enumerate() {
        let gap = 1e6 * BITS / rate;
        sends.extend((1..=(1.5e6 / gap) as i64).map(|n| ((n as f64 * gap) as i64, flow)));
    }
    sends.sort_unstable();
    for (at, flow) in sends {
        port.now = Time::ZERO + Span::from_microseconds(at);
        let (rtt, rate) = flows[flow];
        let window = rate * rtt / BITS * f64::from(DATA);
        let grant = port.pass(xcp(rtt as f32, window as f32), DATA, backlog);
        if at > 500_000 {
            sums[flow] += grant / 10.0;
        }
    }
    sums
}

/// Change of a flow's rate in an interval, bit/s on the wire.
fn change(bytes: f64, rtt: f64) -> f64 {
    bytes / f64::from(DATA) * BITS / rtt
}

/// Section 3.5.1: alpha of what is free, 0.4 (10 - 5) Mbit/s, in an interval; with a queue of 12
/// 500 bytes 0.226 of 1 Mbit/s less. What is shuffled is nothing here: 0.1 of 5 is less than 2.
#[test]
fn xcp_gives_a_part_of_what_is_free_less_a_part_of_the_queue() {
    for (backlog, expected) in [(0, 2.0e6), (12_500, 2.0e6 - 0.226e6)] {
        let found = change(granted(&[(0.1, 5e6)], backlog)[0], 0.1);
        assert!((found - expected).abs() < 0.02 * expected, "{backlog}: {found} for {expected}");
    }
}

/// Section 3.5.2: flows of 2 and 3 Mbit/s have the same part of what is given, whatever their round
/// trips: 1 Mbit/s each.
#[test]
fn xcp_gives_equal_parts_to_flows() {
    for round_trips in [[0.1, 0.1], [0.05, 0.15]] {
        let [short, long] = round_trips;
        let found = granted(&[(short, 2e6), (long, 3e6)], 0);
        for (bytes, rtt) in found.iter().zip(round_trips) {
            let found = change(*bytes, rtt);
            assert!((found - 1e6).abs() < 0.02e6, "{round_trips:?}: {found}");
        }
    }
}

/// Section 3.5.2: at a full line 0.1 of it is shuffled: 0.5 Mbit/s for each of two flows, of which
/// the one with 8 Mbit/s pays 0.8, and the one with 2 pays 0.2.
#[test]
fn xcp_shuffles_a_tenth_of_the_traffic() {
    let found = granted(&[(0.1, 8e6), (0.1, 2e6)], 0);
    let found: Vec<f64> = found.iter().map(|bytes| change(*bytes, 0.1) / 1e6).collect();
    assert!((found[0] + 0.3).abs() < 0.01 && (found[1] - 0.3).abs() < 0.01, "{found:?}");
}

/// Sections 3.2 and 4.5: the lowest grant of a path stays, also below zero; no round trip yet, no
/// grant; a packet of others and an ACK pass as they are.
#[test]
fn xcp_lowers_grants_and_never_raises_them() {
    let mut port = Port::new(Xcp::new(xcp_plan()));
    for _ in 0..2050 {
        port.pass(xcp(0.1, 25_000.0), DATA, 0);
        port.wait(0.4);
    }
    let free = port.pass(xcp(0.1, 25_000.0), DATA, 0);
    assert!(free > 100.0, "{free}");
    for asked in [-50.0, 0.0, 10.0] {
        let header = RateHeader { grant: asked, ..xcp(0.1, 25_000.0) };
        let found = port.pass(header, DATA, 0);
        assert!((found - f64::from(asked)).abs() < 1e-3, "{found} for {asked}");
    }
    assert!(port.pass(xcp(0.0, 25_000.0), DATA, 0) == 0.0, "no round trip is known");
    assert!(port.pass(rcp(0.1), DATA, 0).is_infinite(), "a header of RCP");
    let ack = RateHeader { grant: 0.0, ..xcp(0.0, 0.0) };
    assert!(port.pass(ack, 0, 0) == 0.0, "an ACK");
}

/// R of a port after so many updates of 10 ms with an arriving rate and a standing queue, over the
/// line: the grant for a packet of which 0.8 is data.
fn rate_after(updates: usize, per_update: usize, backlog: u64) -> f64 {
    let mut plan = rcp_plan();
    (plan.alpha, plan.beta, plan.initial) = (0.4, 1.0, 0.5);
    let mut port = Port::new(Rcp::new(plan));
    port.pass(rcp(0.2), DATA, backlog);
    let mut grant = 0.0;
    for _ in 0..updates * per_update {
        port.wait(10.0 / per_update as f64);
        grant = port.pass(rcp(0.2), DATA, backlog);
    }
    grant / 0.8 / LINE
}

/// The equation of the header of `rcp.rs` with C = 10 Mbit/s, d = 0.2 s and T = 10 ms, from R = 0.5
/// C on: by 1 + 0.05 · 0.4 (1 - y/C) per update without a queue, and with 25 000 bytes, 0.1 of C d,
/// 0.05 · 0.1 less.
#[test]
fn rcp_follows_its_equation() {
    for (per_update, backlog, y, queue) in [
        (50_usize, 0, 0.5, 0.0),
        (100, 0, 1.0, 0.0),
        (100, 25_000, 1.0, 0.1),
        (20, 25_000, 0.2, 0.1),
    ] {
        let factor: f64 = 1.0 + 0.05 * (0.4 * (1.0 - y) - queue);
        let (found, expected) =
            (rate_after(20, per_update, backlog), 0.5 * libm::pow(factor, 20.0));
        assert!((found / expected - 1.0).abs() < 0.005, "{y} {queue}: {found} for {expected}");
    }
    assert!((rate_after(400, 20, 0) - 1.0).abs() < 1e-3, "at most the line");
}

/// A higher grant becomes R, a lower one stays; packets of XCP are not touched.
#[test]
fn rcp_lowers_grants_and_never_raises_them() {
    let mut port = Port::new(Rcp::new(rcp_plan()));
    let with = |grant| RateHeader { grant, ..rcp(0.1) };
    assert!((port.pass(with(f32::INFINITY), DATA, 0) - 0.05 * 0.8 * LINE).abs() < 1.0);
    assert!((port.pass(with(1000.0), DATA, 0) - 1000.0).abs() < 1e-3);
    assert!(port.pass(xcp(0.1, 9e3), DATA, 0).is_infinite());
}

/// Both read headers and judge dequeues, and neither refuses anything but at a full buffer.
#[test]
fn rules_with_headers_need_dequeues_and_the_line() {
    for needs in [Xcp::new(xcp_plan()).needs(), Rcp::new(rcp_plan()).needs()] {
        assert!(needs.headers && needs.dequeues && needs.line_over.is_some() && !needs.marks);
    }
}
