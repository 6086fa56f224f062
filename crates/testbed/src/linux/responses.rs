//! Responses of a flow: the simulator's own server writes them at the receiving end, when a request
//! has arrived in order, and the times until they have arrived are counted.

use std::io;

use cellway_sim::result::{DelayDistribution, TransactionCounters, Window};
use cellway_sim::traffic::AnyApplication;
use cellway_sim::units::Time;

use super::ends::Ends;
use super::writer::Writer;

/// Responses of one flow.
#[derive(Debug)]
pub(super) struct Responses {
    writer: Writer,
    times: DelayDistribution,
}

impl Responses {
    /// Takes the server of a flow, whose response times are counted in this window.
    pub(super) fn new(server: AnyApplication, window: Window) -> Self {
        Self { writer: Writer::of_responses(server), times: DelayDistribution::new(window) }
    }

    /// Asks the server, to which the client has written `sent` bytes, and writes as much as there
    /// is room for.
    pub(super) fn turn(&mut self, now: Time, ends: &Ends, sent: u64) -> io::Result<()> {
        let Some(outlet) = ends.outlet_of_responses()? else { return Ok(()) };
        self.writer.turn(now, outlet, sent).map(drop)
    }

    /// True if there was no room for all that is written.
    pub(super) fn waits_for_room(&self) -> bool {
        self.writer.waits_for_room()
    }

    /// Writes as much as there is room for.
    pub(super) fn fill(&mut self, ends: &Ends) -> io::Result<()> {
        ends.outlet_of_responses()?.map_or(Ok(()), |outlet| self.writer.fill(outlet))
    }

    /// Bytes that the server's kernel has.
    pub(super) fn taken(&self) -> u64 {
        self.writer.taken()
    }

    /// Counts the time of a response, if one has `completed`: the instant of its request.
    pub(super) fn note(&mut self, completed: Option<Time>, now: Time) {
        if let Some(since) = completed {
            self.times.note(since, now);
        }
    }

    /// Counters of the client.
    pub(super) fn counters(&self, ends: &Ends) -> io::Result<TransactionCounters> {
        // The kernel counts a FIN as a byte.
        let response_bytes = ends.outlet().info()?.bytes_received.min(self.taken());
        Ok(TransactionCounters { response_bytes, times: self.times.summary() })
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread;
    use std::time::Duration;

    use cellway_sim::scenario::{Scenario, Source};
    use cellway_sim::traffic::Asked;
    use cellway_sim::units::Span;

    use super::super::ends::BLOCK;
    use super::super::ends::tests::ends_with_responses;
    use super::*;

    /// Two requests whose responses are larger than the buffers of this host, a millisecond of
    /// computed time after the other.
    const TEXT: &str = r#"
        run = { duration = "100 s" }
        host = { a = {}, b = {} }
        link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
        [flow.web]
        from = "a"
        to = "b"
        tcp = {}
        [flow.web.traffic.request_response]
        request = "300 B"
        response = "16 MB"
        think = "1 ms"
        transactions = 2
    "#;

    #[test]
    fn a_response_goes_on_when_there_is_room() {
        let scenario = Scenario::parse(Source { origin: "wire", text: TEXT }, &[]).expect("parsed");
        let flow = &scenario.flows[0];
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        listener.set_nonblocking(true).expect("it is open");
        let ends = ends_with_responses(&listener);
        let window = Window { from: Time::ZERO, until: Time::MAX };
        let asked = Asked::default();
        let server = scenario.responder_of(flow, &asked).expect("it has responses");
        let mut responses = Responses::new(server, window);
        let client = scenario.application_of(flow, &asked).expect("it writes");
        let mut client = Writer::new(client, Time::MAX);
        ends.connect(false).expect("it connects");
        client.start(Time::ZERO, ends.outlet()).expect("it is open");
        let (mut now, mut has_waited, mut block) = (Time::ZERO, false, vec![0; BLOCK]);
        while client.finished_at().is_none() && now < Time::ZERO + Span::from_seconds(20) {
            now += Span::from_milliseconds(1);
            let completed = client.turn(now, ends.outlet(), responses.taken()).expect("it is open");
            responses.note(completed, now);
            responses.turn(now, &ends, client.taken()).expect("it is open");
            has_waited |= responses.waits_for_room();
            ends.readings().for_each(|reading| reading.take(&mut block));
            responses.fill(&ends).expect("it is open");
            thread::sleep(Duration::from_micros(100));
        }
        assert!(has_waited, "all of it had room");
        let found = responses.counters(&ends).expect("it is open");
        assert_eq!((found.times.samples, found.response_bytes), (2, 32_000_000));
        assert_eq!((client.taken(), ends.read_bytes()), (600, 600));
        ends.require_open().expect("it is open");
    }
}
