//! Rates of sources that always have a cell, against max-min fairness worked out by hand.
//!
//! All switches use ERICA with a target of 0.9 of 155.52 Mbit/s and one set of parameters: intervals of 500 cells or 5 ms and
//! an averaged number of sources, so that even fifty sources with an RM cell every 32 are all seen, and δ = 0, since with 0.1
//! rates may stand up to a tenth above their target for ever. What counts is what arrives, without RM cells.

use std::fmt::Write;

use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};

/// ERICA's target, Mbit/s of cell.
const TARGET: f64 = 0.9 * 155.52;
/// What one RM cell in 32 leaves.
const DATA: f64 = 31.0 / 32.0;

/// A chain of switches `s1`, `s2`, …: links between neighbours, in Mbit/s of cell, and flows of hosts of their own.
struct Chain {
    links: Vec<f64>,
    flows: String,
}

impl Chain {
    fn new(links: &[f64]) -> Self {
        Self { links: links.to_vec(), flows: String::new() }
    }

    /// `count` flows called `name` that enter at switch `from` and leave at switch `to`.
    fn flows(self, name: &str, count: usize, (from, to): (usize, usize), keys: &str) -> Self {
        self.flows_over(name, count, (from, to), "1 ms", keys)
    }

    fn flows_over(
        mut self,
        name: &str,
        count: usize,
        (from, to): (usize, usize),
        access: &str,
        keys: &str,
    ) -> Self {
        let keys =
            if keys.contains("traffic") { keys.to_owned() } else { format!("traffic = \"greedy\"\n{keys}") };
        let keys = if keys.contains("service") { keys } else { format!("{keys}\n{SERVICE}") };
        write!(
            self.flows,
            r#"
[host.{name}-src]
count = {count}
[host.{name}-dst]
count = {count}
[link.{name}-in]
count = {count}
between = ["{name}-src[*]", "s{from}"]
rate = "155.52 Mbit/s of cell"
delay = "{access}"
[link.{name}-out]
count = {count}
between = ["s{to}", "{name}-dst[*]"]
rate = "155.52 Mbit/s of cell"
delay = "1 ms"
[flow.{name}]
count = {count}
from = "{name}-src[*]"
to = "{name}-dst[*]"
{keys}
"#
        )
        .expect("a string takes it");
        self
    }

    /// Mbit/s of cell that arrive by flow, RM cells not counted, between two instants.
    fn rates(&self, from: &str, to: &str) -> impl Fn(&str) -> f64 + use<> {
        let mut text = format!("[run]\nduration = \"{to}\"\nwarm_up = \"{from}\"\nseed = 1\n");
        for switch in 1..=self.links.len() + 1 {
            write!(text, "[switch.s{switch}]\n{ERICA}\n").expect("a string takes it");
        }
        for (index, rate) in self.links.iter().enumerate() {
            let (from, to) = (index + 1, index + 2);
            write!(
                text,
                "[link.l{from}]\nbetween = [\"s{from}\", \"s{to}\"]\nrate = \"{rate} Mbit/s of cell\"\ndelay = \"2 ms\"\n"
            )
            .expect("a string takes it");
        }
        text += &self.flows;
        let source = Source { origin: "chain.toml", text: &text };
        let scenario = Scenario::parse(source, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let summary = run(&scenario, &mut |_| Continue::Yes).expect("the run ends").summary;
        move |name: &str| summary.flows[name].throughput_bits_per_second / 1e6
    }
}

const ERICA: &str = "rate_allocator = { erica = { interval_cells = 500, interval = \"5 ms\", activity_decay = 0.9, delta = 0 } }";
const SERVICE: &str = "service.abr = { icr = \"5 Mbit/s of cell\", rif = 1 }";

#[track_caller]
fn assert_share(rate: f64, expected: f64, what: &str) {
    let share = expected * DATA;
    assert!((rate / share - 1.0).abs() <= 0.02, "{what}: {rate} Mbit/s for {share}");
}

#[test]
fn one_link_is_shared_equally() {
    for count in [2, 15, 50] {
        let rate = Chain::new(&[155.52]).flows("n", count, (1, 2), "").rates("0.4 s", "1.4 s");
        for flow in 1..=count {
            assert_share(rate(&format!("n[{flow}]")), TARGET / count as f64, &format!("{flow} of {count}"));
        }
    }
}

/// One flow over three links on which one, two and three others go: the last link holds it to a quarter.
#[test]
fn a_parking_lot() {
    let rate = Chain::new(&[155.52; 3])
        .flows("long", 1, (1, 4), "")
        .flows("one", 1, (1, 2), "")
        .flows("two", 2, (2, 3), "")
        .flows("three", 3, (3, 4), "")
        .rates("0.4 s", "1.4 s");
    assert_share(rate("long[1]"), TARGET / 4.0, "over all links");
    assert_share(rate("three[2]"), TARGET / 4.0, "beside it on the last link");
    assert_share(rate("two[1]"), TARGET * 3.0 / 8.0, "on the second link");
    assert_share(rate("one[1]"), TARGET * 3.0 / 4.0, "on the first link");
}

/// Fifteen flows share a link; one of them shares the next with two more, which take what it leaves.
#[test]
fn a_bottleneck_upstream() {
    let rate = Chain::new(&[155.52; 2])
        .flows("short", 14, (1, 2), "")
        .flows("long", 1, (1, 3), "")
        .flows("late", 2, (2, 3), "")
        .rates("0.4 s", "1.4 s");
    assert_share(rate("long[1]"), TARGET / 15.0, "held upstream");
    assert_share(rate("short[7]"), TARGET / 15.0, "beside it");
    assert_share(rate("late[1]"), TARGET * 7.0 / 15.0, "downstream");
    assert_share(rate("late[2]"), TARGET * 7.0 / 15.0, "downstream");
}

#[test]
fn two_unequal_links() {
    let rate = Chain::new(&[155.52, 77.76])
        .flows("both", 1, (1, 3), "")
        .flows("wide", 1, (1, 2), "")
        .flows("narrow", 1, (2, 3), "")
        .rates("0.4 s", "1.4 s");
    assert_share(rate("both[1]"), TARGET / 4.0, "held by the narrow link");
    assert_share(rate("narrow[1]"), TARGET / 4.0, "beside it");
    assert_share(rate("wide[1]"), TARGET * 3.0 / 4.0, "what it leaves of the wide link");
}

/// A source with less to send than its share: what it leaves is the others'.
#[test]
fn a_bottleneck_at_the_source() {
    let rate = Chain::new(&[155.52])
        .flows("slow", 1, (1, 2), "traffic.cbr = { rate = \"10 Mbit/s of cell\" }")
        .flows("greedy", 3, (1, 2), "")
        .rates("0.4 s", "1.4 s");
    let slow = rate("slow[1]");
    assert!((slow - 10.0).abs() < 0.05, "all that it has: {slow} Mbit/s");
    for flow in ["greedy[1]", "greedy[2]", "greedy[3]"] {
        assert_share(rate(flow), (TARGET - 10.0 / DATA) / 3.0, flow);
    }
}

#[test]
fn minimum_rates_and_equal_parts_of_the_excess() {
    let with = |mcr: u32| {
        format!("service.abr = {{ mcr = \"{mcr} Mbit/s of cell\", icr = \"50 Mbit/s of cell\", rif = 1 }}")
    };
    let rate = Chain::new(&[155.52])
        .flows("ten", 1, (1, 2), &with(10))
        .flows("thirty", 1, (1, 2), &with(30))
        .flows("fifty", 1, (1, 2), &with(50))
        .rates("0.4 s", "1.4 s");
    let excess = (TARGET - 90.0) / 3.0;
    for (flow, mcr) in [("ten[1]", 10.0), ("thirty[1]", 30.0), ("fifty[1]", 50.0)] {
        assert_share(rate(flow), mcr + excess, flow);
    }
}

#[test]
fn a_source_comes_and_goes() {
    let chain = Chain::new(&[155.52]).flows("steady", 1, (1, 2), "").flows(
        "passing",
        1,
        (1, 2),
        "start = \"1 s\"\nstop = \"2 s\"",
    );
    let alone = chain.rates("0.4 s", "1.001 s");
    assert_share(alone("steady[1]"), TARGET, "before");
    let both = chain.rates("1.4 s", "2 s");
    assert_share(both("steady[1]"), TARGET / 2.0, "beside the other");
    assert_share(both("passing[1]"), TARGET / 2.0, "the other");
    let again = chain.rates("2.4 s", "3 s");
    assert_share(again("steady[1]"), TARGET, "after");
}

/// 6 ms there and back for the one, 104 ms for the other.
#[test]
fn a_long_way_is_no_disadvantage() {
    let rate = Chain::new(&[155.52])
        .flows_over("near", 1, (1, 2), "5 us", "")
        .flows_over("far", 1, (1, 2), "49 ms", "")
        .rates("2.1 s", "4 s");
    assert_share(rate("near[1]"), TARGET / 2.0, "the near one");
    assert_share(rate("far[1]"), TARGET / 2.0, "the far one");
}
