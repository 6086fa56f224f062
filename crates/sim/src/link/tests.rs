//! A line with one impairment that a test decides.

use super::*;
use crate::engine::{InPort, Io, Link, LinkId, Network, Node, NodeId, Stream, TrainOrder};
use crate::pdu::{Cell, CellHead, Frame, RmCell, Segment, Train};
use crate::result::{ImpairmentCounters, Ledger, Window};
use crate::units::{Framing, Rate, Span, Time};

const CELL_TIME: Span = Span::from_microseconds(10);
const PROPAGATION: Span = Span::from_microseconds(5);
const ALWAYS: Window = Window { from: Time::ZERO, until: Time::MAX };

/// Outcomes of the units, in order; the others are delivered.
#[derive(Debug)]
struct Script(std::vec::IntoIter<Fate>);

impl Impairment for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn judge(&mut self, _unit: &Sent<'_>) -> Fate {
        self.0.next().unwrap_or(Fate::Delivered)
    }
}

/// A node that does nothing: the tests borrow its view of the link.
struct Bystander;

impl Node for Bystander {
    fn next_event(&self) -> Time {
        Time::MAX
    }

    fn on_head(&mut self, _port: InPort, _at: Time) {}

    fn advance(&mut self, _until: Time, _io: &mut Io) -> Time {
        Time::MAX
    }
}

fn microseconds(at: i64) -> Time {
    Time::ZERO + Span::from_microseconds(at)
}

fn transmitter(transmission: Transmission, fates: Vec<Fate>) -> Transmitter {
    let script: Box<dyn Impairment> = Box::new(Script(fates.into_iter()));
    Transmitter::new(LinkId(0), PROPAGATION, transmission).impaired_by(vec![script], None, ALWAYS)
}

#[test]
fn a_packet_takes_the_time_of_its_size_whatever_came_before() {
    let (line_rate, framing) = (Rate::from_bits_per_second(8_000_003), Framing::NONE);
    let transmission = Transmission::Packets { line_rate, framing };
    let mut line = Transmitter::new(LinkId(0), PROPAGATION, transmission);
    for bytes in [40, 40, 552, 40, 552, 552, 1500, 552, 40, 1500, 40] {
        let expected = line_rate.span_of_bits(8 * u64::from(bytes));
        assert_eq!(line.span_of_packet(bytes), expected, "{bytes} bytes");
    }
}

/// The network after `send` with its one link, and the counters of the link and of VC 0.
fn after(
    transmitter: &mut Transmitter,
    send: impl Fn(&mut Transmitter, &mut Io),
) -> (Network<Bystander>, Ledger) {
    on(Link::new(PROPAGATION, (NodeId(0), InPort(0))), transmitter, send)
}

/// The same as `after`, for this link.
fn on(
    link: Link,
    transmitter: &mut Transmitter,
    send: impl Fn(&mut Transmitter, &mut Io),
) -> (Network<Bystander>, Ledger) {
    let mut network = Network::new(vec![Bystander], vec![link]);
    network.visit(|_, io| send(transmitter, io));
    let mut ledger = Ledger::new(0, 0, 1, 1);
    transmitter.report(ALWAYS.until, &mut ledger);
    (network, ledger)
}

/// Arrivals in microseconds, each with true for a bit error.
fn arrivals(network: &Network<Bystander>) -> Vec<(f64, bool)> {
    let cells = network.io().links[0].trains().flat_map(Train::cells);
    cells.map(|cell| ((cell.at.seconds_f64() * 1e6).round(), cell.head.has_bit_error())).collect()
}

#[test]
fn a_lost_cell_takes_its_time_on_the_line_and_does_not_arrive() {
    let fates = vec![Fate::Delivered, Fate::Lost, Fate::Corrupted];
    let mut line = transmitter(Transmission::Cells(CELL_TIME), fates);
    let (network, ledger) = after(&mut line, |line, io| {
        for sent in 0..4 {
            let cell = Cell { at: microseconds(1), head: CellHead::body(0, 7) };
            let begun = 1 + 10 * sent;
            assert_eq!(line.send(cell, 0, io), (microseconds(begun), microseconds(begun + 10)));
        }
    });
    assert_eq!(arrivals(&network), [(16.0, false), (36.0, true), (46.0, false)]);
    assert_eq!(line.free_at(), microseconds(41));
    assert_eq!(
        ledger.links[0].impairments["script"],
        ImpairmentCounters { units: 4, lost: 1, corrupted: 1, ..Default::default() }
    );
    assert_eq!(ledger.vcs[0].lost_on_links, 1);
}

/// The frame check of the link and the CRC-10 of an RM cell fail at the next node; their content is
/// lost with them.
#[test]
fn packets_and_rm_cells_with_bit_errors_are_lost_with_what_they_carry() {
    let packets = Transmission::Packets {
        line_rate: Rate::from_bits_per_second(8_000_000),
        framing: crate::units::Framing { bytes: 8, cell_headers: false },
    };
    let mut line = transmitter(packets, vec![Fate::Corrupted]);
    let (network, ledger) = after(&mut line, |line, io| {
        for number in [1, 2] {
            let segment = Segment::default();
            let frame =
                Frame { direction: 0, number, cells: 1, bytes: 40, sent_at: Time::ZERO, segment };
            let head = CellHead::end_of_frame(0, io.frames.insert(frame).0);
            line.send(Cell { at: Time::ZERO, head }, 0, io);
        }
    });
    assert_eq!((arrivals(&network), network.io().frames.count()), (vec![(101.0, false)], 1));
    assert_eq!(
        ledger.links[0].impairments["script"],
        ImpairmentCounters { units: 2, lost: 1, ..Default::default() }
    );

    let mut line = transmitter(Transmission::Cells(CELL_TIME), vec![Fate::Corrupted]);
    let (network, ledger) = after(&mut line, |line, io| {
        let head = CellHead::rm(0, io.rm_cells.insert(RmCell::default()).0, false);
        line.send(Cell { at: Time::ZERO, head }, 0, io);
    });
    assert_eq!((arrivals(&network), network.io().rm_cells.count()), (vec![], 0));
    assert_eq!(ledger.vcs[0].lost_on_links, 1);
}

/// Sends frames of up to fifty cells: back to back, spread, and after a pause.
fn send_frames(line: &mut Transmitter, io: &mut Io, send: fn(&mut Transmitter, Train, &mut Io)) {
    let mut at = microseconds(10);
    for number in 0..600 {
        let (cells, segment) = (1 + number % 50, Segment::default());
        let frame = Frame { direction: 0, number, cells, bytes: 40, sent_at: at, segment };
        let end = CellHead::end_of_frame(0, io.frames.insert(frame).0);
        let mut train = Train::frame(at, CellHead::body(0, number), cells, end);
        train.gap = CELL_TIME * i64::from(1 + number % 3);
        at = train.last() + CELL_TIME * i64::from(1 + number % 7);
        send(line, train, io);
    }
}

/// Outcomes of frames on such a line if they are sent as trains, and if cell by cell.
fn in_trains_and_one_by_one(
    impaired: impl Fn() -> Transmitter,
) -> [(Network<Bystander>, Ledger); 2] {
    let link = Link::new(PROPAGATION, (NodeId(0), InPort(0)));
    let trains = on(link.with_trains(TrainOrder::First), &mut impaired(), |line, io| {
        send_frames(line, io, |line, train, io| line.send_train(train, 0, io));
    });
    let cells = after(&mut impaired(), |line, io| {
        send_frames(line, io, |line, train, io| {
            train.cells().for_each(|cell| line.send_until(cell.at, cell.head, 0, io));
        });
    });
    [trains, cells]
}

fn arrived(network: &Network<Bystander>) -> Vec<Cell> {
    network.io().links[0].trains().flat_map(Train::cells).collect()
}

/// The same cells are lost and spoilt, and as many are counted before the end of the warm-up and
/// before that of the run, both of which are within a frame.
#[test]
fn trains_meet_impairments_as_their_cells_do() {
    let units = Sojourn::Units(MeanUnits { good: 200.0, bad: 3.0 });
    let span = Span::from_microseconds;
    let times = Sojourn::Times(MeanTimes { good: span(2_500), bad: span(45) });
    let bursts = |sojourn| {
        AnyImpairment::GilbertElliott(GilbertElliott { sojourn, good_loss: 1e-3, bad_loss: 0.7 })
    };
    let periodic = Periodic { every: span(5_000), lasts: span(35), offset: span(700) };
    let outages = Outages { when: When::Periodic(periodic), units: DuringOutage::Lost };
    let loss = AnyImpairment::Loss(Loss(0.01));
    let bit_errors = AnyImpairment::BitErrors(BitErrors(1e-4));
    for plans in [
        vec![loss.clone()],
        vec![AnyImpairment::PeriodicLoss(PeriodicLoss(37))],
        vec![bit_errors.clone()],
        vec![bursts(units)],
        vec![bursts(times)],
        vec![AnyImpairment::Outages(outages)],
        vec![loss, bit_errors],
    ] {
        let impaired = || {
            let transmission = Transmission::Cells(CELL_TIME);
            let stream = |of: &str| Stream::new(7, of);
            let site = Site { stream: &stream, transmission, flow: &|_| None };
            let built = plans.iter().map(|plan| plan.build(&site)).collect();
            let window = Window { from: microseconds(50_003), until: microseconds(200_001) };
            Transmitter::new(LinkId(0), PROPAGATION, transmission).impaired_by(built, None, window)
        };
        let [trains, cells] = in_trains_and_one_by_one(impaired);
        assert_eq!(arrived(&trains.0), arrived(&cells.0), "{plans:?}");
        assert_eq!(format!("{:?}", trains.1), format!("{:?}", cells.1), "{plans:?}");
        let sent = 600 / 50 * (1..=50).sum::<usize>();
        let whole = arrived(&cells.0).iter().filter(|cell| !cell.head.has_bit_error()).count();
        let on_link = trains.0.io().links[0].trains().count();
        assert!(sent - whole > 30 && on_link < sent / 4, "{whole} of {sent}, {on_link} trains");
        assert_eq!(trains.0.io().frames.count(), cells.0.io().frames.count());
    }
}

/// An impairment from outside: of the cells that it meets, it hits those of these numbers.
#[derive(Clone, Debug, Default)]
struct Hits {
    met: u64,
    lost: Vec<u64>,
    spoilt: Vec<u64>,
}

impl Impairment for Hits {
    fn name(&self) -> &'static str {
        "hits"
    }

    fn judge(&mut self, _unit: &Sent<'_>) -> Fate {
        self.met += 1;
        match (self.lost.contains(&self.met), self.spoilt.contains(&self.met)) {
            (true, _) => Fate::Lost,
            (false, true) => Fate::Corrupted,
            (false, false) => Fate::Delivered,
        }
    }

    fn keeps_time(&self) -> bool {
        true
    }
}

/// The same impairment, with an answer for runs of cells.
#[derive(Debug)]
struct Answering(Hits, fn(&Hits, &CellRun) -> bool);

impl Impairment for Answering {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn judge(&mut self, unit: &Sent<'_>) -> Fate {
        self.0.judge(unit)
    }

    fn keeps_time(&self) -> bool {
        true
    }

    fn delivers_all(&mut self, cell_run: &CellRun) -> bool {
        self.1(&self.0, cell_run)
    }

    fn pass(&mut self, cell_run: &CellRun) {
        self.0.met += cell_run.cells;
    }
}

/// The true answer.
fn misses_all(hits: &Hits, cell_run: &CellRun) -> bool {
    let next = hits.met + 1..=hits.met + cell_run.cells;
    !hits.lost.iter().chain(&hits.spoilt).any(|hit| next.contains(hit))
}

/// An impairment of one's own that keeps time may let trains be bisected, or decide which of them
/// it delivers unchanged: the same cells arrive, and as many are counted. One that lets a cell pass
/// which it would have hit is detected.
#[test]
fn an_own_impairment_delivers_trains_whole_or_judges_each_cell() {
    // Frames have 1, 2, 3 … cells: 1, 3, 6, 10 … are their last ones.
    let there = Hits { lost: vec![1, 2, 6, 1275], spoilt: vec![17, 28, 7000], ..Hits::default() };
    let back = Hits { lost: (40..=60).chain([15_300]).collect(), ..Hits::default() };
    for hits in [there, back] {
        let line = |own: Box<dyn Impairment>| {
            let line = Transmitter::new(LinkId(0), PROPAGATION, Transmission::Cells(CELL_TIME));
            line.impaired_by(vec![own], None, ALWAYS)
        };
        let told = |sent: &(Network<Bystander>, Ledger)| {
            let frames = sent.0.io().frames.count();
            format!("{:?} {frames} {:?}", arrived(&sent.0), sent.1)
        };
        let silent = in_trains_and_one_by_one(|| line(Box::new(hits.clone())));
        let truthful =
            in_trains_and_one_by_one(|| line(Box::new(Answering(hits.clone(), misses_all))));
        let wrong =
            in_trains_and_one_by_one(|| line(Box::new(Answering(hits.clone(), |_, _| true))));
        let expected = told(&silent[1]);
        let counters = &silent[1].1.links[0].impairments["hits"];
        let [lost, spoilt] = [&hits.lost, &hits.spoilt].map(|cells| cells.len() as u64);
        assert_eq!((counters.units, counters.lost, counters.corrupted), (15_300, lost, spoilt));
        for same in [&silent[0], &truthful[0], &truthful[1], &wrong[1]] {
            assert!(told(same) == expected, "{hits:?}");
        }
        assert!(told(&wrong[0]) != expected, "{hits:?}");
    }
}
