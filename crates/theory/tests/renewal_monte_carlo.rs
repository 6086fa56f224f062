//! The renewal model against a simulation of its recursion, ACK by ACK and packet by packet, that
//! shares no code with it.

use cellway_theory::renewal::{Path, Sender, WindowAtLoss, throughput};

/// Relative tolerance, with two million round trips.
const TOLERANCE: f64 = 0.005;
const ROUND_TRIPS: u64 = 2_000_000;

/// Steele, Lea, Flood: `SplitMix64`, OOPSLA 2014.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Number of `acks` at which a window of `window` grows.
    fn grown(&mut self, acks: u32, window: u32) -> u32 {
        (0..acks).map(|_| u32::from(self.next() * f64::from(window) < 1.0)).sum()
    }
}

/// The connection: packets in the source, the buffer and propagation; the link's rate now and
/// before.
struct Connection {
    path: Path,
    sender: Sender,
    random: Random,
    waiting: u32,
    queued: u32,
    flying: u32,
    link: u32,
    before: u32,
}

/// Packets by each accounting, losses, and round trips.
#[derive(Default)]
struct Counted {
    optimistic: f64,
    each_once: f64,
    returned: f64,
    nothing: f64,
    losses: f64,
    time: f64,
}

impl Connection {
    fn change_link(&mut self) {
        self.before = self.link;
        let (other, lasts) = if self.link == self.path.high {
            (self.path.low, self.path.high_lasts)
        } else {
            (self.path.high, self.path.low_lasts)
        };
        if self.random.next() < 1.0 / lasts {
            self.link = other;
        }
    }

    /// Packets that enter before one finds no place; `None` if all enter.
    fn entered_before_loss(&self, offered: u32, grown: u32) -> Option<u32> {
        let places = f64::from(self.path.buffer) + 1e-9;
        let link = f64::from(self.link);
        if self.sender == Sender::TcpAlone {
            let served = (f64::from(self.flying) * link / f64::from(self.before)).min(link);
            let added = (f64::from(self.flying) - served).max(0.0);
            if f64::from(self.queued + grown) + added <= places {
                return None;
            }
            if added == 0.0 {
                return Some(self.flying);
            }
            let each = added / f64::from(self.flying);
            let mut entered = 0;
            while entered < offered
                && f64::from(self.queued) + f64::from(entered + 1) * each <= places
            {
                entered += 1;
            }
            return Some(entered);
        }
        let rate = match self.sender {
            Sender::TcpOverConstantRate(rate) => rate,
            _ => self.before,
        };
        let each = 1.0 - link / f64::from(rate);
        let mut queue = f64::from(self.queued);
        for entered in 0..offered.min(rate) {
            queue += each;
            if queue > places {
                return Some(entered);
            }
        }
        None
    }

    fn round_trip(&mut self, counted: &mut Counted) {
        let window = self.waiting + self.queued + self.flying;
        let grown = self.random.grown(self.flying, window).min(self.path.max_window - window);
        let offered = self.waiting + self.flying + grown;
        if let Some(entered) = self.entered_before_loss(offered, grown) {
            self.lose(counted, window + grown, entered);
            return;
        }
        counted.time += 1.0;
        for packets in [
            &mut counted.optimistic,
            &mut counted.each_once,
            &mut counted.returned,
            &mut counted.nothing,
        ] {
            *packets += f64::from(self.flying);
        }
        let sent = match self.sender {
            Sender::TcpOverAbr => offered.min(self.before),
            Sender::TcpOverConstantRate(rate) => offered.min(rate),
            Sender::TcpAlone => offered,
        };
        self.waiting = offered - sent;
        self.flying = self.link.min(self.queued + sent);
        self.queued = self.queued + sent - self.flying;
        self.change_link();
    }

    fn lose(&mut self, counted: &mut Counted, grown_window: u32, entered: u32) {
        let window = self.waiting + self.queued + self.flying;
        let later = self.random.grown(self.queued + entered, window);
        let reached = (grown_window + later).min(self.path.max_window);
        let slow_start = f64::from(reached) / 2.0 - 1.0;
        let ahead = f64::from(self.flying + self.queued + entered);
        counted.losses += 1.0;
        counted.returned += f64::from(self.flying) + slow_start;
        counted.each_once += ahead + slow_start;
        counted.optimistic += ahead + slow_start + f64::from(window + 1);
        let threshold = reached.div_ceil(2);
        (self.waiting, self.queued, self.flying) = (0, 0, threshold);
        let mut round_trips = 3;
        let mut slow_start_window = 1;
        while slow_start_window < threshold {
            slow_start_window *= 2;
            round_trips += 1;
        }
        for _ in 0..round_trips {
            counted.time += 1.0;
            self.change_link();
        }
    }
}

fn compare(path: Path, sender: Sender) {
    let mut counted = Counted::default();
    let mut connection = Connection {
        path,
        sender,
        random: Random(1),
        waiting: 1,
        queued: 0,
        flying: 0,
        link: path.high,
        before: path.high,
    };
    for _ in 0..ROUND_TRIPS {
        connection.round_trip(&mut counted);
    }
    let found = throughput(&path, sender, WindowAtLoss::Binomial, false).expect("a valid path");
    let solved = found.packets_per_round_trip;
    for (name, solved, simulated) in [
        ("optimistic", solved.optimistic, counted.optimistic),
        ("each once", solved.each_once, counted.each_once),
        ("returned", solved.returned, counted.returned),
        ("nothing", solved.nothing, counted.nothing),
        ("losses", found.losses_per_round_trip, counted.losses),
    ] {
        let ratio = solved / (simulated / counted.time);
        println!("{sender:?} {name}: {ratio:.5}");
        assert!((ratio - 1.0).abs() <= TOLERANCE, "{sender:?} {path:?} {name}: {ratio}");
    }
}

fn lasting(psi: f64, buffer: u32) -> Path {
    Path { high: 40, low: 20, buffer, max_window: 64, high_lasts: psi, low_lasts: psi }
}

#[test]
fn tcp_over_abr() {
    compare(lasting(2.0, 10), Sender::TcpOverAbr);
    compare(lasting(10.0, 12), Sender::TcpOverAbr);
}

#[test]
fn tcp_over_a_constant_rate() {
    compare(lasting(5.0, 10), Sender::TcpOverConstantRate(27));
}

#[test]
fn tcp_alone() {
    compare(lasting(2.0, 12), Sender::TcpAlone);
    compare(lasting(10.0, 10), Sender::TcpAlone);
}

/// Rates of an odd ratio, a chain that is mostly high, and windows that nothing limits.
#[test]
fn asymmetric_chains_and_other_rates() {
    let path =
        Path { high: 30, low: 9, buffer: 7, max_window: 80, high_lasts: 9.0, low_lasts: 4.0 };
    compare(path, Sender::TcpOverAbr);
    compare(path, Sender::TcpAlone);
}
