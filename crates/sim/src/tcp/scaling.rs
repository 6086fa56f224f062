//! Window field: its largest value, and the shift of its scaling.

/// The largest value of the window field, which has 16 bits (RFC 9293 §3.1).
pub(super) const MAX_UNSCALED_WINDOW: u64 = 65_535;
/// The largest shift of a scaled window (RFC 7323 §2.3).
const MAX_SHIFT: u32 = 14;
/// The largest window that can be advertised. An ssthresh of this size means unlimited.
pub const MAX_WINDOW: u64 = MAX_UNSCALED_WINDOW << MAX_SHIFT;

/// The smallest shift with which a receive buffer of `bytes` fits the window field (RFC 7323 §2).
pub fn scaling_shift(bytes: u64) -> u32 {
    (0..MAX_SHIFT).find(|shift| bytes >> shift <= MAX_UNSCALED_WINDOW).unwrap_or(MAX_SHIFT)
}
