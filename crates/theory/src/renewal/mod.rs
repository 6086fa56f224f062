//! TCP over a link whose capacity alternates between two rates, as a Markov renewal process
//! (Shakkottai, Kumar, Karnik, Anvekar: "TCP performance over end-to-end rate control and
//! stochastic available capacity", IEEE/ACM Transactions on Networking 9(4), 2001, section III).
//!
//! Time is counted in round trips of propagation Δ, queues in packets. At the end of every Δ the
//! state is (a, b, d, r, s): packets that wait in the ABR source, in the bottleneck buffer and in
//! propagation; the rate of the link in the next Δ and in the one before. Without loss the window
//! is a + b + d and each of the d acknowledgements of a Δ adds 1 to it with probability 1/window.
//! A loss ends a cycle: two Δ until the timeout, slow start from the third, and congestion
//! avoidance again from (0, 0, m, r, s), where m is half the window at the loss.
//!
//! | file | holds |
//! |---|---|
//! | [`path`] | the parameters and their range |
//! | `modulation` | the link's chain of rates |
//! | `interval` | queues after one Δ |
//! | `window` | growth of the window |
//! | `cycle` | from one state to the next: probability, length, reward |
//! | `chain` | the states that are reached |
//! | `stationary` | probabilities of the states |
//! | [`assumptions`] | assumptions of the model, and their violations by a path |
//!
//! # Readings
//!
//! The paper leaves these open or prints them wrongly. They were fixed before any result was
//! compared with a simulation or a figure of the paper.
//!
//! - **B and D without loss** are left to a thesis. Here E = min(a + d + N, Δ/s) packets enter the
//!   buffer, D' = min(b + E, Δ/r) leave it, B' = b + E - D', which conserves packets and gives the
//!   paper's A'.
//! - **Window at the loss**: the packets ahead of the lost one are acknowledged, and each adds 1
//!   with probability 1/window ([`WindowAtLoss::Binomial`], the default, as this is the paper's own
//!   rule of growth). The paper's argument for the reward adds 1 in all
//!   ([`WindowAtLoss::PlusOne`]).
//! - **Threshold** m = ceil(w/2), and a cycle with loss takes 3 + ceil(log2 m) round trips, also
//!   as the exponent of Q in equation (13), where the ceiling is not printed.
//! - **Optimistic reward**: d + b + n + (a + b + d + 1) + S, where n packets enter the buffer
//!   before the first lost one, and S = w/2 - 1 are those of slow start (equation 17 as printed).
//!   The sign before 2(Bmax - B) in the text must be plus: the total that follows has it.
//! - **Conservative reward**: the paper says that all packets of the cycle are sent again. All
//!   three readings are computed ([`Rates`]); the default is `each_once`, d + b + n + S, because
//!   it counts every packet once, when it is cumulatively acknowledged, which is exact for a sender
//!   that goes back to the lost packet. `nothing` (0) is a lower bound without any reading.
//! - **`W_max`** is not given: 64 packets, 32 kB of the paper's 500-byte packets.
//! - **TCP alone** is "analogous" in the paper. Here acknowledgements come at the link's rate of
//!   the Δ before (or, if more are under way than that, over the whole Δ), each releases a packet,
//!   and the buffer holds at most b + N and the excess of their packets over those that the link
//!   serves meanwhile. Draining by a faster link is not counted against N, which is conservative.
//! - **A source of constant rate**, by which the paper chooses δ, is ABR with that rate as Δ/s.
//!
//! The paper analyses one connection; its results for two are simulations.

pub mod assumptions;
mod chain;
mod cycle;
mod interval;
mod modulation;
pub mod path;
mod stationary;
#[cfg(test)]
mod tests;
mod window;

pub use assumptions::Assumption;
pub use path::{Path, Refusal, Sender};
pub use window::WindowAtLoss;

use chain::Chain;
use cycle::Cycles;

/// Payload of ABR cells: 48 of 53 octets (the paper's footnote 5).
pub const CELL_PAYLOAD: f64 = 48.0 / 53.0;

/// One number for each way to count the packets of a cycle with loss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Upper bound: packets that are sent twice are counted twice.
    pub optimistic: f64,
    /// Count of every packet when it is cumulatively acknowledged; the default of the conservative
    /// ones.
    pub each_once: f64,
    /// Count of the packets on their way in the interval of the loss, and those of slow start.
    pub returned: f64,
    /// Count of none, a lower bound.
    pub nothing: f64,
}

impl Rates {
    /// Applies a function to every number.
    #[must_use]
    pub fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self {
            optimistic: change(self.optimistic),
            each_once: change(self.each_once),
            returned: change(self.returned),
            nothing: change(self.nothing),
        }
    }
}

/// Result of the model for a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Throughput {
    /// Packets per Δ, headers of cells not counted.
    pub packets_per_round_trip: Rates,
    /// Fraction of the mean capacity; with headers of cells if asked for.
    pub efficiency: Rates,
    /// Packets per Δ.
    pub mean_capacity: f64,
    /// Losses per Δ, each with its timeout.
    pub losses_per_round_trip: f64,
    /// E U, Δ: mean time between the points of the chain.
    pub mean_cycle: f64,
    /// Recurrent states of the chain.
    pub states: usize,
    /// The largest `|π P - π|`, of probabilities that add up to 1.
    pub residual: f64,
    /// Assumptions, with their violations by the path.
    pub assumptions: Vec<Assumption>,
}

/// The throughput of one long-lived connection over `path`.
///
/// With `cell_headers`, ABR's share of 48/53 reduces the efficiency; TCP alone has no cells.
pub fn throughput(
    path: &Path,
    sender: Sender,
    window: WindowAtLoss,
    cell_headers: bool,
) -> Result<Throughput, Refusal> {
    path.check(sender)?;
    let cycles = Cycles::new(path, sender, window);
    let chain = Chain::from_start(&cycles)?;
    let stationary = stationary::law(&chain.rows, &chain.elimination())?;
    let (mut length, mut losses, mut packets) = (0.0, 0.0, Rates::default());
    for (row, share) in chain.rows.iter().zip(&stationary.law) {
        length += share * row.length;
        losses += share * row.loss;
        packets.optimistic += share * row.reward.optimistic;
        packets.each_once += share * row.reward.each_once;
        packets.returned += share * row.reward.returned;
        packets.nothing += share * row.reward.nothing;
    }
    let rate = packets.map(|packets| packets / length);
    let payload = if cell_headers && sender != Sender::TcpAlone { CELL_PAYLOAD } else { 1.0 };
    Ok(Throughput {
        packets_per_round_trip: rate,
        efficiency: rate.map(|rate| rate * payload / path.mean_capacity()),
        mean_capacity: path.mean_capacity(),
        losses_per_round_trip: losses / length,
        mean_cycle: length,
        states: stationary.recurrent,
        residual: stationary.residual,
        assumptions: assumptions::of(path, sender),
    })
}
