//! Requests and responses with think times, over one connection.
//!
//! The client, at the host that the flow comes from, writes a request. The server writes the
//! response as soon as the whole request has arrived. When the whole response has arrived, the
//! client thinks and writes the next request. The response time is that from writing a request
//! until the last byte of its response has arrived in order. Both ends use the one connection of
//! the flow: a response acknowledges its request, and ACKs of both directions share the path.
//!
//! The receiver knows the size of a message, as from a header before it: each end draws the sizes
//! of both from the same two random streams.

use super::AnyApplication;
use super::application::{Application, Offer, Writes};
use super::size::{Size, WRITE_SIZE};
use super::source::Site;
use crate::engine::{RandomSpan, Stream};
use crate::language::part::prelude::*;
use crate::units::Time;

part! {
    /// Parameters of requests and responses.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RequestResponsePlan {
        /// Bytes of a request.
        request: Size = required("\"300 B\"") as WRITE_SIZE,
        /// Bytes of a response.
        response: Size = required("{ lognormal = { median = \"10 kB\" } }") as WRITE_SIZE,
        /// Time from the arrival of a response to the next request.
        think: RandomSpan = default("0 s", "{ exponential = { mean = \"1 s\" } }"),
        /// Number of requests.
        transactions: Option<u64> = absent("until the flow stops", "100")
            as Kind::Integer { min: 1, max: 1_000_000_000 },
    }
}

impl Writes for RequestResponsePlan {
    type Application = Box<Client>;

    fn application(&self, site: &Site<'_>) -> Box<Client> {
        Box::new(Client {
            requests: Messages::new(&self.request, (site.stream)("requests")),
            responses: Messages::new(&self.response, (site.stream)("responses")),
            think: self.think,
            thinking: (site.stream)("think times"),
            left: self.transactions,
            state: State::Thinking(site.start),
            completed: None,
        })
    }

    fn has_responses(&self) -> bool {
        true
    }

    fn responder(&self, site: &Site<'_>) -> Option<AnyApplication> {
        let responder = Responder {
            requests: Messages::new(&self.request, (site.stream)("requests")),
            responses: Messages::new(&self.response, (site.stream)("responses")),
            due: 0,
        };
        Some(AnyApplication::Responder(Box::new(responder)))
    }
}

/// Messages of one direction, which follow each other without gaps.
#[derive(Debug)]
struct Messages {
    size: Size,
    stream: Stream,
    /// Bytes up to the end of the present message.
    end: u64,
}

impl Messages {
    fn new(size: &Size, stream: Stream) -> Self {
        Self { size: size.clone(), stream, end: 0 }
    }

    /// Goes on to the next message; returns its size.
    fn next(&mut self) -> u64 {
        let size = self.size.draw(&mut self.stream);
        self.end += size;
        size
    }
}

/// The application that writes requests.
#[derive(Debug)]
pub struct Client {
    requests: Messages,
    responses: Messages,
    think: RandomSpan,
    thinking: Stream,
    /// Requests that are still to be written; `None` for no limit.
    left: Option<u64>,
    state: State,
    /// The instant at which the request was written whose response has just arrived.
    completed: Option<Time>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// The client thinks until this instant, at which it writes the next request.
    Thinking(Time),
    /// The client has waited since this instant, at which it wrote the request.
    Waiting(Time),
    /// No request is left.
    Done,
}

impl Client {
    fn after_response(&mut self, now: Time) -> State {
        if self.left == Some(0) {
            return State::Done;
        }
        State::Thinking(now.saturating_add(self.think.draw(&mut self.thinking)))
    }
}

impl Application for Box<Client> {
    fn on_delivered(&mut self, now: Time, delivered: u64) {
        let State::Waiting(since) = self.state else { return };
        if delivered >= self.responses.end {
            self.completed = Some(since);
            self.state = self.after_response(now);
        }
    }

    fn poll(&mut self, now: Time, _acked: u64) -> Offer {
        let State::Thinking(until) = self.state else { return Offer::NOTHING };
        if now < until {
            return Offer::NOTHING.and_again_at(until);
        }
        self.left = self.left.map(|left| left - 1);
        self.responses.next();
        self.state = State::Waiting(now);
        Offer::bytes(self.requests.next())
    }

    fn is_through(&self, _acked: u64) -> bool {
        self.state == State::Done
    }

    fn take_completed(&mut self) -> Option<Time> {
        self.completed.take()
    }
}

/// The application at the other end, which writes responses.
#[derive(Debug)]
pub struct Responder {
    requests: Messages,
    responses: Messages,
    /// Bytes to write now.
    due: u64,
}

impl Application for Responder {
    fn on_delivered(&mut self, _now: Time, delivered: u64) {
        if self.requests.end == 0 {
            self.requests.next();
        }
        while delivered >= self.requests.end {
            self.due += self.responses.next();
            self.requests.next();
        }
    }

    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        Offer::bytes(std::mem::take(&mut self.due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Bytes, Span};

    fn at(milliseconds: i64) -> Time {
        Time::ZERO + Span::from_milliseconds(milliseconds)
    }

    /// Two transactions of 300 and 1000 bytes with 50 ms of thinking between them, by hand.
    #[test]
    fn a_request_is_written_when_its_client_has_thought() {
        let plan = RequestResponsePlan {
            request: Size::Fixed(Bytes(300)),
            response: Size::Fixed(Bytes(1000)),
            think: RandomSpan::Fixed(Span::from_milliseconds(50)),
            transactions: Some(2),
        };
        let site = Site::bare(at(10), Time::MAX);
        let mut client = plan.application(&site);
        let mut server = plan.responder(&site).expect("there is one");
        assert_eq!(client.poll(at(10), 0), Offer::bytes(300));
        server.on_delivered(at(12), 299);
        assert_eq!(server.poll(at(12), 0), Offer::NOTHING);
        server.on_delivered(at(14), 300);
        assert_eq!(server.poll(at(14), 0), Offer::bytes(1000));
        client.on_delivered(at(20), 999);
        assert_eq!((client.take_completed(), client.poll(at(20), 300)), (None, Offer::NOTHING));
        client.on_delivered(at(21), 1000);
        assert_eq!(client.take_completed(), Some(at(10)));
        assert_eq!(client.poll(at(21), 300), Offer::NOTHING.and_again_at(at(71)));
        assert_eq!(client.poll(at(71), 300), Offer::bytes(300));
        assert!(!client.is_through(600));
        client.on_delivered(at(90), 2000);
        assert_eq!((client.take_completed(), client.is_through(600)), (Some(at(71)), true));
    }
}
