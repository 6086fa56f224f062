//! Losses by number: the n-th data segment, packet back or cell of a flow is lost.
//!
//! Numbers begin at 1 and count what is sent on this link, each transmission separately: the
//! retransmission of a segment has a number of its own. On the link in its other direction nothing
//! is counted: data segments pass one way, packets back the other.
//!
//! On a link of cells a segment is lost by a wrong bit in the last cell of its frame, so that AAL5
//! discards this frame and no other. A lost last cell would spoil the next frame, too; `cells` can
//! name one.

use std::cmp::Ordering;

use super::plan::{Entry, ImpairmentPlan, Site};
use super::{CellRun, Fate, Impairment, Sent};
use crate::language::part::prelude::*;

/// Losses by number, flow by flow.
#[derive(Clone, Debug, PartialEq)]
pub struct Script(pub Vec<FlowScript>);

part! {
    /// Losses of one flow.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FlowScript {
        /// Name of the flow.
        name: String = name,
        /// Data segments that are lost, by number; each transmission counts.
        segments: Vec<u64> = or_default("no segment is lost", "[3, 7]") as NUMBERS,
        /// Packets back (acknowledgements) that are lost, by number.
        acks: Vec<u64> = or_default("no packet back is lost", "[1]") as NUMBERS,
        /// Cells of the data's VC that are lost, by number.
        cells: Vec<u64> = or_default("no single cell is lost", "[32]") as NUMBERS,
    }
    finish FlowScript::checked;
}

const NUMBERS: Kind = Kind::Integers { min: 1, max: 1_000_000_000 };

impl FlowScript {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        if [&self.segments, &self.acks, &self.cells].iter().any(|numbers| !numbers.is_empty()) {
            return Ok(self);
        }
        let message = format!(
            "`{}` loses nothing; expected `segments`, `acks` or `cells` with numbers",
            section.place()
        );
        Err(Fault::new(section.at(), message))
    }
}

impl Entry for Script {
    const KIND: Kind = Kind::Named(FlowScript::KEYS);

    fn read(section: &Section<'_>, key: &str) -> Result<Option<Self>, Fault> {
        let flows = section.named(key, <FlowScript as Part>::read_whole)?;
        Ok((!flows.is_empty()).then_some(Self(flows)))
    }

    fn write(&self) -> String {
        let flows = self.0.iter().map(|flow| {
            let mut entries = Entries::new();
            <FlowScript as Part>::write(flow, &mut entries);
            format!("\"{}\" = {}", flow.name, inline(&entries))
        });
        format!("{{ {} }}", flows.collect::<Vec<_>>().join(", "))
    }
}

/// The frames of a flow that take one direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passing {
    /// The [direction](crate::pdu::Frame::direction) of these frames.
    pub direction: u32,
    /// True if these frames are the flow's data.
    pub is_data: bool,
    /// True if a transport also sends segments without data in the direction of the data.
    pub has_transport: bool,
    /// The VC of its cells, if no other flow uses it.
    pub vc: Option<u32>,
}

impl ImpairmentPlan for Script {
    fn is_random(&self) -> bool {
        false
    }

    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        let is_of_cells = site.transmission.is_of_cells();
        let passing = self.0.iter().filter_map(|flow| Some((flow, (site.flow)(&flow.name)?)));
        let lines = passing.map(|(flow, passing)| Line {
            passing,
            packets: Numbers::new(if passing.is_data { &flow.segments } else { &flow.acks }),
            cells: Numbers::new(if passing.is_data { &flow.cells } else { &[] }),
        });
        Box::new(Scripted { lines: lines.collect(), is_of_cells })
    }
}

/// Scripted losses of one direction of a link.
#[derive(Debug)]
struct Scripted {
    lines: Vec<Line>,
    is_of_cells: bool,
}

/// Counts of one flow in this direction, and the numbers to lose.
#[derive(Debug)]
struct Line {
    passing: Passing,
    packets: Numbers,
    cells: Numbers,
}

/// Numbers to lose that are still to come, in falling order.
#[derive(Debug)]
struct Numbers {
    counted: u64,
    awaited: Vec<u64>,
}

impl Numbers {
    fn new(numbers: &[u64]) -> Self {
        Self { counted: 0, awaited: numbers.iter().rev().copied().collect() }
    }

    /// True if none is to come.
    fn is_over(&self) -> bool {
        self.awaited.is_empty()
    }

    /// Counts one more; true if its number is to be lost.
    fn has_next(&mut self) -> bool {
        self.counted += 1;
        let next = self.awaited.last().map(|next| self.counted.cmp(next));
        if next == Some(Ordering::Equal) {
            self.awaited.pop();
        }
        next == Some(Ordering::Equal)
    }
}

impl Line {
    fn judge(&mut self, unit: &Sent<'_>, is_of_cells: bool) -> Fate {
        let Passing { direction, is_data, has_transport, vc } = self.passing;
        if is_of_cells && vc == Some(unit.head.vc()) && self.cells.has_next() {
            return Fate::Lost;
        }
        let is_counted = unit.frame.is_some_and(|frame| {
            let is_segment = !is_data || !has_transport || frame.segment.len > 0;
            frame.direction == direction && is_segment
        });
        match is_counted && self.packets.has_next() {
            true if is_of_cells => Fate::Corrupted,
            true => Fate::Lost,
            false => Fate::Delivered,
        }
    }
}

impl Impairment for Scripted {
    fn name(&self) -> &'static str {
        "script"
    }

    fn judge(&mut self, unit: &Sent<'_>) -> Fate {
        let fates = self.lines.iter_mut().map(|line| line.judge(unit, self.is_of_cells));
        // A unit belongs to one flow.
        fates.fold(Fate::Delivered, |fate, next| if next == Fate::Delivered { fate } else { next })
    }

    fn keeps_time(&self) -> bool {
        true
    }

    /// Cells that end no frame count only where single cells are still to be lost; nothing counts
    /// once all is lost.
    fn delivers_all(&mut self, cell_run: &CellRun) -> bool {
        self.lines
            .iter()
            .all(|line| line.cells.is_over() && (cell_run.ends == 0 || line.packets.is_over()))
    }
}
