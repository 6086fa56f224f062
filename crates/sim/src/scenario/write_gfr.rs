//! The guaranteed frame rate service and the scheduler as text that reads back to the same.

use std::fmt::{self, Write};

use super::resolved::{Gfr, Scheduler, Tagging};
use super::write::layered;
use crate::units::Layer;

pub(super) fn write_gfr(out: &mut String, gfr: &Gfr) -> fmt::Result {
    let of_cell = |rate| layered(rate, Layer::Cell);
    let pcr = gfr.pcr.map(|pcr| format!("pcr = \"{}\", ", of_cell(pcr))).unwrap_or_default();
    let tagging = match gfr.tagging {
        Tagging::None => "\"none\"".to_owned(),
        Tagging::FGcra => "\"f_gcra\"".to_owned(),
        Tagging::Pme { interval, step } => {
            format!("{{ pme = {{ interval = \"{interval}\", step = {step} }} }}")
        }
    };
    writeln!(
        out,
        "service = {{ gfr = {{ mcr = \"{}\", {pcr}mbs = \"{}\", mfs = \"{}\", cdvt = \"{}\", tagging = {tagging}, \
         non_conforming = \"{}\", z = {} }} }}",
        of_cell(gfr.mcr),
        gfr.mbs,
        gfr.mfs,
        gfr.cdvt,
        gfr.non_conforming.word(),
        gfr.z
    )
}

pub(super) fn write_scheduler(out: &mut String, scheduler: Scheduler) -> fmt::Result {
    match scheduler {
        Scheduler::Fifo => writeln!(out, "scheduler = \"fifo\""),
        Scheduler::Wfq { excess } => {
            writeln!(out, "scheduler = {{ wfq = {{ excess = \"{}\" }} }}", excess.word())
        }
    }
}
