//! Output ports of switches, and of edges onto links of packets: queues, buffers and recorders.

use super::queue_rules::QueueRules;
use super::{Assembly, PortName, buffer_management, scheduler};
use crate::atm::Class;
use crate::result::{QueueRecorder, Recorder, Window};
use crate::scenario::Quantity;
use crate::switch::{DropPolicy, Port, PortPlan, QueuePlan};
use crate::units::Span;

/// Place of a port, and the VCs that pass it.
pub(super) struct PortSite<'s> {
    /// The link behind it.
    pub(super) link: usize,
    /// Index among all ports of the scenario.
    index: usize,
    /// Name as `switch.link` or `edge.link`.
    pub(super) name: String,
    /// Unit that is counted: `cell` or `packet`.
    unit: &'static str,
    /// VCs by slot.
    pub(super) vcs: &'s [u32],
    /// Service classes by slot.
    pub(super) classes: Vec<Class>,
}

impl<'s> PortSite<'s> {
    /// The place before `link`, as the port after those in `names`, at the node `owner`.
    pub(super) fn new(
        assembly: &'s Assembly<'_>,
        owner: &str,
        link: usize,
        names: &[PortName],
    ) -> Self {
        let Assembly { scenario, wiring, .. } = assembly;
        let vcs = wiring.vcs_of_link(link);
        Self {
            link,
            index: names.len(),
            name: format!("{owner}.{}", scenario.links[link].name),
            unit: scenario.links[link].carries.unit(),
            vcs,
            classes: vcs.iter().map(|&vc| wiring.segments.of(vc).service().class()).collect(),
        }
    }

    /// The same place with all VCs in one queue.
    pub(super) fn without_classes(self) -> Self {
        Self { classes: vec![Class::default(); self.vcs.len()], ..self }
    }

    /// Name and unit of the port in the results.
    pub(super) fn port_name(&self) -> PortName {
        PortName { name: self.name.clone(), unit: self.unit }
    }

    /// Classes of the VCs that pass, first served first; at least one.
    fn present_classes(&self) -> Vec<Class> {
        let mut present = self.classes.clone();
        present.sort_unstable();
        present.dedup();
        if present.is_empty() {
            present.push(Class::default());
        }
        present
    }
}

pub(super) fn port(assembly: &Assembly<'_>, site: &PortSite<'_>, rules: &QueueRules) -> Port {
    let rules = &rules.at(assembly.scenario, site.link);
    let present = site.present_classes();
    let series = assembly.recorder(Quantity::Queue, &format!("{}.queue", site.name), site.unit);
    let of_all = QueueRecorder::wanted(series, window_of_port(assembly, &site.name));
    let is_alone = present.len() == 1;
    let queues = present.into_iter().map(|class| {
        let of_class = || {
            let name = format!("{}.{}_queue", site.name, class.word());
            QueueRecorder::wanted(assembly.recorder(Quantity::Queue, &name, site.unit), None)
        };
        let recorder = if is_alone { of_all.clone() } else { of_class() };
        queue(assembly, site, rules, class, recorder)
    });
    let queues: Vec<QueuePlan> = queues.collect();
    let asked = queues.iter().filter_map(|queue| queue.policy.needs().line_over);
    let memory = asked.max().unwrap_or(Span::ZERO);
    let plan = PortPlan {
        index: site.index,
        transmitter: assembly.transmitter_with_memory(site.link, memory),
        in_service: rules.in_service,
        vcs: site.vcs.to_vec(),
        queues,
        recorder: if is_alone { None } else { of_all },
    };
    Port::new(plan, &site.classes)
}

fn queue(
    assembly: &Assembly<'_>,
    site: &PortSite<'_>,
    rules: &QueueRules,
    class: Class,
    recorder: Option<Box<QueueRecorder>>,
) -> QueuePlan {
    let (policy, order) = buffer_management::policy(assembly, site, rules, class);
    let is_guaranteed = |&vc: &u32| assembly.wiring.segments.of(vc).minimum_rate().is_some();
    QueuePlan {
        class,
        buffer: rules.buffer_size(class),
        policy,
        scheduler: order.or_else(|| scheduler::scheduler(assembly, site, rules.scheduler, class)),
        ack_filter: rules.ack_filter,
        recorder,
        has_guaranteed: site.vcs.iter().any(is_guaranteed),
        vc_recorders: vc_recorders(assembly, site, class),
    }
}

/// The measurement, if the port's distributions are counted.
fn window_of_port(assembly: &Assembly<'_>, name: &str) -> Option<Window> {
    let observe = assembly.scenario.observe.as_ref()?;
    observe.distributions.has_port(name).then(|| assembly.counting())
}

/// Recorders by slot, for the VCs of the class; empty if series of single VCs are not wanted.
fn vc_recorders(
    assembly: &Assembly<'_>,
    site: &PortSite<'_>,
    class: Class,
) -> Vec<Option<Recorder>> {
    let recorders = site.vcs.iter().zip(&site.classes).map(|(&vc, &own)| {
        let name = format!("{}.{}.vc_queue", site.name, assembly.wiring.segments.name_of(vc));
        assembly.recorder(Quantity::VcQueue, &name, site.unit).filter(|_| own == class)
    });
    let recorders: Vec<Option<Recorder>> = recorders.collect();
    if recorders.iter().all(Option::is_none) { Vec::new() } else { recorders }
}
