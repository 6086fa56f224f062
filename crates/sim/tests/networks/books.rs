//! Losses have one instant: at random ends, and after random warm-ups, those of flows are those of
//! their VCs, and these are those of links, ports and sources.

use std::io::Write;

use super::dice::Dice;
use super::network::{Network, Observed};
use super::number;
use super::paths::Path;
use super::properties::outcome;
use cellway_sim::Outcome;
use cellway_sim::result::{LossSummary, Summary, VcSummary};
use cellway_sim::scenario::{Carries, Flow, Scenario, Source};

/// Datagrams of random flows, and those of one cell.
const ONE_CELL: [(&str, &str); 3] = [
    ("datagram = \"160 B\"", "datagram = \"12 B\""),
    ("datagram = \"1472 B\"", "datagram = \"12 B\""),
    ("datagram = \"9000 B\"", "datagram = \"12 B\""),
];

const OBSERVED: [&str; 5] = [
    "[observe]",
    "series = []",
    "limit = 1000000",
    "distributions.flows = [\"*\"]",
    "segments = {}",
];

/// Flows whose books were compared.
#[derive(Default)]
struct Compared {
    scenarios: u64,
    flows: u64,
    /// Flows that lost something, and as many units as their VCs or their logs.
    exact: u64,
}

#[test]
fn losses_of_flows_are_those_of_their_vcs_and_links() {
    let mut compared = Compared::default();
    let networks = number("RANDOM_NETWORKS", 200);
    let first = number("FIRST_NETWORK", 0);
    for number in first..first + networks {
        let network = Network::new(number);
        let mut text = network.text(network.duration, network.warm_up, Observed::Nothing);
        if number % 2 == 0 {
            for (size, of_one_cell) in ONE_CELL {
                text = text.replace(size, of_one_cell);
            }
        }
        compare(number, &text, &mut compared);
    }
    for number in (first..first + networks).step_by(4) {
        compare(number, &Path::new(number).text("series = []"), &mut compared);
    }
    let Compared { scenarios, flows, exact } = compared;
    let told = format!(
        "{scenarios} scenarios to two ends, {flows} flows, {exact} of which lost some, unit by \
         unit as their VCs or their logs"
    );
    // Not captured: how many there were is the point of running more of them.
    let _ = writeln!(std::io::stdout(), "{told}");
    assert!(networks < 100 || (scenarios > networks && exact > networks / 2), "{told}");
}

/// Three runs: to a random end, to a random instant before it, and after that instant. Rates that
/// are too high with small datagrams are left out.
fn compare(number: u64, text: &str, compared: &mut Compared) {
    let mut dice = Dice::new(number).apart();
    let longest = of_lines(text, "duration");
    // All flows start before the earlier instant.
    let started = of_lines(text, "start") + 1;
    let end = dice.between(started + 1, longest);
    let middle = dice.between(started, end - 1);
    let [whole, before, after] = [(end, 0), (middle, 0), (end, middle)].map(|(end, warm_up)| {
        let scenario = parsed(text, end, warm_up);
        scenario.map(|scenario| (outcome(&scenario), scenario))
    });
    let (Some((whole, scenario)), Some((before, _)), Some((after, _))) = (whole, before, after)
    else {
        return;
    };
    compared.scenarios += 1;
    let told = |what: &str| format!("number {number}, {middle} and {end} ps, {what}:\n{text}");
    for one in [&whole, &before] {
        for books in scenario.flows.iter().filter_map(|flow| Books::of(&scenario, flow, one)) {
            let check = |holds: bool, what: &str| {
                assert!(holds, "{}", told(&format!("{what}: {books:?}")));
            };
            books.assert_conserved(&check);
            compared.exact += u64::from(books.assert_exact(&check));
            compared.flows += 1;
        }
    }
    for one in [&whole, &before, &after] {
        assert_totals(&one.summary, &told);
    }
    assert_sum(&whole.summary, [&before.summary, &after.summary], &told);
}

/// The most that lines with this key say, in picoseconds of their microseconds.
fn of_lines(text: &str, key: &str) -> u64 {
    let values = text.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
    let microseconds = values.filter_map(|value| value.strip_suffix(" us\"")?.parse().ok());
    1_000_000 * microseconds.max().unwrap_or(0_u64)
}

fn parsed(text: &str, end: u64, warm_up: u64) -> Option<Scenario> {
    let timed = text.lines().map(|line| match line.split(' ').next() {
        Some("duration") => format!("duration = \"{end} ps\""),
        Some("warm_up") => format!("warm_up = \"{warm_up} ps\""),
        Some("series" | "[observe]") => String::new(),
        _ => line.to_owned(),
    });
    let lines: Vec<String> = timed.chain(OBSERVED.map(str::to_owned)).collect();
    Scenario::parse(Source { origin: "books.toml", text: &lines.join("\n") }, &[]).ok()
}

/// Books of a flow, of the VCs that its units travel in, and of its lost segments, from the
/// start of a run.
#[derive(Debug)]
struct Books {
    loss: LossSummary,
    /// Copies of datagrams that arrived.
    duplicates: u64,
    /// Sums over the VCs.
    legs: Legs,
    /// Frames that left the last of them whole.
    arrived: u64,
    /// Lost according to the log, which neither datagrams nor buffers of sources have.
    logged: Option<u64>,
    /// Lost at the input queue of its host, with those of other flows.
    refused: u64,
    is_of_packets: bool,
    /// Its VCs carry nothing else.
    is_alone: bool,
}

#[derive(Debug, Default)]
struct Legs {
    sent: u64,
    lost: u64,
    inside: u64,
    copies: u64,
    whole: u64,
    broken: u64,
    has_source_buffer: bool,
}

impl Legs {
    fn with(mut self, vc: &VcSummary) -> Self {
        self.sent += vc.sent;
        self.lost += vc.dropped + vc.lost_on_links;
        self.inside += vc.inside;
        self.copies += vc.duplicated;
        self.whole += vc.frames_delivered;
        self.broken += vc.frames_broken;
        self.has_source_buffer |= vc.abr.is_some() || vc.pacing.is_some();
        self
    }
}

impl Books {
    fn of(scenario: &Scenario, flow: &Flow, outcome: &Outcome) -> Option<Self> {
        let Summary { flows, vcs, .. } = &outcome.summary;
        let summary = flows.get(&flow.name)?;
        let circuit = flow.vc.map(|index| &scenario.vcs[index].name);
        let of_flow = |name: &str| name.strip_prefix(flow.name.as_str()).map(str::to_owned);
        let is_leg = |name: &str| {
            let rest = of_flow(name).unwrap_or("none".to_owned());
            let is_own = rest.is_empty() || rest.starts_with(" to ") || rest.starts_with(" from ");
            is_own || circuit.is_some_and(|circuit| name.trim_end_matches(" back") == circuit)
        };
        let legs = || vcs.iter().filter(|(name, _)| is_leg(name));
        let last = legs().find(|(name, _)| name.contains(" from ")).map(|(_, vc)| vc);
        let last = last.or_else(|| vcs.get(&flow.name));
        let all = legs().fold(Legs::default(), |all, (_, vc)| all.with(vc));
        let is_loss = |name: &str| of_flow(name).is_some_and(|rest| rest.starts_with(".lost_"));
        let losses = outcome.series.iter().filter(|series| is_loss(&series.name));
        let logged = losses.map(|series| series.times.len() as u64).sum();
        let is_of_packets =
            |link: &usize| matches!(scenario.links[*link].carries, Carries::Packets { .. });
        Some(Self {
            loss: summary.loss?,
            duplicates: summary.datagrams.map_or(0, |datagrams| datagrams.duplicates),
            arrived: last.map_or(0, |last| last.frames_delivered),
            refused: outcome.summary.hosts.values().map(|host| host.input_drops).sum(),
            logged: (flow.tcp.is_some() && !all.has_source_buffer).then_some(logged),
            is_of_packets: flow.path.iter().all(is_of_packets),
            is_alone: flow.vc.is_none() && flow.tcp.is_none(),
            legs: all,
        })
    }

    /// Lost by its VCs: cells, packets, and frames that came broken.
    fn lost_by_legs(&self) -> u64 {
        let broken = if self.loss.unit == "cell" { 0 } else { self.legs.broken };
        self.legs.lost + broken
    }

    /// True if a frame is one unit everywhere: frames that leave a VC whole enter the next one.
    fn is_unit_by_unit(&self) -> bool {
        let Self { loss, legs, arrived, .. } = self;
        self.is_alone && (loss.unit == "cell" || loss.sent + legs.whole == legs.sent + arrived)
    }

    fn assert_conserved(&self, check: &impl Fn(bool, &str)) {
        let Self { loss, legs, duplicates, .. } = self;
        check(loss.sent == loss.delivered + loss.lost + loss.inside, "what was sent");
        let decided = (loss.lost + loss.delivered) as f64;
        let fraction = (decided > 0.0).then(|| loss.lost as f64 / decided);
        check(loss.fraction == fraction, "the fraction");
        let refused = if loss.unit == "segment" { self.refused } else { 0 };
        check(loss.lost <= self.lost_by_legs() + refused, "no more lost than by its VCs and hosts");
        check(loss.inside <= legs.inside, "no more inside than in its VCs");
        if loss.unit == "datagram" && self.is_alone {
            check(loss.delivered + duplicates == self.arrived, "what arrived");
            check(legs.copies > 0 || legs.broken <= loss.lost, "what arrived broken");
        }
    }

    /// Compares unit by unit where it can; whether there were any losses.
    fn assert_exact(&self, check: &impl Fn(bool, &str)) -> bool {
        let Self { loss, legs, .. } = self;
        let lost = self.lost_by_legs();
        let mut is_exact = false;
        if self.is_unit_by_unit() {
            check(lost <= loss.lost + legs.copies, "lost of copies");
            check(legs.copies > 0 || loss.lost == lost, "lost by its VCs");
            check(legs.copies > 0 || loss.inside == legs.inside, "inside its VCs");
            is_exact = legs.copies == 0;
        }
        if let Some(logged) = self.logged {
            check(loss.lost <= logged, "lost and logged");
            // Its last cell may be inside, or still be lost.
            check(legs.copies > 0 || logged <= loss.lost + loss.inside, "logged");
            let is_logged_so = legs.copies == 0 && self.is_of_packets;
            check(!is_logged_so || loss.lost == logged, "logged packet by packet");
            is_exact |= is_logged_so;
        }
        is_exact && loss.lost > 0
    }
}

/// Every loss of a VC is one of a link, of a port, of a source or of a policer.
fn assert_totals(summary: &Summary, told: &impl Fn(&str) -> String) {
    let Summary { vcs, links, ports, .. } = summary;
    let of_vcs: u64 = vcs.values().map(|vc| vc.lost_on_links).sum();
    let impairments = links.values().flat_map(|link| link.impairments.values());
    let of_links: u64 = impairments.map(|one| one.lost).sum();
    assert!(of_vcs == of_links, "{}", told(&format!("{of_vcs} lost, by links {of_links}")));
    let dropped: u64 = vcs.values().map(|vc| vc.dropped).sum();
    let drops = ports.values().map(|port| port.drops);
    let by_ports: u64 = drops
        .map(|drops| {
            drops.overflow + drops.partial_frame + drops.early_frame + drops.redundant_acks
        })
        .sum();
    let by_others = vcs.values().map(|vc| {
        let sources = [vc.abr.map(|abr| abr.dropped), vc.pacing.map(|pacing| pacing.dropped)];
        sources.into_iter().chain([vc.gfr.map(|gfr| gfr.dropped)]).flatten().sum::<u64>()
    });
    let found = by_ports + by_others.sum::<u64>();
    assert!(dropped == found, "{}", told(&format!("{dropped} dropped, by their places {found}")));
}

/// A run counts what it counts before an instant and what it counts after it.
fn assert_sum(whole: &Summary, parts: [&Summary; 2], told: &impl Fn(&str) -> String) {
    let of_flow = |summary: &Summary, name: &str| {
        let loss = summary.flows[name].loss;
        loss.map_or([0; 3], |loss| [loss.sent, loss.delivered, loss.lost])
    };
    let of_vc = |summary: &Summary, name: &str| {
        let vc = summary.vcs[name];
        [vc.dropped, vc.lost_on_links, vc.frames_broken]
    };
    for name in whole.flows.keys() {
        let [all, before, after] = [whole, parts[0], parts[1]].map(|one| of_flow(one, name));
        let sum: [u64; 3] = std::array::from_fn(|place| before[place] + after[place]);
        assert!(all == sum, "{}", told(&format!("{name}: {all:?}, {before:?} and {after:?}")));
    }
    for name in whole.hosts.keys() {
        let [all, before, after] =
            [whole, parts[0], parts[1]].map(|one| one.hosts[name].input_drops);
        assert!(all == before + after, "{}", told(&format!("{name}: {all}, {before}, {after}")));
    }
    for name in whole.vcs.keys() {
        let [all, before, after] = [whole, parts[0], parts[1]].map(|one| of_vc(one, name));
        let sum: [u64; 3] = std::array::from_fn(|place| before[place] + after[place]);
        assert!(all == sum, "{}", told(&format!("{name}: {all:?}, {before:?} and {after:?}")));
    }
}
