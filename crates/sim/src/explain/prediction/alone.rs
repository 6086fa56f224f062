//! A greedy TCP alone on a path that loses nothing: its window, the line, or its own buffer limits.

use cellway_theory::tcp::lakshman_madhow::{Rule, utilisation};
use cellway_theory::tcp::window;

use super::answer::{Assumption, Found, Predicted, Prediction, refused};
use super::connection::{Connection, throughput_of};
use super::general::general;
use super::losses;
use crate::scenario::resolved::{AckRule, CongestionLaw, Recovery};

/// Segments in a window from which the wait for a delayed acknowledgement is neglected.
const MANY: u64 = 20;
/// Shortest path of the formula, segments.
const SHORTEST: f64 = 4.0;

pub(super) fn predicted(one: &Connection<'_>) -> Found {
    if let Some(reason) = one.ports.varying(&one.flow.path).or_else(|| one.outside()) {
        return refused(reason);
    }
    one.facts.loss.as_ref().map_or_else(|| without_loss(one), |loss| losses::predicted(one, loss))
}

fn without_loss(one: &Connection<'_>) -> Found {
    let tcp = one.tcp;
    if tcp.window_segments == 0 {
        return refused("the window has no whole segment; expected one");
    }
    let found = window::paced(one.window(), one.round_trip(), tcp.ceiling_bits_per_second)?;
    if found.queue > 0.0 && !one.grows_on() {
        let law = one.said.congestion.word();
        return refused(format!("congestion {law} keeps its queue short; expected reno or cubic"));
    }
    if let Some(port) = one.bottleneck_port()
        && let Some(size) = port.buffer()
    {
        let segments = size as f64 / one.units_at(&port);
        if found.queue > 0.0 && found.queue / one.segment() > segments {
            return own_losses(one, segments, port.facts.drop);
        }
    }
    let model = if found.queue == 0.0 { "window per round trip" } else { "ceiling of the path" };
    Ok(Prediction {
        model,
        source: "one window per round trip; overheads of AAL5 or packets",
        numbers: vec![
            throughput_of(found.rate),
            Predicted::new("round trip", found.round_trip, "s").at("rtt.mean_s"),
            Predicted::new("data that wait before the line", found.queue, "bit"),
        ],
        assumptions: vec![steady(one), acknowledged(one)],
    })
}

/// Assumption on windows of few segments, whose last one waits for a delayed acknowledgement.
fn acknowledged(one: &Connection<'_>) -> Assumption {
    let segments = one.tcp.window_segments;
    let each = one.said.ack == AckRule::EverySegment;
    let ack = if each { "every segment is acknowledged" } else { "delayed acknowledgements" };
    Assumption::new(
        "no segment waits for its acknowledgement",
        each || segments >= MANY,
        format!("{ack}, a window of {segments} segments"),
    )
}

/// Prediction for a window that overflows a buffer of so many segments.
fn own_losses(one: &Connection<'_>, buffer: f64, drop: &str) -> Found {
    let (ceiling, recovery) = (one.tcp.ceiling_bits_per_second, one.said.recovery);
    let path = ceiling * one.round_trip() / one.segment();
    if one.said.congestion != CongestionLaw::Reno {
        let law = one.said.congestion.word();
        return refused(format!("congestion {law} overflows the buffer; expected reno"));
    }
    if path < SHORTEST {
        let segments = general(path, 3);
        return refused(format!("the path has {segments} segments; expected four or more"));
    }
    let (rule, model) = match recovery {
        Recovery::Tahoe | Recovery::Vanilla => (Rule::Tahoe, "Lakshman and Madhow, tahoe"),
        _ => (Rule::Reno, "Lakshman and Madhow, reno"),
    };
    let used = utilisation(rule, path, buffer / path, one.segments_per_ack())?;
    Ok(Prediction {
        model,
        source: "Lakshman and Madhow 1997",
        numbers: vec![
            throughput_of(used * ceiling),
            Predicted::new("part of the ceiling", used, "1"),
            Predicted::new("buffer over the path's window", buffer / path, "1"),
        ],
        assumptions: vec![
            Assumption::new(
                "a loss is repaired at once and halves the window",
                !matches!(recovery, Recovery::Vanilla | Recovery::Hoe),
                format!("recovery is {}", recovery.word()),
            ),
            Assumption::new("every loss is of one window that has grown by one segment", None, ""),
            Assumption::new("only a full buffer discards", drop == "tail", drop),
            steady(one),
        ],
    })
}

fn steady(one: &Connection<'_>) -> Assumption {
    let start = one.tcp.long_path.slow_start.map(|start| start.seconds);
    let warm_up = one.warm_up();
    let passes = |seconds: f64| seconds <= warm_up.max(one.measured() / 100.0);
    let why = start.map_or_else(String::new, |seconds| {
        format!("{} s, warm-up {} s", general(seconds, 3), general(warm_up, 6))
    });
    Assumption::new(
        "slow start is over, or takes a hundredth of the run",
        start.is_none_or(passes),
        why,
    )
}
