//! What sends for a flow: a source of raw cells, an ABR source that never runs out, or the
//! application of a TCP connection.

use super::{Assembly, data_vc};
use crate::engine::Stream;
use crate::scenario::{Flow, Traffic};
use crate::traffic::{
    AnyApplication, AnySpacing, CellSource, Constant, Exponential, ExponentialBursts, Greedy,
    PeriodicBursts, Ttcp,
};
use crate::units::Time;

impl Assembly<'_> {
    pub(super) fn cell_source(&self, index: usize, nic: usize) -> CellSource {
        let flow = &self.scenario.flows[index];
        let start = self.scenario.start_of(flow);
        let stop = self.scenario.stop_of(flow);
        CellSource::new(data_vc(index), nic, self.spacing(flow, start), start, stop)
    }

    fn spacing(&self, flow: &Flow, start: Time) -> AnySpacing {
        if let Some(own) = self.own_spacing(flow) {
            return own;
        }
        let stream =
            |of: &str| Stream::new(self.scenario.run.seed, &format!("flow {} {of}", flow.name));
        match flow.traffic {
            Traffic::Poisson { cell_rate } => {
                let mean_seconds = 1.0 / cell_rate.cells_per_second_f64();
                Exponential::new(mean_seconds, stream("arrivals")).into()
            }
            Traffic::Cbr { cell_rate } => Constant::new(cell_rate.cell_time()).into(),
            Traffic::OnOff { cell_rate, period, duty_cycle } => {
                PeriodicBursts::new(cell_rate.cell_time(), period, duty_cycle, start).into()
            }
            Traffic::ExponentialOnOff { cell_rate, on, off } => {
                let mean_seconds = [on.seconds_f64(), off.seconds_f64()];
                ExponentialBursts::new(cell_rate.cell_time(), mean_seconds, start, stream("bursts"))
                    .into()
            }
            Traffic::Greedy | Traffic::Ttcp { .. } => {
                unreachable!(
                    "a flow without a transport sends raw cells: the scenario was checked for it"
                )
            }
        }
    }

    /// When a source that never runs out begins and ends, if the flow has one.
    pub(super) fn endless(&self, flow: &Flow, is_back: bool) -> Option<(Time, Time)> {
        let mut external = self.external.iter().map(|&index| &self.scenario.flows[index].name);
        let never_runs_out = !is_back
            && flow.tcp.is_none()
            && flow.traffic == Traffic::Greedy
            && external.all(|name| *name != flow.name);
        never_runs_out.then(|| (self.scenario.start_of(flow), self.scenario.stop_of(flow)))
    }

    /// What sends on the connection of a flow.
    pub(super) fn application(&self, flow: usize) -> AnyApplication {
        let flow = &self.scenario.flows[flow];
        if let Some(own) = self.own_application(flow) {
            return own;
        }
        match flow.traffic {
            Traffic::Ttcp { write, total: Some(total) } => Ttcp::new(write, total).into(),
            _ => Greedy::default().into(),
        }
    }
}
