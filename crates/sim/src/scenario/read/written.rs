//! A scenario as written: every value read and in range, nothing yet expanded, connected or
//! compared.

use std::ops::Range;

use toml::de::DeTable;

use crate::language::family::{Named, in_place};
use crate::language::fault::{At, Fault};
use crate::language::part::Part;
use crate::language::tree::Section;
use crate::scenario::language::sections::SCENARIO;
use crate::scenario::read::variants::{Words, link_carries};
use crate::scenario::resolved::{
    Buffer, Carries, Distributions, Edge, Host, Observe, Quantity, RandomSpan, RunControl,
    Sampling, Service, Switch, Tcp, Traffic,
};
use crate::units::Span;

/// The whole file.
pub(crate) struct Written {
    pub(crate) run: RunControl,
    pub(crate) duration_at: Range<usize>,
    pub(crate) warm_up_at: Range<usize>,
    pub(crate) hosts: Vec<Named<Host>>,
    pub(crate) switches: Vec<Named<WrittenSwitch>>,
    pub(crate) edges: Vec<Named<WrittenEdge>>,
    pub(crate) links: Vec<Named<WrittenLink>>,
    pub(crate) vcs: Vec<Named<WrittenVc>>,
    pub(crate) flows: Vec<Named<WrittenFlow>>,
    pub(crate) observe: Option<Observe>,
    /// The patterns of `observe` again, where they stand.
    pub(crate) distributions: WrittenDistributions,
}

#[derive(Clone)]
pub(crate) struct WrittenSwitch {
    pub(crate) switch: Switch,
    pub(crate) buffer_at: Range<usize>,
    pub(crate) drop_at: Range<usize>,
    pub(crate) scheduler_at: Range<usize>,
    pub(crate) rate_allocator_at: Range<usize>,
}

#[derive(Clone)]
pub(crate) struct WrittenEdge {
    pub(crate) edge: Edge,
    pub(crate) buffer_at: Range<usize>,
    pub(crate) drop_at: Range<usize>,
}

#[derive(Clone)]
pub(crate) struct WrittenVc {
    pub(crate) between: [At<String>; 2],
    pub(crate) service: At<Service>,
}

#[derive(Clone)]
pub(crate) struct WrittenLink {
    pub(crate) ends: [At<String>; 2],
    pub(crate) duplex: bool,
    pub(crate) delay: At<Span>,
    pub(crate) carries: Carries,
}

#[derive(Clone)]
pub(crate) struct WrittenFlow {
    pub(crate) from: At<String>,
    pub(crate) to: At<String>,
    pub(crate) start: At<RandomSpan>,
    pub(crate) stop: Option<At<RandomSpan>>,
    pub(crate) traffic: At<Traffic>,
    pub(crate) service: At<Service>,
    pub(crate) vc: Option<At<String>>,
    pub(crate) tcp: Option<At<Tcp>>,
}

#[derive(Default)]
pub(crate) struct WrittenDistributions {
    pub(crate) ports: Vec<At<String>>,
    pub(crate) flows: Vec<At<String>>,
}

impl Written {
    pub(crate) fn read(text: &str) -> Result<Self, Fault> {
        let root = DeTable::parse(text).map_err(|error| syntax(&error))?;
        let file = Section::of_table(root.get_ref(), SCENARIO, "", &(0..0))?;
        let run = file.section("run")?.expect("`run` is required");
        let control = run_control(&run)?;
        let observe = file.section("observe")?;
        Ok(Self {
            duration_at: run.spanned::<Span>("duration")?.at,
            warm_up_at: run.spanned::<Span>("warm_up")?.at,
            hosts: all(&file, "host", host)?,
            switches: all(&file, "switch", switch)?,
            edges: all(&file, "edge", edge)?,
            links: all(&file, "link", link)?,
            vcs: all(&file, "vc", vc)?,
            flows: all(&file, "flow", flow)?,
            distributions: observe.as_ref().map(distributions).transpose()?.unwrap_or_default(),
            observe: observe.map(|section| read_observe(&section, control.duration)).transpose()?,
            run: control,
        })
    }
}

/// What the TOML parser objects to, in one line.
fn syntax(error: &toml::de::Error) -> Fault {
    let message = error.message().lines().collect::<Vec<_>>().join(" ");
    let message = match message.as_str() {
        "duplicate key" => "duplicate key; each name may stand once".to_owned(),
        _ => format!("not valid TOML: {message}"),
    };
    Fault::new(&error.span().unwrap_or(0..0), message)
}

fn all<T: Clone>(
    file: &Section<'_>,
    kind: &str,
    read: impl Fn(&Section<'_>) -> Result<T, Fault>,
) -> Result<Vec<Named<T>>, Fault> {
    let mut sections = Vec::new();
    for (name, section) in file.named(kind)? {
        let count: Option<At<u64>> = section.written("count")?;
        let numbers = 1..count.as_ref().map_or(1, |count| count.value) + 1;
        sections.push(Named { name, count, numbers, body: read(&section)? });
    }
    Ok(in_place(sections))
}

fn run_control(run: &Section<'_>) -> Result<RunControl, Fault> {
    Ok(RunControl {
        duration: run.value("duration")?,
        warm_up: run.value("warm_up")?,
        seed: run.value("seed")?,
        phase: run.value("phase")?,
    })
}

fn host(section: &Section<'_>) -> Result<Host, Fault> {
    Ok(Host {
        name: String::new(),
        cpu_per_segment: section.value("cpu_per_segment")?,
        ack_cost: section.value("ack_cost")?,
        cpu_order: section.value("cpu_order")?,
        sar: section.value("sar")?,
    })
}

fn switch(section: &Section<'_>) -> Result<WrittenSwitch, Fault> {
    let buffer = section.spanned("buffer")?;
    let drop = section.spanned("drop")?;
    let scheduler = section.spanned("scheduler")?;
    let rate_allocator = section.spanned("rate_allocator")?;
    let of_class = |key: &str| {
        section.written(key).map(|found: Option<At<Buffer>>| found.map(|found| found.value))
    };
    let switch = Switch {
        name: String::new(),
        delay: section.value("delay")?,
        buffer: buffer.value,
        in_service: section.value("in_service")?,
        drop: drop.value,
        vbr_buffer: of_class("vbr_buffer")?,
        abr_buffer: of_class("abr_buffer")?,
        rate_allocator: rate_allocator.value,
        scheduler: scheduler.value,
    };
    Ok(WrittenSwitch {
        switch,
        buffer_at: buffer.at,
        drop_at: drop.at,
        scheduler_at: scheduler.at,
        rate_allocator_at: rate_allocator.at,
    })
}

fn edge(section: &Section<'_>) -> Result<WrittenEdge, Fault> {
    let buffer = section.spanned("buffer")?;
    let drop = section.spanned("drop")?;
    let edge = Edge {
        name: String::new(),
        delay: section.value("delay")?,
        buffer: buffer.value,
        drop: drop.value,
    };
    Ok(WrittenEdge { edge, buffer_at: buffer.at, drop_at: drop.at })
}

fn vc(section: &Section<'_>) -> Result<WrittenVc, Fault> {
    let between = section.written("between")?.expect("`between` is required");
    Ok(WrittenVc { between: between.value, service: section.spanned("service")? })
}

fn link(section: &Section<'_>) -> Result<WrittenLink, Fault> {
    let (ends, duplex) = ends(section)?;
    let distance = section.written("distance")?;
    let delay = section.written("delay")?.or(distance);
    let delay = delay.ok_or_else(|| neither(section, "`delay` or `distance`"))?;
    let rate = section.spanned("rate")?;
    let carries = link_carries(&rate, section.value("carries")?, section.place())?;
    Ok(WrittenLink { ends, duplex, delay, carries })
}

fn ends(section: &Section<'_>) -> Result<([At<String>; 2], bool), Fault> {
    let between: Option<At<[At<String>; 2]>> = section.written("between")?;
    let from: Option<At<String>> = section.written("from")?;
    let to: Option<At<String>> = section.written("to")?;
    match (between, from, to) {
        (Some(between), None, None) => Ok((between.value, true)),
        (None, Some(from), Some(to)) => Ok(([from, to], false)),
        (Some(_), _, Some(to)) => {
            let message =
                format!("`{}` has both `between` and `to`; expected one of them", section.place());
            Err(Fault::new(&to.at, message))
        }
        (None, None, None) => Err(neither(section, "`between`, or `from` and `to`")),
        (_, Some(_), None) => Err(neither(section, "`to` beside `from`")),
        (_, None, Some(_)) => Err(neither(section, "`from` beside `to`")),
    }
}

fn neither(section: &Section<'_>, expected: &str) -> Fault {
    Fault::new(section.at(), format!("missing key in `{}`; expected {expected}", section.place()))
}

fn flow(section: &Section<'_>) -> Result<WrittenFlow, Fault> {
    let tcp = section.section("tcp")?;
    Ok(WrittenFlow {
        from: section.spanned("from")?,
        to: section.spanned("to")?,
        start: section.spanned("start")?,
        stop: section.written("stop")?,
        traffic: section.spanned("traffic")?,
        service: section.spanned("service")?,
        vc: section.written("vc")?,
        tcp: tcp
            .map(|tcp| Tcp::read(&tcp).map(|value| At { value, at: tcp.at().clone() }))
            .transpose()?,
    })
}

fn read_observe(section: &Section<'_>, duration: Span) -> Result<Observe, Fault> {
    let series: Option<At<Words<Quantity>>> = section.written("series")?;
    let interval: Option<At<Sampling>> = section.written("interval")?;
    let thousandth = Span::from_picoseconds((duration.picoseconds() / 1000).max(1));
    let WrittenDistributions { ports, flows } = distributions(section)?;
    let patterns =
        |written: Vec<At<String>>| written.into_iter().map(|pattern| pattern.value).collect();
    Ok(Observe {
        distributions: Distributions { ports: patterns(ports), flows: patterns(flows) },
        series: series.map_or_else(|| Quantity::USUAL.to_vec(), |found| found.value.0),
        sampling: interval.map_or(Sampling::Every(thousandth), |found| found.value),
        limit: section.value::<u64>("limit")? as usize,
    })
}

fn distributions(observe: &Section<'_>) -> Result<WrittenDistributions, Fault> {
    let Some(section) = observe.section("distributions")? else {
        return Ok(WrittenDistributions::default());
    };
    let patterns =
        |key| Ok(section.written(key)?.map_or_else(Vec::new, |found: At<Vec<_>>| found.value));
    Ok(WrittenDistributions { ports: patterns("ports")?, flows: patterns("flows")? })
}
