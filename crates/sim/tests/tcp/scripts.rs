//! TCP scripts: each file of `tcp_scripts/` says what it shows, sets up a connection, and lists
//! what A then sees.
//!
//! Above the line of dashes stand comments and settings; below it the trace, compared character by
//! character. A sends (`>`) and receives (`<`); `x` is a segment of B lost on its way, `!` a timer,
//! `*` news for the application. The numbers are the state of A after the line, in bytes: cwnd,
//! ssthresh, and what is in flight. `win` is written where it is not that of the line before with
//! the same sign; the blocks of an ACK follow `sack`, in their order. With `UPDATE_GOLDENS=1` the
//! trace is written anew: read it against the rules before committing it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path as FilePath, PathBuf};

use crate::golden::updates_goldens;
use crate::pair::{End, Fate, Known, Pair, Path, Step, is_pure_ack};
use crate::script_words::{LATE, LINUX, end_named, fine, plain_config, quick, recovery, span};

use cellway_sim::tcp::{
    AckRule, Avoidance, Bbr1Plan, Bbr3Plan, Config, CongestionLaw, Connection, CubicPlan, Event,
    FastRetransmitGuard, FineTimers, Flags, MAX_WINDOW, Recovery, RestartAfterIdle, SackOption,
    Segment, ShortSegments, TickPhases, Timers, Timestamps,
};
use cellway_sim::units::{Bytes, Span, Time};

const RULE: &str = "----\n";

#[test]
fn traces_are_as_committed() {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/tcp_scripts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 15, "scripts are found");
    let differing: Vec<String> = files.iter().filter_map(|file| difference(file)).collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

fn difference(file: &FilePath) -> Option<String> {
    let text = std::fs::read_to_string(file).expect("a script is text");
    let (head, golden) = text.split_once(RULE).unwrap_or((&text, ""));
    let trace = Script::parse(head).run();
    if updates_goldens() {
        std::fs::write(file, format!("{head}{RULE}{trace}")).expect("a script can be written");
        return None;
    }
    let differs = |(ours, committed): (&str, &str)| ours != committed;
    let line = trace.lines().zip(golden.lines()).position(differs).unwrap_or(trace.lines().count());
    (trace != golden).then(|| {
        let ours = trace.lines().nth(line).unwrap_or("(end)");
        let committed = golden.lines().nth(line).unwrap_or("(end)");
        format!(
            "{}: line {} of the trace\n  is  {ours}\n  was {committed}",
            file.display(),
            line + 1
        )
    })
}

struct Script {
    config: Config,
    phases: TickPhases,
    delay: Span,
    acts: Vec<(Time, Act)>,
    fates: BTreeMap<String, Vec<Fate>>,
}

#[derive(Clone, Copy)]
enum Act {
    Write(End, u64),
    Read(End, u64),
    Close(End),
}

impl Script {
    fn parse(head: &str) -> Self {
        let mut script = Self {
            config: plain_config(),
            phases: TickPhases::default(),
            delay: Span::from_milliseconds(50),
            acts: Vec::new(),
            fates: BTreeMap::new(),
        };
        for line in head.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            script.set(&words).unwrap_or_else(|| panic!("not understood: {line}"));
        }
        script
    }

    fn set(&mut self, words: &[&str]) -> Option<()> {
        match words {
            ["mss", bytes] => self.config.mss = Bytes(bytes.parse().ok()?),
            ["window", bytes] => self.config.window = Bytes(bytes.parse().ok()?),
            ["send-buffer", bytes] => self.config.send_buffer = Some(Bytes(bytes.parse().ok()?)),
            ["scaling", "on"] => self.config.window_scaling = true,
            ["handshake", "on"] => self.config.handshake = true,
            ["restart-after-idle", rule] => {
                self.config.restart_after_idle = match *rule {
                    "rfc5681" => RestartAfterIdle::Rfc5681,
                    "rfc2861" => RestartAfterIdle::Rfc2861,
                    "bsd" => RestartAfterIdle::Bsd,
                    _ => return None,
                };
            }
            // When it reads is said below.
            ["reader", "late"] => self.config.reader = LATE,
            ["timestamps", "on"] => self.config.timestamps = true,
            ["timestamp-clock", tick] => self.config.timestamp_clock = Some(span(tick)?),
            ["nagle", "on"] => self.config.nagle = true,
            ["short-segments", "linux"] => self.config.short_segments = ShortSegments::Linux,
            ["ecn", "on"] => self.config.ecn = true,
            ["congestion", "bbr1"] => {
                self.config.congestion = CongestionLaw::Bbr1(Bbr1Plan::default());
            }
            ["congestion", "bbr3"] => {
                self.config.congestion = CongestionLaw::Bbr3(Bbr3Plan::default());
            }
            ["congestion", "cubic"] => {
                self.config.congestion = CongestionLaw::Cubic(CubicPlan::default());
            }
            ["ssthresh", bytes] => self.config.initial_ssthresh = Some(Bytes(bytes.parse().ok()?)),
            ["initial-window", segments] => self.config.initial_window = segments.parse().ok()?,
            ["avoidance", "bsd-extra"] => self.config.avoidance = Avoidance::BsdExtra,
            ["avoidance", "counted"] => self.config.avoidance = Avoidance::Counted,
            ["ack", "delayed"] => self.config.ack = AckRule::Delayed,
            ["ack", "quick", segments] => self.config.ack = quick(segments, false)?,
            ["ack", "quick", segments, "compressed"] => self.config.ack = quick(segments, true)?,
            ["recovery", rule] => {
                self.config.recovery = recovery(rule)?;
                self.config.fast_retransmit_guard = self.config.recovery.default_guard();
                self.config.d_sack = self.config.recovery.keeps_log();
            }
            ["max-ack-delay", delay] => match &mut self.config.recovery {
                Recovery::Rack(plan) => plan.max_ack_delay = Some(span(delay)?),
                _ => return None,
            },
            ["pacing", "on"] => self.config.pacing = true,
            ["guard", "always"] => {
                self.config.fast_retransmit_guard = FastRetransmitGuard::Always;
            }
            ["guard", "after-timeouts"] => {
                self.config.fast_retransmit_guard = FastRetransmitGuard::AfterTimeouts;
            }
            ["guard", "never"] => {
                self.config.fast_retransmit_guard = FastRetransmitGuard::Never;
            }
            ["slow-start-at-ssthresh", choice] => {
                self.config.readings.slow_start_at_ssthresh = Some(*choice == "on");
            }
            ["growth-after-recovery", choice] => {
                self.config.readings.growth_after_recovery = Some(*choice == "on");
            }
            ["third-duplicate-sends", "on"] => {
                self.config.readings.third_duplicate_sends = Some(true);
            }
            ["byte-counting", limit] => {
                self.config.readings.byte_counting = Some(limit.parse().ok()?);
            }
            ["limited-transmit", "on"] => self.config.limited_transmit = true,
            ["timers", "fine", "min", min] => self.config.timers = Timers::Fine(fine(span(min)?)),
            ["timers", "linux"] => self.config.timers = Timers::Fine(LINUX),
            ["timers", "fine", "min", min, "initial", initial] => {
                let initial_rto = span(initial)?;
                self.config.timers = Timers::Fine(FineTimers { initial_rto, ..fine(span(min)?) });
            }
            ["phases", "slow", slow, "fast", fast] => {
                self.phases = TickPhases { slow: span(slow)?, fast: span(fast)? };
            }
            ["delay", delay] => self.delay = span(delay)?,
            ["at", at, end, "write", bytes] => {
                self.acts.push((
                    Time::ZERO + span(at)?,
                    Act::Write(end_named(end)?, bytes.parse().ok()?),
                ));
            }
            ["at", at, end, "read", bytes] => {
                self.acts.push((
                    Time::ZERO + span(at)?,
                    Act::Read(end_named(end)?, bytes.parse().ok()?),
                ));
            }
            ["at", at, end, "close"] => {
                self.acts.push((Time::ZERO + span(at)?, Act::Close(end_named(end)?)));
            }
            ["drop", segment @ ..] => self.mistreat(segment, Fate::Lost),
            ["mark", segment @ ..] => self.mistreat(segment, Fate::Marked),
            ["late", by, segment @ ..] => self.mistreat(segment, Fate::Late(span(by)?)),
            ["twice", by, segment @ ..] => self.mistreat(segment, Fate::Twice(span(by)?)),
            _ => return None,
        }
        Some(())
    }

    /// The next transmission of the segment with this name, not spoken for yet, has this fate.
    fn mistreat(&mut self, segment: &[&str], fate: Fate) {
        self.fates.entry(segment.join(" ")).or_default().push(fate);
    }

    fn run(self) -> String {
        let trace = Trace::new(self.fates);
        let mut pair = Pair::open(&self.config, self.phases, self.delay, trace);
        for (at, act) in self.acts {
            pair.drive_until(at);
            match act {
                Act::Write(end, bytes) => pair.act(end, |connection| connection.write(bytes)),
                Act::Read(end, bytes) => pair.act(end, |connection| connection.read(bytes)),
                Act::Close(end) => pair.act(end, Connection::close),
            }
        }
        pair.drive();
        assert!(
            pair.path.fates.values().all(Vec::is_empty),
            "all fates came true: {:?}",
            pair.path.fates
        );
        let summary = summary(&pair.a, &pair.b);
        pair.path.text + &summary
    }
}

struct Trace {
    text: String,
    /// Behind each sign.
    windows: BTreeMap<&'static str, u32>,
    fates: BTreeMap<String, Vec<Fate>>,
    highest: u64,
    known: Known,
}

impl Path for Trace {
    fn fate(&mut self, from: End, segment: &Segment) -> Fate {
        let fates = self.fates.get_mut(&name(from, segment)).filter(|fates| !fates.is_empty());
        fates.map_or(Fate::Arrives, |fates| fates.remove(0))
    }

    fn on_step(&mut self, now: Time, step: &Step<'_>, a: &Connection) {
        self.known.on_step(End::A, step);
        let (sign, what) = match *step {
            Step::Sent(End::A, segment, fate) => (">", self.sent_by_a(segment, fate)),
            Step::Sent(End::B, segment, fate) if fate != Fate::Arrives => {
                ("x", format!("{}{}", self.show("x", segment), fate_note(fate)))
            }
            Step::Arrived(End::A, segment) => ("<", self.show("<", segment)),
            Step::TimedOut(End::A) => ("!", "timer of A".to_owned()),
            Step::TimedOut(End::B) => ("!", "timer of B".to_owned()),
            Step::Told(end, event) => ("*", format!("{end:?} {}", told(event))),
            Step::Sent(End::B, ..) | Step::Arrived(End::B, _) => return,
        };
        let microseconds = now.picoseconds() / 1_000_000;
        let time = format!("{}.{:06}", microseconds / 1_000_000, microseconds % 1_000_000);
        let ssthresh =
            if a.ssthresh() == MAX_WINDOW { "max".to_owned() } else { a.ssthresh().to_string() };
        let (cwnd, in_flight) = (a.cwnd(), a.in_flight());
        writeln!(self.text, "{time:>9} {cwnd:>6} {ssthresh:>6} {in_flight:>6} {sign} {what}")
            .expect("a string takes all");
    }
}

impl Trace {
    fn new(fates: BTreeMap<String, Vec<Fate>>) -> Self {
        Self {
            text: "     time   cwnd ssthr. flight A segment\n".to_owned(),
            windows: BTreeMap::new(),
            fates,
            highest: 0,
            known: Known::default(),
        }
    }

    fn sent_by_a(&mut self, segment: &Segment, fate: Fate) -> String {
        let again =
            if segment.end() > segment.seq && segment.seq < self.highest { " again" } else { "" };
        self.highest = self.highest.max(segment.end());
        format!("{}{again}{}", self.show(">", segment), fate_note(fate))
    }

    fn show(&mut self, sign: &'static str, segment: &Segment) -> String {
        let last_window = self.windows.insert(sign, segment.window);
        show(segment, last_window != Some(segment.window))
    }
}

/// How a script calls a segment: data of A by the first byte, of B by `b` and the first byte, else
/// by what it is.
fn name(from: End, segment: &Segment) -> String {
    let syn = segment.flags.contains(Flags::SYN);
    match (from, syn) {
        (End::A, true) => "syn".to_owned(),
        (End::B, true) => "syn+ack".to_owned(),
        (End::A, false) if is_pure_ack(segment) => format!("ack of a {}", segment.ack),
        (End::B, false) if is_pure_ack(segment) => format!("ack {}", segment.ack),
        (End::A, false) => segment.seq.to_string(),
        (End::B, false) => format!("b {}", segment.seq),
    }
}

fn show(segment: &Segment, says_window: bool) -> String {
    let mut text = String::new();
    if segment.flags.contains(Flags::SYN) {
        text.push_str("syn ");
        let permits_sack = segment.sack == SackOption::PERMITTED;
        text.push_str(if segment.flags.contains(Flags::SCALE) { "scale " } else { "" });
        text.push_str(if permits_sack { "sack-permitted " } else { "" });
    } else if !is_pure_ack(segment) {
        let end = segment.seq + u64::from(segment.len);
        write!(text, "{}:{end} ", segment.seq).expect("a string takes all");
    }
    for (bit, word) in [(Flags::ECE, "ece "), (Flags::CWR, "cwr "), (Flags::FIN, "fin ")] {
        text.push_str(if segment.flags.contains(bit) { word } else { "" });
    }
    if segment.flags.contains(Flags::ACK) {
        write!(text, "ack {} ", segment.ack).expect("a string takes all");
    }
    if says_window {
        write!(text, "win {} ", segment.window).expect("a string takes all");
    }
    if segment.flags.contains(Flags::TIMESTAMPS) {
        let Timestamps { value, echo } = segment.timestamps;
        write!(text, "ts {value} {echo} ").expect("a string takes all");
    }
    for (block, (start, end)) in segment.sacked().enumerate() {
        let word = if block == 0 { "sack " } else { "" };
        write!(text, "{word}{start}:{end} ").expect("a string takes all");
    }
    text.truncate(text.trim_end().len());
    text
}

fn fate_note(fate: Fate) -> &'static str {
    match fate {
        Fate::Arrives => "",
        Fate::Late(_) => " late",
        Fate::Lost => " lost",
        Fate::Marked => " marked",
        Fate::Twice(_) => " twice",
    }
}

fn told(event: Event) -> &'static str {
    match event {
        Event::Connected => "connected",
        Event::Finished => "finished: has all data of the other end",
        Event::Closed => "closed: all its data are acknowledged",
        Event::Aborted => "aborted",
    }
}

fn summary(a: &Connection, b: &Connection) -> String {
    let (sent, received) = (a.counters(), b.counters());
    format!(
        "A: {} segments, {} again ({} bytes), {} timeouts, {} fast retransmits, {} duplicate ACKs, \
         {} round trips timed{}\n\
         B: {} bytes in order, {} ACKs, {} duplicate segments{}\n",
        sent.segments_sent,
        sent.retransmitted_segments,
        sent.retransmitted_bytes,
        sent.timeouts,
        sent.fast_retransmits,
        sent.dup_acks_received,
        sent.rtt.count,
        probes(sent.window_probes),
        b.delivered(),
        received.acks_sent,
        received.duplicate_segments_received,
        discards(received.paws_discards),
    )
}

fn discards(count: u64) -> String {
    if count == 0 { String::new() } else { format!(", {count} old ones discarded") }
}

fn probes(count: u64) -> String {
    if count == 0 { String::new() } else { format!(", {count} window probes") }
}
