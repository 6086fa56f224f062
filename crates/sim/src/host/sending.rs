//! Stages of a segment from its connection to the interface.

use std::collections::BTreeSet;

use super::stages::{Stage, Staged};
use super::{AbrVc, Endpoint, Host, HostPlan};
use crate::engine::Io;
use crate::units::{Span, Time};

impl Host {
    /// Lets a connection send after an event, and at a proxy also those that it is relayed to or
    /// from; of several that carry one flow also the others.
    #[inline]
    pub(super) fn settle(&mut self, now: Time, endpoint: u32, io: &mut Io) {
        if self.plan.coupled.is_none() {
            return self.drain(now, endpoint, io);
        }
        self.settle_others(now, endpoint, io);
    }

    #[cold]
    fn settle_others(&mut self, now: Time, endpoint: u32, io: &mut Io) {
        let HostPlan { coupled, endpoints, .. } = &mut self.plan;
        let mut others = BTreeSet::new();
        if let Some(coupled) = coupled {
            if let Some(relays) = &mut coupled.relays {
                others = relays.carry(now, endpoint as usize, endpoints, &mut io.shared_streams);
            }
            if let Some(fellows) = &coupled.fellows {
                others.extend(fellows.call(now, endpoint as usize, endpoints));
            }
        }
        self.drain(now, endpoint, io);
        for other in others {
            self.drain(now, other as u32, io);
        }
    }

    /// Sends everything that a connection may send, and sets its next deadline.
    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    pub(super) fn drain(&mut self, now: Time, endpoint: u32, io: &mut Io) {
        let one = &mut self.plan.endpoints[endpoint as usize];
        let nic = &mut self.plan.attachment.nics.all[one.nic];
        let one = if self.stages.is_none() && !nic.is_shaped() {
            while let Some(segment) = one.poll_transmit(now) {
                one.send(now, segment, nic, self.tap.as_deref(), io);
                // A pure ACK is sent only if nothing else may be sent.
                if segment.is_pure_ack() {
                    break;
                }
            }
            one
        } else {
            self.drain_as_admitted(now, endpoint, io);
            &mut self.plan.endpoints[endpoint as usize]
        };
        one.note_events(now);
        if let Some(probes) = &mut one.probes {
            probes.note_change(now, &one.connection);
        }
        let deadline = one.deadline();
        // Under clocks that tick most ACKs do not change the deadline.
        if self.timers.key(endpoint as usize) != deadline {
            self.timers.set(endpoint as usize, deadline);
        }
    }

    /// Sends what the source's buffer admits, stage by stage.
    #[inline(never)]
    fn drain_as_admitted(&mut self, now: Time, endpoint: u32, io: &mut Io) {
        while self.abr_of(endpoint).is_none_or(|abr| abr.admits(endpoint))
            && let Some(segment) = self.plan.endpoints[endpoint as usize].poll_transmit(now)
        {
            let staged = Staged { at: now, endpoint, segment };
            let cells = self.cells_of(&staged);
            if let Some(abr) = self.abr_of(endpoint) {
                abr.promise(cells);
            }
            let timed = self.stages.as_mut();
            let cost = timed.map_or(Span::ZERO, |all| all.processing.of_sending(&segment));
            self.begin(Stage::Created, &staged, cost, io);
        }
    }

    /// The ABR source of a connection, if it uses an ABR VC.
    fn abr_of(&mut self, endpoint: u32) -> Option<&mut AbrVc> {
        let Endpoint { nic, origin, .. } = self.plan.endpoints[endpoint as usize];
        self.plan.attachment.nics.all[nic].shapers.as_mut()?.abr_of(origin.vc)
    }

    fn cells_of(&mut self, staged: &Staged) -> u32 {
        let endpoint = &self.plan.endpoints[staged.endpoint as usize];
        let bytes = endpoint.packet(staged.segment).ip_bytes;
        self.plan.attachment.nics.all[endpoint.nic].cells_of(bytes)
    }

    /// Takes a segment to send from the CPU.
    pub(super) fn segment(&mut self, staged: &Staged, io: &mut Io) {
        let cells = self.cells_of(staged);
        let timed = self.stages.as_ref();
        let cost = timed.map_or(Span::ZERO, |all| all.processing.of_sar(cells));
        self.begin(Stage::Segmented, staged, cost, io);
    }

    /// Hands a segment to the interface.
    pub(super) fn hand_to_nic(&mut self, staged: &Staged, io: &mut Io) {
        let endpoint = &mut self.plan.endpoints[staged.endpoint as usize];
        let nic = &mut self.plan.attachment.nics.all[endpoint.nic];
        endpoint.send(staged.at, staged.segment, nic, self.tap.as_deref(), io);
    }
}
