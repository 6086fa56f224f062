//! VCs of greedy TCPs that share a port under Differential Fair Buffer Allocation.

use cellway_theory::buffer::dfba::{Bottleneck, Vc, sharing};
use cellway_theory::tcp::timeouts::TIMEOUT_COST;

use super::answer::{Assumption, Found, Predicted, Prediction, refused};
use super::connection::Connection;
use super::shared::Together;
use crate::language::family::split_member;
use crate::scenario::resolved::{AckRule, Recovery};
use crate::switch::{DfbaPlan, SiteFlow, SiteVc};
use crate::units::CELL_BITS;

/// Prediction for the VCs and the queue of a port with this plan.
pub(super) fn predicted(together: &Together<'_>, plan: DfbaPlan) -> Found {
    let (port, flows) = (together.port, &together.flows);
    let (scenario, queue) = (port.of.scenario, &port.facts.queues[0]);
    let vc_of = |one: &Connection<'_>| one.flow.vc.map(|vc| scenario.vcs[vc].name.as_str());
    let of_vc = |name: &String| flows.iter().filter(|one| vc_of(one) == Some(name)).collect();
    let members: Vec<Vec<&Connection<'_>>> = queue.vcs.iter().map(of_vc).collect();
    let count: usize = members.iter().map(Vec::len).sum();
    if members.iter().any(Vec::is_empty) || count != flows.len() {
        return refused("not every VC there has connections of its own; expected [vc.NAME]");
    }
    let services = members.iter().map(|some| some[0].flow.service.gfr());
    let Some(services) = services.collect::<Option<Vec<_>>>() else {
        return refused("not every VC there is GFR; expected service.gfr");
    };
    let threshold = |key| queue.thresholds[key].map_or(f64::INFINITY, |cells| cells as f64);
    let bottleneck = Bottleneck {
        capacity: port.line().cells_per_second.expect("VCs are of cells"),
        low: threshold("low"),
        high: threshold("high"),
        alpha: plan.alpha,
        round_trip: together.round_trip(),
        frame: flows[0].units_at(port),
        timeout_cost: TIMEOUT_COST,
    };
    let sites = services.into_iter().map(|gfr| {
        let minimum_rate = gfr.mcr.bits_per_second() as f64;
        SiteVc { minimum_rate, z: gfr.z, flow: SiteFlow::default() }
    });
    let weights = sites.clone().map(|site| site.minimum_rate).sum();
    let vcs = sites.zip(&members).map(|(site, some)| Vc {
        mcr: site.minimum_rate / CELL_BITS as f64,
        z: plan.z.of(site, weights),
        connections: some.len() as f64,
    });
    let found = sharing(&bottleneck, &vcs.collect::<Vec<_>>())?;
    let mut numbers = vec![Predicted::new("mean queue", found.mean_queue, "cell").at("mean_queue")];
    for ((name, some), share) in queue.vcs.iter().zip(&members).zip(&found.shares) {
        let cells = share.part * bottleneck.capacity;
        let data = cells / bottleneck.frame * some[0].segment();
        let number = Predicted::new(format!("throughput of {name}"), data, "bit/s");
        numbers.push(Predicted { path: path(some), ..number });
    }
    Ok(Prediction {
        model: "DFBA shares",
        source: "formula of this program for DFBA of ATM Forum 98-0405",
        numbers,
        assumptions: assumptions(together),
    })
}

fn assumptions(together: &Together<'_>) -> Vec<Assumption> {
    let first = &together.flows[0];
    let (ack, each) = (first.said.ack, first.said.ack == AckRule::EverySegment);
    vec![
        first.assumed_recovery("selective acknowledgements", &[Recovery::Sack, Recovery::SackPipe]),
        Assumption::new("every segment is acknowledged", each, format!("ack {}", ack.word())),
        together.equal_round_trips(),
        Assumption::new("windows do not bind, and the link is full", None, ""),
    ]
}

/// Path of the throughput of these flows together; `None` unless they are all of a family.
fn path(some: &[&Connection<'_>]) -> Option<String> {
    let (family, _) = split_member(&some[0].flow.name)?;
    let is_member = |name: &str| split_member(name).is_some_and(|(of, _)| of == family);
    let all = some[0].ports.scenario.flows.iter().filter(|flow| is_member(&flow.name)).count();
    let is_whole = some.iter().all(|one| is_member(&one.flow.name)) && some.len() == all;
    is_whole.then(|| format!("groups.families.{family}.goodput.sum_bits_per_second"))
}
