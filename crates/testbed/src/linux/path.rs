//! Packets between devices and simulation: those that a kernel sends enter the path, and those that
//! arrive are handed over.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use cellway_sim::pdu::{Arrival, CapturedUnit, Ecn, FlowEnd, Packet};
use cellway_sim::units::{Span, Time};
use cellway_sim::{Pause, RunError, Simulation};
use cellway_stack::{Capturing, Store, Trace, ip};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;

use super::passage::Passages;
use crate::clock::{Clock, duration_of};
use crate::lateness::Lateness;
use crate::record::MeasureError;
use crate::stamps::Stamps;

/// Longest time before an arrival from which on the driver looks at the clock instead of sleeping.
const LONGEST_SPIN: Span = Span::from_microseconds(50);
/// Part of the mean time between packets that it spins at most: the kernels need the processor too.
const SPIN_PART: i64 = 8;
/// Longest time that packets wait in devices while others are handed over.
const LOOK_AROUND: Span = Span::from_microseconds(100);
/// Longest IP packet.
const LONGEST_PACKET: usize = 1 << 16;

/// One end of a flow.
#[derive(Debug)]
struct Device {
    tun: File,
    end: FlowEnd,
    stamps: Stamps,
    /// Packets handed over with a congestion mark.
    marked: u64,
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
    capturing: Option<Capturing<'s>>,
    /// Time of the clock when all devices were looked at.
    looked: Time,
    pub(super) lateness: Lateness,
    pub(super) tally: Tally,
    /// Ends to which something was handed over in the last delivery.
    pub(super) reached: Vec<FlowEnd>,
    /// Packets of flows that are left to programs.
    pub(super) passages: Passages,
    /// Hash of the packets of the kernel, where time is virtual.
    trace: Option<Trace>,
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
            .map(|(end, tun)| Device { tun, end, stamps: Stamps::default(), marked: 0 })
            .collect();
        Self {
            simulation,
            clock,
            devices,
            device_of,
            store: Store::default(),
            arrived: Vec::new(),
            buffer: vec![0; LONGEST_PACKET].into(),
            capturing: None,
            looked: Time::ZERO,
            lateness: Lateness::default(),
            tally: Tally::default(),
            reached: Vec::new(),
            passages: Passages::default(),
            trace: clock.is_virtual().then(Trace::default),
        }
    }

    /// Captures packets from now on, at points that the simulation knows.
    pub(super) fn capture(&mut self, capturing: Option<Capturing<'s>>) {
        self.capturing = capturing;
    }

    /// Packets handed over to an end with a congestion mark.
    pub(super) fn marked(&self, end: FlowEnd) -> u64 {
        self.devices[self.device_of[&end]].marked
    }

    /// Time of the clock.
    pub(super) fn clock(&self) -> Time {
        self.clock.now()
    }

    /// Hash of every packet that the kernel has sent, with its instant, where time is virtual.
    pub(super) fn trace(&self) -> Option<String> {
        self.trace.map(Trace::text)
    }

    /// Advances the path to `barrier` or the first arrival before it.
    pub(super) fn run_until(&mut self, barrier: Time) -> Result<Pause, MeasureError> {
        let pause = self.simulation.run_until(barrier)?;
        self.write_captured()?;
        Ok(pause)
    }

    /// Adds the packets captured so far to the file.
    fn write_captured(&mut self) -> Result<(), RunError> {
        let Some(capturing) = &mut self.capturing else { return Ok(()) };
        for captured in self.simulation.take_captured() {
            let CapturedUnit::Frame(frame) = &captured.unit else {
                capturing.note(&captured, None)?;
                continue;
            };
            let is_kernels =
                self.device_of.contains_key(&FlowEnd::Origin(frame.direction as usize / 2));
            let octets = is_kernels.then(|| {
                let content = self.store.lend(frame.segment.seq);
                ip::as_it_arrives(content, frame.segment.ecn, &mut self.buffer)
            });
            capturing.note(&captured, octets)?;
        }
        Ok(())
    }

    /// Ends the file of captured packets, at the end of the run.
    pub(super) fn end_capture(&mut self) -> Result<(), RunError> {
        let end = self.simulation.now();
        self.capturing.as_mut().map_or(Ok(()), |capturing| capturing.hand_over(end))
    }

    /// Hands over what has arrived, and takes what the kernel answers at once. While the driver is
    /// behind, it looks at all devices now and then.
    pub(super) fn deliver(&mut self) -> Result<(), MeasureError> {
        let mut arrived = std::mem::take(&mut self.arrived);
        arrived.extend(self.simulation.take_arrivals());
        self.reached.clear();
        for arrival in &arrived {
            let now = self.clock.now();
            if now - self.looked >= LOOK_AROUND {
                self.look_around(now)?;
            }
            let late = now - arrival.at;
            if !self.lateness.add(late) {
                return Err(MeasureError::TooLate { late_s: late.seconds_f64() });
            }
            self.passages.arrived(arrival);
            let device = self.device_of[&arrival.end];
            self.hand_over(device, &arrival.packet);
            self.drain(device, arrival.at)?;
            self.reached.push(arrival.end);
        }
        if self.store.is_due() {
            // What has just arrived may not be captured yet.
            let inside = self.simulation.packets_inside().map(|(_, index)| index);
            self.store.sweep(inside.chain(arrived.iter().map(|arrival| arrival.packet.index())));
            self.note_losses();
        }
        arrived.clear();
        self.arrived = arrived;
        Ok(())
    }

    /// Takes the losses so far, which would pile up.
    pub(super) fn note_losses(&mut self) {
        for lost in self.simulation.take_losses() {
            self.passages.lost(&lost);
        }
    }

    /// Takes the packets that wait in any device at `now` of the clock.
    fn look_around(&mut self, now: Time) -> Result<(), MeasureError> {
        self.looked = now;
        (0..self.devices.len()).try_for_each(|device| self.drain(device, now))
    }

    fn hand_over(&mut self, device: usize, packet: &Packet) {
        let content = self.store.lend(packet.index());
        let Device { tun, marked, .. } = &mut self.devices[device];
        *marked += u64::from(packet.ecn() == Ecn::Congested);
        let written = tun.write(ip::as_it_arrives(content, packet.ecn(), &mut self.buffer));
        self.tally.packets += 1;
        self.tally.unwritten += u64::from(written.is_err());
    }

    /// Takes all packets that wait in the device of an end, found at `at`.
    pub(super) fn drain_end(&mut self, end: FlowEnd, at: Time) -> Result<(), MeasureError> {
        self.drain(self.device_of[&end], at)
    }

    fn drain(&mut self, device: usize, at: Time) -> Result<(), MeasureError> {
        let Device { tun, end, stamps, .. } = &mut self.devices[device];
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
            let packet = Packet::opaque(read as u32, index)
                .with_ecn(ip::ecn_of(content))
                .with_key(ip::key_of(content));
            let stamp = stamps.stamp(at);
            self.passages.sent(*end, stamp, read as u64);
            if let Some(trace) = &mut self.trace {
                trace.add(stamp, *end, content);
            }
            self.simulation.send(stamp, *end, packet).map_err(|refused| {
                MeasureError::at("a packet of the kernel")(std::io::Error::other(refused))
            })?;
        }
    }

    /// Waits until shortly before `until`, then looks at the clock. Ends early when a kernel has
    /// sent, whose packets are then on the path, or has room at one of `writers`; returns the
    /// indices of these.
    pub(super) fn wait(
        &mut self,
        until: Time,
        writers: &[BorrowedFd<'_>],
    ) -> Result<Vec<usize>, MeasureError> {
        let spin = self.spin();
        let devices =
            self.devices.iter().map(|device| PollFd::new(device.tun.as_fd(), PollFlags::POLLIN));
        let writers = writers.iter().map(|socket| PollFd::new(*socket, PollFlags::POLLOUT));
        let mut polled: Vec<PollFd<'_>> = devices.chain(writers).collect();
        loop {
            let now = self.clock.now();
            if now >= until {
                return Ok(Vec::new());
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
        let has_event = |(index, of): (usize, &PollFd<'_>)| of.any()?.then_some(index);
        let mut ready: Vec<usize> = polled.iter().enumerate().filter_map(has_event).collect();
        let devices = self.devices.len();
        let with_room = ready.split_off(ready.partition_point(|index| *index < devices));
        let at = self.clock.now();
        self.looked = at;
        ready.into_iter().try_for_each(|device| self.drain(device, at))?;
        Ok(with_room.into_iter().map(|index| index - devices).collect())
    }

    /// Time before an arrival from which on the driver spins; zero where time is virtual, as
    /// nothing is late there.
    fn spin(&self) -> Span {
        if self.clock.is_virtual() {
            return Span::ZERO;
        }
        let packets = self.tally.packets.max(1) as i64;
        let gap = (self.clock.now() - Time::ZERO) / packets;
        LONGEST_SPIN.min(gap / SPIN_PART)
    }
}

#[cfg(test)]
mod tests;
