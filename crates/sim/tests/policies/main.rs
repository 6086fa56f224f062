//! Drop policies: what table 7 of ATM Forum 98-0405 says of each, what they do to frames, and
//! answers worked by hand.

mod abc;
mod cake;
mod classification;
mod cobalt;
mod codel;
mod dual_pi2;
mod fair_share;
mod fq_codel;
mod fq_rules;
mod frames;
mod language;
mod listed;
mod own_policy;
mod ports;
mod queue;
mod rate_headers;
mod red;
#[path = "../common/running.rs"]
mod running;
mod served;
#[path = "../common/words.rs"]
mod words;

use std::collections::BTreeSet;

use cellway_sim::switch::Policy;
pub(crate) use listed::{
    ROOM, VCS, abc_plan, all, cobalt_plan, dfba, dual_pi2_plan, framewise, instant, pie_plan,
    rcp_plan, stream, xcp_plan,
};
pub(crate) use running::{outcome, scenario, summary};

#[test]
fn every_policy_of_the_language_is_listed() {
    let listed: BTreeSet<String> = all(1).into_iter().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(listed, words::words_of("switch.NAME.drop"));
}

/// One of them.
pub(crate) fn named(name: &str, seed: u64) -> Policy {
    let found = all(seed).into_iter().find(|(of, _)| *of == name);
    found.unwrap_or_else(|| panic!("no policy `{name}`")).1
}
