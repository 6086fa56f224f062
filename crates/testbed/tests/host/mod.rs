//! State of the host's own network, and of processes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

/// Settings that move by themselves.
const MOVING: &[&str] = &["nf_conntrack_count", "tcp_mem", "udp_mem", "random", "stat_refresh"];

/// Settings below `/proc/sys/net`, links, routes and queues.
pub(crate) fn network() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    settings(Path::new("/proc/sys/net"), &mut found);
    for words in ["-o link", "-o addr", "route show table all", "netns", "rule"] {
        let said = Command::new("ip").args(words.split(' ')).output().expect("iproute2");
        found.insert(format!("ip {words}"), String::from_utf8_lossy(&said.stdout).into_owned());
    }
    if let Ok(said) = Command::new("tc").arg("qdisc").output() {
        found.insert("tc qdisc".to_owned(), String::from_utf8_lossy(&said.stdout).into_owned());
    }
    found
}

fn settings(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            settings(&path, found);
        } else if !MOVING.iter().any(|moving| name.to_string_lossy().contains(moving))
            && let Ok(value) = fs::read_to_string(&path)
        {
            found.insert(path.display().to_string(), value);
        }
    }
}

/// Network namespaces that a process holds by descriptors, or is in, besides that of this one.
pub(crate) fn namespaces_of(process: u32) -> BTreeSet<String> {
    let link = |path: &Path| fs::read_link(path).ok().map(|to| to.display().to_string());
    let own = link(Path::new("/proc/self/ns/net"));
    let descriptors = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let held = descriptors.filter_map(|descriptor| link(&descriptor.path()));
    let inside = link(Path::new(&format!("/proc/{process}/ns/net")));
    let of_network = |name: &String| name.starts_with("net:[") && Some(name) != own.as_ref();
    held.chain(inside).filter(of_network).collect()
}

/// True once no process has any of these namespaces.
pub(crate) fn are_gone(made: &BTreeSet<String>) -> bool {
    let gone = until(Duration::from_millis(500), || {
        let processes = fs::read_dir("/proc").expect("processes").flatten();
        let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
        numbers.flat_map(namespaces_of).all(|left| !made.contains(&left)).then_some(())
    });
    gone.is_some()
}

/// The first value of `look`, which is asked again for at most `patience`.
pub(crate) fn until<T>(patience: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    const PAUSE: Duration = Duration::from_millis(20);
    for _ in 0..patience.as_millis() / PAUSE.as_millis() {
        if let Some(found) = look() {
            return Some(found);
        }
        thread::sleep(PAUSE);
    }
    None
}
