//! Settings of a network namespace, below `net.ipv4`.

use std::collections::BTreeMap;

/// Settings that every measurement has: nothing of an earlier connection is remembered, segments
/// are neither held back nor gathered.
const ALWAYS: &[(&str, u32)] = &[
    ("tcp_no_metrics_save", 1),
    ("tcp_autocorking", 0),
    ("tcp_backlog_ack_defer", 0),
    ("tcp_moderate_rcvbuf", 0),
    ("tcp_fastopen", 0),
];

/// Values by name; namespaces with equal ones are shared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sysctls(BTreeMap<&'static str, u32>);

impl Default for Sysctls {
    fn default() -> Self {
        Self(ALWAYS.iter().copied().collect())
    }
}

impl Sysctls {
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
