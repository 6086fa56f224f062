//! A scenario as text that reads back to the same scenario.

use std::collections::BTreeMap;

use super::resolved::{Laboratory, LinkSection, Named, Scenario, ScenarioFile};
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

/// Enters the keys of a table, `path` before each.
fn flatten(path: &str, table: &toml::Table, settings: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            toml::Value::Table(inner) if !inner.is_empty() => flatten(&path, inner, settings),
            _ => {
                settings.insert(path, value.to_string());
            }
        }
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

    /// Keys of the resolved scenario by their paths, each with its value as TOML.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let table: toml::Table = self.to_toml().parse().expect("a resolved scenario is TOML");
        let mut settings = BTreeMap::new();
        flatten("", &table, &mut settings);
        settings
    }

    /// The file of the same scenario, with a section for every member of a family.
    pub fn to_file(&self) -> ScenarioFile {
        let own = self.hosts.len() - self.proxy_hosts();
        let hosts = self.hosts[..own].iter().map(|host| Named::new(&host.name, None, host.clone()));
        let switches = self.switches.iter();
        let switches = switches.map(|switch| Named::new(&switch.name, None, switch.clone()));
        let edges = self.edges.iter().map(|edge| Named::new(&edge.name, None, edge.clone()));
        let vcs = self.vcs.iter().map(|vc| Named::new(&vc.name, None, vc.section.clone()));
        let flows = self.flows.iter().filter(|flow| flow.is_in_file());
        let flows = flows.map(|flow| Named::new(&flow.name, None, flow.written().clone()));
        let proxies = self.proxies.iter();
        let proxies = proxies.map(|proxy| Named::new(&proxy.name, None, proxy.section.clone()));
        ScenarioFile {
            run: self.run.clone(),
            host: hosts.collect(),
            switch: switches.collect(),
            edge: edges.collect(),
            link: self.link_sections(),
            vc: vcs.collect(),
            flow: flows.collect(),
            proxy: proxies.collect(),
            observe: self.observe.clone(),
            lab: Laboratory,
        }
    }

    /// Number of hosts that are proxies: the last ones.
    fn proxy_hosts(&self) -> usize {
        self.proxies.iter().filter(|proxy| proxy.host.is_some()).count()
    }

    /// Sections of the links; neighbours of one name are the two directions of one duplex link.
    fn link_sections(&self) -> Vec<Named<LinkSection>> {
        let own = self.links.len() - 2 * self.proxy_hosts();
        let links = (0..own).filter(|&link| !self.is_second_direction(link));
        let sections = links.map(|link| (*self.links[link].section).clone());
        sections.map(|section| Named::new(section.name.clone(), None, section)).collect()
    }
}
