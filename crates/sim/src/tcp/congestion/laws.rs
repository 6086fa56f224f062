//! List of the laws of the window: the enum of a configuration, and their dispatcher.

use super::abc::{Abc, AbcPlan};
use super::additive::{Additive, Avoidance};
use super::bbr1::{Bbr1, Bbr1Plan};
use super::bbr3::{Bbr3, Bbr3Plan};
use super::copa::{Copa, CopaPlan};
use super::cubic::{Cubic, CubicPlan};
use super::dctcp::{Dctcp, DctcpPlan};
use super::hybla::{Hybla, HyblaPlan};
use super::law::{Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use super::prague::{Prague, PraguePlan};
use super::rcp::Rcp;
use super::vegas::{Vegas, VegasPlan};
use super::westwood::{Westwood, WestwoodPlan};
use super::xcp::Xcp;
use super::{Ack, Lost, Timeout, Transmission, Window};
use crate::engine::{Stream, delegate};
use crate::language::part::prelude::*;
use crate::pdu::RateProtocol;
use crate::units::{Rate, Span};

/// Declares each law in one line, `Variant "word" => Type`, and `(Plan)` for those with parameters,
/// which are boxed so that their state costs the others nothing.
macro_rules! laws {
    (
        plain { $($(#[doc = $doc:literal])+ $name:ident $word:literal => $Law:ident;)+ }
        with_parameters {
            $($(#[doc = $of_boxed:literal])+
            $boxed:ident $boxed_word:literal => $Boxed:ident($Plan:ty);)+
        }
    ) => {
        variants! {
            /// Growth of cwnd, and the reduction of the window at congestion.
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub enum CongestionLaw {
                $($(#[doc = $doc])+ $name = $word,)+
                $($(#[doc = $of_boxed])+ $boxed($Plan) = $boxed_word,)+
            }
        }

        /// The laws, dispatched statically.
        #[derive(Debug)]
        pub(super) enum AnyLaw {
            $($name($Law),)+
            $($boxed(Box<$Boxed>),)+
            Own(Box<dyn Law>),
        }

        impl CongestionLaw {
            /// Facts and services that the law asks for.
            pub fn needs(self) -> LawNeeds {
                AnyLaw::new(self, Avoidance::Standard).needs()
            }

            /// Protocol of the congestion headers that it asks for.
            pub fn rate_protocol(self) -> Option<RateProtocol> {
                match self {
                    Self::Xcp => Some(RateProtocol::Xcp),
                    Self::Rcp => Some(RateProtocol::Rcp),
                    _ => None,
                }
            }
        }

        impl AnyLaw {
            /// Makes a law; one without parameters takes `avoidance`, those whose growth Linux
            /// counts if it is `counted`.
            pub(super) fn new(congestion: CongestionLaw, avoidance: Avoidance) -> Self {
                match congestion {
                    CongestionLaw::Bbr1(plan) if avoidance == Avoidance::Counted => {
                        Self::Bbr1(Box::new(Bbr1::new(plan.counted())))
                    }
                    $(CongestionLaw::$name => Self::$name($Law::new(avoidance)),)+
                    CongestionLaw::Cubic(plan) if avoidance == Avoidance::Counted => {
                        Self::Cubic(Box::new(Cubic::counted(plan)))
                    }
                    CongestionLaw::Dctcp(plan) if avoidance == Avoidance::Counted => {
                        Self::Dctcp(Box::new(Dctcp::counted(plan)))
                    }
                    CongestionLaw::Westwood(plan) if avoidance == Avoidance::Counted => {
                        Self::Westwood(Box::new(Westwood::counted(plan)))
                    }
                    $(CongestionLaw::$boxed(plan) => Self::$boxed(Box::new($Boxed::new(plan))),)+
                }
            }
        }

        impl Law for AnyLaw {
            delegate! { [$($name,)+ $($boxed,)+ Own]
                fn needs(&self) -> LawNeeds;
                fn seed(&mut self, random: Stream);
                fn leave_validation(&mut self);
                #[inline]
                fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening;
                fn on_ack_in_recovery(&mut self, ack: &mut Ack<'_>);
                fn on_lost(&mut self, lost: &Lost<'_>);
                #[inline]
                fn avoid(&mut self, ack: &mut Ack<'_>);
                fn left_of(&self, bytes: u64) -> u64;
                fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery;
                fn on_timeout(&mut self, timeout: &mut Timeout<'_>) -> InRecovery;
                fn on_recovered(&mut self, window: &mut Window);
                fn undo(&mut self);
                #[inline]
                fn on_sent(&mut self, sent: &Transmission<'_>);
                fn pace(&self, window: &Window, srtt: Option<Span>) -> Option<Rate>;
                fn values(&self) -> &'static [LawValue];
                fn value(&self, index: usize) -> Option<f64>;
            }
        }
    };
}

laws! {
    plain {
        /// Reno's law: growth by a segment per round trip; congestion halves the flight.
        Reno "reno" => Additive;
        /// XCP: headers in which ports with `drop.xcp` grant changes of the window.
        Xcp "xcp" => Xcp;
        /// RCP: headers in which ports with `drop.rcp` grant a rate; paced.
        Rcp "rcp" => Rcp;
    }
    with_parameters {
        /// CUBIC (RFC 9438): the window is a cubic function of the time since congestion.
        Cubic "cubic" => Cubic(CubicPlan);
        /// Vegas: the window keeps a few segments in queues, and shrinks before losses.
        Vegas "vegas" => Vegas(VegasPlan);
        /// Westwood+: congestion leaves the measured bandwidth times the shortest round trip.
        Westwood "westwood" => Westwood(WestwoodPlan);
        /// Hybla: growth in time of a Reno with a short round trip, for satellites.
        Hybla "hybla" => Hybla(HyblaPlan);
        /// DCTCP (RFC 8257): marks reduce the window by their frequency; needs `ecn`.
        Dctcp "dctcp" => Dctcp(DctcpPlan);
        /// TCP Prague: DCTCP whose rate does not follow from a short round trip; needs `ecn`.
        Prague "prague" => Prague(PraguePlan);
        /// ABC: marks of ports with `drop.abc` let the window follow their rate; needs `ecn`.
        Abc "abc" => Abc(AbcPlan);
        /// Copa: a rate that is inversely proportional to the queueing delay; paced.
        Copa "copa" => Copa(CopaPlan);
        /// BBR version 1 (Cardwell et al. 2016): rate and window follow a model of the path.
        Bbr1 "bbr1" => Bbr1(Bbr1Plan);
        /// BBR version 3 (draft-ietf-ccwg-bbr-06): version 1 with bounds from losses.
        Bbr3 "bbr3" => Bbr3(Bbr3Plan);
    }
}
