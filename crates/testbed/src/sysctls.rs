//! Settings of a network namespace, below `net.ipv4`.

use std::collections::BTreeMap;

use cellway_sim::scenario::{AckRule, Recovery, Tcp};
use cellway_sim::tcp::{QuickPlan, RackPlan, RestartAfterIdle, ThresholdsPlan, Undo};

/// Settings that every measurement has: nothing of an earlier connection is remembered, segments
/// are neither held back nor gathered.
const ALWAYS: &[(&str, u32)] = &[
    ("tcp_no_metrics_save", 1),
    ("tcp_autocorking", 0),
    ("tcp_backlog_ack_defer", 0),
    ("tcp_moderate_rcvbuf", 0),
    ("tcp_fastopen", 0),
];

/// ACKs beyond a gap that the kernel puts off at most, by default.
const COMPRESSED: u32 = 44;
/// Part of the window that leaves at once: the default of Linux, and the least part of all.
const DEFERS: u32 = 3;
const NEVER_DEFERS: u32 = 255;

/// Values by name; namespaces with equal ones are shared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sysctls(BTreeMap<&'static str, u32>);

impl Default for Sysctls {
    fn default() -> Self {
        Self(ALWAYS.iter().copied().collect())
    }
}

impl Sysctls {
    /// Settings of the namespaces; `None` for a rule that Linux does not have.
    pub fn of(tcp: &Tcp) -> Option<Self> {
        let mut sysctls = Self::default();
        let (sack, by_time, probe, undo) = match tcp.recovery {
            Recovery::NewReno | Recovery::NewRenoSteady => (false, false, false, Undo::Never),
            Recovery::Sack => (true, false, false, Undo::Never),
            Recovery::Thresholds(ThresholdsPlan { undo, .. }) => (true, false, false, undo),
            Recovery::Rack(RackPlan { undo, tail_probe, .. }) => (true, true, tail_probe, undo),
            Recovery::Vanilla
            | Recovery::Tahoe
            | Recovery::Reno
            | Recovery::Hoe
            | Recovery::SackPipe => return None,
        };
        let compresses = matches!(tcp.ack, AckRule::Quick(QuickPlan { compressed: true, .. }));
        let tells_duplicates = sack && (tcp.d_sack || matches!(undo, Undo::DSack | Undo::Both));
        for (name, value) in [
            ("tcp_sack", u32::from(sack)),
            ("tcp_recovery", u32::from(by_time)),
            ("tcp_early_retrans", if probe { 3 } else { 0 }),
            ("tcp_frto", if matches!(undo, Undo::FRto | Undo::Both) { 2 } else { 0 }),
            ("tcp_dsack", u32::from(tells_duplicates)),
            ("tcp_timestamps", u32::from(tcp.timestamps)),
            ("tcp_window_scaling", u32::from(tcp.window_scaling)),
            ("tcp_ecn", u32::from(tcp.ecn)),
            ("tcp_tso_win_divisor", if tcp.tso_defer { DEFERS } else { NEVER_DEFERS }),
            ("tcp_comp_sack_nr", if compresses { COMPRESSED } else { 0 }),
            (
                "tcp_slow_start_after_idle",
                u32::from(tcp.restart_after_idle != RestartAfterIdle::Never),
            ),
        ] {
            sysctls.set(name, value);
        }
        Some(sysctls)
    }

    /// Sets a value.
    pub fn set(&mut self, name: &'static str, value: u32) {
        self.0.insert(name, value);
    }

    /// Value by name.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.0.get(name).copied()
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u32)> + '_ {
        self.0.iter().map(|(name, value)| (*name, *value))
    }

    /// True if a kernel without the setting behaves as if it had it: those that newer versions
    /// brought.
    pub fn may_be_missing(name: &str) -> bool {
        name == "tcp_comp_sack_nr" || ALWAYS.iter().any(|(known, _)| *known == name)
    }
}
