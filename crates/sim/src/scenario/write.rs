//! A scenario as text that reads back to the same scenario.

use super::resolved::{
    Carriage, Ends, Flow, FlowSection, LinkSection, Named, PacingSection, Scenario, ScenarioFile,
    Vc, VcSection,
};
use crate::language::part::Part;

impl ScenarioFile {
    /// The file as TOML, every default written out.
    pub fn to_toml(&self) -> String {
        let (mut text, mut tables) = (String::new(), Vec::new());
        Self::write_tables(self, &mut tables);
        for table in tables {
            text.push('\n');
            table.write(&table.header, &mut text);
        }
        text
    }
}

impl Scenario {
    /// The scenario as TOML: families expanded, every default written out.
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "# Resolved scenario; families are expanded and defaults written out.\n\
             # cellway {}, seed {}\n",
            env!("CARGO_PKG_VERSION"),
            self.run.seed
        );
        text.push_str(&self.to_file().to_toml());
        text
    }

    /// The file of the same scenario, with a section for every member of a family.
    pub fn to_file(&self) -> ScenarioFile {
        let hosts = self.hosts.iter().map(|host| Named::new(&host.name, None, host.clone()));
        let switches = self.switches.iter();
        let switches = switches.map(|switch| Named::new(&switch.name, None, switch.clone()));
        let edges = self.edges.iter().map(|edge| Named::new(&edge.name, None, edge.clone()));
        ScenarioFile {
            run: self.run.clone(),
            host: hosts.collect(),
            switch: switches.collect(),
            edge: edges.collect(),
            link: self.link_sections(),
            vc: self.vc_sections(),
            flow: self.flow_sections(),
            observe: self.observe.clone(),
        }
    }

    /// Sections of the links; neighbours of one name are the two directions of one duplex link.
    fn link_sections(&self) -> Vec<Named<LinkSection>> {
        let mut sections = Vec::new();
        let mut links = self.links.iter().peekable();
        while let Some(link) = links.next() {
            let names = [link.from, link.to].map(|node| self.name_of(node).to_owned());
            let is_duplex = links.next_if(|next| next.name == link.name).is_some();
            let section = LinkSection {
                name: link.name.clone(),
                ends: if is_duplex { Ends::Between(names) } else { Ends::FromTo(names) },
                carries: link.carries,
                delay: link.delay.clone(),
                capacity: link.capacity.clone(),
                impairments: link.impairments.clone(),
            };
            sections.push(Named::new(&link.name, None, section));
        }
        sections
    }

    fn vc_sections(&self) -> Vec<Named<VcSection>> {
        let section = |vc: &Vc| VcSection {
            name: vc.name.clone(),
            between: vc.between.map(|edge| self.edges[edge].name.clone()),
            service: vc.service,
        };
        self.vcs.iter().map(|vc| Named::new(&vc.name, None, section(vc))).collect()
    }

    fn flow_sections(&self) -> Vec<Named<FlowSection>> {
        let section = |flow: &Flow| FlowSection {
            name: flow.name.clone(),
            from: self.hosts[flow.from].name.clone(),
            to: self.hosts[flow.to].name.clone(),
            start: flow.start,
            stop: flow.stop,
            traffic: flow.traffic.clone(),
            carried: match flow.vc {
                Some(vc) => Carriage::Shared(self.vcs[vc].name.clone()),
                None => Carriage::Own(flow.service),
            },
            tcp: flow.tcp.clone(),
            pacing: flow.pacing.as_deref().map(|pacing| PacingSection {
                link: self.links[pacing.link].name.clone(),
                paces: pacing.paces,
                rate: pacing.rate,
                interval: pacing.interval,
                delay: Some(pacing.delay),
                sharers: Some(pacing.sharers),
                buffer: pacing.buffer,
            }),
        };
        self.flows.iter().map(|flow| Named::new(&flow.name, None, section(flow))).collect()
    }
}
