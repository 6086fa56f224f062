//! Memory that ports share: what has left other ports is counted when it matters, no sooner.

use cellway_sim::Simulation;
use cellway_sim::pdu::CellHead;
use cellway_sim::scenario::Scenario;
use cellway_sim::switch::{
    DropPolicy, Epd, Framewise, Policy, Ppd, QueueState, Rule, Tail, Verdict,
};

use super::{outcome_of, scenario};

/// Six TCPs and raw cells to three hosts, over one memory of 300 cells.
fn network(drop: &str, seed: u64) -> Scenario {
    scenario(
        &include_str!("shared_memory.toml")
            .replace("seed = 1", &format!("seed = {seed}"))
            .replace("\"tail\"", drop),
    )
}

/// A policy that asks for the count of every arrival.
#[derive(Debug)]
struct Asking(Policy);

impl DropPolicy for Asking {
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        self.0.on_arrival(head, queue)
    }
}

/// One that says when it needs none, so that trains may come, of which it is asked cell by cell.
#[derive(Debug)]
struct Telling(Policy);

impl DropPolicy for Telling {
    fn admits_up_to(&self) -> u64 {
        self.0.admits_up_to()
    }

    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        self.0.on_arrival(head, queue)
    }
}

#[test]
fn a_policy_that_needs_no_exact_count_answers_as_with_it() {
    for seed in 1..=5 {
        for drop in ["\"tail\"", "\"ppd\"", "{ epd.threshold = 0.3 }", "{ epd.threshold = 0.9 }"] {
            let scenario = network(drop, seed);
            let usual = outcome_of(&scenario);
            assert!(
                usual
                    .summary
                    .ports
                    .values()
                    .any(|port| port.drops.overflow + port.drops.early_frame > 0),
                "{drop}"
            );
            let builder = || Simulation::builder(&scenario);
            let policy = |vcs| match drop {
                "\"tail\"" => Policy::Tail(Tail),
                "\"ppd\"" => Policy::Framewise(Framewise::new(Rule::Ppd(Ppd), vcs)),
                "{ epd.threshold = 0.3 }" => epd(90, vcs),
                _ => epd(270, vcs),
            };
            for own in [
                builder().drop_policy("*", |site| Asking(policy(site.vcs))),
                builder().drop_policy("*", |site| Telling(policy(site.vcs))),
                builder().drop_policy("*", |site| Telling(policy(site.vcs))).cell_by_cell(),
            ] {
                let own = own.run().expect("a run");
                assert_eq!(format!("{:?}", usual.summary), format!("{:?}", own.summary), "{drop}");
                assert_eq!(format!("{:?}", usual.series), format!("{:?}", own.series), "{drop}");
            }
        }
    }
}

/// Frames through one port fill a tenth of the memory again and again. The other port asks from
/// twenty cells on: what is on its way is then in order, though the first admits much more.
#[test]
fn memory_is_counted_as_the_strictest_of_its_ports_needs() {
    let scenario = scenario(include_str!("two_ports.toml"));
    let strict = || {
        let builder = Simulation::builder(&scenario);
        builder.drop_policy("s.d", |site| Telling(epd(20, site.vcs)))
    };
    let trains = strict().run().expect("a run");
    let cells = strict().cell_by_cell().run().expect("a run");
    assert!(trains.summary.ports["s.d"].drops.early_frame > 0, "{:?}", trains.summary.ports);
    assert_eq!(trains.summary, cells.summary);
}

fn epd(threshold: u64, vcs: usize) -> Policy {
    Policy::Framewise(Framewise::new(Epd::new(threshold), vcs))
}
