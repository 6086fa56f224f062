//! A random network from its number: switches of cells in a tree, hosts and edges on them, LANs
//! behind the edges; or packets all the way, or one link. Links have rates for each direction,
//! flows any transport, source and service, and edges circuits of their own or shared.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::dice::Dice;
use super::parts::{
    buffered, capacity, cells, datagrams, has_queues, impairments, processing, propagation,
    switching, tcp,
};
use super::relays::relays;
use super::services::service;

const SERIES: [&str; 14] = [
    "queue",
    "vc_queue",
    "cwnd",
    "ssthresh",
    "in_flight",
    "rtt",
    "acked",
    "acr",
    "er",
    "fair_share",
    "overload",
    "active",
    "abr_capacity",
    "capacity",
];

/// A scenario without its control and its observation, and what these may be.
pub(crate) struct Network {
    pub(crate) number: u64,
    sections: String,
    control: String,
    /// Microseconds.
    pub(crate) duration: u64,
    /// Microseconds.
    pub(crate) warm_up: u64,
    /// The grid, in microseconds.
    pub(crate) grid: u64,
    series: String,
    /// Switches of one class of buffer, and how many units an output there may hold.
    pub(crate) rooms: Vec<(String, u64)>,
}

/// What is recorded.
#[derive(Clone, Copy)]
pub(crate) enum Observed {
    Nothing,
    OnGrid,
    OnChange,
}

impl Network {
    /// The network of this number.
    pub(crate) fn new(number: u64) -> Self {
        Self::drawn(number, &mut Dice::new(number))
    }

    /// The network of these draws.
    pub(crate) fn drawn(number: u64, dice: &mut Dice) -> Self {
        let mut draft = Draft::new(dice);
        match dice.between(0, 9) {
            0 => draft.one_link(dice),
            1 => draft.packets(dice),
            _ => draft.cells(dice),
        }
        draft.flows(dice);
        let duration = dice.pick(&[20_000, 40_000, 40_000, 80_000]) + dice.between(0, 9999);
        let (warm_up, grid) = (dice.between(0, duration - 1), dice.between(90, 1100));
        let every = dice.pick(&[1, 1, 1, 3]);
        let series = SERIES.iter().filter(|_| every == 1 || dice.one_in(every));
        let series: Vec<String> = series.map(|name| format!("\"{name}\"")).collect();
        Self {
            number,
            control: format!(
                "seed = {number}\nphase = \"{}\"\n",
                dice.pick(&["random", "random", "none"])
            ),
            duration,
            warm_up: dice.pick(&[0, warm_up]),
            grid: dice.pick(&[100, 500, 1000, grid]),
            series: series.join(", "),
            rooms: draft.rooms,
            sections: draft.text,
        }
    }

    /// The network with further sections.
    pub(crate) fn with(self, sections: &str) -> Self {
        Self { sections: self.sections + sections, ..self }
    }

    /// The scenario, so long and observed like this.
    pub(crate) fn text(&self, duration: u64, warm_up: u64, observed: Observed) -> String {
        let interval = match observed {
            Observed::Nothing => None,
            Observed::OnGrid => Some(format!("{} us", self.grid)),
            Observed::OnChange => Some("change".to_owned()),
        };
        let observe = interval.map_or(String::new(), |interval| {
            format!(
                "[observe]\nseries = [{}]\ninterval = \"{interval}\"\nlimit = 10000000\n",
                self.series
            )
        });
        format!(
            "[run]\nduration = \"{duration} us\"\nwarm_up = \"{warm_up} us\"\n{}{observe}{}",
            self.control, self.sections
        )
    }
}

/// A host, and the edge that its packets become cells at.
#[derive(Clone)]
struct End {
    host: String,
    carries: Carried,
}

#[derive(Clone, PartialEq)]
enum Carried {
    Cells,
    /// Behind this edge.
    Lan(usize),
    /// No cells anywhere.
    Packets,
}

/// A scenario that is being written.
struct Draft {
    text: String,
    links: usize,
    /// No link of cells is slower, and no source is asked for more.
    slowest_kbit: u64,
    ends: Vec<End>,
    rooms: Vec<(String, u64)>,
}

impl Draft {
    fn new(dice: &mut Dice) -> Self {
        let slowest_kbit = dice.pick(&[1000, 2000, 5000, 10_000, 40_000]);
        Self { text: String::new(), links: 0, slowest_kbit, ends: Vec::new(), rooms: Vec::new() }
    }

    fn write(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    fn one_link(&mut self, dice: &mut Dice) {
        for _ in 0..2 {
            self.host(dice, Carried::Cells);
        }
        let packets = dice.one_in(3);
        if packets {
            self.ends.iter_mut().for_each(|end| end.carries = Carried::Packets);
        }
        self.link(dice, "h0", "h1", packets);
    }

    /// Packet switches in a line, with hosts on each.
    fn packets(&mut self, dice: &mut Dice) {
        for index in 0..dice.between(1, 3) {
            let kind = dice.pick(&["switch", "switch", "edge"]);
            self.packet_switch(dice, &format!("s{index}"), kind);
            if index > 0 {
                self.link(dice, &format!("s{}", index - 1), &format!("s{index}"), true);
            }
            for _ in 0..dice.between(1, 2) {
                let host = self.host(dice, Carried::Packets);
                self.link(dice, &host, &format!("s{index}"), true);
            }
        }
        let host = self.host(dice, Carried::Packets);
        self.link(dice, &host, "s0", true);
    }

    /// Switches of cells in a tree, with hosts and edges.
    fn cells(&mut self, dice: &mut Dice) {
        let switches = dice.between(1, 3);
        for index in 0..switches {
            self.cell_switch(dice, &format!("s{index}"));
            if index > 0 {
                let parent = format!("s{}", dice.between(0, index - 1));
                self.link(dice, &parent, &format!("s{index}"), false);
            }
        }
        let mut edges = 0;
        for _ in 0..dice.between(2, 4) {
            let switch = format!("s{}", dice.between(0, switches - 1));
            if dice.one_in(2) {
                let host = self.host(dice, Carried::Cells);
                self.link(dice, &host, &switch, false);
            } else {
                self.site(dice, edges, &switch);
                edges += 1;
            }
        }
    }

    /// An edge with its LAN: hosts on it, or on a packet switch before it.
    fn site(&mut self, dice: &mut Dice, number: usize, switch: &str) {
        let edge = format!("e{number}");
        self.packet_switch(dice, &edge, "edge");
        self.link(dice, &edge, switch, false);
        let lan = if dice.one_in(4) {
            let lan = format!("lan{number}");
            self.packet_switch(dice, &lan, "switch");
            self.link(dice, &lan, &edge, true);
            lan
        } else {
            edge
        };
        for _ in 0..dice.between(1, 2) {
            let host = self.host(dice, Carried::Lan(number));
            self.link(dice, &host, &lan, true);
        }
    }

    fn host(&mut self, dice: &mut Dice, carries: Carried) -> String {
        let host = format!("h{}", self.ends.len());
        let lines = format!("[host.{host}]\n{}", processing(dice));
        self.write(&lines);
        self.ends.push(End { host: host.clone(), carries });
        host
    }

    fn cell_switch(&mut self, dice: &mut Dice, name: &str) {
        let queue = buffered(dice, "cell", 400);
        let mut lines = format!(
            "[switch.{name}]\ndelay = \"{} us\"\nbuffer = {}\ndrop = {}\n{}",
            dice.between(0, 20),
            queue.buffer,
            queue.drop,
            switching(dice)
        );
        if dice.one_in(4) {
            let key = dice.pick(&["vbr_buffer", "abr_buffer"]);
            let _ = writeln!(lines, "{key} = {{ per_port = \"{} cell\" }}", dice.between(1, 300));
        } else if let Some(most) = queue.most {
            let classes = if queue.buffer.contains("per_port") { 3 } else { 1 };
            self.rooms.push((name.to_owned(), classes * most));
        }
        self.write(&lines);
    }

    fn packet_switch(&mut self, dice: &mut Dice, name: &str, kind: &str) {
        let queue = buffered(dice, "packet", 60);
        let delay = dice.between(0, 40);
        let lines = format!(
            "[{kind}.{name}]\ndelay = \"{delay} us\"\nbuffer = {}\ndrop = {}\nscheduler = {}\n",
            queue.buffer,
            queue.drop,
            if has_queues(&queue.drop) || dice.one_in(2) { "\"fifo\"" } else { "\"drr\"" }
        );
        let filter = dice.apart().pick(&["none", "none", "conservative", "aggressive"]);
        let lines = format!("{lines}ack_filter = \"{filter}\"\n");
        self.write(&lines);
        self.rooms.extend(queue.most.map(|most| (name.to_owned(), most)));
    }

    /// Both ways alike, or each with its own rate.
    fn link(&mut self, dice: &mut Dice, a: &str, b: &str, packets: bool) {
        let delay = propagation(dice);
        let mut lines = String::new();
        let ways = if dice.one_in(5) {
            vec![format!("from = \"{a}\"\nto = \"{b}\""), format!("from = \"{b}\"\nto = \"{a}\"")]
        } else {
            vec![format!("between = [\"{a}\", \"{b}\"]")]
        };
        for way in ways {
            let rate = if packets { packet_rate(dice) } else { self.cell_rate(dice) };
            let _ = write!(lines, "[link.l{}]\n{way}\ndelay = {delay}\n{rate}", self.links);
            let does = impairments(dice, packets);
            lines.push_str(&does);
            if !does.contains("outages") && (packets || !does.contains("bit_errors")) {
                let mut fast = ["OC-3c", "DS-3", "34 Mbit", "100 Mbit"].iter();
                let is_fast = fast.any(|line| rate.contains(line));
                lines.push_str(&capacity(&mut dice.apart(), packets, is_fast));
            }
            self.links += 1;
        }
        self.write(&lines);
    }

    fn cell_rate(&self, dice: &mut Dice) -> String {
        let slowest = self.slowest_kbit;
        let written = match dice.between(0, 4) {
            0 => "OC-3c".to_owned(),
            1 => "DS-3".to_owned(),
            2 => format!("{} kbit/s of cell", slowest * dice.between(1, 4)),
            _ => format!("{slowest} kbit/s of cell"),
        };
        format!("rate = \"{written}\"\n")
    }

    fn flows(&mut self, dice: &mut Dice) {
        let count = dice.pick(&[1, 2, 2, 3, 3, 4, 5, 8]);
        let mut circuits = BTreeSet::new();
        for number in 0..count {
            let from = dice.place(self.ends.len());
            let to = (from + 1 + dice.place(self.ends.len() - 1)) % self.ends.len();
            let (from, to) = (self.ends[from].clone(), self.ends[to].clone());
            let carried = self.carried(dice, (&from, &to), count, &mut circuits);
            let start = dice.between(0, 15_000) * dice.between(0, 1);
            let lines = format!(
                "[flow.f{number}]\nfrom = \"{}\"\nto = \"{}\"\nstart = \"{start} us\"\n{carried}",
                from.host, to.host
            );
            self.write(&lines);
            let hosts: Vec<&str> = self.ends.iter().map(|end| end.host.as_str()).collect();
            let further = relays(&mut dice.apart(), number, (&to.host, &hosts), &lines);
            self.write(&further);
        }
    }

    /// What is sent as packets: over TCP, or datagrams.
    fn transport(&self, dice: &mut Dice) -> String {
        let ip = if dice.apart().one_in(5) { "ip = \"ipv6\"\n" } else { "" };
        if dice.one_in(4) {
            let traffic = datagrams(dice, self.slowest_kbit.min(SLOWEST_PACKETS_KBIT));
            let stop = if dice.one_in(5) { "stop = \"23 ms\"\n" } else { "" };
            return format!("{ip}traffic = {traffic}\n{stop}");
        }
        let traffic = dice.pick(&[
            "\"greedy\"",
            "\"greedy\"",
            "{ ttcp = { write = \"1 kB\", total = \"40 kB\" } }",
            "{ poisson = { rate = \"1 Mbit/s of payload\", write.uniform = [\"1 B\", \"4 kB\"] } }",
            "{ schedule.writes = [[\"0 s\", \"20 kB\"], [\"9 ms\", \"1 B\"], [\"9 ms\", \"9 kB\"]] \
             }",
            "{ request_response = { request = \"200 B\", response.pareto.min = \"2 kB\" } }",
            "{ burst = { block.uniform = [\"1 B\", \"9 kB\"], period = \"3 ms\", repeats = 9 } }",
            "{ full = { block = \"3 kB\", duration = \"20 ms\" } }",
            "\"mpeg\"",
        ]);
        let stop = if dice.one_in(5) { "stop = \"23 ms\"\n" } else { "" };
        format!("{ip}traffic = {traffic}\n{stop}tcp = {}\n", tcp(dice))
    }

    /// Traffic, transport and service between two hosts.
    fn carried(
        &mut self,
        dice: &mut Dice,
        (from, to): (&End, &End),
        flows: u64,
        circuits: &mut BTreeSet<(usize, usize)>,
    ) -> String {
        // Both directions of every circuit fit, and so do all circuits.
        let mcr_kbit = self.slowest_kbit / (2 * flows + 2);
        let are_on_cells = (&from.carries, &to.carries) == (&Carried::Cells, &Carried::Cells);
        let service = service(dice, self.slowest_kbit, mcr_kbit, are_on_cells);
        if are_on_cells && dice.one_in(3) {
            let is_endless = service.contains("abr") && dice.one_in(2);
            let traffic =
                if is_endless { "\"greedy\"".to_owned() } else { cells(dice, self.slowest_kbit) };
            let stop = if dice.one_in(5) { "stop = \"23 ms\"\n" } else { "" };
            return format!("traffic = {traffic}\n{stop}service = {service}\n");
        }
        let transport = self.transport(dice);
        match (&from.carries, &to.carries) {
            (Carried::Packets, _) => transport,
            (Carried::Lan(a), Carried::Lan(b)) if a == b => transport,
            (Carried::Lan(a), Carried::Lan(b)) if dice.one_in(2) => {
                let (a, b) = (*a.min(b), *a.max(b));
                if circuits.insert((a, b)) {
                    let circuit = format!(
                        "[vc.c{a}{b}]\nbetween = [\"e{a}\", \"e{b}\"]\nservice = {service}\n"
                    );
                    self.write(&circuit);
                }
                format!("{transport}vc = \"c{a}{b}\"\n")
            }
            _ => format!("{transport}service = {service}\n"),
        }
    }
}

/// No link of packets is slower.
const SLOWEST_PACKETS_KBIT: u64 = 2000;

fn packet_rate(dice: &mut Dice) -> String {
    let rate = dice.pick(&[2, 10, 10, 34, 100]);
    let overhead = dice.pick(&["0 B", "38 B"]);
    format!(
        "rate = \"{rate} Mbit/s of line\"\ncarries = {{ packets = {{ overhead = \"{overhead}\" }} \
         }}\n"
    )
}
