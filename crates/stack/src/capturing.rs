//! Captured packets of a run with a driver: those of its flows with their octets, and those of
//! flows that are simulated beside.

use cellway_sim::capture::PcapNg;
use cellway_sim::pdu::Captured;
use cellway_sim::scenario::Scenario;
use cellway_sim::units::Time;
use cellway_sim::{Continue, RunError};

use crate::capture::Capture;

/// Approximate number of octets that are handed over at a time.
const PIECE: usize = 1 << 16;

/// The file of a capture, piece by piece.
#[derive(Debug)]
pub struct Capturing<'w> {
    capture: Capture<'w>,
    file: PcapNg,
    piece: Vec<u8>,
}

impl<'w> Capturing<'w> {
    /// Begins the file.
    pub fn new(scenario: &Scenario, capture: Capture<'w>) -> Self {
        let file = PcapNg::new(scenario, &capture.points, capture.kept);
        Self { piece: file.head().to_vec(), file, capture }
    }

    /// Adds a packet, with its octets if its driver has sent it.
    pub fn note(&mut self, captured: &Captured, octets: Option<&[u8]>) -> Result<(), RunError> {
        match octets {
            Some(octets) => self.file.octets(captured, octets, &mut self.piece),
            None => self.file.packet(captured, &mut self.piece),
        }
        if self.piece.len() < PIECE { Ok(()) } else { self.hand_over(captured.at) }
    }

    /// Hands over what is left.
    pub fn hand_over(&mut self, at: Time) -> Result<(), RunError> {
        let written = (self.capture.write)(&self.piece);
        self.piece.clear();
        match written {
            Continue::Yes => Ok(()),
            Continue::No => Err(RunError::Cancelled(format!("{} s", at.seconds_f64()))),
        }
    }
}
