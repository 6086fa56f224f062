//! Stacks that do not keep to the interface, and names that do not exist.

use cellway_sim::Continue;
use cellway_sim::capture::{CapturePoints, Kept};
use cellway_sim::units::{Span, Time};
use cellway_stack::{
    Answer, Capture, DriveError, Ends, Event, Model, Role, Stack, StackError, Turn, drive,
};

use super::{models, run, scenario};

const TEXT: &str = r#"
    run = { duration = "1 s", phase = "none" }
    host = { a = {}, b = {} }
    link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
    flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp = { mtu = "1500 B" } }
    flow.noise = { from = "a", to = "b", traffic.cbr = { rate = "1 Mbit/s of cell" } }
"#;

/// A stack that answers each turn alike.
struct Stubborn(fn(Time, &mut Answer));

impl Stack for Stubborn {
    fn turn(&mut self, turn: &Turn<'_>, answer: &mut Answer) -> Result<(), StackError> {
        (self.0)(turn.now, answer);
        Ok(())
    }

    fn name(&self) -> String {
        "stubborn".to_owned()
    }
}

/// The fault of a run with this stack at the origin.
fn fault(answer: fn(Time, &mut Answer)) -> String {
    let scenario = scenario(TEXT);
    let Ends { flow, destination, .. } = models(&scenario, "bulk");
    let ends = Ends { flow, origin: Box::new(Stubborn(answer)), destination };
    run(&scenario, vec![ends]).expect_err("it is no stack").to_string()
}

#[test]
fn a_stack_that_stands_still_ends_the_run() {
    let said = fault(|now, answer| answer.next = Some(now));
    assert_eq!(
        said,
        "stack at bulk.origin, 0 s: it stands still: 10000 turns at one instant, each with a timer \
         that is due"
    );
}

#[test]
fn a_packet_that_the_interface_does_not_take_ends_the_run() {
    let said = fault(|_, answer| answer.packets.push(vec![0x45; 1501]));
    let expected = "a packet of 1501 bytes is not possible: from 20 to 1500";
    assert_eq!(said, format!("stack at bulk.origin, 0 s: {expected}"));
}

#[test]
fn octets_that_cannot_have_arrived_end_the_run() {
    let fell = fault(|_, answer| answer.events.extend([Event::Delivered(0), Event::Acked(1)]));
    let expected = "1 octets acknowledged, where there can be 0 at most";
    assert_eq!(fell, format!("stack at bulk.origin, 0 s: {expected}"));
    let more = fault(|_, answer| answer.events.push(Event::Delivered(9)));
    assert_eq!(more, "stack at bulk.origin, 0 s: 9 octets delivered, where there can be 0 at most");
}

#[test]
fn states_are_those_that_were_named() {
    let said = fault(|_, answer| answer.states.push((0, 1.0)));
    assert_eq!(said, "stack at bulk.origin, 0 s: it has no state 0");
}

#[test]
fn a_stack_needs_a_flow_with_tcp() {
    let scenario = scenario(TEXT);
    let said = |name: &str| {
        let fault: DriveError = Model::new(&scenario, name, Role::Origin).expect_err("no flow");
        fault.to_string()
    };
    assert_eq!(
        said("bulks"),
        "no flow `bulks` in the scenario; expected one of bulk, alone or with .origin or \
         .destination"
    );
    assert_eq!(said("noise"), "flow `noise` has no `tcp`, and so no path back for a stack");
    let over_v6 = super::scenario(&TEXT.replace("flow.bulk = {", "flow.bulk = { ip = \"ipv6\","));
    let fault = Model::new(&over_v6, "bulk", Role::Origin).expect_err("IPv6");
    assert_eq!(
        fault.to_string(),
        "flow `bulk` is over IPv6, and stacks get packets of IPv4; expected no `ip`"
    );
    let twice = vec![models(&scenario, "bulk"), models(&scenario, "bulk")];
    let fault = run(&scenario, twice).expect_err("two pairs");
    assert_eq!(fault.to_string(), "flow `bulk` has two pairs of stacks");
}

/// Eleven packets are sent, one in every millisecond, before the one that is refused.
#[test]
fn a_capture_ends_with_the_fault_of_a_stack() {
    let scenario = scenario(TEXT);
    let origin = Stubborn(|now, answer| {
        answer.next = Some(now + Span::from_milliseconds(1));
        let is_late = now > Time::ZERO + Span::from_milliseconds(10);
        answer.packets.push(vec![0x60; if is_late { 1501 } else { 1000 }]);
    });
    let (origin, mut file) = (Box::new(origin), Vec::new());
    let mut write = |piece: &[u8]| {
        file.extend_from_slice(piece);
        Continue::Yes
    };
    let points = CapturePoints::at_senders(&scenario).expect("a flow");
    let capture = Capture { points, kept: Kept::Whole, write: &mut write };
    let ends =
        vec![Ends { flow: "bulk".to_owned(), origin, destination: Box::new(Stubborn(|_, _| ())) }];
    let ran = drive(&scenario, ends, Some(capture), &mut |_| Continue::Yes);
    assert!(matches!(ran, Err(DriveError::Stack { .. })));
    let packets = file.windows(1000).filter(|octets| octets.iter().all(|one| *one == 0x60));
    assert_eq!(packets.count(), 11);
}
