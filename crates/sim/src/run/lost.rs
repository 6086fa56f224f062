//! Series of the places where packets of observed flows were lost: `F.lost_at.PORT` in the buffer
//! of a port, `F.lost_on.LINK` by the impairments of a link, `F.lost_at.policer`,
//! `F.lost_at.reassembly` for frames that arrived broken though no loss of their cells was seen,
//! and `F.lost_at.input` in the input queue of a host.

use std::collections::BTreeMap;

use super::external::name_of;
use crate::assemble::Assembled;
use crate::engine::Place;
use crate::result::Series;
use crate::scenario::Scenario;
use crate::units::Time;

/// First bytes of the lost packets, by flow and place.
pub(super) fn losses(scenario: &Scenario, assembled: &mut Assembled) -> Vec<Series> {
    let mut found: BTreeMap<(u32, Place), (Vec<Time>, Vec<f64>)> = BTreeMap::new();
    for loss in assembled.network.take_losses() {
        let (times, values) = found.entry((loss.direction, loss.place)).or_default();
        times.push(loss.at);
        values.push(loss.seq as f64);
    }
    let series = found.into_iter().map(|((direction, place), (times, values))| {
        let flow = &scenario.flows[direction as usize / 2].name;
        let name = format!("{flow}.{}", name_of(scenario, assembled, place));
        Series { name, unit: "byte", times, values, means: None, thinned: 0 }
    });
    series.collect()
}
