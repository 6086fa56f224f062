//! Tests of the model as a whole: laws that every path must obey, limits, and refusals.

use super::chain::Chain;
use super::cycle::Cycles;
use super::interval::{Interval, interval};
use super::*;

/// Δ = 40 packets, 20 at the low rate, a buffer of 10, ψ = 20.
pub(super) const PAPER: Path =
    Path { high: 40, low: 20, buffer: 10, max_window: 64, high_lasts: 20.0, low_lasts: 20.0 };

const SENDERS: [Sender; 3] =
    [Sender::TcpOverAbr, Sender::TcpOverConstantRate(25), Sender::TcpAlone];

fn lasting(psi: f64) -> Path {
    Path { high_lasts: psi, low_lasts: psi, ..PAPER }
}

fn of(path: &Path, sender: Sender) -> Throughput {
    throughput(path, sender, WindowAtLoss::Binomial, true).unwrap()
}

#[test]
fn probabilities_add_up_and_every_reward_is_within_its_bounds() {
    for sender in SENDERS {
        for window in [WindowAtLoss::Binomial, WindowAtLoss::PlusOne] {
            let path = lasting(3.0);
            let chain = Chain::from_start(&Cycles::new(&path, sender, window)).unwrap();
            for row in &chain.rows {
                let sum: f64 = row.next.iter().map(|(_, probability)| probability).sum();
                assert!((sum - 1.0).abs() < 1e-13, "{sender:?} {sum}");
                assert!((0.0..=1.0 + 1e-13).contains(&row.loss));
                let Rates { optimistic, each_once, returned, nothing } = row.reward;
                assert!(nothing <= returned && returned <= each_once && each_once <= optimistic);
            }
        }
    }
}

/// A' + B' + D' = W + N, and the buffer holds what it can, in every state that is reached.
#[test]
fn without_loss_packets_are_conserved() {
    for sender in SENDERS {
        let chain = Chain::from_start(&Cycles::new(&PAPER, sender, WindowAtLoss::Binomial));
        for state in chain.unwrap().states {
            let most = state.queues.flight.min(PAPER.max_window - state.queues.window());
            for growth in 0..=most {
                let next = interval(&PAPER, sender, state.queues, state.pair, growth);
                if let Interval::Lossless(next) = next {
                    assert_eq!(next.window(), state.queues.window() + growth);
                    assert!(next.buffer <= PAPER.buffer, "{sender:?} {state:?} {next:?}");
                }
            }
        }
    }
}

/// π by twenty thousand steps of the lazy chain.
#[test]
fn the_stationary_law_is_that_of_many_steps() {
    let path = Path { high: 8, low: 4, buffer: 3, max_window: 12, ..lasting(3.0) };
    for sender in [Sender::TcpOverAbr, Sender::TcpAlone] {
        let chain = Chain::from_start(&Cycles::new(&path, sender, WindowAtLoss::Binomial)).unwrap();
        let found = stationary::law(&chain.rows, &chain.elimination()).unwrap();
        let mut law = vec![0.0; chain.rows.len()];
        law[0] = 1.0;
        for _ in 0..20_000 {
            let mut next: Vec<f64> = law.iter().map(|share| share / 2.0).collect();
            for (row, share) in chain.rows.iter().zip(&law) {
                for &(to, probability) in &row.next {
                    next[to] += share * probability / 2.0;
                }
            }
            law = next;
        }
        for (solved, stepped) in found.law.iter().zip(&law) {
            assert!((solved - stepped).abs() < 1e-12, "{solved} {stepped}");
        }
    }
}

#[test]
fn every_efficiency_is_ordered_and_the_residual_is_rounding() {
    for psi in [1.5, 5.0, 20.0, 100.0] {
        for sender in SENDERS {
            let found = of(&lasting(psi), sender);
            let Rates { optimistic, each_once, returned, nothing } = found.efficiency;
            assert!(0.0 < nothing && nothing < returned && returned < each_once);
            assert!(each_once < optimistic, "{psi} {sender:?} {:?}", found.efficiency);
            assert!(each_once < 1.0);
            assert!(found.residual < 1e-14, "{}", found.residual);
        }
    }
}

/// A window that even the slow link holds never overflows: all of it returns in every round trip,
/// and no accounting differs.
#[test]
fn a_window_that_fits_has_no_loss_and_is_the_throughput() {
    let path = Path { max_window: 15, ..PAPER };
    for sender in [Sender::TcpOverAbr, Sender::TcpAlone] {
        let found = of(&path, sender);
        assert!(found.losses_per_round_trip.abs() < 1e-300);
        assert!((found.mean_cycle - 1.0).abs() < 1e-12);
        assert!((found.packets_per_round_trip.each_once - 15.0).abs() < 1e-9);
        assert!((found.packets_per_round_trip.nothing - 15.0).abs() < 1e-9);
    }
}

/// A link whose rate hardly ever changes: ABR loses nothing at equal rates, and with a window that
/// fills the path only the cells' headers are missing.
#[test]
fn slow_changes_leave_abr_its_cell_headers() {
    let found = of(&lasting(1e5), Sender::TcpOverAbr);
    assert!((found.efficiency.nothing / CELL_PAYLOAD - 1.0).abs() < 1e-3, "{found:?}");
    assert!((found.efficiency.optimistic / CELL_PAYLOAD - 1.0).abs() < 1e-3, "{found:?}");
    let without = throughput(&lasting(1e5), Sender::TcpOverAbr, WindowAtLoss::Binomial, false);
    let without = without.unwrap().efficiency.each_once;
    assert!((without - found.efficiency.each_once / CELL_PAYLOAD).abs() < 1e-12);
}

#[test]
fn slower_changes_and_larger_buffers_raise_the_throughput() {
    for sender in [Sender::TcpOverAbr, Sender::TcpAlone] {
        let mut before = 0.0;
        for psi in [2.0, 5.0, 10.0, 20.0, 50.0, 100.0] {
            let found = of(&lasting(psi), sender).efficiency.each_once;
            assert!(found > before, "{sender:?} {psi}");
            before = found;
        }
        let mut before = 0.0;
        for buffer in [6, 8, 10, 12, 14] {
            let found = of(&Path { buffer, ..PAPER }, sender).efficiency.each_once;
            assert!(found > before, "{sender:?} {buffer}");
            before = found;
        }
    }
}

/// The constant rate of the slow link never overflows, and carries that rate.
#[test]
fn the_least_constant_rate_is_never_lost() {
    let found = of(&PAPER, Sender::TcpOverConstantRate(20));
    assert!(found.losses_per_round_trip.abs() < 1e-300);
    assert!((found.packets_per_round_trip.each_once - 20.0).abs() < 1e-9);
}

/// A longer time at the high rate raises the mean capacity, and the throughput.
#[test]
fn asymmetric_chains_and_other_rates() {
    let more_high = Path { high_lasts: 30.0, low_lasts: 10.0, ..PAPER };
    let found = of(&more_high, Sender::TcpOverAbr);
    assert!((found.mean_capacity - 35.0).abs() < 1e-12);
    assert!(
        found.packets_per_round_trip.each_once
            > of(&PAPER, Sender::TcpOverAbr).packets_per_round_trip.each_once
    );
    let third = Path { high: 30, low: 10, ..PAPER };
    assert!(of(&third, Sender::TcpOverAbr).efficiency.each_once > 0.0);
}

fn refusal(path: &Path, sender: Sender) -> String {
    throughput(path, sender, WindowAtLoss::Binomial, true).unwrap_err().to_string()
}

#[test]
fn what_is_outside_the_model_is_refused_with_its_reason() {
    assert_eq!(
        refusal(&lasting(1.0), Sender::TcpOverAbr),
        "high_lasts is 1 round trips; expected more than 1: the model lets the rate change only \
         at multiples of the round trip, so that faster changes are outside it"
    );
    assert_eq!(
        refusal(&Path { low: 0, ..PAPER }, Sender::TcpAlone),
        "low is 0; expected a number from 1 to 1024, below high"
    );
    assert_eq!(
        refusal(&Path { high: 20, ..PAPER }, Sender::TcpAlone),
        "high is 20; expected a number from 2 to 1024, above low"
    );
    assert_eq!(
        refusal(&PAPER, Sender::TcpOverConstantRate(41)),
        "the constant rate is 41 packets per round trip; expected from 20 to 40"
    );
    assert!(refusal(&lasting(f64::NAN), Sender::TcpAlone).starts_with("high_lasts is NaN"));
}

fn violated(path: &Path, sender: Sender) -> Vec<&'static str> {
    let assumptions = of(path, sender).assumptions;
    assumptions.iter().filter(|each| each.violated.is_some()).map(|each| each.name).collect()
}

/// 10/41 and 12/41 are below a third, 14/41 is not.
#[test]
fn a_path_is_told_which_assumptions_it_violates() {
    assert_eq!(violated(&PAPER, Sender::TcpAlone), ["slow_start_lossless"]);
    assert!(violated(&Path { buffer: 14, ..PAPER }, Sender::TcpAlone).is_empty());
    assert!(violated(&PAPER, Sender::TcpOverAbr).is_empty());
    assert_eq!(violated(&lasting(2.0), Sender::TcpOverAbr), ["back_to_back"]);
    let long = Path { max_window: 100, ..PAPER };
    assert!(violated(&long, Sender::TcpOverAbr).contains(&"slow_start_fits"));
}
