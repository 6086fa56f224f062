//! Drop policies: accept, mark or discard, for each cell that arrives at a queue and, if a policy
//! asks for it, for each that leaves.
//!
//! Tail drop judges cells. All others judge a frame by its first cell ([`FrameRule`]), and one
//! state machine ([`Framewise`]) applies their answers to whole frames.
//!
//! A policy of ours is a file here, with its parameters in the scenario language, its `mod` line
//! and its line in the list `policies!` below. A policy from outside the crate implements
//! [`DropPolicy`], or [`FrameRule`] inside [`Framewise::with_rule`], and is given to
//! [`Policy::Own`], or for the ports of a run to
//! [`Builder::drop_policy`](crate::Builder::drop_policy).

mod abc;
mod average;
mod cake;
mod cobalt;
mod codel;
mod dfba;
mod dual_pi2;
mod epd;
mod ered;
mod fair;
mod fba;
mod flow_hash;
mod fq_codel;
mod fq_pie;
mod fq_step;
mod framewise;
mod fred;
mod pie;
mod plan;
mod policy;
mod ppd;
mod priority_drop;
mod queue_state;
mod random_drop;
mod rcp;
mod red;
mod selective_drop;
mod step;
mod tail;
mod threshold;
mod virtual_queues;
mod virtual_queuing;
mod vq_dynamic_epd;
mod vq_mcr;
mod xcp;

pub use average::Average;
pub use fair::{Fair, FairPlan, OwnQueue, RuleOfFlow};
pub use flow_hash::*;
pub use framewise::{Admission, FrameRule, Framewise};
pub use plan::{FromPlan, Ordered, PolicyFacts, Site, SiteFlow, SiteVc};
pub use policy::Policy;
pub use ppd::Ppd;
pub use queue_state::{Departure, Dequeue, Needs, QueueState, RatePacket};
pub use random_drop::{RandomDrop, RandomDropPlan};
pub use tail::Tail;
pub use threshold::Threshold;

use crate::engine::delegate;
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::result::Cause;
use crate::switch::scheduler::Scheduler;
use crate::units::Time;

/// The answer of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The cell joins the queue, or is sent.
    Accept,
    /// The cell is accepted with its congestion indication set: EFCI, which for a packet is the CE
    /// codepoint (RFC 3168 §5).
    Mark,
    /// The cell is discarded.
    Discard(Cause),
}

/// The rule that answers for each arriving cell. A policy must discard when the
/// buffer is full.
pub trait DropPolicy: std::fmt::Debug {
    /// Needs of the policy from its queue.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Occupancy up to which, in a buffer with room, the policy reads neither
    /// [`occupancy`](QueueState::occupancy) nor [`active`](QueueState::active): its answer does not
    /// depend on them. Zero for a policy that is not so simple.
    fn admits_up_to(&self) -> u64 {
        0
    }

    /// Takes note of the queue that the packet would join which arrives next, if the policy [needs
    /// it](Needs::own_queue).
    fn on_own_queue(&mut self, _own: OwnQueue) {}

    /// Judges an arriving cell; departures up to this instant are done.
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict;

    /// Takes note of a cell that has left the buffer, sent or not.
    fn on_departure(&mut self, _departure: Departure) {}

    /// Takes note that packets of a queue are discarded because the buffer overflows.
    fn on_overflow(&mut self, _now: Time, _queue: u32) {}

    /// Takes note that the packet with so many others before it in a queue is removed, because a
    /// later one replaces it. Its departure is told as well, if the policy watches departures.
    fn on_removal(&mut self, _queue: u32, _before: usize) {}

    /// Judges a cell that is taken out of the buffer to be sent.
    fn on_dequeue(&mut self, _head: CellHead, _dequeue: &Dequeue) -> Verdict {
        Verdict::Accept
    }

    /// Takes note of a packet before it is judged at its arrival, if the policy [reads congestion
    /// headers](Needs::headers).
    fn on_packet(&mut self, _packet: &RatePacket) {}

    /// Grant for the header of a packet that is sent, after its dequeue was accepted. Asked of such
    /// a policy alone, and for packets with a header.
    fn grant(&mut self, packet: &RatePacket) -> f32 {
        packet.header.map_or(f32::INFINITY, |header| header.grant)
    }
}

/// Lists the frame rules with parameters, one line each, `Variant "word" => file::Type`. Makes the
/// choice of the scenario language, the [rule](FrameRule) of each [plan](FromPlan), and their
/// dispatch. Tail drop is no such rule, and partial packet discard has no parameters.
macro_rules! policies {
    ($($(#[doc = $doc:literal])+ $rule:ident $word:literal => $file:ident::$Rule:ident;)+) => {
        $(pub use $file::*;)+

        variants! {
            /// `switch.drop` and `edge.drop`.
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub enum PolicyPlan {
                /// Discards a cell or packet that arrives while the buffer is full.
                Tail = "tail",
                /// Partial packet discard: after a loss the rest of the frame is discarded, but its
                /// last cell.
                Ppd = "ppd",
                $($(#[doc = $doc])+ $rule(<$file::$Rule as FromPlan>::Plan) = $word,)+
            }
        }

        impl PolicyPlan {
            /// Makes the policy for this place.
            pub fn build(&self, site: &Site) -> Policy {
                let rule = match self {
                    Self::Tail => return Policy::Tail(Tail),
                    Self::Ppd => Rule::Ppd(Ppd),
                    $(Self::$rule(plan) => Rule::$rule($file::$Rule::build(plan, site)),)+
                };
                Policy::Framewise(Framewise::new(rule, site.vcs.len()))
            }

            /// Facts about the policy before a run.
            pub fn facts(&self) -> PolicyFacts {
                match self {
                    Self::Tail | Self::Ppd => PolicyFacts::default(),
                    $(Self::$rule(plan) => $file::$Rule::facts(plan),)+
                }
            }

            /// Order in which the queue is served, if the policy has one.
            pub fn order(&self, site: &Site) -> Option<Scheduler> {
                match self {
                    Self::Tail | Self::Ppd => None,
                    $(Self::$rule(plan) => $file::$Rule::order(plan, site),)+
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
                fn on_own_queue(&mut self, own: OwnQueue);
                #[inline(never)]
                fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission;
                fn on_admission(&mut self, head: CellHead, slot: u32);
                fn on_departure(&mut self, departure: Departure);
                #[cold]
                fn on_spoilt(&mut self, now: Time);
                fn on_overflow(&mut self, now: Time, queue: u32);
                #[cold]
                fn on_removal(&mut self, queue: u32, before: usize);
                fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission;
                fn on_packet(&mut self, packet: &RatePacket);
                fn grant(&mut self, packet: &RatePacket) -> f32;
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
    /// Selective Drop: above a threshold, frames of VCs with more than their equal share are
    /// discarded.
    SelectiveDrop "selective_drop" => selective_drop::SelectiveDrop;
    /// Fair Buffer Allocation: as Selective Drop, more strictly the fuller the buffer.
    Fba "fba" => fba::Fba;
    /// Random Early Detection: random drop between two thresholds of the mean queue.
    Red "red" => red::Red;
    /// Step marking: above a threshold of the queue every frame is marked, as for DCTCP.
    Step "step" => step::Step;
    /// Controlled Delay: frames are discarded as they leave, ever more often, as long as they
    /// have waited too long.
    Codel "codel" => codel::Codel;
    /// CoDel and BLUE: as CoDel, and random drop after overflows.
    Cobalt "cobalt" => cobalt::Cobalt;
    /// Common applications kept enhanced: a shaper, classes, hosts and flows with a queue each, and
    /// COBALT in them.
    Cake "cake" => cake::Cake;
    /// CoDel in a queue for each flow, served in turn, sparse flows first.
    FqCodel "fq_codel" => fq_codel::FqCodel;
    /// PIE in a queue for each flow, served in turn, sparse flows first.
    FqPie "fq_pie" => fq_pie::FqPie;
    /// Step marking in a queue for each flow, served in turn, sparse flows first.
    FqStep "fq_step" => fq_step::FqStep;
    /// Proportional Integral controller Enhanced: random drop that holds the delay of the queue
    /// at a target.
    Pie "pie" => pie::Pie;
    /// Dual queue with a coupled PI squared controller: packets of L4S wait apart, and are marked
    /// so that their flows have the rates of others.
    DualPi2 "dual_pi2" => dual_pi2::DualPi2;
    /// Accel-brake control: marks by which flows with `congestion = "abc"` follow the rate of the
    /// line, and hold the delay of the queue.
    Abc "abc" => abc::Abc;
    /// XCP: writes into headers by how many bytes each window may change, so that flows with
    /// `congestion = "xcp"` fill the line with hardly a queue.
    Xcp "xcp" => xcp::Xcp;
    /// RCP: writes into headers the rate of all flows with `congestion = "rcp"`.
    Rcp "rcp" => rcp::Rcp;
    /// Flow Random Early Drop: RED that counts the cells of each VC in the buffer.
    Fred "fred" => fred::Fred;
    /// Virtual Queuing: discards frames of VCs whose queue under a round robin would exceed a
    /// threshold.
    VirtualQueuing "virtual_queuing" => virtual_queuing::VirtualQueuing;
    /// Virtual Queuing with Dynamic EPD: above a threshold, frames of VCs beyond their max-min
    /// share are discarded.
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
