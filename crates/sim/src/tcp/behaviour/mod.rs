//! Behaviours of an end. **A behaviour decides and remembers; the connection and its two halves
//! act.**
//!
//! A behaviour is a file here with its state and those [hooks](Behaviour) that it needs, its `mod`
//! line and its line in the list `behaviours!` below. It sends nothing, runs no timer and changes
//! no window. The scoreboard, the persist timer, the detection and repair of losses and the rule of
//! congestion control are none: they are the sender.

mod ecn;
mod hooks;
pub(super) mod lost_syn;
mod rate_header;
pub(super) mod restart;
pub(super) mod short_segments;
mod timestamps;

use super::clocks::TickPhases;
use super::config::Config;
use super::counters::Counters;
use super::flight::Flight;
use super::piece::Piece;
use super::receive::echo::EcnEcho;
use super::timers::RetransmissionTimer;
use crate::pdu::{RateHeader, Segment};
use crate::units::{Span, Time};
pub(super) use hooks::{Arrival, Behaviour, Cause, Findings, Restart, Sample};
pub(super) use lost_syn::SynEcho;

/// Facts beside the configuration that behaviours are made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    /// Phases of the ticks of the host.
    pub(super) phases: TickPhases,
    /// Bytes of a full segment.
    pub(super) mss: u64,
    /// cwnd at the start, bytes.
    pub(super) initial_window: u64,
}

/// Declares each behaviour in one line, `field: Type = constructor`: the list, and its hooks, which
/// call those of each behaviour that the connection has, in the order of the list.
macro_rules! behaviours {
    (
        ($config:ident, $given:ident)
        $($(#[doc = $doc:literal])+ $field:ident: $Type:ty = $make:expr;)+
    ) => {
        /// The behaviours of one end; `None` for one that the connection does not have.
        #[derive(Clone, Debug)]
        pub(super) struct Behaviours {
            $($(#[doc = $doc])+ $field: Option<$Type>,)+
        }

        impl Behaviours {
            /// Makes the behaviours that a connection of `config` has.
            pub(super) fn new($config: &Config, $given: Given) -> Self {
                Self { $($field: $make,)+ }
            }
        }

        impl Behaviour for Behaviours {
            fn offer(&self, syn: &mut Segment) {
                $(if let Some(one) = &self.$field { one.offer(syn); })+
            }

            fn agree(&mut self, syn: Option<&Segment>) {
                $(if let Some(one) = &mut self.$field { one.agree(syn); })+
            }

            #[inline]
            fn accepts(&mut self, segment: &Segment, last_acked: u64) -> bool {
                $(self.$field.as_mut().is_none_or(|one| one.accepts(segment, last_acked)))&&+
            }

            #[inline]
            fn on_received(&mut self, now: Time) {
                $(if let Some(one) = &mut self.$field { one.on_received(now); })+
            }

            #[inline]
            fn on_ack(&mut self, arrival: &Arrival<'_>, findings: &mut Findings) {
                $(if let Some(one) = &mut self.$field { one.on_ack(arrival, findings); })+
            }

            fn on_reduced(&mut self, cause: Cause, flight: &Flight) {
                $(if let Some(one) = &mut self.$field { one.on_reduced(cause, flight); })+
            }

            #[inline]
            fn on_output(&mut self, flight: &Flight) {
                $(if let Some(one) = &mut self.$field { one.on_output(flight); })+
            }

            #[inline]
            fn restart(
                &self,
                now: Time,
                timer: &RetransmissionTimer,
                cwnd: u64,
            ) -> Option<Restart> {
                None$(.or_else(|| self.$field.as_ref()?.restart(now, timer, cwnd)))+
            }

            #[inline]
            fn lets_end_short(&self, seq: u64, flight: &Flight) -> bool {
                $(self.$field.as_ref().is_none_or(|one| one.lets_end_short(seq, flight)))&&+
            }

            fn fills_window(&self, seq: u64, flight: &Flight) -> bool {
                false$(|| self.$field.as_ref().is_some_and(|one| one.fills_window(seq, flight)))+
            }

            #[inline]
            fn on_sent(&mut self, now: Time, piece: Piece) {
                $(if let Some(one) = &mut self.$field { one.on_sent(now, piece); })+
            }

            #[inline]
            fn stamp(&mut self, now: Time, piece: Option<Piece>, segment: &mut Segment) {
                $(if let Some(one) = &mut self.$field { one.stamp(now, piece, segment); })+
            }

            fn count(&self, counters: &mut Counters) {
                $(if let Some(one) = &self.$field { one.count(counters); })+
            }
        }
    };
}

behaviours! {
    (config, given)
    /// Short segments.
    short: short_segments::Short =
        short_segments::Short::new(config.short_segments, config.nagle, given.mss);
    /// Restart after idle.
    restart: restart::Pause =
        restart::Pause::new(config.restart_after_idle, given.mss, given.initial_window);
    /// The timestamps option.
    timestamps: Box<timestamps::Timestamping> = config.timestamps.then(|| {
        let (tick, phases) = (config.timestamp_clock, given.phases);
        Box::new(timestamps::Timestamping::new(tick, &config.timers, phases))
    });
    /// The sending half of ECN.
    ecn: Box<ecn::EcnSender> = config.ecn.then(|| {
        let (echo, is_l4s) = (config.echo(), config.is_l4s());
        Box::new(ecn::EcnSender::new(echo, is_l4s, given.mss))
    });
    /// Congestion headers.
    rates: Box<rate_header::Grants> =
        config.rate_protocol().map(|protocol| Box::new(rate_header::Grants::new(protocol)));
}

impl Behaviours {
    /// True if segments have a congestion header.
    #[inline]
    pub(super) fn have_rate_header(&self) -> bool {
        self.rates.is_some()
    }

    /// The congestion header of a segment with or without data that is sent now.
    #[cold]
    pub(super) fn rate_header(
        &mut self,
        has_data: bool,
        cwnd: u64,
        srtt: Option<Span>,
    ) -> Option<RateHeader> {
        self.rates.as_mut().map(|rates| rates.header(has_data, cwnd, srtt))
    }

    /// Timestamp that the ACK of our SYN echoes, if there are timestamps.
    pub(super) fn echo_of_syn(&self, now: Time, segment: &Segment) -> Option<SynEcho> {
        self.timestamps.as_ref()?.echo_of_syn(now, segment)
    }

    /// Echo of marks that both ends have agreed on.
    pub(super) fn echo_mode(&self) -> EcnEcho {
        self.ecn.as_ref().map_or(EcnEcho::Classic, |ecn| ecn.echo())
    }

    /// Reads the first segment behind the SYN of the peer, see
    /// [`EcnSender::count_from_ack_of_syn`].
    pub(super) fn count_from_ack_of_syn(&mut self, segment: &Segment) -> Segment {
        match &mut self.ecn {
            Some(ecn) => ecn.count_from_ack_of_syn(segment),
            None => *segment,
        }
    }
}
