//! Netspec: scripts of the workload generator of the ACTS experiments, as flows of a scenario.
//!
//! ```text
//! cluster {
//!     test ku {
//!         type = burst (blocksize = 43750, period = 10000, duration = 10);
//!         protocol = tcp (window = 10485760);
//!         own = ku:45000;
//!         peer = edc:45000;
//!     }
//!     test edc {
//!         type = sink;
//!         protocol = tcp (window = 10485760);
//!         own = edc:45000;
//!         peer = ku:45000;
//!     }
//! }
//! ```
//!
//! Blocks `cluster`, `parallel` and `serial` nest. Parts of the first two begin together. The
//! blocks of `serial` follow each other, each when the one before is over; its end must be known
//! from `duration`, or from `repeats` of one period. A source and a sink of one block that name
//! each other with `own` and `peer` are a connection, which becomes a flow.
//!
//! | module | holds |
//! |---|---|
//! | `text` | words and signs with their places |
//! | `script` | a script as it is written, and written again |
//! | `parse` | from text to script |
//! | `arguments` | numbers, sizes, times and distributions |
//! | `meaning` | meaning of one test |
//! | `connections` | sources with their sinks and starts |
//! | `flows` | connections as flows of a scenario |
//! | `workload` | the scenario with them, and the place of each test in it |
//!
//! Source: the Netspec manual (University of Kansas), its pages *full stream*, *burst*, *queued
//! burst* and *emulated traffic*. Departures: names of hosts are those of the scenario; the part
//! behind a dot, which there names an interface, is not read. `window` is the send buffer of its
//! end and, at the sink, the receive buffer. `flow`, which names the flow of the scenario whose
//! settings a connection has, is ours. Quality-of-service statements and other daemons are absent.

mod arguments;
mod connections;
mod flows;
mod meaning;
mod parse;
mod script;
mod text;
mod workload;

pub use script::Script;
pub use workload::{PlannedBlock, PlannedTest, Workload};
