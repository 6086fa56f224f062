//! Keys of `flow.tcp` whose values or defaults depend on the law of the window or on the rule.

use super::{Avoidance, CongestionLaw, FastRetransmitGuard, RackPlan, Recovery};
use crate::language::fault::At;
use crate::language::part::prelude::*;
use crate::tcp::readings::Readings;

/// Key `avoidance`: growth in congestion avoidance of Reno's law.
pub(in crate::tcp) struct OfReno;

impl Part for OfReno {
    type Value = Avoidance;

    const KEYS: &'static [Key] = &[Key::with_default(
        "avoidance",
        Avoidance::KIND,
        "standard",
        "\"bsd_extra\"",
        "Growth in congestion avoidance. `counted` is for `reno`, `cubic`, `westwood`, `dctcp` \
         and `bbr1`, without effect on other laws; `bsd_extra` is for `reno`.",
    )];

    fn read(section: &Section<'_>) -> Result<Avoidance, Fault> {
        let law: CongestionLaw = section.value("congestion")?;
        let avoidance = section.spanned::<Avoidance>("avoidance")?;
        match (law, avoidance.value) {
            (CongestionLaw::Reno, value) => return Ok(value),
            (
                CongestionLaw::Cubic(_)
                | CongestionLaw::Westwood(_)
                | CongestionLaw::Dctcp(_)
                | CongestionLaw::Bbr1(_),
                Avoidance::Counted,
            ) => return Ok(Avoidance::Counted),
            (_, Avoidance::Standard | Avoidance::Counted) => return Ok(Avoidance::Standard),
            (_, Avoidance::BsdExtra) => {}
        }
        let message = format!(
            "`{}.avoidance` is of `congestion = \"reno\"`; with `{}` expected no such key",
            section.place(),
            law.word()
        );
        Err(Fault::new(&avoidance.at, message))
    }

    fn write(avoidance: &Avoidance, entries: &mut Entries) {
        entries.push(("avoidance", avoidance.write()));
    }
}

/// Rules under which every law may govern the window.
pub(crate) const OF_ANY_LAW: &str = "`new_reno`, `new_reno_steady`, `sack`, `rack` or `thresholds`";
/// Rules that keep a log of segments, from which laws have their samples.
pub(crate) const OF_SAMPLES: &str = "`rack` or `thresholds`";

/// Key `recovery`. Its default depends on the law: `reno` for Reno's, `rack` for those that need
/// samples, `new_reno` for those with a congestion header, `sack` for the others.
pub(in crate::tcp) struct LossRecovery;

impl Part for LossRecovery {
    type Value = Recovery;

    const KEYS: &'static [Key] = &[Key::optional(
        "recovery",
        Recovery::KIND,
        "`reno`; with another `congestion` `sack`, `rack` if it needs samples of the rate, or \
         `new_reno` for `xcp` and `rcp`",
        "\"tahoe\"",
        "The rule by which losses are found and repaired. Other laws than `reno` need \
         `new_reno`, `new_reno_steady`, `sack`, `rack` or `thresholds`; those with samples of the \
         delivery rate need one of the last two, `xcp` and `rcp` one of the first two.",
    )];

    fn read(section: &Section<'_>) -> Result<Recovery, Fault> {
        let law: CongestionLaw = section.value("congestion")?;
        let (is_reno, has_samples) = (law == CongestionLaw::Reno, law.needs().samples);
        let Some(written) = section.written::<Recovery>("recovery")? else {
            return Ok(match law.rate_protocol() {
                Some(_) => Recovery::NewReno,
                None if is_reno => Recovery::Reno,
                None if has_samples => Recovery::Rack(RackPlan::USUAL),
                None => Recovery::Sack,
            });
        };
        let recovery = written.value;
        let has_no_room = law.rate_protocol().is_some() && recovery.reads_sack();
        if has_no_room {
            return Err(without_blocks(section, &written, law));
        }
        if is_reno || recovery.takes_any_law() && (!has_samples || recovery.keeps_log()) {
            return Ok(recovery);
        }
        let (place, word, law) = (section.place(), recovery.word(), law.word());
        let message = if recovery.takes_any_law() {
            format!(
                "`{place}.recovery` is `{word}`, which has no samples of the delivery rate; with \
                 `congestion = \"{law}\"` expected {OF_SAMPLES}"
            )
        } else {
            format!(
                "`{place}.recovery` is `{word}`, whose window is that of `congestion = \"reno\"`; \
                 with `{law}` expected {OF_ANY_LAW}"
            )
        };
        Err(Fault::new(&written.at, message))
    }

    fn write(recovery: &Recovery, entries: &mut Entries) {
        entries.push(("recovery", recovery.write()));
    }
}

/// Refuses a rule with selective acknowledgements, whose place in a segment the law's congestion
/// header has.
fn without_blocks(section: &Section<'_>, written: &At<Recovery>, law: CongestionLaw) -> Fault {
    let (place, word, law) = (section.place(), written.value.word(), law.word());
    let message = format!(
        "`{place}.recovery` is `{word}`, whose selective acknowledgements leave no room for the \
         congestion header of `congestion = \"{law}\"`; expected `new_reno` or `new_reno_steady`"
    );
    Fault::new(&written.at, message)
}

/// Key `limited_transmit`. Its default is the recommendation of the rule's sources.
pub(in crate::tcp) struct LimitedTransmit;

impl Part for LimitedTransmit {
    type Value = bool;

    const KEYS: &'static [Key] = &[Key::optional(
        "limited_transmit",
        Kind::Boolean,
        "true for `new_reno`, `new_reno_steady` and `sack`, else false",
        "true",
        "RFC 3042: one new segment for each of the first two duplicate ACKs. Not with `vanilla`.",
    )];

    fn read(section: &Section<'_>) -> Result<bool, Fault> {
        let recovery = LossRecovery::read(section)?;
        let Some(written) = section.written::<bool>("limited_transmit")? else {
            return Ok(recovery.follows_rfcs() && recovery.retransmits_fast());
        };
        if !written.value || recovery.retransmits_fast() {
            return Ok(written.value);
        }
        let (place, word) = (section.place(), recovery.word());
        let why = if recovery.keeps_log() {
            "is no choice of a rule by which what is reported is not in flight"
        } else {
            "helps fast retransmit, which this rule has not"
        };
        let message = format!(
            "`{place}.limited_transmit` {why}; with `{word}` expected false, or another `recovery`"
        );
        Err(Fault::new(&written.at, message))
    }

    fn write(limited_transmit: &bool, entries: &mut Entries) {
        entries.push(("limited_transmit", limited_transmit.write()));
    }
}

/// Key `d_sack`. Its default depends on the rule.
pub(in crate::tcp) struct DSack;

impl Part for DSack {
    type Value = bool;

    const KEYS: &'static [Key] = &[Key::optional(
        "d_sack",
        Kind::Boolean,
        "true for `rack` and `thresholds`, else false",
        "true",
        "RFC 2883: the receiver reports segments that arrive twice. Only under a rule with \
         selective acknowledgements.",
    )];

    fn read(section: &Section<'_>) -> Result<bool, Fault> {
        let recovery = LossRecovery::read(section)?;
        Ok(section.written("d_sack")?.map_or(recovery.keeps_log(), |written| written.value))
    }

    fn write(d_sack: &bool, entries: &mut Entries) {
        entries.push(("d_sack", d_sack.write()));
    }
}

/// Key `fast_retransmit_guard`. An explicit value equal to the default is accepted; Tahoe and Reno
/// accept all values.
pub(in crate::tcp) struct GuardOfRule;

impl Part for GuardOfRule {
    type Value = FastRetransmitGuard;

    const KEYS: &'static [Key] = &[Key::optional(
        "fast_retransmit_guard",
        FastRetransmitGuard::KIND,
        "`always` for `tahoe`, `never` for `reno`",
        "\"after_timeouts\"",
        "No fast retransmit of what had been sent before the last one or a timeout, or before a \
         timeout alone. 4.3BSD has none; unless it is `always`, `tahoe` restores snd_nxt. The \
         other rules leave no choice.",
    )];

    fn read(section: &Section<'_>) -> Result<FastRetransmitGuard, Fault> {
        let recovery = LossRecovery::read(section)?;
        let default = recovery.default_guard();
        let Some(written) = section.written::<FastRetransmitGuard>("fast_retransmit_guard")? else {
            return Ok(default);
        };
        if written.value == default || recovery.guards_by_choice() {
            return Ok(written.value);
        }
        let message = format!(
            "`{}.fast_retransmit_guard` is a choice of `tahoe` and `reno`; with `{}` expected \
             `{}`, or no such key",
            section.place(),
            recovery.word(),
            default.word()
        );
        Err(Fault::new(&written.at, message))
    }

    fn write(guard: &FastRetransmitGuard, entries: &mut Entries) {
        entries.push(("fast_retransmit_guard", guard.write()));
    }
}

/// Keys that only some rules have, and these rules.
const OF_SOME_RULES: [(&str, &str); 4] = [
    ("growth_after_recovery", "`reno`, `new_reno` and `new_reno_steady`"),
    ("third_duplicate_sends", "`reno`"),
    ("full_ack", "`new_reno` and `new_reno_steady`"),
    ("reduces", OF_ANY_LAW),
];

/// Keys of [`Readings`], of which some are a choice of some rules only.
pub(in crate::tcp) struct RuleReadings;

impl Part for RuleReadings {
    type Value = Readings;

    const KEYS: &'static [Key] = Readings::KEYS;

    fn read(section: &Section<'_>) -> Result<Readings, Fault> {
        let mut readings = Readings::read(section)?;
        let recovery = LossRecovery::read(section)?;
        for (key, rules) in OF_SOME_RULES {
            let place = section.place_of_key(key);
            if place == usize::MAX || recovery.reads(key) {
                continue;
            }
            let message = format!(
                "`{}.{key}` is a choice of {rules}; with `{}` expected no such key",
                section.place(),
                recovery.word()
            );
            return Err(Fault::new(&section.place_below(key, &[]), message));
        }
        // A preset has it for the rules that read it.
        readings.reduces = readings.reduces.filter(|_| recovery.reads("reduces"));
        Ok(readings)
    }

    fn write(readings: &Readings, entries: &mut Entries) {
        Readings::write(readings, entries);
    }
}
