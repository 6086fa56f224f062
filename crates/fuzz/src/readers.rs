//! Readers of files and messages: no text makes them panic, and a text that is read can be written
//! and read again.

use cellway_netspec::{Script as Netspec, Workload};
use cellway_sim::explain::explain;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::Time;
use cellway_stack::{Answer, protocol, script};

/// Hosts for scripts of Netspec.
const HOSTS: &str = include_str!("../../netspec/tests/netspec/hosts.toml");

/// Lists that may stand in files, each with the key that names its file.
const LISTS: [&str; 5] = [
    "delay.steps",
    "delay = \"1 ms\"\ncapacity.steps.rates",
    "delay = \"1 ms\"\ncapacity.mahimahi.opportunities",
    "delay = \"1 ms\"\nimpairments.outages.when.listed",
    "delay.linear",
];

/// Reads a scenario, writes it, reads it again and explains it.
pub(crate) fn scenario(octets: &[u8]) {
    let Ok(read) = Scenario::parse_bytes("x.toml", octets, &[]) else { return };
    let text = read.to_toml();
    let again = Scenario::parse(Source { origin: "x.toml", text: &text }, &[]);
    assert_eq!(again.as_ref(), Ok(&read), "{text}");
    explain(&read);
}

/// Reads a list from a file beside a scenario; the first octet says which.
pub(crate) fn lists(octets: &[u8]) {
    let Some((first, list)) = octets.split_first() else { return };
    let Ok(list) = std::str::from_utf8(list) else { return };
    let key = LISTS[usize::from(*first) % LISTS.len()];
    let columns = match first >> 6 {
        0 | 1 => "",
        2 => ", columns = [\"t\", \"v\"], units = [\"s\", \"ms\"], time_from = \"first\"",
        _ => ", columns = [1, 3], units = [\"ms\", \"\"]",
    };
    let text = format!(
        "run = {{ duration = \"1 s\" }}\nhost = {{ a = {{}}, b = {{}} }}\n[flow.f]\nfrom = \
         \"a\"\nto = \"b\"\ntraffic = \"greedy\"\ntcp = {{}}\n[link.l]\nbetween = [\"a\", \"b\"]\n\
         rate = \"10 Mbit/s of line\"\ncarries = \"packets\"\n{key} = {{ file = \"x\"{columns} }}\n"
    );
    let source = Source { origin: "x.toml", text: &text };
    if let Ok(read) = Scenario::parse_with(source, &[], &|_| Ok(list.to_owned())) {
        let text = read.to_toml();
        let again = Scenario::parse(Source { origin: "x.toml", text: &text }, &[]);
        assert_eq!(again.as_ref(), Ok(&read), "{text}");
    }
}

/// Reads a script of Netspec, writes it, reads it again and makes its flows.
pub(crate) fn netspec(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    let Ok(read) = Netspec::parse(Source { origin: "x.nspec", text }) else { return };
    let written = read.to_string();
    let again = Netspec::parse(Source { origin: "x.nspec", text: &written });
    assert_eq!(again.map(|again| again.to_string()).as_ref(), Ok(&written));
    let hosts = format!("run = {{ duration = \"9 s\", phase = \"none\" }}\n{HOSTS}");
    let hosts = Scenario::parse(Source { origin: "hosts.toml", text: &hosts }, &[]);
    let _ = Workload::of(&hosts.expect("valid"), Source { origin: "x.nspec", text });
}

/// Reads a packet script, and plays it against the simulator's own TCP.
pub(crate) fn script(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    let Ok(read) = script::Script::parse("x.pkt", text) else { return };
    let _ = script::run_model(&read);
}

/// Reads messages of both sides of the protocol of stacks; the first octet says which.
pub(crate) fn protocol(octets: &[u8]) {
    let Some((first, body)) = octets.split_first() else { return };
    let text = String::from_utf8_lossy(body);
    match first % 4 {
        0 => drop(protocol::introduction(&text)),
        1 => drop(protocol::counters(&text)),
        2 => drop(protocol::read_turn(body)),
        _ => {
            let (now, mut answer) = (Time::from_picoseconds(5_500), Answer::default());
            if protocol::read_answer(body, now, 3, &mut answer).is_ok() {
                assert!(answer.next.is_none_or(|next| next >= now));
                let (mut written, mut again) = (Vec::new(), Answer::default());
                protocol::write_answer(&answer, &mut written);
                protocol::read_answer(&written, now, 3, &mut again).expect("as it was written");
                assert_eq!((answer.packets, answer.events), (again.packets, again.events));
            }
        }
    }
}
