//! Facts about the machine while it measures.

use std::{fs, io};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::sys::utsname::uname;

/// Release of the kernel.
pub(super) fn kernel() -> String {
    uname().map_or_else(|_| "unknown".to_owned(), |names| names.release().display().to_string())
}

/// Names of the congestion controls that are loaded.
pub(super) fn congestion_controls() -> io::Result<String> {
    let names = fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control")?;
    Ok(names.split_whitespace().collect::<Vec<_>>().join(", "))
}

/// Processor time of this thread, seconds.
pub(super) fn thread_seconds() -> f64 {
    getrusage(UsageWho::RUSAGE_THREAD).map_or(0.0, |usage| {
        (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64
            * 1e-6
    })
}

/// Time of all processors since the machine was started, in ticks: stolen by the machine below, and
/// all together. `None` where the system does not tell.
pub(super) fn stolen_and_all() -> Option<[u64; 2]> {
    let table = fs::read_to_string("/proc/stat").ok()?;
    let numbers = table.lines().next()?.strip_prefix("cpu ")?;
    let numbers: Vec<u64> = numbers.split_whitespace().flat_map(str::parse).collect();
    // User time includes that of guests, which comes after the stolen time.
    Some([*numbers.get(7)?, numbers.iter().take(8).sum()])
}

/// Part of the time of all processors that was stolen between two looks.
pub(super) fn part_stolen((before, after): ([u64; 2], [u64; 2])) -> f64 {
    let [stolen, all] = [0, 1].map(|of| after[of].saturating_sub(before[of]));
    stolen as f64 / all.max(1) as f64
}
