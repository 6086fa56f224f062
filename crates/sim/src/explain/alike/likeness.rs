//! Text of a flow that is equal for alike ones. Many flows have equal connections, hosts and links:
//! the text of such a part is made once, and again only where its value differs from that of the
//! flow before.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use super::{settings_of_hop, without_numbers};
use crate::explain::FlowFacts;
use crate::language::part::{Entries, Part};
use crate::scenario::resolved::{
    Flow, FlowPacing, FlowSection, Host, Link, NodeRef, Scenario, Tcp,
};

/// Compared properties of a flow: equal for alike flows of one family. Its parts are those of
/// [`said`](super::said), and the numbers that `explain` gives.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Likeness {
    flow: String,
    tcp: Arc<str>,
    hosts: [Arc<str>; 2],
    /// Settings by their names.
    hops: BTreeMap<Arc<str>, Arc<str>>,
    found: String,
}

/// Texts of the latest parts: of the connection, of either host, and of each link of the path there
/// and back.
pub(super) struct Texts<'s> {
    scenario: &'s Scenario,
    tcp: Option<(Option<&'s Tcp>, Arc<str>)>,
    hosts: [Option<(&'s Host, Arc<str>)>; 2],
    hops: Vec<Option<Hop<'s>>>,
}

/// A link with its settings and those of its receiving node.
struct Hop<'s> {
    link: &'s Link,
    shape: String,
    settings: Vec<(Arc<str>, Arc<str>)>,
}

impl<'s> Texts<'s> {
    pub(super) fn of(scenario: &'s Scenario) -> Self {
        Self { scenario, tcp: None, hosts: [None, None], hops: Vec::new() }
    }

    pub(super) fn likeness(&mut self, flow: &'s Flow, facts: &FlowFacts) -> Likeness {
        let facts = FlowFacts { name: String::new(), ..facts.clone() };
        let found = serde_json::to_string(&facts).expect("numbers and names are JSON");
        Likeness {
            flow: text_of_flow(flow),
            tcp: self.tcp(flow.tcp.as_ref()),
            hosts: [self.host(0, flow.source), self.host(1, flow.sink)],
            hops: self.hops(flow),
            found: without_numbers(&found),
        }
    }

    fn tcp(&mut self, tcp: Option<&'s Tcp>) -> Arc<str> {
        if let Some((before, text)) = &self.tcp
            && *before == tcp
        {
            return Arc::clone(text);
        }
        let text: Arc<str> = tcp.map_or_else(String::new, text_of::<Tcp>).into();
        self.tcp = Some((tcp, Arc::clone(&text)));
        text
    }

    fn host(&mut self, end: usize, host: usize) -> Arc<str> {
        let host = &self.scenario.hosts[host];
        if let Some((before, text)) = &self.hosts[end]
            && *before == &(Host { name: before.name.clone(), ..host.clone() })
        {
            return Arc::clone(text);
        }
        let text: Arc<str> = text_of::<Host>(host).into();
        self.hosts[end] = Some((host, Arc::clone(&text)));
        text
    }

    fn hops(&mut self, flow: &Flow) -> BTreeMap<Arc<str>, Arc<str>> {
        let mut hops = BTreeMap::new();
        for (place, &link) in flow.path.iter().chain(&flow.reverse_path).enumerate() {
            if place == self.hops.len() {
                self.hops.push(None);
            }
            let before = &mut self.hops[place];
            let same = before.take().filter(|before| before.is_of(&self.scenario.links[link]));
            let hop = before.insert(same.unwrap_or_else(|| Hop::new(self.scenario, link)));
            hops.extend(hop.settings.iter().cloned());
        }
        hops
    }
}

impl<'s> Hop<'s> {
    fn new(scenario: &'s Scenario, at: usize) -> Self {
        let link = &scenario.links[at];
        let settings = settings_of_hop(scenario, at);
        let settings = settings.map(|(name, text)| (name.into(), without_numbers(&text).into()));
        Self { link, shape: without_numbers(&link.name), settings: settings.collect() }
    }

    /// True if a link has the same settings: its name differs in numbers alone, and it leads to the
    /// same node, or to any host.
    fn is_of(&self, link: &Link) -> bool {
        let leads_alike = match (self.link.to, link.to) {
            (NodeRef::Host(_), NodeRef::Host(_)) => true,
            (one, other) => one == other,
        };
        leads_alike
            && self.link.carries == link.carries
            && self.link.delay == link.delay
            && self.link.capacity == link.capacity
            && self.link.impairments == link.impairments
            && self.shape == without_numbers(&link.name)
    }
}

/// Keys of the flow's own section. What follows from the service, the circuit and the pacing stands
/// in their place.
fn text_of_flow(flow: &Flow) -> String {
    let mut entries = Entries::new();
    <FlowSection as Part>::write(flow, &mut entries);
    entries.retain(|(key, _)| !["service", "vc"].contains(key));
    let pacing = |pacing: &FlowPacing| (pacing.rate, pacing.paces);
    let pacing = flow.pace.as_deref().map(pacing);
    let mut text = text_of_entries(&entries);
    write!(text, "{:?} {:?} {pacing:?}", flow.service, flow.vc).expect("a string takes all");
    without_numbers(&text)
}

fn text_of<P: Part<Value = P>>(part: &P) -> String {
    let mut entries = Entries::new();
    P::write(part, &mut entries);
    without_numbers(&text_of_entries(&entries))
}

fn text_of_entries(entries: &Entries) -> String {
    entries.iter().flat_map(|(key, value)| [key, " = ", value.as_str(), "\n"]).collect()
}
