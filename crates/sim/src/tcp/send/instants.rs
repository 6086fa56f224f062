//! Instants that the rule, the detection of losses and the pacer have named. The sender owns them
//! all; `next` holds the first one of detection and pacer.

use super::{Ahead, Sender};
use crate::tcp::behaviour::Behaviours;
use crate::tcp::congestion::{Congestion, WakeUp};
use crate::tcp::detection::{Due, LossDetection, Situation};
use crate::units::Time;

impl<R: Congestion> Sender<R> {
    /// Facts for the detection.
    pub(super) fn situation(&self, now: Time) -> Situation {
        Situation {
            now,
            srtt: self.srtt,
            is_recovering: self.rule.is_recovering(),
            rto: self.timer.expiry(),
            mss: self.mss,
        }
    }

    /// Notes the next instant of detection and pacer, after either has changed.
    pub(super) fn note_instants(&mut self) {
        let detection = self.detection.as_ref().map_or(Time::MAX, |detection| detection.next());
        let release = self.release.as_ref().map_or(Time::MAX, |release| release.next());
        self.next = detection.min(release);
    }

    /// Calls the rule, the detection and the pacer if they are due.
    #[inline]
    pub(super) fn wake_up(&mut self, now: Time, own: &mut Behaviours) {
        if self.rule.next_wake_up() <= now {
            self.wake_rule(now, 0, own);
        }
        if self.next <= now {
            self.wake_detection(now, own);
        }
    }

    fn wake_rule(&mut self, now: Time, lost: u64, own: &mut Behaviours) {
        let (flight, window) = (&self.flight, &mut self.window);
        let repair = self.rule.on_wake_up(&mut WakeUp { now, lost, flight, window });
        if lost > 0 {
            self.flight.log_mut().clear_losses();
        }
        self.repair(repair, own);
    }

    #[cold]
    fn wake_detection(&mut self, now: Time, own: &mut Behaviours) {
        let situation = self.situation(now);
        if let Some(detection) = self.detection.as_mut().filter(|one| one.next() <= now) {
            match detection.on_timer(&situation, &mut self.flight) {
                Due::Nothing => {}
                Due::Lost(bytes) => {
                    self.note_beyond_window();
                    self.wake_rule(now, bytes, own);
                }
                Due::Probe => {
                    self.ahead = Ahead::TailProbe;
                    // RFC 8985 §7.2 and 7.3: the probe comes in the place of a timeout.
                    self.timer.start(now);
                }
            }
        }
        if let Some(release) = &mut self.release {
            release.wake(now);
        }
        self.note_instants();
    }
}
