//! Assumptions of the model, by the paper's sections III-A and III-B, and their violations by a
//! path.

use super::path::{Path, Sender};

/// Round trips that a rate must last for the analysis to be within a few per cent: below, the paper
/// finds it lower than simulation by 10 to 20 %.
const SLOW: f64 = 20.0;

/// One assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// A word for it, that does not change.
    pub name: &'static str,
    /// Text of the assumption.
    pub text: &'static str,
    /// Violation by the path and its consequence; `None` if there is none.
    pub violated: Option<String>,
}

/// All assumptions that concern the sender, with violations by the path.
pub(super) fn of(path: &Path, sender: Sender) -> Vec<Assumption> {
    let held = |name, text| Assumption { name, text, violated: None };
    let mut all = vec![
        held(
            "greedy",
            "one long-lived connection always has data; packets have one length and one ACK each",
        ),
        held(
            "slow_changes",
            "the link changes its rate only at multiples of the round trip, by a two-state chain",
        ),
        held("no_straddling", "no transmission lies across a multiple of the round trip"),
        held(
            "growth",
            "each ACK of a round trip adds 1 to the window with probability 1/window, the window \
             of its beginning",
        ),
        held(
            "timeout",
            "no fast retransmit: a loss empties the window, the timeout ends in the second round \
             trip after that of the loss, and slow start begins with the third",
        ),
        Assumption {
            name: "slow_start_lossless",
            text: "nothing is lost in slow start, nor by a change of the rate during it",
            violated: loss_in_slow_start(path, sender),
        },
        Assumption {
            name: "slow_start_fits",
            text: "after slow start the whole window is in propagation",
            violated: beyond_the_round_trip(path),
        },
    ];
    match sender {
        Sender::TcpAlone => all.push(held(
            "fast_line",
            "the sender's line is infinitely fast; ACKs release packets at the link's rate of the \
             round trip before",
        )),
        Sender::TcpOverAbr | Sender::TcpOverConstantRate(_) => {
            all.push(held("endless_source", "the ABR source holds any part of the window"));
        }
    }
    if sender == Sender::TcpOverAbr {
        all.push(held(
            "feedback",
            "the source sends at exactly the rate that the link had one round trip before, without \
             Nrm, RIF or RDF",
        ));
    }
    if sender != Sender::TcpAlone {
        all.push(Assumption {
            name: "back_to_back",
            text: "packets leave the source back to back, so that a slower link overflows soonest",
            violated: short_rates(path),
        });
    }
    all
}

/// Lakshman and Madhow 1997: below a third of the path slow start itself overflows the buffer.
fn loss_in_slow_start(path: &Path, sender: Sender) -> Option<String> {
    let ratio = f64::from(path.buffer) / f64::from(path.high + 1);
    (sender == Sender::TcpAlone && ratio < 1.0 / 3.0).then(|| {
        format!(
            "B/(Δ/r0 + 1) is {ratio:.3}, below 1/3: slow start loses packets, so that the \
             throughput of TCP alone is overestimated (by up to 20 % in the paper)"
        )
    })
}

fn beyond_the_round_trip(path: &Path) -> Option<String> {
    let half = path.max_window.div_ceil(2);
    (half > path.high).then(|| {
        format!(
            "half the largest window, {half} packets, is more than the {} of a round trip at the \
             high rate: the rest counts as acknowledged one round trip too early",
            path.high
        )
    })
}

fn short_rates(path: &Path) -> Option<String> {
    let shortest = path.high_lasts.min(path.low_lasts);
    (shortest < SLOW).then(|| {
        format!(
            "a rate lasts only {shortest} round trips in the mean: packets are spread where the \
             rate changes often, so that the throughput is underestimated (by 10 to 20 % in the \
             paper where ψ is small; by a few per cent from ψ = {SLOW})"
        )
    })
}
