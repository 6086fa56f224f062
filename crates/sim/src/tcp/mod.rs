//! A sans-IO TCP endpoint. **Every mutation of a [`Connection`] is followed by draining
//! `poll_transmit` and `poll_event` to `None`, then re-reading `next_timeout`.**
//!
//! The model is the TCP of 4.3BSD Reno as Stevens describes it (TCP/IP Illustrated, volume 2), with
//! the Tahoe of the literature beside it, which without its guard is 4.3BSD's; with RFC 5681, 6298
//! and 7323 where they are more precise or a fine-grained clock is wanted, and RFC 2018, 6582 and
//! 6675 for the rules that came after. A file per concern:
//!
//! | file | concern |
//! |---|---|
//! | `segment`, `config`, `clocks` | what crosses the network; what a run chooses |
//! | `connection` | the driver's interface, opening and closing, what it has counted |
//! | `send`, `congestion` | what may leave, retransmission, cwnd and ssthresh, pacing, ECN |
//! | `sent` | what the sender has counted |
//! | `flight`, `scoreboard` | what is under way, and what of it has been reported |
//! | `receive` | what has arrived, when to acknowledge, the window |
//! | `reader` | when the application reads |
//! | `readings`, `preset` | choices where sources differ; sets of values by name |
//! | `ranges` | sequence numbers beyond a gap, for both halves |
//! | `rtt`, `fixed_rto`, `timers`, `persist` | the families of estimators and clocks |
//! | `timestamps` | the option of RFC 7323: what is echoed, what is too old |
//!
//! Departures, and why:
//!
//! * Sequence numbers have 64 bits and start at 0 (the SYN; data start at 1): nothing ever wraps,
//!   and no result depends on an initial sequence number.
//! * Segments carry lengths, not bytes, and are never corrupted: a frame that fails its check does
//!   not arrive.
//! * Both ends of a connection use one [`Config`]: no MSS option, and without a handshake each end
//!   knows the other's window. Simultaneous open, RST, urgent data and keep-alive are absent.
//! * Blocks of selective acknowledgements ride on segments without data only, and receivers never
//!   take back what they have reported.
//! * The two directions close independently and no state is reused: there is no TIME-WAIT.

mod clocks;
mod config;
pub mod congestion;
mod connection;
mod fixed_rto;
mod flight;
mod persist;
mod preset;
mod ranges;
mod reader;
mod readings;
mod receive;
mod rtt;
mod scoreboard;
mod send;
mod sent;
mod timers;
mod timestamps;
mod unsaid;

pub use crate::pdu::{Ecn, Flags, HEADER_BYTES, SackOption, Segment, Timestamps};
pub use clocks::{AckRule, BsdTimers, FineTimers, FixedRto, FixedTimers, TickPhases, Timers};
pub(crate) use config::SOME_BYTES;
pub(crate) use config::scaling_shift;
pub use config::{Config, MAX_WINDOW};
pub use congestion::{Avoidance, CongestionLaw, CubicPlan, Recovery};
pub use connection::{Connection, Counters, EcnCounters, Event, Role};
pub use reader::{PacedReader, PeriodicReader, Reader, ReaderPlan};
pub use readings::{FullAck, Readings};
pub use send::RestartAfterIdle;
pub use sent::RttSamples;
pub use unsaid::Unsaid;
