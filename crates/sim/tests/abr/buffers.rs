//! The segmentation buffer of a source: what back-pressure keeps out of it, and what becomes of a
//! frame that does not fit.

use cellway_sim::result::Summary;

use super::summary;

/// One TCP over ABR through a DS-3: its window of 2731 cells waits at the source, 192 cells a
/// frame.
const END_TO_END: &str = include_str!("end_to_end.toml");

fn with_start(buffer: &str) -> Summary {
    summary(&END_TO_END.replace(", warm_up = \"1 s\"", "").replace("\"infinite\"", buffer))
}

fn with(buffer: &str) -> Summary {
    summary(&END_TO_END.replace("\"infinite\"", buffer))
}

#[test]
fn back_pressure_keeps_the_data_with_the_application() {
    let [free, pressed] = ["\"infinite\"", "{ back_pressure = \"300 cell\" }"].map(with);
    let abr = |summary: &Summary| summary.vcs["bulk"].abr.expect("an ABR circuit");
    assert!(
        abr(&free).max_queue > 2000,
        "the window waits at the source: {}",
        abr(&free).max_queue
    );
    // A frame is handed over while fewer than 300 cells wait.
    assert!(abr(&pressed).max_queue <= 299 + 192, "{}", abr(&pressed).max_queue);
    assert_eq!((abr(&pressed).dropped, pressed.flows["bulk"].timeouts), (0, 0));
    let [free, pressed] =
        [&free, &pressed].map(|summary| summary.flows["bulk"].throughput_bits_per_second);
    assert!((pressed / free - 1.0).abs() < 0.001, "nothing is lost by it: {pressed} for {free}");
}

/// Cells that find the buffer full are lost one by one: what is left of a frame arrives and is
/// found broken.
#[test]
fn what_does_not_fit_leaves_an_incomplete_frame() {
    // The slow start at the beginning is what overflows it.
    let summary = with_start("{ tail = \"1000 cell\" }");
    let vc = &summary.vcs["bulk"];
    assert!(vc.abr.expect("an ABR circuit").max_queue == 1000, "cell by cell, up to the last");
    assert!(vc.dropped > 0 && vc.frames_broken > 0);
    assert_eq!(vc.sent, vc.delivered + vc.dropped + vc.inside);
    assert!(summary.flows["bulk"].retransmitted_segments > 0);
}

/// A frame that does not fit is discarded whole: none arrives broken, and the buffer keeps room for
/// less than a frame.
#[test]
fn what_does_not_fit_may_be_whole_frames() {
    let summary = with_start("{ frames = \"1000 cell\" }");
    let vc = &summary.vcs["bulk"];
    let longest = vc.abr.expect("an ABR circuit").max_queue;
    assert!((1000 - 192..=1000).contains(&longest), "{longest}");
    assert!(
        vc.dropped > 0 && vc.dropped.is_multiple_of(192),
        "whole frames of 192 cells: {}",
        vc.dropped
    );
    assert_eq!((vc.frames_broken, vc.sent), (0, vc.delivered + vc.dropped + vc.inside));
}
