//! What is not written, and that what is resolved reads back.

use super::scenario;
use cellway_sim::scenario::{Excess, Gfr, NonConforming, Scheduler, Service, Tagging, WfqPlan};
use cellway_sim::units::{Cells, Rate, Span};

fn text(gfr: &str, scheduler: &str) -> String {
    include_str!("keys.toml").replace("\"fifo\"", scheduler).replace("mcr = \"10 kcell/s\"", gfr)
}

/// 9180 bytes of IP, 8 of LLC/SNAP and 8 of the AAL5 trailer are 192 cells.
#[test]
fn what_is_not_written_has_its_default() {
    let scenario = scenario(&text("mcr = \"10 kcell/s\"", "\"wfq\""));
    let expected = Gfr {
        mcr: Rate::from_bits_per_second(4_240_000),
        pcr: None,
        mbs: Cells(384),
        mfs: Cells(192),
        cdvt: Span::from_microseconds(250),
        tagging: Tagging::None,
        non_conforming: NonConforming::Pass,
        z: 1.0,
    };
    assert_eq!(scenario.flows[0].service, Service::Gfr(expected));
    assert_eq!(scenario.switches[0].scheduler, Scheduler::Wfq(WfqPlan { excess: Excess::ByMcr }));
}

#[test]
fn the_resolved_text_reads_back() {
    let services = [
        "mcr = \"10 kcell/s\"",
        "mcr = \"9 Mbit/s of payload\", pcr = \"50 Mbit/s of cell\", mbs = \"64 cell\", mfs = \"32 \
         cell\", cdvt = \"0 s\"",
        "mcr = \"10 kcell/s\", tagging = \"f_gcra\", non_conforming = \"tag\", z = 0.25",
        "mcr = \"10 kcell/s\", tagging.pme = { interval = \"50 ms\", step = 0.05 }, non_conforming \
         = \"discard\"",
    ];
    for gfr in services {
        for scheduler in ["\"fifo\"", "\"wfq\"", "{ wfq = { excess = \"equal\" } }"] {
            let scenario = scenario(&text(gfr, scheduler));
            let written = scenario.to_toml();
            assert_eq!(super::scenario(&written).to_toml(), written);
            assert_eq!(super::scenario(&written).flows, scenario.flows, "{written}");
            assert_eq!(super::scenario(&written).switches, scenario.switches, "{written}");
        }
    }
}
