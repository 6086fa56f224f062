//! ABR parameters and allocators of rates as text that reads back to the same.

use std::fmt;

use super::resolved::{
    Abr, Curve, MeasurementPlan, OverloadAverage, PowerFraction, QueueControl, RateAllocation,
    SegmentationRoom, Steps, UseItOrLoseIt,
};
use super::write::layered;
use crate::units::{CELL_BITS, CellRate, Layer, LayeredRate, Rate};

pub(crate) fn write_abr(abr: &Abr) -> String {
    let mut keys = Vec::new();
    let mcr = (abr.mcr.bits_per_second() > 0).then_some(abr.mcr);
    for (key, rate) in [("pcr", abr.pcr), ("mcr", mcr), ("icr", abr.icr)] {
        keys.extend(rate.map(|rate| format!("{key} = \"{}\"", of_cell(rate))));
    }
    keys.push(format!("tbe = \"{}\"", abr.tbe));
    keys.extend(abr.frtt.map(|frtt| format!("frtt = \"{frtt}\"")));
    keys.push(format!(
        "rif = \"{}\", rdf = \"{}\", nrm = {}, trm = \"{}\"",
        abr.rif, abr.rdf, abr.nrm, abr.trm
    ));
    keys.extend(abr.crm.map(|crm| format!("crm = {crm}")));
    keys.push(format!(
        "cdf = \"{}\", adtf = \"{}\", tcr = \"{}\"",
        abr.cdf,
        abr.adtf,
        of_cell(abr.tcr)
    ));
    let unused = match abr.use_it_or_lose_it {
        UseItOrLoseIt::Retain => "\"retain\"".to_owned(),
        UseItOrLoseIt::TimeBased { tof } => format!("{{ time_based = {{ tof = {tof} }} }}"),
        UseItOrLoseIt::CountBased { headroom } => {
            format!("{{ count_based = {{ headroom = \"{}\" }} }}", of_cell(bits(headroom)))
        }
    };
    let buffer = match abr.buffer {
        SegmentationRoom::Infinite => "\"infinite\"".to_owned(),
        SegmentationRoom::Tail(room) => format!("{{ tail = \"{room} cell\" }}"),
        SegmentationRoom::BackPressure(room) => format!("{{ back_pressure = \"{room} cell\" }}"),
    };
    keys.push(format!(
        "use_it_or_lose_it = {unused}, quantised = {}, buffer = {buffer}",
        abr.quantised
    ));
    format!("{{ abr = {{ {} }} }}", keys.join(", "))
}

pub(crate) fn write_rate_allocator(rate_allocator: &RateAllocation) -> String {
    let written = match rate_allocator {
        RateAllocation::None => return "\"none\"".to_owned(),
        RateAllocation::Efci { threshold } => format!("efci = {{ threshold = \"{threshold}\" }}"),
        RateAllocation::RelativeRate { no_increase, congestion } => {
            format!(
                "relative_rate = {{ no_increase = \"{no_increase}\", congestion = \"{congestion}\" \
                 }}"
            )
        }
        RateAllocation::Erica(plan) => format!(
            "erica = {{ target_utilisation = {}, target_of = \"{}\", {}, overload_average = {}, \
             excess = \"{}\", delta = {} }}",
            plan.target_utilisation,
            plan.target_of.word(),
            measurement(&plan.measurement),
            average(plan.overload),
            plan.fairness.excess.word(),
            plan.fairness.delta
        ),
        RateAllocation::EricaPlus(plan) => format!(
            "erica_plus = {{ target_delay = \"{}\", queue_control = {}, drain_rate = \"{}\", {}, \
             overload_average = {}, \
             excess = \"{}\", delta = {} }}",
            plan.target_delay,
            queue_control(plan.queue_control),
            plan.drain_rate.word(),
            measurement(&plan.measurement),
            average(plan.overload),
            plan.fairness.excess.word(),
            plan.fairness.delta
        ),
    };
    format!("{{ {written} }}")
}

fn measurement(plan: &MeasurementPlan) -> String {
    let decay =
        plan.activity_decay.map(|decay| format!("activity_decay = {decay}, ")).unwrap_or_default();
    format!(
        "interval_cells = {}, interval = \"{}\", {decay}backward_activity = {}, ccr = \"{}\"",
        plan.cells,
        plan.span,
        plan.counts_backward_rm,
        plan.ccr.word()
    )
}

fn average(overload: OverloadAverage) -> String {
    match overload {
        OverloadAverage::None => "\"none\"".to_owned(),
        OverloadAverage::Exponential { weight } => {
            format!("{{ exponential = {{ weight = {weight} }} }}")
        }
        OverloadAverage::Ratio { weight } => format!("{{ ratio = {{ weight = {weight} }} }}"),
    }
}

fn queue_control(control: QueueControl) -> String {
    let curved = |name: &str, Curve { a, b, q1, qdlf }: Curve| {
        format!("{{ {name} = {{ a = {a}, b = {b}, q1 = {q1}, qdlf = {qdlf} }} }}")
    };
    match control {
        QueueControl::Hyperbolic(curve) => curved("hyperbolic", curve),
        QueueControl::InverseHyperbolic(curve) => curved("inverse_hyperbolic", curve),
        QueueControl::Linear(curve) => curved("linear", curve),
        QueueControl::Step(Steps { a, b, q1, q2, qdlf }) => {
            format!("{{ step = {{ a = {a}, b = {b}, q1 = {q1}, q2 = {q2}, qdlf = {qdlf} }} }}")
        }
    }
}

fn of_cell(rate: Rate) -> LayeredRate {
    layered(rate, Layer::Cell)
}

/// A rate that was read from whole bits per second gives them back.
fn bits(rate: CellRate) -> Rate {
    Rate::from_bits_per_second((rate.0 * CELL_BITS as f64 + 0.5) as u64)
}

impl fmt::Display for PowerFraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("0"),
            Some(0) => f.write_str("1"),
            Some(exponent) => write!(f, "1/{}", 1_u64 << exponent),
        }
    }
}
