//! Drop policies: accept, mark or discard, for each cell that arrives at a queue and, if a policy
//! asks for it, for each that leaves.
//!
//! Tail drop and partial packet discard look at cells. All others judge a frame by its first cell
//! ([`FrameRule`]), and one state machine ([`Framewise`]) makes whole frames of their answers.
//!
//! A frame rule of ours is a file here, its `mod` line and its line in the list `rules!` below. A
//! policy of somebody else's implements [`DropPolicy`], or [`FrameRule`] inside
//! [`Framewise::with_rule`], and goes into [`Policy::Own`], or for the ports of a run into
//! [`Builder::drop_policy`](crate::Builder::drop_policy).

mod average;
mod classification;
mod dfba;
mod epd;
mod ered;
mod fba;
mod framewise;
mod fred;
mod lottery;
mod ppd;
mod priority_drop;
mod red;
mod selective_drop;
mod tail;
mod virtual_queues;
mod virtual_queuing;
mod vq_dynamic_epd;
mod vq_mcr;

pub use average::Average;
pub use classification::{Accounting, Classification, DropType, ThresholdType, Thresholds};
pub use dfba::DfbaVc;
pub use framewise::{Admission, FrameRule, Framewise};
pub use lottery::Lottery;
pub use ppd::Ppd;
pub use tail::Tail;

use super::accounts::Accounts;
use crate::pdu::CellHead;
use crate::result::Cause;
use crate::units::{Span, Time};

/// What a policy may know of the queue, in cells (or packets), before the arriving one is admitted.
#[derive(Clone, Copy, Debug)]
pub struct QueueState<'q> {
    /// The instant of the arrival; departures up to it are done.
    pub now: Time,
    /// X: in the buffer that this cell would go to, of its VC, of its port, or of the whole switch.
    pub occupancy: u64,
    /// K: how many that buffer holds.
    pub room: u64,
    /// The VC's own place.
    pub slot: u32,
    /// `N_a`: how many VCs have something in that buffer; of a VC's own buffer, in its port's.
    /// Counted where accounts are kept.
    pub active: u64,
    /// When the line is, or was, free of everything that came before.
    pub line_free_at: Time,
    /// Whose cells the queue holds, if the policy [asks for it](DropPolicy::needs_accounts).
    pub accounts: &'q Accounts,
}

impl QueueState<'_> {
    /// Whether one more fits.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.occupancy < self.room
    }
}

/// A cell that is taken out of the buffer to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Dequeue {
    /// When.
    pub now: Time,
    /// How long it was in the buffer.
    pub sojourn: Span,
    /// How many the queue holds, this one included.
    pub occupancy: u64,
    /// The place of its VC.
    pub slot: u32,
}

/// A cell that has left the buffer.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// When.
    pub at: Time,
    /// The place of its VC.
    pub slot: u32,
    /// Whether it is the last of its frame.
    pub ends_frame: bool,
}

/// The answer of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The cell joins the queue, or is sent.
    Accept,
    /// The same with its congestion indication set: EFCI of a cell, which is the place of a
    /// packet's CE codepoint (RFC 3168 §5).
    Mark,
    /// The cell is lost.
    Discard(Cause),
}

/// The rule that answers for each arriving cell. A policy must discard when there is no room.
pub trait DropPolicy: std::fmt::Debug {
    /// Its row of the table, if it has one.
    fn classification(&self) -> Option<Classification> {
        None
    }

    /// Whether it reads [`QueueState::accounts`].
    fn needs_accounts(&self) -> bool {
        false
    }

    /// Whether it must be told of each departure.
    fn watches_departures(&self) -> bool {
        false
    }

    /// Whether it is asked about each cell that is taken out. Such a queue is served: a port that
    /// knows a departure when the cell arrives has promised it.
    fn judges_dequeues(&self) -> bool {
        false
    }

    /// A cell arrives; departures up to this instant are done.
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict;

    /// A cell has left the buffer, sent or not.
    fn on_departure(&mut self, _departure: Departure) {}

    /// A cell is taken out of the buffer to be sent.
    fn on_dequeue(&mut self, _head: CellHead, _dequeue: &Dequeue) -> Verdict {
        Verdict::Accept
    }
}

/// The policies, dispatched statically, and those from outside.
#[derive(Debug)]
pub enum Policy {
    /// [`Tail`].
    Tail(Tail),
    /// [`Ppd`].
    Ppd(Ppd),
    /// Any that judges frames.
    Framewise(Framewise),
    /// One that is not ours.
    Own(Box<dyn DropPolicy>),
}

impl DropPolicy for Policy {
    fn classification(&self) -> Option<Classification> {
        match self {
            Self::Tail(policy) => policy.classification(),
            Self::Ppd(policy) => policy.classification(),
            Self::Framewise(policy) => policy.classification(),
            Self::Own(policy) => policy.classification(),
        }
    }

    fn needs_accounts(&self) -> bool {
        match self {
            Self::Tail(_) | Self::Ppd(_) => false,
            Self::Framewise(policy) => policy.needs_accounts(),
            Self::Own(policy) => policy.needs_accounts(),
        }
    }

    fn watches_departures(&self) -> bool {
        match self {
            Self::Tail(_) | Self::Ppd(_) => false,
            Self::Framewise(policy) => policy.watches_departures(),
            Self::Own(policy) => policy.watches_departures(),
        }
    }

    fn judges_dequeues(&self) -> bool {
        match self {
            Self::Tail(_) | Self::Ppd(_) => false,
            Self::Framewise(policy) => policy.judges_dequeues(),
            Self::Own(policy) => policy.judges_dequeues(),
        }
    }

    /// Raw cells belong to no frame and are lost exactly when there is no room.
    #[inline]
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        match self {
            Self::Tail(policy) => policy.on_arrival(head, queue),
            Self::Ppd(policy) if !head.is_raw() => policy.on_arrival(head, queue),
            Self::Ppd(_) => Tail.on_arrival(head, queue),
            Self::Framewise(policy) => policy.on_arrival(head, queue),
            Self::Own(policy) => policy.on_arrival(head, queue),
        }
    }

    #[inline]
    fn on_departure(&mut self, departure: Departure) {
        match self {
            Self::Tail(_) | Self::Ppd(_) => {}
            Self::Framewise(policy) => policy.on_departure(departure),
            Self::Own(policy) => policy.on_departure(departure),
        }
    }

    fn on_dequeue(&mut self, head: CellHead, dequeue: &Dequeue) -> Verdict {
        match self {
            Self::Tail(_) | Self::Ppd(_) => Verdict::Accept,
            Self::Framewise(policy) => policy.on_dequeue(head, dequeue),
            Self::Own(policy) => policy.on_dequeue(head, dequeue),
        }
    }
}

/// One line for each rule that judges frames: its export, the enum, and the dispatch.
macro_rules! rules {
    ($($file:ident::$name:ident;)+) => {
        $(pub use $file::$name;)+

        /// The rules of the list, dispatched statically, once a frame.
        #[derive(Clone, Debug)]
        pub enum Rule {
            $(#[doc = concat!("[`", stringify!($name), "`].")] $name($name),)+
        }

        impl FrameRule for Rule {
            fn classification(&self) -> Option<Classification> {
                match self { $(Self::$name(rule) => rule.classification(),)+ }
            }

            fn needs_accounts(&self) -> bool {
                match self { $(Self::$name(rule) => rule.needs_accounts(),)+ }
            }

            fn counts_cells(&self) -> bool {
                match self { $(Self::$name(rule) => rule.counts_cells(),)+ }
            }

            fn judges_dequeues(&self) -> bool {
                match self { $(Self::$name(rule) => rule.judges_dequeues(),)+ }
            }

            #[inline(never)]
            fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
                match self { $(Self::$name(rule) => rule.judge(first, queue),)+ }
            }

            fn on_admission(&mut self, head: CellHead, slot: u32) {
                match self { $(Self::$name(rule) => rule.on_admission(head, slot),)+ }
            }

            fn on_departure(&mut self, departure: Departure) {
                match self { $(Self::$name(rule) => rule.on_departure(departure),)+ }
            }

            fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
                match self { $(Self::$name(rule) => rule.judge_dequeue(first, dequeue),)+ }
            }
        }

        $(impl From<$name> for Rule {
            fn from(rule: $name) -> Self {
                Self::$name(rule)
            }
        })+
    };
}

rules! {
    epd::Epd;
    selective_drop::SelectiveDrop;
    fba::Fba;
    red::Red;
    fred::Fred;
    virtual_queuing::VirtualQueuing;
    vq_dynamic_epd::VqDynamicEpd;
    vq_mcr::VqMcr;
    ered::Ered;
    priority_drop::PriorityDrop;
    dfba::Dfba;
}
