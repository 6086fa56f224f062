//! Routes of the VCs of a switch.

use std::collections::BTreeMap;

use crate::atm::Class;

/// Largest ratio of the length of a table to the routes in it; beyond that the VCs are listed.
const MOST_GAPS: usize = 8;

/// Route of the cells of a VC.
#[derive(Clone, Copy, Debug, Default)]
pub struct Route {
    /// Output port.
    pub port: u32,
    /// Slot of the VC in that port's per-VC state.
    pub slot: u32,
    /// Class in which it is served there.
    pub class: Class,
}

/// The routes of the VCs of one switch. Their numbers are mostly neighbours, in a table from the
/// first to the last. In a chain of switches that one VC passes from end to end, each table would
/// be as long as the chain: the VCs are listed instead.
#[derive(Debug, Default)]
pub struct Routes {
    first: u32,
    /// Routes by VC; two for each VC that is listed.
    of: Vec<Route>,
    /// Half the number of each VC, in order, where they are listed.
    listed: Vec<u32>,
}

impl Routes {
    /// Bytes that these routes take, at most.
    pub fn bytes(routes: &[(u32, Route)]) -> usize {
        let (_, span) = Self::span(routes);
        let listed = 2 * routes.len() * (size_of::<Route>() + size_of::<u32>());
        if Self::is_table(span, routes.len()) { span * size_of::<Route>() } else { listed }
    }

    /// The lowest number, and the count of numbers to the highest, both directions of each.
    fn span(routes: &[(u32, Route)]) -> (u32, usize) {
        let vcs = routes.iter().map(|&(vc, _)| vc);
        let first = vcs.clone().min().map_or(0, |vc| vc & !1);
        (first, vcs.max().map_or(0, |last| (last | 1) - first + 1) as usize)
    }

    const fn is_table(span: usize, count: usize) -> bool {
        span <= 2 * MOST_GAPS * count
    }

    /// Makes the routes of these VCs, with room for their other directions.
    pub fn of(routes: &[(u32, Route)]) -> Self {
        let (first, span) = Self::span(routes);
        if !Self::is_table(span, routes.len()) {
            return Self::list(routes);
        }
        let mut of = vec![Route::default(); span];
        for &(vc, route) in routes {
            of[(vc - first) as usize] = route;
        }
        Self { first, of, listed: Vec::new() }
    }

    fn list(routes: &[(u32, Route)]) -> Self {
        let mut pairs: BTreeMap<u32, [Route; 2]> = BTreeMap::new();
        for &(vc, route) in routes {
            pairs.entry(vc / 2).or_default()[(vc % 2) as usize] = route;
        }
        let listed = pairs.keys().copied().collect();
        Self { first: 0, of: pairs.into_values().flatten().collect(), listed }
    }

    /// Route of a VC of this switch, or of its other direction.
    #[inline]
    pub fn at(&self, vc: u32) -> Route {
        if self.listed.is_empty() {
            return self.of[(vc - self.first) as usize];
        }
        self.of[self.place(vc)]
    }

    /// Place of a VC that is listed.
    fn place(&self, vc: u32) -> usize {
        2 * self.listed.partition_point(|&listed| listed < vc / 2) + (vc % 2) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routes(vcs: impl Iterator<Item = u32>) -> Vec<(u32, Route)> {
        vcs.map(|vc| (vc, Route { port: vc, ..Route::default() })).collect()
    }

    /// A chain of switches: two VCs at each, one of which is the same everywhere.
    #[test]
    fn what_lies_between_two_vcs_takes_no_memory() {
        for last in [7, 1_000, 1_000_000] {
            let vcs = [0, 1, last - 1, last];
            let made = Routes::of(&routes(vcs.into_iter()));
            assert_eq!(vcs.map(|vc| made.at(vc).port), vcs);
            let bytes = Routes::bytes(&routes(vcs.into_iter()));
            assert!(bytes <= 128, "{bytes} bytes for VCs up to {last}");
            assert!(made.of.len() * size_of::<Route>() <= bytes);
        }
    }

    #[test]
    fn the_other_direction_of_a_vc_has_a_place() {
        for vcs in [vec![4, 6, 9], vec![4, 600, 9001]] {
            let made = Routes::of(&routes(vcs.iter().copied()));
            for vc in vcs {
                assert_eq!([made.at(vc).port, made.at(vc ^ 1).port], [vc, 0]);
            }
        }
    }
}
