//! Source and destination rules of TM 4.0 (sections 5.10.4 and 5.10.5), cell by cell.

use cellway_sim::atm::abr::{
    Abr, CountBased, Emission, Source, TimeBased, Turnaround, UseItOrLoseIt,
};
use cellway_sim::pdu::{Direction, RmCell};
use cellway_sim::units::{CellRate, Rate, Span, Time};

const MS: Span = Span::from_milliseconds(1);

/// 100 000 cells/s at most and 10 000 at first: a cell every 100 us.
fn parameters() -> Abr {
    Abr {
        pcr: CellRate(100_000.0),
        mcr: CellRate(1_000.0),
        icr: CellRate(10_000.0),
        rif: 1.0 / 16.0,
        rdf: 1.0 / 16.0,
        nrm: 32,
        mrm: 2,
        trm: MS * 100,
        crm: 3,
        cdf: 0.5,
        adtf: MS * 500,
        tcr: CellRate(10.0),
        use_it_or_lose_it: UseItOrLoseIt::Retain,
        quantised: false,
    }
}

fn at(microseconds: i64) -> Time {
    Time::ZERO + Span::from_microseconds(microseconds)
}

/// `count` cells from `now` on while data wait: `F`, `B` and `d` for forward RM, backward RM and
/// data, small for out of rate.
fn script(source: &mut Source, now: &mut Time, count: usize) -> String {
    let mut cells = String::new();
    for _ in 0..count {
        *now = source.next_time(Time::ZERO).max(*now);
        cells.push(match source.emit(*now, true) {
            Emission::Data => 'd',
            Emission::InRate(rm) if rm.direction == Direction::Forward => 'F',
            Emission::InRate(_) => 'B',
            Emission::OutOfRate(rm) if rm.direction == Direction::Forward => 'f',
            Emission::OutOfRate(_) => 'b',
        });
    }
    cells
}

fn backward(er: f64, ci: bool, ni: bool) -> RmCell {
    RmCell { direction: Direction::Backward, ci, ni, er: CellRate(er), ..RmCell::default() }
}

fn forward() -> RmCell {
    RmCell { er: CellRate(70_000.0), ccr: CellRate(5_000.0), ..RmCell::default() }
}

#[test]
fn rules_2_and_3a_the_first_cell_and_every_32nd_is_a_forward_rm_cell() {
    let mut source = Source::new(parameters());
    let mut now = Time::ZERO;
    assert_eq!(source.acr(), CellRate(10_000.0));
    let cells = script(&mut source, &mut now, 65);
    let expected = format!("F{0}F{0}F", "d".repeat(31));
    assert_eq!(cells, expected);
    assert_eq!(now, at(6_400), "rule 1: 64 cells after the first, 100 us apart");
}

#[test]
fn rule_3b_one_backward_rm_cell_between_forward_ones_while_data_wait() {
    let mut source = Source::new(parameters());
    let mut now = Time::ZERO;
    source.turnaround.on_forward_rm(&forward(), false, false);
    let mut cells = script(&mut source, &mut now, 3);
    source.turnaround.on_forward_rm(&forward(), false, false);
    cells += &script(&mut source, &mut now, 31);
    assert_eq!(cells, format!("FBd{}FB", "d".repeat(29)));
}

#[test]
fn rule_3b_without_data_every_backward_rm_cell_has_its_turn() {
    let mut source = Source::new(parameters());
    let mut now = Time::ZERO;
    let mut cells = String::new();
    for _ in 0..4 {
        source.turnaround.on_forward_rm(&forward(), false, false);
        now = source.next_time(Time::MAX).max(now);
        cells.push(match source.emit(now, false) {
            Emission::InRate(rm) if rm.direction == Direction::Backward => 'B',
            Emission::InRate(_) => 'F',
            _ => '?',
        });
    }
    assert_eq!(cells, "FBBB");
}

#[test]
fn rule_3a_trm_counts_after_mrm_cells_and_an_idle_source_is_silent() {
    let mut source = Source::new(parameters());
    let mut now = Time::ZERO;
    assert_eq!(source.next_time(Time::MAX), Time::MAX, "nothing to send");
    assert_eq!(script(&mut source, &mut now, 2), "Fd");
    assert_eq!(
        source.next_time(Time::MAX),
        Time::MAX,
        "one cell after the RM cell is less than Mrm"
    );
    assert_eq!(script(&mut source, &mut now, 1), "d");
    assert_eq!(source.next_time(Time::MAX), at(100_000), "Trm after the first RM cell");
    assert!(matches!(
        source.emit(at(100_000), false),
        Emission::InRate(rm) if rm.direction == Direction::Forward
    ));
    assert_eq!(source.next_time(Time::MAX), Time::MAX);
}

#[test]
fn rule_5_a_rate_unused_for_adtf_falls_to_icr() {
    for (pause, expected) in [(499, 80_000.0), (501, 10_000.0)] {
        let mut source = Source::new(Abr { cdf: 0.0, ..parameters() });
        let mut now = Time::ZERO;
        script(&mut source, &mut now, 3);
        source.on_backward_rm(&backward(80_000.0, false, false));
        source.on_backward_rm(&backward(80_000.0, false, false));
        for _ in 0..20 {
            source.on_backward_rm(&backward(80_000.0, false, false));
        }
        assert_eq!(source.acr(), CellRate(80_000.0));
        let later = at(pause * 1000);
        let Emission::InRate(rm) = source.emit(later, true) else { panic!("Trm has passed") };
        assert_eq!(
            (rm.ccr, source.acr()),
            (CellRate(expected), CellRate(expected)),
            "after {pause} ms: rule 7 too"
        );
    }
}

#[test]
fn rule_6_without_answers_the_rate_is_cut_at_every_further_forward_rm_cell() {
    let mut source = Source::new(parameters());
    let mut now = Time::ZERO;
    let mut rates = Vec::new();
    for _ in 0..6 {
        script(&mut source, &mut now, 32);
        rates.push(source.acr().0);
    }
    // CRM = 3 unanswered ones stand before the fourth; MCR is the floor.
    assert_eq!(rates, [10_000.0, 10_000.0, 10_000.0, 5_000.0, 2_500.0, 1_250.0]);
    script(&mut source, &mut now, 32);
    assert_eq!(source.acr(), CellRate(1_000.0));
    source.on_backward_rm(&RmCell { is_notification: true, ..backward(1e9, false, true) });
    script(&mut source, &mut now, 32);
    assert_eq!(source.acr(), CellRate(1_000.0), "BN = 1 is no answer");
    source.on_backward_rm(&backward(8_000.0, false, false));
    let rate = source.acr();
    script(&mut source, &mut now, 64);
    assert_eq!(source.acr(), rate, "two of three");
}

#[test]
fn rules_8_and_9_increase_decrease_and_explicit_rate() {
    let after = |rm: RmCell| {
        let mut source = Source::new(parameters());
        source.on_backward_rm(&rm);
        source.acr()
    };
    assert_eq!(
        after(backward(1e9, false, false)),
        CellRate(10_000.0 + 100_000.0 / 16.0),
        "RIF of PCR"
    );
    assert_eq!(after(backward(1e9, false, true)), CellRate(10_000.0), "NI: no increase");
    assert_eq!(
        after(backward(1e9, true, false)),
        CellRate(10_000.0 * 15.0 / 16.0),
        "CI: RDF of ACR"
    );
    assert_eq!(after(backward(4_000.0, false, false)), CellRate(4_000.0), "ER");
    assert_eq!(after(backward(0.0, true, false)), CellRate(1_000.0), "MCR is the floor");
    let mut source = Source::new(parameters());
    for _ in 0..20 {
        source.on_backward_rm(&backward(1e9, false, false));
    }
    assert_eq!(source.acr(), CellRate(100_000.0), "PCR is the ceiling");
}

#[test]
fn a_changed_rate_moves_the_next_cell_from_the_last_one() {
    let mut source = Source::new(parameters());
    let mut now = Time::ZERO;
    script(&mut source, &mut now, 2);
    assert_eq!(source.next_time(now), at(200));
    source.on_backward_rm(&backward(5_000.0, false, false));
    assert_eq!(source.next_time(now), at(300), "200 us after the cell at 100");
}

#[test]
fn rule_11_a_stopped_source_asks_at_tcr_and_starts_again() {
    let mut source = Source::new(Abr { mcr: CellRate::ZERO, ..parameters() });
    let mut now = Time::ZERO;
    script(&mut source, &mut now, 2);
    source.on_backward_rm(&backward(0.0, false, false));
    assert_eq!(source.acr(), CellRate::ZERO);
    assert_eq!(script(&mut source, &mut now, 3), "fff");
    assert_eq!(now, at(300_000), "one every 100 ms");
    source.on_backward_rm(&backward(20_000.0, false, false));
    assert_eq!(script(&mut source, &mut now, 2), "dF", "in rate again, and Trm has long passed");
}

#[test]
fn destination_rules_turn_round_keep_congestion_and_answer_out_of_rate_at_once() {
    let mut turnaround = Turnaround::default();
    turnaround.on_forward_rm(&forward(), false, true);
    let newer = RmCell { er: CellRate(60_000.0), ..forward() };
    turnaround.on_forward_rm(&newer, false, false);
    let returned = turnaround.take_in_rate().expect("one waits");
    assert_eq!(
        returned,
        RmCell { direction: Direction::Backward, ci: true, ..newer },
        "the newest, its congestion kept"
    );
    assert!(turnaround.take_in_rate().is_none());
    let mut source = Source::new(parameters());
    let mut now = Time::ZERO;
    script(&mut source, &mut now, 1);
    source.turnaround.on_forward_rm(&forward(), true, false);
    assert_eq!(script(&mut source, &mut now, 1), "b");
    assert_eq!(now, Time::ZERO, "it does not wait for its turn");
}

/// Destination rule 4: the answer that goes ahead is the newest; an older one that still waits must
/// not come after it.
#[test]
fn an_older_rm_cell_does_not_follow_a_newer_one() {
    let mut turnaround = Turnaround::default();
    turnaround.on_forward_rm(&forward(), false, true);
    let newer = RmCell { er: CellRate(60_000.0), ..forward() };
    turnaround.on_forward_rm(&newer, true, false);
    let ahead = RmCell { direction: Direction::Backward, ci: true, ..newer };
    assert_eq!(
        turnaround.take_out_of_rate(),
        Some(ahead),
        "the congestion of the older one is kept"
    );
    assert_eq!(turnaround.take_in_rate(), None);
    turnaround.on_forward_rm(&forward(), true, false);
    turnaround.on_forward_rm(&newer, false, false);
    assert!(turnaround.has_out_of_rate() && turnaround.has_in_rate(), "in their order both may go");
}

#[test]
fn rule_13_a_source_may_give_up_what_it_does_not_use() {
    let late = |use_it_or_lose_it: UseItOrLoseIt| {
        let mut source = Source::new(Abr { use_it_or_lose_it, cdf: 0.0, ..parameters() });
        let mut now = Time::ZERO;
        script(&mut source, &mut now, 31);
        for _ in 0..20 {
            source.on_backward_rm(&backward(80_000.0, false, false));
        }
        script(&mut source, &mut now, 1);
        // The RM cell comes 64 ms after the first: 32 cells in that time are 500 a second.
        source.emit(at(64_000), true);
        source
    };
    assert_eq!(late(UseItOrLoseIt::Retain).acr(), CellRate(80_000.0));
    assert_eq!(
        late(UseItOrLoseIt::TimeBased(TimeBased { tof: 4.0 })).acr(),
        CellRate(10_000.0),
        "not below ICR"
    );
    assert_eq!(
        late(UseItOrLoseIt::TimeBased(TimeBased { tof: 1000.0 })).acr(),
        CellRate(80_000.0),
        "not late enough"
    );
    // 20 000 cells per second.
    let headroom = Rate::from_bits_per_second(8_480_000);
    let mut source = late(UseItOrLoseIt::CountBased(CountBased { headroom }));
    assert_eq!(source.acr(), CellRate(10_500.0), "what it used and ICR");
    source.on_backward_rm(&backward(1e9, false, true));
    source.on_backward_rm(&backward(1e9, false, false));
    assert_eq!(
        source.acr(),
        CellRate(10_500.0),
        "the next increase is skipped, not the next RM cell"
    );
    source.on_backward_rm(&backward(1e9, false, false));
    assert_eq!(source.acr(), CellRate(16_750.0));
}

#[test]
fn rates_of_sixteen_bits_are_never_above_what_is_meant() {
    let mut source = Source::new(Abr { quantised: true, icr: CellRate(10_007.0), ..parameters() });
    let Emission::InRate(rm) = source.emit(Time::ZERO, true) else {
        panic!("the first cell is an RM cell")
    };
    // 10 007 = 8192 · (1 + 113.4/512): the mantissa is cut to 113.
    assert_eq!(rm.ccr, CellRate(8192.0 * (1.0 + 113.0 / 512.0)));
    assert_eq!(source.acr(), CellRate(10_007.0), "the source keeps its own");
}
