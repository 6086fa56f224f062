//! The cycle from one state: the states after it, its duration, and the packets counted.

use super::Rates;
use super::interval::{Interval, Queues, interval};
use super::modulation::{Modulation, Pair, Rate};
use super::path::{Path, Sender};
use super::window::{WindowAtLoss, growth};

/// A state of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) queues: Queues,
    pub(super) pair: Pair,
}

/// The cycle that begins in a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Cycle {
    /// The next state by probability; a state may be named twice.
    pub(super) next: Vec<(State, f64)>,
    /// p(x).
    pub(super) loss: f64,
    /// U(x), Δ.
    pub(super) length: f64,
    /// V(x), packets.
    pub(super) reward: Rates,
}

/// Number of intervals from the one with the loss to the end of slow start, at the threshold m.
fn recovery(threshold: u32) -> usize {
    3 + threshold.next_power_of_two().trailing_zeros() as usize
}

/// The rules of the chain of one path.
pub(super) struct Cycles<'a> {
    path: &'a Path,
    sender: Sender,
    window: WindowAtLoss,
    modulation: Modulation,
}

impl<'a> Cycles<'a> {
    pub(super) fn new(path: &'a Path, sender: Sender, window: WindowAtLoss) -> Self {
        let follows = !matches!(sender, Sender::TcpOverConstantRate(_));
        let longest = recovery(path.max_window.div_ceil(2));
        Self { path, sender, window, modulation: Modulation::new(path, follows, longest) }
    }

    /// The state with a window of one packet at the high rate.
    pub(super) fn start() -> State {
        State {
            queues: Queues { source: 1, buffer: 0, flight: 0 },
            pair: Pair { link: Rate::High, source: Rate::High },
        }
    }

    /// The cycle from `state`.
    pub(super) fn from(&self, state: State) -> Cycle {
        let State { queues, pair } = state;
        let mut cycle = Cycle::default();
        let mut thresholds = vec![0.0; self.path.max_window.div_ceil(2) as usize + 1];
        let grown = growth(queues.flight, queues.window(), self.path.max_window);
        for (more, probability) in (0..).zip(grown) {
            match interval(self.path, self.sender, queues, pair, more) {
                Interval::Lossless(queues) => {
                    cycle.length += probability;
                    let acknowledged = f64::from(state.queues.flight);
                    add(&mut cycle.reward, probability, [acknowledged; 4]);
                    for (pair, follows) in self.modulation.after(1, pair) {
                        cycle.next.push((State { queues, pair }, probability * follows));
                    }
                }
                Interval::Lossy { entered } => {
                    cycle.loss += probability;
                    self.lose(&mut cycle, &mut thresholds, state, more, probability, entered);
                }
            }
        }
        self.recover(&mut cycle, &thresholds, pair);
        cycle
    }

    /// Adds the losses of a state: the thresholds with their probabilities, and the packets
    /// counted.
    fn lose(
        &self,
        cycle: &mut Cycle,
        thresholds: &mut [f64],
        state: State,
        more: u32,
        probability: f64,
        entered: u32,
    ) {
        let Queues { source, buffer, flight } = state.queues;
        let window = state.queues.window();
        let windows = match self.window {
            WindowAtLoss::PlusOne => vec![((window + 1).min(self.path.max_window), 1.0)],
            WindowAtLoss::Binomial => {
                let most = self.path.max_window;
                let later = growth(buffer + entered, window, most - more);
                (window + more..).zip(later).collect()
            }
        };
        let cumulative = f64::from(flight + buffer + entered);
        let after = f64::from(source + buffer + flight + 1);
        for (window, share) in windows {
            let probability = probability * share;
            thresholds[window.div_ceil(2) as usize] += probability;
            let slow_start = (f64::from(window) / 2.0 - 1.0).max(0.0);
            let each_once = cumulative + slow_start;
            let returned = f64::from(flight) + slow_start;
            add(&mut cycle.reward, probability, [each_once + after, each_once, returned, 0.0]);
        }
    }

    /// Adds timeout and slow start.
    fn recover(&self, cycle: &mut Cycle, thresholds: &[f64], pair: Pair) {
        for (threshold, &probability) in (0..).zip(thresholds) {
            if probability == 0.0 {
                continue;
            }
            let length = recovery(threshold);
            cycle.length += probability * length as f64;
            let queues = Queues { source: 0, buffer: 0, flight: threshold };
            for (pair, follows) in self.modulation.after(length, pair) {
                cycle.next.push((State { queues, pair }, probability * follows));
            }
        }
    }
}

/// Adds packets that are counted with a probability, in the order of the fields.
fn add(reward: &mut Rates, probability: f64, packets: [f64; 4]) {
    let [optimistic, each_once, returned, nothing] = packets;
    reward.optimistic += probability * optimistic;
    reward.each_once += probability * each_once;
    reward.returned += probability * returned;
    reward.nothing += probability * nothing;
}
