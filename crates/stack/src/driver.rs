//! Runs in virtual time: the simulation goes on to the next arrival at a stack or the next instant
//! at which one is due, and the stack has its turn.
//!
//! At one instant, what is due goes before what arrives, flows are in the order of the scenario,
//! and the origin of a flow goes before its destination. An application that answers an event is
//! heard in a turn of its own at the same instant.

use std::collections::BTreeMap;

use cellway_sim::pdu::{Arrival, CapturedUnit, FlowEnd, Packet};
use cellway_sim::result::FlowCounters;
use cellway_sim::scenario::Scenario;
use cellway_sim::units::{Span, Time};
use cellway_sim::{Continue, Pause, Progress, RunError, Simulation};

use crate::application::Writer;
use crate::capture::Capture;
use crate::capturing::Capturing;
use crate::cast::{Cast, cast};
use crate::end::End;
use crate::ip;
use crate::record::{DriveError, Driven, EndFacts, StackFacts};
use crate::stack::{Answer, Stack, StackError};
use crate::store::Store;
use crate::trace::Trace;

/// Longest simulated time between two reports of progress.
const REPORT: Span = Span::from_milliseconds(100);

/// Stacks at both ends of a flow.
pub struct Ends<'a> {
    /// Name of the flow, which has `tcp`.
    pub flow: String,
    /// Stack at the host that it comes from.
    pub origin: Box<dyn Stack + 'a>,
    /// Stack at the host that it leads to.
    pub destination: Box<dyn Stack + 'a>,
}

/// Runs a scenario with stacks at the ends of some flows. `tell` is called every 100 ms of
/// simulated time and may cancel; with a `capture` the packets of stacks are in it with their
/// octets, and if a stack fails all packets until then.
///
/// # Errors
///
/// `Refused` if a flow does not exist or has no `tcp`, `Stack` if a stack fails, and `Run` if the
/// simulation fails or is cancelled.
pub fn drive<'a>(
    scenario: &'a Scenario,
    ends: Vec<Ends<'a>>,
    capture: Option<Capture<'a>>,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Driven, DriveError> {
    let Cast { mut simulation, ends } = cast(scenario, ends)?;
    let capturing = capture.map(|capture| {
        simulation.capture(&capture.points);
        Capturing::new(scenario, capture)
    });
    let place = |(index, end): (usize, &End<'a>)| (end.place, index);
    let index_of = ends.iter().enumerate().map(place).collect();
    let driver = Driver {
        scenario,
        simulation,
        ends,
        index_of,
        store: Store::default(),
        trace: Trace::default(),
        answer: Answer::default(),
        buffer: vec![0; Packet::MAX_IP_BYTES as usize].into(),
        capturing,
        counted: BTreeMap::new(),
    };
    driver.run_and_capture(tell)
}

/// A run under way.
struct Driver<'a> {
    scenario: &'a Scenario,
    simulation: Simulation<'a>,
    /// Ends of flows, in the order of flows, origins first.
    ends: Vec<End<'a>>,
    index_of: BTreeMap<FlowEnd, usize>,
    store: Store,
    trace: Trace,
    answer: Answer,
    buffer: Box<[u8]>,
    capturing: Option<Capturing<'a>>,
    /// Counters of flows at the end of the warm-up.
    counted: BTreeMap<usize, FlowCounters>,
}

impl Driver<'_> {
    /// Runs to the end, or to the fault of a stack, which the capture has with all packets of its
    /// instant.
    fn run_and_capture(
        mut self,
        tell: &mut dyn FnMut(Progress) -> Continue,
    ) -> Result<Driven, DriveError> {
        let ran = self.run(tell);
        if let Err(DriveError::Stack { .. }) = ran {
            let next =
                (self.simulation.now() + Span::from_picoseconds(1)).min(self.simulation.end());
            while self.simulation.now() < next && self.simulation.run_until(next).is_ok() {
                self.simulation.take_arrivals();
            }
        }
        if let Ok(()) | Err(DriveError::Stack { .. }) = ran {
            self.capture()?;
            let now = self.simulation.now();
            self.capturing.as_mut().map_or(Ok(()), |capturing| capturing.hand_over(now))?;
        }
        ran.and_then(|()| self.finish())
    }

    fn run(&mut self, tell: &mut dyn FnMut(Progress) -> Continue) -> Result<(), DriveError> {
        let end = self.simulation.end();
        let mut warm_up = Some(Time::ZERO + self.scenario.run.warm_up);
        let mut report = Time::ZERO;
        loop {
            let due = self.ends.iter().map(End::due).fold(end, Time::min);
            let stop = due.min(report).min(warm_up.unwrap_or(end));
            let pause = self.simulation.run_until(stop)?;
            self.capture()?;
            match pause {
                Pause::Arrival(at) => self.deliver(at)?,
                Pause::OnTheWay(_) => {}
                Pause::AtBarrier => {
                    self.ends.iter_mut().for_each(|end| end.sample(stop));
                    if warm_up == Some(stop) {
                        warm_up = None;
                        self.counted = self.counters();
                    }
                    if stop == end {
                        return Ok(());
                    }
                    if stop == report {
                        report += REPORT;
                        if tell(Progress { at: stop, duration: end - Time::ZERO }) == Continue::No {
                            let at = format!("{} s", stop.seconds_f64());
                            return Err(RunError::Cancelled(at).into());
                        }
                    }
                    self.act(stop)?;
                }
            }
        }
    }

    /// Lets the stacks that are due have their turns.
    fn act(&mut self, now: Time) -> Result<(), DriveError> {
        for index in 0..self.ends.len() {
            if self.ends[index].due() <= now {
                self.turn(index, now, &[])?;
            }
        }
        Ok(())
    }

    /// Hands over what has arrived at `now`.
    fn deliver(&mut self, now: Time) -> Result<(), DriveError> {
        let mut arrived: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        for arrival in self.simulation.take_arrivals() {
            arrived.entry(self.index_of[&arrival.end]).or_default().push(arrival);
        }
        for (index, arrivals) in &arrived {
            self.turn(*index, now, arrivals)?;
        }
        if self.store.is_due() {
            let inside = self.simulation.packets_inside().map(|(_, index)| index);
            let just = arrived.values().flatten().map(|arrival| arrival.packet.index());
            let held: Vec<u64> = inside.chain(just).collect();
            self.note_losses();
            self.store.sweep(held.into_iter());
        }
        Ok(())
    }

    /// Takes the losses so far, which would pile up, and logs them.
    fn note_losses(&mut self) {
        for lost in self.simulation.take_losses() {
            let segments = self.ends[self.index_of[&lost.from]].segments.as_mut();
            if let Some(segments) = segments {
                let place = self.simulation.name_of(lost.place);
                segments.on_lost(lost.at, place, self.store.lend(lost.index));
            }
        }
    }

    /// Lets a stack have its turn, and sends what it answers.
    fn turn(&mut self, index: usize, now: Time, arrivals: &[Arrival]) -> Result<(), DriveError> {
        let end = &mut self.ends[index];
        let octets: Vec<Vec<u8>> = arrivals
            .iter()
            .map(|arrival| {
                end.note_arrival(arrival.packet.ecn());
                let content = self.store.lend(arrival.packet.index());
                ip::as_it_arrives(content, arrival.packet.ecn(), &mut self.buffer).to_vec()
            })
            .collect();
        let slices: Vec<&[u8]> = octets.iter().map(Vec::as_slice).collect();
        let mut answer = std::mem::take(&mut self.answer);
        let turned = end.turn(now, &slices, &mut answer);
        let (name, place) = (&end.name, end.place);
        let failed = |why: StackError| DriveError::Stack {
            end: name.clone(),
            at_s: now.seconds_f64().to_string(),
            why,
        };
        turned.map_err(failed)?;
        for octets in answer.packets.drain(..) {
            let octets: Vec<u8> = octets;
            let refused = |why: String| failed(StackError::new(why));
            self.trace.add(now, place, &octets);
            let packet = packet_of(&octets, self.store.keep(&octets)).map_err(&refused)?;
            let sent = self.simulation.send(now, place, packet);
            sent.map_err(|fault| refused(fault.to_string()))?;
        }
        self.answer = answer;
        Ok(())
    }

    /// Adds what is captured to the file.
    fn capture(&mut self) -> Result<(), RunError> {
        let Some(capturing) = &mut self.capturing else { return Ok(()) };
        for captured in self.simulation.take_captured() {
            let CapturedUnit::Frame(frame) = &captured.unit else {
                capturing.note(&captured, None)?;
                continue;
            };
            let flow = frame.direction as usize / 2;
            let is_stacks = self.index_of.contains_key(&FlowEnd::Origin(flow));
            let octets = is_stacks.then(|| {
                let content = self.store.lend(frame.segment.seq);
                ip::as_it_arrives(content, frame.segment.ecn, &mut self.buffer)
            });
            capturing.note(&captured, octets)?;
        }
        Ok(())
    }

    /// Counters of the flows with stacks, by number.
    fn counters(&self) -> BTreeMap<usize, FlowCounters> {
        let of = |[origin, destination]: &[End<'_>; 2]| {
            let flow = origin.place.flow();
            let ecn = self.scenario.flows[flow].tcp.as_ref().is_some_and(|tcp| tcp.ecn);
            let counters = FlowCounters {
                acked_bytes: origin.seen.acked,
                delivered_bytes: destination.seen.delivered,
                read_bytes: destination.seen.delivered,
                finished_at: origin.writer.as_ref().and_then(Writer::finished_at),
                aborted_at: origin.seen.failed_at,
                sender: origin.counters(ecn),
                receiver: destination.counters(ecn),
                transactions: origin.transactions(),
                ..FlowCounters::default()
            };
            (flow, counters)
        };
        self.ends.as_chunks().0.iter().map(of).collect()
    }

    fn finish(mut self) -> Result<Driven, DriveError> {
        let after = self.counters();
        for (flow, counters) in after {
            let before = self.counted.remove(&flow).unwrap_or_default();
            let name = &self.scenario.flows[flow].name;
            let set = self.simulation.set_counters(name, [before, counters]);
            set.map_err(|fault| DriveError::Refused(fault.to_string()))?;
        }
        let at_s = self.simulation.now().seconds_f64().to_string();
        self.note_losses();
        let mut facts = StackFacts { trace: self.trace.text(), ends: BTreeMap::new() };
        let mut series = Vec::new();
        for end in &mut self.ends {
            let ended = end.stack.end();
            let failed = |why| DriveError::Stack { end: end.name.clone(), at_s: at_s.clone(), why };
            let counters = ended.map_err(failed)?;
            let known = EndFacts {
                name: end.stack.name(),
                turns: end.seen.turns,
                packets_sent: end.seen.packets_sent,
                packets_received: end.seen.packets_received,
                counters,
            };
            facts.ends.insert(end.name.clone(), known);
            series.extend(end.series());
        }
        let mut outcome = self.simulation.finish()?;
        outcome.series.extend(series);
        Ok(Driven { outcome, facts })
    }
}

/// The packet of these octets, which are kept under `index`. What is not of IPv4 has no ECN field
/// and no key.
fn packet_of(octets: &[u8], index: u64) -> Result<Packet, String> {
    let length = u32::try_from(octets.len()).map_err(|_| "a packet is too long".to_owned())?;
    let packet = Packet::opaque(length, index);
    if !ip::is_ipv4(octets) {
        return Ok(packet);
    }
    Ok(packet.with_ecn(ip::ecn_of(octets)).with_key(ip::key_of(octets)))
}
