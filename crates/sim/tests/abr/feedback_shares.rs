//! Connections that are told the capacity of a link: their parts of it against max-min shares with
//! minimum rates, worked out by the crate of formulas.

use cellway_theory::rate::max_min::{Claim, max_min};

use super::summary;

/// Sources that always have a cell, with these minimum rates, over a link of so many Mbit/s of cell
/// that has an allocator.
fn delivered(rule: &str, link: &str, minima: &[f64]) -> Vec<f64> {
    let mut text =
        include_str!("feedback.toml").replace("instcap", rule).replace("# capacity", link);
    for (index, mcr) in minima.iter().enumerate() {
        text += &include_str!("feedback_source.toml")
            .replace("NUMBER", &index.to_string())
            .replace("5 ms", &format!("{} ms", 5 + 10 * index))
            .replace("1 Mbit/s", &format!("{mcr} Mbit/s"));
    }
    let summary = summary(&text);
    let rate = |index| summary.flows[&format!("f{index}")].throughput_bits_per_second / 1e6;
    (0..minima.len()).map(rate).collect()
}

/// Data cells are 31 of 32, less the RM cells that return ten times a second for the silent
/// direction of the VC.
fn expected(link: f64, minima: &[f64]) -> Vec<f64> {
    let claim = |&min: &f64| Claim { links: vec![0], min, max: f64::INFINITY, weight: 1.0 };
    let claims: Vec<Claim> = minima.iter().map(claim).collect();
    max_min(&[link], &claims).iter().map(|grant| grant.rate * 31.0 / 32.0 - 10.0 * 424e-6).collect()
}

#[track_caller]
fn assert_shares(rule: &str, link: &str, rate: f64, minima: &[f64]) {
    let found = delivered(rule, link, minima);
    for (found, expected) in found.iter().zip(expected(rate, minima)) {
        assert!((found / expected - 1.0).abs() < 0.004, "{rule} {minima:?}: {found} of {expected}");
    }
}

#[test]
fn parts_are_max_min_shares_with_minimum_rates() {
    for rule in ["instcap", "effcap"] {
        for minima in [&[0.1, 0.1][..], &[0.1, 1.0, 3.0], &[2.0, 0.5, 2.0, 0.5], &[5.0, 0.1]] {
            assert_shares(rule, "", 8.0, minima);
        }
    }
}

/// Half of the rate from the beginning of the measurement on.
#[test]
fn parts_follow_a_capacity_that_falls() {
    let link =
        "capacity.steps.rates = [[\"0 s\", \"8 Mbit/s of cell\"], [\"8 s\", \"5 Mbit/s of cell\"]]";
    for rule in ["instcap", "effcap"] {
        assert_shares(rule, link, 5.0, &[0.1, 1.0, 3.0]);
    }
}
