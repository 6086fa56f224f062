//! Keys of `flow.tcp` that a file leaves to their defaults although today's senders have other
//! values: the defaults are those of 4.3BSD, over the MTU of classical IP over ATM.

use crate::language::part::prelude::*;

/// Keys without which a connection is one of 4.3BSD; all of them if nothing was written.
///
/// Scenarios are equal however many keys were written, so any two of these values are equal.
#[derive(Clone, Copy, Debug, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is of a key of its own")]
pub struct OmittedKeys {
    /// True if neither `mtu` nor `mss` is written.
    pub segment: bool,
    /// True if `mss` is not written, so that it follows from the MTU.
    pub mss: bool,
    /// True if `window` is not written.
    pub window: bool,
    /// True if `timers` is not written.
    pub timers: bool,
}

impl Default for OmittedKeys {
    fn default() -> Self {
        Self { segment: true, mss: true, window: true, timers: true }
    }
}

impl PartialEq for OmittedKeys {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Part for OmittedKeys {
    type Value = Self;

    const KEYS: &'static [Key] = &[];

    /// Reads which keys are absent; a `preset` sets all of them.
    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        let is_unsaid = |keys: &[&str]| {
            let mut written = ["preset"].iter().chain(keys);
            written.all(|key| section.place_of_key(key) == usize::MAX)
        };
        Ok(Self {
            segment: is_unsaid(&["mtu", "mss"]),
            mss: section.place_of_key("mss") == usize::MAX,
            window: is_unsaid(&["window"]),
            timers: is_unsaid(&["timers"]),
        })
    }

    fn write(_: &Self, _: &mut Entries) {}
}
