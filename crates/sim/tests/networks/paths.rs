//! Random paths over a few switches on which frames are long and meet one another: hosts far and
//! near, fast and slow lines, buffers that overflow and that do not, sources of cells in between.

use std::fmt::Write;

use super::dice::Dice;

/// What may be watched of a path; nothing of it may change what happens.
pub(crate) const WATCHED: [&str; 5] = [
    "series = []",
    "series = [\"queue\", \"cwnd\", \"acked\"]\ninterval = \"170 us\"",
    "series = []\ndistributions = { ports = [\"*\"], flows = [\"*\"] }",
    "series = [\"queue\"]\ninterval = \"change\"",
    "series = []\nsegments = {}",
];

const RATES: [&str; 7] = [
    "OC-3c",
    "OC-3c",
    "100 Mbit/s of cell",
    "149.76 Mbit/s of cell",
    "10 Mbit/s of cell",
    "37 Mbit/s of cell",
    "600 Mbit/s of cell",
];

/// What is behind most switches, and what is behind some.
const BUFFERS: [&str; 16] = [
    "",
    "",
    "",
    "buffer = { per_port = \"ROOM cell\" }",
    "buffer = { per_port = \"ROOM cell\" }",
    "buffer = { per_port = \"9 cell\" }",
    "buffer = { per_port = \"20 kcell\" }",
    "buffer = { per_vc = \"ROOM cell\" }",
    "buffer = { shared = \"ROOM cell\" }",
    "buffer = { per_port = \"ROOM cell\" }\ndrop = \"ppd\"",
    "buffer = { per_port = \"ROOM cell\" }\ndrop.epd = { threshold = 0.5 }",
    "buffer = { per_port = \"ROOM cell\" }\ndrop.fba = { threshold = 0.5 }",
    "buffer = { per_port = \"ROOM cell\" }\ndrop.red = { min_threshold = 0.2, \
     max_threshold = 0.6, weight = 0.1 }",
    "buffer = { per_port = \"ROOM cell\" }\ndrop.priority = { low = 0.2, high = 0.5 }",
    "buffer = { shared = \"20 kcell\" }",
    "buffer = { shared = \"ROOM cell\" }\ndrop.epd = { threshold = 0.8 }",
];

/// What most lines do to their cells, and what some do.
const IMPAIRMENTS: [&str; 16] = [
    "",
    "",
    "",
    "",
    "",
    "",
    "loss = 1e-4",
    "loss = 0.03",
    "periodic_loss = 700",
    "bit_errors = 1e-7",
    "bit_errors = 1e-5",
    "gilbert_elliott.sojourn.units = { good = 3000, bad = 3 }",
    "gilbert_elliott.sojourn.times = { good = \"3 ms\", bad = \"30 us\" }",
    "outages.when.periodic = { every = \"7 ms\", lasts = \"50 us\" }",
    "outages = { when.listed = [[\"3 ms\", \"90 us\"]], units = \"wait\" }",
    "loss = 0.001, bit_errors = 1e-6",
];

const TRAFFIC: [&str; 7] = [
    "traffic.cbr = { rate = \"RATE kbit/s of cell\" }",
    "traffic.cbr = { rate = \"900 kbit/s of cell\" }\nservice.ubr = { \
     pace = \"RATE kbit/s of cell\" }",
    "traffic.poisson = { rate = \"RATE kbit/s of cell\" }",
    "traffic = \"greedy\"\nservice.ubr = { pace = \"RATE kbit/s of cell\" }",
    "traffic = \"greedy\"",
    "traffic = \"greedy\"",
    "traffic = \"greedy\"",
];

/// A path of one number.
pub(crate) struct Path {
    control: String,
    sections: String,
    switches: u64,
    /// Drawn from the lists above.
    kinds: Vec<&'static str>,
}

impl Path {
    pub(crate) fn new(number: u64) -> Self {
        let mut dice = Dice::new(number);
        let switches = dice.between(1, 4);
        let mut path =
            Self { control: String::new(), sections: String::new(), switches, kinds: Vec::new() };
        path.switches(&mut dice);
        let flows = dice.pick(&[1_u64, 1, 2, 3, 4, 6, 10, 40]);
        // Some hosts have the ends of two flows.
        let hosts = if dice.one_in(3) { flows.div_ceil(2) } else { flows };
        path.hosts(&mut dice, hosts);
        for flow in 0..flows {
            path.flow(&mut dice, flow, flow % hosts);
        }
        let duration = dice.between(5_000, 60_000);
        let warm_up = if dice.one_in(2) { dice.between(0, duration - 1) } else { 0 };
        let phase = dice.pick(&["random", "none"]);
        path.control = format!(
            "duration = \"{duration} us\"\nwarm_up = \"{warm_up} us\"\nseed = {number}\n\
             phase = \"{phase}\""
        );
        path
    }

    /// The scenario, watched so.
    pub(crate) fn text(&self, watched: &str) -> String {
        format!("[run]\n{}\n[observe]\n{watched}\n{}", self.control, self.sections)
    }

    /// Which kinds of buffers, of lines and of traffic there are.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.kinds.iter().copied()
    }

    fn drawn(&mut self, dice: &mut Dice, of: &[&'static str]) -> &'static str {
        let kind = dice.pick(of);
        self.kinds.push(kind);
        kind
    }

    fn switches(&mut self, dice: &mut Dice) {
        for switch in 0..self.switches {
            let most = dice.pick(&[60, 1500]);
            let room = dice.between(2, most).to_string();
            let buffer = self.drawn(dice, &BUFFERS).replace("ROOM", &room);
            let _ = writeln!(self.sections, "[switch.s{switch}]\n{buffer}");
            if dice.one_in(3) {
                let _ = writeln!(self.sections, "in_service = \"not_counted\"");
            }
            if dice.one_in(3) {
                let _ = writeln!(self.sections, "delay = \"{} us\"", dice.between(0, 30));
            }
        }
        for switch in 1..self.switches {
            let name = format!("t{switch}");
            let (rate, delay) = (dice.pick(&RATES), delay(dice));
            let ends = [format!("s{}", switch - 1), format!("s{switch}")];
            self.link(dice, &name, ends.each_ref().map(String::as_str), (rate, &delay));
        }
    }

    fn link(
        &mut self,
        dice: &Dice,
        name: &str,
        [from, to]: [&str; 2],
        (rate, delay): (&str, &str),
    ) {
        let does = self.drawn(&mut dice.apart(), &IMPAIRMENTS);
        let script = script(&mut dice.apart().apart(), name);
        let all = [script.as_str(), does].into_iter().filter(|part| !part.is_empty());
        let _ = writeln!(
            self.sections,
            "[link.{name}]\nbetween = [\"{from}\", \"{to}\"]\nrate = \"{rate}\"\n\
             delay = \"{delay}\"\nimpairments = {{ {} }}",
            all.collect::<Vec<_>>().join(", ")
        );
    }

    /// Alike and at both ends of the path, or each as it comes.
    fn hosts(&mut self, dice: &mut Dice, hosts: u64) {
        let (rate_of_all, delay_of_all) = (dice.pick(&RATES), delay(dice));
        let are_alike = dice.one_in(2);
        for host in 0..hosts {
            for (side, end) in [("a", 0), ("b", self.switches - 1)] {
                let name = format!("{side}{host}");
                let _ = writeln!(self.sections, "[host.{name}]");
                if dice.one_in(4) {
                    let cost = dice.between(1, 300);
                    let _ = writeln!(self.sections, "cpu_per_segment = \"{cost} us\"");
                }
                let (switch, rate, delay) = if are_alike {
                    (end, rate_of_all, delay_of_all.clone())
                } else {
                    (dice.between(0, self.switches - 1), dice.pick(&RATES), delay(dice))
                };
                let near = format!("s{switch}");
                self.link(dice, &format!("l{name}"), [&name, &near], (rate, &delay));
            }
        }
    }

    fn flow(&mut self, dice: &mut Dice, flow: u64, host: u64) {
        let (from, to) = if dice.one_in(5) { ("b", "a") } else { ("a", "b") };
        let start = dice.between(0, 3000);
        let rate = dice.between(50, 9000).to_string();
        let traffic = self.drawn(dice, &TRAFFIC).replace("RATE", &rate);
        let _ = writeln!(
            self.sections,
            "[flow.f{flow}]\nfrom = \"{from}{host}\"\nto = \"{to}{host}\"\n\
             start = \"{start} us\"\n{traffic}"
        );
        if dice.one_in(6) {
            let stop = start + dice.between(500, 50_000);
            let _ = writeln!(self.sections, "stop = \"{stop} us\"");
        }
        if traffic.contains("greedy") {
            let mss = dice.pick(&[64, 512, 512, 1460, 9140, 9140]);
            let window = dice.pick(&[16, 64, 128, 512]);
            let _ =
                writeln!(self.sections, "tcp = {{ mss = \"{mss} B\", window = \"{window} KiB\" }}");
        }
    }
}

/// Sometimes the link of a host loses cells and segments by number, of the flow of the host's
/// number.
fn script(dice: &mut Dice, link: &str) -> String {
    let Some(host) = link.strip_prefix("la").filter(|_| dice.one_in(8)) else {
        return String::new();
    };
    let (cell, segment) = (dice.between(1, 700), dice.between(1, 20));
    format!(
        "script.f{host} = {{ cells = [{cell}, {}, {}], segments = [{segment}, {}] }}",
        cell + 1,
        cell + 90,
        segment + 3
    )
}

fn delay(dice: &mut Dice) -> String {
    let most = dice.pick(&[1, 1, 5, 50, 400, 3000]);
    format!("{} us", dice.between(1, most))
}
