//! ABR parameters and allocators of rates, each read into its type of the resolved scenario.

use crate::language::fault::{At, Fault};
use toml::de::DeValue;

use crate::language::choice::Choice;
use crate::language::keys::Kind;
use crate::language::tree::{Node, Read, Section, wrong_type};
use crate::scenario::part::rate_of_cells::{cell_rate, of_line};
use crate::scenario::resolved::{
    Abr, Curve, EricaPlan, EricaPlusPlan, Fairness, MeasurementPlan, OverloadAverage,
    PowerFraction, QueueControl, RateAllocation, SegmentationRoom, Steps, UseItOrLoseIt,
};
use crate::units::{CellRate, Cells, LayeredRate, Rate, Span};

pub(crate) fn abr(section: &Section<'_>) -> Result<Abr, Fault> {
    let abr = Abr {
        pcr: written_rate(section, "pcr")?,
        mcr: written_rate(section, "mcr")?.unwrap_or(Rate::from_bits_per_second(0)),
        icr: written_rate(section, "icr")?,
        tbe: section.value("tbe")?,
        frtt: section.written("frtt")?.map(|found| found.value),
        rif: section.value("rif")?,
        rdf: section.value("rdf")?,
        nrm: section.value::<u64>("nrm")? as u32,
        trm: section.value("trm")?,
        crm: section.written("crm")?.map(|found| found.value),
        cdf: section.value("cdf")?,
        adtf: section.value("adtf")?,
        tcr: rate(section, "tcr", &section.spanned("tcr")?)?,
        use_it_or_lose_it: section.value("use_it_or_lose_it")?,
        quantised: section.value("quantised")?,
        buffer: section.value("buffer")?,
    };
    check_standard_ranges(section, &abr)?;
    check_order(section, &abr)?;
    Ok(abr)
}

pub(crate) fn written_rate(section: &Section<'_>, key: &str) -> Result<Option<Rate>, Fault> {
    section.written(key)?.map(|written| rate(section, key, &written)).transpose()
}

pub(crate) fn rate(
    section: &Section<'_>,
    key: &str,
    written: &At<LayeredRate>,
) -> Result<Rate, Fault> {
    cell_rate(written.value).ok_or_else(|| of_line(written, &format!("{}.{key}", section.place())))
}

/// TM 4.0 table 5-3: what the coding of a signalling message has room for.
fn check_standard_ranges(section: &Section<'_>, abr: &Abr) -> Result<(), Fault> {
    const LARGEST_TBE: u64 = 16_777_215;
    let milliseconds = Span::from_milliseconds;
    if abr.tbe.0 > LARGEST_TBE {
        return Err(outside::<Cells>(
            section,
            "tbe",
            &abr.tbe,
            &format!("`1 cell` to `{LARGEST_TBE} cell`"),
        ));
    }
    // 100 ms times 2^-7 to 2^0.
    if !(Span::from_microseconds(781)..=milliseconds(100)).contains(&abr.trm) {
        return Err(outside::<Span>(section, "trm", &abr.trm, "`0.78125 ms` to `100 ms`"));
    }
    if !(milliseconds(10)..=milliseconds(10_230)).contains(&abr.adtf) {
        return Err(outside::<Span>(section, "adtf", &abr.adtf, "`10 ms` to `10230 ms`"));
    }
    Ok(())
}

fn outside<T: Read + std::fmt::Display>(
    section: &Section<'_>,
    key: &str,
    value: &T,
    range: &str,
) -> Fault {
    let at = section.spanned::<T>(key).map_or_else(|_| section.at().clone(), |found| found.at);
    Fault::new(
        &at,
        format!("`{}.{key}`: `{value}` is out of range; expected {range}", section.place()),
    )
}

/// MCR ≤ ICR ≤ PCR, as far as they are written.
fn check_order(section: &Section<'_>, abr: &Abr) -> Result<(), Fault> {
    let mcr = (abr.mcr.bits_per_second() > 0).then_some(abr.mcr);
    let pairs = [
        ("icr", abr.icr, "pcr", abr.pcr),
        ("mcr", mcr, "pcr", abr.pcr),
        ("mcr", mcr, "icr", abr.icr),
    ];
    for (low_key, low, high_key, high) in pairs {
        let (Some(low), Some(high)) = (low, high) else { continue };
        if low <= high {
            continue;
        }
        let at = section.spanned::<LayeredRate>(low_key)?.at;
        let message = format!(
            "`{0}.{low_key}` of {1} bit/s of cell is above the {high_key} of {2}; expected at most \
             that",
            section.place(),
            low.bits_per_second(),
            high.bits_per_second()
        );
        return Err(Fault::new(&at, message));
    }
    Ok(())
}

pub(crate) fn use_it_or_lose_it(choice: &Choice<'_>) -> Result<UseItOrLoseIt, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "time_based" => Ok(UseItOrLoseIt::TimeBased { tof: parameters.value("tof")? }),
        "count_based" => {
            let headroom = rate(&parameters, "headroom", &parameters.spanned("headroom")?)?;
            Ok(UseItOrLoseIt::CountBased { headroom: CellRate::of(headroom) })
        }
        _ => Ok(UseItOrLoseIt::Retain),
    }
}

pub(crate) fn segmentation_room(choice: &Choice<'_>) -> Result<SegmentationRoom, Fault> {
    match choice.name {
        "tail" => choice.value().map(|Cells(room)| SegmentationRoom::Tail(room)),
        "back_pressure" => choice.value().map(|Cells(room)| SegmentationRoom::BackPressure(room)),
        _ => choice.section().map(|_| SegmentationRoom::Infinite),
    }
}

pub(crate) fn rate_allocation(choice: &Choice<'_>) -> Result<RateAllocation, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "efci" => Ok(RateAllocation::Efci { threshold: parameters.value("threshold")? }),
        "relative_rate" => relative_rate(&parameters),
        "erica" => Ok(RateAllocation::Erica(EricaPlan {
            target_utilisation: parameters.value("target_utilisation")?,
            target_of: parameters.value("target_of")?,
            measurement: measurement(&parameters)?,
            overload: parameters.value("overload_average")?,
            fairness: fairness(&parameters)?,
        })),
        "erica_plus" => Ok(RateAllocation::EricaPlus(EricaPlusPlan {
            target_delay: parameters.value("target_delay")?,
            queue_control: parameters.value("queue_control")?,
            drain_rate: parameters.value("drain_rate")?,
            measurement: measurement(&parameters)?,
            overload: parameters.value("overload_average")?,
            fairness: fairness(&parameters)?,
        })),
        _ => Ok(RateAllocation::None),
    }
}

fn relative_rate(parameters: &Section<'_>) -> Result<RateAllocation, Fault> {
    let no_increase: At<Cells> = parameters.spanned("no_increase")?;
    let congestion: Cells = parameters.value("congestion")?;
    if no_increase.value.0 <= congestion.0 {
        return Ok(RateAllocation::RelativeRate { no_increase: no_increase.value, congestion });
    }
    let message = format!(
        "`{}.no_increase` of {} is above the `congestion` threshold of {congestion}; expected at \
         most that",
        parameters.place(),
        no_increase.value
    );
    Err(Fault::new(&no_increase.at, message))
}

fn measurement(parameters: &Section<'_>) -> Result<MeasurementPlan, Fault> {
    Ok(MeasurementPlan {
        cells: parameters.value("interval_cells")?,
        span: parameters.value("interval")?,
        activity_decay: parameters.written("activity_decay")?.map(|found| found.value),
        counts_backward_rm: parameters.value("backward_activity")?,
        ccr: parameters.value("ccr")?,
    })
}

fn fairness(parameters: &Section<'_>) -> Result<Fairness, Fault> {
    Ok(Fairness { excess: parameters.value("excess")?, delta: parameters.value("delta")? })
}

pub(crate) fn overload_average(choice: &Choice<'_>) -> Result<OverloadAverage, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "exponential" => Ok(OverloadAverage::Exponential { weight: parameters.value("weight")? }),
        "ratio" => Ok(OverloadAverage::Ratio { weight: parameters.value("weight")? }),
        _ => Ok(OverloadAverage::None),
    }
}

pub(crate) fn queue_control(choice: &Choice<'_>) -> Result<QueueControl, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "step" => steps(&parameters).map(QueueControl::Step),
        "linear" => curve(&parameters).map(QueueControl::Linear),
        "inverse_hyperbolic" => curve(&parameters).map(QueueControl::InverseHyperbolic),
        _ => curve(&parameters).map(QueueControl::Hyperbolic),
    }
}

fn curve(parameters: &Section<'_>) -> Result<Curve, Fault> {
    Ok(Curve {
        a: parameters.value("a")?,
        b: parameters.value("b")?,
        q1: parameters.value("q1")?,
        qdlf: parameters.value("qdlf")?,
    })
}

/// `q1` ≤ `q2`, and `a` ≥ `qdlf`: f never rises with the queue.
fn steps(parameters: &Section<'_>) -> Result<Steps, Fault> {
    let (q1, qdlf): (At<f64>, f64) = (parameters.spanned("q1")?, parameters.value("qdlf")?);
    let (q2, a): (f64, Option<At<f64>>) = (parameters.value("q2")?, parameters.written("a")?);
    let place = parameters.place();
    if q1.value > q2 {
        let message = format!(
            "`{place}.q1` of {} is above the `q2` of {q2}; expected at most that",
            q1.value
        );
        return Err(Fault::new(&q1.at, message));
    }
    if let Some(a) = a.as_ref().filter(|a| a.value < qdlf) {
        let message = format!(
            "`{place}.a` of {} is below the `qdlf` of {qdlf}; expected at least that",
            a.value
        );
        return Err(Fault::new(&a.at, message));
    }
    let a = a.map_or(f64::midpoint(1.0, qdlf), |a| a.value);
    Ok(Steps { a, b: parameters.value("b")?, q1: q1.value, q2, qdlf })
}

impl PowerFraction {
    /// `"1/16"`, `"1"` or `"0"`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "0" => Some(Self(None)),
            "1" => Some(Self(Some(0))),
            text => {
                let whole: u64 = text.strip_prefix("1/")?.trim().parse().ok()?;
                whole.is_power_of_two().then(|| Self(Some(whole.trailing_zeros())))
            }
        }
    }
}

impl Read for PowerFraction {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::PowerFraction { deepest, or_zero } = kind else {
            unreachable!("`{place}` is not a fraction")
        };
        let fraction = match node.get_ref() {
            DeValue::String(text) => Self::parse(text),
            DeValue::Integer(number) => Self::parse(number.as_str()),
            _ => None,
        };
        match fraction {
            Some(Self(Some(exponent))) if exponent <= deepest => Ok(Self(Some(exponent))),
            Some(Self(None)) if or_zero => Ok(Self(None)),
            _ => Err(wrong_type(node, &kind.accepted(), place)),
        }
    }
}
