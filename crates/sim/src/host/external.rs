//! Ends of external flows: a driver outside hands packets to the interface and takes those that
//! arrive.
//!
//! CPU and SAR times of the host do not apply: the driver's stack takes its time outside. Nor does
//! back-pressure, which the driver could not obey: such a segmentation buffer is unlimited.

use std::collections::VecDeque;

use super::arrivals::Arrivals;
use super::nics::Nics;
use super::origin::Origin;
use super::tap::Tap;
use crate::engine::Io;
use crate::pdu::{Arrival, Cell, FlowEnd, Frame, Packet};
use crate::result::{Ledger, OnWay, Series};
use crate::units::Time;

/// One end of an external flow, from which packets are sent.
#[derive(Debug)]
pub struct ExternalEnd {
    /// The end.
    pub end: FlowEnd,
    /// Index of the interface that sends its packets.
    pub nic: usize,
    /// Origin of the VC that they are sent on.
    pub origin: Origin,
    /// Packets handed to the interface.
    pub handed: u64,
    /// Packets that arrive, if something of them is counted or recorded.
    pub arrivals: Option<Box<Arrivals>>,
}

/// All external ends at a host, and their packets to send.
#[derive(Debug)]
pub struct External {
    ends: Vec<ExternalEnd>,
    /// Packets by instant; at equal instants in the order in which they were put in.
    pending: VecDeque<(Time, u32, Packet)>,
}

impl External {
    /// Makes ends with nothing to send; `None` without any.
    pub fn new(ends: Vec<ExternalEnd>) -> Option<Box<Self>> {
        (!ends.is_empty()).then(|| Box::new(Self { ends, pending: VecDeque::new() }))
    }

    /// The instant at which the next packet is to be sent.
    pub(super) fn next(&self) -> Time {
        self.pending.front().map_or(Time::MAX, |(at, ..)| *at)
    }

    /// Adds a packet of the driver for `at`.
    pub(super) fn put(&mut self, at: Time, end: FlowEnd, packet: Packet) {
        let place = self.ends.iter().position(|own| own.end == end);
        let place = place.expect("the simulation knows where an external flow ends") as u32;
        let later = self.pending.iter().rev().take_while(|(other, ..)| *other > at).count();
        self.pending.insert(self.pending.len() - later, (at, place, packet));
    }

    /// Sends the packet that is due to its interface.
    #[cold]
    pub(super) fn send(&mut self, nics: &mut Nics, tap: Option<&Tap>, io: &mut Io) {
        let Some((at, place, packet)) = self.pending.pop_front() else { return };
        let end = &mut self.ends[place as usize];
        end.handed += 1;
        end.origin.send(at, end.end.direction(), packet, &mut nics.all[end.nic], tap, io);
    }

    /// Packets to send: the end, and the index.
    pub(super) fn to_send(&self) -> impl Iterator<Item = (FlowEnd, u64)> + '_ {
        let waiting = self.pending.iter();
        waiting.map(|(_, place, packet)| (self.ends[*place as usize].end, packet.index()))
    }

    /// Index of the interface of an end.
    pub(super) fn nic_of(&self, end: FlowEnd) -> Option<usize> {
        self.ends.iter().find(|own| own.end == end).map(|own| own.nic)
    }

    /// Delivers a whole frame that has arrived with `cell` and is for no connection. An end that
    /// sends nothing is not among the ends `own`.
    #[cold]
    pub(super) fn on_frame(
        own: Option<&mut Self>,
        cell: Cell,
        frame: &Frame,
        tap: Option<&Tap>,
        io: &mut Io,
    ) {
        if let Some(tap) = tap {
            tap.note(cell.at, *frame, false, io);
        }
        let end = FlowEnd::that_sends(frame.direction).other();
        let packet = Packet { ip_bytes: frame.bytes, segment: frame.segment };
        io.note_arrived(cell, frame);
        let own = own.and_then(|all| all.ends.iter_mut().find(|own| own.end == end));
        if let Some(arrivals) = own.and_then(|own| own.arrivals.as_mut()) {
            arrivals.on_packet(frame, frame.bytes.into(), cell.at);
        }
        io.deliver(Arrival { at: cell.at, sent_at: frame.sent_at, end, packet });
    }

    /// Counts the packets in transit that have not arrived.
    pub(super) fn count_inside(&self, on_way: &OnWay, ledger: &mut Ledger) {
        for ExternalEnd { end, arrivals, .. } in &self.ends {
            if let Some(arrivals) = arrivals {
                arrivals.count_inside(end.flow(), on_way, ledger);
            }
        }
    }

    /// Series recorded at the ends.
    pub(super) fn take_series(&mut self) -> impl Iterator<Item = Series> {
        let arrivals = self.ends.iter_mut().filter_map(|own| own.arrivals.as_mut());
        arrivals.flat_map(|arrivals| arrivals.take_series())
    }

    /// Reports the counters.
    pub(super) fn report(&self, ledger: &mut Ledger) {
        for ExternalEnd { end, origin, handed, arrivals, .. } in &self.ends {
            origin.report(ledger);
            let flow = &mut ledger.flows[end.flow()];
            match end {
                FlowEnd::Origin(_) => flow.handed_segments = *handed,
                FlowEnd::Destination(_) => {
                    flow.one_way = arrivals.as_ref().and_then(|arrivals| arrivals.summary());
                }
            }
        }
    }
}
