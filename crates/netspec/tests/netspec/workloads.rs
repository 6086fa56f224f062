//! What becomes of a script: flows, their beginnings, their transport, and what they send.

use cellway_netspec::Workload;
use cellway_sim::scenario::{Flow, RandomSpan, Recovery, Scenario, Source, Traffic};
use cellway_sim::units::{Bytes, Span};
use cellway_sim::{Continue, run};

use super::{HOSTS, connection, planned};

const BURST: &str = "burst (blocksize = 12500, period = 10000, duration = 0.5)";

fn flow<'s>(scenario: &'s Scenario, name: &str) -> &'s Flow {
    let found = scenario.flows.iter().find(|flow| flow.name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

fn starts_at(flow: &Flow) -> Span {
    match flow.start {
        RandomSpan::Fixed(start) => start,
        RandomSpan::Drawn(_) => panic!("{} is drawn", flow.name),
    }
}

#[test]
fn a_source_and_its_sink_are_a_flow() {
    let script = format!("cluster {{ {} }}", connection(BURST, "tcp (window = 262144)", 45000));
    let workload = planned("1 s", &script);
    let names: Vec<&str> = workload.scenario.flows.iter().map(|flow| flow.name.as_str()).collect();
    // The flow that it is like does not run itself; the others stay.
    assert_eq!(names, ["tahoe", "back", "ku-edc-45000"]);
    let flow = flow(&workload.scenario, "ku-edc-45000");
    let tcp = flow.tcp.as_ref().expect("it is tcp");
    assert_eq!((tcp.window, tcp.send_buffer), (Bytes(262_144), Some(Bytes(262_144))));
    assert_eq!((tcp.recovery, tcp.mss), (Recovery::Sack, Bytes(1460)));
    assert_eq!(flow.traffic.lasts(), Some(Span::from_milliseconds(500)));
    let tests = &workload.root.tests;
    assert_eq!([tests[0].kind, tests[1].kind], ["burst", "sink"]);
    assert!(tests.iter().all(|test| test.flow == "ku-edc-45000"));
    // Saved and read again it is the same scenario.
    let text = workload.scenario.to_toml();
    let again = Scenario::parse(Source { origin: "test.toml", text: &text }, &[]);
    assert_eq!(again.expect("it was written"), workload.scenario);
}

/// Two seconds of one source beside one second of another, then a third.
#[test]
fn serial_blocks_follow_each_other() {
    let of =
        |duration: &str, port| connection(&format!("full (duration = {duration})"), "tcp", port);
    let script = format!(
        "serial {{\n parallel {{ cluster {{ {} }} cluster {{ {} }} }}\n cluster {{ {} }} serial {{ \
         cluster {{ {} }} }} }}",
        of("2", 1),
        of("1.5", 2),
        connection("burst (blocksize = 100, period = 2500, repeats = 100)", "tcp", 3),
        of("1", 4),
    );
    let scenario = planned("9 s", &script).scenario;
    let starts = (1..=4).map(|port| starts_at(flow(&scenario, &format!("ku-edc-{port}"))));
    assert_eq!(starts.collect::<Vec<_>>(), [0, 0, 2000, 2250].map(Span::from_milliseconds));
}

/// The same ports again, later.
#[test]
fn a_name_that_is_taken_gets_a_number() {
    let one = format!("cluster {{ {} }}", connection("full (duration = 1)", "tcp", 7));
    let scenario = planned("9 s", &format!("serial {{ {one} {one} {one} }}")).scenario;
    let starts =
        ["ku-edc-7", "ku-edc-7-2", "ku-edc-7-3"].map(|name| starts_at(flow(&scenario, name)));
    assert_eq!(starts, [0, 1, 2].map(Span::from_seconds));
}

#[test]
fn a_connection_is_like_the_flow_that_it_names() {
    let protocol = "tcp (flow = tahoe, window = 32768)";
    let scenario =
        planned("1 s", &format!("cluster {{ {} }}", connection(BURST, protocol, 1))).scenario;
    let tcp = flow(&scenario, "ku-edc-1").tcp.clone().expect("it is tcp");
    assert_eq!((tcp.recovery, tcp.window), (Recovery::Tahoe, Bytes(32_768)));
    let names: Vec<&str> = scenario.flows.iter().map(|flow| flow.name.as_str()).collect();
    assert_eq!(names, ["sack", "back", "ku-edc-1"]);
}

/// The scripts of the manual name interfaces behind a dot, and other ports at `peer` than at `own`.
#[test]
fn scripts_of_the_manual_run() {
    let script = include_str!("manual.nspec");
    let workload = planned("1 s", script);
    let outcome = run(&workload.scenario, &mut |_| Continue::Yes).expect("it is not cancelled");
    let flow = &outcome.summary.flows["ku-edc-45001"];
    assert_eq!((flow.acked_bytes, flow.blocks.map(|counted| counted.written)), (250_000, Some(20)));
}

/// Files of sessions that begin some 0.1 s apart. The manual has no `;` behind the sink's protocol.
#[test]
fn the_ftp_script_of_the_manual_runs() {
    let script = include_str!("manual_ftp.nspec");
    let workload = planned("21 s", script);
    let Traffic::BurstQueued(sessions) = &flow(&workload.scenario, "ku-edc-45001").traffic else {
        panic!("it is queued")
    };
    assert_eq!(sessions.plan().repeats, None);
    let outcome = run(&workload.scenario, &mut |_| Continue::Yes).expect("it is not cancelled");
    let files = outcome.summary.flows["ku-edc-45001"].blocks.expect("files are counted");
    // One in 101 ms on average, in 20 s, with a deviation of 14.
    assert!((198 - 56..198 + 56).contains(&(files.written + files.waiting)), "{files:?}");
    // 2 MB each at 100 Mbit/s: as many as the line carries.
    assert!((100..130).contains(&files.written), "{files:?}");
}

/// A scenario has hosts and links, and all flows are the script's.
#[test]
fn a_script_brings_its_own_flows() {
    let (hosts, _) = HOSTS.split_once("[flow.sack]").expect("flows follow");
    let text = format!("run = {{ duration = \"0.6 s\", phase = \"none\" }}\n{hosts}");
    let source = Source { origin: "test.toml", text: &text };
    let refused = Scenario::parse(source, &[]).expect_err("nothing would run");
    assert_eq!(
        refused.to_string(),
        "test.toml:1:1: the scenario has no flows; expected at least one `[flow.NAME]`"
    );
    let read_file = |_: &str| Err("there are none".to_owned());
    let bare = Scenario::parse_for_script(source, &[], &read_file).expect("flows follow");
    let nothing = run(&bare, &mut |_| Continue::Yes).expect("it is not cancelled");
    assert!(nothing.summary.flows.is_empty());
    let script = format!("cluster {{ {} }}", connection(BURST, "tcp (window = 262144)", 45000));
    let source = Source { origin: "test.nspec", text: &script };
    let workload = Workload::of(&bare, source).expect("hosts are there");
    let outcome = run(&workload.scenario, &mut |_| Continue::Yes).expect("it is not cancelled");
    let names: Vec<&String> = outcome.summary.flows.keys().collect();
    assert_eq!(names, ["ku-edc-45000"]);
    let blocks = outcome.summary.flows["ku-edc-45000"].blocks.expect("blocks are counted");
    assert_eq!((blocks.written, blocks.missed), (50, 0));
}

/// 1250 bytes with their headers of 28 take 0.10224 ms of the line: no datagram waits, and none is
/// lost.
#[test]
fn full_over_udp_is_the_rate_of_the_interface() {
    let script = connection("full (blocksize = 1250, duration = 0.1)", "udp", 5);
    let script = format!("cluster {{ {script} }}");
    // Nothing but `back`, which goes the other way.
    let (hosts, flows) = HOSTS.split_once("[flow.sack]").expect("flows follow");
    let (_, back) = flows.split_once("[flow.back]").expect("it is the last");
    let control = "run = { duration = \"0.2 s\", phase = \"none\" }";
    let text = format!("{control}\n{hosts}[flow.back]{back}");
    let scenario = Scenario::parse(Source { origin: "test.toml", text: &text }, &[]);
    let source = Source { origin: "test.nspec", text: &script };
    let workload = Workload::of(&scenario.expect("hosts"), source).expect("a script");
    let outcome = run(&workload.scenario, &mut |_| Continue::Yes).expect("it is not cancelled");
    let datagrams = outcome.summary.flows["ku-edc-5"].datagrams.expect("it is udp");
    assert_eq!((datagrams.sent, datagrams.lost), ((0.1_f64 / 102.24e-6).ceil() as u64, 0));
    assert!(datagrams.mean_delay_s.is_some_and(|delay| (delay - 2.204e-3).abs() < 2e-6));
}

#[test]
fn sizes_and_periods_are_drawn() {
    let kind = "burstq (blocksize = ftpItemSize(max = 4000000), period = \
                ftpSessionInterarrival(lambda = 0.00001, min = 1000))";
    let scenario =
        planned("1 s", &format!("cluster {{ {} }}", connection(kind, "tcp", 1))).scenario;
    let Traffic::BurstQueued(blocks) = &flow(&scenario, "ku-edc-1").traffic else {
        panic!("{kind}")
    };
    let plan = blocks.plan();
    assert_eq!(plan.block.max(), 4_000_000);
    let mean = RandomSpan::exponential(Span::from_milliseconds(100), Span::from_milliseconds(1));
    assert_eq!(plan.period, mean);
}

#[test]
fn members_of_families_are_hosts() {
    let script = "cluster {
        test { type = full; own = src[1]:9; peer = edc:9; }
        test { type = sink; own = edc:9; peer = src[1]:9; }
    }";
    assert_eq!(planned("1 s", script).root.tests[0].flow, "src1-edc-9");
}

/// 30 frames a second of 1817 bytes on average: in ten seconds within four standard errors.
#[test]
fn video_is_written_frame_by_frame() {
    let kind = "burstq (blocksize = VideoMPEGFrameSize, period = 33333.333333, duration = 10)";
    let workload = planned("11 s", &format!("cluster {{ {} }}", connection(kind, "tcp", 1)));
    let outcome = run(&workload.scenario, &mut |_| Continue::Yes).expect("it is not cancelled");
    let blocks = outcome.summary.flows["ku-edc-1"].blocks.expect("frames are counted");
    assert_eq!(blocks.written, 301);
    let mean = blocks.bytes as f64 / 301.0;
    // 20 groups of 15 frames, each with a deviation of 3750 bytes.
    assert!((mean - 1817.0).abs() < 4.0 * 3750.0 / 15.0 / 20_f64.sqrt(), "{mean}");
}

/// The shipped script offers 105 Mbit/s of 134: in the second after the first round trip all of it
/// is under way, and nothing is missed.
#[test]
fn the_shipped_script_runs() {
    let text = include_str!("../../../../scenarios/acts-burst.toml");
    let sets = [("run.duration".to_owned(), "1 s".to_owned())];
    let source = Source { origin: "acts-burst.toml", text };
    let scenario = Scenario::parse(source, &sets).expect("it is shipped");
    let script = include_str!("../../../../scenarios/acts-burst.nspec");
    let source = Source { origin: "acts-burst.nspec", text: script };
    let workload = Workload::of(&scenario, source).expect("it is shipped");
    let outcome = run(&workload.scenario, &mut |_| Continue::Yes).expect("it is not cancelled");
    let recoveries =
        workload.scenario.flows.iter().map(|flow| flow.tcp.clone().map(|tcp| tcp.recovery));
    let expected = [Recovery::Reno, Recovery::NewReno, Recovery::Sack].map(Some);
    assert_eq!(recoveries.collect::<Vec<_>>(), expected);
    for name in workload.root.tests.iter().map(|test| &test.flow) {
        let blocks = outcome.summary.flows[name].blocks.expect("blocks are counted");
        assert_eq!((blocks.missed, blocks.written + blocks.waiting), (0, 100), "{name}");
    }
}
