//! The axis of raw cells: the time from one to the next.
//!
//! A spacing of ours is a file here, its `mod` line and its line in the list `spacings!` below. One
//! of somebody else's implements [`Spacing`] and goes into
//! [`Builder::source`](crate::Builder::source).

use super::bursts::{ExponentialBursts, PeriodicBursts};
use super::cbr::Constant;
use super::poisson::Exponential;
use crate::units::Time;

/// When a source of raw cells sends.
pub trait Spacing: std::fmt::Debug {
    /// When the first cell is due, if the flow starts at `start`.
    fn first(&mut self, start: Time) -> Time {
        start
    }

    /// When the cell after the one at `now` is due; [`Time::MAX`]: never.
    fn next_after(&mut self, now: Time) -> Time;
}

/// One line for each spacing: the enum and the dispatch.
macro_rules! spacings {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        /// The spacings of the list, dispatched statically, and those from outside.
        #[derive(Debug)]
        pub enum AnySpacing {
            $($(#[doc = $doc])+ $name($name),)+
            /// One that is not ours.
            Own(Box<dyn Spacing>),
        }

        impl Spacing for AnySpacing {
            fn first(&mut self, start: Time) -> Time {
                match self {
                    $(Self::$name(spacing) => spacing.first(start),)+
                    // Sources do not turn back time, whatever somebody else's says.
                    Self::Own(spacing) => spacing.first(start).max(start),
                }
            }

            #[inline]
            fn next_after(&mut self, now: Time) -> Time {
                match self {
                    $(Self::$name(spacing) => spacing.next_after(now),)+
                    Self::Own(spacing) => spacing.next_after(now).max(now),
                }
            }
        }

        $(impl From<$name> for AnySpacing {
            fn from(spacing: $name) -> Self {
                Self::$name(spacing)
            }
        })+
    };
}

spacings! {
    /// Constant.
    Constant;
    /// Exponential.
    Exponential;
    /// Bursts of one length.
    PeriodicBursts;
    /// Bursts and gaps of exponential length.
    ExponentialBursts;
}

/// A source of raw cells on one VC.
#[derive(Debug)]
pub struct CellSource {
    vc: u32,
    nic: usize,
    spacing: AnySpacing,
    next: Time,
    stop: Time,
    sent: u64,
}

impl CellSource {
    /// A source on `vc`, through interface `nic`, of a flow from `start` to `stop`.
    pub fn new(vc: u32, nic: usize, mut spacing: AnySpacing, start: Time, stop: Time) -> Self {
        let first = spacing.first(start);
        let next = if first < stop { first } else { Time::MAX };
        Self { vc, nic, spacing, next, stop, sent: 0 }
    }

    /// Its virtual circuit.
    pub fn vc(&self) -> u32 {
        self.vc
    }

    /// Its interface.
    pub fn nic(&self) -> usize {
        self.nic
    }

    /// When its next cell is due.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// Cells sent.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Sends the cell that is due; at which instant.
    #[inline]
    pub fn emit(&mut self) -> Time {
        let now = self.next;
        self.sent += 1;
        let next = self.spacing.next_after(now);
        self.next = if next < self.stop { next } else { Time::MAX };
        now
    }
}
