//! The axis of applications: what the sending end of a TCP connection writes, and when.
//!
//! An application is asked when its flow starts, at each instant that it has named, and after each
//! segment that arrives. It answers with the bytes that it writes now and the instant at which it
//! writes next without being asked. The receiving end reads at once.
//!
//! An application of ours is a file here, its `mod` line, its line in the list `applications!` below
//! and, with its word, in `traffic!`. One of somebody else's implements [`Application`] and goes into
//! [`Builder::application`](crate::Builder::application).

use super::greedy::Greedy;
use super::ttcp::Ttcp;
use crate::units::Time;

/// What an application does now, and when it is to be asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What it writes.
    pub write: Write,
    /// When it is asked next, even if no segment arrives; what is not later than now is no instant.
    pub next: Time,
}

/// What an application writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// So many bytes, perhaps none.
    Bytes(u64),
    /// It always has more to send.
    Forever,
}

impl Offer {
    /// It writes nothing and waits for a segment.
    pub const NOTHING: Self = Self::bytes(0);

    /// It writes `bytes` and waits for a segment.
    pub const fn bytes(bytes: u64) -> Self {
        Self { write: Write::Bytes(bytes), next: Time::MAX }
    }

    /// The same, but it is asked again at `next`.
    #[must_use]
    pub const fn and_again_at(self, next: Time) -> Self {
        Self { next, ..self }
    }
}

/// What writes at the sending end of a TCP connection.
pub trait Application: std::fmt::Debug {
    /// What it does at `now`, when `acked` of the bytes that it has written are acknowledged.
    fn poll(&mut self, now: Time, acked: u64) -> Offer;

    /// Whether all that it will ever write has been acknowledged: its transfer is finished.
    fn is_through(&self, _acked: u64) -> bool {
        false
    }
}

/// One line for each application: the enum and the dispatch.
macro_rules! applications {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        /// The applications of the list, dispatched statically, and those from outside.
        #[derive(Debug)]
        pub enum AnyApplication {
            $($(#[doc = $doc])+ $name($name),)+
            /// One that is not ours.
            Own(Box<dyn Application>),
        }

        impl Application for AnyApplication {
            #[inline]
            fn poll(&mut self, now: Time, acked: u64) -> Offer {
                match self {
                    $(Self::$name(application) => application.poll(now, acked),)+
                    Self::Own(application) => application.poll(now, acked),
                }
            }

            #[inline]
            fn is_through(&self, acked: u64) -> bool {
                match self {
                    $(Self::$name(application) => application.is_through(acked),)+
                    Self::Own(application) => application.is_through(acked),
                }
            }
        }

        $(impl From<$name> for AnyApplication {
            fn from(application: $name) -> Self {
                Self::$name(application)
            }
        })+
    };
}

applications! {
    /// It always has more to send.
    Greedy;
    /// A number of bytes at the start.
    Ttcp;
}
