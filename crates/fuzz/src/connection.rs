//! Two connections over a path that loses, delays, repeats and marks the first segments, with
//! writes of both applications: all data arrive once, and both ends come to rest.

use cellway_sim::pdu::Segment;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::tcp::{Config, Event, ReaderPlan, TickPhases};
use cellway_sim::units::{Span, Time};

use super::dice::Dice;
use super::engine::parts::tcp;

#[allow(dead_code, reason = "more is used by the tests")]
#[path = "../../sim/tests/tcp/pair.rs"]
mod pair;

use pair::{End, Fate, Known, Pair, Path, Step};

/// Fates of the first segments, from octets; later ones arrive.
struct Drawn<'o> {
    dice: Dice<'o>,
    left: u64,
    known: [Known; 2],
    has_aborted: bool,
    last: Time,
}

impl Path for Drawn<'_> {
    fn fate(&mut self, _from: End, _segment: &Segment) -> Fate {
        if self.left == 0 || !self.dice.has_more() {
            return Fate::Arrives;
        }
        self.left -= 1;
        match self.dice.between(0, 255) {
            0..128 => Fate::Arrives,
            128..176 => Fate::Lost,
            176..200 => Fate::Marked,
            200..228 => Fate::Late(self.span()),
            _ => Fate::Twice(self.span()),
        }
    }

    fn on_step(&mut self, now: Time, step: &Step<'_>, _a: &cellway_sim::tcp::Connection) {
        assert!(now >= self.last, "time goes on");
        self.last = now;
        for (end, known) in [End::A, End::B].into_iter().zip(&mut self.known) {
            known.on_step(end, step);
        }
        self.has_aborted |= matches!(step, Step::Told(_, Event::Aborted));
    }
}

impl Drawn<'_> {
    fn span(&mut self) -> Span {
        Span::from_milliseconds(1 + self.dice.between(0, 399) as i64)
    }
}

/// The keys of a connection, as a scenario has them; `None` if they do not go together.
pub(crate) fn config(dice: &mut Dice<'_>) -> Option<(Scenario, Config)> {
    let law = dice
        .pick(&["reno", "cubic", "vegas", "westwood", "hybla", "dctcp", "copa", "bbr1", "bbr3"]);
    let ecn = if dice.one_in(2) { ", ecn = true" } else { "" };
    let keys = match dice.between(0, 2) {
        0 => format!("{{ preset = \"linux\", congestion = \"{law}\"{ecn} }}"),
        1 => format!("{{ preset = \"rfc\"{ecn} }}"),
        _ => tcp(dice),
    };
    let text = format!(
        "run = {{ duration = \"1 s\", seed = 1 }}\nhost = {{ a = {{}}, b = {{}} }}\n[link.l]\n\
         between = [\"a\", \"b\"]\nrate = \"OC-3c\"\ndelay = \"1 ms\"\n[flow.f]\nfrom = \"a\"\n\
         to = \"b\"\ntraffic = \"greedy\"\ntcp = {keys}\n"
    );
    let scenario = Scenario::parse(Source { origin: "x.toml", text: &text }, &[]).ok()?;
    let config = scenario.flows[0].tcp.clone()?;
    Some((scenario, config))
}

/// Runs a pair.
pub(crate) fn run(octets: &[u8]) {
    let mut dice = Dice::of(octets);
    let Some((_, config)) = config(&mut dice) else { return };
    // Nobody reads late here.
    let config = Config { reader: ReaderPlan::AtOnce, ..config };
    let writes = dice.between(1, 5);
    let writes: Vec<_> = (0..writes)
        .map(|_| (dice.between(0, 1999) as i64, dice.one_in(3), dice.between(1, 60_000)))
        .collect();
    let known = || Known::under(&config.recovery);
    let path =
        Drawn { dice, left: 300, known: [known(), known()], has_aborted: false, last: Time::ZERO };
    let mut pair = Pair::open(&config, TickPhases::default(), Span::from_milliseconds(20), path);
    let mut written = [0, 0];
    for (pause, by_b, bytes) in writes {
        pair.drive_until(pair.now + Span::from_milliseconds(pause));
        let end = if by_b { End::B } else { End::A };
        written[end as usize] += bytes;
        pair.act(end, |connection| connection.write(bytes));
    }
    for end in [End::A, End::B] {
        pair.act(end, cellway_sim::tcp::Connection::close);
    }
    pair.drive();
    if !pair.path.has_aborted {
        assert_eq!([pair.a.acked(), pair.b.acked()], written);
        assert_eq!([pair.b.delivered(), pair.a.delivered()], written);
        assert_eq!([pair.a.in_flight(), pair.b.in_flight()], [0, 0]);
    }
}
