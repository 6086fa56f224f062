//! Output ports of switches, and of edges onto links of packets: queues, buffers and recorders.

use super::queue_rules::QueueRules;
use super::{Assembly, PortName};
use crate::atm::Class;
use crate::result::{QueueRecorder, Recorder, Window};
use crate::scenario::Quantity;
use crate::switch::{Port, PortPlan, QueuePlan};

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

impl Assembly<'_> {
    pub(super) fn port(&self, site: &PortSite<'_>, rules: &QueueRules) -> Port {
        let rules = &rules.at(self.scenario, site.link);
        let present = site.present_classes();
        let series = self.recorder(Quantity::Queue, &format!("{}.queue", site.name), site.unit);
        let of_all = QueueRecorder::wanted(series, self.window_of_port(&site.name));
        let is_alone = present.len() == 1;
        let queues = present.into_iter().map(|class| {
            let recorder = if is_alone { of_all.clone() } else { self.class_recorder(site, class) };
            self.queue(site, rules, class, recorder)
        });
        let plan = PortPlan {
            index: site.index,
            transmitter: self.transmitter(site.link),
            in_service: rules.in_service,
            vcs: site.vcs.to_vec(),
            queues: queues.collect(),
            recorder: if is_alone { None } else { of_all },
        };
        Port::new(plan, &site.classes)
    }

    fn queue(
        &self,
        site: &PortSite<'_>,
        rules: &QueueRules,
        class: Class,
        recorder: Option<Box<QueueRecorder>>,
    ) -> QueuePlan {
        QueuePlan {
            class,
            buffer: rules.buffer_size(class),
            policy: self.policy(site, rules, class),
            scheduler: self
                .order_of_policy(site, rules, class)
                .or_else(|| self.scheduler(site, rules.scheduler, class)),
            recorder,
            has_guaranteed: site
                .vcs
                .iter()
                .any(|&vc| self.wiring.segments.of(vc).minimum_rate().is_some()),
            vc_recorders: self.vc_recorders(site, class),
        }
    }

    /// The measurement, if the port's distributions are counted.
    fn window_of_port(&self, name: &str) -> Option<Window> {
        let observe = self.scenario.observe.as_ref()?;
        observe.distributions.has_port(name).then(|| self.counting())
    }

    fn class_recorder(&self, site: &PortSite<'_>, class: Class) -> Option<Box<QueueRecorder>> {
        let name = format!("{}.{}_queue", site.name, class.word());
        QueueRecorder::wanted(self.recorder(Quantity::Queue, &name, site.unit), None)
    }

    /// Recorders by slot, for the VCs of the class; empty if series of single VCs are not wanted.
    fn vc_recorders(&self, site: &PortSite<'_>, class: Class) -> Vec<Option<Recorder>> {
        let recorders = site.vcs.iter().zip(&site.classes).map(|(&vc, &own)| {
            let name = format!("{}.{}.vc_queue", site.name, self.wiring.segments.name_of(vc));
            self.recorder(Quantity::VcQueue, &name, site.unit).filter(|_| own == class)
        });
        let recorders: Vec<Option<Recorder>> = recorders.collect();
        if recorders.iter().all(Option::is_none) { Vec::new() } else { recorders }
    }
}
