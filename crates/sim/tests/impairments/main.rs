//! Impaired links in whole runs: what is lost, what becomes of frames and transfers, and that
//! nothing else changes.

#[path = "../common/network.rs"]
#[allow(dead_code, reason = "shared by several tests")]
mod network;

mod bit_errors;
mod bursts;
mod explained;
mod loss;
mod nothing_else;
mod order;
mod periodic_loss;
#[path = "../common/running.rs"]
mod running;
mod script;
mod shipped;
mod ticks;
mod varying_delay;
mod warm_up;

use cellway_sim::result::{ImpairmentSummary, Summary};
use running::{outcome, scenario, summary};

/// What one impairment of a link did.
fn counted(summary: &Summary, link: &str, name: &str) -> ImpairmentSummary {
    summary.links[link].impairments[name]
}

/// Whether `found` successes of `trials` are within four standard deviations of what independent
/// trials of this probability give.
fn assert_binomial(found: u64, trials: u64, probability: f64) {
    let mean = trials as f64 * probability;
    let deviation = (mean * (1.0 - probability)).sqrt();
    let error = (found as f64 - mean) / deviation;
    assert!(error.abs() < 4.0, "{found} of {trials}, not {mean:.1}: {error:.2} deviations");
}
