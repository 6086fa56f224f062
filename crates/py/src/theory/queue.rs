//! Queues before one line.

use cellway_theory::queue::{fluid, periodic, poisson, slotted};
use pyo3::prelude::*;

use crate::error;

/// Queue M/D/1.
#[pyclass(frozen, module = "cellway._core")]
pub(crate) struct PoissonQueue(poisson::Poisson);

#[pymethods]
impl PoissonQueue {
    #[new]
    fn new(load: f64) -> PyResult<Self> {
        poisson::Poisson::new(load).map(Self).map_err(error::theory)
    }

    fn mean_wait(&self) -> f64 {
        self.0.mean_wait()
    }

    fn mean_number(&self) -> f64 {
        self.0.mean_number()
    }

    fn number_above(&self, cells: u32) -> f64 {
        self.0.number_above(cells)
    }

    fn wait_above(&self, wait: f64) -> f64 {
        self.0.wait_above(wait)
    }

    fn wait_quantile(&self, quantile: f64) -> PyResult<f64> {
        self.0.wait_quantile(quantile).map_err(error::theory)
    }

    fn wait_bound(&self, wait: f64) -> f64 {
        self.0.wait_bound(wait)
    }

    fn loss(&self, places: u32) -> PyResult<f64> {
        self.0.loss(places).map_err(error::theory)
    }
}

/// Queue N·D/D/1.
#[pyclass(frozen, module = "cellway._core")]
pub(crate) struct PeriodicQueue(periodic::Periodic);

#[pymethods]
impl PeriodicQueue {
    #[new]
    fn new(sources: u32, period: f64) -> PyResult<Self> {
        periodic::Periodic::new(sources, period).map(Self).map_err(error::theory)
    }

    fn mean_wait(&self) -> f64 {
        self.0.mean_wait()
    }

    fn mean_number(&self) -> f64 {
        self.0.mean_number()
    }

    fn work_above(&self, work: f64) -> f64 {
        self.0.work_above(work)
    }

    fn wait_above(&self, wait: f64) -> f64 {
        self.0.wait_above(wait)
    }

    fn wait_quantile(&self, quantile: f64) -> PyResult<f64> {
        self.0.wait_quantile(quantile).map_err(error::theory)
    }
}

/// An output of a slotted switch.
#[pyclass(frozen, module = "cellway._core")]
pub(crate) struct SlottedQueue(slotted::Slotted);

#[pymethods]
impl SlottedQueue {
    #[new]
    #[pyo3(signature = (inputs, load))]
    fn new(inputs: Option<u32>, load: f64) -> PyResult<Self> {
        slotted::Slotted::new(inputs, load).map(Self).map_err(error::theory)
    }

    fn mean_wait(&self) -> f64 {
        self.0.mean_wait()
    }

    fn queue_above(&self, cells: u32) -> f64 {
        self.0.queue_above(cells)
    }

    fn loss(&self, places: u32) -> f64 {
        self.0.loss(places)
    }
}

/// On-off sources as a fluid.
#[pyclass(frozen, module = "cellway._core")]
pub(crate) struct FluidQueue(fluid::Fluid);

#[pymethods]
impl FluidQueue {
    #[new]
    fn new(sources: u32, on_over_off: f64, capacity: f64) -> PyResult<Self> {
        fluid::Fluid::new(sources, on_over_off, capacity).map(Self).map_err(error::theory)
    }

    fn load(&self) -> f64 {
        self.0.load()
    }

    fn mean(&self) -> f64 {
        self.0.mean()
    }

    fn above(&self, content: f64) -> f64 {
        self.0.above(content)
    }

    fn decay(&self) -> f64 {
        self.0.decay()
    }

    fn quantile(&self, quantile: f64) -> PyResult<f64> {
        self.0.quantile(quantile).map_err(error::theory)
    }
}
