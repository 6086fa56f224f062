//! Transports that were written elsewhere over the paths of the simulator, in simulated time.
//!
//! A [`Stack`] is one end of a flow: a program on a pipe ([`Piped`]), a value in this process, or
//! the simulator's own TCP ([`Model`]). [`drive`] runs a scenario with stacks at the ends of some
//! flows: the network has their packets with their lengths and ECN fields, and never looks inside.
//! The scenario's applications write and read, so that its traffic, starts and stops apply. Equal
//! runs have equal traces, to the octet.
//!
//! ```
//! use cellway_sim::Continue;
//! use cellway_sim::scenario::{Scenario, Source};
//! use cellway_stack::{Ends, Model, Role, drive};
//!
//! let text = r#"
//!     run = { duration = "2 s", seed = 1 }
//!     host = { a = {}, b = {} }
//!     link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "5 ms" }
//!     flow.bulk = { from = "a", to = "b", traffic.ttcp.total = "1 MiB", tcp = {} }
//! "#;
//! let scenario = Scenario::parse(Source { origin: "bulk", text }, &[])?;
//! let ends = Ends {
//!     flow: "bulk".to_owned(),
//!     origin: Box::new(Model::new(&scenario, "bulk", Role::Origin)?),
//!     destination: Box::new(Model::new(&scenario, "bulk", Role::Destination)?),
//! };
//! let driven = drive(&scenario, vec![ends], None, &mut |_| Continue::Yes)?;
//! assert_eq!(driven.outcome.summary.flows["bulk"].acked_bytes, 16 << 16);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | concern |
//! |---|---|
//! | `stack` | the interface of a transport |
//! | `cast`, `end`, `application` | ends of flows: stacks and the applications above them |
//! | `segments` | the log of segments of an end that speaks TCP |
//! | `driver`, `trace`, `record` | the run in virtual time, its hash and its result |
//! | `store`, `ip`, `capture`, `capturing` | content of packets, their fields, packets in a file |
//! | `choice` | stacks by the words of a user |
//! | `protocol`, `piped`, `serve`, `silence` | stacks that are programs, both ends of their pipe |
//! | `script` | packet scripts against a stack |
//! | `model`, `numbers`, `stream`, `wire` | the simulator's own TCP on the wire |

mod application;
mod capture;
mod capturing;
mod cast;
mod choice;
mod driver;
mod end;
pub mod ip;
mod model;
mod numbers;
mod piped;
pub mod protocol;
mod record;
pub mod script;
mod segments;
mod serve;
mod silence;
mod stack;
mod store;
mod stream;
mod trace;
mod wire;

pub use capture::Capture;
pub use capturing::Capturing;
pub use cast::greeting;
pub use choice::{Choice, MODEL, chosen};
pub use driver::{Ends, drive};
pub use model::Model;
pub use piped::Piped;
pub use protocol::VERSION;
pub use record::{DriveError, Driven, EndFacts, StackFacts};
pub use serve::serve;
pub use stack::{Answer, Call, Event, Greeting, Role, Stack, StackError, State, Turn, UNITS};
pub use store::Store;
pub use trace::Trace;
