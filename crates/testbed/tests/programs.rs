//! Programs on the path of a scenario. They need root and `/dev/net/tun`.
#![cfg(target_os = "linux")]

mod host;

use std::path::{Display, PathBuf};
use std::time::Duration;
use std::{env, fs, process, thread};

use cellway_sim::Continue;
use cellway_sim::scenario::{Scenario, Source};
use cellway_testbed::{MeasureError, Measured, Program, Programs, Role, measure_with};

/// A path of packets with 10 Mbit/s and a round trip of 10 ms, measured after 0.2 s.
fn path(duration: f64) -> Scenario {
    path_after(0.2, duration)
}

/// The same with another warm-up.
fn path_after(warm_up: f64, duration: f64) -> Scenario {
    let text = format!(
        r#"
    run = {{ duration = "{duration} s", warm_up = "{warm_up} s" }}
    host = {{ a = {{}}, b = {{}} }}
    switch.r.buffer.per_port = "100 packet"
    [link.in]
    between = ["a", "r"]
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
    tcp = {{ preset = "linux", window = "64 KiB", timestamps = false }}
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
    measure_with(scenario, &programs, None, &mut |_| Continue::Yes)
}

/// A file to which a program tells something; dropping it removes it.
struct Told(PathBuf);

impl Told {
    fn new(name: &str) -> Self {
        Self(env::temp_dir().join(format!("cellway-{name}-{}", process::id())))
    }

    fn name(&self) -> Display<'_> {
        self.0.display()
    }

    fn read(&self) -> String {
        fs::read_to_string(&self.0).expect("it tells something")
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        // A test that fails may not have made it.
        let _ = fs::remove_file(&self.0);
    }
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
print(got, time.monotonic() - began, file=open(sys.argv[2], \"w\"))' ";

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn programs_reach_one_another_by_names_over_the_path() {
    let told = Told::new("names");
    let client =
        Program { role: Role::Shell, ..beside("a", &format!("{CLIENT} b {}", told.name())) };
    let found = with(&path(30.0), vec![beside("b", SERVER), client]);
    let facts = found.expect("a measurement").facts;
    let [server, client] = &facts.programs[..] else { panic!("{:#?}", facts.programs) };
    assert_eq!((server.code, server.ended_s, client.code), (None, None, Some(0)), "{facts:#?}");
    let said = told.read();
    let (bytes, seconds) = said.split_once(' ').expect("two numbers");
    assert_eq!(bytes, "200000");
    // Back at 100 Mbit/s beyond the bottleneck of 10: 143 segments of 1500 bytes.
    let seconds: f64 = seconds.trim().parse().expect("a number");
    assert!((0.18..0.4).contains(&seconds), "{seconds} s");
    let back = &facts.left["to-b"].back;
    assert!((138..200).contains(&back.delivered), "{back:#?}");
    assert!(back.delay.min.is_some_and(|delay| (0.005..0.006).contains(&delay)), "{back:#?}");
}

/// True if a process has this word among its own.
fn runs(word: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    processes
        .flat_map(|process| fs::read(process.path().join("cmdline")))
        .any(|words| words.split(|byte| *byte == 0).any(|one| one == word.as_bytes()))
}

fn is_gone(word: &str) -> bool {
    host::until(Duration::from_millis(500), || (!runs(word)).then_some(())).is_some()
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn what_programs_leave_behind_ends_with_them() {
    let seconds = "7351";
    let script = format!("setsid sleep {seconds} & sleep 0.1; exit 3");
    let found = with(&path(0.6), vec![beside("a", &script)]).expect("a measurement");
    assert_eq!(found.facts.programs[0].code, Some(3));
    assert!(!runs(seconds));
    let script = format!("echo first >&2; echo last >&2; setsid sleep {seconds} & sleep {seconds}");
    let facts = with(&path(0.6), vec![beside("a", &script)]).expect("a measurement").facts;
    let program = &facts.programs[0];
    assert_eq!((program.code, program.ended_s), (None, None));
    assert_eq!(program.last_errors, ["first", "last"]);
    assert!(!runs(seconds));
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn a_measurement_ends_with_the_program_that_has_the_terminal() {
    let words = ["sh", "-c", "sleep 0.4; kill -9 $$"].map(str::to_owned).to_vec();
    let shell = Program { host: "a".to_owned(), words, role: Role::Shell };
    let facts = with(&path(3600.0), vec![shell]).expect("a measurement").facts;
    assert_eq!(facts.programs[0].code, Some(128 + 9));
    assert!(facts.ended.is_none() && facts.marks.is_empty(), "{facts:#?}");
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn programs_and_hosts_that_are_not_there_are_named_before_anything_runs() {
    let said = |host: &str, word: &str| {
        let words = vec![word.to_owned()];
        let program = Program { host: host.to_owned(), words, role: Role::Beside };
        with(&path(3600.0), vec![program]).expect_err("refused").to_string()
    };
    assert_eq!(said("a", "no-such-program"), "`no-such-program` at `a`: no such program");
    assert_eq!(said("a", "/etc/passwd"), "`/etc/passwd` at `a`: no such program");
    assert_eq!(said("d", "sh"), "no host `d`; expected a host of: a, b");
}

/// The device is deleted under a measurement, whose result up to there remains.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn a_device_that_disappears_ends_the_measurement_with_its_result() {
    let script = "sleep 0.5; ip link del flow0; exec sleep 60";
    let found = with(&path(3600.0), vec![beside("a", script)]).expect("a result");
    let ended = found.facts.ended.expect("an early end");
    assert!((0.5..3.0).contains(&ended.at_s), "{ended:?}");
    assert!(ended.fault.is_some_and(|fault| fault.starts_with("reading a TUN device")));
    assert!(found.facts.marks[0].starts_with("ended at "), "{:?}", found.facts.marks);
    let lasted = found.outcome.summary.duration_s;
    assert!((lasted - ended.at_s).abs() < 1e-9, "{lasted}");
}

/// Name of the variable that makes this program measure for an hour.
const FOREVER: &str = "CELLWAY_PROGRAMS_FOREVER";

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn nothing_is_left_of_a_killed_measurement_with_programs() {
    let seconds = "7352";
    if env::var_os(FOREVER).is_some() {
        let script = format!("setsid sleep {seconds} & exec sleep {seconds}");
        drop(with(&path(3600.0), vec![beside("a", &script), beside("b", &script)]));
    }
    let mut child = process::Command::new(env::current_exe().expect("a file"))
        .args(["--ignored", "--exact", "nothing_is_left_of_a_killed_measurement_with_programs"])
        .env(FOREVER, "1")
        .stdout(process::Stdio::null())
        .spawn()
        .expect("it starts");
    let started = host::until(Duration::from_secs(10), || runs(seconds).then_some(()));
    thread::sleep(Duration::from_millis(300));
    let made = host::namespaces_of(child.id());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(started.is_some() && made.len() == 2, "{made:?}");
    assert!(is_gone(seconds), "a program outlives the measurement");
    assert!(host::are_gone(&made), "namespaces of a dead process");
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn programs_touch_nothing_of_the_host() {
    let look = || {
        let mut found = host::network();
        for file in ["/proc/self/mountinfo", "/etc/hosts", "/proc/sys/kernel/hostname"] {
            found.insert(file.to_owned(), fs::read_to_string(file).expect("a file"));
        }
        found
    };
    let before = look();
    let script =
        "hostname changed; mkdir -p /tmp; mount -t tmpfs none /tmp; ip addr add 10.9.9.9 dev lo";
    with(&path(0.6), vec![beside("a", script), beside("b", "ip route flush table main")])
        .expect("a measurement");
    let after = look();
    for (name, value) in &before {
        assert_eq!(after.get(name), Some(value), "{name}");
    }
    assert_eq!(before.len(), after.len());
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn two_measurements_at_once_do_not_meet() {
    let measured = || {
        let script = format!("{CLIENT} b /dev/null");
        let client = Program { role: Role::Shell, ..beside("a", &script) };
        with(&path(30.0), vec![beside("b", SERVER), client]).expect("a measurement").facts
    };
    let both = thread::scope(|scope| {
        [scope.spawn(measured), scope.spawn(measured)].map(|one| one.join().expect("no panic"))
    });
    for facts in both {
        assert_eq!(facts.programs[1].code, Some(0), "{facts:#?}");
        assert!((138..200).contains(&facts.left["to-b"].back.delivered), "{:#?}", facts.left);
    }
}

/// Each counts with its own clock, iperf3 in whole seconds of the transfer.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn iperf3_reports_the_rate_that_the_driver_counts() {
    if process::Command::new("iperf3").arg("--version").output().is_err() {
        eprintln!("iperf3_reports_the_rate_that_the_driver_counts: skipped, there is no iperf3");
        return;
    }
    let told = Told::new("iperf3");
    let script = format!(
        "iperf3 -c b -R -t 60 -i 1 -f k --forceflush --logfile {} & sleep 4.5",
        told.name()
    );
    let client = Program { role: Role::Shell, ..beside("a", &script) };
    let programs = vec![beside("b", "exec iperf3 -s -1"), client];
    let facts = with(&path_after(1.0, 30.0), programs).expect("a measurement").facts;
    let said = told.read();
    let rate = |line: &str| -> Option<f64> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let unit = words.iter().position(|word| *word == "Kbits/sec")?;
        words[unit - 1].parse().ok()
    };
    // The first second has slow start.
    let rates: Vec<f64> = said.lines().filter_map(rate).skip(1).collect();
    assert!(rates.len() >= 2, "{said}");
    let reported = 1e3 * rates.iter().sum::<f64>() / rates.len() as f64;
    let back = &facts.left["to-b"].back;
    let of_data = 1.0 - 40.0 * back.delivered as f64 / back.delivered_bytes as f64;
    let counted = back.packet_bits_per_second * of_data;
    println!("iperf3 {reported:.0} bit/s, the driver {counted:.0} bit/s");
    assert!((reported / counted - 1.0).abs() < 0.005, "{reported} and {counted}");
}
