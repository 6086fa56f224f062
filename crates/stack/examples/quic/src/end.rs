//! One end of a flow: quinn's endpoint with one connection and one stream in both directions.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use cellway_sim::units::Time;
use cellway_stack::{Answer, Call, Event, Greeting, Role, Stack, StackError, State, Turn};
use quinn_proto::Event::{Connected, ConnectionLost, Stream};
use quinn_proto::{
    Connection, ConnectionHandle, DatagramEvent, Dir, Endpoint, StreamEvent, StreamId,
};

use crate::seeded::Numbers;
use crate::setup::{self, Law, failed};
use crate::stream::{Reader, Writer, counters};
use crate::udp;

/// One end of a flow.
pub(crate) struct End {
    facts: Greeting,
    law: Law,
    numbers: Numbers,
    /// Instant that stands for 0 of the simulation; only differences from it count.
    start: Instant,
    qlog: Option<String>,
    endpoint: Option<Endpoint>,
    quic: Option<(ConnectionHandle, Connection)>,
    stream: Option<StreamId>,
    is_over: bool,
    writer: Writer,
    reader: Reader,
    /// Octets acknowledged, as they were told last.
    told: u64,
    shown: [f64; 3],
    buffer: Vec<u8>,
}

impl End {
    /// Makes an end; with `qlog` its events are in the file of this name and the end's role.
    pub(crate) fn new(facts: &Greeting, law: Law, qlog: Option<&str>) -> Self {
        Self {
            facts: facts.clone(),
            law,
            numbers: Numbers::new(facts.seed),
            start: Instant::now(),
            qlog: qlog.map(str::to_owned),
            endpoint: None,
            quic: None,
            stream: None,
            is_over: false,
            writer: Writer::default(),
            reader: Reader::default(),
            told: 0,
            shown: [f64::NAN; 3],
            buffer: Vec::new(),
        }
    }

    /// Makes the endpoint; the origin connects.
    fn open(&mut self, now: Instant) -> Result<(), StackError> {
        let qlog = self.qlog.as_deref();
        let transport = setup::transport(&self.facts, self.law, qlog, self.start)?;
        let mut endpoint = setup::endpoint(&self.facts, &self.numbers, Arc::clone(&transport))?;
        if self.facts.role == Role::Origin {
            let client = setup::client(&self.numbers, transport)?;
            let peer = SocketAddr::V4(self.facts.peer);
            let made = endpoint.connect(now, client, peer, "cellway");
            self.quic = Some(made.map_err(failed)?);
        }
        self.endpoint = Some(endpoint);
        Ok(())
    }

    /// Hands a packet to the endpoint.
    fn take(&mut self, now: Instant, packet: &[u8], answer: &mut Answer) -> Result<(), StackError> {
        let (Some(endpoint), Some((ecn, content))) = (&mut self.endpoint, udp::datagram(packet))
        else {
            return Ok(());
        };
        self.buffer.clear();
        let peer = SocketAddr::V4(self.facts.peer);
        let content = BytesMut::from(content);
        match endpoint.handle(now, peer, None, ecn, content, &mut self.buffer) {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, quic)) = &mut self.quic {
                    quic.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) => {
                match endpoint.accept(incoming, now, &mut self.buffer, None) {
                    Ok(made) => self.quic = Some(made),
                    Err(fault) => return Err(StackError::new(fault.cause.to_string())),
                }
            }
            Some(DatagramEvent::Response(sent)) => {
                let (own, peer) = (self.facts.own, self.facts.peer);
                answer.packets.push(udp::packet(own, peer, sent.ecn, &self.buffer[..sent.size]));
            }
            None => {}
        }
        Ok(())
    }

    fn call(&mut self, call: Call, now: Instant) -> Result<(), StackError> {
        match call {
            Call::Open => self.open(now)?,
            Call::Write(octets) => self.writer.asked += octets,
            Call::WriteForever => self.writer.asked = u64::MAX,
            Call::Close(octets) => self.writer.close(octets),
        }
        Ok(())
    }

    /// Lets quinn and the application act, until neither has anything to do.
    fn settle(&mut self, now: Instant, answer: &mut Answer) -> Result<(), StackError> {
        while self.drain(now, answer) || self.serve(answer)? {}
        Ok(())
    }

    /// Takes what quinn sends, asks and tells, and runs its timers; true if there was any.
    fn drain(&mut self, now: Instant, answer: &mut Answer) -> bool {
        let (Some(endpoint), Some((handle, quic))) = (&mut self.endpoint, &mut self.quic) else {
            return false;
        };
        let mut has_acted = false;
        if quic.poll_timeout().is_some_and(|at| at <= now) {
            quic.handle_timeout(now);
            has_acted = true;
        }
        while let Some(event) = quic.poll_endpoint_events() {
            if let Some(event) = endpoint.handle_event(*handle, event) {
                quic.handle_event(event);
            }
            has_acted = true;
        }
        self.buffer.clear();
        while let Some(sent) = quic.poll_transmit(now, 1, &mut self.buffer) {
            let (own, peer) = (self.facts.own, self.facts.peer);
            answer.packets.push(udp::packet(own, peer, sent.ecn, &self.buffer[..sent.size]));
            self.buffer.clear();
            has_acted = true;
        }
        let mut is_finished = false;
        while let Some(event) = quic.poll() {
            match event {
                Connected => {
                    answer.events.push(Event::Opened);
                    if self.facts.role == Role::Origin {
                        self.stream = quic.streams().open(Dir::Bi);
                    }
                }
                Stream(StreamEvent::Opened { dir: Dir::Bi }) => {
                    self.stream = quic.streams().accept(Dir::Bi);
                }
                Stream(StreamEvent::Finished { .. }) => is_finished = true,
                ConnectionLost { reason } if !self.is_over => {
                    eprintln!("connection of {}: {reason}", self.facts.flow);
                    self.is_over = true;
                    answer.events.push(Event::Failed);
                }
                _ => {}
            }
            has_acted = true;
        }
        if is_finished {
            self.tell_acked(answer);
            answer.events.push(Event::Closed);
        }
        has_acted
    }

    /// Reads, tells, and writes; true if quinn has got something to do.
    fn serve(&mut self, answer: &mut Answer) -> Result<bool, StackError> {
        self.tell_acked(answer);
        let (Some((_, quic)), Some(id)) = (&mut self.quic, self.stream) else { return Ok(false) };
        if self.is_over {
            return Ok(false);
        }
        let (before, had_ended) = (self.reader.delivered, self.reader.has_ended);
        let has_read = self.reader.read(quic, id)?;
        if self.reader.delivered > before {
            answer.events.push(Event::Delivered(self.reader.delivered));
        }
        if self.reader.has_ended && !had_ended {
            answer.events.push(Event::Ended);
        }
        Ok(self.writer.write(quic, id)? || has_read)
    }

    fn tell_acked(&mut self, answer: &mut Answer) {
        let acked = self.writer.acked();
        if acked > self.told {
            self.told = acked;
            answer.events.push(Event::Acked(acked));
        }
    }

    fn show(&mut self, answer: &mut Answer) {
        let Some((_, quic)) = &self.quic else { return };
        let metrics = quic.congestion_state().metrics();
        let ssthresh =
            metrics.ssthresh.filter(|at| *at < u64::MAX).map_or(f64::NAN, |at| at as f64);
        let values = [metrics.congestion_window as f64, ssthresh, quic.rtt().as_secs_f64()];
        for (place, (value, shown)) in values.into_iter().zip(&mut self.shown).enumerate() {
            if value != *shown && !(value.is_nan() && shown.is_nan()) {
                *shown = value;
                answer.states.push((place, value));
            }
        }
    }
}

impl Stack for End {
    fn turn(&mut self, turn: &Turn<'_>, answer: &mut Answer) -> Result<(), StackError> {
        let now = self.start + Duration::from_nanos((turn.now.picoseconds() / 1000) as u64);
        for packet in turn.arrived {
            self.take(now, packet, answer)?;
            self.settle(now, answer)?;
        }
        self.settle(now, answer)?;
        for call in turn.calls {
            self.call(*call, now)?;
            self.settle(now, answer)?;
        }
        self.show(answer);
        let next = self.quic.as_mut().and_then(|(_, quic)| quic.poll_timeout());
        answer.next =
            next.map(|at| Time::from_picoseconds((at - self.start).as_nanos() as i64 * 1000));
        Ok(())
    }

    fn states(&self) -> Vec<State> {
        [("cwnd", "byte"), ("ssthresh", "byte"), ("rtt", "second")]
            .map(|(name, unit)| State { name: name.to_owned(), unit })
            .into()
    }

    fn name(&self) -> String {
        format!("quinn {:?}", self.law).to_lowercase()
    }

    fn end(&mut self) -> Result<BTreeMap<String, f64>, StackError> {
        Ok(self.quic.as_ref().map_or_else(BTreeMap::new, |(_, quic)| counters(quic)))
    }
}
