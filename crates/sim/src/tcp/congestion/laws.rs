//! List of the laws of the window: the enum of a configuration, and their dispatcher.

use super::additive::{Additive, Avoidance};
use super::cubic::{Cubic, CubicPlan};
use super::law::Law;
use super::{Ack, Flight, Transmission, Window};
use crate::engine::delegate;
use crate::language::part::prelude::*;

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
        #[derive(Clone, Debug)]
        pub(super) enum AnyLaw {
            $($name($Law),)+
            $($boxed(Box<$Boxed>),)+
        }

        impl AnyLaw {
            /// Makes a law; one without parameters takes `avoidance`.
            pub(super) fn new(congestion: CongestionLaw, avoidance: Avoidance) -> Self {
                match congestion {
                    $(CongestionLaw::$name => Self::$name($Law::new(avoidance)),)+
                    $(CongestionLaw::$boxed(plan) => Self::$boxed(Box::new($Boxed::new(plan))),)+
                }
            }
        }

        impl Law for AnyLaw {
            delegate! { [$($name,)+ $($boxed),+]
                #[inline]
                fn may_grow(&mut self, ack: &Ack<'_>) -> bool;
                #[inline]
                fn avoid(&mut self, ack: &mut Ack<'_>);
                fn left_of(&self, bytes: u64) -> u64;
                fn reduce(&mut self, window: &mut Window, flight: &Flight);
                fn on_timeout(&mut self);
                #[inline]
                fn on_sent(&mut self, sent: &Transmission<'_>);
            }
        }
    };
}

laws! {
    plain {
        /// Reno's law: growth by a segment per round trip; congestion halves the flight.
        Reno "reno" => Additive;
    }
    with_parameters {
        /// CUBIC (RFC 9438): the window is a cubic function of the time since congestion.
        Cubic "cubic" => Cubic(CubicPlan);
    }
}
