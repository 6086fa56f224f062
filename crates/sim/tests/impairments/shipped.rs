//! The scenarios that users are given.

use super::{counted, summary};

#[test]
fn a_lossy_satellite_loses_by_both_causes() {
    let summary = summary(include_str!("../../../../scenarios/lossy-satellite.toml"));
    let [errors, fading] =
        ["bit_errors", "gilbert_elliott"].map(|name| counted(&summary, "hop", name));
    assert!(errors.corrupted > 0 && fading.lost > 0, "{errors:?} {fading:?}");
    assert!(summary.vcs["transfer"].frames_broken > 0);
    assert!(summary.flows["transfer"].throughput_bits_per_second > 2e5);
}

#[test]
fn a_download_goes_on_after_each_hand_over() {
    let summary = summary(include_str!("../../../../scenarios/leo-hand-overs.toml"));
    let flow = &summary.flows["download"];
    assert!(counted(&summary, "space", "outages").lost > 0);
    assert!(flow.throughput_bits_per_second > 10e6 && flow.aborted_s.is_none(), "{flow:?}");
    // Twice 15 ms and 22 ms, without queues.
    assert!(flow.rtt.min_s.is_some_and(|rtt| (0.030..0.031).contains(&rtt)), "{flow:?}");
}
