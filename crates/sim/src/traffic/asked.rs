//! Requests with content: the client says with each how many bytes the response has, and the server
//! writes so many when the request has arrived whole.
//!
//! Segments carry no octets. So both ends share a list of what was asked for, in the order of the
//! requests, in the place of their content. A server looks at an entry only when the last byte of
//! its request has arrived, so nothing is known before the network has carried it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::application::{Application, Offer};
use super::fetch::ObjectList;
use crate::units::Time;

/// Requests of one flow that its server has not read.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    requests: Arc<Mutex<VecDeque<Request>>>,
    /// Objects that no connection has asked for yet.
    pub(super) objects: ObjectList,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    bytes: u64,
    response: u64,
}

impl Asked {
    /// The requests of a further connection, which takes objects from the same list.
    pub(crate) fn of_further(&self) -> Self {
        Self { requests: Arc::default(), objects: self.objects.clone() }
    }

    /// Adds a request of so many bytes, for a response of so many.
    pub(super) fn ask(&self, bytes: u64, response: u64) {
        self.list().push_back(Request { bytes, response });
    }

    fn list(&self) -> MutexGuard<'_, VecDeque<Request>> {
        // Every change of the list is one call: it is whole after a panic elsewhere.
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end that writes what is asked for.
#[derive(Debug)]
pub struct Server {
    asked: Asked,
    /// Bytes of the requests that were read.
    read: u64,
    /// Bytes to write now.
    due: u64,
}

impl Server {
    pub(super) fn new(asked: &Asked) -> Self {
        Self { asked: asked.clone(), read: 0, due: 0 }
    }
}

impl Application for Server {
    fn on_delivered(&mut self, _now: Time, delivered: u64) {
        let mut asked = self.asked.list();
        let has_arrived = |read: u64, request: &Request| delivered >= read + request.bytes;
        while let Some(request) = asked.front().copied().filter(|one| has_arrived(self.read, one)) {
            asked.pop_front();
            self.read += request.bytes;
            self.due += request.response;
        }
    }

    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        Offer::bytes(std::mem::take(&mut self.due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Responses of 1000 and 20 bytes, each when the last of 300 bytes has come.
    #[test]
    fn a_response_is_written_when_its_request_is_whole() {
        let asked = Asked::default();
        let mut server = Server::new(&asked);
        asked.ask(300, 1000);
        asked.ask(300, 20);
        let written = [0, 299, 300, 599, 600, 900].map(|delivered| {
            server.on_delivered(Time::ZERO, delivered);
            server.poll(Time::ZERO, 0)
        });
        assert_eq!(written, [0, 0, 1000, 0, 20, 0].map(Offer::bytes));
    }
}
