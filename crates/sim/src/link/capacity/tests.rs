//! Paths against the laws of their processes, and traces by hand.

use super::*;
use crate::engine::Stream;
use crate::scenario::{Scenario, Source};
use crate::units::{Span, Time};

/// A capacity as a file has it, on a line of 1 Gbit/s.
fn plan(capacity: &str) -> CapacityPlan {
    let text = format!(
        "run = {{ duration = \"1 s\" }}\nhost = {{ a = {{}}, b = {{}} }}\n[link.line]\n\
         from = \"a\"\nto = \"b\"\nrate = \"1 Gbit/s of line\"\ncarries = \"packets\"\n\
         delay = \"1 ms\"\ncapacity = {{ {capacity} }}\n[flow.raw]\nfrom = \"a\"\nto = \"b\"\n\
         traffic = {{ cbr = {{ rate = \"1 kbit/s of payload\", datagram = \"64 B\" }} }}\n"
    );
    let scenario = Scenario::parse(Source { origin: "line.toml", text: &text }, &[]);
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    scenario.links[0].capacity.clone().expect("given")
}

fn path(capacity: &str, seed: u64) -> Capacity {
    plan(capacity).path(Stream::new(seed, "link line there capacity"), Span::ZERO)
}

fn at(milliseconds: i64) -> Time {
    Time::ZERO + Span::from_milliseconds(milliseconds)
}

/// Sojourns in seconds, by rate in kbit/s, each complete.
fn sojourns(path: &mut Capacity, count: usize) -> Vec<(u64, f64)> {
    let mut from = path.next_change(Time::ZERO);
    let sojourn = |_| {
        let (rate, end) = (path.rate_at(from), path.next_change(from));
        let held = (end - from).seconds_f64();
        from = end;
        (rate.bits_per_second() / 1000, held)
    };
    (0..count).map(sojourn).collect()
}

/// Mean and its deviation, and the coefficient of variation.
fn moments(values: &[f64]) -> (f64, f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n;
    (mean, (variance / n).sqrt(), variance.sqrt() / mean)
}

const RATES: &str = "high = \"800 kbit/s of line\", low = \"400 kbit/s of line\"";

#[test]
fn sojourns_of_two_states_are_exponential_with_their_means() {
    let two = format!("two_state = {{ {RATES}, mean_high = \"30 ms\", mean_low = \"20 ms\" }}");
    let found = sojourns(&mut path(&two, 1), 40_000);
    for (rate, expected) in [(800, 0.030), (400, 0.020)] {
        let own: Vec<f64> = found.iter().filter(|(of, _)| *of == rate).map(|(_, s)| *s).collect();
        let (mean, deviation, variation) = moments(&own);
        assert!((mean - expected).abs() < 4.0 * deviation, "{rate}: {mean}");
        // Of an exponential it is 1, with the deviation 1/√n.
        assert!((variation - 1.0).abs() < 4.0 / (own.len() as f64).sqrt(), "{rate}: {variation}");
    }
}

/// Geometric sojourns with p: mean 1/p slots, coefficient of variation √(1 − p).
#[test]
fn sojourns_in_slots_are_geometric_with_their_means() {
    let two = format!(
        "two_state = {{ {RATES}, mean_high = \"90 ms\", mean_low = \"40 ms\", slot = \"30 ms\" }}"
    );
    let found = sojourns(&mut path(&two, 2), 40_000);
    for (rate, p) in [(800, 1.0 / 3.0), (400, 0.75)] {
        let slots: Vec<f64> =
            found.iter().filter(|(of, _)| *of == rate).map(|(_, s)| s / 0.03).collect();
        assert!(slots.iter().all(|slots| (slots - slots.round()).abs() < 1e-9 && *slots > 0.9));
        let (mean, deviation, variation) = moments(&slots);
        assert!((mean - 1.0 / p).abs() < 4.0 * deviation, "{rate}: {mean}");
        let expected = f64::sqrt(1.0 - p);
        assert!((variation - expected).abs() < 0.03, "{rate}: {variation} for {expected}");
    }
}

/// Changes come 10 ms after multiples of 30 ms; without a first slot they would be the same 20 ms
/// later.
#[test]
fn a_first_slot_shifts_all_changes() {
    let changes = |more: &str| {
        let slots = "mean_high = \"60 ms\", mean_low = \"60 ms\", slot = \"30 ms\"";
        let mut path = path(&format!("two_state = {{ {RATES}, {slots}{more} }}"), 3);
        let mut now = Time::ZERO;
        let next = |_| {
            now = path.next_change(now);
            now
        };
        (0..50).map(next).collect::<Vec<_>>()
    };
    let (shifted, others) = (changes(", first_slot = \"10 ms\""), changes(""));
    assert!(shifted.iter().all(|&change| (change - at(10)).picoseconds() % 30_000_000_000 == 0));
    assert!(shifted.iter().zip(&others).all(|(&early, &late)| late - early == at(20) - at(0)));
}

/// A sojourn of one slot always ends with its slot: ψ at its smallest.
#[test]
fn at_a_sojourn_of_one_slot_rates_alternate() {
    let two = format!(
        "two_state = {{ {RATES}, mean_high = \"30 ms\", mean_low = \"30 ms\", slot = \"30 ms\" }}"
    );
    let found = sojourns(&mut path(&two, 3), 100);
    assert!(found.iter().all(|(_, held)| (held - 0.03).abs() < 1e-12), "{found:?}");
}

/// Fraction of the time at the high rate: h/(h + l); its variance over T is asymptotically
/// 2·h²l²/((h + l)³·T).
#[test]
fn the_time_is_shared_as_the_stationary_law_says() {
    let (h, l) = (0.3_f64, 0.1_f64);
    let two = format!("two_state = {{ {RATES}, mean_high = \"300 ms\", mean_low = \"100 ms\" }}");
    let seconds = 4_000.0;
    let carried = path(&two, 4).carried(at(0), at(4_000_000)) / seconds;
    let (law, sum) = (h / (h + l), h + l);
    let deviation = (2.0 * h * h * l * l / (sum * sum * sum * seconds)).sqrt();
    let found = (carried - 400e3) / 400e3;
    assert!((found - law).abs() < 4.0 * deviation, "{found} for {law} ± {deviation}");
    assert!((plan(&two).long_run(Span::ZERO).mean() - 700e3).abs() < 1e-6);
    // The beginning has the same law: among many paths the same fraction begins at the high rate.
    let plan = plan(&two);
    let first = |seed| plan.path(Stream::new(seed, "link line"), Span::ZERO).rate_at(Time::ZERO);
    let begins = (0..2000).filter(|&seed| first(seed).bits_per_second() == 800_000);
    let begins = begins.count() as f64 / 2000.0;
    assert!((begins - law).abs() < 4.0 * (law * (1.0 - law) / 2000.0).sqrt(), "{begins}");
}

const THREE: &str = "rates = [\"0 bit/s of line\", \"1 Mbit/s of line\", \"3 Mbit/s of line\"]";

/// Stationary law by hand, πQ = 0: (2, 3, 2)/7 for this birth and death.
#[test]
fn a_chain_in_continuous_time_has_its_stationary_law_and_moves() {
    let chain =
        format!("markov = {{ {THREE}, generator = [[-30, 30, 0], [10, -30, 20], [10, 20, -30]] }}");
    let law = plan(&chain).long_run(Span::ZERO);
    // π₁ = π₂·10 + π₃·10 over 30; π₂ + π₃ = 3/4, π₂·30 = 30/4 + 20·π₃.
    let expected = [0.25, 0.45, 0.30];
    for ((_, part), expected) in law.0.iter().zip(expected) {
        assert!((part - expected).abs() < 1e-12, "{law:?}");
    }
    let found = sojourns(&mut path(&chain, 5), 60_000);
    for rate in [0, 1000, 3000] {
        let own: Vec<f64> = found.iter().filter(|(of, _)| *of == rate).map(|(_, s)| *s).collect();
        let (mean, deviation, _) = moments(&own);
        assert!((mean - 1.0 / 30.0).abs() < 4.0 * deviation, "{rate}: {mean}");
    }
    let from_middle: Vec<u64> =
        found.windows(2).filter(|pair| pair[0].0 == 1000).map(|pair| pair[1].0).collect();
    let n = from_middle.len() as f64;
    let up = from_middle.iter().filter(|&&next| next == 3000).count() as f64 / n;
    assert!((up - 2.0 / 3.0).abs() < 4.0 * (2.0 / 9.0 / n).sqrt(), "{up}");
}

#[test]
fn a_chain_in_slots_has_its_stationary_law() {
    let chain = format!(
        "slotted = {{ {THREE}, transitions = [[0.5, 0.5, 0], [0.25, 0.5, 0.25], [0, 1, 0]], \
         slot = \"10 ms\" }}"
    );
    // Detailed balance: π₁·0.5 = π₂·0.25, π₂·0.25 = π₃.
    let expected = [2.0 / 7.0, 4.0 / 7.0, 1.0 / 7.0];
    let law = plan(&chain).long_run(Span::ZERO);
    for ((_, part), expected) in law.0.iter().zip(expected) {
        assert!((part - expected).abs() < 1e-12, "{law:?}");
    }
    let mut one = path(&chain, 6);
    let slots = 200_000;
    let mut counts = [0_u32; 3];
    for slot in 0..slots {
        let rate = one.rate_at(at(10 * slot)).bits_per_second();
        counts[[0, 1_000_000, 3_000_000].iter().position(|&of| of == rate).expect("a rate")] += 1;
    }
    // The second eigenvalue is 0.5: not more than 3 times the variance of independent slots.
    for (count, law) in counts.iter().zip(expected) {
        let (found, n) = (f64::from(*count) / slots as f64, slots as f64);
        assert!((found - law).abs() < 4.0 * (3.0 * law * (1.0 - law) / n).sqrt(), "{counts:?}");
    }
}

#[test]
fn a_list_holds_repeats_and_ends() {
    let list = "[[\"0 s\", \"8 Mbit/s of line\"], [\"1 s\", \"0 bit/s of line\"], \
                [\"1500 ms\", \"4 Mbit/s of line\"]]";
    let mut once = path(&format!("steps = {{ rates = {list} }}"), 1);
    let rates = |path: &mut Capacity| {
        [0, 999, 1000, 1499, 1500, 1999, 2000, 3100]
            .map(|ms| path.rate_at(at(ms)).bits_per_second())
    };
    let m = 1_000_000;
    assert_eq!(rates(&mut once), [8 * m, 8 * m, 0, 0, 4 * m, 4 * m, 4 * m, 4 * m]);
    assert_eq!(once.next_change(at(3100)), Capacity::FAR);
    let again = format!("steps = {{ rates = {list}, period = \"2 s\" }}");
    assert_eq!(rates(&mut path(&again, 1)), [8 * m, 8 * m, 0, 0, 4 * m, 4 * m, 8 * m, 0]);
    assert!((plan(&again).long_run(Span::ZERO).mean() - 5e6).abs() < 1e-6);
    let of_run = plan(&format!("steps = {{ rates = {list} }}")).long_run(Span::from_seconds(4));
    assert!((of_run.mean() - (8e6 + 4e6 * 2.5) / 4.0).abs() < 1e-6, "{of_run:?}");
}

/// Instants 1, 1, 3, 4, repeated: two packets in the first millisecond, none in the second, one in
/// each of the next two.
#[test]
fn a_trace_wraps_around_at_its_last_instant() {
    let mut trace = path("mahimahi = { opportunities = [1, 1, 3, 4] }", 1);
    let mut at_end = Time::ZERO;
    let instants = (0..10).map(|_| {
        at_end = trace.finish(at_end, 12_000);
        (at_end - Time::ZERO).seconds_f64() * 1e3
    });
    let expected = [0.5, 1.0, 3.0, 4.0, 4.5, 5.0, 7.0, 8.0, 8.5, 9.0];
    assert_eq!(instants.collect::<Vec<f64>>(), expected);
    assert!((trace.carried(at(400), at(404)) - 48_000.0).abs() < 1e-9);
    // 0 is the end of each period.
    let mut zero = path("mahimahi = { opportunities = [0, 2] }", 1);
    let rates = [0, 1, 2, 3].map(|ms| zero.rate_at(at(ms)).bits_per_second() / 12_000_000);
    assert_eq!(rates, [0, 2, 0, 2]);
    // One in each millisecond never changes, which is known at once.
    let mut full = path("mahimahi = { opportunities = [1, 2, 3] }", 1);
    assert_eq!(full.next_change(at(7)), Capacity::FAR);
}

/// A matrix that is nearly reducible, where differences would cancel.
#[test]
fn the_stationary_law_is_exact_to_the_last_digits() {
    let chain = "slotted = { rates = [\"1 Mbit/s of line\", \"2 Mbit/s of line\"], \
                 transitions = [[0.999999999999, 1e-12], [3e-12, 0.999999999997]], slot = \"1 ms\" \
                 }";
    let law = plan(chain).long_run(Span::ZERO);
    assert!((law.0[0].1 - 0.75).abs() < 1e-12, "{law:?}");
}
