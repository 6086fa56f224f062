//! Where the cells of each VC go.

use crate::atm::Class;

/// Where the cells of a VC go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Route {
    /// Output port.
    pub port: u32,
    /// The VC's own place in that port's per-VC state.
    pub slot: u32,
    /// In which order it is served there.
    pub class: Class,
}

/// The routes of the VCs of one switch, from the first to the last of their numbers.
#[derive(Debug, Default)]
pub struct Routes {
    first: u32,
    of: Vec<Route>,
}

impl Routes {
    /// So many routes that `VCS` from the lowest to the highest need, both directions of each.
    pub fn span(vcs: impl Iterator<Item = u32> + Clone) -> usize {
        let first = vcs.clone().min().map_or(0, |vc| vc & !1);
        vcs.max().map_or(0, |last| (last | 1) - first + 1) as usize
    }

    /// Those of these VCs and of what lies between.
    pub fn of(routes: &[(u32, Route)]) -> Self {
        let vcs = routes.iter().map(|&(vc, _)| vc);
        let first = vcs.clone().min().map_or(0, |vc| vc & !1);
        let mut of = vec![Route::default(); Self::span(vcs)];
        for &(vc, route) in routes {
            of[(vc - first) as usize] = route;
        }
        Self { first, of }
    }

    /// That of a VC of this switch, or of its other direction.
    #[inline]
    pub fn at(&self, vc: u32) -> Route {
        self.of[(vc - self.first) as usize]
    }
}
