//! A sans-IO TCP endpoint. **Every mutation of a [`Connection`] is followed by draining
//! `poll_transmit` and `poll_event` to `None`, then re-reading `next_timeout`.**
//!
//! The model is the TCP of 4.3BSD Reno as Stevens describes it (TCP/IP Illustrated, volume 2).
//! Beside it there is the Tahoe of the literature, which without its guard is 4.3BSD's. RFC 5681,
//! 6298 and 7323 count where they are more precise or a fine-grained clock is wanted, and RFC 2018,
//! 6582 and 6675 for the later rules. Each concern has a file:
//!
//! | file | concern |
//! |---|---|
//! | `segment`, `config`, `clocks` | segments on the network; configuration |
//! | `scaling` | the window field and its shift |
//! | `connection` | the driver's interface, opening and closing |
//! | `behaviour` | short segments, restart after idle, timestamps, ECN, congestion headers: a file each |
//! | `send`, `congestion` | output, retransmission, cwnd and ssthresh, pacing |
//! | `piece` | data of one segment, between the two halves and the behaviours |
//! | `counters` | counters of an end |
//! | `flight`, `outstanding` | data in flight, ranges that are reported, the log of segments |
//! | `detection` | losses in that log: duplicate thresholds, RACK with tail loss probes |
//! | `receive` | data that have arrived, acknowledgements, the window |
//! | `reader` | reads of the application |
//! | `readings`, `preset` | choices where sources differ; sets of values by name |
//! | `ranges` | sequence ranges beyond a gap, for both halves |
//! | `rtt`, `fixed_rto`, `timers`, `ack_timer`, `persist` | the families of estimators and clocks |
//! | `release`, `pacer`, `bursts` | segments that the windows allow, and that wait |
//!
//! Departures, and why:
//!
//! * Sequence numbers have 64 bits and start at 0 (the SYN; data start at 1): nothing ever wraps,
//!   and no result depends on an initial sequence number.
//! * Segments carry lengths, not bytes, and are never corrupted: a frame that fails its check does
//!   not arrive.
//! * Both ends of a connection use one [`Config`]: no MSS option, and without a handshake each end
//!   knows the other's window. Simultaneous open, RST, urgent data and keep-alive are absent.
//! * Blocks of selective acknowledgements are sent on segments without data only, and receivers
//!   never discard data that they have reported.
//! * The two directions close independently and no state is reused: there is no TIME-WAIT.

mod ack_timer;
mod behaviour;
mod bursts;
mod clocks;
mod config;
pub mod congestion;
mod connection;
mod counters;
mod detection;
mod fixed_rto;
mod flight;
mod omitted;
mod outstanding;
mod paced_bursts;
mod pacer;
mod path_state;
mod persist;
mod piece;
mod preset;
mod ranges;
mod reader;
mod readings;
mod receive;
mod release;
mod rtt;
mod scaling;
mod send;
mod timers;

pub use crate::pdu::{Ecn, Flags, HEADER_BYTES, SackOption, Segment, Timestamps};
pub use behaviour::lost_syn::LostSyn;
pub use behaviour::restart::RestartAfterIdle;
pub use behaviour::short_segments::ShortSegments;
pub use clocks::{
    AckRule, BsdTimers, FineTimers, FixedRto, FixedTimers, QuickPlan, Sampling, TickPhases, Timers,
};
pub use config::Config;
pub(crate) use config::SOME_BYTES;
pub use congestion::{
    AbcPlan, Avoidance, Bbr1Form, Bbr1Plan, Bbr3Plan, CongestionLaw, CopaPlan, CubicPlan,
    DctcpPlan, FastRetransmitGuard, HyblaPlan, PraguePlan, RackPlan, Recovery, Reduction,
    ThresholdsPlan, Undo, VegasPlan, WestwoodPlan,
};
pub use connection::{Connection, Event, Role};
pub use counters::{Counters, EcnCounters, RecoveryCounters, RttSamples};
pub use omitted::OmittedKeys;
pub use path_state::{Estimate, PathState};
pub(crate) use ranges::Ranges;
pub use reader::{PacedReader, PeriodicReader, Reader, ReaderPlan};
pub use readings::{FullAck, Readings};
pub use receive::echo::EcnEcho;
pub use scaling::MAX_WINDOW;
pub use scaling::scaling_shift;
