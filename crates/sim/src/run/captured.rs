//! A run whose packets are captured.

use super::{Continue, Outcome, Progress, RunError, Simulation, require_memory, run_to_end};
use crate::capture::{CapturePoints, Kept, PcapNg};
use crate::scenario::Scenario;

/// Approximate number of octets that are handed over at a time; a few pages, which stay in the
/// cache.
const PIECE: usize = 1 << 16;

/// Runs a scenario to its end and hands a pcapng file of its packets to `write`, piece by piece;
/// `write` and `tell` may cancel. The outcome is that of [`run`](super::run).
///
/// ```
/// use cellway_sim::capture::{CapturePoints, Kept};
/// use cellway_sim::scenario::{Scenario, Source};
/// use cellway_sim::{Continue, run_captured};
///
/// let text = r#"
///     run = { duration = "50 ms" }
///     host = { a = {}, b = {} }
///     link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
///     flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp = {} }
/// "#;
/// let scenario = Scenario::parse(Source { origin: "wire", text }, &[])?;
/// let points = CapturePoints::at_senders(&scenario)?;
/// let mut file = Vec::new();
/// let mut write = |piece: &[u8]| {
///     file.extend_from_slice(piece);
///     Continue::Yes
/// };
/// run_captured(&scenario, &points, Kept::Headers, &mut write, &mut |_| Continue::Yes)?;
/// assert_eq!(file[..4], [0x0a, 0x0d, 0x0d, 0x0a]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_captured(
    scenario: &Scenario,
    points: &CapturePoints,
    kept: Kept,
    write: &mut dyn FnMut(&[u8]) -> Continue,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Outcome, RunError> {
    require_memory(scenario)?;
    let mut simulation = Simulation::new(scenario);
    simulation.capture(points);
    let file = PcapNg::new(scenario, points, kept);
    let mut piece = file.head().to_vec();
    let mut written = Continue::Yes;
    let mut take = |simulation: &mut Simulation<'_>, is_last: bool| {
        for captured in simulation.take_captured() {
            file.packet(&captured, &mut piece);
            if piece.len() >= PIECE && written == Continue::Yes {
                written = write(&piece);
                piece.clear();
            }
        }
        if is_last && written == Continue::Yes {
            written = write(&piece);
        }
        written
    };
    run_to_end(simulation, tell, &mut take)
}
