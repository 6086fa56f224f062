//! Schedulers from the scenario, with the rate of the line and minimum cell rates.

use super::Assembly;
use super::ports::PortSite;
use crate::atm::Class;
use crate::scenario::Scheduler;
use crate::switch::{self, SchedulerSite};
use crate::units::Rate;

/// The scheduler of the queue of a class at a port; `None` for first in, first out.
pub(super) fn scheduler(
    assembly: &Assembly<'_>,
    site: &PortSite<'_>,
    scheduler: Scheduler,
    class: Class,
) -> Option<switch::Scheduler> {
    if scheduler == Scheduler::Fifo {
        return None;
    }
    let minimum_rate = |vc| {
        assembly.wiring.segments.of(vc).service().minimum_rate().map_or(0, Rate::bits_per_second)
    };
    let cell_rate = assembly.scenario.links[site.link].carries.cell_rate();
    scheduler.build(&SchedulerSite {
        rate: cell_rate.map_or(0, Rate::bits_per_second),
        minimum_rates: site.vcs.iter().map(|&vc| minimum_rate(vc)).collect(),
        vcs_of_class: site.classes.iter().filter(|&&one| one == class).count().max(1) as u64,
    })
}
