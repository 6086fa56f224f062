//! Python binding of cellway: converts, maps errors, releases the interpreter. No logic.
//!
//! | module | holds |
//! |---|---|
//! | [`scenario`] | a checked scenario, its resolved text and derived numbers |
//! | [`run`] | one simulation and its series as read-only arrays |
//! | [`measure`] | one measurement with the kernel's TCP |
//! | [`script`] | one packet script against a stack |
//! | [`stack`] | one run with stacks at the ends of flows |
//! | [`theory`] | formulas |
//! | [`run_interruptibly`] | long work during which signals are handled |
//! | [`toml`] | places of keys and values in a TOML text |
//! | [`error`] | the one map from Rust errors to Python exceptions |
//! | [`fault`] | panics of the simulator, caught |

mod error;
mod measure;
mod run;
mod run_interruptibly;
mod scenario;
mod script;
mod stack;
mod theory;
mod toml;

use pyo3::prelude::*;

/// Facts about the build of the extension.
///
/// Returns `{"version": ..., "model": ..., "profile": "release" | "debug"}`: `model` is the edition
/// of the model; speeds mean something in `release` only.
#[pyfunction]
fn build_info() -> std::collections::BTreeMap<&'static str, &'static str> {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    [
        ("version", env!("CARGO_PKG_VERSION")),
        ("model", cellway_sim::MODEL_VERSION),
        ("profile", profile),
    ]
    .into()
}

/// The scenarios and studies that are shipped: names, with `/` between folders, and texts.
#[pyfunction]
fn shipped() -> Vec<(&'static str, &'static str)> {
    const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
    FILES.to_vec()
}

/// The private extension module; import `cellway` instead.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::build_info;
    #[pymodule_export]
    use super::measure::{examine, measure, measured_differently, reached, require_machine};
    #[pymodule_export]
    use super::run::{Outcome, packets, run};
    #[pymodule_export]
    use super::scenario::{
        Scenario, explained_numbers, explained_schema, schema, summary_numbers, summary_schema,
    };
    #[pymodule_export]
    use super::script::run_script;
    #[pymodule_export]
    use super::shipped;
    #[pymodule_export]
    use super::stack::run_with_stacks;
    #[pymodule_export]
    use super::theory::capacity::{
        effective_capacity, effective_capacity_delta, effective_capacity_limits, overflow_delta,
        renewal_throughput,
    };
    #[pymodule_export]
    use super::theory::path::{
        buffered_utilisation, desynchronised_utilisation, encapsulated, full_buffer_delay,
        needed_buffer, pftk_approximate_rate, slow_start_time, standard_lines, window_rate,
    };
    #[pymodule_export]
    use super::theory::queue::{FluidQueue, PeriodicQueue, PoissonQueue, SlottedQueue};
    #[pymodule_export]
    use super::theory::rate::{feedback_limits, max_min_shares};
    #[pymodule_export]
    use super::theory::{bbr_share, cubic_rate, dfba_sharing, pftk_rates, square_root_rate};
    #[pymodule_export]
    use super::toml::{toml_duplicates, toml_places};
}
