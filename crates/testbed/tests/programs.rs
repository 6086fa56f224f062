//! Programs on the path of a scenario. They need root and `/dev/net/tun`.
#![cfg(target_os = "linux")]

mod host;

use cellway_sim::Continue;
use cellway_sim::scenario::{Scenario, Source};
use cellway_testbed::{MeasureError, Measured, Program, Programs, Role, measure_with};

/// A path of packets with 10 Mbit/s and a round trip of 10 ms, and traffic of its own beside.
fn path(seconds: f64, more: &str) -> Scenario {
    let text = format!(
        r#"
    run = {{ duration = "{seconds} s" }}
    host = {{ a = {{}}, b = {{}}, c = {{}} }}
    [switch.r]
    buffer.per_port = "100 packet"
    [link.in]
    between = ["a", "r"]
    rate = "100 Mbit/s of line"
    carries = "packets"
    delay = "1 ms"
    [link.beside]
    between = ["c", "r"]
    rate = "100 Mbit/s of line"
    carries = "packets"
    delay = "1 ms"
    [link.out]
    between = ["r", "b"]
    rate = "10 Mbit/s of line"
    carries = "packets"
    delay = "4 ms"
    [flow.to-b]
    from = "a"
    to = "b"
    traffic = "greedy"
    tcp = {{ preset = "linux", window = "256 KiB" }}
    {more}
    "#
    );
    Scenario::parse(Source { origin: "path.toml", text: &text }, &[]).expect("a scenario")
}

fn beside(host: &str, script: &str) -> Program {
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    Program { host: host.to_owned(), words, role: Role::Beside }
}

fn with(scenario: &Scenario, programs: Vec<Program>) -> Result<Measured, MeasureError> {
    let programs = Programs { programs, flows: Vec::new() };
    measure_with(scenario, &programs, &mut |_| Continue::Yes)
}

/// A server and a client of one connection in Python: 200 kB to the client, which tells its time.
const SERVER: &str = "exec python3 -c 'import socket as s
with s.create_server((\"\", 80)) as server:
    while True:
        server.accept()[0].sendall(bytes(200_000))'";
const CLIENT: &str = "exec python3 -c 'import socket as s, sys, time
began, got = time.monotonic(), 0
with s.create_connection((sys.argv[1], 80)) as client:
    client.shutdown(s.SHUT_WR)
    while got < 200_000:
        got += len(client.recv(65536))
print(got, time.monotonic() - began, file=sys.stderr)' ";

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn programs_reach_one_another_by_names_over_the_path() {
    let client = format!("{CLIENT} b");
    let found = with(&path(1.5, ""), vec![beside("b", SERVER), beside("a", &client)]);
    let facts = found.expect("a measurement").facts;
    let [server, client] = &facts.programs[..] else { panic!("{:#?}", facts.programs) };
    assert_eq!((server.code, server.ended_s, client.code), (None, None, Some(0)), "{facts:#?}");
    let said = client.last_errors.last().expect("it tells");
    let (bytes, seconds) = said.split_once(' ').expect("two numbers");
    assert_eq!(bytes, "200000");
    // Back at 100 Mbit/s beyond the bottleneck of 10: 143 segments of 1500 bytes.
    let seconds: f64 = seconds.parse().expect("a number");
    assert!((0.18..0.4).contains(&seconds), "{seconds} s");
    let back = &facts.left["to-b"].back;
    assert!((138..200).contains(&back.delivered), "{back:#?}");
    assert!(back.delay.min.is_some_and(|delay| (0.005..0.006).contains(&delay)), "{back:#?}");
}
