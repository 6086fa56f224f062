//! Properties of every run, over random networks: the same run twice is the same, also with pauses
//! at random instants, a longer one begins like it, and nobody who looks changes anything.
//! Conservation, leg by leg, is asserted by every run itself.
//!
//! The networks are those of the first numbers that give a valid scenario: 200 of them, or as many
//! as `RANDOM_NETWORKS` says, from `FIRST_NETWORK` on. Cells that travel in trains arrive as they
//! do one by one: over those networks, and over `RANDOM_PATHS` paths on which most cells are in
//! trains, and as many crowds. Turns as long as links allow give the results of short ones, and
//! parts of a switch those of the whole.

mod books;
mod crowds;
mod dice;
mod lists;
mod network;
mod parts;
mod paths;
mod properties;
mod proxies;
mod relays;
mod services;
mod trains;
#[path = "../common/words.rs"]
mod words;

use std::io::Write;
use std::panic::catch_unwind;
use std::thread;

use network::Network;
use properties::{Tally, check};

/// Most failures that are told at length.
const TOLD: usize = 2;
/// One number of so many, at most, may give no valid scenario.
const VALID_FOR_ONE_INVALID: u64 = 10;
/// So many networks have something of everything.
const ENOUGH: u64 = 100;

#[test]
fn random_networks_keep_their_books_whoever_looks_and_however_long() {
    let (first, wanted) = (number("FIRST_NETWORK", 0), number("RANDOM_NETWORKS", 200));
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get() as u64).min(wanted);
    let shares: Vec<Tally> = thread::scope(|scope| {
        let started: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(move || networks(first + worker, workers, wanted)))
            .collect();
        started.into_iter().map(|share| share.join().expect("failures are caught below")).collect()
    });
    let tally = shares.into_iter().fold(Tally::default(), Tally::with);
    // Not captured: how many networks there were is the point of running more of them.
    let _ = writeln!(std::io::stdout(), "{tally}");
    assert!(tally.failures.is_empty(), "{}", tally.told(TOLD));
    // Few networks say nothing of how many have what.
    for (what, found) in [
        ("edges", tally.edges),
        ("classes", tally.classes),
        ("losses", tally.losses),
        ("impaired links", tally.impaired),
        ("links whose rate varies", tally.varying),
    ] {
        assert!(wanted < ENOUGH || found >= wanted / 10, "{found} of {wanted} networks had {what}");
    }
}

pub(crate) fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |text| text.parse().expect("a whole number"))
}

/// Every `workers`-th number from `first` on, until this worker's share of `wanted` networks has
/// been run, or too many numbers have given none.
fn networks(first: u64, workers: u64, wanted: u64) -> Tally {
    let mut tally = Tally::default();
    let share = wanted.div_ceil(workers);
    let mut number = first;
    let most_invalid = share.div_ceil(VALID_FOR_ONE_INVALID);
    while tally.valid < share && tally.invalid.len() as u64 <= most_invalid {
        let network = Network::new(number);
        match catch_unwind(|| check(&network)) {
            Ok(Ok(seen)) => tally.count(&seen),
            Ok(Err(invalid)) => tally.invalid.push(format!("{number}: {invalid}")),
            Err(panic) => tally.fail(number, &*panic),
        }
        number += workers;
    }
    tally
}
