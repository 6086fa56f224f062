//! Words of scripts: settings that they name, ends and spans.

use cellway_sim::tcp::{
    AckRule, Config, FineTimers, PeriodicReader, QuickPlan, ReaderPlan, Recovery, Sampling,
};
use cellway_sim::units::{Bytes, Span};

use crate::pair::End;

/// Values that a script does not set.
pub(crate) fn plain_config() -> Config {
    Config {
        mss: Bytes(1000),
        window: Bytes(32_000),
        ack: AckRule::EverySegment,
        window_scaling: false,
        ..Config::default()
    }
}

pub(crate) fn fine(min_rto: Span) -> FineTimers {
    FineTimers {
        granularity: Span::from_milliseconds(1),
        initial_rto: Span::from_seconds(3),
        min_rto,
        max_rto: Span::from_seconds(60),
        ack_delay: Span::from_milliseconds(200),
        samples: Sampling::Shared,
    }
}

pub(crate) fn quick(segments: &str, compressed: bool) -> Option<AckRule> {
    Some(AckRule::Quick(QuickPlan { segments: segments.parse().ok()?, compressed }))
}

/// Timers of the preset.
pub(crate) const LINUX: FineTimers = FineTimers {
    granularity: Span::from_milliseconds(200),
    initial_rto: Span::from_seconds(1),
    min_rto: Span::from_milliseconds(200),
    max_rto: Span::from_seconds(120),
    ack_delay: Span::from_milliseconds(40),
    samples: Sampling::Each,
};

/// A reader of whatever pace.
pub(crate) const LATE: ReaderPlan =
    ReaderPlan::Periodic(PeriodicReader { block: Bytes(1), period: Span::from_milliseconds(1) });

pub(crate) fn recovery(name: &str) -> Option<Recovery> {
    Recovery::ALL.iter().copied().find(|rule| rule.word() == name)
}

pub(crate) fn end_named(name: &str) -> Option<End> {
    match name {
        "A" => Some(End::A),
        "B" => Some(End::B),
        _ => None,
    }
}

pub(crate) fn span(text: &str) -> Option<Span> {
    text.strip_suffix("ms")?.parse().ok().map(Span::from_milliseconds)
}
