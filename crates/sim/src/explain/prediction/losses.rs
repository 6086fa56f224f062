//! A greedy TCP alone on a path with losses: PFTK, the square-root law, CUBIC's response function.

use cellway_theory::tcp::{cubic, pftk, square_root};

use super::answer::{Assumption, Found, Predicted, Prediction, Refusal, refused};
use super::connection::{Connection, throughput_of};
use super::general::{general, percent};
use super::region::{AtLoss, CUBIC, SQUARE_ROOT, whole_rounds};
use crate::explain::SegmentLoss;
use crate::scenario::resolved::{CongestionLaw, Recovery};

/// Rules of recovery that repair losses mostly without timeouts.
const WITHOUT_TIMEOUTS: [Recovery; 5] =
    [Recovery::NewReno, Recovery::NewRenoSteady, Recovery::Hoe, Recovery::Sack, Recovery::SackPipe];
/// Part of the ceiling above which a queue lengthens the round trip.
const NEAR: f64 = 0.8;
/// Fewest losses of a run that their mean is seen in.
const FEW: f64 = 100.0;
/// Timeout in round trips that stands for one that takes no time.
const AT_ONCE: f64 = 1e-9;

/// A formula applied to a connection.
struct Applied {
    model: &'static str,
    source: &'static str,
    /// Segments per second that arrive.
    rate: f64,
    /// Assumptions on the repair of losses.
    assumptions: Vec<Assumption>,
}

pub(super) fn predicted(one: &Connection<'_>, loss: &SegmentLoss) -> Found {
    let p = loss.segment;
    if !(0.0 < p && p < 1.0) {
        let part = general(p, 3);
        return refused(format!("{part} of its segments are lost; expected above 0 and below 1"));
    }
    let impairments = impairments(one);
    let applied = applied(one, p, impairments.contains(&"periodic_loss"))?;
    let carried = one.segment() * applied.rate;
    let ceiling = one.tcp.ceiling_bits_per_second;
    let expected = applied.rate * p * one.measured();
    let used = percent(carried / ceiling);
    let mut assumptions = vec![
        Assumption::new(
            "each segment is lost with one probability",
            impairments.iter().all(|key| ["loss", "periodic_loss"].contains(key)),
            format!("{}: {}", impairments.join(", "), general(p, 3)),
        ),
        Assumption::new("acknowledgements are not lost", loss.ack == 0.0, general(loss.ack, 3)),
        Assumption::new(
            "no queue: the line is not full",
            carried < NEAR * ceiling,
            format!("{used} of the ceiling of {} Mbit/s", general(ceiling / 1e6, 4)),
        ),
    ];
    assumptions.extend(applied.assumptions);
    assumptions.push(Assumption::new(
        format!("a run has at least {FEW} losses"),
        expected >= FEW,
        format!("{} in {} s", general(expected, 3), general(one.measured(), 6)),
    ));
    Ok(Prediction {
        model: applied.model,
        source: applied.source,
        numbers: vec![
            throughput_of(carried.min(ceiling)),
            Predicted::new("sent in a round trip", applied.rate * one.round_trip(), "segment"),
        ],
        assumptions,
    })
}

/// Keys of the impairments on the path, sorted.
fn impairments(one: &Connection<'_>) -> Vec<&'static str> {
    let links = one.flow.path.iter().map(|&link| &one.ports.explained.links[link]);
    let mut keys: Vec<_> =
        links.flat_map(|link| &link.impairments).map(|impairment| impairment.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn applied(one: &Connection<'_>, p: f64, is_distant: bool) -> Result<Applied, Refusal> {
    let trip = one.round_trip();
    let most = one.tcp.window_segments.max(1) as f64;
    let law = one.said.congestion;
    let is_cubic = matches!(law, CongestionLaw::Cubic(_));
    if !is_cubic && law != CongestionLaw::Reno {
        let word = law.word();
        return refused(format!("no formula for congestion {word}; expected reno or cubic"));
    }
    let (model, source, rate, region) = if is_cubic {
        let rate = cubic::limited_rate(p, trip, cubic::C, cubic::BETA, most)?;
        ("response function of CUBIC", "RFC 9438, section 5.1", rate, CUBIC)
    } else if WITHOUT_TIMEOUTS.contains(&one.said.recovery) {
        let rate = square_root::limited_rate(p, trip, one.segments_per_ack(), most)?;
        ("square root", "Mathis, Semke, Mahdavi and Ott 1997", rate, SQUARE_ROOT)
    } else {
        return by_pftk(one, p, most);
    };
    let by_timer = p * p * rate * one.tcp.timeout_seconds;
    let window = rate * trip;
    let at = AtLoss { window, most, rounds: 1.0 / (p * window), by_timer, is_distant };
    let assumptions = region.assumptions(&at).into();
    Ok(Applied { model, source, rate: rate * (1.0 - p), assumptions })
}

fn by_pftk(one: &Connection<'_>, p: f64, most: f64) -> Result<Applied, Refusal> {
    let round_trip = one.round_trip();
    let connection = pftk::Connection {
        round_trip,
        timeout: one.tcp.timeout_seconds,
        segments_per_ack: one.segments_per_ack(),
        max_window: most,
    };
    let rate = pftk::rates(&connection, p)?.received;
    let at_once = pftk::Connection { timeout: round_trip * AT_ONCE, ..connection };
    let text = "Reno: duplicate acknowledgements or the timer repair a loss";
    let reno = one.assumed_recovery(text, &[Recovery::Reno]);
    let by_timer = 1.0 - rate / pftk::rates(&at_once, p)?.received;
    Ok(Applied {
        model: "PFTK",
        source: "Padhye, Firoiu, Towsley and Kurose 1998, equation (37)",
        rate,
        assumptions: vec![reno, whole_rounds(by_timer)],
    })
}
