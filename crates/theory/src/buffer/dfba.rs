//! Shares of VCs of TCP connections in a FIFO buffer under Differential Fair Buffer Allocation, and
//! the effect of `Z_i`.
//!
//! DFBA is that of Goyal, Jain, Fahmy, Vandalore (ATM Forum 98-0405); they leave the effect of
//! `Z_i` on the sharing open. Unknown are the mean queue Q and, of each VC, its part `x_i` of the
//! queue and its loss `p_i`. Five statements:
//!
//! 1. First in first out, full link: a VC's part of the link is its part of the queue, and
//!    `Σ x_i = 1`.
//! 2. TCP: `x_i C = N_i m (1 - p_i) / t(p_i, T)`, with m cells per segment, t as in
//!    [`crate::tcp::timeouts`]
//!    and `T = τ + Q/C`, τ being the round trip without queueing.
//! 3. DFBA, averaged: `p_i = Z_i { alpha u E[(x - s_i)+] / (1 - s_i) + (1 - alpha) e P(x > s_i) }`,
//!    where x is the part of the queue that a frame finds of its VC, `u = P(X > L)` and
//!    `e = E[(X - L)+] / (H - L)`.
//! 4. x is normal around `x_i`, and 1 where that is above 1: no part is more than the whole. A VC
//!    below its fair share on average loses frames only because of that. The queue is Q/m frames,
//!    drawn [`BURST`] at a time: variance `BURST x_i (1 - x_i) m / Q`.
//! 5. X is normal around Q; frames in flight vary as their square root, so with variance `m C T`.
//!    It matters little: at half or one and a half times the deviation the errors below are 0.066
//!    and 0.056.
//!
//! With Q given, `x_i` falls with `p_i` in (2). In (3) `p_i` grows with `x_i`: P(x > t) does for
//! every t up to 1, and the mean is its integral from `s_i` to 1. So each VC has one `p_i`, which
//! changes steadily with Q, and where `Σ x_i` passes 1 it is 1.
//!
//! Compared with simulation: five VCs, MCRs 1 : 2 : 3 : 4 : 5, 85 % of 353 207 cells/s, N = 5, 10
//! and 20 connections each with SACK, T of 15 to 56 ms, K = 3000, 6000 and 25 000 cells, L = 0.6 K,
//! H = 0.9 K, `Z_i` = 1, `1 - s_i`, `(1 - s_i)²`, or 0.25 on one VC. Over these 45 cases the rms
//! error of excess/MCR is 0.056, 0.13 in the worst case, 0.042 where all VCs have the same rule;
//! the correlation is 0.992, and the standard error of the simulated means is 0.030 of it. Twelve
//! further cases (other MCRs, `Z_i`, N, K, L and H) have 0.056, 0.12 and 0.994. Q is met within 6
//! %. The largest single errors, 0.26, are of the smallest VC, at excesses of 1.1 to 2.8.
//! *Assumed*: no tags, no overflow above H, windows that do not bind, equal round trips.

use crate::normal::above_zero;
use crate::range::{OutOfRange, positive, within};
use crate::root::root;
use crate::tcp::timeouts::time_per_segment;

/// Frames that come as one: a connection in slow start answers each ACK with two. With one or three
/// the rms error of excess/MCR is 0.10 or 0.07 instead of 0.056; without fluctuations, 0.45.
pub const BURST: f64 = 2.0;

/// Lower end of the search for a loss; below it windows would bind first.
const LEAST_LOSS: f64 = 1e-9;

/// The link and buffer that the VCs share.
#[derive(Clone, Copy, Debug)]
pub struct Bottleneck {
    /// C, cells per second.
    pub capacity: f64,
    /// L, cells.
    pub low: f64,
    /// H, cells.
    pub high: f64,
    /// Weight of the fairness component.
    pub alpha: f64,
    /// τ, seconds: the round trip without queueing.
    pub round_trip: f64,
    /// m, cells per segment.
    pub frame: f64,
    /// Seconds per segment and p² that timeouts cost.
    pub timeout_cost: f64,
}

/// A VC of alike connections.
#[derive(Clone, Copy, Debug)]
pub struct Vc {
    /// `MCR_i`, in any unit that all VCs have.
    pub mcr: f64,
    /// `Z_i`, above 0 and at most 1.
    pub z: f64,
    /// `N_i`.
    pub connections: f64,
}

/// Result of a VC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Its part of the queue and of the link.
    pub part: f64,
    /// Fraction of its frames that is lost.
    pub loss: f64,
}

/// Result of the sharing.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    /// Q, cells.
    pub mean_queue: f64,
    /// Shares by VC.
    pub shares: Vec<Share>,
}

/// Reason why there is no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DfbaError {
    /// A number out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Fewer than two VCs with a minimum cell rate.
    #[error("{0} of the VCs have mcr above 0; expected two or more, which DFBA can compare")]
    TooFewVcs(usize),
    /// Connections that would hold the queue above H.
    #[error(
        "the queue would stay above high, where every frame is lost; expected fewer connections, \
         more room or larger z"
    )]
    AboveHigh,
    /// Connections that would leave the link idle.
    #[error(
        "the link would not be full even without a queue; expected more connections or a shorter \
         round trip"
    )]
    NotFull,
}

/// The fixed point of the five statements above.
pub fn sharing(bottleneck: &Bottleneck, vcs: &[Vc]) -> Result<Sharing, DfbaError> {
    check(bottleneck, vcs)?;
    let fair = fair_shares(vcs);
    let at = |queue: f64| -> Vec<Share> {
        let moment = Moment::new(bottleneck, queue);
        vcs.iter().zip(&fair).map(|(vc, &fair)| moment.share(vc, fair)).collect()
    };
    let beyond_full = |queue: f64| at(queue).iter().map(|share| share.part).sum::<f64>() - 1.0;
    let least = bottleneck.frame;
    if beyond_full(bottleneck.high) > 0.0 {
        return Err(DfbaError::AboveHigh);
    }
    if beyond_full(least) < 0.0 {
        return Err(DfbaError::NotFull);
    }
    let mean_queue = root(least, bottleneck.high, beyond_full);
    Ok(Sharing { mean_queue, shares: at(mean_queue) })
}

fn fair_shares(vcs: &[Vc]) -> Vec<f64> {
    let all: f64 = vcs.iter().map(|vc| vc.mcr).sum();
    vcs.iter().map(|vc| vc.mcr / all).collect()
}

/// The buffer at one mean queue.
struct Moment<'a> {
    bottleneck: &'a Bottleneck,
    /// T, with the queue.
    round_trip: f64,
    /// Q/m.
    frames: f64,
    /// u.
    active: f64,
    /// e.
    efficiency: f64,
}

impl<'a> Moment<'a> {
    fn new(bottleneck: &'a Bottleneck, queue: f64) -> Self {
        let round_trip = bottleneck.round_trip + queue / bottleneck.capacity;
        let deviation = (bottleneck.frame * bottleneck.capacity * round_trip).sqrt();
        let above_low = above_zero(queue - bottleneck.low, deviation);
        let efficiency = (above_low.mean / (bottleneck.high - bottleneck.low)).min(1.0);
        Self {
            bottleneck,
            round_trip,
            frames: queue / bottleneck.frame,
            active: above_low.probability,
            efficiency,
        }
    }

    /// The share at which TCP and DFBA have the same loss.
    fn share(&self, vc: &Vc, fair: f64) -> Share {
        let surplus = |log_loss: f64| {
            let loss = libm::exp(log_loss);
            self.loss(vc, fair, self.part(vc, loss).min(1.0)) - loss
        };
        let loss = libm::exp(root(libm::log(LEAST_LOSS), 0.0, surplus));
        Share { part: self.part(vc, loss), loss }
    }

    /// `x_i` of TCP at a loss.
    fn part(&self, vc: &Vc, loss: f64) -> f64 {
        let segment = time_per_segment(loss, self.round_trip, self.bottleneck.timeout_cost);
        vc.connections * self.bottleneck.frame * (1.0 - loss) / (segment * self.bottleneck.capacity)
    }

    /// `p_i` of DFBA at a part of the queue.
    fn loss(&self, vc: &Vc, fair: f64, part: f64) -> f64 {
        let deviation = (BURST * part * (1.0 - part) / self.frames).sqrt();
        let over = above_zero(part - fair, deviation);
        let alpha = self.bottleneck.alpha;
        let fairness = alpha * self.active * mean_excess(part, fair, deviation);
        vc.z * (fairness + (1.0 - alpha) * self.efficiency * over.probability)
    }
}

/// `E[(x - s)+] / (1 - s)`, the mean of the part above the fair share over its maximum.
fn mean_excess(part: f64, fair: f64, deviation: f64) -> f64 {
    let [over, beyond_whole] = [fair, 1.0].map(|bound| above_zero(part - bound, deviation));
    if fair < 1.0 { (over.mean - beyond_whole.mean) / (1.0 - fair) } else { over.probability }
}

fn check(bottleneck: &Bottleneck, vcs: &[Vc]) -> Result<(), DfbaError> {
    positive("capacity", bottleneck.capacity)?;
    positive("round_trip", bottleneck.round_trip)?;
    positive("frame", bottleneck.frame)?;
    within("low", bottleneck.low, "at least one frame", |low| low >= bottleneck.frame)?;
    within("high", bottleneck.high, "above low", |high| high > bottleneck.low)?;
    within("alpha", bottleneck.alpha, "0 to 1", |alpha| (0.0..=1.0).contains(&alpha))?;
    within("timeout_cost", bottleneck.timeout_cost, "at least 0 s", |cost| cost >= 0.0)?;
    for (index, vc) in vcs.iter().enumerate() {
        within(&format!("mcr[{index}]"), vc.mcr, "at least 0", |mcr| mcr >= 0.0)?;
        within(&format!("z[{index}]"), vc.z, "above 0, at most 1", |z| z > 0.0 && z <= 1.0)?;
        within(&format!("connections[{index}]"), vc.connections, "at least 1", |count| {
            count >= 1.0
        })?;
    }
    match vcs.iter().filter(|vc| vc.mcr > 0.0).count() {
        guaranteed @ 0..=1 => Err(DfbaError::TooFewVcs(guaranteed)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
