//! Crowds: many hosts alike that send to one or two others at the same instants, so that cells of
//! several inputs come at one instant, trains of equal gap make rounds, also such as fill the line
//! exactly, and more trains meet at an output than a merger keeps in order.

use std::fmt::Write;

use super::dice::Dice;

/// Each of the hosts has this one; that to which they send has the other.
const LINES: [(&str, &str); 8] = [
    ("10 Mbit/s of cell", "100 Mbit/s of cell"),
    ("10 Mbit/s of cell", "50 Mbit/s of cell"),
    ("20 Mbit/s of cell", "100 Mbit/s of cell"),
    ("20 Mbit/s of cell", "37 Mbit/s of cell"),
    ("50 Mbit/s of cell", "50 Mbit/s of cell"),
    ("50 Mbit/s of cell", "100 Mbit/s of cell"),
    ("OC-3c", "OC-3c"),
    ("OC-3c", "600 Mbit/s of cell"),
];

const BUFFERS: [&str; 9] = [
    "",
    "",
    "buffer = { per_port = \"ROOM cell\" }",
    "buffer = { per_port = \"ROOM cell\" }",
    "buffer = { per_port = \"ROOM cell\" }\nin_service = \"not_counted\"",
    "buffer = { per_vc = \"ROOM cell\" }",
    "buffer = { shared = \"ROOM cell\" }",
    "buffer = { per_port = \"ROOM cell\" }\ndrop.epd = { threshold = 0.5 }",
    "buffer = { per_port = \"ROOM cell\" }\ndrop = \"ppd\"",
];

const GREEDY: &str =
    "traffic = \"greedy\"\ntcp = { mss = \"MSS B\", window = \"64 KiB\", initial_window = 10 }";

/// Half the time of a cell at 10 Mbit/s, in nanoseconds, and a whole multiple of those at others.
const STAGGER: u64 = 21_200;

/// What is sent, by all of them or by each as it comes.
const KINDS: [&str; 7] = [
    GREEDY,
    GREEDY,
    "traffic.cbr = { rate = \"RATE kbit/s of cell\" }",
    // Of one cell and of several, back to back.
    "traffic.poisson = { rate = \"6000 kbit/s of payload\", datagram = { mix = [[\"12 B\", 3], \
     [\"1472 B\", 2]] } }",
    "traffic = \"greedy\"\ntcp = { mss = \"MSS B\", window = \"64 KiB\" }\nservice.ubr = { pace = \
     \"RATE kbit/s of cell\" }",
    "traffic = \"greedy\"\ntcp = { mss = \"MSS B\", window = \"64 KiB\" }\nservice.gfr = { mcr = \
     \"9 kbit/s of cell\", pcr = \"RATE kbit/s of cell\", mfs = \"FRAME cell\", cdvt = \"90 us\", \
     tagging = \"f_gcra\", non_conforming = \"discard\" }",
    "traffic = \"greedy\"\ntcp = { mss = \"MSS B\", window = \"64 KiB\" }\nservice.gfr = { mcr = \
     \"9 kbit/s of cell\", pcr = \"RATE kbit/s of cell\", mfs = \"FRAME cell\", cdvt = \"2 ms\", \
     tagging = \"none\", non_conforming = \"tag\" }",
];

/// A crowd of one number.
pub(crate) struct Crowd {
    control: String,
    sections: String,
}

impl Crowd {
    pub(crate) fn new(number: u64) -> Self {
        // Not the draws of the path of this number.
        let mut dice = Dice::new(number).apart();
        let mut crowd = Self { control: String::new(), sections: String::new() };
        let (line, fast) = dice.pick(&LINES);
        let hosts = dice.pick(&[2_u64, 2, 3, 5, 10, 10, 20, 40]);
        let last = dice.between(0, 1);
        crowd.switches(&mut dice, last, fast);
        crowd.host(&mut dice, "b", last, fast, "20 us");
        // Every other one may send to another host.
        let mut other = dice.apart();
        let far = if other.one_in(3) { ["b", "c"] } else { ["b", "b"] };
        if far[1] == "c" {
            crowd.host(&mut other, "c", last, fast, "20 us");
        }
        let delay = dice.pick(&["20 us", "20 us", "4240 ns", "1 ms"]);
        let kind = dice.pick(&KINDS);
        let is_one_kind = dice.one_in(2);
        for host in 0..hosts {
            let delay = if dice.one_in(20) { "333 us" } else { delay };
            crowd.host(&mut dice, &format!("a{host}"), 0, line, delay);
            let kind = if is_one_kind { kind } else { dice.pick(&KINDS) };
            crowd.flow(&mut dice, host, far[host as usize % 2], kind);
        }
        if dice.one_in(4) {
            crowd.one_way(&mut dice, hosts);
        }
        let duration = dice.between(3_000, 30_000);
        let warm_up = if dice.one_in(2) { dice.between(0, duration - 1) } else { 0 };
        crowd.control = format!(
            "duration = \"{duration} us\"\nwarm_up = \"{warm_up} us\"\nseed = {number}\n\
             phase = \"{}\"",
            dice.pick(&["none", "none", "random"])
        );
        crowd
    }

    /// More hosts than a merger keeps in order if their gaps are unlike: sources of one rate, or
    /// connections, on lines of one rate or of three.
    pub(crate) fn large(number: u64) -> Self {
        let mut dice = Dice::new(number).apart().apart();
        let mut crowd = Self { control: String::new(), sections: String::new() };
        let hosts = dice.pick(&[20_u64, 40, 100, 180]);
        let lines = dice.pick(&[
            &["10 Mbit/s of cell"][..],
            &["10 Mbit/s of cell", "7 Mbit/s of cell", "9 Mbit/s of cell"],
        ]);
        let kind = dice.pick(&[KINDS[2], GREEDY]);
        let rate = dice.pick(&["1000", "1600", "5000"]);
        let mss = dice.pick(&["512", "1460"]);
        let last = dice.between(0, 1);
        let fast = dice.pick(&["40 Mbit/s of cell", "OC-3c", "OC-12c"]);
        crowd.switches(&mut dice, last, fast);
        crowd.host(&mut dice, "b", last, fast, "20 us");
        let delay = dice.pick(&["20 us", "300 us"]);
        // Connections that end, so that few are left of the crowd.
        let is_ending = dice.one_in(2);
        for host in 0..hosts {
            let line = dice.pick(lines);
            crowd.host(&mut dice, &format!("a{host}"), 0, line, delay);
            let start = dice.between(0, 2_000_000);
            let mut kind = kind.replace("RATE", rate).replace("MSS", mss);
            if is_ending {
                let total = dice.between(2, 8);
                let few =
                    format!("traffic.ttcp = {{ write = \"1 KiB\", total = \"{total} KiB\" }}");
                kind = kind.replace("traffic = \"greedy\"", &few);
            }
            crowd.write(&format!(
                "[flow.f{host}]\nfrom = \"a{host}\"\nto = \"b\"\nstart = \"{start} ns\"\n{kind}"
            ));
        }
        let duration = dice.between(3_000, 9_000);
        crowd.control = format!("duration = \"{duration} us\"\nseed = {number}");
        crowd
    }

    /// The scenario, watched so.
    pub(crate) fn text(&self, watched: &str) -> String {
        format!("[run]\n{}\n[observe]\n{watched}\n{}", self.control, self.sections)
    }

    fn write(&mut self, lines: &str) {
        let _ = writeln!(self.sections, "{lines}");
    }

    fn switches(&mut self, dice: &mut Dice, last: u64, rate: &str) {
        for switch in 0..=last {
            let most = dice.pick(&[9, 60, 1500]);
            let room = dice.between(1, most).to_string();
            let buffer = dice.pick(&BUFFERS).replace("ROOM", &room);
            let is_judged = buffer.contains("shared") && dice.apart().one_in(2);
            let policy = if is_judged { "drop.epd = { threshold = 0.8 }" } else { "" };
            self.write(&format!("[switch.s{switch}]\n{buffer}\n{policy}"));
        }
        if last > 0 {
            self.link("trunk", "s0", "s1", (rate, dice.pick(&["5 us", "300 us"])));
        }
    }

    fn link(&mut self, name: &str, from: &str, to: &str, (rate, delay): (&str, &str)) {
        self.write(&format!(
            "[link.{name}]\nbetween = [\"{from}\", \"{to}\"]\nrate = \"{rate}\"\n\
             delay = \"{delay}\""
        ));
    }

    fn host(&mut self, dice: &mut Dice, name: &str, switch: u64, rate: &str, delay: &str) {
        self.write(&format!("[host.{name}]"));
        self.link(&format!("l{name}"), name, &format!("s{switch}"), (rate, delay));
        if dice.one_in(30) {
            self.write("impairments = { loss = 0.01 }");
        }
    }

    fn flow(&mut self, dice: &mut Dice, number: u64, far: &str, kind: &str) {
        let (near, far) = (format!("a{number}"), far.to_owned());
        let (from, to) = if dice.one_in(9) { (far, near) } else { (near, far) };
        let start = match dice.between(0, 3) {
            0 => dice.between(0, 900_000),
            1 => dice.between(0, 9) * STAGGER,
            _ => 0,
        };
        let rate = dice.pick(&["1000", "5000", "5000", "9000"]);
        let mss = dice.pick(&["64", "512", "1460", "9140", "9140"]);
        let kind = kind.replace("RATE", rate).replace("MSS", mss);
        let kind = kind.replace("FRAME", dice.pick(&["5", "20", "200"]));
        self.write(&format!(
            "[flow.f{number}]\nfrom = \"{from}\"\nto = \"{to}\"\nstart = \"{start} ns\"\n{kind}"
        ));
    }

    /// A source to which nothing comes, so that it may run ahead.
    fn one_way(&mut self, dice: &mut Dice, number: u64) {
        let kbit = dice.between(100, 9000);
        self.write(&format!(
            "[host.x]\n[link.lx]\nfrom = \"x\"\nto = \"s0\"\nrate = \"10 Mbit/s of cell\"\n\
             delay = \"7 us\"\n[flow.f{number}]\nfrom = \"x\"\nto = \"b\"\n\
             traffic.cbr = {{ rate = \"{kbit} kbit/s of cell\" }}"
        ));
    }
}
