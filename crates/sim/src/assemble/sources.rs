//! What sends for a flow: a source of raw cells, an ABR source that never runs out, or the
//! application of a TCP connection.

use super::{Assembly, data_vc};
use crate::engine::Stream;
use crate::scenario::{Flow, Traffic};
use crate::traffic::{Application, CellSource, ExponentialBursts, PeriodicBursts, Spacing};
use crate::units::Time;

impl Assembly<'_> {
    pub(super) fn cell_source(&self, index: usize, nic: usize) -> CellSource {
        let flow = &self.scenario.flows[index];
        let start = self.scenario.start_of(flow);
        let stop = self.scenario.stop_of(flow);
        let (spacing, first) = match flow.traffic {
            Traffic::Poisson { cell_rate } => {
                let mut stream =
                    Stream::new(self.scenario.run.seed, &format!("flow {} arrivals", flow.name));
                let mean_seconds = 1.0 / cell_rate.cells_per_second_f64();
                let first = start + stream.exponential(mean_seconds);
                (Spacing::Exponential { mean_seconds, stream }, first)
            }
            Traffic::Cbr { cell_rate } => (Spacing::Constant(cell_rate.cell_time()), start),
            Traffic::OnOff { cell_rate, period, duty_cycle } => {
                let bursts = PeriodicBursts::new(cell_rate.cell_time(), period, duty_cycle, start);
                (Spacing::PeriodicBursts(bursts), start)
            }
            Traffic::ExponentialOnOff { cell_rate, on, off } => {
                let stream =
                    Stream::new(self.scenario.run.seed, &format!("flow {} bursts", flow.name));
                let mean_seconds = [on.seconds_f64(), off.seconds_f64()];
                let bursts =
                    ExponentialBursts::new(cell_rate.cell_time(), mean_seconds, start, stream);
                (Spacing::ExponentialBursts(bursts), start)
            }
            Traffic::Greedy | Traffic::Ttcp { .. } => {
                unreachable!(
                    "a flow without a transport sends raw cells: the scenario was checked for it"
                )
            }
        };
        CellSource::new(data_vc(index), nic, spacing, first, stop)
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
    pub(super) fn application(&self, flow: usize) -> Application {
        match self.scenario.flows[flow].traffic {
            // ttcp sends a number of whole buffers.
            Traffic::Ttcp { write, total: Some(total) } => {
                Application::Total(total.0.next_multiple_of(write.0))
            }
            _ => Application::Forever,
        }
    }
}
