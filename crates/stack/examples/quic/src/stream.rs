//! The application's stream: octet `i` is `i mod 251`, and what is acknowledged is counted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use cellway_stack::StackError;
use quinn_proto::{Connection, FinishError, ReadError, StreamId, WriteError};

/// Number of octets after which a stream repeats.
const PERIOD: u64 = 251;
/// Octets of a piece, which is the finest that acknowledgements are told in.
const PIECE: u64 = 1000;

/// What the application writes, and how much of it the other end has.
///
/// quinn tells when all octets of a stream are acknowledged, and no number before. But it lets go
/// of a piece that was written when all of it is acknowledged, in order, and that is seen here.
#[derive(Default)]
pub(crate) struct Writer {
    /// Length of the stream as far as it is known, and if it ends there.
    pub(crate) asked: u64,
    pub(crate) is_last: bool,
    pub(crate) written: u64,
    /// Part of a piece that there was no room for.
    rest: Bytes,
    is_finished: bool,
    released: Arc<Mutex<u64>>,
}

/// A piece of the stream, which counts its octets when it is let go of.
struct Piece {
    octets: Vec<u8>,
    released: Arc<Mutex<u64>>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.octets
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        *self.released.lock().expect("no thread has failed") += self.octets.len() as u64;
    }
}

impl Writer {
    /// Ends the stream behind so many octets, or behind those that are written.
    pub(crate) fn close(&mut self, octets: u64) {
        let made = self.written + self.rest.len() as u64;
        (self.asked, self.is_last) = (octets.max(made), true);
    }

    /// Octets of the stream that have arrived.
    pub(crate) fn acked(&self) -> u64 {
        *self.released.lock().expect("no thread has failed")
    }

    /// Writes what there is room for, and ends the stream; true if it did anything.
    pub(crate) fn write(
        &mut self,
        quic: &mut Connection,
        id: StreamId,
    ) -> Result<bool, StackError> {
        let before = self.written;
        let mut stream = quic.send_stream(id);
        while self.written < self.asked {
            if self.rest.is_empty() {
                let length = PIECE.min(self.asked - self.written);
                let octets =
                    (self.written..self.written + length).map(|place| (place % PERIOD) as u8);
                let (octets, released) = (octets.collect(), Arc::clone(&self.released));
                self.rest = Bytes::from_owner(Piece { octets, released });
            }
            match stream.write_chunks(std::slice::from_mut(&mut self.rest)) {
                Ok(written) => self.written += written.bytes as u64,
                Err(WriteError::Blocked) => break,
                Err(fault) => return Err(StackError::new(fault.to_string())),
            }
        }
        if self.is_last && !self.is_finished && self.written == self.asked {
            self.is_finished = true;
            return match stream.finish() {
                Ok(()) | Err(FinishError::Stopped(_)) => Ok(true),
                Err(fault) => Err(StackError::new(fault.to_string())),
            };
        }
        Ok(self.written > before)
    }
}

/// What the application reads.
#[derive(Default)]
pub(crate) struct Reader {
    pub(crate) delivered: u64,
    pub(crate) has_ended: bool,
}

impl Reader {
    /// Reads what has arrived in order, and checks it; true if quinn has to tell its peer.
    pub(crate) fn read(&mut self, quic: &mut Connection, id: StreamId) -> Result<bool, StackError> {
        if self.has_ended {
            return Ok(false);
        }
        let mut stream = quic.recv_stream(id);
        let Ok(mut chunks) = stream.read(true) else { return Ok(false) };
        loop {
            match chunks.next(usize::MAX) {
                Ok(Some(chunk)) => {
                    let mut pairs = chunk.bytes.iter().zip(self.delivered..);
                    if !pairs.all(|(octet, place)| u64::from(*octet) == place % PERIOD) {
                        let from = self.delivered;
                        return Err(StackError::new(format!("wrong octets behind octet {from}")));
                    }
                    self.delivered += chunk.bytes.len() as u64;
                }
                Ok(None) => {
                    self.has_ended = true;
                    break;
                }
                Err(ReadError::Blocked) => break,
                Err(fault) => return Err(StackError::new(fault.to_string())),
            }
        }
        Ok(chunks.finalize().should_transmit())
    }
}

/// Counters of the connection, by name.
pub(crate) fn counters(quic: &Connection) -> BTreeMap<String, f64> {
    let path = quic.stats().path;
    let counts = [
        ("packets_sent", path.sent_packets),
        ("packets_lost", path.lost_packets),
        ("congestion_events", path.congestion_events),
    ];
    counts.map(|(name, count)| (name.to_owned(), count as f64)).into()
}
