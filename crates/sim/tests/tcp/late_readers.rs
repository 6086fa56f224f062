//! Whenever the receiving application reads and whatever is lost, window updates and probes
//! included: all data arrive, and the receive buffer never holds more than it can.

use cellway_sim::tcp::{
    AckRule, Config, Connection, Event, FineTimers, PeriodicReader, ReaderPlan, Recovery, Segment,
    TickPhases, Timers,
};
use cellway_sim::units::{Bytes, Span, Time};
use proptest::prelude::*;

use crate::fates::fate;
use crate::pair::{End, Fate, Pair, Path, Step};

/// The first segments have these fates, in the order they are sent; later ones arrive.
struct Losing {
    fates: std::vec::IntoIter<Fate>,
    is_aborted: bool,
}

impl Path for Losing {
    fn fate(&mut self, _from: End, _segment: &Segment) -> Fate {
        self.fates.next().unwrap_or(Fate::Arrives)
    }

    fn on_step(&mut self, _now: Time, step: &Step<'_>, _a: &Connection) {
        self.is_aborted |= matches!(step, Step::Told(_, Event::Aborted));
    }
}

fn config() -> impl Strategy<Value = Config> {
    let sizes = (prop_oneof![Just(100_u64), Just(1460), Just(9140)], 1_u64..100_000, 1_u32..20);
    let send_buffer = prop::option::of(1_u64..50_000);
    let timers = prop_oneof![Just(Timers::default()), Just(Timers::Fine(FineTimers::default()))];
    let switches = any::<[bool; 6]>();
    (prop::sample::select(Recovery::ALL), sizes, send_buffer, timers, switches).prop_map(
        |(recovery, (mss, window, initial_window), send_buffer, timers, switches)| {
            let [handshake, window_scaling, nagle, delays_acks, limited_transmit, timestamps] =
                switches;
            Config {
                mss: Bytes(mss),
                window: Bytes(window),
                send_buffer: send_buffer.map(Bytes),
                recovery,
                timers,
                ack: if delays_acks { AckRule::Delayed } else { AckRule::EverySegment },
                handshake,
                initial_window,
                window_scaling,
                limited_transmit: limited_transmit && recovery != Recovery::Vanilla,
                nagle,
                timestamps,
                reader: ReaderPlan::Periodic(PeriodicReader {
                    block: Bytes(1),
                    period: Span::from_seconds(1),
                }),
                ..Config::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(2048),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_reader_and_no_loss_stops_a_transfer_for_good(
        config in config(),
        fates in prop::collection::vec(fate(3), 0..100),
        written in 1_u64..200_000,
        reads in prop::collection::vec((1_i64..3000, 1_u64..40_000), 0..20),
        at_the_end in 1_u64..20_000,
    ) {
        let path = Losing { fates: fates.into_iter(), is_aborted: false };
        let delay = Span::from_milliseconds(20);
        let mut pair = Pair::open(&config, TickPhases::default(), delay, path);
        pair.act(End::A, |connection| connection.write(written));
        let mut reads = reads.into_iter();
        while pair.b.delivered() < written && !pair.path.is_aborted {
            // After the listed reads a steady one.
            let (pause, bytes) = reads.next().unwrap_or((500, at_the_end));
            pair.drive_until(pair.now + Span::from_milliseconds(pause));
            prop_assert!(pair.b.unread() <= config.window.0);
            let bytes = bytes.min(pair.b.unread());
            pair.act(End::B, |connection| connection.read(bytes));
            prop_assert!(pair.now < Time::ZERO + Span::from_seconds(200_000), "a deadlock");
        }
        pair.act(End::A, Connection::close);
        pair.drive();
        // Thirteen transmissions lost in a row, before or after all is read, promise nothing.
        if pair.path.is_aborted {
            return Ok(());
        }
        prop_assert_eq!([pair.b.delivered(), pair.a.acked()], [written; 2]);
    }
}
