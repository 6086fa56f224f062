//! Connections of a host that depend on others of it.

use super::{Fellows, Relays};

/// Relays of a proxy, and connections that carry one flow together; few hosts have either.
#[derive(Debug)]
pub struct Coupled {
    /// Relays between connections; `None` if there are none.
    pub relays: Option<Box<Relays>>,
    /// Connections that carry one flow together; `None` if there are none.
    pub fellows: Option<Fellows>,
}

impl Coupled {
    /// Makes both; `None` without either.
    pub fn new(relays: Option<Box<Relays>>, fellows: Option<Fellows>) -> Option<Box<Self>> {
        let has_any = relays.is_some() || fellows.is_some();
        has_any.then(|| Box::new(Self { relays, fellows }))
    }
}
