//! What once went wrong, each as the smallest run that shows it.

use super::{outcome, scenario};
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, RunError, run};

/// Two hosts and a switch; `first` and `second` are the rates of the links, `rest` everything else.
fn path(duration: &str, first: &str, second: &str, switch: &str, host: &str, rest: &str) -> String {
    format!(
        r#"
        [run]
        duration = "{duration}"
        phase = "none"
        [host.a]
        {host}
        [host.b]
        [switch.s]
        {switch}
        [link.l1]
        between = ["a", "s"]
        rate = "{first}"
        delay = "1 ms"
        [link.l2]
        between = ["s", "b"]
        rate = "{second}"
        delay = "1 ms"
        {rest}
        "#
    )
}

fn cbr(rate: &str) -> String {
    format!("[flow.cbr]\nfrom = \"a\"\nto = \"b\"\ntraffic.cbr = {{ rate = \"{rate} of cell\" }}\n")
}

fn tcp(name: &str, from: &str, to: &str, traffic: &str, tcp: &str) -> String {
    format!(
        "[flow.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\ntraffic.ttcp = \
         {traffic}\n[flow.{name}.tcp]\n{tcp}\n"
    )
}

/// Raw cells belong to no frame: one loss once spoilt all that followed.
#[test]
fn raw_cells_survive_a_loss_behind_frame_discard() {
    for drop in ["drop = \"tail\"", "drop = \"ppd\"", "drop.epd = { threshold = \"5 cell\" }"] {
        let switch = format!("buffer = {{ per_port = \"10 cell\" }}\n{drop}");
        let text = path("1 s", "OC-3c", "50 Mbit/s of cell", &switch, "", &cbr("60 Mbit/s"));
        let delivered = outcome(&text).summary.vcs["cbr"].delivered;
        // 50 Mbit/s of 424-bit cells for a second, less 2 ms of propagation.
        assert!((117_600..=117_925).contains(&delivered), "{drop}: {delivered}");
    }
}

/// SAR once booked the CPU ahead, so that what came meanwhile waited behind work that had not
/// reached the CPU.
#[test]
fn a_frame_in_sar_does_not_occupy_the_cpu() {
    let host = "sar = { per_frame = \"10 ms\" }\ncpu_per_segment = \"1 ms\"";
    let small = "mss = \"9140 B\"\nwindow = \"9140 B\"\nack = \"every_segment\"";
    let out = tcp("out", "a", "b", "{ total = \"100 B\", write = \"100 B\" }", small);
    let noise = tcp("noise", "b", "a", "{ total = \"100 B\", write = \"100 B\" }", small);
    let rtt = |flows: &str| {
        let text = path("1 s", "OC-3c", "OC-3c", "", host, flows);
        outcome(&text).summary.flows["out"].rtt.mean_s.expect("one segment is timed")
    };
    let late = out.replace("[flow.out]\n", "[flow.out]\nstart = \"1 ms\"\n");
    // The other frame costs the CPU 1 ms at most, not the 10 ms that it spends in SAR.
    assert!((rtt(&format!("{late}{noise}")) - rtt(&late)).abs() < 2e-3);
}

/// A frame in SAR once reserved the line, so that raw cells waited behind it while the line was
/// idle.
#[test]
fn a_frame_in_sar_does_not_occupy_the_line() {
    let bulk = tcp("bulk", "a", "b", "{}", "mtu = \"9180 B\"\nack = \"every_segment\"");
    let flows = format!("{}{bulk}", cbr("10 Mbit/s"));
    let inside = |sar: &str| {
        let host = format!("sar = {{ per_frame = \"{sar}\" }}");
        outcome(&path("1 s", "OC-3c", "OC-3c", "", &host, &flows)).summary.vcs["cbr"].inside
    };
    // 2 ms of propagation hold 47 cells, and a frame of 192 on the line before them may delay a
    // dozen more.
    assert!(inside("0 s") < 80 && inside("10 ms") < 80);
}

/// The threshold of early discard once was compared with the whole port where the room is per VC.
#[test]
fn early_discard_with_room_per_vc_looks_at_that_vc() {
    let switch = "buffer = { per_vc = \"400 cell\" }\ndrop.epd = { threshold = \"300 cell\" }";
    let flows = tcp(
        "bulk",
        "a",
        "b",
        "{}",
        "mss = \"9140 B\"\nwindow = \"9140 B\"\nack = \"every_segment\"",
    )
    .replace("[flow.bulk]\n", "[flow.bulk]\ncount = 8\n");
    let port = &outcome(&path("1 s", "OC-12c", "OC-3c", switch, "", &flows)).summary.ports["s.l2"];
    // One segment of 192 cells per VC is never more than 300.
    assert_eq!(port.drops.early_frame, 0);
    assert!(port.max_queue > 400);
}

/// The first two gaps of a Poisson source once were one draw.
#[test]
fn the_gaps_of_a_poisson_source_are_drawn_afresh() {
    let flow =
        "[flow.p]\nfrom = \"a\"\nto = \"b\"\ntraffic.poisson = { rate = \"1 kbit/s of cell\" }\n";
    let observe = "[observe]\nseries = [\"queue\"]\ninterval = \"change\"\n";
    let text = path("5 s", "OC-3c", "OC-3c", "", "", &format!("{flow}{observe}"));
    let series = outcome(&text).series;
    let queue = series.iter().find(|series| series.name == "s.l2.queue").expect("it is observed");
    let arrivals: Vec<f64> = (queue.times.iter().zip(&queue.values))
        .filter(|(_, value)| **value > 0.0)
        .map(|(at, _)| at.seconds_f64())
        .collect();
    let gaps = [arrivals[0] - 0.001, arrivals[1] - arrivals[0]];
    assert!((gaps[0] / gaps[1] - 1.0).abs() > 0.01, "{gaps:?}");
}

/// The mean gap of a Poisson source once was rounded down to the picosecond.
#[test]
fn a_very_fast_poisson_source_keeps_its_rate() {
    let flow = "[flow.p]\n\
         from = \"a\"\n\
         to = \"b\"\n\
         traffic.poisson = { rate = \"7000 Gbit/s of cell\" }\n";
    let text = path("100 us", "8000 Gbit/s of cell", "8000 Gbit/s of cell", "", "", flow);
    let sent = outcome(&text).summary.vcs["p"].sent as f64;
    // 100 us at 7 Tbit/s, a cell in 60.57 ps: 1 650 943 cells; four standard deviations are 5140.
    assert!((sent - 1_650_943.0).abs() < 5140.0, "{sent}");
}

/// Bursts once had at least a cell each, and the last one whole: 12.6 Mbit/s came of the first of
/// these, above its peak, 41.5 of the second, and the third filled the memory.
#[test]
fn bursts_of_any_length_keep_the_mean_rate() {
    for (period, duty_cycle) in [("100 us", 0.9), ("10 us", 0.5), ("1 ps", 0.5)] {
        let traffic = format!(
            "traffic.on_off = {{ rate = \"10 Mbit/s of cell\", period = \"{period}\", duty_cycle = \
             {duty_cycle} }}"
        );
        let flow = format!("[flow.p]\nfrom = \"a\"\nto = \"b\"\n{traffic}\n");
        let sent =
            outcome(&path("1 s", "OC-3c", "OC-3c", "", "", &flow)).summary.vcs["p"].sent as f64;
        // A cell in 42.4 us.
        assert!((sent - duty_cycle / 42.4e-6).abs() <= 1.0, "{period}: {sent}");
    }
}

/// A link once counted cells that still waited for it.
#[test]
fn a_link_counts_what_has_left() {
    let summary =
        outcome(&path("1 s", "OC-3c", "10 Mbit/s of cell", "", "", &cbr("100 Mbit/s"))).summary;
    assert_eq!(summary.links["l2"].sent, summary.ports["s.l2"].sent);
    // 10 Mbit/s from the first arrival on.
    assert!((23_550..=23_585).contains(&summary.links["l2"].sent));
}

/// Hopeless overload of an infinite buffer once ended the process instead of the run.
#[test]
fn overload_ends_the_run_before_the_memory() {
    let text = path("3 s", "1000 Gbit/s of cell", "1 Gbit/s of cell", "", "", &cbr("1000 Gbit/s"));
    let ended = run(&scenario(&text), &mut |_| Continue::Yes);
    assert!(matches!(ended, Err(RunError::OutOfMemory(_))), "{ended:?}");
}

/// A window handed to a very slow interface at once: more than a hundred days of work in a run of
/// one second.
#[test]
fn a_window_before_a_slow_interface_is_refused() {
    let bulk =
        tcp("bulk", "a", "b", "{}", "mss = \"65495 B\"\nwindow = \"16 MiB\"\ninitial_window = 64");
    let text = path("1 s", "1 bit/s of cell", "OC-3c", "", "", &bulk);
    let error =
        Scenario::parse(Source { origin: "slow.toml", text: &text }, &[]).expect_err("100 days");
    assert!(error.to_string().contains("100 d"), "{error}");
}

/// Doubling a timeout of days once left the range of time.
#[test]
fn timeouts_of_days_can_be_doubled() {
    let patient = "timers.fine = { initial_rto = \"2 d\", max_rto = \"2 d\", min_rto = \"1 s\" }";
    let bulk = tcp("bulk", "a", "b", "{}", patient);
    let text =
        path("30 d", "OC-3c", "10 Mbit/s of cell", "buffer = { per_port = \"1 cell\" }", "", &bulk);
    let flow = &outcome(&text).summary.flows["bulk"];
    assert_eq!((flow.acked_bytes, flow.aborted_s.is_some()), (0, true));
}

/// A transfer that is through, and a connection that gave up, once looked like any other.
#[test]
fn the_end_of_a_transfer_is_reported() {
    let through = tcp("bulk", "a", "b", "{ total = \"1 MB\" }", "ack = \"every_segment\"");
    let flow = &outcome(&path("100 s", "OC-3c", "OC-3c", "", "", &through)).summary.flows["bulk"];
    let finished = flow.finished_s.expect("a megabyte takes no hundred seconds");
    // Whole writes of 64 KiB: sixteen of them; and the rate is that of the transfer, not of the
    // run.
    assert_eq!(flow.acked_bytes, 16 * 65_536);
    assert!((flow.throughput_bits_per_second - 8.0 * 1_048_576.0 / finished).abs() < 1.0);

    let lost =
        tcp("bulk", "a", "b", "{}", "timers.fine = { initial_rto = \"1 s\", max_rto = \"1 s\" }");
    let text =
        path("60 s", "OC-3c", "10 Mbit/s of cell", "buffer = { per_port = \"1 cell\" }", "", &lost);
    let flow = &outcome(&text).summary.flows["bulk"];
    // The timer and twelve retransmissions, a second each.
    assert_eq!(flow.aborted_s, Some(13.0));
}

/// Without scaling only 65 535 bytes can be advertised; half of that, not of the buffer, forces a
/// delayed ACK.
#[test]
fn a_delayed_ack_is_forced_by_half_of_what_can_be_advertised() {
    let bulk = tcp(
        "bulk",
        "a",
        "b",
        "{}",
        "mss = \"40000 B\"\nwindow = \"1 MiB\"\nwindow_scaling = false",
    );
    let flow = &outcome(&path("4 s", "OC-3c", "OC-3c", "", "", &bulk)).summary.flows["bulk"];
    assert!(flow.throughput_bits_per_second > 20e6, "{}", flow.throughput_bits_per_second);
}

/// Ports are named `switch.link`; a dot inside a name once let two of them coincide.
#[test]
fn a_dot_in_a_name_is_refused() {
    let text = path("1 s", "OC-3c", "OC-3c", "", "", &cbr("1 Mbit/s"))
        .replace("[switch.s]", "[switch.\"s.t\"]");
    let error =
        Scenario::parse(Source { origin: "dot.toml", text: &text }, &[]).expect_err("a dot");
    assert!(error.to_string().contains("illegal name `s.t`"), "{error}");
}

/// A number beyond all ranges was once refused without a word of what would be accepted.
#[test]
fn an_absurd_quantity_is_told_its_range() {
    let text =
        path("1 s", "OC-3c", "OC-3c", "buffer = { per_port = \"9 cell\" }", "", &cbr("1 Mbit/s"));
    for (given, absurd, accepted) in [
        ("\"1 s\"", "\"99999999999999 s\"", "100 d"),
        ("\"1 ms\"", "\"99999999999999999 d\"", "100 d"),
        ("\"OC-3c\"", "\"99999999999999999 Gbit/s of cell\"", "10000 Gbit/s"),
        ("\"9 cell\"", "\"99999999999999999 Mcell\"", "1000 Mcell"),
    ] {
        let text = text.replace(given, absurd);
        let error =
            Scenario::parse(Source { origin: "absurd.toml", text: &text }, &[]).expect_err(absurd);
        assert!(error.to_string().contains(accepted), "{error}");
    }
}

/// Two hosts behind edges, a switch with a slow link to the second, and two flows of these
/// services.
fn two_services(first: &str, second: &str, switch: &str) -> String {
    let lan = "rate = \"10 Mbit/s of line\"\ncarries = \"packets\"\ndelay = \"1 ms\"";
    format!(
        r#"
        [run]
        duration = "100 ms"
        [host]
        a = {{ }}
        b = {{ }}
        [edge]
        west = {{ }}
        east = {{ }}
        [switch.s]
        {switch}
        [link.lan-a]
        between = ["a", "west"]
        {lan}
        [link.up]
        between = ["west", "s"]
        rate = "OC-3c"
        delay = "1 ms"
        [link.down]
        between = ["s", "east"]
        rate = "1 Mbit/s of cell"
        delay = "1 ms"
        [link.lan-b]
        between = ["east", "b"]
        {lan}
        [flow.one]
        from = "a"
        to = "b"
        traffic = "greedy"
        service = {first}
        tcp = {{ }}
        [flow.two]
        from = "a"
        to = "b"
        traffic = "greedy"
        service = {second}
        tcp = {{ }}
        "#
    )
}

/// What waits at an edge was once written over what waits at the switch behind it, so that cells
/// seemed lost. Packets of 9180 bytes are 192 cells, of which the slow link takes 2359 in a second:
/// most wait.
#[test]
fn cells_wait_at_an_edge_and_behind_it() {
    let gfr = "{ gfr = { mcr = \"100 kbit/s of cell\" } }";
    let paced = "{ ubr = { pace = \"900 kbit/s of cell\" } }";
    for (first, second, switch) in [
        ("\"abr\"", "\"ubr\"", ""),
        ("\"abr\"", gfr, ""),
        (paced, "\"ubr\"", "scheduler = \"wfq\""),
    ] {
        let vcs = outcome(&two_services(first, second, switch)).summary.vcs;
        let waiting = [&vcs["one"], &vcs["two"]].map(|vc| vc.inside);
        assert!(waiting.iter().sum::<u64>() > 100, "{first} and {second}: {waiting:?}");
        assert!(vcs.values().all(|vc| vc.sent == vc.delivered + vc.dropped + vc.inside));
    }
}

/// Raw cells for an ABR source were once handed over in bursts as long as a turn. They come at half
/// the rate that it may send at, every 200 us, and leave at once or, every 31st, behind an RM cell
/// of 100 us: for 1/62 of the time one waits. Ten RM cells of the other direction, which are
/// returned here, make it up to 1/1000 more, and once two wait.
#[test]
fn raw_cells_come_to_an_abr_source_one_by_one() {
    let flow = "[flow.f]\n\
         from = \"a\"\n\
         to = \"b\"\n\
         traffic.cbr = { rate = \"5 kcell/s\" }\n\
         service = \"abr\"\n";
    let text = path("1 s", "10 kcell/s", "10 kcell/s", "", "", flow);
    let summary = outcome(&text).summary;
    let abr = summary.vcs["f"].abr.expect("it has a source");
    assert_eq!(abr.max_queue, 2);
    assert!((abr.mean_queue * 62.0 - 1.0).abs() < 0.05, "{}", abr.mean_queue);
    // And one by one into a buffer of two nothing is lost.
    let small = text.replace("service = \"abr\"", "service.abr.buffer.tail = \"2 cell\"");
    assert_eq!(outcome(&small).summary.vcs["f"].dropped, 0);
}

/// Hosts once took a burst of cells past a sample that was due, so that it showed what came later.
///
/// Data of `back` come to `a` every millisecond or sooner. The first RM cell of `there` leaves at 3
/// ms, is with `b` at 13.1 ms, goes back 1/90 s later, behind one of its direction's own, and is
/// with `a` at 34.3 ms: ACR grows by a sixteenth of 10 kcell/s.
#[test]
fn a_sample_shows_what_was_before_its_instant() {
    let flow = |name: &str, from: &str, to: &str, icr: &str| {
        format!(
            "[flow.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\ntraffic = \
             \"greedy\"\nservice.abr.icr = \"{icr}\"\n"
        )
    };
    let flows = flow("there", "a", "b", "90 cell/s")
        + "start = \"3 ms\"\n"
        + &flow("back", "b", "a", "1 kcell/s");
    let text = format!(
        "[run]\nduration = \"40 ms\"\nphase = \"none\"\n[host]\na = {{ }}\nb = {{ \
         }}\n[link.x]\nbetween = [\"a\", \"b\"]\n\
         rate = \"10 kcell/s\"\ndelay = \"10 ms\"\n{flows}[observe]\nseries = [\"acr\"]\ninterval \
         = \"1 ms\"\n"
    );
    for duration in ["40 ms", "1 s", "30 s"] {
        let series = outcome(
            &text.replace("40 ms", duration).replace("[observe]", "[observe]\nlimit = 100000"),
        )
        .series;
        let acr = series.iter().find(|series| series.name == "there.acr").expect("it is observed");
        assert_eq!(acr.values[31..37], [90.0, 90.0, 90.0, 90.0, 715.0, 715.0], "{duration}");
    }
}

/// The explicit rate was once noted at the end of a measuring interval. It is given when a backward
/// RM cell passes the switch.
#[test]
fn an_explicit_rate_is_recorded_when_it_is_given() {
    let flow = "[flow.f]\n\
         from = \"a\"\n\
         to = \"b\"\n\
         traffic = \"greedy\"\n\
         service.abr.icr = \"1 kcell/s\"\n";
    let observe = "[observe]\nseries = [\"er\"]\ninterval = \"change\"\n";
    let erica = "rate_allocator.erica = { interval = \"10 ms\", interval_cells = 1000000 }";
    let text = path("12 ms", "10 kcell/s", "10 kcell/s", erica, "", &format!("{flow}{observe}"));
    let series = outcome(&text).series;
    let given = series.iter().find(|series| series.name == "s.l2.er" && !series.times.is_empty());
    // To b: 0.1 ms on each line and 1 ms on each link; there 1 ms behind an RM cell of the other
    // direction; back: 0.1 ms and 1 ms.
    assert_eq!(given.expect("it was given").times[0].picoseconds(), 4_300_000_000);
}

/// A run was once heard at its barriers alone, a second or a two-hundredth of it apart, however
/// much it did in between.
#[test]
fn a_long_stride_is_interrupted() {
    let many = "[flow.f]\n\
         count = 40\n\
         from = \"a\"\n\
         to = \"b\"\n\
         traffic = \"greedy\"\n\
         tcp = { mss = \"40 B\", window = \"1 KiB\" }\n";
    let text = path("200 s", "OC-3c", "OC-3c", "", "", many).replace("\"1 ms\"", "\"1 us\"");
    let mut told = Vec::new();
    let cancelled = run(&scenario(&text), &mut |progress| {
        told.push(progress.at);
        if told.len() == 3 { Continue::No } else { Continue::Yes }
    });
    assert!(matches!(cancelled, Err(RunError::Cancelled(_))));
    // The first barrier after the start is at one second.
    assert!(told.is_sorted() && told[2].seconds_f64() < 1.0, "{told:?}");
}
