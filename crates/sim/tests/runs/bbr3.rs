//! States of BBR version 3 in their series, and its bounds from losses.

use super::bbr::{Path, at, entries, series};
use cellway_sim::Outcome;

const DOWN: u8 = 2;
const CRUISE: u8 = 3;
const REFILL: u8 = 4;
const UP: u8 = 5;
const PROBE_RTT: u8 = 6;

/// Segments of payload of a series at an instant.
fn segments(outcome: &Outcome, name: &str, instant: f64) -> f64 {
    at(series(outcome, &format!("x.{name}")), instant) / 1460.0
}

/// Section 5.3.3: DOWN, CRUISE, REFILL for a round, UP until three rounds bring no quarter more,
/// unless `ProbeRTT` comes between. Without losses probes are as many rounds apart as segments make
/// up the product, or one less: 34 rounds of 41.3 ms and a queue.
#[test]
fn the_states_of_probe_bw_follow_one_another() {
    let outcome = Path::GREEDY.outcome();
    let entries = entries(&outcome);
    assert_eq!([entries[0].1, entries[1].1], [0, 1]);
    let mut probes = Vec::new();
    for window in entries[2..].windows(3) {
        let [(_, before), (began, state), (ended, after)] = [window[0], window[1], window[2]];
        let follows = match state {
            DOWN => before == UP && [CRUISE, PROBE_RTT].contains(&after),
            CRUISE => [DOWN, PROBE_RTT].contains(&before) && [REFILL, PROBE_RTT].contains(&after),
            REFILL => before == CRUISE && [UP, PROBE_RTT].contains(&after),
            UP => before == REFILL && [DOWN, PROBE_RTT].contains(&after),
            state => state == PROBE_RTT && after == CRUISE,
        };
        assert!(follows, "{window:?}");
        let lasts = ended - began;
        match (state, after) {
            (REFILL, UP) => assert!((0.035..=0.05).contains(&lasts), "{window:?}"),
            (UP, DOWN) => assert!((0.12..=0.2).contains(&lasts), "{window:?}"),
            (DOWN, CRUISE) => assert!((0.2..=0.5).contains(&lasts), "{window:?}"),
            _ => {}
        }
        if state == UP {
            probes.push(began);
        }
    }
    assert!(probes.len() >= 10, "{probes:?}");
    let shortest = probes.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::MAX, f64::min);
    assert!((33.0 * 0.0413..=35.0 * 0.06).contains(&shortest), "{probes:?}");
}

/// Rates of the states are the gains times 0.99 of the bandwidth.
#[test]
fn the_pacing_rate_has_the_gain_of_its_state() {
    let outcome = Path { duration: "12 s", ..Path::GREEDY }.outcome();
    let of = |name: &str, instant| at(series(&outcome, &format!("x.law.{name}")), instant);
    let mut seen = [false; 7];
    for (time, state) in entries(&outcome).into_iter().skip(1) {
        let gain = [2.77, 0.5, 0.9, 1.0, 1.0, 1.25, 1.0][usize::from(state)];
        let found = of("pacing_rate", time) / of("bandwidth", time);
        assert!((found / (0.99 * gain) - 1.0).abs() < 1e-9, "{state} {found}");
        seen[usize::from(state)] = true;
    }
    assert_eq!(seen[1..], [true; 6]);
}

/// Section 5.3.4: every five seconds, 200 ms and a round with half of the product in flight, or
/// four segments where that is less.
#[test]
fn every_five_seconds_the_flight_is_half_of_the_product_for_200_ms() {
    for (rate, expected) in [("10 Mbit/s", 16.7), ("1 Mbit/s", 4.0)] {
        let outcome = Path { rate, ..Path::GREEDY }.outcome();
        let entries = entries(&outcome);
        let probes: Vec<(f64, f64)> = entries
            .windows(2)
            .filter(|pair| pair[0].1 == PROBE_RTT)
            .map(|pair| (pair[0].0, pair[1].0))
            .collect();
        assert!(probes.len() >= 5, "{rate}: {probes:?}");
        for &(began, ended) in &probes {
            assert!((0.2..0.4).contains(&(ended - began)), "{rate}: {probes:?}");
            let found = segments(&outcome, "in_flight", ended - 0.01);
            assert!((expected - 1.5..=expected + 1.0).contains(&found), "{rate}: {found}");
        }
        for pair in probes.windows(2) {
            assert!((5.0..5.4).contains(&(pair[1].0 - pair[0].1)), "{rate}: {probes:?}");
        }
    }
}

/// Losses of a probe bound the flight where the buffer ends: product and buffer, and with 15 % less
/// the window of CRUISE. Before, Startup ended by losses and not by a plateau, which takes longer.
#[test]
fn a_probe_that_overflows_the_buffer_bounds_the_flight_for_long() {
    let outcome = Path { buffer: 17, ..Path::GREEDY }.outcome();
    let plateau = entries(&Path { duration: "3 s", ..Path::GREEDY }.outcome())[1].0;
    let entries = entries(&outcome);
    assert!(entries[1].0 < plateau - 0.04, "{entries:?} {plateau}");
    let summary = &outcome.summary.flows["x"];
    assert!(summary.retransmitted_segments > 5 && summary.timeouts == 0);
    for &(time, state) in entries.iter().filter(|(time, _)| *time > 10.0) {
        let bound = segments(&outcome, "law.inflight_longterm", time);
        assert!((33.7 + 17.0 - 2.0..=33.7 + 17.0 + 4.0).contains(&bound), "{bound}");
        if state == REFILL {
            let window = segments(&outcome, "in_flight", time - 0.05);
            assert!(window < 0.85 * bound + 1.0, "{window} {bound}");
        }
    }
}

/// Losses of 1 % are below the threshold of 2 %, those of 3 % above it: of 1667 segments in flight
/// 17 ± 4 and 50 ± 7 are lost, and 33 are the threshold.
#[test]
fn random_losses_bound_the_flight_if_they_are_above_two_per_cent() {
    let outcome = |loss: f64| {
        let line = &format!("impairments = {{ loss = {loss} }}");
        let path = Path { rate: "500 Mbit/s", buffer: 7000, line, ..Path::GREEDY };
        Path { duration: "8 s", ..path }.outcome()
    };
    let (few, many) = (outcome(0.01), outcome(0.03));
    let bounds = |outcome: &Outcome| {
        let bound = series(outcome, "x.law.inflight_longterm");
        bound.values.iter().filter(|bound| bound.is_finite()).count()
    };
    assert_eq!(bounds(&few), 0);
    assert!(bounds(&many) > 1000);
    let rates = [&few, &many].map(|run| run.summary.flows["x"].throughput_bits_per_second / 1e6);
    assert!(rates[0] > 0.7 * 487.0 && rates[1] < 0.5 * rates[0], "{rates:?}");
    // Outside probes losses lower the rate by about their part in each round, until the next probe.
    let bandwidth = series(&few, "x.law.bandwidth");
    let rounds = 2.0 / 0.0402;
    let per_round = libm::pow(at(bandwidth, 3.0) / at(bandwidth, 1.0), 1.0 / rounds);
    assert!((0.985..=0.997).contains(&per_round), "{per_round}");
    assert!(at(bandwidth, 3.25) > 0.98 * 487e6, "{}", at(bandwidth, 3.25));
}
