//! Max-min fair shares of links by filling: all rates grow together until a link is full or a claim
//! has enough, and the claims concerned stop growing (D. Bertsekas and R. Gallager, Data Networks,
//! 2nd ed., section 6.5.2).
//!
//! With minimum rates the excess above them grows, in proportion to weights (B. Vandalore
//! et al., ATM Forum 98-0408). Decided here: minimum rates that do not fit are shared max-min
//! themselves; where a link and the claim's own limit bind at once, the link is named, the first of
//! several.

use crate::range::{OutOfRange, within};

/// Two rates that differ by no more than this fraction are equal: beyond rounding, below one cell
/// per second.
const ROUNDING: f64 = 1e-9;

/// Claim of one flow. Rates are in any one unit.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Indices of the links that it passes; the first of those that bind it is reported.
    pub links: Vec<usize>,
    /// Guaranteed rate.
    pub min: f64,
    /// Rate that is enough; may be infinite if the flow passes a link.
    pub max: f64,
    /// Growth above `min` relative to the other claims; 0 for none.
    pub weight: f64,
}

/// Rate of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grant {
    /// Rate in the unit of the claims.
    pub rate: f64,
    /// Reason why it is not higher.
    pub bound: Bound,
}

/// Reason why a claim stopped growing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The link of this index is full.
    Link(usize),
    /// The claim has its maximum.
    Max,
    /// The claim has no weight.
    Min,
}

/// Like [`max_min`], with a check of the numbers.
pub fn checked(capacities: &[f64], claims: &[Claim]) -> Result<Vec<Grant>, OutOfRange> {
    for (index, &capacity) in capacities.iter().enumerate() {
        let name = format!("capacities[{index}]");
        within(&name, capacity, "at least 0", |capacity| capacity >= 0.0)?;
    }
    let is_link = |link: f64| (0.0..capacities.len() as f64).contains(&link);
    for (index, claim) in claims.iter().enumerate() {
        for &link in &claim.links {
            within(&format!("links[{index}]"), link as f64, "the index of a link", is_link)?;
        }
        within(&format!("min[{index}]"), claim.min, "at least 0", |min| min >= 0.0)?;
        within(&format!("weight[{index}]"), claim.weight, "at least 0", |weight| weight >= 0.0)?;
        if claim.links.is_empty() || claim.max != f64::INFINITY {
            within(&format!("max[{index}]"), claim.max, "at least 0", |max| max >= 0.0)?;
        }
    }
    Ok(max_min(capacities, claims))
}

/// The max-min fair grant of every claim, in their order, on links of these capacities.
pub fn max_min(capacities: &[f64], claims: &[Claim]) -> Vec<Grant> {
    let guarantees: Vec<Claim> = claims
        .iter()
        .map(|claim| Claim {
            min: 0.0,
            max: claim.min.min(claim.max),
            weight: 1.0,
            ..claim.clone()
        })
        .collect();
    let kept = fill(capacities, &guarantees);
    let above: Vec<Claim> = claims
        .iter()
        .zip(kept)
        .map(|(claim, kept)| Claim { min: kept.rate, ..claim.clone() })
        .collect();
    fill(capacities, &above)
}

/// Fills the links from minimum rates that fit.
fn fill(capacities: &[f64], claims: &[Claim]) -> Vec<Grant> {
    let mut grants = vec![None; claims.len()];
    for (grant, claim) in grants.iter_mut().zip(claims).filter(|(_, claim)| claim.weight <= 0.0) {
        *grant = Some(Grant { rate: claim.min, bound: Bound::Min });
    }
    while grants.contains(&None) {
        let full_at = levels(capacities, claims, &grants);
        let growing = || grants.iter().zip(claims).filter(|(grant, _)| grant.is_none());
        let ends = growing().map(|(_, claim)| end_of(claim, &full_at));
        let level = ends.fold(f64::INFINITY, f64::min);
        // The claim with the smallest end always stops, so the loop ends.
        let reached = level + ROUNDING * level.abs();
        for (grant, claim) in grants.iter_mut().zip(claims).filter(|(grant, _)| grant.is_none()) {
            *grant = stopped(claim, &full_at, level, reached);
        }
    }
    grants.into_iter().map(|grant| grant.expect("all have stopped")).collect()
}

/// The excess per unit of weight at which each link is full, if all growing claims continued.
fn levels(capacities: &[f64], claims: &[Claim], grants: &[Option<Grant>]) -> Vec<f64> {
    let mut left = capacities.to_vec();
    let mut weights = vec![0.0; capacities.len()];
    for (claim, grant) in claims.iter().zip(grants) {
        for &link in &claim.links {
            left[link] -= grant.map_or(claim.min, |grant| grant.rate);
            weights[link] += if grant.is_none() { claim.weight } else { 0.0 };
        }
    }
    let level = |(left, weight): (f64, f64)| {
        if weight > 0.0 { left.max(0.0) / weight } else { f64::INFINITY }
    };
    left.into_iter().zip(weights).map(level).collect()
}

/// The excess at which the claim has its maximum.
fn enough_at(claim: &Claim) -> f64 {
    (claim.max - claim.min).max(0.0) / claim.weight
}

fn end_of(claim: &Claim, full_at: &[f64]) -> f64 {
    claim.links.iter().map(|&link| full_at[link]).fold(enough_at(claim), f64::min)
}

fn stopped(claim: &Claim, full_at: &[f64], level: f64, reached: f64) -> Option<Grant> {
    if let Some(&link) = claim.links.iter().find(|&&link| full_at[link] <= reached) {
        let rate = (claim.min + claim.weight * level).min(claim.max.max(claim.min));
        return Some(Grant { rate, bound: Bound::Link(link) });
    }
    let has_enough = enough_at(claim) <= reached;
    has_enough.then_some(Grant { rate: claim.max.max(claim.min), bound: Bound::Max })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn greedy(links: &[usize]) -> Claim {
        Claim { links: links.to_vec(), min: 0.0, max: f64::INFINITY, weight: 1.0 }
    }

    #[track_caller]
    fn shares(capacities: &[f64], claims: &[Claim], expected: &[f64]) -> Vec<Bound> {
        let grants = max_min(capacities, claims);
        let rates: Vec<f64> = grants.iter().map(|grant| grant.rate).collect();
        assert_eq!(rates.len(), expected.len());
        for (rate, expected) in rates.iter().zip(expected) {
            assert!((rate - expected).abs() <= 1e-9 * expected.abs(), "{rates:?}");
        }
        grants.into_iter().map(|grant| grant.bound).collect()
    }

    /// Five nodes, links (1,3), (2,3), (3,5), (4,5) of capacity 1; sessions 1: 1-3-5, 2 and 3: 2-3,
    /// 4: 4-5, 5: 2-3-5. First (2,3) is full at 1/3, then (3,5) with session 1 at 2/3, then (4,5)
    /// with session 4 alone.
    #[test]
    fn the_example_of_data_networks() {
        let sessions = [greedy(&[0, 2]), greedy(&[1]), greedy(&[1]), greedy(&[3]), greedy(&[1, 2])];
        let third = 1.0 / 3.0;
        let bounds = shares(&[1.0; 4], &sessions, &[2.0 * third, third, third, 1.0, third]);
        assert_eq!(bounds, [2, 1, 1, 3, 1].map(Bound::Link));
    }

    /// 150 for five: one wants 10, one 32; the others have (150 − 10 − 32)/3 = 36 each.
    #[test]
    fn what_a_slow_source_leaves_is_shared_by_the_others() {
        let mut flows = vec![greedy(&[0]); 5];
        flows[0].max = 10.0;
        flows[3].max = 32.0;
        let bounds = shares(&[150.0], &flows, &[10.0, 36.0, 36.0, 32.0, 36.0]);
        assert_eq!([bounds[0], bounds[1], bounds[3]], [Bound::Max, Bound::Link(0), Bound::Max]);
    }

    /// 150 with minimum rates 10, 30 and 50: 60 are left, 20 for each.
    #[test]
    fn what_is_above_the_minimum_rates_is_shared_equally() {
        let flows = [10.0, 30.0, 50.0].map(|min| Claim { min, ..greedy(&[0]) });
        shares(&[150.0], &flows, &[30.0, 50.0, 70.0]);
    }

    /// The same in proportion to the minimum rates: 150/90 times each; one without any keeps
    /// nothing.
    #[test]
    fn what_is_above_the_minimum_rates_is_shared_by_weight() {
        let flows = [10.0, 30.0, 50.0, 0.0].map(|min| Claim { min, weight: min, ..greedy(&[0]) });
        let bounds = shares(&[150.0], &flows, &[150.0 / 9.0, 50.0, 250.0 / 3.0, 0.0]);
        assert_eq!(bounds[3], Bound::Min);
    }

    /// A guarantee that is not used: 20 of 60 are asked for, the other gets 130.
    #[test]
    fn a_minimum_rate_beyond_the_demand_is_left_to_others() {
        let flows = [Claim { min: 60.0, max: 20.0, ..greedy(&[0]) }, greedy(&[0])];
        shares(&[150.0], &flows, &[20.0, 130.0]);
    }

    /// 10 and 100 guaranteed on what is only 60: 10 and 50, and nothing for the third.
    #[test]
    fn minimum_rates_that_do_not_fit_are_shared_themselves() {
        let flows = [10.0, 100.0, 0.0].map(|min| Claim { min, ..greedy(&[0]) });
        shares(&[60.0], &flows, &[10.0, 50.0, 0.0]);
    }

    #[test]
    fn a_link_without_capacity_gives_nothing() {
        assert_eq!(shares(&[0.0], &[greedy(&[0])], &[0.0]), [Bound::Link(0)]);
    }

    #[test]
    fn where_a_link_and_the_demand_bind_at_once_the_link_is_named() {
        let claim = Claim { max: 50.0, ..greedy(&[1, 0]) };
        assert_eq!(shares(&[50.0, 50.0], &[claim], &[50.0]), [Bound::Link(1)]);
    }

    #[test]
    fn numbers_that_are_no_rates_are_refused() {
        let refused = |claim: Claim| checked(&[10.0], &[claim]).unwrap_err().name;
        assert_eq!(refused(Claim { min: -1.0, ..greedy(&[0]) }), "min[0]");
        assert_eq!(refused(greedy(&[1])), "links[0]");
        assert_eq!(refused(greedy(&[])), "max[0]");
        assert_eq!(checked(&[f64::NAN], &[]).unwrap_err().name, "capacities[0]");
    }

    /// Rates by small steps, without levels: all claims that can grow by `step` of their weight do.
    fn by_steps(capacities: &[f64], claims: &[Claim], step: f64) -> Vec<f64> {
        let mut rates: Vec<f64> = claims.iter().map(|claim| claim.min.min(claim.max)).collect();
        let mut growing = vec![true; claims.len()];
        while growing.contains(&true) {
            for flow in 0..claims.len() {
                let is_full = |&link: &usize| {
                    let passing = claims.iter().zip(&rates);
                    let load = passing.filter(|(claim, _)| claim.links.contains(&link));
                    load.map(|(_, rate)| rate).sum::<f64>() + claims[flow].weight * step
                        > capacities[link]
                };
                let next = rates[flow] + claims[flow].weight * step;
                growing[flow] &=
                    next <= claims[flow].max && !claims[flow].links.iter().any(is_full);
                if growing[flow] {
                    rates[flow] = next;
                }
            }
        }
        rates
    }

    fn some_claim() -> impl Strategy<Value = Claim> {
        let links = prop::sample::subsequence(vec![0, 1, 2, 3], 1..=4);
        let max = prop_oneof![Just(f64::INFINITY), 0.0..100.0];
        let shape = |(links, min, max, weight)| Claim { links, min, max, weight };
        (links, 0.0..5.0, max, prop_oneof![Just(1.0), 0.5..4.0]).prop_map(shape)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Filling drop by drop comes as near as the drops are small.
        #[test]
        fn filling_by_small_steps_comes_to_the_same(
            capacities in prop::collection::vec(30.0..90.0, 4),
            claims in prop::collection::vec(some_claim(), 1..6),
        ) {
            let step = 0.005;
            let grants = max_min(&capacities, &claims);
            for (grant, rate) in grants.iter().zip(by_steps(&capacities, &claims, step)) {
                prop_assert!((grant.rate - rate).abs() < 100.0 * step, "{grants:?} {rate}");
            }
        }

        /// Bertsekas and Gallager's proposition: a vector of rates is max-min fair if and only if
        /// every session has a full link on which none has more, here more excess per weight; or
        /// all that it wants. 20 minimum rates below 5 fit into 100.
        #[test]
        fn every_claim_has_enough_or_a_full_link_on_which_none_has_more(
            capacities in prop::collection::vec(100.0..300.0, 4),
            claims in prop::collection::vec(some_claim(), 1..20),
        ) {
            let grants = max_min(&capacities, &claims);
            let near =
                |value: f64, other: f64| (value - other).abs() <= 1e-6 * other.abs().max(1.0);
            let passes = |link| move |(claim, _): &(&Claim, &Grant)| claim.links.contains(&link);
            let of_link = |link| claims.iter().zip(&grants).filter(passes(link));
            let excess = |claim: &Claim, grant: &Grant| {
                (grant.rate - claim.min.min(claim.max)) / claim.weight
            };
            for (link, capacity) in capacities.iter().enumerate() {
                let load: f64 = of_link(link).map(|(_, grant)| grant.rate).sum();
                prop_assert!(load <= capacity * (1.0 + 1e-9));
            }
            for (claim, grant) in claims.iter().zip(&grants) {
                prop_assert!(grant.rate >= claim.min.min(claim.max));
                match grant.bound {
                    Bound::Max => prop_assert!(near(grant.rate, claim.max)),
                    Bound::Min => prop_assert!(false, "all have weight"),
                    Bound::Link(link) => {
                        let load: f64 = of_link(link).map(|(_, grant)| grant.rate).sum();
                        prop_assert!(near(load, capacities[link]));
                        let excesses = of_link(link).map(|(claim, grant)| excess(claim, grant));
                        let largest = excesses.fold(0.0, f64::max);
                        prop_assert!(near(excess(claim, grant), largest));
                    }
                }
            }
        }
    }
}
