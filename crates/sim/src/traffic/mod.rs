//! What flows send: applications of TCP connections, and raw cells, which need no transport.
//!
//! An application or a source of raw cells of ours is a file here with its parameters, its `mod`
//! line and its line in the list `traffic!` below. One of somebody else's implements
//! [`Application`] or [`Spacing`] and is given to
//! [`Builder::application`](crate::Builder::application) or
//! [`Builder::source`](crate::Builder::source).

mod application;
mod cbr;
mod cells;
mod exponential_on_off;
mod greedy;
mod on_off;
mod poisson;
mod ttcp;

pub use crate::language::rate_of_cells::SteadyRate;
pub use application::{Application, Offer, Write, Writes};
pub use cbr::{Cbr, Constant};
pub use cells::{CellSource, RawCells, Site, Spacing};
pub use exponential_on_off::{ExponentialBursts, ExponentialOnOff};
pub use greedy::Greedy;
pub use on_off::{OnOff, PeriodicBursts};
pub use poisson::{Exponential, Poisson};
pub use ttcp::{Ttcp, TtcpPlan};

use crate::language::part::prelude::*;
use crate::units::{CELL_BITS, Rate, Time};

/// What can be said of a source of raw cells before a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellLoad {
    /// The maximum rate, of whole cells.
    pub peak: Rate,
    /// The keys below `traffic` that lead to it.
    pub keys: &'static [&'static str],
    /// The mean rate, bits of whole cells per second.
    pub mean: f64,
    /// Whether its cells come at random instants.
    pub is_random: bool,
    /// The maximum time from one cell to the next, picoseconds.
    pub max_gap: u128,
}

impl CellLoad {
    fn of(source: &impl RawCells, keys: &'static [&'static str]) -> Self {
        let peak = source.peak_rate();
        let bits_per_second = peak.bits_per_second();
        let cell = u128::from(CELL_BITS) * 1_000_000_000_000 / u128::from(bits_per_second);
        Self {
            peak,
            keys,
            mean: source.busy_part() * bits_per_second as f64,
            is_random: source.is_random(),
            max_gap: source.max_gap(cell),
        }
    }
}

/// One line for each application and each source of raw cells, `Variant(parameters) = "word"`: the
/// enum of a scenario, applications and spacings, dispatched statically, and what all of them have
/// in common.
macro_rules! traffic {
    (
        applications {
            $($(#[doc = $app_doc:literal])+ $App:ident($AppPlan:ty) = $app_word:literal,)+
        }
        raw_cells {
            $($(#[doc = $doc:literal])+ $Raw:ident($Plan:ty) = $word:literal,)+
        }
    ) => {
        variants! {
            /// `flow.traffic`.
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub enum Traffic {
                /// Always more to send.
                Greedy = "greedy",
                $($(#[doc = $app_doc])+ $App($AppPlan) = $app_word,)+
                $($(#[doc = $doc])+ $Raw($Plan) = $word,)+
            }
        }

        impl Traffic {
            /// What writes on a connection; `None`: raw cells.
            pub fn application(&self) -> Option<AnyApplication> {
                match self {
                    Self::Greedy => Some(AnyApplication::Greedy(Greedy::default())),
                    $(Self::$App(plan) => Some(AnyApplication::$App(plan.application())),)+
                    $(Self::$Raw(_) => None,)+
                }
            }

            /// When raw cells come; `None`: an application.
            pub fn spacing(&self, site: &Site<'_>) -> Option<AnySpacing> {
                match self {
                    Self::Greedy $(| Self::$App(_))+ => None,
                    $(Self::$Raw(plan) => Some(AnySpacing::$Raw(plan.spacing(site))),)+
                }
            }

            /// What raw cells come to; `None`: an application.
            pub fn cell_load(&self) -> Option<CellLoad> {
                match self {
                    Self::Greedy $(| Self::$App(_))+ => None,
                    $(Self::$Raw(plan) => Some(CellLoad::of(plan, &[$word, "rate"])),)+
                }
            }
        }

        /// The applications of the list, dispatched statically, and those from outside.
        #[derive(Debug)]
        pub enum AnyApplication {
            /// Always more to send.
            Greedy(Greedy),
            $($(#[doc = $app_doc])+ $App(<$AppPlan as Writes>::Application),)+
            /// One that is not ours.
            Own(Box<dyn Application>),
        }

        impl Application for AnyApplication {
            #[inline]
            fn poll(&mut self, now: Time, acked: u64) -> Offer {
                match self {
                    Self::Greedy(application) => application.poll(now, acked),
                    $(Self::$App(application) => application.poll(now, acked),)+
                    Self::Own(application) => application.poll(now, acked),
                }
            }

            #[inline]
            fn is_through(&self, acked: u64) -> bool {
                match self {
                    Self::Greedy(application) => application.is_through(acked),
                    $(Self::$App(application) => application.is_through(acked),)+
                    Self::Own(application) => application.is_through(acked),
                }
            }
        }

        /// The spacings of the list, dispatched statically, and those from outside.
        #[derive(Debug)]
        pub enum AnySpacing {
            $($(#[doc = $doc])+ $Raw(<$Plan as RawCells>::Spacing),)+
            /// One that is not ours.
            Own(Box<dyn Spacing>),
        }

        impl Spacing for AnySpacing {
            fn first(&mut self, start: Time) -> Time {
                match self {
                    $(Self::$Raw(spacing) => spacing.first(start),)+
                    // Sources do not turn back time, whatever somebody else's says.
                    Self::Own(spacing) => spacing.first(start).max(start),
                }
            }

            #[inline]
            fn next_after(&mut self, now: Time) -> Time {
                match self {
                    $(Self::$Raw(spacing) => spacing.next_after(now),)+
                    Self::Own(spacing) => spacing.next_after(now).max(now),
                }
            }
        }
    };
}

traffic! {
    applications {
        /// The send buffer is kept full by blocks of one size.
        Ttcp(ttcp::TtcpPlan) = "ttcp",
    }
    raw_cells {
        /// Cells at a constant rate, without a transport.
        Cbr(cbr::Cbr) = "cbr",
        /// Cells of a Poisson process, without a transport.
        Poisson(poisson::Poisson) = "poisson",
        /// Cells in bursts of one length, without a transport.
        OnOff(on_off::OnOff) = "on_off",
        /// Cells in bursts of random length, without a transport.
        ExponentialOnOff(exponential_on_off::ExponentialOnOff) = "exponential_on_off",
    }
}
