//! Keys of `flow.tcp` that a file leaves to their defaults, where today's senders have others: those
//! are of 4.3BSD, over the MTU of classical IP over ATM.

use crate::language::part::prelude::*;

/// Keys without which a connection is one of 4.3BSD; all of them where nothing was written.
///
/// Two scenarios are equal however much of them was written: these are, too.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Unsaid {
    /// `mtu` and `mss`.
    pub segment: bool,
    /// `window`.
    pub window: bool,
    /// `timers`.
    pub timers: bool,
}

impl Default for Unsaid {
    fn default() -> Self {
        Self { segment: true, window: true, timers: true }
    }
}

impl PartialEq for Unsaid {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Part for Unsaid {
    type Value = Self;

    const KEYS: &'static [Key] = &[];

    /// A `preset` says them all.
    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        let is_unsaid = |keys: &[&str]| {
            let mut written = ["preset"].iter().chain(keys);
            written.all(|key| section.place_of_key(key) == usize::MAX)
        };
        Ok(Self {
            segment: is_unsaid(&["mtu", "mss"]),
            window: is_unsaid(&["window"]),
            timers: is_unsaid(&["timers"]),
        })
    }

    fn write(_: &Self, _: &mut Entries) {}
}
