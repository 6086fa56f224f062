//! ERICA and ERICA+ against hand arithmetic, their boundary cases, and whatever may come.

use cellway_sim::pdu::{Direction, RmCell};
use cellway_sim::switch::rate::{
    Average, CcrFrom, Curve, DrainRate, Erica, EricaPlan, EricaPlus, EricaPlusPlan, Excess,
    Fairness, InRate, MeasurementPlan, OverloadAverage, QueueControl, RateAllocator, Shape,
    TargetOf,
};
use cellway_sim::units::{CellRate, Span, Time};

const LINK: CellRate = CellRate(100_000.0);

fn measurement() -> MeasurementPlan {
    MeasurementPlan {
        interval_cells: 1_000_000,
        interval: Span::from_milliseconds(1),
        activity_decay: None,
        overload_average: OverloadAverage::None,
        backward_activity: false,
        ccr: CcrFrom::RmCell,
    }
}

fn plan() -> EricaPlan {
    EricaPlan {
        target_utilisation: 0.9,
        target_of: TargetOf::Link,
        measurement: measurement(),
        fairness: Fairness { excess: Excess::Equal, delta: 0.1 },
    }
}

fn ms(milliseconds: i64) -> Time {
    Time::ZERO + Span::from_milliseconds(milliseconds)
}

/// One interval of a millisecond that ends at `end`: cells of each VC, and of higher classes.
fn interval(erica: &mut dyn RateAllocator, end: i64, cells: &[u64], higher: u64) {
    for (slot, &cells) in cells.iter().enumerate() {
        for _ in 0..cells {
            erica.on_cell(slot as u32, InRate::Data, ms(end));
        }
    }
    for _ in 0..higher {
        erica.on_higher_priority_cell();
    }
    assert_eq!(erica.interval_end(), ms(end));
    erica.on_interval_end(ms(end), 0);
}

fn says(erica: &mut dyn RateAllocator, slot: u32, ccr: f64, mcr: f64) {
    let (ccr, mcr) = (CellRate(ccr), CellRate(mcr));
    erica.on_forward_rm(slot, &RmCell { ccr, mcr, er: LINK, ..RmCell::default() });
}

fn answer(erica: &mut dyn RateAllocator, slot: u32) -> f64 {
    let mut rm = RmCell { direction: Direction::Backward, er: CellRate(1e9), ..RmCell::default() };
    erica.on_backward_rm(slot, 0, &mut rm);
    rm.er.0
}

#[track_caller]
fn assert_rate(rate: f64, expected: f64) {
    assert!((rate - expected).abs() < 1e-6 * expected.max(1.0), "{rate} for {expected}");
}

/// C = 90 cells per ms; 60 + 120 = 180 came, so z = 2, N = 2, fair share 45 000.
#[test]
fn an_interval_with_twice_the_load() {
    let mut erica = Erica::new(plan(), LINK, &[true; 3]);
    says(&mut erica, 0, 60_000.0, 0.0);
    says(&mut erica, 1, 120_000.0, 0.0);
    interval(&mut erica, 1, &[60, 120, 0], 0);
    assert_rate(answer(&mut erica, 0), 45_000.0); // 60 000 / 2 is less than the fair share
    assert_rate(answer(&mut erica, 1), 60_000.0); // 120 000 / 2 is more
    says(&mut erica, 1, 10_000.0, 0.0);
    assert_rate(answer(&mut erica, 1), 60_000.0); // one new rate per interval
}

/// z = 0.5: who has 40 000 may have 80 000, and the other, from below the fair share, goes to the
/// fair share first and to the largest rate of the interval before in the next one.
#[test]
fn underload_equalises_by_way_of_the_fair_share() {
    let mut erica = Erica::new(plan(), LINK, &[true; 2]);
    says(&mut erica, 0, 50_000.0, 0.0);
    says(&mut erica, 1, 5_000.0, 0.0);
    interval(&mut erica, 1, &[40, 5], 0);
    assert_rate(answer(&mut erica, 0), 90_000.0); // 50 000 / 0.5 is capped by C
    assert_rate(answer(&mut erica, 1), 45_000.0); // the guard against jumps
    says(&mut erica, 1, 45_000.0, 0.0);
    interval(&mut erica, 2, &[50, 45], 0); // z = 95/90: within 1 + δ
    assert_rate(answer(&mut erica, 1), 90_000.0); // the largest of the interval before
    interval(&mut erica, 3, &[60, 60], 0); // z = 4/3: beyond it
    assert_rate(answer(&mut erica, 1), 45_000.0);
}

#[test]
fn without_delta_the_largest_rate_counts_up_to_the_target_only() {
    let mut erica = Erica::new(
        EricaPlan { fairness: Fairness { excess: Excess::Equal, delta: 0.0 }, ..plan() },
        LINK,
        &[true; 2],
    );
    says(&mut erica, 0, 50_000.0, 0.0);
    says(&mut erica, 1, 45_000.0, 0.0);
    interval(&mut erica, 1, &[40, 5], 0);
    assert_rate(answer(&mut erica, 0), 90_000.0);
    interval(&mut erica, 2, &[50, 45], 0);
    assert_rate(answer(&mut erica, 1), 45_000.0);
}

/// Kalyanaraman 1997, table 6.1.
#[test]
fn boundary_cases() {
    let rates = |cells: u64, higher: u64, ccr: f64| {
        let mut erica = Erica::new(plan(), LINK, &[true; 2]);
        says(&mut erica, 0, ccr, 0.0);
        interval(&mut erica, 1, &[cells, 0], higher);
        answer(&mut erica, 0)
    };
    assert_rate(rates(50, 90, 50_000.0), 0.0); // no capacity, load
    assert_rate(rates(0, 100, 50_000.0), 0.0); // no capacity, no load
    assert_rate(rates(0, 0, 50_000.0), 90_000.0); // capacity, no load: C/N with N = 1
    assert_rate(rates(45, 0, 20_000.0), 90_000.0); // both
}

/// U of the link less VBR, or U of what VBR leaves: 90 − 50 or 0.9 · 50.
#[test]
fn the_two_readings_of_the_target() {
    for (target_of, expected) in [(TargetOf::Link, 40_000.0), (TargetOf::Remainder, 45_000.0)] {
        let mut erica = Erica::new(EricaPlan { target_of, ..plan() }, LINK, &[true]);
        interval(&mut erica, 1, &[10], 50);
        assert_rate(erica.view().expect("it measures").capacity, expected);
    }
}

/// 90 000 less 60 000 of minimum rates: 15 000 each above them, or 1 : 3 in proportion.
#[test]
fn minimum_rates_are_kept_and_the_excess_is_shared() {
    for (excess, expected) in
        [(Excess::Equal, [30_000.0, 60_000.0]), (Excess::ByMcr, [22_500.0, 67_500.0])]
    {
        let mut erica = Erica::new(
            EricaPlan { fairness: Fairness { excess, delta: 0.1 }, ..plan() },
            LINK,
            &[true; 2],
        );
        says(&mut erica, 0, 15_000.0, 15_000.0);
        says(&mut erica, 1, 45_000.0, 45_000.0);
        interval(&mut erica, 1, &[45, 45], 0);
        for (slot, expected) in expected.into_iter().enumerate() {
            assert_rate(answer(&mut erica, slot as u32), expected);
        }
    }
}

/// ATM Forum 98-0408, equations 14 and 15: 95 cells for 90 are 1.06 of the total, but 35 for 30 of
/// what is above the minimum rates of 60 are 1.17 of that: beyond 1 + δ.
#[test]
fn the_overload_is_of_what_is_above_the_minimum_rates() {
    let mut erica = Erica::new(plan(), LINK, &[true; 2]);
    for (slot, mcr) in [(0, 15_000.0), (1, 45_000.0)] {
        says(&mut erica, slot, mcr + 30_000.0, mcr);
    }
    interval(&mut erica, 1, &[45, 75], 0);
    assert_rate(erica.view().expect("it measures").overload, 2.0);
    assert_rate(answer(&mut erica, 0), 30_000.0);
    says(&mut erica, 0, 35_000.0, 15_000.0);
    says(&mut erica, 1, 60_000.0, 45_000.0);
    interval(&mut erica, 2, &[35, 60], 0);
    assert_rate(erica.view().expect("it measures").overload, 35.0 / 30.0);
    assert_rate(answer(&mut erica, 0), 15_000.0 + 20_000.0 * 30.0 / 35.0);
    // A VC below its minimum rate leaves capacity to the others, and what it does not send is no
    // load.
    interval(&mut erica, 3, &[35, 5], 0);
    assert_rate(erica.view().expect("it measures").overload, 20.0 / 70.0);
}

/// Where nobody has a minimum rate, and where nobody is active, the share is a number.
#[test]
fn the_fair_share_is_finite_whatever_the_minimum_rates() {
    let fairness = Fairness { excess: Excess::ByMcr, delta: 0.1 };
    for (mcr, expected) in [(0.0, 90_000.0), (10_000.0, 90_000.0 / 20_000.0)] {
        let mut erica = Erica::new(EricaPlan { fairness, ..plan() }, LINK, &[true; 2]);
        says(&mut erica, 0, 15_000.0, mcr);
        says(&mut erica, 1, 15_000.0, mcr);
        interval(&mut erica, 1, &[0, 0], 0);
        assert_rate(erica.view().expect("it measures").fair_share, expected);
    }
}

/// One VC sends, the other only returns RM cells: 9 of them and a forward one are no load of a
/// source, and its own CCR no rate that others may have.
#[test]
fn a_vc_that_only_answers_is_no_source() {
    let mut erica = Erica::new(plan(), LINK, &[true; 2]);
    says(&mut erica, 0, 40_000.0, 0.0);
    says(&mut erica, 1, 200_000.0, 0.0);
    let at = ms(1);
    erica.on_cell(1, InRate::ForwardRm, at);
    for _ in 0..9 {
        erica.on_cell(1, InRate::BackwardRm, at);
    }
    interval(&mut erica, 1, &[40, 0], 0);
    let view = erica.view().expect("it measures");
    assert_rate(view.active, 1.0);
    assert_rate(view.capacity, 80_000.0);
    assert_rate(view.overload, 0.5);
    assert_rate(answer(&mut erica, 1), 80_000.0);
    assert_rate(answer(&mut erica, 0), 80_000.0);
}

#[test]
fn counted_rates_and_activity_of_backward_cells() {
    let measured =
        MeasurementPlan { ccr: CcrFrom::Measurement, backward_activity: true, ..measurement() };
    let mut erica = Erica::new(EricaPlan { measurement: measured, ..plan() }, LINK, &[true; 2]);
    says(&mut erica, 0, 1.0, 0.0);
    answer(&mut erica, 1); // a backward RM cell makes its VC active
    interval(&mut erica, 1, &[180, 0], 0);
    assert_rate(erica.view().expect("it measures").active, 2.0);
    assert_rate(answer(&mut erica, 0), 90_000.0); // 180 000 counted over z = 2
    erica.on_cell(1, InRate::ForwardRm, ms(2)); // nothing but RM cells since it was set up
    answer(&mut erica, 1);
    interval(&mut erica, 2, &[180, 0], 0);
    assert_rate(erica.view().expect("it measures").active, 1.0);
}

#[test]
fn an_interval_ends_after_so_many_cells_or_so_much_time() {
    let by_cells = MeasurementPlan { interval_cells: 10, ..measurement() };
    let mut erica = Erica::new(EricaPlan { measurement: by_cells, ..plan() }, LINK, &[true]);
    let full: Vec<bool> = (0..10)
        .map(|_| erica.on_cell(0, InRate::Data, ms(0) + Span::from_microseconds(100)))
        .collect();
    assert_eq!(full, [[false; 9].as_slice(), &[true]].concat());
    erica.on_interval_end(ms(0) + Span::from_microseconds(100), 0);
    assert_eq!(erica.interval_end(), ms(1) + Span::from_microseconds(100));
    // 10 cells in 100 us are the link's own rate: z = 1/0.9.
    assert_rate(erica.view().expect("it measures").overload, 1.0 / 0.9);
}

/// f(Q)·C: Q0 = T0 · C is 25 cells of 50 000 per second; a queue of twice that gives 1.15/1.3.
#[test]
fn erica_plus_gives_out_what_the_queue_leaves() {
    for (drain_rate, expected) in [(DrainRate::AbrCapacity, 1.15 / 1.3), (DrainRate::Link, 1.0)] {
        let mut erica = EricaPlus::new(plus(drain_rate), LINK, &[true]);
        erica.on_cell(0, InRate::Data, ms(1));
        (0..50).for_each(|_| erica.on_higher_priority_cell());
        erica.on_interval_end(ms(1), 50);
        assert_rate(erica.view().expect("it measures").capacity, 50_000.0 * expected);
        (0..100).for_each(|_| erica.on_higher_priority_cell());
        erica.on_interval_end(ms(2), 50);
        assert_rate(erica.view().expect("it measures").capacity, 0.0);
    }
}

fn plus(drain_rate: DrainRate) -> EricaPlusPlan {
    let curve = Curve { a: 1.15, shape: Shape { b: 1.05, q1: 1.0, qdlf: 0.5 } };
    EricaPlusPlan {
        target_delay: Span::from_microseconds(500),
        queue_control: QueueControl::Hyperbolic(curve),
        drain_rate,
        measurement: measurement(),
        fairness: Fairness { excess: Excess::Equal, delta: 0.1 },
    }
}

/// Whatever comes: no rate is negative, infinite or not a number, and none is raised.
#[test]
fn rates_are_rates_whatever_comes() {
    let averages = [
        OverloadAverage::None,
        OverloadAverage::Exponential(Average { weight: 0.2 }),
        OverloadAverage::Ratio(Average { weight: 0.2 }),
    ];
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for case in 0..96_u64 {
        let measurement = MeasurementPlan {
            activity_decay: (case % 2 == 0).then_some(0.9),
            backward_activity: case % 3 == 0,
            overload_average: averages[(case % 3) as usize],
            ccr: if case % 5 == 0 { CcrFrom::Measurement } else { CcrFrom::RmCell },
            ..measurement()
        };
        let excess = if case % 4 == 0 { Excess::ByMcr } else { Excess::Equal };
        let fairness = Fairness { excess, delta: 0.1 };
        let mut allocator: Box<dyn RateAllocator> = if case % 2 == 0 {
            let target_of = if case % 8 == 0 { TargetOf::Remainder } else { TargetOf::Link };
            let plan = EricaPlan { target_utilisation: 0.9, target_of, measurement, fairness };
            Box::new(Erica::new(plan, LINK, &[true; 5]))
        } else {
            Box::new(EricaPlus::new(
                EricaPlusPlan { measurement, fairness, ..plus(DrainRate::AbrCapacity) },
                LINK,
                &[true; 5],
            ))
        };
        for end in 1..400 {
            for slot in 0..5 {
                for _ in 0..draw(4) * draw(30) {
                    allocator.on_cell(slot, InRate::Data, ms(end));
                }
                says(
                    allocator.as_mut(),
                    slot,
                    draw(3) as f64 * draw(200_000) as f64,
                    draw(2) as f64 * 10_000.0,
                );
            }
            (0..draw(3) * draw(70)).for_each(|_| allocator.on_higher_priority_cell());
            allocator.on_interval_end(ms(end), draw(2) * draw(100_000));
            for slot in 0..5 {
                let er = CellRate(draw(150_000) as f64);
                let mut rm = RmCell { direction: Direction::Backward, er, ..RmCell::default() };
                allocator.on_backward_rm(slot, 0, &mut rm);
                assert!((0.0..=er.0).contains(&rm.er.0), "case {case}, interval {end}: {rm:?}");
            }
        }
    }
}
