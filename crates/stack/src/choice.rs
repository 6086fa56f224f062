//! Choices of a user: a program or the simulator's own TCP at an end of a flow.

use std::collections::BTreeMap;

use cellway_sim::scenario::Scenario;

use crate::cast::greeting;
use crate::driver::Ends;
use crate::model::Model;
use crate::piped::Piped;
use crate::record::DriveError;
use crate::stack::{Role, Stack};

/// Word that stands for the simulator's own TCP.
pub const MODEL: &str = "model";

/// A stack at one end of a flow, or at both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Name of the flow.
    pub flow: String,
    /// Its end; `None` for both.
    pub role: Option<Role>,
    /// A program and its arguments, or [`MODEL`] alone.
    pub words: Vec<String>,
}

/// Starts the stacks of these choices; an end that none is for has the simulator's own TCP.
///
/// # Errors
///
/// `Refused` for flows that do not exist or have no `tcp`, ends with two stacks, and programs that
/// cannot be started or greeted.
pub fn chosen<'s>(scenario: &'s Scenario, choices: &[Choice]) -> Result<Vec<Ends<'s>>, DriveError> {
    let mut words: BTreeMap<&str, [Option<&[String]>; 2]> = BTreeMap::new();
    for Choice { flow, role, words: said } in choices {
        let ends = words.entry(flow).or_default();
        for (end, known) in [Role::Origin, Role::Destination].into_iter().zip(ends) {
            if role.is_none_or(|role| role == end) && known.replace(said).is_some() {
                let end = end.name();
                return Err(DriveError::Refused(format!("two stacks at {flow}.{end}")));
            }
        }
    }
    let start = |(flow, [origin, destination]): (&str, [Option<&[String]>; 2])| {
        Ok(Ends {
            flow: flow.to_owned(),
            origin: started(scenario, flow, Role::Origin, origin)?,
            destination: started(scenario, flow, Role::Destination, destination)?,
        })
    };
    words.into_iter().map(start).collect()
}

fn started<'s>(
    scenario: &'s Scenario,
    flow: &str,
    role: Role,
    words: Option<&[String]>,
) -> Result<Box<dyn Stack + 's>, DriveError> {
    let greeting = greeting(scenario, flow, role)?;
    match words {
        Some(words) if *words != [MODEL] => {
            let refused =
                |why| DriveError::Refused(format!("stack at {flow}.{}: {why}", role.name()));
            Ok(Box::new(Piped::start(words, &greeting).map_err(refused)?))
        }
        _ => Ok(Box::new(Model::new(scenario, flow, role)?)),
    }
}
