//! Pacing of segments that the windows allow.

use super::Sender;
use crate::tcp::congestion::Congestion;
use crate::tcp::pacer::usual_rate;
use crate::units::Time;

impl<R: Congestion> Sender<R> {
    /// True if the segment that would leave now has to wait.
    #[cold]
    pub(super) fn holds_back(&mut self, now: Time) -> bool {
        let holds = self.pacer.as_mut().is_some_and(|pacer| pacer.holds_back(now));
        self.note_instants();
        holds
    }

    /// Notes a segment in the pacer.
    pub(super) fn pace(&mut self, now: Time, bytes: u64) {
        let Some(pacer) = &mut self.pacer else { return };
        let of_law = self.rule.pace(&self.window, self.srtt);
        if let Some(rate) = of_law.or_else(|| usual_rate(&self.window, self.srtt)) {
            pacer.on_sent(now, bytes, rate);
        }
    }
}
