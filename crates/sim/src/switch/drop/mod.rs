//! Drop policies: accept, mark or discard, for each cell that arrives at a queue and, if a policy
//! asks for it, for each that leaves.
//!
//! Tail drop looks at cells. All others judge a frame by its first cell ([`FrameRule`]), and one
//! state machine ([`Framewise`]) makes whole frames of their answers.
//!
//! A policy of ours is a file here, with its parameters in the scenario language, its `mod` line
//! and its line in the list `policies!` below. A policy of somebody else's implements
//! [`DropPolicy`], or [`FrameRule`] inside [`Framewise::with_rule`], and is given to
//! [`Policy::Own`], or for the ports of a run to
//! [`Builder::drop_policy`](crate::Builder::drop_policy).

mod average;
mod codel;
mod dfba;
mod epd;
mod ered;
mod fba;
mod fq_codel;
mod framewise;
mod fred;
mod pie;
mod plan;
mod policy;
mod ppd;
mod priority_drop;
mod queue_state;
mod random_drop;
mod red;
mod selective_drop;
mod tail;
mod threshold;
mod virtual_queues;
mod virtual_queuing;
mod vq_dynamic_epd;
mod vq_mcr;

pub use average::Average;
pub use framewise::{Admission, FrameRule, Framewise};
pub use plan::{FromPlan, Ordered, Site, SiteVc};
pub use policy::Policy;
pub use ppd::Ppd;
pub use queue_state::{Departure, Dequeue, Needs, QueueState};
pub use random_drop::{RandomDrop, RandomDropPlan};
pub use tail::Tail;
pub use threshold::Threshold;

use super::scheduler::Scheduler;
use crate::engine::delegate;
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::result::Cause;
use crate::units::Span;

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

/// The rule that answers for each arriving cell. A policy must discard when the
/// buffer is full.
pub trait DropPolicy: std::fmt::Debug {
    /// What it asks of its queue.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// A buffer with room and no more than this in it: the answer is the same at any such
    /// [`occupancy`](QueueState::occupancy), and it is not looked at. The policy then does not read
    /// [`active`](QueueState::active) either. Zero of one that is not so simple.
    fn admits_up_to(&self) -> u64 {
        0
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

/// One line for each frame rule with parameters, `Variant "word" => file::Type`: what the scenario
/// language chooses, the [rule](FrameRule) that its [plan](FromPlan) makes, and its dispatch. Tail
/// drop is no such rule, and partial packet discard has no parameters.
macro_rules! policies {
    ($($(#[doc = $doc:literal])+ $rule:ident $word:literal => $file:ident::$Rule:ident;)+) => {
        $(pub use $file::*;)+

        variants! {
            /// `switch.drop` and `edge.drop`.
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub enum PolicyPlan {
                /// A cell, or a packet, that finds the buffer full is discarded.
                Tail = "tail",
                /// Partial packet discard: after a loss the rest of the frame is discarded, but its
                /// last cell.
                Ppd = "ppd",
                $($(#[doc = $doc])+ $rule(<$file::$Rule as FromPlan>::Plan) = $word,)+
            }
        }

        impl PolicyPlan {
            /// The policy at this place.
            pub fn build(&self, site: &Site) -> Policy {
                let rule = match self {
                    Self::Tail => return Policy::Tail(Tail),
                    Self::Ppd => Rule::Ppd(Ppd),
                    $(Self::$rule(plan) => Rule::$rule($file::$Rule::build(plan, site)),)+
                };
                Policy::Framewise(Framewise::new(rule, site.vcs.len()))
            }

            /// What it does that makes no sense with a buffer for each VC.
            pub const fn needs_common_buffer(&self) -> Option<&'static str> {
                match self {
                    Self::Tail | Self::Ppd => None,
                    $(Self::$rule(_) => $file::$Rule::NEEDS_COMMON_BUFFER,)+
                }
            }

            /// Whether it has a queue for each flow of packets, served in an order of its own.
            pub const fn queues_flows(&self) -> bool {
                match self {
                    Self::Tail | Self::Ppd => false,
                    $(Self::$rule(_) => $file::$Rule::QUEUES_FLOWS,)+
                }
            }

            /// The order in which it serves what waits, if it is part of it.
            pub fn order(&self, site: &Site) -> Option<Scheduler> {
                match self {
                    Self::Tail | Self::Ppd => None,
                    $(Self::$rule(plan) => $file::$Rule::order(plan, site),)+
                }
            }

            /// Whether it draws random numbers.
            pub const fn is_random(&self) -> bool {
                match self {
                    Self::Tail | Self::Ppd => false,
                    $(Self::$rule(_) => $file::$Rule::IS_RANDOM,)+
                }
            }

            /// Lists of thresholds, each in the order in which they must grow, with their keys.
            pub fn thresholds(&self) -> Vec<Ordered> {
                match self {
                    Self::Tail | Self::Ppd => Vec::new(),
                    $(Self::$rule(plan) => $file::$Rule::thresholds(plan),)+
                }
            }

            /// How often it does something by itself.
            pub fn interval(&self) -> Option<Span> {
                match self {
                    Self::Tail | Self::Ppd => None,
                    $(Self::$rule(plan) => $file::$Rule::interval(plan),)+
                }
            }

            /// The key, and its word, by which a parameter is that of each VC's `service.gfr`.
            pub fn word_of_service(&self) -> Option<(&'static str, &'static str)> {
                match self {
                    Self::Tail | Self::Ppd => None,
                    $(Self::$rule(plan) => $file::$Rule::word_of_service(plan),)+
                }
            }
        }

        /// The frame rules of the list, dispatched statically, once a frame.
        #[derive(Clone, Debug)]
        pub enum Rule {
            /// [`Ppd`].
            Ppd(Ppd),
            $(#[doc = concat!("[`", stringify!($Rule), "`].")] $rule($file::$Rule),)+
        }

        impl FrameRule for Rule {
            delegate! { [Ppd, $($rule),+]
                fn needs(&self) -> Needs;
                fn admits_up_to(&self) -> u64;
                #[inline(never)]
                fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission;
                fn on_admission(&mut self, head: CellHead, slot: u32);
                fn on_departure(&mut self, departure: Departure);
                fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission;
            }
        }

        $(impl From<$file::$Rule> for Rule {
            fn from(rule: $file::$Rule) -> Self {
                Self::$rule(rule)
            }
        })+
    };
}

policies! {
    /// Early packet discard: above a threshold new frames are discarded whole.
    Epd "epd" => epd::Epd;
    /// Selective Drop: above a threshold, frames of VCs with more than their equal share of the
    /// queue.
    SelectiveDrop "selective_drop" => selective_drop::SelectiveDrop;
    /// Fair Buffer Allocation: as Selective Drop, more strictly the fuller the buffer.
    Fba "fba" => fba::Fba;
    /// Random Early Detection: random drop between two thresholds of the mean queue.
    Red "red" => red::Red;
    /// Controlled Delay: frames are discarded as they leave, ever more often, as long as they
    /// have waited too long.
    Codel "codel" => codel::Codel;
    /// CoDel in a queue for each flow, served in turn, sparse flows first.
    FqCodel "fq_codel" => fq_codel::FqCodel;
    /// Proportional Integral controller Enhanced: random drop that holds the delay of the queue
    /// at a target.
    Pie "pie" => pie::Pie;
    /// Flow Random Early Drop: RED that looks at what each VC has in the buffer.
    Fred "fred" => fred::Fred;
    /// Virtual Queuing: frames of VCs that a round robin would have queued up beyond a
    /// threshold.
    VirtualQueuing "virtual_queuing" => virtual_queuing::VirtualQueuing;
    /// Virtual Queuing with Dynamic EPD: above a threshold, frames of VCs beyond their max-min
    /// share.
    VqDynamicEpd "vq_dynamic_epd" => vq_dynamic_epd::VqDynamicEpd;
    /// Virtual Queuing with MCR scheduling: credit for the minimum cell rate admits first.
    VqMcr "vq_mcr" => vq_mcr::VqMcr;
    /// Enhanced RED: a lower drop probability for marked frames, CLP = 0.
    Ered "ered" => ered::Ered;
    /// Frames with CLP = 1 are discarded above one threshold, all frames above another.
    Priority "priority" => priority_drop::PriorityDrop;
    /// Differential Fair Buffer Allocation: each VC is limited to its share of the minimum
    /// cell rates.
    Dfba "dfba" => dfba::Dfba;
}
