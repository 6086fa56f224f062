//! Packets between devices and simulation: those that a kernel sends enter the path, and those that
//! arrive are handed over.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;

use cellway_sim::Simulation;
use cellway_sim::pdu::{Arrival, Ecn, FlowEnd, Packet};
use cellway_sim::units::{Span, Time};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;

use super::passage::Passages;
use crate::clock::{Clock, duration_of};
use crate::ip;
use crate::lateness::Lateness;
use crate::record::MeasureError;
use crate::stamps::Stamps;
use crate::store::Store;

/// Longest time before an arrival from which on the driver looks at the clock instead of sleeping.
const LONGEST_SPIN: Span = Span::from_microseconds(50);
/// Part of the mean time between packets that it spins at most: the kernels need the processor too.
const SPIN_PART: i64 = 8;
/// Longest IP packet.
const LONGEST_PACKET: usize = 1 << 16;

/// One end of a flow.
#[derive(Debug)]
struct Device {
    tun: File,
    end: FlowEnd,
    stamps: Stamps,
}

/// The path of a run and the devices at its ends.
#[derive(Debug)]
pub(super) struct Path<'s> {
    pub(super) simulation: Simulation<'s>,
    clock: Clock,
    devices: Vec<Device>,
    device_of: BTreeMap<FlowEnd, usize>,
    store: Store,
    arrived: Vec<Arrival>,
    buffer: Box<[u8]>,
    pub(super) lateness: Lateness,
    pub(super) tally: Tally,
    /// Ends to which something was handed over in the last delivery.
    pub(super) reached: Vec<FlowEnd>,
    /// Packets of flows that are left to programs.
    pub(super) passages: Passages,
}

/// Counts of the driver.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Packets handed over.
    pub(super) packets: u64,
    /// Waits that ended.
    pub(super) wake_ups: u64,
    /// Packets that a device did not take.
    pub(super) unwritten: u64,
    /// Packets that are not of IPv4.
    pub(super) foreign: u64,
}

impl<'s> Path<'s> {
    /// Takes the devices of all ends; time begins at the start of the `clock`.
    pub(super) fn new(
        simulation: Simulation<'s>,
        clock: Clock,
        devices: Vec<(FlowEnd, File)>,
    ) -> Self {
        let device_of = devices.iter().enumerate().map(|(index, (end, _))| (*end, index)).collect();
        let devices = devices
            .into_iter()
            .map(|(end, tun)| Device { tun, end, stamps: Stamps::default() })
            .collect();
        Self {
            simulation,
            clock,
            devices,
            device_of,
            store: Store::default(),
            arrived: Vec::new(),
            buffer: vec![0; LONGEST_PACKET].into(),
            lateness: Lateness::default(),
            tally: Tally::default(),
            reached: Vec::new(),
            passages: Passages::default(),
        }
    }

    /// Time of the clock.
    pub(super) fn clock(&self) -> Time {
        self.clock.now()
    }

    /// Hands over what has arrived, and takes what the kernel answers at once.
    pub(super) fn deliver(&mut self) -> Result<(), MeasureError> {
        let mut arrived = std::mem::take(&mut self.arrived);
        arrived.extend(self.simulation.take_arrivals());
        self.reached.clear();
        for arrival in arrived.drain(..) {
            let late = self.clock.now() - arrival.at;
            if !self.lateness.add(late) {
                return Err(MeasureError::TooLate { late_s: late.seconds_f64() });
            }
            self.passages.arrived(&arrival);
            let device = self.device_of[&arrival.end];
            self.hand_over(device, &arrival.packet);
            self.drain(device, arrival.at)?;
            self.reached.push(arrival.end);
        }
        self.arrived = arrived;
        if self.store.is_due() {
            self.store.sweep(self.simulation.packets_inside().map(|(_, index)| index));
            self.note_losses();
        }
        Ok(())
    }

    /// Takes the losses so far, which would pile up.
    pub(super) fn note_losses(&mut self) {
        for lost in self.simulation.take_losses() {
            self.passages.lost(&lost);
        }
    }

    fn hand_over(&mut self, device: usize, packet: &Packet) {
        let content = self.store.lend(packet.index());
        let tun = &mut self.devices[device].tun;
        let is_marked = packet.ecn() == Ecn::Congested && ip::ecn_of(content) != Ecn::Congested;
        let written = if is_marked {
            let marked = &mut self.buffer[..content.len()];
            marked.copy_from_slice(content);
            ip::mark(marked);
            tun.write(marked)
        } else {
            tun.write(content)
        };
        self.tally.packets += 1;
        self.tally.unwritten += u64::from(written.is_err());
    }

    /// Takes all packets that wait in the device of an end, found at `at`.
    pub(super) fn drain_end(&mut self, end: FlowEnd, at: Time) -> Result<(), MeasureError> {
        self.drain(self.device_of[&end], at)
    }

    fn drain(&mut self, device: usize, at: Time) -> Result<(), MeasureError> {
        let Device { tun, end, stamps } = &mut self.devices[device];
        loop {
            let read = match tun.read(&mut self.buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(MeasureError::at("reading a TUN device")(error)),
            };
            let content = &self.buffer[..read];
            if !ip::is_ipv4(content) {
                self.tally.foreign += 1;
                continue;
            }
            let index = self.store.keep(content);
            let packet = Packet::opaque(read as u32, index).with_ecn(ip::ecn_of(content));
            let stamp = stamps.stamp(at);
            self.passages.sent(*end, stamp, read as u64);
            self.simulation.send(stamp, *end, packet).map_err(|refused| {
                MeasureError::at("a packet of the kernel")(std::io::Error::other(refused))
            })?;
        }
    }

    /// Waits until shortly before `until`, then looks at the clock. Ends early when a kernel has
    /// sent, whose packets are then on the path.
    pub(super) fn wait(&mut self, until: Time) -> Result<(), MeasureError> {
        let spin = self.spin();
        let mut polled: Vec<PollFd<'_>> = self
            .devices
            .iter()
            .map(|device| PollFd::new(device.tun.as_fd(), PollFlags::POLLIN))
            .collect();
        loop {
            let now = self.clock.now();
            if now >= until {
                return Ok(());
            }
            let left = (until - now - spin).max(Span::ZERO);
            let found = ppoll(&mut polled, Some(TimeSpec::from_duration(duration_of(left))), None);
            self.tally.wake_ups += u64::from(left > Span::ZERO);
            match found {
                Ok(0) | Err(Errno::EINTR) => {}
                Ok(_) => break,
                Err(error) => return Err(MeasureError::at("waiting for packets")(error.into())),
            }
        }
        let readable = |(index, of): (usize, &PollFd<'_>)| of.any()?.then_some(index);
        let readable: Vec<usize> = polled.iter().enumerate().filter_map(readable).collect();
        let at = self.clock.now();
        readable.into_iter().try_for_each(|device| self.drain(device, at))
    }

    /// Time before an arrival from which on the driver spins.
    fn spin(&self) -> Span {
        let packets = self.tally.packets.max(1) as i64;
        let gap = (self.clock.now() - Time::ZERO) / packets;
        LONGEST_SPIN.min(gap / SPIN_PART)
    }
}
