//! Hosts at which programs run: a namespace for each, with the devices of the flows that are left
//! to programs.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::sync::Arc;

use cellway_sim::pdu::FlowEnd;
use cellway_sim::scenario::Scenario;
use nix::sys::utsname::uname;

use super::children::Prepared;
use super::place::{Namespace, make_device_for_programs};
use super::sys::confined::Surroundings;
use crate::program::{LeftFlow, Program, Role, table_of_hosts};
use crate::record::MeasureError;

/// Characters of a name of a machine, which has at most 64 bytes.
const LONGEST_NAME: usize = 64 / 4;

/// Namespaces and devices of all flows that are left to programs.
#[derive(Debug, Default)]
pub(super) struct Stage {
    hosts: BTreeMap<usize, Arc<Namespace>>,
    pub(super) devices: Vec<(FlowEnd, File)>,
}

impl Stage {
    /// Makes the hosts. The numbers of devices begin with `first`.
    pub(super) fn of(left: &[LeftFlow<'_>], first: usize) -> Result<Self, MeasureError> {
        let mut windows: BTreeMap<usize, u64> = BTreeMap::new();
        for one in left {
            for host in [one.flow.source, one.flow.sink] {
                let window = windows.entry(host).or_default();
                *window = (*window).max(one.plan.window);
            }
        }
        let mut stage = Self::default();
        for (number, one) in left.iter().enumerate() {
            stage
                .add(first + number, one, &windows)
                .map_err(MeasureError::at(format!("the ends of flow {}", one.flow.name)))?;
        }
        Ok(stage)
    }

    fn add(
        &mut self,
        number: usize,
        one: &LeftFlow<'_>,
        windows: &BTreeMap<usize, u64>,
    ) -> io::Result<()> {
        let [from, to] = one.addresses;
        for (host, ends, end) in [
            (one.flow.source, [from, to], FlowEnd::Origin(one.index)),
            (one.flow.sink, [to, from], FlowEnd::Destination(one.index)),
        ] {
            let namespace = match self.hosts.entry(host) {
                Entry::Occupied(made) => made.into_mut(),
                Entry::Vacant(place) => {
                    let made = Namespace::for_programs(&one.plan.sysctls, windows[&host])?;
                    place.insert(Arc::new(made))
                }
            };
            let make = || make_device_for_programs(number, ends, &one.plan);
            self.devices.push((end, namespace.inside(make)?));
        }
        Ok(())
    }

    /// Packets that devices lost because nobody read them in time.
    pub(super) fn lost_in_devices(&self) -> io::Result<u64> {
        self.hosts.values().map(|namespace| namespace.lost_in_devices()).sum()
    }

    /// Programs with their surroundings.
    pub(super) fn prepare(
        &self,
        scenario: &Scenario,
        left: &[LeftFlow<'_>],
        programs: &[Program],
    ) -> io::Result<Vec<Prepared>> {
        let machine = uname().map_or_else(|_| OsString::new(), |names| names.nodename().to_owned());
        let prepared = |program: &Program| {
            let host = scenario.hosts.iter().position(|host| host.name == program.host);
            let host = host.expect("the hosts of programs are checked");
            let namespace = Arc::clone(&self.hosts[&host]);
            let name: String = program.host.chars().take(LONGEST_NAME).collect();
            let surroundings = Surroundings {
                network: namespace.descriptor()?,
                name: name.replace('[', "-").replace(']', "").into(),
                hosts: table_of_hosts(scenario, left, host, &machine.to_string_lossy()),
                is_apart: program.role == Role::Beside,
            };
            Ok(Prepared { program: program.clone(), namespace, surroundings })
        };
        programs.iter().map(prepared).collect()
    }
}
