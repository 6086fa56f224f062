//! Whatever the path does to a finite number of segments, all data arrive once, in order, and both
//! ends come to rest.

use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::tcp::{
    AbcPlan, AckRule, Avoidance, Bbr1Plan, Bbr3Plan, Config, CongestionLaw, CopaPlan, CubicPlan,
    DctcpPlan, Event, FastRetransmitGuard, FineTimers, HyblaPlan, PraguePlan, QuickPlan, Recovery,
    RestartAfterIdle, Sampling, Segment, ShortSegments, TickPhases, Timers, VegasPlan,
    WestwoodPlan,
};
use cellway_sim::units::{Bytes, Span, Time};
use proptest::prelude::*;

use crate::MISMATCH;
use crate::fates::fate;
use crate::pair::{End, Fate, Known, Pair, Path, Step};

/// The first segments have these fates, in the order they are sent; later ones arrive.
struct Mistreating {
    fates: std::vec::IntoIter<Fate>,
    events: Vec<(End, Event)>,
    last: Time,
    /// Longest time without a step.
    silence: Span,
    known: [Known; 2],
    /// Bytes of data that each end has sent.
    sent: [u64; 2],
}

impl Mistreating {
    fn new(fates: Vec<Fate>, recovery: &Recovery) -> Self {
        Self {
            fates: fates.into_iter(),
            events: Vec::new(),
            last: Time::ZERO,
            silence: Span::ZERO,
            known: [Known::under(recovery), Known::under(recovery)],
            sent: [0, 0],
        }
    }
}

impl Path for Mistreating {
    fn fate(&mut self, _from: End, _segment: &Segment) -> Fate {
        self.fates.next().unwrap_or(Fate::Arrives)
    }

    fn on_step(&mut self, now: Time, step: &Step<'_>, _a: &cellway_sim::tcp::Connection) {
        assert!(now >= self.last, "time goes on");
        self.silence = self.silence.max(now - self.last);
        self.last = now;
        for (end, known) in [End::A, End::B].into_iter().zip(&mut self.known) {
            known.on_step(end, step);
        }
        match *step {
            Step::Told(end, event) => self.events.push((end, event)),
            Step::Sent(end, segment) => self.sent[end as usize] += u64::from(segment.len),
            _ => {}
        }
    }
}

fn timers() -> impl Strategy<Value = Timers> {
    let milliseconds = Span::from_milliseconds;
    prop_oneof![
        Just(Timers::default()),
        (1_i64..1500).prop_map(move |min| Timers::Fine(FineTimers {
            granularity: milliseconds(10),
            initial_rto: milliseconds(3000),
            min_rto: milliseconds(min),
            max_rto: milliseconds(60_000),
            ack_delay: milliseconds(200),
            samples: if min % 2 == 0 { Sampling::Each } else { Sampling::Shared },
        })),
    ]
}

fn laws() -> [CongestionLaw; 13] {
    [
        CongestionLaw::Reno,
        CongestionLaw::Cubic(CubicPlan::default()),
        CongestionLaw::Vegas(VegasPlan::default()),
        CongestionLaw::Westwood(WestwoodPlan::default()),
        CongestionLaw::Hybla(HyblaPlan::default()),
        CongestionLaw::Dctcp(DctcpPlan::default()),
        CongestionLaw::Prague(PraguePlan::default()),
        CongestionLaw::Abc(AbcPlan::default()),
        CongestionLaw::Copa(CopaPlan::default()),
        CongestionLaw::Bbr1(Bbr1Plan::default()),
        CongestionLaw::Bbr3(Bbr3Plan::default()),
        CongestionLaw::Xcp,
        CongestionLaw::Rcp,
    ]
}

fn config() -> impl Strategy<Value = Config> {
    let recovery = (prop::sample::select(Recovery::ALL), prop::sample::select(laws().to_vec()));
    let ack = prop_oneof![
        Just(AckRule::EverySegment),
        Just(AckRule::Delayed),
        (0_u32..20, any::<bool>())
            .prop_map(|(segments, compressed)| AckRule::Quick(QuickPlan { segments, compressed })),
    ];
    let avoidance = prop_oneof![
        Just(Avoidance::Standard),
        Just(Avoidance::BsdExtra),
        Just(Avoidance::Counted),
    ];
    let sizes = (prop_oneof![Just(512_u64), Just(1460), Just(9140)], 1000_u64..300_000, 1_u32..20);
    let switches = any::<[bool; 12]>();
    let restarts = [
        RestartAfterIdle::Never,
        RestartAfterIdle::Rfc5681,
        RestartAfterIdle::Rfc2861,
        RestartAfterIdle::Bsd,
    ];
    let after = (prop::option::of(1_u64..100_000), prop::sample::select(restarts.to_vec()));
    (recovery, timers(), ack, avoidance, sizes, after, switches).prop_map(
        |(recovery, timers, ack, avoidance, sizes, after, switches)| {
            let (send_buffer, restart_after_idle) = after;
            let (mss, window, initial_window) = sizes;
            let [
                handshake,
                window_scaling,
                limited_transmit,
                is_guarded,
                hystart,
                nagle,
                timestamps,
                ecn,
                pacing,
                d_sack,
                fills_window,
                tso_defer,
            ] = switches;
            let fast_retransmit_guard = match (is_guarded, nagle) {
                (true, true) => FastRetransmitGuard::AfterTimeouts,
                (true, false) => FastRetransmitGuard::Always,
                (false, _) => FastRetransmitGuard::Never,
            };
            let short_segments =
                if fills_window { ShortSegments::Linux } else { ShortSegments::Rfc1122 };
            let (recovery, law) = recovery;
            let has_samples = !law.needs().samples || recovery.keeps_log();
            let is_free = recovery.takes_any_law() && has_samples;
            let congestion = if is_free { law } else { CongestionLaw::Reno };
            Config {
                mss: Bytes(mss),
                window: Bytes(window),
                send_buffer: send_buffer.map(Bytes),
                congestion,
                recovery,
                timers,
                ack,
                handshake,
                initial_window,
                avoidance,
                window_scaling,
                limited_transmit,
                fast_retransmit_guard,
                hystart,
                nagle,
                short_segments,
                tso_defer,
                restart_after_idle,
                timestamps,
                ecn,
                pacing,
                d_sack,
                ..Config::default()
            }
        },
    )
}

/// Pauses in ms, ends and bytes of writes.
type Writes = Vec<(i64, bool, u64)>;

fn writes() -> impl Strategy<Value = Writes> {
    prop::collection::vec((0_i64..2000, any::<bool>(), 1_u64..60_000), 1..6)
}

/// Writes by both ends over the path, and their rest; `None` if one gave up.
fn carry(
    config: &Config,
    phases: TickPhases,
    fates: Vec<Fate>,
    writes: Writes,
) -> Option<([u64; 2], Pair<Mistreating>)> {
    let path = Mistreating::new(fates, &config.recovery);
    let mut pair = Pair::open(config, phases, Span::from_milliseconds(20), path);
    let mut written = [0, 0];
    for (pause, by_a, bytes) in writes {
        pair.drive_until(pair.now + Span::from_milliseconds(pause));
        let end = if by_a { End::A } else { End::B };
        written[end as usize] += bytes;
        pair.act(end, |connection| connection.write(bytes));
    }
    for end in [End::A, End::B] {
        pair.act(end, cellway_sim::tcp::Connection::close);
    }
    pair.drive();
    let has_aborted = pair.path.events.iter().any(|(_, event)| *event == Event::Aborted);
    (!has_aborted).then_some((written, pair))
}

/// All that was written has arrived, once and in order, and both ends have closed.
fn check(written: [u64; 2], pair: &Pair<Mistreating>) -> Result<(), TestCaseError> {
    prop_assert_eq!([pair.a.acked(), pair.b.acked()], written);
    prop_assert_eq!([pair.b.delivered(), pair.a.delivered()], written);
    prop_assert_eq!([pair.a.in_flight(), pair.b.in_flight()], [0, 0]);
    let counters = [pair.a.counters(), pair.b.counters()];
    for ((of, sent), bytes) in counters.iter().zip(pair.path.sent).zip(written) {
        prop_assert!(of.window_probes > 0 || sent == bytes + of.retransmitted_bytes);
    }
    let mut events = pair.path.events.clone();
    events.sort_by_key(|(end, event)| (*end, *event as u8));
    let all = [Event::Connected, Event::Finished, Event::Closed];
    let of_end = |end| all.map(|event| (end, event));
    let expected: Vec<_> = [End::A, End::B].into_iter().flat_map(of_end).collect();
    prop_assert_eq!(events, expected);
    Ok(())
}

/// Values of the preset, as a scenario has them.
fn linux() -> Config {
    let sets = [("flow.bulk.tcp".to_owned(), "{ preset = \"linux\" }".to_owned())];
    let source = Source { origin: "mismatch.toml", text: MISMATCH };
    let scenario = Scenario::parse(source, &sets).expect("a scenario");
    scenario.flows[0].tcp.clone().expect("tcp")
}

/// Longest timeout of the preset, which is longer than any pause between writes.
const LONGEST: Span = Span::from_seconds(120);

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(4096),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn all_data_arrive_once_and_both_ends_rest(
        config in config(),
        fates in prop::collection::vec(fate(2), 0..150),
        writes in writes(),
        slow in 0_i64..500,
        fast in 0_i64..200,
    ) {
        let [slow, fast] = [slow, fast].map(Span::from_milliseconds);
        // A pattern may starve one end by losing thirteen transmissions in a row; then nothing is
        // promised.
        let carried = carry(&config, TickPhases { slow, fast }, fates, writes);
        prop_assume!(carried.is_some());
        if let Some((written, pair)) = carried {
            check(written, &pair)?;
        }
    }

    /// The same under the preset `linux` and every law, and no silence beyond a timeout.
    #[test]
    fn linux_delivers_all_and_never_stalls(
        law in prop::sample::select(laws().to_vec()),
        fates in (1_u32..4).prop_flat_map(|lost| prop::collection::vec(fate(lost), 0..300)),
        writes in writes(),
    ) {
        let config = Config { congestion: law, ..linux() };
        let carried = carry(&config, TickPhases::default(), fates, writes);
        prop_assume!(carried.is_some());
        if let Some((written, pair)) = carried {
            check(written, &pair)?;
            prop_assert!(pair.path.silence <= LONGEST);
        }
    }
}
