//! Laws of the window: its growth in avoidance, and its reduction at congestion. The
//! [rule](super::Congestion) detects and repairs losses; the rules of RFCs work under every law.
//!
//! A law is a file here, its `mod` line and its line in the list `laws!` below, among those without
//! parameters or with them.

use super::additive::Additive;
use super::cubic::{Cubic, CubicPlan};
use super::{Ack, Flight, Transmission, Window};
use crate::engine::delegate;
use crate::language::part::prelude::*;
use crate::tcp::config::Config;

/// A law of the window.
pub(super) trait Law {
    /// True if an ACK of new data may open the window at all.
    #[inline]
    fn may_grow(&mut self, _ack: &Ack<'_>) -> bool {
        true
    }

    /// Opens the window for an ACK of new data in congestion avoidance.
    fn avoid(&mut self, ack: &mut Ack<'_>);

    /// ssthresh after congestion with so many bytes in flight.
    fn left_of(&self, bytes: u64) -> u64;

    /// Sets ssthresh at congestion.
    fn reduce(&mut self, window: &mut Window, flight: &Flight);

    /// Notes that the retransmission timer has expired; ssthresh is set.
    fn on_timeout(&mut self) {}

    /// Notes that a segment is sent.
    #[inline]
    fn on_sent(&mut self, _sent: &Transmission<'_>) {}
}

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
            /// Makes the law of `config`.
            pub(super) fn new(config: &Config) -> Self {
                match config.congestion {
                    $(CongestionLaw::$name => Self::$name($Law::new(config)),)+
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
