//! Presets: `flow.NAME.tcp.preset` names a set of values for other keys. Each of these keys may be
//! written beside it and then counts instead. A scenario is written back with the values and
//! without the preset.
//!
//! Sources: `rfc` has the values that RFC 5681, 6298, 6675, 7323 and 9293 require or recommend;
//! `linux` those of the defaults of Linux 6.12 (`Documentation/networking/ip-sysctl.rst`). Its
//! shortest timeout is one of the variance: SRTT + max(200 ms, 4 RTTVAR), hence `granularity`.

use crate::language::part::prelude::*;

/// Declares each preset: its word, its meaning, and the values as TOML, quantities and words bare.
macro_rules! presets {
    ($($(#[doc = $meaning:literal])+ $word:literal { $($key:literal: $value:literal,)* })+) => {
        const WORDS: &[Variant] = &[$(
            Variant::word(
                $word,
                concat!($($meaning,)+ $(" `", $key, "` ", $value, ",",)* " all else by default.")
                    .trim_ascii(),
            )
        ),+];

        const PRESETS: &[(&str, &[(&str, &str)])] = &[$(($word, &[$(($key, $value)),*])),+];
    };
}

presets! {
    /// 4.3BSD Reno (Net/3) over ATM:
    "4.3bsd" {}
    /// RFC 5681, 6298, 6675 and 9293:
    "rfc" {
        "mtu": "1500 B",
        "recovery": "sack",
        "timers": "fine",
        "handshake": "true",
        "initial_window": "3",
        "byte_counting": "1",
        "nagle": "true",
        "limited_transmit": "true",
        "restart_after_idle": "rfc5681",
    }
    /// Linux 6.12 with a receive buffer that does not grow, and `HyStart++` for its HyStart:
    "linux" {
        "mtu": "1500 B",
        "window": "6 MiB",
        "congestion": "cubic",
        "avoidance": "counted",
        "reduces": "cwnd",
        "recovery": "{ rack = { max_ack_delay = \"200 ms\" } }",
        "timers": "{ fine = { granularity = \"200 ms\", initial_rto = \"1 s\", \
                   min_rto = \"200 ms\", max_rto = \"120 s\", ack_delay = \"40 ms\", \
                   samples = \"each\" } }",
        "ack": "{ quick = { segments = 16, compressed = true } }",
        "handshake": "true",
        "initial_window": "10",
        "lost_syn": "linux",
        "byte_counting": "65535",
        "hystart": "true",
        "nagle": "true",
        "short_segments": "linux",
        "tso_defer": "true",
        "d_sack": "true",
        "restart_after_idle": "rfc2861",
        "timestamps": "true",
        "timestamp_clock": "1 ms",
    }
}

/// The word of a preset.
pub(super) struct Preset(&'static str);

impl Preset {
    pub(super) const KEYS: &'static [Key] = &[Key::with_default(
        "preset",
        Kind::Variants(WORDS),
        "4.3bsd",
        "\"linux\"",
        "Values of the other keys that are not written. A key that is written counts as a whole.",
    )];

    /// The section with the values of its preset, as if they had been written.
    pub(super) fn fill<'d>(section: &Section<'d>) -> Result<Section<'d>, Fault> {
        let Self(word) = section.value("preset")?;
        let (_, values) = PRESETS.iter().find(|(name, _)| *name == word).expect("it is a word");
        Ok(section.with_preset("preset", values))
    }
}

impl Read for Preset {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let nothing = no_parameters();
        let choice = Choice::of(node, kind, place, &nothing)?;
        choice.read(|_| Ok(()))?;
        Ok(Self(choice.name))
    }
}
