//! The variant keys of the language, each read into its type of the resolved scenario.

use crate::language::choice::{Choice, no_parameters, word};
use crate::language::fault::{At, Fault, did_you_mean, nearest, one_of};
use crate::language::keys::Kind;
use crate::language::part::Value;
use crate::language::preset::Preset;
use crate::language::rate_of_cells::{SteadyRate, cell_rate, check_cell_time};
use crate::language::tree::{Node, Read, out_of_range, quantity, text, wrong_type};
use crate::scenario::resolved::{
    AckCost, Carries, CpuOrder, InService, Phase, Quantity, Sampling, Sar, Traffic,
};
use crate::units::{Bytes, Layer, LayeredRate, Rate, Span, quoted};

/// Implements [`Read`] and the way back for a key whose variants are words only.
macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl Read for $type {
            fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
                match word(node, kind, place)? {
                    $($word => Ok(Self::$variant),)+
                    other => unreachable!("`{other}` is a word of the language without a meaning"),
                }
            }
        }

        impl Value for $type {
            fn write(&self) -> String {
                format!("\"{}\"", self.word())
            }
        }

        impl $type {
            /// The word of the language for it.
            pub(crate) const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
}

words!(Phase { Random = "random", None = "none" });
words!(AckCost { Charged = "charged", Included = "included" });
words!(CpuOrder { Arrival = "arrival", OutputFirst = "output_first" });
words!(InService { Counted = "counted", NotCounted = "not_counted" });
words!(Quantity {
    Queue = "queue",
    VcQueue = "vc_queue",
    Cwnd = "cwnd",
    Ssthresh = "ssthresh",
    InFlight = "in_flight",
    Rtt = "rtt",
    Acked = "acked",
    Acr = "acr",
    ExplicitRate = "er",
    FairShare = "fair_share",
    Overload = "overload",
    Active = "active",
    AbrCapacity = "abr_capacity",
});

impl Quantity {
    /// What is recorded unless others are asked for: all but [`VcQueue`](Self::VcQueue), whose many
    /// series every cell pays for.
    pub(crate) const USUAL: [Self; 12] = [
        Self::Queue,
        Self::Cwnd,
        Self::Ssthresh,
        Self::InFlight,
        Self::Rtt,
        Self::Acked,
        Self::Acr,
        Self::ExplicitRate,
        Self::FairShare,
        Self::Overload,
        Self::Active,
        Self::AbrCapacity,
    ];
}

/// Implements [`Read`] for a key with parameters: a function of the choice made.
macro_rules! variants {
    ($type:ty, $from_choice:ident) => {
        impl Read for $type {
            fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
                let nothing = no_parameters();
                $from_choice(&Choice::of(node, kind, place, &nothing)?)
            }
        }
    };
}

variants!(Sar, sar);
variants!(Traffic, traffic);
variants!(Unit, unit);

fn sar(choice: &Choice<'_>) -> Result<Sar, Fault> {
    match choice.name {
        "per_cell" => choice.value().map(Sar::PerCell),
        _ => choice.value().map(Sar::PerFrame),
    }
}

fn traffic(choice: &Choice<'_>) -> Result<Traffic, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "ttcp" => Ok(Traffic::Ttcp {
            write: parameters.value("write")?,
            total: parameters.written("total")?.map(|found| found.value),
        }),
        "cbr" => Ok(Traffic::Cbr { cell_rate: parameters.value::<SteadyRate>("rate")?.0 }),
        "poisson" => Ok(Traffic::Poisson { cell_rate: parameters.value("rate")? }),
        "on_off" => Ok(Traffic::OnOff {
            cell_rate: parameters.value::<SteadyRate>("rate")?.0,
            period: parameters.value("period")?,
            duty_cycle: parameters.value("duty_cycle")?,
        }),
        "exponential_on_off" => {
            let cell_rate = parameters.value::<SteadyRate>("rate")?.0;
            let on = check_burst(&parameters.spanned("on")?, cell_rate, parameters.place())?;
            let off = parameters.value("off")?;
            Ok(Traffic::ExponentialOnOff { cell_rate, on, off })
        }
        _ => Ok(Traffic::Greedy),
    }
}

/// A mean burst shorter than so many thousandths of a cell time has no cell worth speaking of, and
/// thousands pass for each cell.
const MIN_BURST: i64 = 1000;

/// The mean burst of an `exponential_on_off` source against its cell time.
fn check_burst(on: &At<Span>, cell_rate: Rate, place: &str) -> Result<Span, Fault> {
    let cell_time = cell_rate.cell_time();
    if on.value.picoseconds() >= cell_time.picoseconds() / MIN_BURST {
        return Ok(on.value);
    }
    let message = format!(
        "`{place}.on` of {} is less than a thousandth of the {cell_time} that a cell takes at \
         `{place}.rate`; expected bursts that cells fit in",
        on.value
    );
    Err(Fault::new(&on.at, message))
}

/// `link.carries`, before the rate is known.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Cells,
    Packets { overhead: Bytes },
}

fn unit(choice: &Choice<'_>) -> Result<Unit, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "packets" => Ok(Unit::Packets { overhead: parameters.value("overhead")? }),
        _ => Ok(Unit::Cells),
    }
}

/// `link.rate`: a standard line by name, or a rate.
#[derive(Clone, Copy)]
pub(crate) enum LinkRate {
    Preset(&'static Preset),
    Layered(LayeredRate),
}

impl Read for LinkRate {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let written = text(node, kind, place)?.trim();
        if let Some(preset) = Preset::named(written) {
            return Ok(Self::Preset(preset));
        }
        if written.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return LayeredRate::read(node, kind, place).map(Self::Layered);
        }
        let names = Preset::names();
        let message = format!(
            "`{place}`: unknown line {}; expected {}, or a rate such as `149 Mbit/s of cell`",
            quoted(written),
            one_of(&names)
        );
        let hint = nearest(written, &names).map(did_you_mean);
        Err(Fault::new(&node.span(), message).with_hint(hint))
    }
}

/// What a link carries and how fast.
pub(crate) fn link_carries(rate: &At<LinkRate>, unit: Unit, place: &str) -> Result<Carries, Fault> {
    match (unit, rate.value) {
        (Unit::Cells, LinkRate::Preset(preset)) => {
            Ok(Carries::Cells { line_rate: preset.line_rate(), cell_rate: preset.cell_rate() })
        }
        (Unit::Cells, LinkRate::Layered(layered)) => match cell_rate(layered) {
            Some(cell_rate) => {
                check_cell_time(cell_rate, rate, &format!("{place}.rate"))?;
                Ok(Carries::Cells { line_rate: cell_rate, cell_rate })
            }
            None => Err(line_rate_of_cells(rate, place)),
        },
        (
            Unit::Packets { overhead },
            LinkRate::Layered(LayeredRate { rate, layer: Layer::Line }),
        ) => Ok(Carries::Packets { line_rate: rate, overhead }),
        (Unit::Packets { .. }, _) => {
            let message = format!(
                "`{place}.rate`: a link that carries packets has no cells; expected a rate `of \
                 line` such as \
                 `100 Mbit/s of line`"
            );
            Err(Fault::new(&rate.at, message))
        }
    }
}

fn line_rate_of_cells(rate: &At<LinkRate>, place: &str) -> Fault {
    let message = format!(
        "`{place}.rate`: a line rate does not say how fast cells are; expected a rate `of cell` or \
         `of payload`, \
         or {}",
        one_of(&Preset::names())
    );
    Fault::new(&rate.at, message)
}

/// A list of words, each at most once.
pub(crate) struct Words<T>(pub(crate) Vec<T>);

impl<T: Read + PartialEq> Read for Words<T> {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::Words(variants) = kind else { unreachable!("`{place}` is not a list of words") };
        let array =
            node.get_ref().as_array().ok_or_else(|| wrong_type(node, &kind.accepted(), place))?;
        let mut words = Vec::new();
        for entry in array {
            let next = T::read(entry, Kind::Variants(variants), place)?;
            if words.contains(&next) {
                let message = format!("`{place}` names the same twice; expected each at most once");
                return Err(Fault::new(&entry.span(), message));
            }
            words.push(next);
        }
        Ok(Self(words))
    }
}

impl Read for Sampling {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let written = text(node, kind, place)?;
        if written == "change" {
            return Ok(Self::OnChange);
        }
        if nearest(written, &["change"]).is_some() {
            let message = format!(
                "`{place}`: unknown word {}; expected {}",
                quoted(written),
                kind.accepted()
            );
            return Err(Fault::new(&node.span(), message)
                .with_hint(Some("did you mean `change`?".to_owned())));
        }
        match quantity(node, kind, place)? {
            Span::ZERO => Err(out_of_range(node, place, "more than `0 s`")),
            span => Ok(Self::Every(span)),
        }
    }
}
