//! Sources of traffic: raw cells, which need no transport, and applications of TCP connections.

mod application;
mod bursts;
mod cbr;
mod cells;
mod greedy;
mod poisson;
mod ttcp;

pub use application::{AnyApplication, Application, Offer, Write};
pub use bursts::{ExponentialBursts, PeriodicBursts};
pub use cbr::Constant;
pub use cells::{AnySpacing, CellSource, Spacing};
pub use greedy::Greedy;
pub use poisson::Exponential;
pub use ttcp::Ttcp;
