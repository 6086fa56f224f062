//! A resolved scenario as text that reads back to the same scenario.

use std::fmt::{self, Write};

use super::resolved::{
    Carries, Distributions, Edge, Flow, Host, Link, Observe, RunControl, Sampling, Sar, Scenario,
    Switch, Tcp, Traffic, Vc,
};
use crate::language::part::{Entries, Part, Value};
use crate::language::preset::Preset;
use crate::units::{Layer, LayeredRate, Rate};

impl Scenario {
    /// The scenario as TOML: families expanded, every default written out.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        self.write_toml(&mut text).expect("writing to a string cannot fail");
        text
    }

    fn write_toml(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "# Resolved scenario; families are expanded and defaults written out.")?;
        writeln!(out, "# cellway {}, seed {}", env!("CARGO_PKG_VERSION"), self.run.seed)?;
        write_run(out, &self.run)?;
        self.hosts.iter().try_for_each(|host| write_host(out, host))?;
        self.switches.iter().try_for_each(|switch| write_switch(out, switch))?;
        self.edges.iter().try_for_each(|edge| write_edge(out, edge))?;
        self.write_links(out)?;
        self.vcs.iter().try_for_each(|vc| self.write_vc(out, vc))?;
        self.flows.iter().try_for_each(|flow| self.write_flow(out, flow))?;
        self.observe.iter().try_for_each(|observe| write_observe(out, observe))
    }

    /// Neighbours of one name are the two directions of one duplex link.
    fn write_links(&self, out: &mut String) -> fmt::Result {
        let mut links = self.links.iter().peekable();
        while let Some(link) = links.next() {
            let duplex = links.next_if(|next| next.name == link.name).is_some();
            self.write_link(out, link, duplex)?;
        }
        Ok(())
    }

    fn write_link(&self, out: &mut String, link: &Link, duplex: bool) -> fmt::Result {
        let (from, to) = (self.name_of(link.from), self.name_of(link.to));
        writeln!(out, "\n[link.\"{}\"]", link.name)?;
        if duplex {
            writeln!(out, "between = [\"{from}\", \"{to}\"]")?;
        } else {
            writeln!(out, "from = \"{from}\"\nto = \"{to}\"")?;
        }
        match link.carries {
            Carries::Cells { line_rate, cell_rate } => {
                match Preset::with_rates(line_rate, cell_rate) {
                    Some(preset) => writeln!(out, "rate = \"{}\"", preset.name)?,
                    None => writeln!(out, "rate = \"{}\"", layered(cell_rate, Layer::Cell))?,
                }
            }
            Carries::Packets { line_rate, overhead } => {
                writeln!(out, "rate = \"{}\"", layered(line_rate, Layer::Line))?;
                writeln!(out, "carries = {{ packets = {{ overhead = \"{overhead}\" }} }}")?;
            }
        }
        writeln!(out, "delay = \"{}\"", link.delay)
    }

    fn write_flow(&self, out: &mut String, flow: &Flow) -> fmt::Result {
        writeln!(out, "\n[flow.\"{}\"]", flow.name)?;
        writeln!(out, "from = \"{}\"", self.hosts[flow.from].name)?;
        writeln!(out, "to = \"{}\"", self.hosts[flow.to].name)?;
        writeln!(out, "start = {}", flow.start.write())?;
        flow.stop.iter().try_for_each(|stop| writeln!(out, "stop = {}", stop.write()))?;
        match &flow.traffic {
            Traffic::Greedy => writeln!(out, "traffic = \"greedy\"")?,
            Traffic::Ttcp { write, total } => {
                let total = total.map(|total| format!(", total = \"{total}\"")).unwrap_or_default();
                writeln!(out, "traffic = {{ ttcp = {{ write = \"{write}\"{total} }} }}")?;
            }
            Traffic::Cbr { cell_rate } => write_source(out, "cbr", *cell_rate)?,
            Traffic::Poisson { cell_rate } => write_source(out, "poisson", *cell_rate)?,
            Traffic::OnOff { cell_rate, period, duty_cycle } => {
                let rate = layered(*cell_rate, Layer::Cell);
                let burst =
                    format!("rate = \"{rate}\", period = \"{period}\", duty_cycle = {duty_cycle}");
                writeln!(out, "traffic = {{ on_off = {{ {burst} }} }}")?;
            }
            Traffic::ExponentialOnOff { cell_rate, on, off } => {
                let rate = layered(*cell_rate, Layer::Cell);
                let burst = format!("rate = \"{rate}\", on = \"{on}\", off = \"{off}\"");
                writeln!(out, "traffic = {{ exponential_on_off = {{ {burst} }} }}")?;
            }
        }
        match flow.vc {
            Some(vc) => writeln!(out, "vc = \"{}\"", self.vcs[vc].name)?,
            None => writeln!(out, "service = {}", flow.service.write())?,
        }
        flow.tcp.iter().try_for_each(|tcp| write_tcp(out, &flow.name, tcp))
    }

    fn write_vc(&self, out: &mut String, vc: &Vc) -> fmt::Result {
        let [from, to] = vc.between.map(|edge| &self.edges[edge].name);
        writeln!(out, "\n[vc.\"{}\"]\nbetween = [\"{from}\", \"{to}\"]", vc.name)?;
        writeln!(out, "service = {}", vc.service.write())
    }
}

fn write_run(out: &mut String, run: &RunControl) -> fmt::Result {
    writeln!(out, "\n[run]")?;
    writeln!(out, "duration = \"{}\"", run.duration)?;
    writeln!(out, "warm_up = \"{}\"", run.warm_up)?;
    writeln!(out, "seed = {}", run.seed)?;
    writeln!(out, "phase = \"{}\"", run.phase.word())
}

fn write_host(out: &mut String, host: &Host) -> fmt::Result {
    writeln!(out, "\n[host.\"{}\"]", host.name)?;
    writeln!(out, "cpu_per_segment = {}", host.cpu_per_segment.write())?;
    writeln!(out, "ack_cost = \"{}\"", host.ack_cost.word())?;
    writeln!(out, "cpu_order = \"{}\"", host.cpu_order.word())?;
    match host.sar {
        Sar::PerCell(span) => writeln!(out, "sar = {{ per_cell = \"{span}\" }}"),
        Sar::PerFrame(span) => writeln!(out, "sar = {{ per_frame = \"{span}\" }}"),
    }
}

fn write_switch(out: &mut String, switch: &Switch) -> fmt::Result {
    writeln!(out, "\n[switch.\"{}\"]", switch.name)?;
    writeln!(out, "delay = \"{}\"", switch.delay)?;
    writeln!(out, "buffer = {}", switch.buffer.write())?;
    writeln!(out, "in_service = \"{}\"", switch.in_service.word())?;
    writeln!(out, "drop = {}", switch.drop.write())?;
    let class_buffers = [("vbr_buffer", switch.vbr_buffer), ("abr_buffer", switch.abr_buffer)];
    for (key, buffer) in class_buffers {
        buffer.iter().try_for_each(|buffer| writeln!(out, "{key} = {}", buffer.write()))?;
    }
    writeln!(out, "rate_allocator = {}", switch.rate_allocator.write())?;
    writeln!(out, "scheduler = {}", switch.scheduler.write())
}

fn write_edge(out: &mut String, edge: &Edge) -> fmt::Result {
    writeln!(out, "\n[edge.\"{}\"]", edge.name)?;
    writeln!(out, "delay = \"{}\"", edge.delay)?;
    writeln!(out, "buffer = {}", edge.buffer.write())?;
    writeln!(out, "drop = {}", edge.drop.write())
}

fn write_source(out: &mut String, variant: &str, cell_rate: Rate) -> fmt::Result {
    writeln!(
        out,
        "traffic = {{ {variant} = {{ rate = \"{}\" }} }}",
        layered(cell_rate, Layer::Cell)
    )
}

fn write_tcp(out: &mut String, flow: &str, tcp: &Tcp) -> fmt::Result {
    writeln!(out, "[flow.\"{flow}\".tcp]")?;
    write_part::<Tcp>(out, tcp)
}

/// The keys of a section, a line each.
fn write_part<P: Part>(out: &mut String, value: &P::Value) -> fmt::Result {
    let mut entries = Entries::new();
    P::write(value, &mut entries);
    entries.iter().try_for_each(|(key, value)| writeln!(out, "{key} = {value}"))
}

fn write_observe(out: &mut String, observe: &Observe) -> fmt::Result {
    let series: Vec<String> =
        observe.series.iter().map(|one| format!("\"{}\"", one.word())).collect();
    writeln!(out, "\n[observe]\nseries = [{}]", series.join(", "))?;
    match observe.sampling {
        Sampling::Every(span) => writeln!(out, "interval = \"{span}\"")?,
        Sampling::OnChange => writeln!(out, "interval = \"change\"")?,
    }
    writeln!(out, "limit = {}", observe.limit)?;
    let Distributions { ports, flows } = &observe.distributions;
    let named = [("ports", ports), ("flows", flows)]
        .into_iter()
        .filter(|(_, patterns)| !patterns.is_empty());
    let lists = named.map(|(key, patterns)| {
        let patterns: Vec<String> =
            patterns.iter().map(|pattern| format!("\"{pattern}\"")).collect();
        format!("{key} = [{}]", patterns.join(", "))
    });
    match lists.collect::<Vec<_>>().join(", ").as_str() {
        "" => Ok(()),
        lists => writeln!(out, "distributions = {{ {lists} }}"),
    }
}

fn layered(rate: Rate, layer: Layer) -> LayeredRate {
    LayeredRate { rate, layer }
}
