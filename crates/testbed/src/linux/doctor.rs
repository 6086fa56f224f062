//! Examination of the machine: every need of a measurement, tried.

use std::fs;
use std::process::Command;

use super::echo::echo;
use super::facts;
use super::place::Places;
use crate::record::{Finding, MeasureError};
use crate::sysctls::Sysctls;
use cellway_sim::units::Span;

/// Examines what this machine has of the needs of a measurement.
pub fn examine() -> Vec<Finding> {
    let kernel = Finding { name: "system", found: facts::kernel(), is_enough: true };
    vec![kernel, device(), namespace(), tool(), congestion(), through_path()]
}

/// Fails with the first need that this machine does not meet.
pub(super) fn require() -> Result<(), MeasureError> {
    let needs: [fn() -> Finding; 3] = [device, namespace, tool];
    match needs.iter().map(|look| look()).find(|finding| !finding.is_enough) {
        Some(Finding { found, .. }) => Err(MeasureError::NotHere(found)),
        None => Ok(()),
    }
}

fn finding(name: &'static str, tried: Result<String, String>) -> Finding {
    let is_enough = tried.is_ok();
    Finding { name, found: tried.unwrap_or_else(|reason| reason), is_enough }
}

fn device() -> Finding {
    let opened = fs::OpenOptions::new().read(true).write(true).open("/dev/net/tun");
    finding(
        "TUN devices",
        opened.map(|_| "/dev/net/tun opens".to_owned()).map_err(|error| {
            format!("/dev/net/tun: {error}; measurements need root and the module tun")
        }),
    )
}

fn namespace() -> Finding {
    let made = Places::default().of(0, &Sysctls::default()).map(drop);
    finding(
        "network namespaces",
        made.map(|()| "can be made".to_owned())
            .map_err(|error| format!("{error}; measurements need root")),
    )
}

fn tool() -> Finding {
    let lacks = |said: &str| format!("ip: {said}; expected the package iproute2");
    let version = match Command::new("ip").arg("-V").output() {
        Err(error) => Err(lacks(&error.to_string())),
        Ok(ran) => {
            let said = String::from_utf8_lossy(&ran.stdout).trim().to_owned();
            let is_it = ran.status.success() && said.contains("iproute2");
            if is_it { Ok(said) } else { Err(lacks("another program of that name")) }
        }
    };
    finding("ip of iproute2", version)
}

fn through_path() -> Finding {
    let said = |took: Span| format!("an echo over 2 ms took {:.3} ms", 1e3 * took.seconds_f64());
    finding("a path", echo().map(said).map_err(|error| error.to_string()))
}

fn congestion() -> Finding {
    let known = facts::congestion_controls();
    finding("congestion control", known.map_err(|error| error.to_string()))
}
