//! Examination of the machine: every need of a measurement, tried.

use std::fs;
use std::process::{Command, Stdio};

use cellway_sim::units::{Span, Time};

use super::echo::echo;
use super::facts;
use super::place::{Namespace, Places};
use super::sys::confined::{Surroundings, confine, path_of};
use crate::clock::{self, Clock};
use crate::record::{Finding, MeasureError};
use crate::sysctls::Sysctls;

/// Examines what this machine has of the needs of a measurement.
pub fn examine() -> Vec<Finding> {
    let kernel = said("system", facts::kernel());
    let [gap, stolen] = steadiness();
    vec![
        kernel,
        device(),
        namespace(),
        tool(),
        programs(),
        said("iperf3, for transfers", iperf3()),
        congestion(),
        said("clock", clock::source()),
        said("time stolen in a second", stolen),
        said("longest gap in a second", gap),
        said("tracefs", tracefs()),
        through_path(),
    ]
}

/// Fails with the first need that this machine does not meet.
pub fn require_machine() -> Result<(), MeasureError> {
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

/// A finding without which measurements are possible.
fn said(name: &'static str, found: String) -> Finding {
    Finding { name, found, is_enough: true }
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

/// Starts a program as measurements do: confined to namespaces for processes and mounts.
fn programs() -> Finding {
    let tried = Namespace::for_programs(&Sysctls::default(), 1 << 16).and_then(|namespace| {
        let mut command = Command::new(path_of("true")?);
        let surroundings = Surroundings {
            network: namespace.descriptor()?,
            name: "doctor".into(),
            hosts: String::new(),
            is_apart: true,
        };
        confine(&mut command, surroundings);
        command.stdin(Stdio::null()).status()
    });
    finding(
        "namespaces of programs",
        match tried {
            Ok(status) if status.success() => Ok("a program ran in its own".to_owned()),
            Ok(status) => Err(format!("a program in its own ended with {status}")),
            Err(error) => Err(format!("{error}; programs on the path need root")),
        },
    )
}

/// Version of iperf3, or the way to get it.
fn iperf3() -> String {
    let ran = Command::new("iperf3").arg("--version").output();
    let version = ran.ok().and_then(|ran| {
        String::from_utf8_lossy(&ran.stdout).lines().next().map(|line| line.trim().to_owned())
    });
    version.unwrap_or_else(|| "not there; the package iperf3 has it".to_owned())
}

/// Longest time between two looks at the clock in a loop of a second, and the part of the time of
/// all processors that the machine below took meanwhile.
fn steadiness() -> [String; 2] {
    let before = facts::stolen_and_all();
    let clock = Clock::start();
    let (mut last, mut gap) = (clock.now(), Span::ZERO);
    while last < Time::ZERO + Span::from_seconds(1) {
        let now = clock.now();
        (last, gap) = (now, gap.max(now - last));
    }
    let stolen = before.zip(facts::stolen_and_all()).map(facts::part_stolen);
    let stolen = stolen.map_or("not told".to_owned(), |part| format!("{:.1} %", 100.0 * part));
    [format!("{:.3} ms", 1e3 * gap.seconds_f64()), stolen]
}

/// Folder of the kernel's traces; measurements do without.
fn tracefs() -> String {
    let folders = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
    let probe = "events/tcp/tcp_probe";
    let is_there = |folder: &&str| fs::exists(format!("{folder}/{probe}")).unwrap_or(false);
    folders.into_iter().find(is_there).map_or_else(
        || "not mounted, and not needed; mount -t tracefs none /sys/kernel/tracing".to_owned(),
        |folder| format!("{folder}/{probe}"),
    )
}

fn congestion() -> Finding {
    let known = facts::congestion_controls();
    finding("congestion control", known.map_err(|error| error.to_string()))
}
