//! Objects of a page over several connections, each of which requests the next object when its last
//! one is complete, as browsers do with HTTP/1.1 (RFC 9112 §9.3 and 9.4).
//!
//! The ends of these connections at the client share a list: the first one, which has the HTML,
//! fills it, and all of them take objects from it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::application::{Application, Offer};
use super::asked::Asked;
use crate::units::Time;

/// Objects of the page that is loaded.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectList(Arc<Mutex<Objects>>);

#[derive(Debug, Default)]
struct Objects {
    /// Objects that wait: bytes of the request and of the object.
    waiting: VecDeque<[u64; 2]>,
    /// Objects that were requested and have not arrived whole.
    under_way: u64,
    /// Objects that were requested, of all pages.
    requested: u64,
}

impl ObjectList {
    fn list(&self) -> MutexGuard<'_, Objects> {
        // Every change of the list is one call: it is whole after a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an object with its request.
    pub(super) fn add(&self, request: u64, object: u64) {
        self.list().waiting.push_back([request, object]);
    }

    fn take(&self) -> Option<[u64; 2]> {
        let mut list = self.list();
        let next = list.waiting.pop_front()?;
        list.under_way += 1;
        list.requested += 1;
        Some(next)
    }

    fn has_waiting(&self) -> bool {
        !self.list().waiting.is_empty()
    }

    /// True if all objects of the page have arrived.
    pub(super) fn is_empty(&self) -> bool {
        let list = self.list();
        list.waiting.is_empty() && list.under_way == 0
    }

    /// Objects that were requested so far.
    pub(super) fn requested(&self) -> u64 {
        self.list().requested
    }
}

/// The end of a connection that requests one object after the other.
#[derive(Debug)]
pub struct Fetcher {
    asked: Asked,
    /// Bytes of all that was asked for.
    end: u64,
    /// True while an object is on its way.
    is_busy: bool,
}

impl Fetcher {
    pub(crate) fn new(asked: &Asked) -> Self {
        Self { asked: asked.clone(), end: 0, is_busy: false }
    }

    /// Adds bytes that were asked for otherwise.
    pub(super) fn expect(&mut self, bytes: u64) {
        self.end += bytes;
    }

    /// Bytes of all that was asked for.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Bytes of the request of the next object, which is taken; zero if none waits or one is on its
    /// way.
    pub(super) fn next(&mut self) -> u64 {
        if self.is_busy {
            return 0;
        }
        let Some([request, object]) = self.asked.objects.take() else { return 0 };
        self.asked.ask(request, object);
        self.end += object;
        self.is_busy = true;
        request
    }
}

impl Application for Fetcher {
    fn on_delivered(&mut self, _now: Time, delivered: u64) {
        if self.is_busy && delivered >= self.end {
            self.is_busy = false;
            self.asked.objects.list().under_way -= 1;
        }
    }

    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        Offer::bytes(self.next())
    }

    fn is_wanted(&self) -> bool {
        !self.is_busy && self.asked.objects.has_waiting()
    }
}
