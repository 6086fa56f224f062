//! What holds of every network.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;

use super::dice::Dice;
use super::network::{Network, Observed};
use cellway_sim::result::{Series, Summary};
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::{Span, Time};
use cellway_sim::{Continue, Outcome, Simulation, run};

/// What a network that held all properties was like.
#[derive(Default)]
pub(crate) struct Seen {
    points: u64,
    has: BTreeSet<Feature>,
}

/// What not every network has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Feature {
    /// Losses at ports.
    Losses,
    /// Losses or copies on links.
    Impaired,
    /// Several classes at a port.
    Classes,
    /// Edges.
    Edges,
    /// Links whose rate varies.
    Varying,
    /// Relays that carried something.
    Relays,
    Proxies,
}

/// How many networks of which kind.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) valid: u64,
    pub(crate) invalid: Vec<String>,
    pub(crate) failures: Vec<(u64, String)>,
    points: u64,
    pub(crate) losses: u64,
    pub(crate) impaired: u64,
    pub(crate) classes: u64,
    pub(crate) edges: u64,
    pub(crate) varying: u64,
    pub(crate) relays: u64,
    pub(crate) proxies: u64,
}

impl Tally {
    pub(crate) fn count(&mut self, seen: &Seen) {
        self.valid += 1;
        self.points += seen.points;
        self.losses += u64::from(seen.has.contains(&Feature::Losses));
        self.impaired += u64::from(seen.has.contains(&Feature::Impaired));
        self.classes += u64::from(seen.has.contains(&Feature::Classes));
        self.edges += u64::from(seen.has.contains(&Feature::Edges));
        self.varying += u64::from(seen.has.contains(&Feature::Varying));
        self.relays += u64::from(seen.has.contains(&Feature::Relays));
        self.proxies += u64::from(seen.has.contains(&Feature::Proxies));
    }

    pub(crate) fn fail(&mut self, number: u64, panic: &(dyn Any + Send)) {
        let message = panic.downcast_ref::<String>().cloned();
        let message =
            message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        self.valid += 1;
        self.failures.push((number, message.unwrap_or_default()));
    }

    pub(crate) fn with(mut self, other: Self) -> Self {
        self.valid += other.valid;
        self.invalid.extend(other.invalid);
        self.failures.extend(other.failures);
        self.points += other.points;
        self.losses += other.losses;
        self.impaired += other.impaired;
        self.classes += other.classes;
        self.edges += other.edges;
        self.varying += other.varying;
        self.relays += other.relays;
        self.proxies += other.proxies;
        self
    }

    /// The first failures with their networks, so that each can be run by itself.
    pub(crate) fn told(&self, most: usize) -> String {
        let first = self.failures.iter().take(most).map(|(number, message)| {
            let network = Network::new(*number);
            let text = network.text(network.duration, network.warm_up, Observed::OnGrid);
            format!("network {number}: {message}\n{text}")
        });
        let first: Vec<String> = first.collect();
        format!("{} failed\n{}", self.failures.len(), first.join("\n"))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { valid, invalid, failures, points, losses, impaired, classes, edges, .. } = self;
        let Self { varying, relays, .. } = self;
        writeln!(
            out,
            "{valid} random networks, eight runs each; {} numbers gave none",
            invalid.len()
        )?;
        for refused in invalid.iter().take(3) {
            writeln!(out, "  no network {refused}")?;
        }
        write!(
            out,
            "{edges} with edges, {classes} with several classes at a port, {losses} with losses, \
             {impaired} with losses on links, {varying} with rates that vary, {relays} with \
             relays, {points} samples compared; {} failed",
            failures.len()
        )
    }
}

/// Runs a network eight times; the error is the scenario's, if it is not valid.
pub(crate) fn check(network: &Network) -> Result<Seen, String> {
    let Network { duration, warm_up, .. } = *network;
    let parsed = |duration, warm_up, observed| {
        let text = network.text(duration, warm_up, observed);
        Scenario::parse(Source { origin: "network.toml", text: &text }, &[])
            .map_err(|error| error.to_string())
    };
    let scenario = parsed(duration, warm_up, Observed::OnGrid)?;
    let first = outcome(&scenario);
    let again = outcome(&scenario);
    assert_eq!(first.summary, again.summary, "twice");
    assert_same_series(&first.series, &again.series, None);

    let cells = Simulation::builder(&scenario).cell_by_cell().run().expect("cells are few");
    assert_eq!(cells.summary, first.summary, "cell by cell or in trains");
    assert_same_series(&cells.series, &first.series, None);

    let short = Simulation::builder(&scenario).short_turns().run().expect("cells are few");
    assert_eq!(short.summary, first.summary, "in short turns or long ones");
    assert_same_series(&short.series, &first.series, None);

    let interrupted = interrupted(&scenario, &mut Dice::new(network.number));
    assert_eq!(interrupted.summary, first.summary, "interrupted or not");
    assert_same_series(&interrupted.series, &first.series, None);

    let longer = outcome(&parsed(duration * 17 / 10, 0, Observed::OnGrid)?);
    assert_same_series(&first.series, &longer.series, Some(scenario.run.duration));

    let unseen = outcome(&parsed(duration, warm_up, Observed::Nothing)?);
    assert_eq!(unseen.summary, first.summary, "observed on a grid or not at all");

    let changes = outcome(&parsed(duration, warm_up, Observed::OnChange)?);
    assert_eq!(changes.summary, first.summary, "observed on a grid or on change");
    assert_eq!(first.series.len(), changes.series.len(), "as many series on a grid as on change");
    for (grid, changes) in first.series.iter().zip(&changes.series) {
        assert_samples_of(grid, changes);
    }
    assert_books(network, &longer.summary);
    let Summary { ports, vcs, .. } = &longer.summary;
    let features = [
        (
            Feature::Losses,
            ports.values().any(|port| port.drops.overflow + port.drops.early_frame > 0),
        ),
        (Feature::Impaired, vcs.values().any(|vc| vc.lost_on_links + vc.duplicated > 0)),
        (Feature::Classes, changes.summary.ports.values().any(|port| !port.classes.is_empty())),
        (
            Feature::Varying,
            changes.summary.links.values().any(|link| {
                link.capacity.is_some_and(|capacity| capacity.changes > 0) && link.sent > 0
            }),
        ),
        (
            Feature::Relays,
            changes
                .summary
                .flows
                .values()
                .any(|flow| flow.relay.is_some_and(|relay| relay.carried_bytes > 0)),
        ),
        (Feature::Proxies, longer.summary.connections.values().any(|one| one.delivered_bytes > 0)),
        (Feature::Edges, changes.summary.vcs.keys().any(|name| name.contains(" to "))),
    ];
    Ok(Seen {
        points: first.series.iter().map(|series| series.times.len() as u64).sum(),
        has: features.into_iter().filter(|(_, has)| *has).map(|(feature, _)| feature).collect(),
    })
}

pub(crate) fn outcome(scenario: &Scenario) -> Outcome {
    run(scenario, &mut |_| Continue::Yes).expect("nothing cancels a test, and cells are few")
}

/// Pauses at barriers that mean nothing to the network, many of them close together.
pub(crate) fn interrupted(scenario: &Scenario, dice: &mut Dice) -> Outcome {
    let mut simulation = Simulation::new(scenario);
    while simulation.now() < simulation.end() {
        let longest = dice.pick(&[1, 1_000_000, 1_000_000_000]);
        let stride = Span::from_picoseconds(dice.between(1, longest) as i64);
        simulation.run_until(simulation.now() + stride).expect("cells are few");
    }
    simulation.finish().expect("cells are few")
}

/// The same points, or up to an instant: those before it.
fn assert_same_series(all: &[Series], others: &[Series], before: Option<Span>) {
    let end = before.map_or(Time::MAX, |span| Time::ZERO + span);
    let points = |series: &Series| -> Vec<(i64, u64)> {
        let points = series.times.iter().zip(&series.values);
        let points = points.filter(|(at, _)| **at < end);
        points.map(|(at, value)| (at.picoseconds(), value.to_bits())).collect()
    };
    assert_eq!(all.len(), others.len());
    for (one, other) in all.iter().zip(others) {
        assert_eq!(one.name, other.name);
        let (ones, others) = (points(one), points(other));
        let differs = ones.iter().zip(&others).find(|(one, other)| one != other);
        let shown = differs.map(|(a, b)| [a, b].map(|(at, value)| (*at, f64::from_bits(*value))));
        assert!(
            ones == others,
            "{}: {shown:?}, {} and {} points",
            one.name,
            ones.len(),
            others.len()
        );
    }
}

/// A sample shows what all before its instant has left. Of what happens at that instant a queue's
/// departures are counted, arrivals are not; the end of a measuring interval is counted.
fn assert_samples_of(grid: &Series, changes: &Series) {
    assert_eq!(grid.name, changes.name);
    let is_queue = grid.name.ends_with("queue");
    let is_of_allocator = [".er", ".fair_share", ".overload", ".active", ".abr_capacity"]
        .iter()
        .any(|end| grid.name.ends_with(end));
    for (&at, &sample) in grid.times.iter().zip(&grid.values) {
        let earlier = changes.times.partition_point(|&change| change < at);
        let by_then = changes.times.partition_point(|&change| change <= at);
        let Some(last) = earlier.checked_sub(1) else { continue };
        let candidates = &changes.values[last..by_then];
        let expected = if is_queue {
            vec![candidates.iter().copied().fold(f64::INFINITY, f64::min)]
        } else if is_of_allocator {
            candidates.to_vec()
        } else {
            vec![candidates[0]]
        };
        let is_one = |value: &f64| {
            value.to_bits() == sample.to_bits() || (value.is_nan() && sample.is_nan())
        };
        assert!(
            expected.iter().any(is_one),
            "{} at {} ps: {sample}, and by its changes {expected:?}",
            grid.name,
            at.picoseconds()
        );
    }
}

/// Beginning of the names of proxies.
pub(crate) const PROXY: &str = "by-";

fn assert_books(network: &Network, summary: &Summary) {
    for (name, port) in &summary.ports {
        assert!((0.0..=1.0 + 1e-9).contains(&port.utilisation), "{name} {port:?}");
        assert!(port.mean_queue.is_finite() && port.mean_queue >= 0.0, "{name} {port:?}");
        assert!(port.mean_queue <= port.max_queue as f64 + 1e-9, "{name} {port:?}");
        let (node, link) = name.split_once('.').expect("a port is named after both");
        if link.starts_with(PROXY) {
            // A proxy stands in the node: the link to it has no limit, and discards nothing.
            let drops = port.drops;
            assert_eq!(
                (drops.overflow, drops.early_frame, drops.redundant_acks),
                (0, 0, 0),
                "{name}"
            );
            continue;
        }
        let room = network.rooms.iter().find(|(switch, _)| node == switch);
        // Each class of a port of packets has the room; that of cells is counted with all classes.
        let classes = if port.unit == "packet" { port.classes.len().max(1) as u64 } else { 1 };
        let is_kept = room.is_none_or(|(_, room)| {
            port.classes.values().all(|class| class.max_queue <= *room)
                && port.max_queue <= room * classes
        });
        assert!(is_kept, "{name} {port:?} {room:?}");
    }
    for (name, flow) in &summary.flows {
        assert!(flow.throughput_bits_per_second.is_finite(), "{name} {flow:?}");
        assert!(flow.acked_bytes <= flow.delivered_bytes, "{name} {flow:?}");
        if let (Some(datagrams), true) = (flow.datagrams, summary.warm_up_s <= 0.0) {
            let found = datagrams.delivered + datagrams.lost + datagrams.inside;
            // A copy on its way, of one that has arrived, is inside.
            assert!(datagrams.sent <= found, "{name} {datagrams:?}");
            assert!(datagrams.delivered <= datagrams.sent, "{name} {datagrams:?}");
        }
    }
    for (name, vc) in &summary.vcs {
        // A packet is whole or lost; only cells leave incomplete frames.
        let is_of_packets = name.contains(" to ") || name.contains(" from ");
        assert!(!(is_of_packets && vc.frames_broken > 0), "{name} {vc:?}");
    }
}
