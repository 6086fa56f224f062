//! Predictions of published formulas for the ports and flows of a scenario, before a run.
//!
//! Formulas are those of `cellway-theory`; a file here judges whether a scenario fits them. A part
//! that one is for has a prediction with the assumptions judged, or a refusal: the property that is
//! outside its range, and the accepted range.
//!
//! | part | formula | file |
//! |---|---|---|
//! | equal Poisson sources at a port | M/D/1 | `queues` |
//! | equal sources of a constant rate | N·D/D/1 | `queues` |
//! | equal on-off sources of exponential times | fluid of Anick, Mitra and Sondhi | `queues` |
//! | equal greedy TCPs at a port | their windows together | `shared` |
//! | the same under DFBA | DFBA shares | `dfba` |
//! | greedy TCPs over ABR | max-min shares | `abr` |
//! | a greedy TCP alone over a link of two rates | renewal model; limits of EFFCAP | `varying` |
//! | a greedy TCP alone, with losses on its path | PFTK, square root, RFC 9438 | `losses` |
//! | a greedy TCP alone, without | window per round trip, ceiling, Lakshman and Madhow | `alone` |

mod abr;
mod alone;
mod answer;
mod connection;
mod dfba;
mod general;
mod losses;
mod port;
mod queues;
mod region;
mod shared;
mod varying;

pub use answer::{Answer, Assumption, Predicted, Prediction, Theory};

use super::explain;
use crate::scenario::resolved::Scenario;
use answer::Found;
use connection::Connection;
use port::{Port, Ports};

/// Predicts the queues and flows of a scenario, without a run.
pub fn predict(scenario: &Scenario) -> Theory {
    let explained = explain(scenario);
    let ports = Ports::new(scenario, &explained);
    let mut found = Theory::new(&explained);
    let mut covered = vec![false; scenario.flows.len()];
    let models: [fn(&Port<'_>) -> Option<Found>; 2] = [queues::predicted, shared::predicted];
    for model in models {
        // Formulas are for connections from end to end.
        for port in ports.all().filter(|port| !port.has_split_flows()) {
            let Some(answer) = model(&port) else { continue };
            for passage in port.passing.iter().filter(|_| answer.is_ok()) {
                covered[passage.flow] = true;
            }
            found.add("port", &port.facts.name, answer);
        }
    }
    let is_whole = |flow: &usize| scenario.flows[*flow].leg.is_none();
    let others = (0..scenario.flows.len()).filter(|&flow| !covered[flow]).filter(is_whole);
    for one in others.filter_map(|flow| Connection::new(&ports, flow)) {
        let answer = abr::predicted(&one).or_else(|| varying::predicted(&one));
        let answer = answer.unwrap_or_else(|| alone::predicted(&one));
        found.add("flow", &one.facts.name, answer);
    }
    found
}
