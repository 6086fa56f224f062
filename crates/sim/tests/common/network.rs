//! Networks of tests in a few words: nodes and links by name, and the keys that a test is about.

use std::ops::Deref;

/// The text of a scenario, section by section.
#[derive(Clone)]
pub(crate) struct Network(String);

impl Network {
    /// A run of this length without random phases.
    pub(crate) fn lasting(duration: &str) -> Self {
        Self(format!("[run]\nduration = \"{duration}\"\nphase = \"none\"\n"))
    }

    /// Hosts `a` and `b` at the two ends of the link `wire`.
    pub(crate) fn wire(duration: &str, rate: &str, delay: &str) -> Self {
        let hosts = Self::lasting(duration).host("a").host("b");
        hosts.link("wire", ["a", "b"], rate, delay)
    }

    /// Hosts `a` and `b` with a switch `s` between them; the links `in` and `out` have these rates
    /// and this delay.
    pub(crate) fn line(duration: &str, [first, second]: [&str; 2], delay: &str) -> Self {
        let nodes = Self::lasting(duration).host("a").host("b").switch("s");
        nodes.link("in", ["a", "s"], first, delay).link("out", ["s", "b"], second, delay)
    }

    /// With random phases after all.
    pub(crate) fn with_random_phases(self) -> Self {
        Self(self.0.replace("phase = \"none\"\n", ""))
    }

    pub(crate) fn host(self, name: &str) -> Self {
        self.section(&format!("host.{name}"), "")
    }

    pub(crate) fn switch(self, name: &str) -> Self {
        self.section(&format!("switch.{name}"), "")
    }

    pub(crate) fn edge(self, name: &str) -> Self {
        self.section(&format!("edge.{name}"), "")
    }

    /// A link in both directions; a rate of the line is one of packets.
    pub(crate) fn link(self, name: &str, [one, other]: [&str; 2], rate: &str, delay: &str) -> Self {
        let carries = if rate.ends_with("of line") { "packets" } else { "cells" };
        let keys = format!(
            "between = [\"{one}\", \"{other}\"]\nrate = \"{rate}\"\ndelay = \"{delay}\"\ncarries = \
             \"{carries}\""
        );
        self.section(&format!("link.{name}"), &keys)
    }

    /// A flow with its traffic, transport and service.
    pub(crate) fn flow(self, name: &str, [from, to]: [&str; 2], keys: &str) -> Self {
        let keys = format!("from = \"{from}\"\nto = \"{to}\"\n{keys}");
        self.section(&format!("flow.{name}"), &keys)
    }

    /// A circuit between two edges that flows share.
    pub(crate) fn circuit(self, name: &str, [one, other]: [&str; 2], keys: &str) -> Self {
        let keys = format!("between = [\"{one}\", \"{other}\"]\n{keys}");
        self.section(&format!("vc.{name}"), &keys)
    }

    /// A flow that always has data, and the keys of its `tcp`.
    pub(crate) fn greedy(self, name: &str, ends: [&str; 2], tcp: &str) -> Self {
        self.flow(name, ends, &format!("traffic = \"greedy\"\ntcp = {{ {tcp} }}"))
    }

    /// Cells from `a` to `b` at a constant rate.
    pub(crate) fn cbr(self, rate: &str) -> Self {
        self.flow("cbr", ["a", "b"], &format!("traffic.cbr.rate = \"{rate}\""))
    }

    /// Series, and on which grid.
    pub(crate) fn observe(self, series: &str, interval: &str) -> Self {
        let keys = format!("series = [\"{series}\"]\ninterval = \"{interval}\"");
        self.section("observe", &keys)
    }

    /// Keys of a section that is there.
    #[track_caller]
    pub(crate) fn at(self, section: &str, keys: &str) -> Self {
        let head = format!("[{section}]\n");
        assert!(self.0.contains(&head), "no section {section}:\n{}", self.0);
        Self(self.0.replace(&head, &format!("{head}{keys}\n")))
    }

    pub(crate) fn section(self, head: &str, keys: &str) -> Self {
        Self(format!("{}[{head}]\n{keys}\n", self.0))
    }
}

impl Deref for Network {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
