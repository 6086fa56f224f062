//! Connections of a flow between its hosts and the proxies that it crosses.

use crate::engine::RandomSpan;
use crate::scenario::resolve::proxies::name_of_leg;
use crate::scenario::resolved::{
    Carriage, Flow, FlowRelay, FlowSection, Leg, ProxyBuffer, Scenario, Service, Tcp, Traffic, Ubr,
};
use crate::tcp::ReaderPlan;
use crate::traffic::RelayPlan;
use crate::units::Span;

/// A flow at a proxy, with the positions on its two paths of the links that lead there.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    pub(super) proxy: usize,
    pub(super) there: usize,
    pub(super) back: usize,
}

/// Splits a flow into a connection to the first proxy, which keeps its name and number, one from
/// each proxy to the next, and one from the last to its receiving host.
pub(super) fn split(scenario: &mut Scenario, of: usize, crossings: &[Crossing]) {
    if crossings.is_empty() {
        return;
    }
    let whole = scenario.flows[of].clone();
    let first_leg = scenario.flows.len();
    let last = first_leg + crossings.len() - 1;
    for number in 0..=crossings.len() {
        let before = number.checked_sub(1).map(|number| crossings[number]);
        let between = Between { scenario, whole: &whole, before, behind: crossings.get(number) };
        if number == 0 {
            scenario.flows[of] = between.first((of, last));
            continue;
        }
        let read = if number == 1 { of } else { first_leg + number - 2 };
        let flow = between.further((of, last), read);
        scenario.flows.push(flow);
    }
}

/// The part of a flow between two proxies, or between one and an end of the flow.
struct Between<'s> {
    scenario: &'s Scenario,
    whole: &'s Flow,
    before: Option<Crossing>,
    behind: Option<&'s Crossing>,
}

impl Between<'_> {
    /// The connection from the sending host.
    fn first(&self, place: (usize, usize)) -> Flow {
        let section = FlowSection { to: self.end_name(), ..self.whole.section.clone() };
        self.flow(section, None, place, Some(self.whole.section.clone()))
    }

    /// The connection from a proxy, which relays the one before it.
    fn further(&self, place: (usize, usize), read: usize) -> Flow {
        let proxy = self.before.map_or("", |before| &self.scenario.proxies[before.proxy].name);
        let block = RelayPlan::BLOCK;
        let of = self.scenario.flows[read].name.clone();
        let section = FlowSection {
            name: name_of_leg(&self.whole.name, proxy),
            from: proxy.to_owned(),
            to: self.end_name(),
            start: RandomSpan::Fixed(Span::ZERO),
            stop: None,
            traffic: Traffic::Relay(RelayPlan { of, over: None, block }),
            ..self.whole.section.clone()
        };
        let relay = FlowRelay {
            of: vec![read],
            over: None,
            block: block.0,
            opens_on_data: true,
            answers: self.whole.traffic.has_responses(),
        };
        self.flow(section, Some(Box::new(relay)), place, None)
    }

    fn flow(
        &self,
        section: FlowSection,
        relay: Option<Box<FlowRelay>>,
        (of, last): (usize, usize),
        whole: Option<FlowSection>,
    ) -> Flow {
        let [path, reverse_path] = self.paths();
        let tcp = self.tcp(&path);
        let leg = Leg {
            of,
            last,
            hosts: [self.whole.source, self.whole.sink],
            ends: [self.tcp_at(&tcp, self.before), self.tcp_at(&tcp, self.behind.copied())],
            name: self.whole.name.clone(),
            section: whole,
        };
        let service = self.service(&path);
        let host = |at: &Crossing| Some(self.scenario.proxies[at.proxy].host?.index);
        Flow {
            source: self.before.as_ref().and_then(host).unwrap_or(self.whole.source),
            sink: self.behind.and_then(host).unwrap_or(self.whole.sink),
            section: FlowSection { tcp: Some(tcp), carried: Carriage::Own(service), ..section },
            service,
            relay,
            leg: Some(Box::new(leg)),
            path,
            reverse_path,
            ..self.whole.clone()
        }
    }

    fn end_name(&self) -> String {
        let proxy = |crossing: &Crossing| self.scenario.proxies[crossing.proxy].name.clone();
        self.behind.map_or_else(|| self.whole.to.clone(), proxy)
    }

    /// Its links, there and back.
    fn paths(&self) -> [Vec<usize>; 2] {
        let Self { whole, before, behind, .. } = self;
        let from = |at: Option<usize>| at.map_or(0, |at| at + 1);
        let there =
            from(before.map(|one| one.there))..behind.map_or(whole.path.len(), |one| one.there + 1);
        let back = from(behind.map(|one| one.back))
            ..before.map_or(whole.reverse_path.len(), |one| one.back + 1);
        let before = before.map(|one| self.links_of(one.proxy));
        let behind = behind.map(|one| self.links_of(one.proxy));
        let joined = |first: Option<usize>, links: &[usize], last: Option<usize>| {
            first.into_iter().chain(links.iter().copied()).chain(last).collect()
        };
        [
            joined(before.map(|[_, out]| out), &whole.path[there], behind.map(|[to, _]| to)),
            joined(behind.map(|[_, out]| out), &whole.reverse_path[back], before.map(|[to, _]| to)),
        ]
    }

    /// Links to a proxy and from it.
    fn links_of(&self, proxy: usize) -> [usize; 2] {
        let host = self.scenario.proxies[proxy].host.expect("it splits flows");
        [host.link, host.link + 1]
    }

    /// TCP of the link that it crosses, or of the proxy that opens it, or of the flow.
    fn tcp(&self, path: &[usize]) -> Tcp {
        let proxies = &self.scenario.proxies;
        let ends = [self.before.as_ref(), self.behind].into_iter().flatten();
        let over_link = ends.map(|crossing| &proxies[crossing.proxy]).find_map(|proxy| {
            let crosses = |link: &str| path.iter().any(|&on| self.scenario.links[on].name == link);
            proxy.link_tcp.as_ref().filter(|_| proxy.link.as_deref().is_some_and(crosses))
        });
        let opener = || self.before.and_then(|before| proxies[before.proxy].tcp.as_ref());
        let of_flow = || self.whole.tcp.as_ref();
        let tcp = over_link.or_else(opener).or_else(of_flow).expect("only TCP is split");
        tcp.clone().in_packets_of(self.whole.ip)
    }

    /// Configuration at an end: buffer and reader are a host's own, or the proxy's.
    fn tcp_at(&self, tcp: &Tcp, at: Option<Crossing>) -> Tcp {
        let Some(Crossing { proxy, .. }) = at else {
            let own = self.whole.tcp.as_ref().expect("only TCP is split");
            return Tcp { send_buffer: own.send_buffer, reader: own.reader, ..tcp.clone() };
        };
        let send_buffer = match self.scenario.proxies[proxy].buffer {
            ProxyBuffer::PerConnection(bytes) => Some(bytes),
            ProxyBuffer::SendBuffer | ProxyBuffer::Shared(_) => tcp.send_buffer,
        };
        Tcp { send_buffer, reader: ReaderPlan::AtOnce, ..tcp.clone() }
    }

    /// The flow's service; a guaranteed one is for cells alone.
    fn service(&self, path: &[usize]) -> Service {
        let service = self.whole.service;
        let has_cells = path.iter().any(|&link| self.scenario.links[link].is_of_cells());
        if has_cells || service.minimum_rate().is_none() {
            return service;
        }
        Service::Ubr(Ubr { pace: None })
    }
}
