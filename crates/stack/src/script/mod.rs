//! Packet scripts: lines that say at which instant which packet arrives at a stack, what its
//! application does, and which packets it has to answer with.
//!
//! The notation is that of packetdrill (Cardwell et al., *packetdrill: scriptable network stack
//! testing, from sockets to packets*, USENIX ATC 2013), as far as `docs/scripts.md` says. Lines
//! that lie outside are skipped and named, not guessed.
//!
//! ```
//! use cellway_stack::script::{Script, run_model};
//!
//! let text = "
//! --tcp handshake = true
//! 0   connect(3, ..., ...) = 0
//! +0  > S 0:0(0) win 65535 <mss 1460,wscale 1,sackOK>
//! +.1 < S. 0:0(0) ack 1 win 1000 <mss 1000>
//! +0  > . 1:1(0) ack 1
//! ";
//! let report = run_model(&Script::parse("hello.pkt", text)?)?;
//! assert!(report.passes(), "{:?}", report.fault);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | concern |
//! |---|---|
//! | `scan`, `error` | words of a text, and faults at their places |
//! | `statement`, `instant` | statements of a script, and their instants |
//! | `packet`, `option` | packets and options of TCP as text, octets, and both compared |
//! | `call`, `claim` | calls of the application, and claims on the state |
//! | `settings` | the scenario that the keys of a script make |
//! | `player`, `wire_end` | a script against a stack, and the octets of the script's own end |
//! | `report` | result |

mod call;
mod claim;
mod error;
mod instant;
mod option;
mod packet;
mod player;
mod report;
mod scan;
mod settings;
mod statement;
mod wire_end;

pub use error::ScriptError;
pub use report::{Report, Row, Skipped};

use cellway_sim::scenario::Scenario;

use crate::cast::greeting;
use crate::choice::MODEL;
use crate::model::Model;
use crate::piped::Piped;
use crate::record::DriveError;
use crate::stack::{Role, Stack};
use settings::FLOW;
use statement::Statement;

/// A script that has been read.
#[derive(Debug)]
pub struct Script {
    /// Name of its file.
    pub origin: String,
    scenario: Scenario,
    /// Part of the stack in the connection.
    role: Role,
    /// Longest time between the instant of a line and what it expects, unless it says a range.
    tolerance: cellway_sim::units::Span,
    statements: Vec<Statement>,
    skipped: Vec<Skipped>,
}

impl Script {
    /// Reads a script from the text of the file `origin`.
    ///
    /// # Errors
    ///
    /// A line that is none of the language, with its place and what would be accepted.
    pub fn parse(origin: &str, text: &str) -> Result<Self, ScriptError> {
        statement::read(origin, text)
    }
}

/// Plays a script against the simulator's own TCP.
///
/// # Errors
///
/// The stack cannot be made.
pub fn run_model(script: &Script) -> Result<Report, DriveError> {
    run(script, &[MODEL.to_owned()])
}

/// Plays a script against the stack of these words: a program and its arguments, or [`MODEL`].
///
/// # Errors
///
/// `Refused` for a program that cannot be started or greeted.
pub fn run(script: &Script, words: &[String]) -> Result<Report, DriveError> {
    let scenario = &script.scenario;
    let greeting = greeting(scenario, FLOW, script.role)?;
    let mut stack: Box<dyn Stack + '_> = if words == [MODEL] {
        Box::new(Model::new(scenario, FLOW, script.role)?)
    } else {
        Box::new(
            Piped::start(words, &greeting)
                .map_err(|why| DriveError::Refused(format!("stack of {}: {why}", script.origin)))?,
        )
    };
    Ok(player::play(script, &greeting, stack.as_mut()))
}
