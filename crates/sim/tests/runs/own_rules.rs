//! Rules from outside the crate in whole runs.

use cellway_sim::pdu::CellHead;
use cellway_sim::result::Cause;
use cellway_sim::switch::{DropPolicy, QueueState, Tail, Verdict};
use cellway_sim::tcp::congestion::{
    Ack, Congested, Congestion, InRecovery, Law, Repair, Rule, Timeout, WakeUp,
};
use cellway_sim::traffic::{Application, Constant, Offer, Spacing, Ttcp};
use cellway_sim::units::{Bytes, Span, Time};
use cellway_sim::{Builder, Outcome, RunError, Simulation};

use super::network::Network;
use super::{outcome_of, scenario};

/// A TCP and raw cells share a buffer that overflows.
const SHARED: &str = include_str!("own_rules/shared.toml");

fn text_of(outcome: &Outcome) -> String {
    format!("{:?} {:?}", outcome.summary, outcome.series)
}

/// What a rule from outside does in a run is what one of ours does, to the last byte and draw.
#[test]
fn a_rule_from_outside_that_does_the_same_has_the_same_outcome() {
    let scenario = scenario(SHARED);
    let expected = outcome_of(&scenario);
    assert!(expected.summary.flows["file"].fast_retransmits > 0, "the buffer overflows");
    let cell_time = Span::from_picoseconds(42_400_000);
    let own = Simulation::builder(&scenario)
        .congestion("file", |site| Rule::new(site.flow.tcp.as_ref().expect("a flow with TCP")))
        .application("file", |_| Ttcp::new(Bytes(64 << 10), Some(Bytes(10_000_000))))
        .source("voice", |_| Constant::new(cell_time))
        .drop_policy("*", |_| Tail);
    assert_eq!(text_of(&own.run().expect("a run")), text_of(&expected));
}

#[test]
fn another_seed_is_that_of_the_scenario() {
    let scenario = scenario(SHARED);
    let drawn = Simulation::builder(&scenario).seed(4).run().expect("a run");
    let mut other = scenario.clone();
    other.run.seed = 4;
    assert_eq!(text_of(&drawn), text_of(&outcome_of(&other)));
    assert_ne!(text_of(&drawn), text_of(&outcome_of(&scenario)));
}

/// A TCP alone on a path with a round trip of 20 ms, and raw cells.
const LONG: &str = include_str!("own_rules/long.toml");

/// A window of ten segments for ever.
#[derive(Debug)]
struct Ten;

impl Congestion for Ten {
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        let missing = 10 * ack.window.mss() - ack.window.cwnd();
        ack.window.open(missing);
        Repair::Nothing
    }

    fn on_timeout(&mut self, _timeout: &mut Timeout<'_>) {}
}

/// A second has 49 round trips of 20.1 ms: 20 ms, and a segment of 22 cells and its ACK of one on
/// two links each. The first has the initial window of one segment.
#[test]
fn a_constant_window_is_sent_once_a_round_trip() {
    let outcome =
        Simulation::builder(&scenario(LONG)).congestion("b*", |_| Ten).run().expect("a run");
    assert_eq!(outcome.summary.flows["bulk"].acked_bytes, 1000 * (1 + 48 * 10));
}

/// It asks to be called every 10 ms from the beginning on, whether its flow has started or not.
#[derive(Debug)]
struct Periodic(Time);

impl Congestion for Periodic {
    fn on_ack(&mut self, _ack: &mut Ack<'_>) -> Repair {
        Repair::Nothing
    }

    fn on_timeout(&mut self, _timeout: &mut Timeout<'_>) {}

    fn next_wake_up(&self) -> Time {
        self.0
    }

    fn on_wake_up(&mut self, wake_up: &mut WakeUp<'_>) -> Repair {
        self.0 = wake_up.now + Span::from_milliseconds(10);
        Repair::Nothing
    }
}

/// A call of the rule once opened the connection.
#[test]
fn a_flow_starts_at_its_start_whenever_its_rule_asks_to_be_called() {
    let late = LONG
        .replace("bulk = {", "bulk = { start = \"985 ms\",")
        .replace("tcp = {", "tcp = { handshake = true,");
    let outcome = Simulation::builder(&scenario(&late))
        .congestion("bulk", |_| Periodic(Time::ZERO + Span::from_milliseconds(10)))
        .run()
        .expect("a run");
    assert_eq!(outcome.summary.vcs["bulk"].frames_delivered, 1, "its SYN");
}

/// Twice a number of bytes, the second half a pause after the first is acknowledged.
#[derive(Debug)]
struct Halves {
    half: u64,
    pause: Span,
    state: State,
}

#[derive(Debug, PartialEq)]
enum State {
    Idle,
    First,
    Pause(Time),
    Second,
}

impl Application for Halves {
    fn poll(&mut self, now: Time, acked: u64) -> Offer {
        match self.state {
            State::Idle => {
                self.state = State::First;
                Offer::bytes(self.half)
            }
            State::First if acked == self.half => {
                self.state = State::Pause(now + self.pause);
                Offer::NOTHING.and_again_at(now + self.pause)
            }
            State::Pause(until) if now == until => {
                self.state = State::Second;
                Offer::bytes(self.half)
            }
            State::Pause(until) => Offer::NOTHING.and_again_at(until),
            State::First | State::Second => Offer::NOTHING,
        }
    }

    fn is_through(&self, acked: u64) -> bool {
        self.state == State::Second && acked == 2 * self.half
    }
}

/// Both halves fit into the first window: a round trip, the pause, a round trip. Segments of a
/// burst are 23 cells apart: 10 of them.
#[test]
fn an_application_writes_when_an_ack_comes_and_when_it_has_said() {
    let scenario = scenario(&LONG.replace("tcp = {", "tcp = { initial_window = 10,"));
    let pause = Span::from_milliseconds(300);
    let halves = |_: &_| Halves { half: 10_000, pause, state: State::Idle };
    let outcome = Simulation::builder(&scenario).application("bulk", halves).run().expect("a run");
    let flow = &outcome.summary.flows["bulk"];
    assert_eq!(flow.acked_bytes, 20_000);
    let finished = flow.finished_s.expect("the transfer is finished");
    assert!((0.340..0.344).contains(&finished), "{finished} s");
}

/// Three cells at once every millisecond, from a quarter of one on.
#[derive(Debug)]
struct Triplets(u32);

impl Spacing for Triplets {
    fn first(&mut self, start: Time) -> Time {
        start + Span::from_microseconds(250)
    }

    fn next_after(&mut self, now: Time) -> Time {
        self.0 = (self.0 + 1) % 3;
        if self.0 == 0 { now + Span::from_milliseconds(1) } else { now }
    }
}

#[test]
fn cells_are_sent_when_a_source_from_outside_says() {
    let outcome =
        Simulation::builder(&scenario(LONG)).source("raw", |_| Triplets(0)).run().expect("a run");
    assert_eq!(outcome.summary.vcs["raw"].sent, 3000);
}

/// A hundred cells whose instants go back in time: all are sent at once.
#[test]
fn a_source_cannot_turn_back_time() {
    #[derive(Debug)]
    struct Backwards(u32);
    impl Spacing for Backwards {
        fn next_after(&mut self, now: Time) -> Time {
            self.0 += 1;
            if self.0 < 100 { now - Span::from_milliseconds(1) } else { Time::MAX }
        }
    }
    let scenario = scenario(LONG);
    let outcome =
        Simulation::builder(&scenario).source("raw", |_| Backwards(0)).run().expect("a run");
    assert_eq!(outcome.summary.vcs["raw"].delivered, 100);
}

/// Discards a part of all cells by draws of its own.
#[derive(Debug)]
struct Lossy {
    stream: cellway_sim::engine::Stream,
    part: f64,
}

impl DropPolicy for Lossy {
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        if self.stream.unit() < self.part {
            return Verdict::Discard(Cause::Overflow);
        }
        Tail.on_arrival(head, queue)
    }
}

/// 2358 raw cells a second, a tenth of which is lost at one port; the deviation is 15.
#[test]
fn a_drop_policy_is_for_the_ports_that_it_is_named_for() {
    let scenario = scenario(LONG);
    let lossy = |port: &str| {
        let policy = |site: &cellway_sim::QueueSite| {
            assert_eq!(site.capacity, None);
            Lossy { stream: site.stream("losses"), part: 0.1 }
        };
        let builder = Simulation::builder(&scenario).drop_policy(port, policy);
        builder.run().expect("a run").summary
    };
    let towards_a = lossy("atm.in");
    assert!((200..280).contains(&towards_a.vcs["raw"].dropped), "{:?}", towards_a.vcs["raw"]);
    assert_eq!(towards_a.vcs["bulk"].dropped, 0);
    assert_eq!(lossy("atm.out").vcs["raw"].dropped, 0);
}

#[test]
fn a_rule_for_nothing_is_an_error_that_says_what_there_is() {
    let scenario = scenario(LONG);
    let message = |builder: Builder<'_>| match builder.run() {
        Err(RunError::UnknownName(message)) => message,
        other => panic!("{other:?}"),
    };
    let builder = || Simulation::builder(&scenario);
    assert_eq!(
        message(builder().congestion("raw", |_| Ten)),
        "no flow with TCP fits `raw`; expected `bulk`"
    );
    assert_eq!(
        message(builder().source("bulk", |_| Triplets(0))),
        "no flow of raw cells or datagrams fits `bulk`; expected `raw`"
    );
    assert_eq!(
        message(builder().drop_policy("atm", |_| Tail)),
        "no port fits `atm`; expected one of `atm.in`, `atm.out`"
    );
}

/// Scalable TCP (Kelly 2003): a hundredth of a segment per segment, an eighth of cwnd per loss.
#[derive(Debug)]
struct Scalable;

impl Law for Scalable {
    fn avoid(&mut self, ack: &mut Ack<'_>) {
        let cwnd = ack.window.cwnd() + ack.acked / 100;
        ack.window.set_cwnd(cwnd);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes / 8 * 7
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        congested.window.set_ssthresh(self.left_of(congested.flight.bytes_of_window()));
        InRecovery::Rule
    }
}

/// What RACK lets out beyond cwnd while it waits for a loss to show is not a part of the window,
/// however ACKs are delayed or compressed: 0.075/p segments in a round trip, as Kelly has it. With
/// these bytes the window of `linux` would be larger by a third.
#[test]
fn a_law_reduces_the_window_alone_under_every_rule_of_acks() {
    for tcp in [
        "preset = \"linux\"",
        "preset = \"linux\", ack = \"every_segment\"",
        "mtu = \"1500 B\", window = \"1 MiB\", timers = \"fine\", recovery = \"rack\", \
         ack = \"every_segment\"",
    ] {
        let network = Network::line("400 s", ["100 Mbit/s of line"; 2], "15 ms")
            .at("run", "warm_up = \"20 s\"")
            .at("link.out", "impairments.loss = 0.001")
            .flow("bulk", ["a", "b"], &format!("traffic = \"greedy\"\ntcp = {{ {tcp} }}"));
        let scenario = scenario(&network);
        let outcome = Simulation::builder(&scenario).law("bulk", |_| Scalable).run().expect("runs");
        let rate = outcome.summary.flows["bulk"].throughput_bits_per_second;
        let window = rate * 0.060 / (8.0 * 1460.0);
        assert!((65.0..80.0).contains(&window), "{tcp}: {window}");
    }
}
