//! Rules from outside the crate: their flows and ports in a run, and their construction.

use std::cell::Cell;

use super::ports::PortSite;
use super::{Assembled, Assembly};
use crate::atm::Class;
use crate::engine::Stream;
use crate::language::fault::one_of;
use crate::language::pattern::fits;
use crate::scenario::{Flow, Scenario, Tcp, Traffic};
use crate::switch::Policy;
use crate::tcp::congestion::keys::{OF_ANY_LAW, OF_SAMPLES};
use crate::tcp::congestion::{Law, Rule};
use crate::traffic::{AnyApplication, AnySpacing};

/// The flow that a rule from outside is made for.
#[derive(Clone, Debug)]
pub struct FlowSite {
    /// The flow as in the scenario.
    pub flow: Flow,
    seed: u64,
}

impl FlowSite {
    /// A random stream of the flow's own; each name is another stream.
    pub fn stream(&self, name: &str) -> Stream {
        Stream::new(self.seed, &format!("flow {} own {name}", self.flow.name))
    }
}

/// The queue that a drop policy from outside is made for.
#[derive(Clone, Debug)]
pub struct QueueSite {
    /// Name of the port as in the results: `switch.link` or `edge.link`.
    pub port: String,
    /// Service class of the cells in the queue.
    pub class: Class,
    /// Number of VCs that pass the port; all slots are below it.
    pub vcs: usize,
    /// Cells or packets that the buffer holds; `None` for no limit.
    pub capacity: Option<u64>,
    seed: u64,
}

impl QueueSite {
    /// A random stream of the queue's own; each name is another stream.
    pub fn stream(&self, name: &str) -> Stream {
        Stream::new(self.seed, &format!("{}.{} own {name}", self.port, self.class.word()))
    }
}

type OfFlow<'a, T> = dyn Fn(&FlowSite) -> T + 'a;
type OfQueue<'a> = dyn Fn(&QueueSite) -> Policy + 'a;

/// Constructor of a rule, for the flows or ports that match a pattern.
struct Named<F: ?Sized> {
    pattern: String,
    /// True if a flow or port matches the pattern.
    is_used: Cell<bool>,
    make: Box<F>,
}

/// Rules of one kind; the last one that matches a flow or port counts.
struct Rules<F: ?Sized>(Vec<Named<F>>);

impl<F: ?Sized> Default for Rules<F> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<F: ?Sized> Rules<F> {
    fn add(&mut self, pattern: &str, make: Box<F>) {
        self.0.push(Named { pattern: pattern.to_owned(), is_used: Cell::new(false), make });
    }

    fn of(&self, name: &str) -> Option<&F> {
        let mut fitting = self.0.iter().filter(|named| fits(&named.pattern, name));
        let first = fitting.next()?;
        first.is_used.set(true);
        let last = fitting.inspect(|named| named.is_used.set(true)).last().unwrap_or(first);
        Some(&last.make)
    }

    fn unused(&self) -> Option<&str> {
        let unused = self.0.iter().find(|named| !named.is_used.get());
        unused.map(|named| named.pattern.as_str())
    }
}

/// Rules from outside for one run.
#[derive(Default)]
pub(crate) struct OwnRules<'a> {
    congestion: Rules<OfFlow<'a, Rule>>,
    laws: Rules<OfFlow<'a, Box<dyn Law>>>,
    applications: Rules<OfFlow<'a, AnyApplication>>,
    spacings: Rules<OfFlow<'a, AnySpacing>>,
    policies: Rules<OfQueue<'a>>,
    /// True if every cell travels alone, without trains.
    pub(crate) is_cell_by_cell: bool,
    /// True if turns are no longer than lookaheads allow, and switches are whole.
    pub(crate) has_short_turns: bool,
}

impl<'a> OwnRules<'a> {
    pub(crate) fn add_congestion(&mut self, flows: &str, make: Box<OfFlow<'a, Rule>>) {
        self.congestion.add(flows, make);
    }

    pub(crate) fn add_law(&mut self, flows: &str, make: Box<OfFlow<'a, Box<dyn Law>>>) {
        self.laws.add(flows, make);
    }

    pub(crate) fn add_application(&mut self, flows: &str, make: Box<OfFlow<'a, AnyApplication>>) {
        self.applications.add(flows, make);
    }

    pub(crate) fn add_spacing(&mut self, flows: &str, make: Box<OfFlow<'a, AnySpacing>>) {
        self.spacings.add(flows, make);
    }

    pub(crate) fn add_policy(&mut self, ports: &str, make: Box<OfQueue<'a>>) {
        self.policies.add(ports, make);
    }

    /// Describes a law from outside that the rule of its flow cannot serve.
    pub(crate) fn unserved(&self, scenario: &Scenario) -> Option<String> {
        scenario.flows.iter().find_map(|flow| {
            let (tcp, make) = (flow.tcp.as_ref()?, self.laws.of(&flow.name)?);
            let seed = scenario.run.seed;
            let needs = make(&FlowSite { flow: flow.clone(), seed }).needs();
            let recovery = tcp.recovery;
            let is_served = recovery.takes_any_law() && (!needs.samples || recovery.keeps_log());
            let accepted = if needs.samples { OF_SAMPLES } else { OF_ANY_LAW };
            (!is_served).then(|| {
                let (name, word) = (&flow.name, recovery.word());
                format!(
                    "`flow.{name}.tcp.recovery` is `{word}`; under this law expected {accepted}"
                )
            })
        })
    }

    /// After assembly, describes a rule that matches nothing in the scenario, and accepted names.
    pub(crate) fn unused(&self, scenario: &Scenario, assembled: &Assembled) -> Option<String> {
        let flows = |is_wanted: fn(&Flow) -> bool| -> Vec<&str> {
            let wanted = scenario.flows.iter().filter(|flow| is_wanted(flow));
            wanted.map(|flow| flow.name.as_str()).collect()
        };
        let ports = assembled.ports.iter().map(|port| port.name.as_str()).collect();
        let has_tcp = |flow: &Flow| flow.tcp.is_some();
        let sends_raw_cells = |flow: &Flow| flow.tcp.is_none() && flow.traffic != Traffic::Greedy;
        let with_tcp = "flow with TCP";
        [
            (self.congestion.unused(), with_tcp, flows(has_tcp)),
            (self.laws.unused(), with_tcp, flows(has_tcp)),
            (self.applications.unused(), with_tcp, flows(has_tcp)),
            (self.spacings.unused(), "flow of raw cells or datagrams", flows(sends_raw_cells)),
            (self.policies.unused(), "port", ports),
        ]
        .into_iter()
        .find_map(|(unused, what, accepted)| {
            let accepted = one_of(&accepted);
            unused.map(|pattern| format!("no {what} fits `{pattern}`; expected {accepted}"))
        })
    }
}

/// The rule of congestion control of each end of a flow.
pub(super) fn congestion(assembly: &Assembly<'_>, flow: &Flow, tcp: &Tcp) -> Rule {
    let site = || site_of(assembly, flow);
    if let Some(make) = assembly.own.congestion.of(&flow.name) {
        return make(&site());
    }
    match assembly.own.laws.of(&flow.name) {
        Some(make) => Rule::with_law(tcp, &|| make(&site())),
        None => Rule::new(tcp),
    }
}

pub(super) fn application(assembly: &Assembly<'_>, flow: &Flow) -> Option<AnyApplication> {
    assembly.own.applications.of(&flow.name).map(|make| make(&site_of(assembly, flow)))
}

pub(super) fn spacing(assembly: &Assembly<'_>, flow: &Flow) -> Option<AnySpacing> {
    assembly.own.spacings.of(&flow.name).map(|make| make(&site_of(assembly, flow)))
}

pub(super) fn policy(
    assembly: &Assembly<'_>,
    site: &PortSite<'_>,
    class: Class,
    capacity: Option<u64>,
) -> Option<Policy> {
    let make = assembly.own.policies.of(&site.name)?;
    let seed = assembly.scenario.run.seed;
    Some(make(&QueueSite { port: site.name.clone(), class, vcs: site.vcs.len(), capacity, seed }))
}

fn site_of(assembly: &Assembly<'_>, flow: &Flow) -> FlowSite {
    FlowSite { flow: flow.clone(), seed: assembly.scenario.run.seed }
}
