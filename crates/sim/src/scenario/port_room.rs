//! Buffers of ports in bytes or milliseconds, converted to cells or packets of their lines.

use crate::scenario::resolved::{Buffer, Carries, Flow, Scenario};
use crate::switch::Sent;
use crate::units::{CELL_BITS, CELL_BYTES};

/// Size of an IP packet on a link that no flow passes.
const USUAL_PACKET: u64 = 1500;

/// The buffer of the output to `link`, in the units that the link carries.
pub(crate) fn buffer_at(scenario: &Scenario, buffer: Buffer, link: usize) -> Buffer {
    if !buffer.depends_on_line() {
        return buffer;
    }
    buffer.in_units(match scenario.links[link].carries {
        Carries::Cells { cell_rate, .. } => {
            Sent { are_cells: true, bytes: CELL_BYTES, bits: CELL_BITS, rate: cell_rate }
        }
        Carries::Packets { line_rate, framing } => {
            let bytes = longest_packet(scenario, link);
            let bits = framing.wire_bits(bytes);
            Sent { are_cells: false, bytes, bits, rate: line_rate }
        }
    })
}

/// Bytes of the longest packet, the MTU, of the flows that pass `link`.
fn longest_packet(scenario: &Scenario, link: usize) -> u64 {
    let passes = |flow: &&Flow| flow.path.contains(&link) || flow.reverse_path.contains(&link);
    let sizes = scenario.flows.iter().filter(passes).filter_map(|flow| match &flow.tcp {
        // A full segment with its headers is as long as the MTU.
        Some(tcp) => Some(tcp.mss.0 + flow.ip.tcp_headers()),
        None => flow.traffic.datagram().map(|size| size.max() + flow.ip.udp_headers()),
    });
    sizes.max().unwrap_or(USUAL_PACKET)
}

#[cfg(test)]
mod tests {
    use crate::explain::explain;
    use crate::scenario::{Scenario, Source};
    use crate::{Continue, run};

    /// Two outputs: 100 Mbit/s with 38 bytes of framing, or cells of OC-3c, and 10 Mbit/s.
    fn scenario(buffer: &str, drop: &str, carries: &str) -> Result<Scenario, String> {
        let rate = if carries == "\"cells\"" { "\"OC-3c\"" } else { "\"100 Mbit/s of line\"" };
        let slow =
            if carries == "\"cells\"" { "\"10 Mbit/s of cell\"" } else { "\"10 Mbit/s of line\"" };
        let text = format!(
            "run.duration = \"1 s\"\nhost.a = {{}}\nhost.b = {{}}\n\
             switch.s = {{ buffer = {{ per_port = \"{buffer}\" }}, drop = {drop} }}\n\
             link.fast = {{ between = [\"a\", \"s\"], rate = {rate}, carries = {carries}, \
             delay = \"1 ms\" }}\n\
             link.slow = {{ between = [\"s\", \"b\"], rate = {slow}, carries = {carries}, \
             delay = \"1 ms\" }}\n\
             flow.long = {{ from = \"a\", to = \"b\", traffic = \"greedy\", \
             tcp = {{ mtu = \"1500 B\" }} }}\n\
             flow.short = {{ from = \"b\", to = \"a\", traffic = \"greedy\", \
             tcp = {{ mtu = \"576 B\" }} }}\n"
        );
        Scenario::parse(Source { origin: "rooms.toml", text: &text }, &[])
            .map_err(|error| error.to_string())
    }

    /// Cells or packets that `explain` reports for each output.
    fn sizes(buffer: &str, drop: &str, carries: &str) -> Vec<Option<u64>> {
        let explained = explain(&scenario(buffer, drop, carries).expect(buffer));
        explained.ports.iter().map(|port| port.queues[0].buffer.size).collect()
    }

    const FRAMED: &str = "{ packets = { overhead = \"38 B\" } }";

    #[test]
    fn every_output_has_as_many_units_as_its_own_line_makes_of_bytes_and_milliseconds() {
        // 2 MB in packets of 1500 bytes; 50 ms of lines that take 12 304 bits for one.
        assert_eq!(sizes("2 MB", "\"tail\"", FRAMED), [Some(1333), Some(1333)]);
        assert_eq!(sizes("50 ms", "\"tail\"", FRAMED), [Some(406), Some(40)]);
        assert_eq!(sizes("53 kB", "\"tail\"", "\"cells\""), [Some(1000), Some(1000)]);
        // OC-3c carries 353 207.5 cells/s, 10 Mbit/s are 23 584.9.
        assert_eq!(sizes("50 ms", "\"tail\"", "\"cells\""), [Some(17_660), Some(1179)]);
        // Of 37 735.8 and of 1.98 cells the whole ones, and one of less.
        assert_eq!(sizes("2 MB", "\"tail\"", "\"cells\""), [Some(37_735); 2]);
        for less in ["105 B", "1 B", "1 ps"] {
            assert_eq!(sizes(less, "\"tail\"", "\"cells\""), [Some(1), Some(1)], "{less}");
            assert_eq!(sizes(less, "\"tail\"", FRAMED), [Some(1), Some(1)], "{less}");
        }
        let written = scenario("50 ms", "\"tail\"", FRAMED).expect("valid").to_toml();
        assert!(written.contains("per_port = \"50 ms\""), "{written}");
    }

    #[test]
    fn a_run_has_the_units_that_explain_shows() {
        let ports = |buffer: &str| {
            let scenario = scenario(buffer, "\"tail\"", FRAMED).expect(buffer);
            run(&scenario, &mut |_| Continue::Yes).expect("nothing cancels it").summary.ports
        };
        let in_bytes = ports("15 kB");
        assert_eq!(in_bytes["s.slow"].max_queue, 10);
        assert_eq!(in_bytes, ports("10 packet"));
        assert_ne!(in_bytes, ports("11 packet"));
    }

    #[test]
    fn thresholds_of_such_a_buffer_are_parts_of_it() {
        let red =
            |low: &str| format!("{{ red = {{ min_threshold = {low}, max_threshold = 0.6 }} }}");
        let explained = explain(&scenario("50 ms", &red("0.2"), FRAMED).expect("parts"));
        let thresholds = explained.ports.iter().map(|port| &port.queues[0].thresholds);
        let low: Vec<_> = thresholds.map(|thresholds| thresholds["min_threshold"]).collect();
        assert_eq!(low, [Some(81), Some(8)]);
        let amount = scenario("50 ms", &red("\"10 packet\""), FRAMED).expect_err("an amount");
        assert!(amount.contains("counts bytes or time; expected a part of the buffer"), "{amount}");
        let order = scenario("50 ms", &red("0.7"), FRAMED).expect_err("in the wrong order");
        assert!(order.contains("is above the `max_threshold`"), "{order}");
    }

    #[test]
    fn what_is_no_room_is_told_all_that_is() {
        for (buffer, said) in [
            ("0 ms", "is out of range; expected more than `0 B` or `0 s`"),
            ("0 B", "is out of range; expected more than `0 B` or `0 s`"),
            ("50 msec", "did you mean `ms`"),
            ("50 furlong", "or a time such as `50 ms` is accepted, too"),
        ] {
            let wrong = scenario(buffer, "\"tail\"", FRAMED).expect_err(buffer);
            assert!(wrong.contains(said), "{wrong}");
        }
    }
}
