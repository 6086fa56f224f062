//! The path between sockets in the place of devices.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::thread;
use std::time::Duration;

use cellway_sim::Continue;
use cellway_sim::capture::{CapturePoints, Kept};
use cellway_sim::scenario::{Scenario, Source};
use cellway_stack::Capture;

use super::*;

/// A packet of IPv4 without content.
const PACKET: [u8; 20] = [0x45, 0, 0, 20, 0, 0, 0, 0, 64, 253, 0, 0, 10, 64, 1, 1, 10, 64, 1, 2];

/// A path of two flows, whose packets are lost on the line with this probability.
fn scenario(loss: f64) -> Scenario {
    let text = format!(
        r#"
        run = {{ duration = "1000 s" }}
        host = {{ a = {{}}, b = {{}} }}
        [link.wire]
        between = ["a", "b"]
        rate = "10 Mbit/s of line"
        carries = "packets"
        delay = "1 ms"
        impairments.loss = {loss}
        [flow]
        one = {{ from = "a", to = "b", traffic = "greedy", tcp = {{}} }}
        two = {{ from = "a", to = "b", traffic = "greedy", tcp = {{}} }}
        "#
    );
    Scenario::parse(Source { origin: "wire", text: &text }, &[]).expect("a scenario")
}

/// The path, and the kernel's side of its devices: both ends of the first flow, then of the second.
fn path(scenario: &Scenario) -> (Path<'_>, Vec<UnixDatagram>) {
    let simulation = Simulation::builder(scenario).external(&["one", "two"]).start();
    let simulation = simulation.expect("two flows");
    let (mut devices, mut kernel) = (Vec::new(), Vec::new());
    for flow in 0..2 {
        for end in [FlowEnd::Origin(flow), FlowEnd::Destination(flow)] {
            let (ours, theirs) = UnixDatagram::pair().expect("sockets");
            for socket in [&ours, &theirs] {
                socket.set_nonblocking(true).expect("sockets");
            }
            devices.push((end, File::from(OwnedFd::from(ours))));
            kernel.push(theirs);
        }
    }
    (Path::new(simulation, Clock::start(), devices), kernel)
}

fn ends_inside(path: &Path<'_>) -> Vec<FlowEnd> {
    path.simulation.packets_inside().map(|(end, _)| end).collect()
}

/// A driver that is behind has one arrival after the other, and reads what other kernels send
/// meanwhile.
#[test]
fn all_devices_are_read_while_packets_arrive() {
    let scenario = scenario(0.0);
    let (mut path, kernel) = path(&scenario);
    kernel[0].send(&PACKET).expect("there is room");
    path.drain_end(FlowEnd::Origin(0), Time::ZERO).expect("it is not past");
    kernel[2].send(&PACKET).expect("there is room");
    assert_eq!(ends_inside(&path), [FlowEnd::Origin(0)]);
    thread::sleep(Duration::from_millis(1));
    let pause = path.run_until(path.simulation.end()).expect("packets are few");
    assert!(matches!(pause, Pause::Arrival(_)));
    path.deliver().expect("it is not a second late");
    assert_eq!(ends_inside(&path), [FlowEnd::Origin(1)]);
    let mut received = [0; 64];
    assert_eq!(kernel[1].recv(&mut received).expect("it has arrived"), PACKET.len());
    assert_eq!(received[..PACKET.len()], PACKET);
}

/// Content and losses of packets that never arrive do not pile up.
#[test]
fn what_is_lost_is_forgotten() {
    let scenario = scenario(0.5);
    let (mut path, kernel) = path(&scenario);
    let mut received = [0; 64];
    for step in 1..=1800 {
        for _ in 0..5 {
            kernel[0].send(&PACKET).expect("there is room");
            path.drain_end(FlowEnd::Origin(0), path.simulation.now()).expect("it is not past");
        }
        let barrier = Time::ZERO + Span::from_milliseconds(10) * step;
        while path.run_until(barrier).expect("packets are few") != Pause::AtBarrier {
            path.deliver().expect("it is early");
        }
        while kernel[1].recv(&mut received).is_ok() {}
    }
    let lost = 9000 - path.tally.packets;
    assert!(lost > 4000, "{lost}");
    assert!(path.simulation.take_losses().len() < 2500);
    assert!(path.store.kept() <= 4096);
}

/// A kernel whose time is virtual is never late, so that its driver need not look at the clock; the
/// trace tells packets of equal instants apart by their octets, and instants of equal packets.
#[test]
fn packets_have_a_trace_where_time_is_virtual() {
    let scenario = scenario(0.0);
    let of = |last: u8, at: Time| {
        let (mut path, kernel) = path(&scenario);
        path = Path { clock: Clock::start_virtual(), trace: Some(Trace::default()), ..path };
        assert_eq!(path.spin(), Span::ZERO);
        let mut packet = PACKET;
        packet[19] = last;
        kernel[0].send(&packet).expect("there is room");
        path.drain_end(FlowEnd::Origin(0), at).expect("it is not past");
        path.trace().expect("there is one")
    };
    let later = Time::ZERO + Span::from_microseconds(1);
    let known = of(2, Time::ZERO);
    assert_eq!(known, of(2, Time::ZERO));
    assert_ne!(known, of(3, Time::ZERO));
    assert_ne!(known, of(2, later));
    assert_eq!(path(&scenario).0.trace(), None, "time is real");
}

/// Packets that are captured at the very instant of a pause, and are lost or have arrived, still
/// have their content when they are written.
#[test]
fn what_is_captured_is_remembered() {
    let scenario = scenario(0.5);
    let (mut path, kernel) = path(&scenario);
    let points = CapturePoints::at_hosts(&scenario, &["a", "b"]).expect("both are there");
    path.simulation.capture(&points);
    let mut written = 0;
    let mut write = |piece: &[u8]| {
        written += piece.len();
        Continue::Yes
    };
    let capture = Capture { points, kept: Kept::Headers, write: &mut write };
    path.capture(Some(Capturing::new(&scenario, capture)));
    let mut received = [0; 64];
    for step in 1..=1800 {
        for _ in 0..5 {
            kernel[0].send(&PACKET).expect("there is room");
            path.drain_end(FlowEnd::Origin(0), path.simulation.now()).expect("it is not past");
        }
        let barrier = Time::ZERO + Span::from_milliseconds(10) * step;
        while path.run_until(barrier).expect("packets are few") != Pause::AtBarrier {
            path.deliver().expect("it is early");
        }
        while kernel[1].recv(&mut received).is_ok() {}
    }
    path.end_capture().expect("it is written");
    drop(path);
    assert!(written > 9000 * PACKET.len(), "{written}");
}

#[test]
fn room_for_a_writer_ends_a_wait() {
    let scenario = scenario(0.0);
    let (mut path, kernel) = path(&scenario);
    let (full, _other) = UnixDatagram::pair().expect("sockets");
    full.set_nonblocking(true).expect("sockets");
    while full.send(&PACKET).is_ok() {}
    let until = path.clock() + Span::from_milliseconds(2);
    assert_eq!(path.wait(until, &[full.as_fd()]).expect("it waits"), [0; 0]);
    let later = path.clock() + Span::from_seconds(100);
    assert_eq!(path.wait(later, &[full.as_fd(), kernel[0].as_fd()]).expect("it waits"), [1]);
}
