//! One end of a flow: its stack, its application, and what is known of them.

use cellway_sim::pdu::{Ecn, FlowEnd};
use cellway_sim::result::{DelayDistribution, Recorder, Series, TransactionCounters};
use cellway_sim::tcp::{Counters, EcnCounters};
use cellway_sim::units::Time;

use crate::application::Writer;
use crate::segments::Segments;
use crate::stack::{Answer, Call, Event, Stack, StackError, State, Turn};

/// Turns at one instant from which on a stack is held to stand still.
const MOST_TURNS: u32 = 10_000;

/// One end of a flow.
pub(crate) struct End<'a> {
    /// Its name, `flow.origin` or `flow.destination`.
    pub(crate) name: String,
    pub(crate) place: FlowEnd,
    pub(crate) stack: Box<dyn Stack + 'a>,
    pub(crate) writer: Option<Writer>,
    /// Times of responses that it counts.
    pub(crate) response_times: Option<Box<DelayDistribution>>,
    /// Recorders of states, by their index.
    pub(crate) recorders: Vec<Option<Recorder>>,
    /// Recorder of octets acknowledged.
    pub(crate) acked: Option<Recorder>,
    /// Log of segments.
    pub(crate) segments: Option<Box<Segments>>,
    /// Place of the congestion window among states, if it is one.
    cwnd: Option<usize>,
    /// Latest values of states.
    values: Vec<f64>,
    /// Instant at which it opens, until it has.
    opens_at: Option<Time>,
    timer: Time,
    calls: Vec<Call>,
    /// Instant of the last turn, and the number of turns at it.
    last: (Time, u32),
    pub(crate) seen: Seen,
}

/// Observations at an end.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) turns: u64,
    pub(crate) packets_sent: u64,
    pub(crate) packets_received: u64,
    octets_sent: u64,
    octets_received: u64,
    pub(crate) acked: u64,
    pub(crate) delivered: u64,
    pub(crate) marks: u64,
    pub(crate) failed_at: Option<Time>,
}

impl<'a> End<'a> {
    /// Makes an end that opens at `opens_at`.
    pub(crate) fn new(
        name: String,
        place: FlowEnd,
        stack: Box<dyn Stack + 'a>,
        opens_at: Time,
    ) -> Self {
        let known = stack.states();
        let is_cwnd = |state: &State| state.name == "cwnd" && state.unit == "byte";
        let (states, cwnd) = (known.len(), known.iter().position(is_cwnd));
        Self {
            name,
            place,
            stack,
            writer: None,
            response_times: None,
            recorders: (0..states).map(|_| None).collect(),
            acked: None,
            segments: None,
            cwnd,
            values: vec![f64::NAN; states],
            opens_at: Some(opens_at),
            timer: Time::MAX,
            calls: Vec::new(),
            last: (Time::ZERO, 0),
            seen: Seen::default(),
        }
    }

    /// Instant of its next turn, if nothing arrives.
    pub(crate) fn due(&self) -> Time {
        let open = self.opens_at.unwrap_or(Time::MAX);
        let writer = self.writer.as_ref().map_or(Time::MAX, Writer::next);
        self.timer.min(open).min(writer)
    }

    /// Asks the application if it is due, and lets the stack have its turn.
    pub(crate) fn turn(
        &mut self,
        now: Time,
        arrived: &[&[u8]],
        answer: &mut Answer,
    ) -> Result<(), StackError> {
        self.sample(now);
        self.seen.packets_received += arrived.len() as u64;
        self.seen.octets_received += arrived.iter().map(|packet| packet.len() as u64).sum::<u64>();
        if self.opens_at.is_some_and(|at| at <= now) {
            self.opens_at = None;
            self.calls.push(Call::Open);
            self.ask(now);
        } else if self.writer.as_ref().is_some_and(|writer| writer.next() <= now) {
            self.ask(now);
        }
        answer.clear();
        self.take_turn(now, arrived, answer)?;
        while !self.calls.is_empty() {
            // The application has answered an event.
            self.take_turn(now, &[], answer)?;
        }
        self.seen.packets_sent += answer.packets.len() as u64;
        self.seen.octets_sent +=
            answer.packets.iter().map(|packet| packet.len() as u64).sum::<u64>();
        self.log(now, arrived, &answer.packets);
        Ok(())
    }

    /// Logs the segments of a turn.
    fn log(&mut self, now: Time, arrived: &[&[u8]], sent: &[Vec<u8>]) {
        let Some(segments) = &mut self.segments else { return };
        for packet in arrived {
            segments.on_received(now, packet);
        }
        let counters = self.stack.counters();
        segments.on_sent(now, sent, counters);
        let cwnd = self.cwnd.map(|index| self.values[index]);
        segments.on_state(now, self.seen.acked, cwnd, counters.map_or(0, |of| of.timeouts));
    }

    fn take_turn(
        &mut self,
        now: Time,
        arrived: &[&[u8]],
        answer: &mut Answer,
    ) -> Result<(), StackError> {
        self.seen.turns += 1;
        self.last = if self.last.0 == now { (now, self.last.1 + 1) } else { (now, 1) };
        if self.last.1 > MOST_TURNS {
            return Err(StackError::new(format!(
                "it stands still: {MOST_TURNS} turns at one instant, each with a timer that is due"
            )));
        }
        let calls = std::mem::take(&mut self.calls);
        answer.next = None;
        self.stack.turn(&Turn { now, arrived, calls: &calls }, answer)?;
        self.timer = answer.next.unwrap_or(Time::MAX).max(now);
        for (index, value) in answer.states.drain(..) {
            let known = self.values.get_mut(index);
            *known.ok_or_else(|| StackError::new(format!("it has no state {index}")))? = value;
        }
        let is_asked = !answer.events.is_empty();
        for event in std::mem::take(&mut answer.events) {
            self.note(now, event)?;
        }
        if is_asked {
            self.ask(now);
        }
        Ok(())
    }

    fn note(&mut self, now: Time, event: Event) -> Result<(), StackError> {
        match event {
            Event::Acked(octets) => {
                let written = self.writer.as_ref().map_or(0, Writer::most_written);
                let most = self.seen.octets_sent.min(written);
                grow(&mut self.seen.acked, octets, most, "acknowledged")
            }
            Event::Delivered(octets) => {
                grow(&mut self.seen.delivered, octets, self.seen.octets_received, "delivered")
            }
            Event::Closed => {
                if let Some(writer) = &mut self.writer {
                    writer.note_closed(now);
                }
                Ok(())
            }
            Event::Failed => {
                self.seen.failed_at.get_or_insert(now);
                Ok(())
            }
            Event::Opened | Event::Ended => Ok(()),
        }
    }

    fn ask(&mut self, now: Time) {
        let Some(writer) = &mut self.writer else { return };
        if self.opens_at.is_some() {
            return;
        }
        let completed = writer.ask(now, [self.seen.acked, self.seen.delivered], &mut self.calls);
        if let (Some(since), Some(times)) = (completed, &mut self.response_times) {
            times.note(since, now);
        }
    }

    /// Takes the points of series that are due at or before `at`.
    pub(crate) fn sample(&mut self, at: Time) {
        let states = self.values.iter().copied().zip(&mut self.recorders);
        let acked = (self.seen.acked as f64, &mut self.acked);
        for (value, recorder) in states.chain([acked]) {
            let Some(recorder) = recorder else { continue };
            while recorder.due() <= at {
                recorder.sample(recorder.due(), value);
            }
        }
    }

    /// Counts a packet that is handed over with this ECN field.
    pub(crate) fn note_arrival(&mut self, ecn: Ecn) {
        self.seen.marks += u64::from(ecn == Ecn::Congested);
    }

    /// Counters of its connection: the stack's, or as far as packets tell them.
    pub(crate) fn counters(&self, has_ecn: bool) -> Counters {
        let marks = EcnCounters { marks_received: self.seen.marks, reductions: 0 };
        self.stack.counters().unwrap_or_else(|| Counters {
            segments_sent: self.seen.packets_sent,
            ecn: has_ecn.then_some(marks),
            ..Counters::default()
        })
    }

    /// Counters of its requests and responses, if it has any.
    pub(crate) fn transactions(&self) -> Option<Box<TransactionCounters>> {
        let times = self.response_times.as_ref()?.summary();
        Some(Box::new(TransactionCounters { response_bytes: self.seen.delivered, times }))
    }

    /// The finished series of its states.
    pub(crate) fn series(&mut self) -> Vec<Series> {
        let knows_timeouts = self.stack.counters().is_some();
        let logged = self.segments.take().map(|segments| segments.finish(knows_timeouts));
        let recorders = self.recorders.drain(..).flatten().chain(self.acked.take());
        recorders.map(Recorder::finish).chain(logged.into_iter().flatten()).collect()
    }
}

/// Sets a number of octets, which never falls, and is not above the `most` that there can be.
fn grow(known: &mut u64, octets: u64, most: u64, done: &str) -> Result<(), StackError> {
    if octets < *known {
        return Err(StackError::new(format!("octets {done} fell from {known} to {octets}")));
    }
    if octets > most {
        let said = format!("{octets} octets {done}, where there can be {most} at most");
        return Err(StackError::new(said));
    }
    *known = octets;
    Ok(())
}
