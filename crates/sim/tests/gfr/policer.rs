//! The first switch of a GFR VC.

use super::summary;
use cellway_sim::result::{GfrSummary, Summary};

/// One segment of 9140 bytes is a frame of 192 cells. Two senders share a link of 100 kcell/s;
/// `services` are theirs, and `windows`.
fn two(services: [&str; 2], windows: [&str; 2], switch: &str) -> String {
    let text = include_str!("policer.toml").replace("# keys", switch);
    let text = text.replace("\"first\"", services[0]).replace("\"second\"", services[1]);
    text.replace("1 B", windows[0]).replace("2 B", windows[1])
}

const IDLE: &str = "9140 B";
const INFINITE: &str = "";

fn gfr(summary: &Summary, vc: &str) -> GfrSummary {
    summary.vcs[vc].gfr.unwrap_or_else(|| panic!("`{vc}` is policed"))
}

/// GFR.1: without tags nothing at the edge changes anything that anybody sees.
#[test]
fn a_network_that_does_not_tag_is_one_of_ubr() {
    let plain = "{ gfr = { mcr = \"100 cell/s\" } }";
    let switch = "buffer = { per_port = \"1000 cell\" }\ndrop = { epd = { threshold = 0.8 } }";
    let run = |service| summary(&two([service; 2], ["200 KiB"; 2], switch));
    let [ubr, mut policed] = ["\"ubr\"", plain].map(run);
    assert!(ubr.ports["near.trunk"].drops.early_frame > 0, "something happens");
    let seen = gfr(&policed, "one");
    assert!(seen.frames > 0 && seen.eligible_frames < seen.frames, "{seen:?}");
    assert_eq!((seen.tagged_frames, seen.non_conforming_cells, seen.dropped), (0, 0, 0));
    assert!(gfr(&policed, "one back").frames > 0, "each direction at its own first switch");
    for vc in policed.vcs.values_mut() {
        vc.gfr = None;
    }
    policed.ports.values_mut().for_each(|port| port.vcs.clear());
    assert_eq!(ubr, policed);
}

/// Four frames in each round trip, alone on the link: some 30 kcell/s, always more than its MCR of
/// 15. Then the bucket of F-GCRA, which only eligible cells fill, is never empty, and they come at
/// MCR: 30 000 cells in 2 s, and at most the bucket more or less, which is the MBS of two frames
/// and the frame that goes beyond it.
#[test]
fn eligible_frames_come_at_the_minimum_rate() {
    for tagging in ["none", "f_gcra"] {
        let service = format!("{{ gfr = {{ mcr = \"15 kcell/s\", tagging = \"{tagging}\" }} }}");
        let summary = summary(&two([&service, "\"ubr\""], ["36560 B", IDLE], INFINITE));
        let seen = gfr(&summary, "one");
        let eligible = 192 * seen.eligible_frames;
        assert!(192 * seen.frames > 40_000, "{seen:?}");
        assert!(eligible.abs_diff(30_000) <= 3 * 192, "{seen:?}");
        let tagged = if tagging == "none" { 0 } else { seen.frames - seen.eligible_frames };
        assert_eq!((seen.tagged_frames, seen.non_conforming_cells), (tagged, 0));
    }
}

/// Three frames in each round trip of at least 14 ms are 41 kcell/s at most.
#[test]
fn a_source_within_its_minimum_rate_is_always_eligible() {
    let service = "{ gfr = { mcr = \"42 kcell/s\", mbs = \"576 cell\", tagging = \"f_gcra\" } }";
    let summary = summary(&two([service, "\"ubr\""], ["27420 B", IDLE], INFINITE));
    let seen = gfr(&summary, "one");
    assert!(seen.frames > 200, "{seen:?}");
    assert_eq!((seen.eligible_frames, seen.tagged_frames), (seen.frames, 0));
}

/// The promise: whoever keeps to MCR loses nothing where tagged frames go first, however hard the
/// other one pushes.
#[test]
fn tagged_frames_make_room_for_the_others() {
    let modest = "{ gfr = { mcr = \"42 kcell/s\", mbs = \"576 cell\", tagging = \"f_gcra\" } }";
    let pushing = "{ gfr = { mcr = \"1 kcell/s\", tagging = \"f_gcra\" } }";
    let switch =
        "buffer = { per_port = \"3000 cell\" }\ndrop = { priority = { low = 0.3, high = 1.0 } }";
    let summary = summary(&two([modest, pushing], ["27420 B", "1 MiB"], switch));
    assert_eq!(summary.vcs["one"].dropped, 0);
    assert!(summary.vcs["two"].dropped > 1000, "{:?}", summary.vcs["two"]);
    assert!(gfr(&summary, "two").tagged_frames > 0);
}

/// Alone on the link: below its target everything comes to be marked, above it nothing.
#[test]
fn the_marker_finds_out_who_needs_marks() {
    let service = |mcr: u32| {
        format!(
            "{{ gfr = {{ mcr = \"{mcr} kcell/s\", tagging.pme = {{ interval = \"50 ms\", step = \
             0.2 }} }} }}"
        )
    };
    for (mcr, probability) in [(80, 1.0), (10, 0.0)] {
        let summary = summary(&two([&service(mcr), "\"ubr\""], ["36560 B", IDLE], INFINITE));
        let seen = gfr(&summary, "one");
        let found = seen.mark_probability.expect("marked by PME");
        assert!((found - probability).abs() < 1e-12, "{seen:?}");
        let tagged = if probability > 0.5 { 0 } else { seen.frames };
        assert_eq!(seen.tagged_frames, tagged, "{seen:?}");
    }
}

/// Cells come at the rate of the link, twice PCR: with a tolerance of 250 us, which is
/// `1 + 250/(20 - 10)` = 26 cells, the first ones of each frame conform and the frame is cut there.
/// Its last cell still comes, and no frame arrives whole.
#[test]
fn frames_above_the_peak_rate_are_cut_where_they_do_not_conform() {
    let service =
        "{ gfr = { mcr = \"1 kcell/s\", pcr = \"50 kcell/s\", non_conforming = \"discard\" } }";
    let summary = summary(
        &two([service, "\"ubr\""], [IDLE, IDLE], INFINITE)
            .replace("duration = \"4 s\", warm_up = \"2 s\"", "duration = \"60 s\""),
    );
    let (vc, seen) = (summary.vcs["one"], gfr(&summary, "one"));
    assert!(seen.frames > 1);
    assert_eq!((vc.frames_delivered, vc.frames_broken), (0, seen.frames));
    assert_eq!((vc.dropped, seen.dropped), (seen.frames * (192 - 26 - 1), seen.dropped));
    assert_eq!(summary.flows["one"].acked_bytes, 0);
}
